"""Input and output of a simulation run: loose bodies, and fixed bodies with given motions."""

from dataclasses import dataclass

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Rows

__all__ = ["Fixed", "Loose"]


@dataclass(frozen=True, slots=True, eq=False)
class Loose:
    """Bodies that the simulation moves: rows (k), poses (k, 7), velocities (k, 6).

    A velocity is a twist in the world: linear in m/s, then angular in rad/s.
    """

    rows: Rows
    poses: Floats
    velocities: Floats

    @classmethod
    def still(cls, rows: Rows, poses: Floats) -> "Loose":
        """Bodies at rest."""
        return cls(rows, poses, np.zeros((len(rows), 6)))


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """Bodies with given motions: rows (k), from poses `begin` (k, 7) to poses `end` (k, 7)."""

    rows: Rows
    begin: Floats
    end: Floats

    @classmethod
    def still(cls, rows: Rows, poses: Floats) -> "Fixed":
        """Bodies that don't move."""
        return cls(rows, poses, poses)

    def joined(self, others: "Fixed") -> "Fixed":
        """These bodies and others."""
        return Fixed(
            np.concatenate((self.rows, others.rows)),
            np.concatenate((self.begin, others.begin)),
            np.concatenate((self.end, others.end)),
        )
