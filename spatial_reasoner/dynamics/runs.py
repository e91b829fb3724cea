"""What goes into a run of physics, and what comes out: those who are moved by it, and by others."""

from dataclasses import dataclass

import numpy as np

from spatial_reasoner.geometry.polygons import Rows
from spatial_reasoner.geometry.poses import Floats

__all__ = ["Fixed", "Loose"]


@dataclass(frozen=True, slots=True, eq=False)
class Loose:
    """Bodies that physics moves: (k) rows, (k, 7) poses, (k, 6) velocities, turning ones last."""

    rows: Rows
    poses: Floats
    velocities: Floats

    @classmethod
    def still(cls, rows: Rows, poses: Floats) -> "Loose":
        """Bodies that don't move yet."""
        return cls(rows, poses, np.zeros((len(rows), 6)))


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """Bodies that go where they are said to go: (k) rows, from (k, 7) poses to (k, 7) others."""

    rows: Rows
    begin: Floats
    end: Floats

    @classmethod
    def still(cls, rows: Rows, poses: Floats) -> "Fixed":
        """Bodies that stay."""
        return cls(rows, poses, poses)

    def joined(self, others: "Fixed") -> "Fixed":
        """These and others."""
        return Fixed(
            np.concatenate((self.rows, others.rows)),
            np.concatenate((self.begin, others.begin)),
            np.concatenate((self.end, others.end)),
        )
