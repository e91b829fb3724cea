"""Projection: from places in the world to pixels, and from pixels to directions."""

from typing import Final

import numpy as np

from spatial_reasoner.dynamics.bullet import NEAR
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import rotations
from spatial_reasoner.values.rendering import Eye

__all__ = ["Projection"]


class Projection:
    """The projection of a camera; pixel coordinates are x to the right and y down."""

    def __init__(self, eye: Eye) -> None:
        self.eye: Final = eye
        self._turned: Final[Floats] = rotations(eye.pose)
        self._tall: Final[Floats] = np.tan(np.array(eye.fov) / 2)
        self._size: Final[Floats] = np.array([eye.width, eye.height], dtype=float)

    def shown(self, points: Floats) -> tuple[Floats, Floats]:
        """The pixels (n, 2) of points (n, 3), and their depths in metres; NaN for points behind."""
        at = (points - self.eye.pose[:3]) @ self._turned
        ahead = np.where(at[:, 0] > NEAR, at[:, 0], np.nan)
        across = -at[:, 1:] / (ahead[:, None] * self._tall)
        return (across + 1) / 2 * self._size, ahead

    def size_at(self, length: float, ahead: float) -> float:
        """The size of a length at a depth, in pixels."""
        return float(length / (ahead * self._tall[1]) * self._size[1] / 2)

    def bearings(self) -> tuple[Floats, Floats]:
        """The azimuth and the elevation of all pixels in radians, (height, width) each."""
        across, up = self._across()
        azimuth = np.broadcast_to(np.arctan(across), (len(up), len(across)))
        return azimuth, np.arctan2(up[:, None], np.hypot(1.0, across))

    def ways(self) -> Floats:
        """The direction from the camera through each pixel, (height, width, 3), at a depth of 1
        m."""
        across, up = self._across()
        ways = np.ones((len(up), len(across), 3))
        ways[..., 1], ways[..., 2] = across, up[:, None]
        turned: Floats = ways @ self._turned.T
        return turned

    def _across(self) -> tuple[Floats, Floats]:
        wide, high = (1 - (np.arange(n) + 0.5) * 2 / n for n in (self.eye.width, self.eye.height))
        return self._tall[0] * wide, self._tall[1] * high
