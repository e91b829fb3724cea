"""The believed positions of joints: readings are smoothed so that a joint at rest stays at rest.

Joint positions are smoothed as the positions of objects are. A radian counts as the distance at the
end of a short lever. Without smoothing, the jitter of a drawer would shake its contents, and these
would never come to rest.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from spatial_reasoner.geometry.poses import IDENTITY
from spatial_reasoner.relations.steadiness import Smoother
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.tolerances.units import Numeric
from spatial_reasoner.values.roster import Roster

__all__ = ["Joints"]

Readings = Mapping[str, float]


_LEAST: Final[Numeric] = 1e-6
"""Metres and radians: a tolerance of zero counts as this, so that the lever is finite."""


class Joints:
    """The joints of all articulated objects, by the row of the roster."""

    def __init__(self, roster: Roster, tolerances: Tolerances) -> None:
        self._roster: Final = roster
        self._smoother: Final = Smoother(0, tolerances)
        self._lever: Final = max(tolerances.stirred, _LEAST) / max(tolerances.stirred_turn, _LEAST)
        self._numbers: Final[dict[tuple[int, str], int]] = {}

    def steady(self, now: float, read: Mapping[int, Readings]) -> dict[int, Readings]:
        """Smooths the joint positions that were read `now`; returns the believed ones, by row."""
        return {row: self._steady(now, row, each) for row, each in read.items()}

    def _steady(self, now: float, row: int, read: Readings) -> Readings:
        numbers = np.array([self._number(row, name) for name in read], dtype=np.intp)
        levers = np.array([self._lever_of(row, name) for name in read])
        poses = np.tile(IDENTITY, (len(read), 1))
        poses[:, 0] = np.array(list(read.values())) * levers
        self._smoother.smooth(now, numbers, poses)
        stands = self._smoother.poses[numbers, 0] / levers
        return dict(zip(read, stands.tolist(), strict=True))

    def _number(self, row: int, name: str) -> int:
        """The number of a joint; a new joint gets the next one."""
        if (row, name) not in self._numbers:
            self._numbers[row, name] = len(self._numbers)
            self._smoother.grow(rows=len(self._numbers))
        return self._numbers[row, name]

    def _lever_of(self, row: int, name: str) -> float:
        entity = self._roster.entities[row]
        slides = entity is not None and entity.articulated and name in entity.articulated.slides
        return 1.0 if slides else self._lever
