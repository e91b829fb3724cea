"""What would stay where it is perceived, and where it rests that is perceived a little beside it.

What is perceived is let go in a simulation, a moment ahead: what stays near where it was perceived
is plausible there, and believed where it came to rest: set down, parted, inside what it is in. What
goes farther is not, and is believed where it was perceived: somebody has it in hand, or it falls.
Of what is in a hand only that is asked, for a hand may be lifting it.

A verdict holds until the thing is perceived elsewhere, or something moves that may touch it: what
is still costs nothing.
"""

from typing import Final

import numpy as np

from spatial_reasoner.belief.world import NEVER, World
from spatial_reasoner.dynamics.motion_limits import RESTS, MotionLimits
from spatial_reasoner.dynamics.physics import Physics
from spatial_reasoner.dynamics.runs import Loose
from spatial_reasoner.dynamics.stability_trial import StabilityTrial
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.geometry.poses import rotations, turn_between
from spatial_reasoner.geometry.shape_tables import BALL, GROUND, NO_FORM, TUBE, ShapeTables
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.neighbours import BoundingBoxes, alone, boxes, crowded, near
from spatial_reasoner.relations.relations import dependents
from spatial_reasoner.tolerances.tolerances import GRAVITY, Tolerances
from spatial_reasoner.values.roster import Roster

__all__ = ["Steadier"]

_AT_REST: Final = (0.1, 1.0)
"""Metres and radians a second: what goes on faster came to no rest."""
_UNDERWAY: Final = 0.06
"""Metres or radians a second: what moves is asked again at once, so it need not come to a full
rest; what hovers or tips over is faster."""
_NEAR: Final = 0.006
"""Metres: what moves and is perceived farther from where it would rest is on its way there."""
_SAME: Final = (5e-4, 5e-3)
"""Metres and radians: what rests nearer is where it was perceived."""
_TIPPED: Final = 0.35
"""Radians: what turns farther tips over, and can't stay as it was perceived."""
_AGAIN: Final = (0.85, 0.7)
"""These shares of how far a thing may get, and turn, has what could not stay before: noise of a
few millimetres, or of a few degrees, does not make it stay."""
_ON_ITS_SIDE: Final = 0.5
_MOST: Final = 3
"""What is perceived in the midst of more others can't be there: no simulation need part them."""
_PATIENCE: Final = 4.0
"""Horizons: what neither rests nor is gone by then is looked at for so long, for what tips over or
rolls off begins slowly. Half a second is enough for a cube 2 mm beyond where it would stay."""


class Steadier(Columns):
    """The verdicts on what one world perceives."""

    _percept: Floats = column(np.zeros(7))
    """What each verdict is about; no pose where there is none."""
    _steady: Floats = column(np.zeros(7))
    _plausible: Flags = column(True)
    _last: Floats = column(np.zeros(7))
    """Where all was at the last verdicts; no pose of what was nowhere."""
    _on_held: Flags = column(False)
    """What was in or on something in a hand then: it stays there, though that hovers."""
    _moving: Flags = column(False)
    """What moved when it was judged: once it does not, it rests."""

    def __init__(self, roster: Roster, tolerances: Tolerances, physics: Physics) -> None:
        super().__init__()
        self._roster: Final = roster
        self._tolerances: Final = tolerances
        self._physics: Final = physics

    def steady(self, world: World, bodies: ShapeTables, carried: Flags, moving: Flags) -> None:
        """Believes what is perceived at this moment where it rests, if it can stay there.

        Its poses are percepts, and become beliefs; `carried` is what was in or on what, and
        `moving` what moved: that does not rest yet, and is set right by no more than percepts are
        wrong.
        """
        self.grow(rows=len(self._roster))
        judged = self._judged(world, bodies)
        if not judged.any():
            return
        solid = world.placed & self._roster.is_thing & (bodies.form != NO_FORM)
        new = judged & (world.pose != self._percept).any(axis=1)
        percepts = world.pose.copy()
        kept = judged & ~new
        world.pose[kept] = self._steady[kept]
        dirty = new | self._stirred(world, bodies, judged, new, solid)
        on_held = _on_held(world, carried)
        dirty |= judged & ((on_held != self._on_held) | (self._moving & ~moving))
        if dirty.any():
            world.pose[dirty] = self._percept[dirty] = percepts[dirty]
            self._judge(world, bodies, dirty, solid, carried, moving)
            self._moving[dirty] = moving[dirty]
        world.pose[dirty] = self._steady[dirty]
        world.plausible[judged] = self._plausible[judged]
        self._last, self._on_held = np.where(solid[:, None], world.pose, 0.0), on_held

    def _judged(self, world: World, bodies: ShapeTables) -> Flags:
        """What is perceived and could be elsewhere; furniture stands where it stands."""
        roster = self._roster
        free: Flags = world.fresh & world.placed & roster.is_thing & (bodies.form != NO_FORM)
        free &= ~roster.is_static & ~roster.is_fixture & (bodies.form != GROUND)
        return free

    def _stirred(
        self, world: World, bodies: ShapeTables, judged: Flags, new: Flags, solid: Flags
    ) -> Flags:
        """What may be touched by something that is elsewhere now, or was there before."""
        now = np.where(solid[:, None], world.pose, 0.0)
        moved: Flags = new | ((now != self._last).any(axis=1) & ~judged)
        if not moved.any():
            return moved
        was_there = self._last[:, 3:].any(axis=1, keepdims=True)
        swept = _swept(np.where(was_there, self._last, world.pose), world.pose, bodies)
        room = np.full((len(moved), 3), self._tolerances.touching)
        return near(swept, moved, swept, judged, room)

    def _judge(
        self, world: World, bodies: ShapeTables, rows: Flags, solid: Flags, carried: Flags,
        moving: Flags,
    ) -> None:  # fmt: skip
        """Lets some go, and says what became of them."""
        fall = GRAVITY * self._tolerances.horizon**2 / 2
        reach = np.full((len(rows), 3), self._tolerances.touching + fall)
        here = boxes(world.pose, bodies.half, bodies.centre)
        known = world.fresh | self._roster.is_static | (world.seen == NEVER)
        around = near(here, rows, here, solid & ~rows & known, reach)
        around |= self._below(here, rows, solid & ~rows & ~known, reach)
        around |= solid & (bodies.form == GROUND)
        gone = self._falls(world, bodies, here, rows, around) | crowded(here, rows, _MOST)
        self._plausible[gone], self._steady[gone] = False, world.pose[gone]
        if not (rows & ~gone).any():
            return
        loose, shapes = np.flatnonzero(rows & ~gone), world.shapes
        solids, fixed = self._physics.matter.fixed(
            np.flatnonzero(around).tolist(), world.pose, world.pose, shapes, shapes
        )
        once_more = np.where(self._plausible[loose], 1.0, np.array(_AGAIN)[:, None])
        leash = MotionLimits(
            self._tolerances.drift * once_more[0],
            np.where(_rolls(bodies, world.pose[loose], loose), np.inf, _TIPPED * once_more[1]),
            np.where(moving[loose], _UNDERWAY, RESTS),
            {row: np.flatnonzero(dependents(carried, row)).tolist() for row in loose.tolist()},
        )
        seconds = _PATIENCE * self._tolerances.horizon
        found = StabilityTrial(
            self._physics,
            loose,
            world.pose,
            shapes,
            solids,
            fixed,
            seconds,
            leash,
            self._tolerances.stuck,
        ).outcome()
        stays = ~np.isnan(found.velocities[:, 0])
        self._plausible[loose] = stays
        far = np.linalg.norm(found.poses[:, :3] - world.pose[loose, :3], axis=1)
        rests = stays & _rests(found, world.pose[loose], bodies) & _differ(found, world.pose[loose])
        rests &= ~moving[loose] | (far < _NEAR)
        rests &= world.holding.holder[loose] == NO_HAND
        self._steady[loose] = np.where(rests[:, None], found.poses, world.pose[loose])

    def _falls(
        self, world: World, bodies: ShapeTables, here: BoundingBoxes, rows: Flags, around: Flags
    ) -> Flags:
        """What has nothing about it as far as it may fall: of that no simulation need tell."""
        below = self._tolerances.drift + self._tolerances.touching
        is_ground = bodies.form == GROUND
        falls = alone(here, rows, (around | rows) & ~is_ground, self._tolerances.touching, below)
        for ground in np.flatnonzero(around & is_ground).tolist():
            if not falls.any():
                break
            up = rotations(world.pose[ground][None])[0, :, 2]
            middle, half = (here.low + here.high) / 2, (here.high - here.low) / 2
            falls &= (middle - world.pose[ground, :3]) @ up - half @ np.abs(up) > below
        return falls

    def _below(self, here: BoundingBoxes, rows: Flags, unseen: Flags, reach: Floats) -> Flags:
        """What is not perceived, and may carry some rows: it keeps up, and keeps nothing off."""
        if not unseen.any():
            return unseen
        lowest = here.low[rows, 2].min()
        low = unseen & (here.high[:, 2] <= lowest + self._tolerances.touching)
        return near(here, rows, here, low, reach)


def _on_held(world: World, carried: Flags) -> Flags:
    """What goes where a hand goes, on or in what that holds."""
    found = np.zeros(len(carried), dtype=bool)
    for row in np.flatnonzero(world.holding.holder != NO_HAND).tolist():
        found |= dependents(carried, row)
    return found


def _rolls(bodies: ShapeTables, poses: Floats, rows: Rows) -> Flags:
    """What may turn as it likes and stay: balls, and what is round and lies on its side."""
    lies: Flags = np.abs(rotations(poses)[:, 2, 2]) < _ON_ITS_SIDE
    form = bodies.form[rows]
    rolls: Flags = (form == BALL) | ((form == TUBE) & lies)
    return rolls


def _rests(found: Loose, percepts: Floats, bodies: ShapeTables) -> Flags:
    """What came to rest as it was perceived, however a ball is turned."""
    linear, angular = (np.linalg.norm(v, axis=1) for v in np.split(found.velocities, 2, axis=1))
    upright: Flags = (angular < _AT_REST[1]) & (turn_between(found.poses, percepts) < _TIPPED)
    calm: Flags = linear < _AT_REST[0]
    return calm & (upright | _rolls(bodies, percepts, found.rows))


def _differ(found: Loose, percepts: Floats) -> Flags:
    """What rests so far from where it was perceived that it is worth a word."""
    shift = np.linalg.norm(found.poses[:, :3] - percepts[:, :3], axis=1)
    far: Flags = (shift > _SAME[0]) | (turn_between(found.poses, percepts) > _SAME[1])
    return far


def _swept(begin: Floats, end: Floats, bodies: ShapeTables) -> BoundingBoxes:
    """Boxes about where bodies were and where they are."""
    before, after = (boxes(poses, bodies.half, bodies.centre) for poses in (begin, end))
    return before.around(after)
