"""Reliefs: what a body shows to the sky, where something could lie on it.

A mesh has tops at many heights, such as the seat of a chair or the boards of a shelf, so what is
under a point is asked of its triangles.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.polygons import Rows
from spatial_reasoner.geometry.poses import Floats

__all__ = ["Relief", "relief"]

_FLAT: Final = 0.5
"""A face that leans by more than 60° is a side and no top."""


@dataclass(frozen=True, slots=True, eq=False)
class Relief:
    """The faces of a body that look upward, as they lie in the world."""

    first: Floats
    """A corner of each, (f, 3)."""
    low: Floats
    high: Floats
    """The box about each, on the ground: (f, 2)."""
    shares: Floats
    """(f, 2, 2): from a place relative to `first` to its shares in the two sides there."""
    rise: Floats
    """(f, 2): how much the two sides rise."""

    def under(self, points: Floats) -> tuple[Rows, Floats]:
        """What is exactly above or below points (k, 2): which point, and how high."""
        at = points[:, None]
        point, face = np.nonzero(((at >= self.low) & (at <= self.high)).all(axis=2))
        away = points[point] - self.first[face, :2]
        share = np.einsum("kij,kj->ki", self.shares[face], away)
        within = (share.min(axis=1) >= -1e-9) & (share.sum(axis=1) <= 1 + 1e-9)
        height = self.first[face, 2] + np.sum(share * self.rise[face], axis=1)
        return point[within], height[within]


def relief(vertices: Floats, faces: Rows) -> Relief:
    """The relief of a surface whose vertices are given in the world."""
    first = vertices[faces[:, 0]]
    one, other = vertices[faces[:, 1]] - first, vertices[faces[:, 2]] - first
    normal = np.cross(one, other)
    length = np.sqrt(np.sum(normal * normal, axis=1))
    up = (normal[:, 2] > _FLAT * length) & (length > 1e-12)
    first, one, other, area = first[up], one[up], other[up], normal[up, 2]
    corners = np.stack([first, first + one, first + other], axis=1)[..., :2]
    shares = np.empty((len(first), 2, 2))
    shares[:, 0, 0], shares[:, 0, 1] = other[:, 1] / area, -other[:, 0] / area
    shares[:, 1, 0], shares[:, 1, 1] = -one[:, 1] / area, one[:, 0] / area
    rise = np.stack([one[:, 2], other[:, 2]], axis=1)
    return Relief(first, corners.min(axis=1), corners.max(axis=1), shares, rise)
