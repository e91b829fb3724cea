"""Relations between objects: which are on, in and next to which, as boolean matrices.

`relate` computes them from the geometry and from what held before (hysteresis):

1. Keep the entries of pairs in which no object changed.
2. Broad phase: find the other pairs whose enlarged bounding boxes overlap.
3. Narrow phase, for all these pairs at once: containment, support surfaces, gaps.
4. Of several support surfaces under an object choose the highest, and prefer the present one.
"""

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Codes, Flags, Floats, Rows
from spatial_reasoner.geometry.shape_tables import GROUND
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.relations.containment import contained
from spatial_reasoner.relations.supports import NO_TOP, tops
from spatial_reasoner.relations.world_geometry import WorldGeometry

__all__ = ["NOWHERE", "Relations", "dependents", "innermost", "over", "relate"]

NOWHERE: Final = -1
"""Instead of a row: no object."""



@dataclass(frozen=True, slots=True, eq=False)
class Relations:
    """The relations between rows; `on[a, b]` means "a is on b", and `next_to` is symmetric.

    The other matrices are the candidates from which these were chosen. They depend on the geometry
    alone, except `beside`, which also depends on its value before.
    """

    on: Flags
    inside: Flags
    next_to: Flags
    tops: Floats = field(repr=False)
    """The height of the surface of b that may support a; NO_TOP if there is none."""
    sure: Flags = field(repr=False)
    """Whether that surface can begin to support a; else it can only continue to."""
    beside: Flags = field(repr=False)
    """Whether the two are near enough to be next to each other, even if one is on or in the
    other."""
    generation: int = -1
    """The generation of the geometry from which this was computed."""

    @classmethod
    def none(cls, count: int) -> "Relations":
        """No relation holds between `count` rows."""
        on, inside, next_to, sure, beside = np.zeros((5, count, count), dtype=bool)
        return cls(on, inside, next_to, np.full((count, count), NO_TOP), sure, beside)

    def grown(self, count: int) -> "Relations":
        """The same relations with more rows, for a new geometry, of which all rows are new."""
        more, old = Relations.none(count), len(self.on)
        for name in ("on", "inside", "next_to", "beside"):
            getattr(more, name)[:old, :old] = getattr(self, name)
        return more


def innermost(inside: Flags) -> Rows:
    """The innermost container of each row, or NOWHERE: the one that is in most of the others."""
    if not inside.any():
        return np.full(len(inside), NOWHERE)
    depth = inside * (1 + inside.sum(axis=1))
    found: Rows = np.where(inside.any(axis=1), depth.argmax(axis=1), NOWHERE)
    return found


def dependents(rests: Flags, row: int) -> Flags:
    """All objects that are on or in an object, directly or indirectly; they would move with it."""
    found = rests[:, row].copy()
    while True:
        more = found | rests[:, found].any(axis=1)
        if (more == found).all():
            return found
        found = more


def relate(geometry: WorldGeometry, before: Relations) -> Relations:
    """The relations now; `before` is the result for an earlier state of the same geometry.

    If nothing changed since then, the result is `before` itself.
    """
    if geometry.generation == before.generation:
        return before
    rows = geometry.changed_since(before.generation)
    old = before.inside, before.beside, before.sure, before.tops
    inside, beside, sure, top = _kept(rows, *old)
    i, j = _neighbours(rows, geometry.low, geometry.high)
    a, b = np.concatenate([i, j]), np.concatenate([j, i])
    outline, over = geometry.outlines.against(a, b)
    apart = np.maximum(outline[: len(i)], outline[len(i) :])
    _contain(geometry, a, b, np.concatenate([apart, apart]), before.inside, inside)
    _carry(geometry, a, b, over, top, sure)
    _stand(geometry, rows, top, sure)
    gap = np.maximum(apart, geometry.outlines.by_corners(i, j))
    _neighbour(geometry, i, j, gap, before.beside, beside)
    switch = geometry.tolerances.on_switch
    on, next_to = _resting(top, sure, inside, beside, before.on, geometry.balance, switch)
    return Relations(on, inside, next_to, top, sure, beside, geometry.generation)


def over(geometry: WorldGeometry) -> Flags:
    """Which object is above which: its centre of mass over the other's footprint, its underside
    not below the other's top."""
    solid = np.flatnonzero(geometry.solid)
    a, b = (each.ravel() for each in np.meshgrid(solid, solid, indexing="ij"))
    _, outside = geometry.outlines.against(a, b)
    found = np.zeros((len(geometry), len(geometry)), dtype=bool)
    gap = geometry.bottom.take(b) - geometry.top.take(a)
    found[b, a] = (a != b) & (outside <= 0) & (gap >= -geometry.tolerances.on_gap[1])
    return found & ~found.T


def _contain(
    geometry: WorldGeometry, a: Rows, b: Rows, apart: Floats, was: Flags, inside: Flags
) -> None:
    """Sets which object is in which; only objects whose footprints overlap can be."""
    can = geometry.is_container & geometry.bodies.hollow
    pick = _near_those(can, a, apart, geometry.tolerances.in_margin[1])
    if pick.size:
        things, containers = b[pick], a[pick]
        inside[things, containers] = contained(
            geometry, things, containers, was[things, containers]
        )


def _carry(
    geometry: WorldGeometry, a: Rows, b: Rows, over: Floats, top: Floats, sure: Flags
) -> None:
    """Sets which support surfaces may support which objects."""
    # For a mesh, its relief decides later whether an object is over it.
    pick = _near_those(geometry.is_support, a, over, geometry.tolerances.on_margin[1])
    if pick.size:
        things, supports = b[pick], a[pick]
        top[things, supports], sure[things, supports] = tops(geometry, things, supports, over[pick])


def _stand(geometry: WorldGeometry, rows: Rows, top: Floats, sure: Flags) -> None:
    """Sets which objects stand on the ground."""
    _on_grounds(
        rows, geometry.bodies.form, geometry.is_support, geometry.placed, geometry.solid,
        geometry.held, geometry.turn, geometry.poses, geometry.balance, geometry.bottom,
        geometry.on_gaps, math.cos(geometry.tolerances.steepest), top, sure,
    )  # fmt: skip


def _neighbour(
    geometry: WorldGeometry, i: Rows, j: Rows, gaps: Floats, was: Flags, beside: Flags
) -> None:
    """Sets which objects are beside each other: near for their size, at a common height."""
    tolerances = geometry.tolerances
    least = -abs(tolerances.next_overlap)
    _near(
        i, j, gaps, geometry.root, geometry.top, geometry.bottom, *tolerances.next_gap,
        tolerances.on_margin[1], least, was, beside,
    )  # fmt: skip


@compiled(
    "Tuple((b1[:,::1], b1[:,::1], b1[:,::1], f8[:,::1]))"
    "(i8[::1], b1[:,::1], b1[:,::1], b1[:,::1], f8[:,::1])"
)
def _kept(
    rows: Rows, inside: Flags, beside: Flags, sure: Flags, tops: Floats
) -> tuple[Flags, Flags, Flags, Floats]:
    """Copies of matrices in which the entries of some rows are cleared."""
    inside, beside, sure, tops = inside.copy(), beside.copy(), sure.copy(), tops.copy()
    for row in rows:
        for matrix in (inside, beside, sure):
            matrix[row] = matrix[:, row] = False
        tops[row] = tops[:, row] = NO_TOP
    return inside, beside, sure, tops


@compiled("i8[::1](b1[::1], i8[::1], f8[::1], f8)")
def _near_those(those: Flags, rows: Rows, away: Floats, limit: float) -> Rows:
    """The positions k in a list of rows with `those[rows[k]]` and `away[k] <= limit`."""
    found, count = np.empty(len(rows), dtype=np.int64), 0
    for k in range(len(rows)):
        if those[rows[k]] and away[k] <= limit:
            found[count] = k
            count += 1
    return found[:count]


@compiled("UniTuple(i8[::1], 2)(i8[::1], f8[:,::1], f8[:,::1])")
def _neighbours(rows: Rows, low: Floats, high: Floats) -> tuple[Rows, Rows]:
    """The pairs of one of `rows` and any other row whose boxes overlap, each pair once."""
    one = np.empty(len(rows) * len(low), dtype=np.int64)
    other, count = np.empty_like(one), 0
    is_new = np.zeros(len(low), dtype=np.bool_)
    for row in rows:
        is_new[row] = True
    for row in rows:
        for k in range(len(low)):
            if is_new[k] and k <= row:
                continue
            if (
                low[row, 0] < high[k, 0] and low[k, 0] < high[row, 0]
                and low[row, 1] < high[k, 1] and low[k, 1] < high[row, 1]
                and low[row, 2] < high[k, 2] and low[k, 2] < high[row, 2]
            ):  # fmt: skip
                one[count], other[count] = row, k
                count += 1
    return one[:count], other[:count]


@compiled(
    "(i8[::1], i1[::1], b1[::1], b1[::1], b1[::1], b1[::1], f8[:,:,::1], f8[:,::1], f8[:,::1],"
    " f8[::1], f8[:,::1], f8, f8[:,::1], b1[:,::1])"
)
def _on_grounds(
    rows: Rows, forms: Codes, is_support: Flags, placed: Flags, solid: Flags,
    held: Flags, turns: Floats, poses: Floats, balances: Floats, bottoms: Floats,
    gaps: Floats, upward: float, top: Floats, sure: Flags,
) -> None:  # fmt: skip
    """Sets which objects stand on ground planes, for pairs in which a row of `rows` takes part.

    A plane whose unit normal is lower than `upward` is a wall, and supports nothing.
    """
    is_new = np.zeros(len(forms), dtype=np.bool_)
    for row in rows:
        is_new[row] = True
    for ground in range(len(forms)):
        if forms[ground] != GROUND or not is_support[ground] or not placed[ground]:
            continue
        x, y, z = turns[ground, 0, 2], turns[ground, 1, 2], turns[ground, 2, 2]
        for row in range(len(forms)):
            if solid[row] and (is_new[row] or is_new[ground]) and z >= upward:
                # The plane's height under the centre of mass: n · (p − p₀) = 0, solved for z
                away = x * (balances[row, 0] - poses[ground, 0])
                away += y * (balances[row, 1] - poses[ground, 1])
                height = poses[ground, 2] - away / z
                gap = abs(bottoms[row] - height)
                near, far = gaps[int(held[row]), 0], gaps[int(held[row]), 1]
                top[row, ground] = height if gap <= far else NO_TOP
                sure[row, ground] = gap <= near


@compiled(
    "(i8[::1], i8[::1], f8[::1], f8[::1], f8[::1], f8[::1], f8, f8, f8, f8, b1[:,::1], b1[:,::1])"
)
def _near(
    i: Rows, j: Rows, gaps: Floats, roots: Floats, tops: Floats, bottoms: Floats, share: float,
    share_off: float, margin: float, least: float, was: Flags, beside: Flags,
) -> None:  # fmt: skip
    """Sets which objects are beside each other, by the gaps between their footprints.

    If their footprints overlap, their height ranges must overlap, too. If they are apart, a small
    vertical gap is allowed.
    """
    for k in range(len(i)):
        one, other = i[k], j[k]
        # The geometric mean of the two sizes, and the overlap of the two height ranges, in metres
        root = roots[one] * roots[other]
        common = min(tops[one], tops[other]) - max(bottoms[one], bottoms[other])
        limit, slack = share * root, 0.0
        if was[one, other]:
            slack = margin
            limit += max((share_off - share) * root, slack)
        enough = least if gaps[k] > -slack else -least
        is_near = gaps[k] <= limit and common + slack >= enough
        beside[one, other] = beside[other, one] = is_near


@compiled("b1(i8, i8, b1[:,::1])")
def _is_shut_off(thing: int, support: int, inside: Flags) -> bool:
    """Whether containment excludes a support: outside the object's container, or inside it."""
    if inside[support, thing]:
        return True
    for container in range(len(inside)):
        if inside[thing, container] and not inside[support, container]:
            return True
    return False


@compiled("i8[::1](f8[:,::1], b1[:,::1], b1[:,::1], b1[:,::1], f8)")
def _supports(tops: Floats, sure: Flags, inside: Flags, was: Flags, switch: float) -> Rows:
    """The support of each object: the highest support surface under it, −1 if there is none.

    The present support wins unless another surface is higher by more than `switch` (m).
    """
    found = np.full(len(tops), -1)
    for thing in range(len(tops)):
        best = NO_TOP
        for support in range(len(tops)):
            top = tops[thing, support]
            if top == NO_TOP or not (sure[thing, support] or was[thing, support]):
                continue
            if was[thing, support]:
                top += switch
            if top > best and not _is_shut_off(thing, support, inside):
                best, found[thing] = top, support
    return found


@compiled(
    "UniTuple(b1[:,::1], 2)(f8[:,::1], b1[:,::1], b1[:,::1], b1[:,::1], b1[:,::1], f8[:,::1], f8)"
)
def _resting(
    tops: Floats, sure: Flags, inside: Flags, beside: Flags, was: Flags, balances: Floats,
    switch: float,
) -> tuple[Flags, Flags]:  # fmt: skip
    """Which object is on which, and which next to which: beside it, and neither on nor in it."""
    on, next_to = np.zeros_like(inside), beside.copy()
    supports = _supports(tops, sure, inside, was, switch)
    for thing in range(len(on)):
        support = supports[thing]
        if support >= 0:
            # Two objects can only support each other if they overlap, as two chairs at one place.
            is_mutual = supports[support] == thing
            is_higher = balances[thing, 2] > balances[support, 2]
            on[thing, support] = is_higher or not is_mutual
    for one in range(len(on)):
        for other in range(len(on)):
            if on[one, other] or inside[one, other]:
                next_to[one, other] = next_to[other, one] = False
    return on, next_to
