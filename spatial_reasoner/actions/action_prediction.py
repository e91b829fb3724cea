"""Predicts the next actions of hands: an empty hand near an object, a full one over a container."""

import numpy as np

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.poses import apply, inverse, rotations
from spatial_reasoner.geometry.shapes import Cavity
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.relations.hands import NO_HAND

__all__ = ["may_pick", "may_put_into"]


def may_pick(mind: Mind) -> Flags:
    """Which empty hands are close to which objects at rest: (n, n)."""
    count, roster, world = len(mind.roster), mind.roster, mind.world
    found = np.zeros((count, count), dtype=bool)
    hands, holder = _there(mind), world.holding.holder
    is_full = np.zeros(count, dtype=bool)
    is_full[holder[holder != NO_HAND]] = True
    hands = hands[~is_full[hands]]
    if hands.size:
        geometry, relations = mind.geometry, mind.relations
        rests: Flags = np.logical_or.reduce(relations.on | relations.inside, axis=1)
        things = rests & (holder == NO_HAND) & geometry.solid & roster.is_thing
        things &= ~(roster.is_fixture | roster.is_static)
        _find_near(
            hands, things, world.pose, geometry.middle, geometry.turn, geometry.bodies.half,
            *mind.tolerances.may_pick, mind.before("may pick"), found,
        )  # fmt: skip
    return found


def may_put_into(mind: Mind) -> Flags:
    """Which full hands, or the objects in them, are over the opening of which containers: (n,
    n)."""
    count, world = len(mind.roster), mind.world
    found = np.zeros((count, count), dtype=bool)
    if world.holding.is_empty:
        return found
    was, holder = mind.before("may put into"), world.holding.holder
    containers = np.flatnonzero(mind.roster.is_container & world.placed)
    for hand in _there(mind).tolist():
        held = np.flatnonzero((holder == hand) & world.placed)
        if not held.size:
            continue
        points = np.concatenate([world.pose[[hand], :3], mind.geometry.middle[held]])
        for container in _below(mind, points, containers).tolist():
            shape = world.shapes[container]
            if shape is not None and shape.cavity is not None and container not in held:
                is_over = _is_over(mind, shape.cavity, container, points, was[hand, container])
                found[hand, container] = is_over
    return found


def _below(mind: Mind, points: Floats, rows: Rows) -> Rows:
    """The rows that may be below one of the points, by their radius."""
    away = points[:, None, :2] - mind.world.pose[rows, :2]
    reach = mind.roster.radii[rows] + mind.tolerances.in_margin[1]
    below: Rows = rows[((away * away).sum(axis=2) <= reach * reach).any(axis=0)]
    return below


def _there(mind: Mind) -> Rows:
    """The hands that are observed."""
    hands = mind.roster.hands
    here: Rows = hands[(mind.company.there & mind.world.placed)[hands]]
    return here


@compiled("(intp[:], b1[:], f8[:,:], f8[:,:], f8[:,:,:], f8[:,:], f8, f8, b1[:,:], b1[:,:])")
def _find_near(
    hands: Rows, things: Flags, poses: Floats, middles: Floats, turns: Floats, halves: Floats,
    near: float, far: float, was: Flags, found: Flags,
) -> None:  # fmt: skip
    """Marks which hands are near the bounding boxes of which objects, with hysteresis."""
    for thing in range(len(things)):
        if not things[thing]:
            continue
        for hand in hands:
            # Squared distance d² from the hand to the oriented box: p' = Rᵀ(p − m) in the frame of
            # the box, and d² = Σ max(|p'_k| − half_k, 0)².
            square = 0.0
            for axis in range(3):
                along = 0.0
                for k in range(3):
                    along += turns[thing, k, axis] * (poses[hand, k] - middles[thing, k])
                square += max(abs(along) - halves[thing, axis], 0.0) ** 2
            # Hysteresis: `near` to begin, `far` to end (metres).
            found[hand, thing] = square <= (far if was[hand, thing] else near) ** 2


def _is_over(mind: Mind, cavity: Cavity, container: int, points: Floats, was: bool) -> bool:
    """Whether one of the points is above an opening, and not too high; false if it is tilted."""
    pose, tolerances = mind.world.pose[container], mind.tolerances
    if rotations(pose)[2, 2] < np.cos(tolerances.intrinsic_tilt[int(was)]):
        return False
    at = apply(inverse(pose), points)
    margin, height = tolerances.in_margin[int(was)], tolerances.may_put[int(was)]
    low, high = cavity.low[:2] - margin, cavity.high[:2] + margin
    within = ((at[:, :2] >= low) & (at[:, :2] <= high)).all(axis=1)
    above = at[:, 2] - cavity.high[2]
    least = -tolerances.over_rim if was else 0.0
    return bool((within & (above >= least) & (above <= height)).any())
