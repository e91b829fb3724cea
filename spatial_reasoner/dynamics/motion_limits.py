"""Motion limits: how far each loose body of a simulation run may move from where it began."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial_reasoner.dynamics.rigid_bodies import Solid
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import inverse
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["FREE", "RESTS", "Body", "LimitedBodies", "MotionLimits"]

RESTS: Final[Numeric] = 0.01
"""m/s or rad/s: a released object that is slower than this after five steps is at rest, and its
simulation ends early. A falling object then moves at 20 cm/s. The number saves time and decides no
fact: in 0.5 s, the longest trial of plausibility with the defaults, the object would move 5 mm, a
ninth of the tolerance `drift`."""


class Body:
    """A body in Bullet, and whether it is loose.

    `middle` is the pose of its centre of mass in its frame, and `origin` the inverse of that.
    """

    __slots__ = ("at", "is_loose", "middle", "number", "origin", "solid")

    def __init__(self, number: int, solid: Solid) -> None:
        self.number: Final = number
        self.solid: Final = solid
        self.middle: Final = np.array([*solid.middle, 0, 0, 0, 1.0])
        self.origin: Final = inverse(self.middle)
        self.is_loose = False
        self.at: list[float] | None = None
        """The pose at which it is fixed, or None."""


@dataclass(frozen=True, slots=True, eq=False)
class MotionLimits:
    """How far each loose body of a run may move (`length`, m) and rotate (`turns`, rad).

    `contents` names the rows in or on a row: their limits are relative to it, and they are put
    back together with it. Bodies are at rest when all are slower than `slow` (m/s and rad/s).
    """

    length: Floats | float
    turns: Floats | float = math.inf
    slow: Floats | float = RESTS
    contents: Mapping[int, Collection[int]] = field(default_factory=dict)


FREE: Final = MotionLimits(math.inf)
"""No limits: bodies move freely."""


class LimitedBodies:
    """The loose bodies of a run, the poses of their centres of mass at the begin (`starts`), and
    which were put back there (`held`)."""

    def __init__(
        self,
        bodies: Sequence[Body],
        starts: list[list[float]],
        limits: MotionLimits,
        rows: Sequence[int],
    ) -> None:
        self.bodies: Final = bodies
        self.starts: Final = starts
        self._begins: Final = [start[:3] for start in starts]
        self.lengths: Final[list[float]] = np.broadcast_to(limits.length, len(bodies)).tolist()
        self.is_any: Final = min(self.lengths, default=math.inf) < math.inf
        self.held: Final = [False] * len(bodies)
        self.ways: Final[dict[int, Floats]] = {}
        """The displacements of the held bodies when they exceeded their limits."""
        self.slow: Final = np.broadcast_to(limits.slow, len(bodies)).tolist()
        """The speed below which each body is at rest."""
        turns = np.minimum(np.broadcast_to(limits.turns, len(bodies)) / 2, np.pi / 2)
        self._turns: Final[list[float]] = np.cos(turns).tolist()
        contents = [limits.contents.get(row, ()) for row in rows]
        self._within: Final = [[k for k, row in enumerate(rows) if row in c] for c in contents]
        self._around: Final = [
            [k for k, inside in enumerate(self._within) if other in inside]
            for other in range(len(rows))
        ]

    def hold(self, k: int, place: Sequence[float]) -> None:
        """Notes that body k exceeded its limits at a position."""
        self.held[k], self.ways[k] = True, np.subtract(place, self.begin(k))

    def is_turned(self, k: int, turn: Sequence[float]) -> bool:
        """Whether a body has rotated farther than its limits allow."""
        a, b, c, d = self.starts[k][3:]
        x, y, z, w = turn
        cosine: float = abs(a * x + b * y + c * z + d * w)
        return cosine < self._turns[k]

    def carrier(self, k: int) -> int | None:
        """The first loose body that carries body k and was not put back; None if there is none."""
        for other in self._around[k]:
            if not self.held[other]:
                return other
        return None

    def within(self, k: int) -> Iterator[Body]:
        """The loose bodies that are in or on body k."""
        return (self.bodies[inside] for inside in self._within[k])

    def begin(self, k: int) -> list[float]:
        """The position where body k began."""
        return self._begins[k]
