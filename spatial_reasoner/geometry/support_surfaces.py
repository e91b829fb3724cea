"""The support surfaces of a mesh: its upward faces.

A mesh has support surfaces at many heights, such as the seat of a chair or the boards of a shelf,
so the height under a point is computed from its triangles.
"""

from dataclasses import dataclass

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Rows

__all__ = ["SupportSurfaces", "relief"]


@dataclass(frozen=True, slots=True, eq=False)
class SupportSurfaces:
    """The upward faces of a body in the world."""

    first: Floats
    """One corner of each face, (f, 3)."""
    low: Floats
    high: Floats
    """The bounding rectangle of each face on the ground, (f, 2)."""
    shares: Floats
    """Matrices (f, 2, 2) from a position relative to `first` to its barycentric coordinates."""
    rise: Floats
    """The height differences along the two sides at `first`, (f, 2)."""

    def under(self, points: Floats) -> tuple[Rows, Floats]:
        """The heights of all faces at points (k, 2): the index of the point, and the height."""
        at = points[:, None]
        point, face = np.nonzero(((at >= self.low) & (at <= self.high)).all(axis=2))
        away = points[point] - self.first[face, :2]
        share = np.einsum("kij,kj->ki", self.shares[face], away)
        within = (share.min(axis=1) >= -1e-9) & (share.sum(axis=1) <= 1 + 1e-9)
        height = self.first[face, 2] + np.sum(share * self.rise[face], axis=1)
        return point[within], height[within]


def relief(vertices: Floats, faces: Rows, upward: float) -> SupportSurfaces:
    """The relief of a surface; its vertices are in the world frame.

    A face whose unit normal has at most the height `upward` is a side, and supports nothing.
    """
    first = vertices[faces[:, 0]]
    one, other = vertices[faces[:, 1]] - first, vertices[faces[:, 2]] - first
    normal = np.cross(one, other)
    length = np.sqrt(np.sum(normal * normal, axis=1))
    up = (normal[:, 2] > upward * length) & (length > 1e-12)
    first, one, other, area = first[up], one[up], other[up], normal[up, 2]
    corners = np.stack([first, first + one, first + other], axis=1)[..., :2]
    shares = np.empty((len(first), 2, 2))
    shares[:, 0, 0], shares[:, 0, 1] = other[:, 1] / area, -other[:, 0] / area
    shares[:, 1, 0], shares[:, 1, 1] = -one[:, 1] / area, one[:, 0] / area
    rise = np.stack([one[:, 2], other[:, 2]], axis=1)
    return SupportSurfaces(first, corners.min(axis=1), corners.max(axis=1), shares, rise)
