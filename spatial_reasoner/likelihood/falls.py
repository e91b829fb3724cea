"""Monte Carlo draws: where an object comes to rest, if its own pose and others' are uncertain.

1. Draw poses from the beliefs and their covariances.
2. Raise an object that starts inside a solid, for example below the floor, to its believed height
   above that solid. An object that stays fixed is drawn no lower above its support or container
   than believed.
3. Let the loose objects fall until they rest. One object is loose at a time, or two that may be
   next to each other. Only bodies that these could touch are simulated.

Objects hidden in a container stay in it: see `confinement`. An object may still start in the air
below a board.

The roads not taken: all draws side by side in one Bullet world, which takes as long, and a quarter
of a second more to make the bodies; all objects loose at once, which costs dozens of times as much
and gives the same answer wherever no object falls onto another.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.dynamics.rigid_bodies import Solid
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, turn_between
from spatial_reasoner.likelihood.confinement import Confinement, kept_in
from spatial_reasoner.likelihood.draws import drawn, normals
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["SEED", "FallJob", "FallScene", "jobs"]

SEED: Final = 1
"""Seed of all draws: the same question has the same answer in every run."""

_AT_ONCE: Final = 10
"""Number of draws in a job, which takes some ten milliseconds."""
_SUNK: Final[Numeric] = 0.003
"""Metres that two objects may overlap at the start: Bullet separates them without a jump. No fact
begins or ends at this depth."""
_TRIES: Final = 3
"""A limit on computing time: attempts to separate overlapping bodies."""
_LONGEST: Final[Numeric] = 1.0
_GLANCE: Final[Numeric] = 0.1
"""Seconds: a moving object is simulated for at most `_LONGEST`, and checked every `_GLANCE`. Both
are the accuracy of the place where it rests; the tolerances decide which relations hold there."""
_CALM: Final[Numeric] = 0.001
_CALM_TURN: Final[Numeric] = 0.01
"""Metres and radians: an object that moves by less between two checks (1 cm/s) is at rest, and
its simulation ends early, which saves time. The tolerances decide which relations hold there."""


@dataclass(frozen=True, slots=True, eq=False)
class FallScene:
    """One object or two, and all bodies that these could touch, as physics needs them.

    The objects in question come first. `roots` are square roots of the pose covariances. `rests`
    gives the index of the support or container of each body; a body without one has its own index.
    """

    names: tuple[str, ...]
    rows: tuple[int, ...]
    solids: tuple[Solid, ...]
    poses: Floats
    roots: Floats
    rests: tuple[int, ...]
    confines: tuple[Confinement | None, ...]
    """The container of each body, if it has one."""
    loose: int
    """The first `loose` bodies fall unless something supports them."""

    def drawn(self, begin: int, end: int, seed: int) -> Floats:
        """Draws the poses of all bodies for draws `begin` to `end`: (draws, bodies, 7)."""
        chance = [normals(seed, name, begin, end) for name in self.names]
        errors = np.einsum("kij,knj->nki", self.roots, np.array(chance))
        each = enumerate(zip(self.rests, self.confines, strict=True))
        rests = [k if confine else rest for k, (rest, confine) in each]
        _hold_up(errors[..., 2], rests, max(self.loose, 1))
        poses = drawn(self.poses, errors)
        kept_in(poses, self.poses, self.roots, self.confines)
        return poses


@dataclass(frozen=True, slots=True, eq=False)
class FallJob:
    """Draws `begin` to `end` of one object.

    The result depends on nothing else, so a job can run in any process.
    """

    bodies: FallScene
    begin: int
    end: int
    seed: int = SEED

    def done(self, dynamics: Dynamics) -> Floats:
        """Runs the draws; returns the poses of all bodies at rest: (draws, bodies, 7)."""
        bodies = self.bodies
        poses = bodies.drawn(self.begin, self.end, self.seed)
        if bodies.loose:
            for draw in poses:
                for body in range(bodies.loose):
                    draw[body] = _begin(dynamics, bodies, body, draw)
                if bodies.loose > 1 and not any(bodies.confines[: bodies.loose]):
                    _part(dynamics, bodies, draw)
                draw[: bodies.loose] = _rest(dynamics, bodies, draw)
        return poses


def jobs(bodies: FallScene, draws: int, seed: int = SEED) -> Iterator[FallJob]:
    """All draws of one object, split into jobs."""
    for begin in range(0, draws, _AT_ONCE):
        yield FallJob(bodies, begin, min(begin + _AT_ONCE, draws), seed)


def _hold_up(rises: Floats, rests: Sequence[int], first: int) -> None:
    """Raises bodies to at least their believed height above their support; skips the first bodies.

    `rises` (draws, bodies) is the difference of each drawn height from the believed one.
    """
    for _ in rests:  # the height of a pile is at most the number of bodies
        before = rises.copy()
        for body, support in list(enumerate(rests))[first:]:
            is_sunk = rises[:, body] < rises[:, support] - _SUNK
            rises[is_sunk, body] = rises[is_sunk, support]
        if (rises == before).all():
            return


def _begin(dynamics: Dynamics, bodies: FallScene, body: int, poses: Floats) -> Pose:
    """The start pose of a falling body, raised out of other bodies."""
    wanted: Pose = poses[body]
    rises = poses[:, 2] - bodies.poses[:, 2]
    if np.abs(rises).max() <= _SUNK:
        return wanted
    rows, others = np.array(bodies.rows), np.arange(len(poses)) != body
    solids = dict(zip(bodies.rows, bodies.solids, strict=True))
    fixed = Fixed.still(rows[others], poses[others])
    begin, is_met = wanted.copy(), np.zeros(len(rises) - 1, dtype=bool)
    depths = first = dynamics.depths(solids, bodies.rows[body], begin, fixed)
    for _ in range(_TRIES):
        if not (is_new := (depths > _SUNK) & ~is_met).any():
            break
        is_met |= is_new
        begin[2] = bodies.poses[body, 2] + rises[others][is_met].max()
        depths = dynamics.depths(solids, bodies.rows[body], begin, fixed)
    # A body that only leans into another one, or stands beside it, is not moved down into it.
    is_worse = begin[2] < wanted[2] and depths.max() > first.max()
    return wanted if is_worse else begin


def _part(dynamics: Dynamics, bodies: FallScene, poses: Floats) -> None:
    """Moves two overlapping bodies apart, each half the way; Bullet would throw them apart."""
    solids = dict(zip(bodies.rows, bodies.solids, strict=True))
    way = poses[1, :2] - poses[0, :2]
    length = float(np.linalg.norm(way))
    aside = way / length if length > 0.0 else np.array([1.0, 0.0])
    for _ in range(_TRIES):
        other = Fixed.still(np.array(bodies.rows[1:2]), poses[1:2])
        [depth] = dynamics.depths(solids, bodies.rows[0], poses[0], other)
        if depth <= _SUNK:
            return
        poses[0, :2] -= aside * depth / 2
        poses[1, :2] += aside * depth / 2


def _rest(dynamics: Dynamics, bodies: FallScene, poses: Floats) -> Floats:
    """Simulates the loose bodies among the fixed ones; returns the poses where they rest."""
    solids = dict(zip(bodies.rows, bodies.solids, strict=True))
    rows, falling = np.array(bodies.rows), bodies.loose
    fixed = Fixed.still(rows[falling:], poses[falling:])
    loose = Loose.still(rows[:falling], poses[:falling])
    for _ in range(round(_LONGEST / _GLANCE)):
        before, loose = loose.poses, dynamics.run(solids, loose, fixed, _GLANCE)
        moved = np.linalg.norm(loose.poses[:, :3] - before[:, :3], axis=1)
        turned = turn_between(loose.poses, before)
        if moved.max() < _CALM and turned.max() < _CALM_TURN:
            break
    return loose.poses
