"""Fields of view: the six fields of an eye, and the flat pictures (panels) that cover all of them.

| field | what it is |
|---|---|
| FOCUS | the field of attention |
| VIEW | the field of view |
| TURNED | all that the field of view sweeps over when the head turns |
| *_KEPT | the same, a little wider, for objects that were in it (hysteresis) |

A turn does not move the eye, so occlusion stays the same. One wide picture therefore serves all six
fields, and a map gives the fields of each pixel. The wider fields keep objects at an edge from
coming and going with the jitter of a head.

The road not taken is a picture for each field and each head turn, which is five times the work.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Indices, Rows
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.tolerances.units import Limit, Numeric
from spatial_reasoner.values.rendering import BOTTOM, LEFT, NOTHING, RIGHT, TOP, PixelRectangle

__all__ = [
    "FOCUS",
    "FOCUS_KEPT",
    "HALF",
    "SWEEP",
    "TALL",
    "TURNED",
    "TURNED_KEPT",
    "VIEW",
    "VIEW_KEPT",
    "EyeFields",
    "Field",
    "Panel",
    "bearings",
    "eye_fields",
    "held",
]

FOCUS: Final = 0
FOCUS_KEPT: Final = 1
VIEW: Final = 2
VIEW_KEPT: Final = 3
TURNED: Final = 4
TURNED_KEPT: Final = 5
"""The indices of the six fields."""
HALF: Final = 0
SWEEP: Final = 1
TALL: Final = 2
"""The indices of the extents of a field: half its width and its sweep (rad), half its height at 1 m
(m)."""

_BEGIN: Final = 0
_END: Final = 1
_KIND: Final = 2
"""The indices of a run of equal pixels: the first one, the one after it, and the kind."""
_FLAT: Final[Limit] = 1.309
"""Radians: half of 150°, the greatest width of a panel. A flat picture distorts wider ones."""
_TALLEST: Final[Limit] = 1.309
"""Radians: a field reaches at most 75° above its centre, because a flat picture ends at 90°."""
_TOGETHER: Final = 16
"""Pixels that are compared at once."""
_COARSE: Final = 5
"""A pixel of a coarse panel covers this many pixels of a full panel in each direction."""
_AHEAD: Final[Numeric] = 1e-3
"""The least height of a panel at depth 1."""
_DENSEST: Final[Numeric] = 1.745
"""Radians: `detail` pixels cover 100°, and narrower fields have the same pixel density."""


@dataclass(frozen=True, slots=True)
class Field:
    """A frustum around +x, swept to both sides.

    `half` is half its width with the sweep (rad), and `tall` half its height at 1 m depth (m).

    >>> Field.of((1.745, 1.309), 0.262).inside(np.array([1.0, 1.2]), np.array([0.0, 0.0])).tolist()
    [True, False]
    """

    half: float
    sweep: float
    tall: float

    @classmethod
    def of(cls, fov: tuple[float, float], turn: float, edge: float = 0.0) -> "Field":
        """The field with full angles `fov`, swept by `turn` to each side, widened by `edge` (rad).

        A field wider than a panel counts as a sweep, too.
        """
        width = fov[0] / 2 + edge
        core = min(width, _FLAT)
        half = min(width + turn, np.pi)
        return cls(half, half - core, float(np.tan(min(fov[1] / 2 + edge, _TALLEST))))

    def inside(
        self,
        azimuth: Floats,
        elevation: Floats,
        wide: Floats | float = 0.0,
        high: Floats | float = 0.0,
    ) -> Flags:
        """Whether all of an extent around each direction is in the field.

        With negative extents: whether some of it is in the field.
        """
        extents = np.array([self.half, self.sweep, self.tall])
        return held(extents, azimuth, elevation, wide, high)


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One flat picture of the fields: turned left by `yaw`, with full angles `fov`.

    `kinds` is the combination of fields in which each pixel lies. `member` (6, kinds) is 1 for the
    fields of each combination.
    """

    yaw: float
    fov: tuple[float, float]
    width: int
    height: int
    kinds: Indices
    runs: Indices
    """The same, run-length encoded line by line: (runs, 3)."""
    lines: Indices
    """The index of the first run of each line; and at the end the number of runs."""
    member: Floats

    def among(self, mask: Flags) -> Floats:
        """The number of pixels of a mask in each field (6)."""
        found = np.bincount(self.kinds[mask.ravel()], minlength=self.member.shape[1])
        counted: Floats = self.member @ found
        return counted

    def count(self, picture: Indices, part: PixelRectangle, found: Floats) -> None:
        """Adds the pixel counts of each row in each field to `found` (6, rows), in a part."""
        _count(np.ascontiguousarray(picture), *part[:2], self.runs, self.lines, self.member, found)

    def recount(
        self,
        picture: Indices,
        part: PixelRectangle,
        drawn: Indices,
        place: PixelRectangle,
        boxes: Rows,
        found: Floats,
    ) -> None:
        """Updates a part of a picture by what was `drawn` at a `place`, within boxes of the panel.

        The pixel counts in `found` are updated with it.
        """
        _recount(picture, *part[:2], drawn, *place[:2], boxes, self.runs, self.lines, self.member,
                 found)


@compiled("void(i4[:,::1], i8, i8, i4[:,:], i4[:], f8[:,:], f8[:,:])")
def _count(
    picture: Indices,
    left: int,
    top: int,
    runs: Indices,
    lines: Indices,
    member: Floats,
    found: Floats,
) -> None:
    """Adds the pixel counts of each row in each field; the picture begins at `left` and `top`.

    Neighbouring pixels are mostly equal, so `_TOGETHER` of them are compared at once. The compiler
    vectorises this if indices are unsigned.
    """
    one, many, wide = np.uintp(1), np.uintp(_TOGETHER), picture.shape[1]
    for y in range(picture.shape[0]):
        line = picture[y]
        for run in range(lines[top + y], lines[top + y + 1]):
            kind = runs[run, _KIND]
            x = np.uintp(min(max(runs[run, _BEGIN] - left, 0), wide))
            last = np.uintp(min(max(runs[run, _END] - left, 0), wide))
            while x < last:
                row, start = line[x], x
                x += one
                while x + many <= last:
                    differ = np.int32(0)
                    for i in range(many):
                        differ |= line[x + i] ^ row
                    if differ != 0:
                        break
                    x += many
                while x < last and line[x] == row:
                    x += one
                if row >= 0:
                    for field in range(len(member)):
                        found[field, row] += member[field, kind] * np.float64(x - start)


@compiled(
    "void(i4[:,:], i8, i8, i4[:,:], i8, i8, i8[:,:], i4[:,:], i4[:], f8[:,:], f8[:,:])"
)
def _recount(
    picture: Indices,
    left: int,
    top: int,
    drawn: Indices,
    drawn_left: int,
    drawn_top: int,
    boxes: Rows,
    runs: Indices,
    lines: Indices,
    member: Floats,
    found: Floats,
) -> None:
    """Copies boxes from what was drawn, and updates the counts of the pixels that differ.

    A pixel of a box outside the drawn part becomes empty.
    """
    tall, wide = drawn.shape
    for box in range(len(boxes)):
        for y in range(max(boxes[box, TOP], top), min(boxes[box, BOTTOM], top + picture.shape[0])):
            for run in range(lines[y], lines[y + 1]):
                kind = runs[run, _KIND]
                begin = max(runs[run, _BEGIN], boxes[box, LEFT], left)
                end = min(runs[run, _END], boxes[box, RIGHT], left + picture.shape[1])
                for x in range(begin, end):
                    row, at, down = NOTHING, x - drawn_left, y - drawn_top
                    if 0 <= at < wide and 0 <= down < tall:
                        row = drawn[down, at]
                    before = picture[y - top, x - left]
                    if row == before:
                        continue
                    picture[y - top, x - left] = row
                    for field in range(len(member)):
                        if before >= 0:
                            found[field, before] -= member[field, kind]
                        if row >= 0:
                            found[field, row] += member[field, kind]


@dataclass(frozen=True, slots=True, eq=False)
class EyeFields:
    """The six fields of an agent, and the panels that cover the widest, in full and coarse."""

    fields: tuple[Field, ...]
    extents: Floats
    """The extents of the fields, (3, 6): HALF, SWEEP and TALL of each."""
    panels: tuple[Panel, ...]
    coarse: tuple[Panel, ...]
    density: float
    """Pixels per metre at 1 m depth."""
    points: Floats
    """The number of pixels of each field in all panels."""


def held(
    extents: Floats,
    azimuth: Floats,
    elevation: Floats,
    wide: Floats | float = 0.0,
    high: Floats | float = 0.0,
) -> Flags:
    """`Field.inside` for many fields at once; `extents` are those of a `EyeFields`."""
    half, sweep, tall = extents[HALF], extents[SWEEP], extents[TALL]
    side = np.maximum(np.abs(azimuth) + wide, 0.0)
    rise = np.tan(np.clip(np.abs(elevation) + high, 0.0, np.pi / 2))
    limit = tall * np.cos(np.clip(side - sweep, 0.0, np.pi / 2))
    inside: Flags = (side <= half) & (rise <= limit)
    return inside


def bearings(vectors: Floats) -> tuple[Floats, Floats]:
    """The azimuths of vectors (..., 3), positive to the left, and their elevations, in radians."""
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))


def eye_fields(
    fov: tuple[float, float], foa: tuple[float, float], turn: float, edge: float, detail: int
) -> EyeFields:
    """The fields of an agent; `detail` is the number of pixels across a field of 100°.

    A call takes milliseconds, so callers should store the result.
    """
    plain = (Field.of(foa, 0.0), Field.of(fov, 0.0), Field.of(fov, turn))
    kept = (Field.of(foa, 0.0, edge), Field.of(fov, 0.0, edge), Field.of(fov, turn, edge))
    fields = tuple(one for pair in zip(plain, kept, strict=True) for one in pair)
    density = detail / (2 * np.tan(_DENSEST / 2))
    widest = fields[TURNED_KEPT].half
    number = int(np.ceil(widest / _FLAT - 1e-9))
    share = widest / number
    yaws = [(2 * i - number + 1) * share for i in range(number)]
    full = tuple(_panel(fields, yaw, share, density) for yaw in yaws)
    rough = tuple(
        _covered(fields, one.yaw, one.fov, -(-one.width // _COARSE), -(-one.height // _COARSE))
        for one in full
    )
    points = np.sum([one.member @ np.bincount(one.kinds) for one in full], axis=0)
    extents = np.array([(one.half, one.sweep, one.tall) for one in fields]).T.copy()
    return EyeFields(fields, extents, full, rough, density, points)


def _panel(fields: tuple[Field, ...], yaw: float, share: float, density: float) -> Panel:
    wide = np.tan(share)
    high = max(_height(one, yaw, share) for one in fields)
    size = [max(2, round(2 * tan * density)) for tan in (wide, high)]
    fov = (2 * share, 2 * float(np.arctan(high)))
    return _covered(fields, yaw, fov, size[0], size[1])


def _height(field: Field, yaw: float, share: float) -> float:
    """Half the height at 1 m depth that a panel needs to cover a field."""
    azimuth = np.linspace(yaw - share, yaw + share, 181)
    azimuth = azimuth[np.abs(azimuth) <= field.half + 1e-9]
    rise = field.tall * np.cos(np.clip(np.abs(azimuth) - field.sweep, 0.0, np.pi / 2))
    return float(np.max(rise / np.cos(azimuth - yaw), initial=_AHEAD))


def _covered(
    fields: tuple[Field, ...], yaw: float, fov: tuple[float, float], width: int, height: int
) -> Panel:
    across = np.tan(fov[0] / 2) * (1 - (np.arange(width) + 0.5) * 2 / width)
    up = np.tan(fov[1] / 2) * (1 - (np.arange(height) + 0.5) * 2 / height)
    azimuth = np.broadcast_to(np.arctan(across) + yaw, (height, width))
    elevation = np.arctan2(up[:, None], np.hypot(1.0, across))
    inside = [one.inside(azimuth, elevation) for one in fields]
    bits = sum((one.astype(np.int32) << i for i, one in enumerate(inside)), start=np.int32(0))
    found, kinds = np.unique(bits, return_inverse=True)
    member = ((found[None] >> np.arange(len(fields))[:, None]) & 1).astype(np.float64)
    kinds = kinds.astype(np.int32).reshape(height, width)
    return Panel(yaw, fov, width, height, kinds.ravel(), *_runs(kinds), member)


def _runs(kinds: Indices) -> tuple[Indices, Indices]:
    """The run-length encoding of each line (begin, end, number), and where each line begins."""
    begins = np.ones(kinds.shape, dtype=bool)
    begins[:, 1:] = kinds[:, 1:] != kinds[:, :-1]
    y, begin = begins.nonzero()
    is_last = np.append(y[1:] != y[:-1], True)
    end = np.where(is_last, kinds.shape[1], np.append(begin[1:], 0))
    runs = np.column_stack([begin, end, kinds[y, begin]]).astype(np.int32)
    lines = np.searchsorted(y, np.arange(len(kinds) + 1)).astype(np.int32)
    return runs, lines
