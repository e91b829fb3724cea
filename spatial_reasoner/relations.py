"""Relations between things: what is on, in and next to what, as boolean matrices.

`relate` says what holds now from what held before, so that what is near a threshold stays as it
was; only pairs with something that changed are looked at again. A broad phase of boxes finds the
pairs that can matter at all, and everything exact is asked of those, all at once.
"""

from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.bodies import GROUND
from spatial_reasoner.containment import contained
from spatial_reasoner.footprints import Geometry
from spatial_reasoner.polygons import Rows
from spatial_reasoner.poses import Floats
from spatial_reasoner.supports import NO_TOP, tops

__all__ = ["Relations", "over", "relate"]

Flags = NDArray[np.bool_]
T = TypeVar("T", np.bool_, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Relations:
    """What holds between rows, `on[a, b]` being "a is on b"; `next_to` is symmetric.

    The other matrices are what this was chosen from: they depend on the geometry alone, or, as
    `beside`, on it and what it was before.
    """

    on: Flags
    inside: Flags
    next_to: Flags
    tops: Floats = field(repr=False)
    """How high the top of b is that may carry a; NO_TOP for none."""
    sure: Flags = field(repr=False)
    """Whether that top can also come to carry a, and not only go on to."""
    beside: Flags = field(repr=False)
    """Near enough to be next to each other, be they also on or in each other."""
    generation: int = -1
    """The state of the geometry that this was found in."""

    @classmethod
    def none(cls, count: int) -> "Relations":
        """Nothing holds between so many rows."""
        on, inside, next_to, sure, beside = np.zeros((5, count, count), dtype=bool)
        return cls(on, inside, next_to, np.full((count, count), NO_TOP), sure, beside)

    def grown(self, count: int) -> "Relations":
        """The same with more rows, for a new geometry, which is then looked at all anew."""
        more, old = Relations.none(count), len(self.on)
        for name in ("on", "inside", "next_to", "beside"):
            getattr(more, name)[:old, :old] = getattr(self, name)
        return more


def relate(geometry: Geometry, before: Relations) -> Relations:
    """What holds now; `before` is what this said of an earlier state of the same geometry.

    Where nothing changed since, that is `before` itself.
    """
    rows = geometry.changed_since(before.generation)
    if not rows.size:
        return before
    olds = (before.inside, before.beside, before.sure)
    inside, beside, sure = (_without(old, rows, False) for old in olds)
    top = _without(before.tops, rows, NO_TOP)
    i, j = _neighbours(geometry, rows)
    a, b = np.concatenate([i, j]), np.concatenate([j, i])
    outline, over = _apart(geometry, a, b)
    apart = np.maximum(outline[: len(i)], outline[len(i) :])
    _contain(geometry, a, b, np.concatenate([apart, apart]), before.inside, inside)
    _carry(geometry, a, b, over, top, sure)
    _stand(geometry, rows, top, sure)
    _neighbour(geometry, i, j, apart, before.beside, beside)
    on = _supported(geometry, top, sure, inside, before.on)
    stacked = on | inside
    next_to = beside & ~(stacked | stacked.T)
    return Relations(on, inside, next_to, top, sure, beside, geometry.generation)


def over(geometry: Geometry) -> Flags:
    """What has its centre of mass over what, and its underside no lower than the other's top."""
    solid = np.flatnonzero(geometry.solid)
    a, b = (each.ravel() for each in np.meshgrid(solid, solid, indexing="ij"))
    _, outside = _apart(geometry, a, b)
    found = np.zeros((len(geometry), len(geometry)), dtype=bool)
    gap = geometry.bottom.take(b) - geometry.top.take(a)
    found[b, a] = (a != b) & (outside <= 0) & (gap >= -geometry.tolerances.on_gap[1])
    return found & ~found.T


def _without(matrix: NDArray[T], rows: Rows, nothing: float) -> NDArray[T]:
    """A copy in which nothing is known of some rows."""
    if len(rows) == len(matrix):
        return np.full_like(matrix, nothing)
    copy = matrix.copy()
    copy[rows] = copy[:, rows] = nothing
    return copy


def _neighbours(geometry: Geometry, rows: Rows) -> tuple[Rows, Rows]:
    """The pairs with one of some rows in them whose boxes meet, each once."""
    low, high = geometry.low, geometry.high
    if len(rows) == len(geometry):
        meet = low[0][:, None] < high[0]
        meet &= low[1][:, None] < high[1]
        meet &= low[2][:, None] < high[2]
        i, j = np.divmod(np.flatnonzero(np.triu(meet & meet.T, 1)), len(rows))
        return i, j
    near = (low[:, rows, None] < high[:, None]).all(axis=0)
    near &= (low[:, None] < high[:, rows, None]).all(axis=0)
    once = np.arange(len(geometry)) > rows[:, None]
    others = np.ones(len(geometry), dtype=bool)
    others[rows] = False
    i, j = (near & (once | others)).nonzero()
    return rows[i], j


def _apart(geometry: Geometry, a: Rows, b: Rows) -> tuple[Floats, Floats]:
    """How far the outline and the centre of mass of b are outside of a's outline, at least."""
    outline, over = geometry.outlines.against(a, b)
    wide = geometry.wide_outlines
    if wide is not None:
        mixed = np.flatnonzero(geometry.is_wide[a] | geometry.is_wide[b])
        outline[mixed], over[mixed] = wide.against(a[mixed], b[mixed])
    discs = np.flatnonzero(geometry.is_disc[a] & geometry.is_support[a])
    if discs.size:
        over[discs] = geometry.outlines.over_discs(a[discs], b[discs])
    return outline, over


def _contain(
    geometry: Geometry, a: Rows, b: Rows, apart: Floats, was: Flags, inside: Flags
) -> None:
    """Sets what is in what; it can only be what is over or under each other."""
    can = geometry.is_container & geometry.bodies.hollow
    pick = np.flatnonzero(can.take(a) & (apart <= geometry.tolerances.in_margin[1]))
    if pick.size:
        things, containers = b[pick], a[pick]
        inside[things, containers] = contained(
            geometry, things, containers, was[things, containers]
        )


def _carry(geometry: Geometry, a: Rows, b: Rows, over: Floats, top: Floats, sure: Flags) -> None:
    """Sets which tops may carry what."""
    # Of a mesh only its relief says whether something is over it.
    pick = np.flatnonzero(geometry.is_support[a] & (over <= geometry.tolerances.on_margin[1]))
    if pick.size:
        things, supports = b[pick], a[pick]
        top[things, supports], sure[things, supports] = tops(geometry, things, supports, over[pick])


def _stand(geometry: Geometry, rows: Rows, top: Floats, sure: Flags) -> None:
    """Sets what stands on the ground."""
    grounds = (geometry.bodies.form == GROUND) & geometry.is_support & geometry.placed
    for ground in np.flatnonzero(grounds).tolist():
        mine = np.arange(len(geometry)) if ground in rows else rows
        mine = mine[geometry.solid[mine]]
        near, far = geometry.gaps(mine)
        height = geometry.ground_under(ground, geometry.balance[mine])
        gap = np.abs(geometry.bottom[mine] - height)
        top[mine, ground] = np.where(gap <= far, height, NO_TOP)
        sure[mine, ground] = gap <= near


def _neighbour(
    geometry: Geometry, i: Rows, j: Rows, apart: Floats, was: Flags, beside: Flags
) -> None:
    """Sets who is beside whom: near for their size, and level with each other.

    Where one is over the other a part of their heights must be the same; where they are apart some
    of the difference is forgiven.
    """
    tolerances = geometry.tolerances
    share, share_off = tolerances.next_gap
    one, other = geometry.measures.take(i, axis=1), geometry.measures.take(j, axis=1)
    root, common = one[0] * other[0], np.minimum(one[1], other[1]) - np.maximum(one[2], other[2])
    limit, slack = share * root, was[i, j] * tolerances.on_margin[1]
    if slack.any():
        limit += (slack > 0) * np.maximum((share_off - share) * root, slack)
    least = -abs(tolerances.next_overlap)
    pick = np.flatnonzero((apart <= limit) & (common >= least - slack))
    i, j, slack = i[pick], j[pick], slack[pick]
    gap = np.maximum(apart[pick], _by_corners(geometry, i, j))
    enough = common[pick] + slack >= np.where(gap > -slack, least, -least)
    beside[i, j] = beside[j, i] = (gap <= limit[pick]) & enough


def _by_corners(geometry: Geometry, i: Rows, j: Rows) -> Floats:
    apart = geometry.outlines.by_corners(i, j)
    wide = geometry.wide_outlines
    if wide is not None:
        mixed = np.flatnonzero(geometry.is_wide[i] | geometry.is_wide[j])
        apart[mixed] = wide.by_corners(i[mixed], j[mixed])
    return apart


def _supported(geometry: Geometry, top: Floats, sure: Flags, inside: Flags, was: Flags) -> Flags:
    """What is on what: of the tops under each thing the highest, and rather the one before."""
    score = np.where(sure | was, top, NO_TOP)
    if inside.any():
        _shut_in(score, inside)
    score.reshape(-1)[np.flatnonzero(was)] += geometry.tolerances.on_switch
    best = score.argmax(axis=1)
    every = np.arange(len(best))
    on = np.zeros(was.shape, dtype=bool)
    on[every, best] = score[every, best] > NO_TOP
    mutual = on & on.T
    if mutual.any():
        # Only what stands in itself, such as two chairs at one place, can be on each other.
        height = geometry.balance[:, 2]
        on &= ~mutual | (height[:, None] > height)
    return on


def _shut_in(score: Floats, inside: Flags) -> None:
    """What is in something rests on nothing outside it, and on nothing that is in itself."""
    things = np.flatnonzero(inside.any(axis=1))
    containers = np.flatnonzero(inside.any(axis=0))
    within = inside[:, containers].astype(np.float32)
    outside = within[things] @ (1 - within).T > 0
    score[things] = np.where(outside, NO_TOP, score[things])
    score[inside.T] = NO_TOP
