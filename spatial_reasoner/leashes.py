"""The bodies of a run of physics, and those of them on a leash to where they began."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from spatial_reasoner.matter import Solid
from spatial_reasoner.poses import inverse

__all__ = ["Body", "Leashed"]


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


class Leashed:
    """The loose bodies of a run, where their middles began, and which were pulled back there."""

    def __init__(
        self, bodies: Sequence[Body], starts: list[list[float]], leash: float,
        contents: Mapping[int, Collection[int]], rows: Sequence[int], slow: Sequence[float],
    ) -> None:  # fmt: skip
        self.bodies: Final = bodies
        self.starts: Final = starts
        self.leash: Final = leash
        self.held: Final = [False] * len(bodies)
        self.slow: Final = slow
        """What is slower rests."""
        within = [contents.get(row, ()) for row in rows]
        self._within: Final = [[k for k, row in enumerate(rows) if row in each] for each in within]
        self._around: Final = [
            [k for k, inside in enumerate(self._within) if other in inside]
            for other in range(len(rows))
        ]

    def carrier(self, k: int) -> int | None:
        """Which loose body that was not pulled back carries one; the first, and None if none."""
        return next((other for other in self._around[k] if not self.held[other]), None)

    def within(self, k: int) -> Iterator[Body]:
        """The loose bodies that are in one of them."""
        return (self.bodies[inside] for inside in self._within[k])

    def begin(self, k: int) -> list[float]:
        """The place where a body began."""
        return self.starts[k][:3]
