"""What a mind does not perceive: it falls, slides, is pushed and goes along with what carries it.

It sleeps where it is believed to be until something happens to it: what supports, holds or pushes
it moves; or it was perceived last where it could not stay; or it should show and doesn't, so that
an explanation is sought. Then physics moves it, while all that is perceived or in a hand goes where
it is known to go, until it rests again. Between two percepts that come as usual nothing is unseen.

The road not taken: all unseen things always, which costs twenty times as much, and creeps.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from spatial_reasoner.belief.escapes import standing, take_back
from spatial_reasoner.belief.punctuality import Punctuality
from spatial_reasoner.belief.sinking import lift_out
from spatial_reasoner.belief.world import NEVER, World
from spatial_reasoner.dynamics.physics import Physics
from spatial_reasoner.dynamics.rigid_bodies import Solid
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.geometry.poses import compose, inverse, turn_between
from spatial_reasoner.geometry.shape_tables import GROUND, NO_FORM, ShapeTables
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.motion import Trail
from spatial_reasoner.relations.neighbours import BoundingBoxes, boxes, near
from spatial_reasoner.tolerances.tolerances import GRAVITY, Tolerances
from spatial_reasoner.values.roster import Roster

__all__ = ["Unseen"]

_LONGEST: Final = 1.0
"""Seconds: what happened in a longer time nobody saw, and nobody can tell."""
_CALM: Final = (0.02, 0.3)
"""Metres and radians a second: what is slower rests, if it is so for a while."""
_UNDERWAY: Final = (0.1, 1.0)
"""The same of what does not rest for sure."""
_RESTED: Final = 0.2
_AHEAD, _TIPS = 0.3, 0.1
"""Seconds and radians: what turns so far in so short a time did not rest, but only balanced."""
_AT_ONCE: Final = 2
"""Things that are looked at so at one moment: each takes some milliseconds, the rest can wait."""
_BESIDE: Final = (0.5, 0.5, 1e4)
"""Metres: what is farther aside, at whatever height, what falls doesn't meet."""
_FALLING: Final = 0.3
"""Metres a second: what goes faster is on its way down."""
_INSTANT: Final = 1e-6
_ASTRAY: Final = 0.1
"""Metres: what would end up so far elsewhere, were it let go a little beside, may be anywhere."""
_BY: Final = (0.02, 0.01)
"""Metres: so little, of what nobody saw begin to fall, and of what was seen to."""
_WITHIN: Final = 0.008
"""Metres: what would be so deep in something was not let go there."""
_TURNED: Final = 1.5
"""Radians: what has turned farther in one moment may have gone round either way."""
_LOST: Final = 3.0
"""Metres below all that is: there nothing is ever found."""


class Unseen(Columns):
    """The things of one world that are not perceived: who is awake, and how fast."""

    awake: Flags = column(False)
    velocity: Floats = column(np.zeros(6))
    _sought: Flags = column(False)
    """For which an explanation was sought since they were last perceived."""
    _was_absent: Flags = column(False)
    _rested: Floats = column(0.0)
    """For how many seconds each has been at rest."""
    _due: Floats = column(0.0)
    """For how many seconds each should have been awake already."""

    def __init__(self, roster: Roster, tolerances: Tolerances, physics: Physics) -> None:
        super().__init__()
        self._roster: Final = roster
        self._tolerances: Final = tolerances
        self._physics: Final = physics
        self._falls: Flags = np.zeros(0, dtype=bool)
        """What was perceived to fall a moment ago, and is not any more."""
        self._shapes: list[Shape | None] = []
        """What all were like at the last moment."""
        self._punctuality: Final = Punctuality(tolerances.missing)
        self.make_room()

    @property
    def underway(self) -> Flags:
        """What falls, rolls or tips over: it will not stay where it is."""
        if not self.awake.any():
            return self.awake
        linear, angular = (np.linalg.norm(v, axis=1) for v in np.split(self.velocity, 2, axis=1))
        is_fast: Flags = (linear > _UNDERWAY[0]) | (angular > _UNDERWAY[1])
        return self.awake & is_fast

    def make_room(self) -> None:
        """Room for all rows that there are."""
        self.grow(rows=len(self._roster))
        self._shapes += [None] * (len(self.awake) - len(self._shapes))

    def seek(self, rows: Flags, world: World, now: float) -> None:
        """Some rows should show and don't: they are let go, once, for what may have happened."""
        rows = rows & self._was_absent & ~self._sought & ~self.awake
        rows &= world.plausible | self._is_long_ago(world, now)
        self._sought |= rows
        self.wake(rows)
        self._due[rows] = now - world.seen[rows]

    def wake(self, rows: Flags) -> None:
        """Lets go of some rows."""
        self.awake |= rows
        self._rested[rows] = 0.0

    def lift_out(self, world: World, bodies: ShapeTables, rows: Rows) -> None:
        """Takes what hands have unseen up from within what stands there."""
        lift_out(self._physics, self._roster, world, bodies, rows.tolist())

    def move(
        self, world: World, bodies: ShapeTables, last: tuple[Floats, Flags], inside: Flags,
        on: Flags, trail: Trail, loose: Flags, then: float, now: float,
    ) -> None:  # fmt: skip
        """Moves what is unseen from one moment to the next; all else is where it is by now.

        `last` is where all was then; `inside` and `on` what held then; `trail` where things were
        perceived lately; what is `loose` no hand keeps from falling.
        """
        self._attend(world)
        unseen = self._unseen(world, bodies, inside, loose)
        if unseen.any() and NEVER < then < now:
            self._go_on(world, bodies, last, inside, on, trail, unseen, loose, then, now)
        self._shapes = world.shapes.copy()

    def _go_on(
        self, world: World, bodies: ShapeTables, last: tuple[Floats, Flags], inside: Flags,
        on: Flags, trail: Trail, unseen: Flags, loose: Flags, then: float, now: float,
    ) -> None:  # fmt: skip
        begin = np.where(last[1][:, None], last[0], world.pose)
        absent = self._punctuality.is_late(world, now) | self.awake
        absent |= np.logical_or.reduce((inside | on)[:, self._bent(world)], axis=1)
        absent &= unseen
        absent &= ~self._hanging(world, bodies, absent) | loose
        leaps = self._leaps(world, begin, now - then)
        self._take_along(world, begin, unseen & ~absent, inside | on & ~leaps)
        moved = self._moved(world, begin, last[1], bodies)
        before, after = (boxes(p, bodies.half, bodies.centre) for p in (begin, world.pose))
        self._release(world, absent, loose, trail, now, now - then)
        self._rouse(absent, moved, before.around(after))
        stands = standing(world.pose, begin) if self.awake.any() else self.awake
        self._leap(world, begin, moved & leaps, inside)
        self.awake &= absent
        if self.awake.any():
            was = world.pose.copy()
            self._run(world, bodies, begin, before.around(after), min(now - then, _LONGEST))
            back = take_back(world, was, stands, inside, self.awake)
            self.awake &= ~back
            self.velocity[back] = 0.0
        self._was_absent = absent

    def _attend(self, world: World) -> None:
        """What is perceived sleeps, and nothing is sought of it."""
        self._punctuality.listen(world)
        fresh = world.fresh
        self.awake[fresh] = self._sought[fresh] = self._was_absent[fresh] = False
        self.velocity[fresh] = self._due[fresh, None] = 0.0

    def _unseen(self, world: World, bodies: ShapeTables, inside: Flags, loose: Flags) -> Flags:
        """What may move by itself, and was not perceived at this moment.

        What only the scene places stays until a frame says otherwise, but in what is carried.
        """
        roster = self._roster
        free: Flags = world.placed & world.known & ~world.fresh & roster.is_thing
        free &= ~roster.is_static & ~roster.is_fixture
        free &= (world.holding.holder == NO_HAND) | loose
        free &= (bodies.form != GROUND) & (bodies.form != NO_FORM)
        free &= (world.seen > NEVER) | inside.any(axis=1)
        return free

    def _hanging(self, world: World, bodies: ShapeTables, rows: Flags) -> Flags:
        """What was perceived in the air, and nothing known is below: it is on what nobody knows.

        So a scene without a floor loses nothing that stands on that as soon as it is out of sight.
        """
        rows = rows & ~world.plausible & ~self.awake
        if not rows.any():
            return rows
        here = boxes(world.pose, bodies.half, bodies.centre)
        below = BoundingBoxes(np.where([False, False, True], -np.inf, here.low), here.high)
        solid = world.placed & self._roster.is_thing & (bodies.form != NO_FORM) & ~rows
        return rows & ~near(here, solid, below, rows, np.zeros_like(here.low))

    def _moved(self, world: World, begin: Floats, was_placed: Flags, bodies: ShapeTables) -> Flags:
        """What is known to have moved, come or gone, or to be bent otherwise."""
        changed: Flags = (world.pose != begin).any(axis=1) & world.placed
        changed[self._bent(world)] = True
        changed |= world.placed != was_placed
        changed &= self._roster.is_thing & (bodies.form != NO_FORM) & ~self.awake
        return changed

    def _bent(self, world: World) -> list[int]:
        """The bodies whose joints moved: what lies in a drawer does not go where the chest goes."""
        return [row for row in world.joints if world.shapes[row] is not self._shapes[row]]

    def _take_along(self, world: World, begin: Floats, rows: Flags, by: Flags) -> None:
        """What is only late goes with what it is in or on, as it lies there."""
        for row in np.flatnonzero(rows & by.any(axis=1)).tolist():
            for carrier in np.flatnonzero(by[row]).tolist():
                if (world.pose[carrier] != begin[carrier]).any():
                    world.pose[row] = _carried(begin[carrier], world.pose[carrier], world.pose[row])

    def _release(
        self, world: World, absent: Flags, loose: Flags, trail: Trail, now: float, seconds: float
    ) -> None:
        """Lets go of what was perceived last where it could not stay, as fast as it went there.

        What was falling, or fell out of a hand, goes at once; of what was not, somebody who isn't
        perceived has hold: only when it is not perceived for long nobody is there. What was lost a
        hand's breadth above where it would stay comes down, too.
        """
        self._falls = np.zeros(len(absent), dtype=bool)
        could_stay = world.plausible & ~self._was_absent
        hovers = absent & ~self._sought & ~self.awake & (could_stay | ~world.plausible)
        if not hovers.any():
            return
        speeds = trail.velocities(float(world.seen[hovers].max()), self._tolerances).quick
        is_free = ~world.plausible & (loose | self._is_long_ago(world, now))
        falls = hovers & ((speeds[:, 2] < -_FALLING) | is_free | loose)
        self.velocity[falls, :3] = speeds[falls]
        self.velocity[falls & could_stay, :2] = 0.0
        self._sought |= falls
        self.wake(falls)
        self._due[falls] = now - world.seen[falls] - seconds
        self._falls = falls

    def _is_long_ago(self, world: World, now: float) -> Flags:
        """What does not even count as perceived any more."""
        long: Flags = now - world.seen >= self._tolerances.perceived - _INSTANT
        return long

    def _rouse(self, absent: Flags, moved: Flags, swept: BoundingBoxes) -> None:
        """Wakes what something happens to, and what touches that."""
        room = np.full((len(absent), 3), self._tolerances.touching)
        stirred = moved | self.awake
        while stirred.any():
            stirred = near(swept, stirred, swept, absent & ~self.awake, room)
            self.wake(stirred)

    def _leaps(self, world: World, begin: Floats, seconds: float) -> Flags:
        """What nobody could follow: it was too fast, turned too far, or was unseen for too long."""
        far = np.linalg.norm(world.pose[:, :3] - begin[:, :3], axis=1)
        leaps: Flags = far > self._tolerances.followed * seconds
        turned = np.flatnonzero(world.placed & (world.pose != begin).any(axis=1))
        leaps[turned] |= turn_between(world.pose[turned], begin[turned]) > _TURNED
        leaps[turned] |= self._punctuality.gap[turned] > _LONGEST
        return leaps

    def _leap(self, world: World, begin: Floats, leaps: Flags, inside: Flags) -> None:
        """What leaps takes along what is in it, as it lies there."""
        for row in np.flatnonzero(leaps & world.placed).tolist():
            for held in np.flatnonzero(inside[:, row] & self.awake).tolist():
                world.pose[held] = _carried(begin[row], world.pose[row], world.pose[held])
            begin[row] = world.pose[row]

    def _run(
        self, world: World, bodies: ShapeTables, begin: Floats, swept: BoundingBoxes, seconds: float
    ) -> None:
        """Lets what is awake go on; first those that should have been let go a while ago."""
        solid = world.placed & self._roster.is_thing & (bodies.form != NO_FORM)
        falls = self._falls & self.awake & (self._due <= 0.0)
        self._lose_doubtful(world, world.pose, self.velocity, swept, falls, solid, 0.0)
        overdue = self.awake & (self._due > 0.0)
        later = np.flatnonzero(overdue)[_AT_ONCE:]
        overdue[later] = False
        if overdue.any():
            due = min(float(self._due[overdue].max()), _LONGEST)
            self._due[overdue] = 0.0
            self._fall(world, bodies, begin, swept, overdue, solid, due)
            swept = swept.around(boxes(world.pose, bodies.half, bodies.centre))
        self._due[later] += seconds
        loose = self.awake & (self._due <= 0.0)
        self._simulate(world, bodies, begin, world.pose, swept, loose, solid, seconds)

    def _fall(
        self, world: World, bodies: ShapeTables, begin: Floats, swept: BoundingBoxes, rows: Flags,
        solid: Flags, seconds: float,
    ) -> None:  # fmt: skip
        """Lets some go that nobody saw fall; whose end hangs on a few millimetres has no place."""
        poses, velocity = world.pose.copy(), self.velocity.copy()
        self._simulate(world, bodies, begin, begin, swept, rows, solid, seconds)
        far = np.linalg.norm(world.pose[:, :3] - poses[:, :3], axis=1) > self._tolerances.drift
        far |= np.linalg.norm(self.velocity[:, :3], axis=1) > _FALLING
        asked = rows & (far | self._falls)
        self._lose_doubtful(world, poses, velocity, swept, asked, solid & ~rows, seconds)

    def _lose_doubtful(
        self, world: World, poses: Floats, velocity: Floats, swept: BoundingBoxes, rows: Flags,
        others: Flags, seconds: float,
    ) -> None:  # fmt: skip
        """Some rows that begin to fall have no place any more, if a little decides where they end;
        those that were seen to fall, if it decides what they fall into."""
        if not rows.any():
            return
        astray = np.zeros(len(rows), dtype=bool)
        vessels = np.flatnonzero(others & ~rows & self._roster.is_container)
        for row in np.flatnonzero(rows).tolist():
            alone = Loose(np.array([row]), poses[[row]], velocity[[row]])
            below, was_seen = self._under(swept, row, others & ~rows), bool(self._falls[row])
            ends = self._ends(world, alone, below, seconds + _LONGEST, _BY[was_seen])
            into = (swept.low[vessels] <= ends[:, None]) & (ends[:, None] <= swept.high[vessels])
            is_in = into.all(axis=2)
            differ = (is_in.any(axis=0) & ~is_in.all(axis=0)).any() if was_seen else len(ends)
            astray[row] = bool(differ)
        self._falls[rows] = False
        self.awake &= ~astray
        world.lose(astray)

    def _under(self, swept: BoundingBoxes, row: int, others: Flags) -> Flags:
        """What a thing may meet on its way down."""
        one = np.zeros(len(others), dtype=bool)
        one[row] = True
        return near(swept, one, swept, others, np.tile(_BESIDE, (len(others), 1)))

    def _ends(
        self, world: World, one: Loose, others: Flags, seconds: float, off: float
    ) -> Floats:
        """Where a thing ends up that is let go a little to either side; nowhere if that is about
        the same."""
        pose, shapes = world.pose, world.shapes
        solids, fixed = self._physics.matter.fixed(
            np.flatnonzero(others).tolist(), pose, pose, shapes, shapes
        )
        ends = []
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            poses = one.poses.copy()
            poses[0, :2] += off * x, off * y
            loose = Loose(one.rows, poses, one.velocities)
            if self._physics.depth(loose, fixed, solids, shapes) < _WITHIN:
                found = self._physics.run(loose, fixed, solids, shapes, seconds, ends_at_rest=True)
                ends.append(found.poses[0, :3])
        differ = bool(ends) and np.ptp(ends, axis=0).max() > _ASTRAY
        return np.array(ends) if differ else np.empty((0, 3))

    def _simulate(
        self, world: World, bodies: ShapeTables, begin: Floats, end: Floats, swept: BoundingBoxes,
        loose: Flags, solid: Flags, seconds: float,
    ) -> None:  # fmt: skip
        """Lets some go for a while, among what is near to them."""
        around = near(swept, loose, swept, solid & ~loose, self._reach(seconds))
        around |= solid & (bodies.form == GROUND)
        rows = np.flatnonzero(loose)
        free = Loose(rows, world.pose[rows], self.velocity[rows])
        before = world.shapes if begin is end else self._shapes
        solids, fixed = self._physics.matter.fixed(
            np.flatnonzero(around).tolist(), begin, end, before, world.shapes
        )
        found = self._physics.run(free, fixed, solids, world.shapes, seconds)
        self._take(world, found, seconds)
        self._rest(world, rows[self._rested[rows] >= _RESTED], fixed, solids)
        others = solid & ~loose
        depth = (swept.low[others, 2].min() if others.any() else 0.0) - _LOST
        gone = loose & (world.pose[:, 2] < depth)
        if gone.any():
            self.awake &= ~gone
            world.lose(gone)

    def _reach(self, seconds: float) -> Floats:
        """How far each may get to each side meanwhile."""
        far = np.linalg.norm(self.velocity[:, :3], axis=1) * seconds
        way = far + GRAVITY * seconds**2 / 2 + 2 * self._tolerances.touching
        reach: Floats = np.repeat(way[:, None], 3, 1)
        return reach

    def _take(self, world: World, found: Loose, seconds: float) -> None:
        """Believes what came out, and how long each rests."""
        rows = found.rows
        world.pose[rows], self.velocity[rows] = found.poses, found.velocities
        linear, angular = (np.linalg.norm(v, axis=1) for v in np.split(found.velocities, 2, axis=1))
        is_calm = (linear < _CALM[0]) & (angular < _CALM[1])
        self._rested[rows] = np.where(is_calm, self._rested[rows] + seconds, 0.0)

    def _rest(self, world: World, rows: Rows, fixed: Fixed, solids: Mapping[int, Solid]) -> None:
        """Has rows sleep, but those that only balance, and are about to tip over."""
        if not rows.size:
            return
        now = Loose(rows, world.pose[rows], self.velocity[rows])
        there = Fixed.still(fixed.rows, fixed.end)
        later = self._physics.run(now, there, solids, world.shapes, _AHEAD)
        rests = rows[turn_between(later.poses, now.poses) < _TIPS]
        self.awake[rests], self.velocity[rests] = False, 0.0
        world.plausible[rests] = True


def _carried(begin: Floats, end: Floats, pose: Floats) -> Floats:
    """Where something is whose carrier went from one pose to another."""
    return compose(end, compose(inverse(begin), pose))
