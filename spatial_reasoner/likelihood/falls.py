"""Draws: where a thing comes to rest that may be here or there, among others that may be, too.

Poses are drawn from what is believed and how surely; what is loose is let fall until it rests. Only
one thing is loose at a time, or two that may be next to each other, and only what these could come
to touch is there.

Heights are often the least sure of all, and nothing is in what it stands on. What would begin in
something solid, as below the floor, begins at the height that it is believed to have over that; and
what stands still is drawn no lower over what it is believed to rest on or in. What would begin in
the air below a board may be there. What is hidden in a container is in that: see `confines`.

The roads not taken: all draws side by side in one Bullet world, which takes as long and a quarter
of a second more for the bodies; all things loose at once, which costs dozens of times as much and
answers the same where nothing falls onto anything else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.dynamics.matter import Solid
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.geometry.poses import Floats, Pose, turn_between
from spatial_reasoner.likelihood.confines import Confine, kept_in
from spatial_reasoner.likelihood.draws import drawn, normals

__all__ = ["SEED", "Bodies", "Job", "jobs"]

SEED: Final = 1

_AT_ONCE: Final = 10
"""So many draws are a job, which takes some ten milliseconds."""
_SUNK: Final = 0.003
"""So deep in each other things may begin: physics parts them without throwing them about."""
_TRIES: Final = 3
_LONGEST: Final = 1.0
_GLANCE: Final = 0.1
"""Seconds: a thing that moves on is given so many, and looked at so often."""
_CALM: Final = 0.001
_CALM_TURN: Final = 0.01
"""What moves and turns by less between two looks rests."""


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """One thing or two, and all that these could come to touch, as far as physics goes.

    What is asked about is first. `roots` are those of the covariances of the poses. `rests` says
    for each what it is believed to rest on or in, by its place among these; its own place for
    nothing among them.
    """

    names: tuple[str, ...]
    rows: tuple[int, ...]
    solids: tuple[Solid, ...]
    poses: Floats
    roots: Floats
    rests: tuple[int, ...]
    confines: tuple[Confine | None, ...]
    """What each of them is known to be kept in by."""
    loose: int
    """So many of the first ones fall where nothing holds them."""

    def drawn(self, begin: int, end: int, seed: int) -> Floats:
        """Where all of them may be, in draws from one number up to another: (draws, bodies, 7)."""
        chance = [normals(seed, name, begin, end) for name in self.names]
        errors = np.einsum("kij,knj->nki", self.roots, np.array(chance))
        each = enumerate(zip(self.rests, self.confines, strict=True))
        rests = [k if confine else rest for k, (rest, confine) in each]
        _hold_up(errors[..., 2], rests, max(self.loose, 1))
        poses = drawn(self.poses, errors)
        kept_in(poses, self.poses, self.roots, self.confines)
        return poses


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Some draws of one thing, by their numbers: from one up to another.

    What comes of it depends on nothing else, so that it can be done wherever there is time.
    """

    bodies: Bodies
    begin: int
    end: int
    seed: int = SEED

    def done(self, dynamics: Dynamics) -> Floats:
        """Where all bodies are in each draw when what falls rests: (draws, bodies, 7)."""
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


def jobs(bodies: Bodies, draws: int, seed: int = SEED) -> Iterator[Job]:
    """All draws of one thing, as jobs."""
    for begin in range(0, draws, _AT_ONCE):
        yield Job(bodies, begin, min(begin + _AT_ONCE, draws), seed)


def _hold_up(rises: Floats, rests: Sequence[int], first: int) -> None:
    """Has nothing but the first bodies be lower over what it rests on than it is believed to be.

    `rises` (draws, bodies) are how much higher than believed each of them is.
    """
    for _ in rests:  # as many times as a pile may be high
        before = rises.copy()
        for body, support in list(enumerate(rests))[first:]:
            is_sunk = rises[:, body] < rises[:, support] - _SUNK
            rises[is_sunk, body] = rises[is_sunk, support]
        if (rises == before).all():
            return


def _begin(dynamics: Dynamics, bodies: Bodies, body: int, poses: Floats) -> Pose:
    """Where a body begins to fall, which is not within another one."""
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
    # What only leans into something, or is beside it, is not taken down into it.
    is_worse = begin[2] < wanted[2] and depths.max() > first.max()
    return wanted if is_worse else begin


def _part(dynamics: Dynamics, bodies: Bodies, poses: Floats) -> None:
    """Moves the first two bodies aside that would begin in each other, each half the way.

    Physics would throw them apart.
    """
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


def _rest(dynamics: Dynamics, bodies: Bodies, poses: Floats) -> Floats:
    """Where what is loose comes to rest among the others, which stay."""
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
