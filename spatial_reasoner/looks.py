"""Looks: heads that look, each at a scenery, from their pictures to what they see.

The pictures tell the most; looks say which glances are needed beside them, and conclude from both.
All heads are reckoned with at once: arrays are (eyes, rows) or, by field, (eyes, 6, rows).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.gazes import Flags, Gaze, Seen
from spatial_reasoner.glances import Glances, Masks
from spatial_reasoner.headings import Headings
from spatial_reasoner.outlines import Outlines
from spatial_reasoner.poses import Floats, compose, rotations
from spatial_reasoner.windows import (
    FOCUS,
    FOCUS_KEPT,
    TURNED,
    TURNED_KEPT,
    VIEW,
    VIEW_KEPT,
    Window,
    pointed,
)

__all__ = ["Looks", "turned"]

_THICK: Final = 12
"""A tenth of what is so many points thick is a strip wider than a point: it can't be overlooked."""
_MOST: Final = 96
"""So many things are looked at closely by one eye, the nearest first."""
_SLIVER: Final = 0.02
"""What shows less than this share of itself in a field is not in it."""
_TENTH: Final = 0.1
_QUARTER: Final = 0.25
_MARGIN: Final = 1.02
_SUNK: Final = 0.005
_ROLL: Final[Floats] = np.array([0, 0, 0, np.sin(0.16), 0, 0, np.cos(0.16)])
"""Glances are rolled: an upright edge would hide or show a whole column of their points at once."""
_ROLLED: Final[Floats] = rotations(_ROLL)

Rows = NDArray[np.intp]


class Looks:
    """What pictures show to gazes; `points` counts it by eye, field and row.

    `worlds` says which of the sceneries each eye looks at, and `about` what is there for it. `wide`
    (eyes, 6, rows) is how many points would show of what is too wide for a glance. Then `glances`
    are to be made, and `seen` told what came of them.
    """

    def __init__(
        self,
        gazes: Sequence[Gaze],
        windows: Sequence[Window],
        worlds: Rows,
        about: Outlines,
        where: Headings,
        points: Floats,
        wide: Floats,
    ) -> None:
        self._gazes, self._windows, self._worlds = gazes, windows, worlds
        self._about, self._where = about, where
        self._eyes: Final[Floats] = np.array([gaze.eye for gaze in gazes])
        self._glass: Final[Flags] = np.array([gaze.transparent for gaze in gazes])
        self._pictured: Final = points
        self._shown: Final = points.copy()
        would = np.maximum(where.points, points[:, TURNED_KEPT])
        would = np.where(where.whole, would[:, None], 0.0)
        self._would: Final = np.where(where.wide[:, None], np.maximum(wide, points), would)
        self._across: Final[Flags] = where.some & ~where.whole
        self._close: Final = _pairs(self._doubtful())
        self._turn: Final = self._turned_to(self._close)

    # --- what the pictures can't tell ---

    def _doubtful(self) -> Flags:
        """What is to be looked at closely."""
        where = self._where
        rough = where.rough | self._glass | self._about.meshes
        told = _told(self._pictured[:, TURNED_KEPT], where.points, self._thickness())
        close: Flags = where.some[:, TURNED_KEPT] & ~where.wide & (rough | ~told)
        for eye in np.flatnonzero(close.sum(axis=1) > _MOST).tolist():
            far = np.argsort(np.where(close[eye], where.distance[eye], np.inf), kind="stable")
            close[eye, far[_MOST:]] = False
        return close

    def _thickness(self) -> Floats:
        """How many points things are thick, roughly."""
        density = np.array([[window.density] for window in self._windows])
        thick: Floats = self._where.points / (2 * np.maximum(self._where.width, 1e-9) * density)
        return thick

    def _turned_to(self, pair: tuple[Rows, Rows]) -> Floats:
        """How glances at things are turned, as seen by their eyes: (n, 3, 3)."""
        turn: Floats = _turns(self._where.azimuth[pair], self._where.elevation[pair]) @ _ROLLED
        return turn

    def glances(self, size: int) -> Glances | None:
        """What is to be looked at beside the pictures, if anything: eyes turned to each thing."""
        eyes, rows = pair = self._close
        if not len(rows):
            return None
        where = self._where
        azimuth, elevation = where.azimuth[pair], where.elevation[pair]
        axes = where.axes[eyes] @ self._turn
        corners = (self._about.corners[pair] - self._eyes[eyes, None, :3]) @ axes
        tall = np.abs(corners[..., 1:] / np.maximum(corners[..., :1], 1e-3)).max(axis=1)
        tall = np.minimum(tall, np.tan(where.width[pair])[:, None]) * _MARGIN
        poses = compose(turned(self._eyes[eyes], azimuth, elevation), _ROLL)
        before, others = self._in_front()
        fovs = 2 * np.arctan(np.maximum(tall, 1e-6))
        unsure = (self._where.rough | self._glass | self._about.meshes)[pair]
        return Glances(poses, fovs, self._worlds[eyes], rows, before, others, unsure, size)

    def _in_front(self) -> tuple[Rows, Rows]:
        """What may stand before each close thing: which thing, by number, and which row."""
        eyes, rows = pair = self._close
        where, radii = self._where, self._about.radii
        level = np.cos(where.elevation)
        ways = np.stack(
            [level * np.cos(where.azimuth), level * np.sin(where.azimuth), np.sin(where.elevation)],
            axis=-1,
        )
        cosine = (ways[eyes] @ ways[pair][:, :, None])[..., 0]
        near, far = where.distance - radii, where.distance + radii
        may = (~self._glass & where.some[:, TURNED_KEPT])[eyes] & (near[eyes] < far[pair][:, None])
        may &= self._touches(cosine, eyes, rows)
        may[np.arange(len(rows)), rows] = False
        before, others = np.nonzero(may)
        first = eyes[before] * may.shape[1]
        beyond = _beyond_a_side(
            self._about.corners, self._eyes[:, :3], first + others, first + rows[before]
        )
        return before[~beyond], others[~beyond]

    def _touches(self, cosine: Floats, eyes: Rows, rows: Rows) -> Flags:
        """Whether the balls of all rows come before those of close things, by angles alone."""
        wide = self._where.width
        across, along = np.sin(wide), np.cos(wide)
        least = along[eyes] * along[eyes, rows, None] - across[eyes] * across[eyes, rows, None]
        touches: Flags = (cosine >= least) | (wide[eyes] + wide[eyes, rows, None] >= np.pi)
        return touches

    # --- what follows from glances ---

    def seen(self, glances: Glances | None, alone: Masks, shown: Masks) -> list[Seen]:
        """What is seen in each gaze, by the pictures and by where things show in the glances."""
        if glances is not None:
            self._settle(glances, alone, shown)
        return self._concluded()

    def _settle(self, glances: Glances, alone: Masks, shown: Masks) -> None:
        eyes, rows = self._close
        at = eyes, slice(None), rows
        whole, some = self._where.whole[at], self._where.some[at]
        reckoned = self._reckoned(glances)
        would, shows = np.where(glances.unsure, _sums(alone), reckoned), _sums(shown)
        self._would[at] = whole * would[:, None]
        self._shown[at] = whole * shows[:, None]
        self._settle_edges(glances, some & ~whole, alone, shown)
        self._settle_focus(at)

    def _reckoned(self, glances: Glances) -> Floats:
        """How many points of its glance each close thing would show, by its outline."""
        eyes, _ = pair = self._close
        where = self._where
        density = np.array([window.density for window in self._windows])[eyes]
        off = np.cos(where.elevation[pair]) * np.cos(where.azimuth[pair] - where.yaw[pair])
        finer = (glances.size / 2) ** 2 / np.prod(np.tan(glances.fovs / 2), axis=1)
        reckoned: Floats = where.points[pair] * finer * (off**3 / density**2)
        return reckoned

    def _settle_focus(self, at: tuple[Rows, slice, Rows]) -> None:
        """What is small, and lies across the edge of attention, is there as its picture is."""
        eyes, _, rows = at
        for field in (FOCUS, FOCUS_KEPT):
            edge = self._across[eyes, field, rows]
            one, row = eyes[edge], rows[edge]
            pictured = self._pictured[one, :, row]
            share = pictured[:, field] / np.maximum(pictured[:, TURNED_KEPT], 1.0)
            middle = self._where.middle[one, field, row]
            share = np.where(pictured[:, TURNED_KEPT] > 0, share, middle)
            self._shown[one, field, row] = share * self._shown[one, TURNED_KEPT, row]

    def _settle_edges(self, glances: Glances, across: Flags, alone: Masks, shown: Masks) -> None:
        """Of what lies across the edge of a field of view, counts the points inside."""
        chosen = np.flatnonzero(across[:, VIEW:].any(axis=1))
        if not chosen.size:
            return
        which, field = across[chosen, VIEW:].nonzero()
        eyes, rows = (each[chosen[which]] for each in self._close)
        extents = self._where.extents[eyes, :, VIEW + field].T[..., None, None]
        ways = self._ways(glances, chosen)[:, which]
        inside = pointed(extents.astype(np.float32), ways)
        at = eyes, VIEW + field, rows
        self._would[at] = _sums(inside & alone[chosen[which]])
        self._shown[at] = _sums(inside & shown[chosen[which]])

    def _ways(self, glances: Glances, chosen: Rows) -> NDArray[np.float32]:
        """The ways to all points of some glances, as their eyes see them: (3, chosen, y, x)."""
        middles = 1 - (np.arange(glances.size, dtype=np.float32) + 0.5) * 2 / glances.size
        wide, high = np.tan(glances.fovs[chosen].T / 2).astype(np.float32)[..., None, None]
        axes = self._turn[chosen].astype(np.float32).transpose(1, 2, 0)[..., None, None]
        across, up = wide * middles, high * middles[:, None]
        ways: NDArray[np.float32] = axes[:, 0] + axes[:, 1] * across + axes[:, 2] * up
        return ways

    def _concluded(self) -> list[Seen]:
        would, shown = self._would, self._shown
        inside = would > _SLIVER * would.max(axis=1, keepdims=True)
        shares = np.where(inside, np.minimum(shown / np.maximum(would, 1e-9), 1.0), 0.0)
        focus, kept = self._attended(FOCUS), self._attended(FOCUS_KEPT)
        return [
            Seen(
                share=shares[k, VIEW],
                kept=shares[k, VIEW_KEPT],
                in_view=inside[k, VIEW],
                turned=shares[k, TURNED],
                turned_kept=shares[k, TURNED_KEPT],
                attended=focus[k],
                attended_kept=kept[k],
            )
            for k in range(len(self._gazes))
        ]

    def _attended(self, field: int) -> Flags:
        """What shows in a field of attention by its middle, by a tenth, or by filling a quarter."""
        shows = self._shown[:, field]
        tenth = shows >= _TENTH * self._shown[:, VIEW_KEPT]
        all_of_it = np.array([[window.points[FOCUS]] for window in self._windows])
        fills = self._pictured[:, field] >= _QUARTER * all_of_it
        attended: Flags = (shows > 0) & (self._where.middle[:, field] | tenth | fills)
        return attended


def turned(eyes: Floats, azimuth: Floats, elevation: Floats) -> Floats:
    """The poses (n, 7) of eyes turned in their own places, to the left and then up."""
    if not azimuth.any() and not elevation.any():
        return eyes
    turn = np.zeros((len(azimuth), 7))
    side, up = azimuth / 2, elevation / 2
    turn[:, 3] = np.sin(side) * np.sin(up)
    turn[:, 4] = -np.cos(side) * np.sin(up)
    turn[:, 5] = np.sin(side) * np.cos(up)
    turn[:, 6] = np.cos(side) * np.cos(up)
    return compose(eyes, turn)


def _turns(azimuth: Floats, elevation: Floats) -> Floats:
    """The same turns as matrices (n, 3, 3)."""
    out, up = np.cos(elevation), np.sin(elevation)
    along, aside = np.cos(azimuth), np.sin(azimuth)
    turns = np.zeros((len(azimuth), 3, 3))
    turns[:, 0, 0], turns[:, 1, 0], turns[:, 2, 0] = out * along, out * aside, up
    turns[:, 0, 1], turns[:, 1, 1] = -aside, along
    turns[:, 0, 2], turns[:, 1, 2], turns[:, 2, 2] = -up * along, -up * aside, out
    return turns


def _beyond_a_side(corners: Floats, eyes: Floats, boxes: Rows, things: Rows) -> Flags:
    """Whether an eye and all corners of a thing are beyond the same side of a box (n each).

    Then no sight from the one to the other passes through the box. A table does not hide what lies
    on it from who looks from above, though noise lets it sink in a little. `boxes` and `things`
    count all corners (eyes, rows, 8, 3); pairs are the last axis here, which is the fastest.
    """
    middles = np.ascontiguousarray((corners[:, :, 0] + corners[:, :, 7]).reshape(-1, 3).T) / 2
    edges = (corners[:, :, (1, 2, 4)] - corners[:, :, :1]).reshape(-1, 3, 3)
    edges = np.ascontiguousarray(edges.transpose(1, 2, 0)) / 2
    halves = np.sqrt((edges * edges).sum(axis=1))
    normals = edges / np.maximum(halves, 1e-9)[:, None]
    away = eyes.repeat(corners.shape[1], axis=0).T - middles
    eye = (normals * away).sum(axis=1).take(boxes, axis=1)
    side, half = normals.take(boxes, axis=2), halves.take(boxes, axis=1)
    between = middles.take(things, axis=1) - middles.take(boxes, axis=1)
    thing = np.einsum("ikn,kn->in", side, between)
    reach = np.abs(np.einsum("ikn,jkn->ijn", side, edges.take(things, axis=2))).sum(axis=1)
    slack = np.minimum(_SUNK, 2 * _TENTH * reach)
    above = (eye > half) & (thing - reach >= half - slack)
    below = (eye < -half) & (thing + reach <= slack - half)
    beyond: Flags = (above | below).any(axis=0)
    return beyond


def _sums(masks: Masks) -> NDArray[np.intp]:
    """How many points are in each mask; eight at a time, as bits of one number."""
    packed = np.packbits(masks.reshape(len(masks), masks.shape[1] * masks.shape[2]), axis=1)
    sums: NDArray[np.intp] = np.bitwise_count(packed).sum(axis=1, dtype=np.intp)
    return sums


def _pairs(flags: Flags) -> tuple[Rows, Rows]:
    eyes, rows = np.nonzero(flags)
    return eyes, rows


def _told(shown: Floats, would: Floats, thick: Floats) -> Flags:
    """Whether the points of a picture are enough to tell whether things are seen.

    Each point is a look at one place; a fifth of those of a thing is well above the threshold.
    """
    some = shown >= np.maximum(4.0, would / 5 + 1)
    told: Flags = some | (thick >= _THICK)
    return told
