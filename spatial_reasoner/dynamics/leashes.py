"""The bodies of a run of physics, and those of them on a leash to where they began."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial_reasoner.dynamics.matter import Solid
from spatial_reasoner.geometry.poses import Floats, inverse

__all__ = ["FREE", "RESTS", "Body", "Leash", "Leashed"]

RESTS: Final = 0.01
"""Metres or radians a second: what is let go and is slower after five steps, when what falls goes
at 20 cm/s, is where it stays."""


class Body:
    """A body in Bullet, and whether it is loose; `middle` is its centre of mass in its frame, and
    `origin` that frame seen from there."""

    __slots__ = ("at", "is_loose", "middle", "number", "origin", "solid")

    def __init__(self, number: int, solid: Solid) -> None:
        self.number: Final = number
        self.solid: Final = solid
        self.middle: Final = np.array([*solid.middle, 0, 0, 0, 1.0])
        self.origin: Final = inverse(self.middle)
        self.is_loose = False
        self.at: list[float] | None = None
        """Where it stays, if it does."""


@dataclass(frozen=True, slots=True, eq=False)
class Leash:
    """How far from where it began each loose body of a run may get, in metres, and turn.

    What is in or on one of them, by rows, goes back with it as far, and is on a leash to it. When
    all are slower than `slow`, in metres and radians a second, they rest.
    """

    length: Floats | float
    turns: Floats | float = math.inf
    slow: Floats | float = RESTS
    contents: Mapping[int, Collection[int]] = field(default_factory=dict)


FREE: Final = Leash(math.inf)
"""None at all."""


class Leashed:
    """The loose bodies of a run, where their middles began, and which were pulled back there."""

    def __init__(
        self, bodies: Sequence[Body], starts: list[list[float]], leash: Leash, rows: Sequence[int]
    ) -> None:
        self.bodies: Final = bodies
        self.starts: Final = starts
        self._begins: Final = [start[:3] for start in starts]
        self.lengths: Final[list[float]] = np.broadcast_to(leash.length, len(bodies)).tolist()
        self.is_any: Final = min(self.lengths, default=math.inf) < math.inf
        self.held: Final = [False] * len(bodies)
        self.ways: Final[dict[int, Floats]] = {}
        """How far those got that are held."""
        self.slow: Final = np.broadcast_to(leash.slow, len(bodies)).tolist()
        """What is slower rests."""
        turns = np.minimum(np.broadcast_to(leash.turns, len(bodies)) / 2, np.pi / 2)
        self._turns: Final[list[float]] = np.cos(turns).tolist()
        contents = [leash.contents.get(row, ()) for row in rows]
        self._within: Final = [[k for k, row in enumerate(rows) if row in c] for c in contents]
        self._around: Final = [
            [k for k, inside in enumerate(self._within) if other in inside]
            for other in range(len(rows))
        ]

    def hold(self, k: int, place: Sequence[float]) -> None:
        """A body got to the end of its leash, at a place."""
        self.held[k], self.ways[k] = True, np.subtract(place, self.begin(k))

    def is_turned(self, k: int, turn: Sequence[float]) -> bool:
        """Whether a body has turned farther than it may."""
        a, b, c, d = self.starts[k][3:]
        x, y, z, w = turn
        cosine: float = abs(a * x + b * y + c * z + d * w)
        return cosine < self._turns[k]

    def carrier(self, k: int) -> int | None:
        """Which loose body that was not pulled back carries one; the first, and None if none."""
        for other in self._around[k]:
            if not self.held[other]:
                return other
        return None

    def within(self, k: int) -> Iterator[Body]:
        """The loose bodies that are in one of them."""
        return (self.bodies[inside] for inside in self._within[k])

    def begin(self, k: int) -> list[float]:
        """The place where a body began."""
        return self._begins[k]
