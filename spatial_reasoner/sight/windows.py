"""Windows: the fields that an eye looks through, and the flat pictures that cover them.

An agent has a field of attention within its field of view, and by turning the head a little the
field of view sweeps over more. Turning does not move the eye, so what hides what stays the same:
one widened picture serves all the fields, and a map says which of them each of its points is in.
Each field is also kept a little wider, for what was in it already: what lies at an edge does not
come and go with the jitter of a head.

The road not taken is a picture for each field and each turn of the head: five times the drawing.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.values.sight import NOTHING, Part

__all__ = [
    "FOCUS",
    "FOCUS_KEPT",
    "TURNED",
    "TURNED_KEPT",
    "VIEW",
    "VIEW_KEPT",
    "Field",
    "Panel",
    "Window",
    "bearings",
    "held",
    "window",
]

Rows = NDArray[np.intp]

FOCUS: Final = 0
FOCUS_KEPT: Final = 1
VIEW: Final = 2
VIEW_KEPT: Final = 3
TURNED: Final = 4
TURNED_KEPT: Final = 5

_FLAT: Final = 1.309
"""Half of 150°: the widest that a flat picture is good for."""
_TALLEST: Final = 1.309
"""Nor does a field reach higher than 75° above its middle: a flat picture ends at 90°."""
_TOGETHER: Final = 16
_COARSE: Final = 5
"""So many points of a full picture, each way, are one of a coarse one."""
_DENSEST: Final = 1.745
"""Fields narrower than 100° are drawn as finely as one of 100°, not more so."""


@dataclass(frozen=True, slots=True)
class Field:
    """A frustum about +x, swept to both sides: `half` its width at last, `tall` by 1 m away.

    >>> Field.of((1.745, 1.309), 0.262).inside(np.array([1.0, 1.2]), np.array([0.0, 0.0])).tolist()
    [True, False]
    """

    half: float
    sweep: float
    tall: float

    @classmethod
    def of(cls, fov: tuple[float, float], turn: float, edge: float = 0.0) -> "Field":
        """The field of full angles, swept by a turn to each side; wide ones are a sweep anyhow."""
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
    ) -> NDArray[np.bool_]:
        """Whether all that is so wide and high about directions is in it; with -, if some is."""
        extents = np.array([self.half, self.sweep, self.tall])
        return held(extents, azimuth, elevation, wide, high)


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One flat picture of a window: turned left by `yaw`, with full angles `fov`.

    `kinds` says for each point which combination of fields it lies in, `member` (6, kinds) which
    fields each combination has.
    """

    yaw: float
    fov: tuple[float, float]
    width: int
    height: int
    kinds: NDArray[np.int32]
    runs: NDArray[np.int32]
    """The same by its runs, line after line: begin, end, kind."""
    lines: NDArray[np.int32]
    """Where the runs of each line begin; and their number, at last."""
    member: Floats

    def among(self, mask: NDArray[np.bool_]) -> Floats:
        """How many points of each field (6) are in a mask."""
        found = np.bincount(self.kinds[mask.ravel()], minlength=self.member.shape[1])
        counted: Floats = self.member @ found
        return counted

    def count(self, picture: NDArray[np.int32], part: Part, found: Floats) -> None:
        """Adds how many points of each field show each row (6, rows), in a part of its picture."""
        _count(np.ascontiguousarray(picture), *part[:2], self.runs, self.lines, self.member, found)

    def recount(
        self,
        picture: NDArray[np.int32],
        part: Part,
        drawn: NDArray[np.int32],
        place: Part,
        boxes: Rows,
        found: Floats,
    ) -> None:
        """Takes a part of a picture to what was `drawn` of it at a `place`, within some boxes of
        the panel, and what was `found` in it with it."""
        _recount(picture, *part[:2], drawn, *place[:2], boxes, self.runs, self.lines, self.member,
                 found)


@compiled("void(i4[:,::1], i8, i8, i4[:,:], i4[:], f8[:,:], f8[:,:])")
def _count(
    picture: NDArray[np.int32],
    left: int,
    top: int,
    runs: NDArray[np.int32],
    lines: NDArray[np.int32],
    member: Floats,
    found: Floats,
) -> None:
    """Adds how many points of each field show each row, of a picture that begins at left and top.

    Neighbours are mostly alike: many of them at once are looked at together, which the processor
    does in one step where the compiler knows that no number is negative.
    """
    one, many, wide = np.uintp(1), np.uintp(_TOGETHER), picture.shape[1]
    for y in range(picture.shape[0]):
        line = picture[y]
        for run in range(lines[top + y], lines[top + y + 1]):
            kind = runs[run, 2]
            x = np.uintp(min(max(runs[run, 0] - left, 0), wide))
            last = np.uintp(min(max(runs[run, 1] - left, 0), wide))
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
    picture: NDArray[np.int32],
    left: int,
    top: int,
    drawn: NDArray[np.int32],
    drawn_left: int,
    drawn_top: int,
    boxes: Rows,
    runs: NDArray[np.int32],
    lines: NDArray[np.int32],
    member: Floats,
    found: Floats,
) -> None:
    """Takes boxes over from what was drawn, and counts only where that differs; where nothing was
    drawn, nothing is."""
    tall, wide = drawn.shape
    for box in range(len(boxes)):
        for y in range(max(boxes[box, 1], top), min(boxes[box, 3], top + picture.shape[0])):
            for run in range(lines[y], lines[y + 1]):
                kind = runs[run, 2]
                begin = max(runs[run, 0], boxes[box, 0], left)
                end = min(runs[run, 1], boxes[box, 2], left + picture.shape[1])
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
class Window:
    """The six fields of an agent, and the panels that cover the widest: in full, and coarsely."""

    fields: tuple[Field, ...]
    extents: Floats
    """Their half widths, sweeps and heights: (3, 6)."""
    panels: tuple[Panel, ...]
    coarse: tuple[Panel, ...]
    density: float
    """Points a metre, at one metre."""
    points: Floats
    """How many points of all panels each field has."""


def held(
    extents: Floats,
    azimuth: Floats,
    elevation: Floats,
    wide: Floats | float = 0.0,
    high: Floats | float = 0.0,
) -> NDArray[np.bool_]:
    """`Field.inside` for many fields at once: `extents` are half widths, sweeps and heights."""
    half, sweep, tall = extents
    side = np.maximum(np.abs(azimuth) + wide, 0.0)
    rise = np.tan(np.clip(np.abs(elevation) + high, 0.0, np.pi / 2))
    limit = tall * np.cos(np.clip(side - sweep, 0.0, np.pi / 2))
    inside: NDArray[np.bool_] = (side <= half) & (rise <= limit)
    return inside


def bearings(vectors: Floats) -> tuple[Floats, Floats]:
    """The azimuth of vectors (..., 3), left is positive, and their elevation."""
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))


def window(
    fov: tuple[float, float], foa: tuple[float, float], turn: float, edge: float, detail: int
) -> Window:
    """The window of an agent; `detail` is the number of points across a field of 100°.

    It takes milliseconds to make: keep it.
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
    return Window(fields, extents, full, rough, density, points)


def _panel(fields: tuple[Field, ...], yaw: float, share: float, density: float) -> Panel:
    wide = np.tan(share)
    high = max(_height(one, yaw, share) for one in fields)
    size = [max(2, round(2 * tan * density)) for tan in (wide, high)]
    fov = (2 * share, 2 * float(np.arctan(high)))
    return _covered(fields, yaw, fov, size[0], size[1])


def _height(field: Field, yaw: float, share: float) -> float:
    """How high a flat picture must be that covers a field where it lies in the panel."""
    azimuth = np.linspace(yaw - share, yaw + share, 181)
    azimuth = azimuth[np.abs(azimuth) <= field.half + 1e-9]
    rise = field.tall * np.cos(np.clip(np.abs(azimuth) - field.sweep, 0.0, np.pi / 2))
    return float(np.max(rise / np.cos(azimuth - yaw), initial=1e-3))


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


def _runs(kinds: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The stretches of equal numbers in each line, begin, end, number; where each line's begin."""
    begins = np.ones(kinds.shape, dtype=bool)
    begins[:, 1:] = kinds[:, 1:] != kinds[:, :-1]
    y, begin = begins.nonzero()
    is_last = np.append(y[1:] != y[:-1], True)
    end = np.where(is_last, kinds.shape[1], np.append(begin[1:], 0))
    runs = np.column_stack([begin, end, kinds[y, begin]]).astype(np.int32)
    lines = np.searchsorted(y, np.arange(len(kinds) + 1)).astype(np.int32)
    return runs, lines
