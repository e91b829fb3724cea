"""What hides a thing: what rays from an eye to the thing meet first, most of them.

Of what went elsewhere unseen it must hide the place, too, where that was last perceived or held.
It is asked as a thing begins to be hidden, and once a second while anything moves, of few things
at one moment: the others wait for the next one.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial_reasoner.belief.limbs import with_arms
from spatial_reasoner.belief.missing import Looked, may_be_missed
from spatial_reasoner.belief.pointwise import TAG, obstacles_of
from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.poses import Pose, apply
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.sight.lines_of_sight import NO_ROW, Obstacles, first_met

__all__ = ["Occluders", "look_past_arms", "occluder", "points_of"]

_ASKED: Final = 4
"""Of so many things it is asked at one moment."""
_AGAIN: Final = 1.0
"""It is asked again after so many seconds..."""
_SOON: Final = 0.25
"""...or so many, of what went elsewhere: where it was may show any moment."""

_OUTWARD: Final = 0.9
_ASIDE: Final = 0.55
"""So far toward a corner of its box is on a ball, and in most things."""
_STAYS: Final = 0.5
"""Who hid a thing still does while he hides half as much of it as who now hides the most."""
_MOST: Final = 0.6
"""A place is hidden by who is before so many of the points of what was there..."""
_STILL: Final = 0.4
"""...and still is by who hid it before."""
_HALF: Final = 0.5
"""Of a thing: what an arm hides so far trackers lose."""
_NO_PLACE: Final = np.full(3, np.nan)


@dataclass(frozen=True, slots=True)
class _Answer:
    """Who hides a thing, when that was asked, and all that it depended on."""

    row: int
    asked: float
    around: tuple[bytes, bytes]


class Occluders:
    """Who hides things from the owner of one world; `asked` is how often rays were cast."""

    def __init__(self) -> None:
        self.asked = 0
        self.has_waiting = False
        """Whether it is still to be asked of something."""
        self._answers: dict[int, _Answer] = {}

    def hiding(
        self, world: World, owner: int, rows: Rows, some: Flags, starts: Floats, all_else: bytes,
        now: float,
    ) -> Rows:
        """Who hides `some` of the rows; NO_ROW of the others and where it was not asked yet.

        `starts` are the places that he must hide as well, NaN if there are none; `all_else` is what
        it can depend on otherwise.
        """
        found = np.full(len(rows), NO_ROW, dtype=np.intp)
        known, self._answers, left, self.has_waiting = self._answers, {}, _ASKED, False
        for k in np.flatnonzero(some).tolist():
            row = int(rows[k])
            answer, around = known.get(row), (all_else, starts[k].tobytes())
            if answer is None or answer.around != around:
                again = _AGAIN if np.isnan(starts[k, 0]) else _SOON
                is_due = left > 0 and (answer is None or now - answer.asked >= again)
                self.has_waiting |= not is_due
                if is_due:
                    before = NO_ROW if answer is None else answer.row
                    hider = occluder(world, owner, row, starts[k], before)
                    answer = _Answer(hider, now, around)
                    left -= 1
            if answer is not None:
                found[k], self._answers[row] = answer.row, answer
        self.asked += _ASKED - left
        return found


def points_of(world: World, row: int, pose: Pose) -> Floats:
    """The points of a thing at a pose that are looked for: those on it, or some all over it."""
    entity, shape = world.roster.entities[row], world.shapes[row]
    own = entity is not None and entity.points
    points = np.concatenate(list(own.values())) if own else _spread(shape)
    return apply(pose, points)


def look_past_arms(world: World, looked: Looked, owner: int) -> None:
    """Writes down what does not show to the owner of a world for an arm that is before it."""
    asked = may_be_missed(world) & looked.in_view & looked.shows & world.roster.is_thing
    asked &= world.holding.holder == NO_HAND
    if not asked.any():
        return
    none = np.empty(0, dtype=np.intp)
    arms = with_arms(Obstacles(world.shapes, world.pose, world.roster.radii, none), world)
    if not arms.rows.size:
        return
    eye = world.pose[world.roster.heads[owner], :3]
    for row in np.flatnonzero(asked).tolist():
        points = points_of(world, row, world.pose[row])
        met = first_met(eye, points, np.zeros(len(points)), NO_ROW, arms)
        looked.shows[row] = (met != NO_ROW).mean() < _HALF


def occluder(
    world: World, owner: int, row: int, start: Floats = _NO_PLACE, before: int = NO_ROW
) -> int:
    """The row that hides the most of a thing from the owner of a world; NO_ROW if none hides any,
    or not the place `start` as well.

    Who did `before` is preferred. Somebody's body has a row, too. A thing that is known by its
    points may hide these itself, turned away.
    """
    points, eye = points_of(world, row, world.pose[row]), world.pose[world.roster.heads[owner], :3]
    has_points, there = world.roster.has_points[row], obstacles_of(world, owner)
    there = with_arms(there, world)
    spared = np.full(len(points), TAG if has_points else 0.0)
    met = first_met(eye, points, spared, NO_ROW if has_points else row, there)
    hider = _most(met[met != NO_ROW], before)
    if np.isnan(start[0]):
        return hider
    others = replace(there, rows=there.rows[there.rows != row])
    then = first_met(eye, points + (start - world.pose[row, :3]), spared, NO_ROW, others)
    least = _STILL if hider == before else _MOST
    return hider if (then == hider).mean() >= least else NO_ROW


def _most(met: Rows, before: int) -> int:
    if not met.size:
        return NO_ROW
    counts = np.bincount(met)
    kept = counts[before] if NO_ROW < before < len(counts) else 0
    return before if kept >= _STAYS * counts.max() else int(counts.argmax())


def _spread(shape: Shape | None) -> Floats:
    """Points all over a shape, in the frame of its body."""
    if shape is None:
        return np.zeros((1, 3))
    sides = np.concatenate([np.eye(3), -np.eye(3)]) * _OUTWARD
    corners = np.array(np.meshgrid(*[(-_ASIDE, _ASIDE)] * 3)).reshape(3, -1).T
    spread: Floats = np.concatenate([np.zeros((1, 3)), sides, corners])
    return shape.centre + spread * shape.half
