"""Draws: where a thing comes to rest that may be here or there, among others that may be, too.

Poses are drawn from what is believed and how surely; what is loose is let fall until it rests. Only
one thing is loose at a time, and only what it could come to touch is there.

The roads not taken: all draws side by side in one Bullet world, which takes as long and a quarter
of a second more for the bodies; all things loose at once, which costs dozens of times as much and
answers the same where nothing falls onto anything else.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.bullet_dynamics import Dynamics
from spatial_reasoner.draws import drawn, normals
from spatial_reasoner.matter import Solid
from spatial_reasoner.poses import Floats, turn_between
from spatial_reasoner.runs import Fixed, Loose

__all__ = ["SEED", "Bodies", "Job", "jobs"]

SEED: Final = 1

_AT_ONCE: Final = 10
"""So many draws are a job, which takes some ten milliseconds."""
_LONGEST: Final = 1.0
_GLANCE: Final = 0.1
"""Seconds: a thing that moves on is given so many, and looked at so often."""
_CALM: Final = 0.001
_CALM_TURN: Final = 0.01
"""What moves and turns by less between two looks rests."""


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """One thing and all that it could come to touch, as far as physics goes; the thing is first.

    `roots` are those of the covariances of the poses.
    """

    names: tuple[str, ...]
    rows: tuple[int, ...]
    solids: tuple[Solid, ...]
    poses: Floats
    roots: Floats
    is_loose: bool
    """Whether it falls where nothing holds it."""


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
        """Where all bodies are in each draw when the thing rests: (draws, bodies, 7)."""
        bodies = self.bodies
        chance = [normals(self.seed, name, self.begin, self.end) for name in bodies.names]
        errors = np.einsum("kij,knj->nki", bodies.roots, np.array(chance))
        poses = drawn(bodies.poses, errors)
        if bodies.is_loose:
            for draw in poses:
                draw[0] = _rest(dynamics, bodies, draw)
        return poses


def jobs(bodies: Bodies, draws: int, seed: int = SEED) -> Iterator[Job]:
    """All draws of one thing, as jobs."""
    for begin in range(0, draws, _AT_ONCE):
        yield Job(bodies, begin, min(begin + _AT_ONCE, draws), seed)


def _rest(dynamics: Dynamics, bodies: Bodies, poses: Floats) -> Floats:
    """Where the first body comes to rest among the others, which stay."""
    solids = dict(zip(bodies.rows, bodies.solids, strict=True))
    rows = np.array(bodies.rows)
    fixed = Fixed.still(rows[1:], poses[1:])
    loose = Loose.still(rows[:1], poses[:1])
    for _ in range(round(_LONGEST / _GLANCE)):
        before, loose = loose.poses[0], dynamics.run(solids, loose, fixed, _GLANCE)
        now = loose.poses[0]
        moved = float(np.linalg.norm(now[:3] - before[:3]))
        if moved < _CALM and turn_between(now, before) < _CALM_TURN:
            break
    found: Floats = loose.poses[0]
    return found
