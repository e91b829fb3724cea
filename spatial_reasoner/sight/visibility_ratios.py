"""Visibility ratios from the pixel counts of pictures and close-ups, for all heads at once.

1. Expect the pixel count of each object without occlusion; decide which objects need a close-up.
2. Count the pixels of the close-ups in each field.
3. Replace the counts of the pictures by those of the close-ups.
4. Divide, and decide what is in view and attended.

Arrays are (eyes, rows) or, by field, (eyes, 6, rows).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, sin, sqrt, tan
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.sight.bearings import Bearings
from spatial_reasoner.sight.close_up_eyes import close_up_eyes, turned
from spatial_reasoner.sight.close_ups import CloseUpSight, Masks
from spatial_reasoner.sight.fields_of_view import (
    FOCUS,
    FOCUS_KEPT,
    HALF,
    SWEEP,
    TALL,
    TURNED,
    TURNED_KEPT,
    VIEW,
    VIEW_KEPT,
    EyeFields,
)
from spatial_reasoner.sight.gazes import Gaze, Seen
from spatial_reasoner.sight.outlines import Outlines
from spatial_reasoner.tolerances.sight import SightTolerances
from spatial_reasoner.tolerances.units import Numeric
from spatial_reasoner.values.rendering import Scenery

__all__ = ["PixelCounts", "VisibilityRatios", "pointed"]

_FEW: Final[Numeric] = 4.0
"""Pixels: fewer do not determine whether an object shows."""
_THICK: Final[Numeric] = 12.0
"""Pixels: a tenth of an object of this thickness is a strip wider than a pixel, so a picture cannot
miss it."""
_MOST: Final = 96
"""The greatest number of close-ups of one eye; the nearest objects come first."""
_LEAST: Final[Numeric] = 1e-9
"""A tolerance against division by zero."""
_ALONE: Final = 0
_SHOWN: Final = 1
"""The indices of pixel counts without occlusion and with it, in the results of close-ups."""


@dataclass(frozen=True, slots=True, eq=False)
class PixelCounts:
    """The pixels of each row in each field of pictures, with occlusion: (eyes, 6, rows)."""

    shown: Floats
    alone: Floats
    """The same without occlusion, only for objects that are too wide for a close-up."""


class VisibilityRatios:
    """The visibility ratios in several gazes, from the pixel counts of their pictures.

    `worlds` has the scenery of `about` that each eye sees, and `where` the bearings of all rows.
    `close` are the close-ups that are needed; `seen` takes their results.
    """

    def __init__(
        self,
        gazes: Sequence[Gaze],
        windows: Sequence[EyeFields],
        worlds: Rows,
        about: Outlines,
        where: Bearings,
        counts: PixelCounts,
        tolerances: SightTolerances,
    ) -> None:
        self._tolerances: Final = tolerances
        self._about, self._where, self._worlds = about, where, worlds
        self.eyes: Final[Floats] = np.array([(*g.eye, *g.fov, *g.foa, g.turn) for g in gazes])
        """The pose and the fields of each gaze: all its parameters."""
        self._poses: Final = self.eyes[:, :7]
        self._glass: Final[Flags] = np.array([gaze.transparent for gaze in gazes])
        self._quarters: Final[Floats] = np.array(
            [tolerances.attended_filling * one.points[FOCUS] for one in windows]
        )
        self._pictured: Final = counts.shown
        self._shown: Final = counts.shown.copy()
        self._would: Final = np.empty_like(counts.shown)
        looked = self._doubtful(counts.alone)
        self.close: Final = close_up_eyes(
            self._poses, worlds, self._glass, about, where, looked, tolerances
        )

    def _doubtful(self, wide: Floats) -> Flags:
        """Which objects need a close-up."""
        where = self._where
        close = np.zeros(where.azimuth.shape, dtype=bool)
        _expect(
            self._pictured, wide, where.points, where.width, where.density, where.some,
            where.whole, where.rough, where.wide, self._glass, self._about.outsides.meshes,
            self._worlds, self._would, close,
        )  # fmt: skip
        for eye in np.flatnonzero(close.sum(axis=1) > _MOST).tolist():
            far = np.argsort(np.where(close[eye], where.distance[eye], np.inf), kind="stable")
            close[eye, far[_MOST:]] = False
        return close

    def close_up_counts(
        self, chosen: Rows, sceneries: Sequence[Scenery], sight: CloseUpSight
    ) -> Floats:
        """The pixels of some close-ups in each field, without and with occlusion: (n, 2, 6)."""
        where, close = self._where, self.close.only(chosen)
        at = close.lookers, close.rows
        close_ups, turns = turned(
            close, self._poses, self._worlds, self._about, where, sight.closeness
        )
        alone, shown = sight.close_ups(sceneries, close_ups)
        off = np.cos(where.elevation[at]) * np.cos(where.azimuth[at] - where.yaw[at])
        finer = (close_ups.size / 2) ** 2 / np.prod(np.tan(close_ups.fovs / 2), axis=1)
        expected = where.points[at] * off**3 / where.density[close.lookers] ** 2 * finer
        would = np.where(close.unsure, _sums(alone), expected)
        found = np.zeros((len(close.rows), 2, 6))
        _take(
            *at, would, _sums(shown).astype(np.float64), alone, shown, close_ups.fovs, turns,
            where.extents, where.some, where.whole, found,
        )  # fmt: skip
        return found

    def seen(self, found: Floats) -> list[Seen]:
        """The visible rows of each gaze, given the pixel counts of the close-ups."""
        _settle(
            self.close.lookers, self.close.rows, found, self._where.some, self._where.whole,
            self._where.middle, self._pictured, self._would, self._shown,
        )  # fmt: skip
        return self._concluded()

    def _concluded(self) -> list[Seen]:
        eyes, _, rows = self._shown.shape
        shares, attended = np.zeros((6, eyes, rows)), np.zeros((2, eyes, rows), dtype=bool)
        in_view = np.zeros((eyes, rows), dtype=bool)
        _conclude(
            self._pictured, self._shown, self._would, self._where.middle, self._quarters,
            self._tolerances.in_field, self._tolerances.attended, shares, in_view, attended,
        )  # fmt: skip
        return [
            Seen(
                share=shares[VIEW, k],
                kept=shares[VIEW_KEPT, k],
                in_view=in_view[k],
                turned=shares[TURNED, k],
                turned_kept=shares[TURNED_KEPT, k],
                attended=attended[FOCUS, k],
                attended_kept=attended[FOCUS_KEPT, k],
            )
            for k in range(eyes)
        ]


@compiled(
    "void(f8[:,:,:], f8[:,:,:], f8[:,:], f8[:,:], f8[:], b1[:,:,:], b1[:,:,:],"
    " b1[:,:], b1[:,:], b1[:,:], b1[:,:], i8[:], f8[:,:,:], b1[:,:])"
)
def _expect(
    pictured: Floats,
    pictured_alone: Floats,
    points: Floats,
    width: Floats,
    density: Floats,
    some: Flags,
    whole: Flags,
    rough: Flags,
    wide: Flags,
    glass: Flags,
    meshes: Flags,
    worlds: Rows,
    would: Floats,
    close: Flags,
) -> None:
    """Sets the pixel counts without occlusion (`would`), and who needs a close-up (`close`).

    An object needs none if a fifth of its pixels and at least four are visible, or if it is so
    thick that the picture cannot miss it. A fifth is twice the default of `share`, so a close-up
    would give the same fact. With a larger `share` the picture decides.
    """
    for e in range(len(worlds)):
        for r in range(points.shape[1]):
            # 1. Without occlusion an object has the expected pixels, or more if more are visible.
            shown = pictured[e, TURNED_KEPT, r]
            expected = max(points[e, r], shown)
            for field in range(6):
                if wide[e, r]:
                    would[e, field, r] = max(pictured_alone[e, field, r], pictured[e, field, r])
                else:
                    would[e, field, r] = expected if whole[e, field, r] else 0.0
            # 2. `is_enough`: the picture suffices. Thickness in pixels ≈ points / length.
            if some[e, TURNED_KEPT, r] and not wide[e, r]:
                is_enough = shown >= max(_FEW, points[e, r] / 5 + 1)
                is_enough |= points[e, r] >= _THICK * 2 * max(width[e, r], _LEAST) * density[e]
                close[e, r] = rough[e, r] or glass[e, r] or meshes[worlds[e], r] or not is_enough


@compiled("b1(f8, f8, f8, f8, f8, f8, f8)")
def pointed(
    x: float, y: float, z: float, opening: float, turning: float, aside: float, tall: float
) -> bool:
    """Whether a direction is in a field, as in `fields_of_view.held`, without computing angles.

    `opening` is the cosine of the half width; `turning` and `aside` are the cosine and the sine of
    the sweep.
    """
    level = sqrt(x * x + y * y)
    ahead = level
    if x < turning * level:
        ahead = max(turning * x + aside * abs(y), 0.0)
    return x >= opening * level and abs(z) <= tall * ahead


@compiled(
    "void(i8[:], i8[:], f8[:], f8[:], b1[:,:,:], b1[:,:,:], f8[:,:], f8[:,:,:], f8[:,:,:],"
    " b1[:,:,:], b1[:,:,:], f8[:,:,:])"
)
def _take(
    eyes: Rows,
    rows: Rows,
    expected: Floats,
    counted: Floats,
    alone: Masks,
    shows: Masks,
    fovs: Floats,
    turns: Floats,
    extents: Floats,
    some: Flags,
    whole: Flags,
    found: Floats,
) -> None:
    """Sets the pixel counts of close-ups in each field, without and with occlusion.

    For an object across the edge of a field of view, the pixels inside the field are counted.
    """
    size = alone.shape[1]
    across, edges = np.empty(4, dtype=np.int64), np.empty((4, 4))
    for k in range(len(eyes)):
        e, r, crossing = eyes[k], rows[k], 0
        # Fields that contain the whole object take all pixels; note the fields that it crosses.
        for field in range(6):
            if whole[e, field, r]:
                found[k, _ALONE, field], found[k, _SHOWN, field] = expected[k], counted[k]
            elif field >= VIEW and some[e, field, r]:
                half, sweep = extents[e, HALF, field], extents[e, SWEEP, field]
                edges[crossing, 0], edges[crossing, 1] = cos(half), cos(sweep)
                edges[crossing, 2], edges[crossing, 3] = sin(sweep), extents[e, TALL, field]
                across[crossing] = field
                crossing += 1
        # For these, test the direction of each pixel, in the frame of the eye before the turn.
        wide, high = tan(fovs[k, 0] / 2), tan(fovs[k, 1] / 2)
        for v in range(size if crossing else 0):
            up = high * (1 - (v + 0.5) * 2 / size)
            for u in range(size):
                if not (alone[k, v, u] or shows[k, v, u]):
                    continue
                left = wide * (1 - (u + 0.5) * 2 / size)
                x = turns[k, 0, 0] + turns[k, 0, 1] * left + turns[k, 0, 2] * up
                y = turns[k, 1, 0] + turns[k, 1, 1] * left + turns[k, 1, 2] * up
                z = turns[k, 2, 0] + turns[k, 2, 1] * left + turns[k, 2, 2] * up
                for n in range(crossing):
                    if pointed(x, y, z, edges[n, 0], edges[n, 1], edges[n, 2], edges[n, 3]):
                        found[k, _ALONE, across[n]] += alone[k, v, u]
                        found[k, _SHOWN, across[n]] += shows[k, v, u]


@compiled(
    "void(i8[:], i8[:], f8[:,:,:], b1[:,:,:], b1[:,:,:], b1[:,:,:], f8[:,:,:], f8[:,:,:],"
    " f8[:,:,:])"
)
def _settle(
    eyes: Rows,
    rows: Rows,
    found: Floats,
    some: Flags,
    whole: Flags,
    middle: Flags,
    pictured: Floats,
    would: Floats,
    shown: Floats,
) -> None:
    """Replaces the pixel counts of pictures by those of close-ups.

    For an object across the edge of the field of attention, the share inside is that of the
    picture; if the picture has no pixel of it, its centre decides.
    """
    for k in range(len(eyes)):
        e, r = eyes[k], rows[k]
        for field in range(6):
            would[e, field, r] = found[k, _ALONE, field]
            shown[e, field, r] = found[k, _SHOWN, field]
        for field in (FOCUS, FOCUS_KEPT):
            if some[e, field, r] and not whole[e, field, r]:
                of_all = pictured[e, TURNED_KEPT, r]
                share = 1.0 if middle[e, field, r] else 0.0
                if of_all > 0.0:
                    share = pictured[e, field, r] / max(of_all, 1.0)
                shown[e, field, r] = share * shown[e, TURNED_KEPT, r]


@compiled(
    "void(f8[:,:,:], f8[:,:,:], f8[:,:,:], b1[:,:,:], f8[:], f8, f8, f8[:,:,:], b1[:,:],"
    " b1[:,:,:])"
)
def _conclude(
    pictured: Floats,
    shown: Floats,
    would: Floats,
    middle: Flags,
    quarters: Floats,
    sliver: float,
    tenth: float,
    shares: Floats,
    in_view: Flags,
    attended: Flags,
) -> None:
    """Sets the visibility ratios, which objects are in view, and which are attended, by field.

    A visible object is attended if its centre, or the share `tenth` of its visible pixels, is in
    the field of attention, or if it fills a quarter of that field (`quarters`, in pixels). An
    object with at most the share `sliver` of its pixels in a field is not in it.
    """
    for e in range(len(quarters)):
        for r in range(shown.shape[2]):
            # Visibility ratio = visible pixels / pixels without occlusion, at most 1
            most = 0.0
            for field in range(6):
                most = max(most, would[e, field, r])
            for field in (VIEW, VIEW_KEPT, TURNED, TURNED_KEPT):
                if would[e, field, r] > sliver * most:
                    share = shown[e, field, r] / max(would[e, field, r], _LEAST)
                    shares[field, e, r] = min(share, 1.0)
            in_view[e, r] = would[e, VIEW, r] > sliver * most
            for field in (FOCUS, FOCUS_KEPT):
                shows = shown[e, field, r]
                enough = shows >= tenth * shown[e, VIEW_KEPT, r]
                enough |= middle[e, field, r] or pictured[e, field, r] >= quarters[e]
                attended[field, e, r] = shows > 0.0 and enough


def _sums(masks: Masks) -> Rows:
    """The number of pixels in each mask, counted as bits of packed bytes."""
    packed = np.packbits(masks.reshape(len(masks), masks.shape[1] * masks.shape[2]), axis=1)
    sums: Rows = np.bitwise_count(packed).sum(axis=1, dtype=np.intp)
    return sums
