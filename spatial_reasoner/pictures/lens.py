"""A lens: from places in the world to places in a picture, and the directions of its points."""

from typing import Final

import numpy as np

from spatial_reasoner.dynamics.bullet import NEAR
from spatial_reasoner.geometry.poses import Floats, rotations
from spatial_reasoner.values.sight import Eye

__all__ = ["Lens"]


class Lens:
    """How an eye's picture comes about; places in it are x to the right and y down, in points."""

    def __init__(self, eye: Eye) -> None:
        self.eye: Final = eye
        self._turned: Final[Floats] = rotations(eye.pose)
        self._tall: Final[Floats] = np.tan(np.array(eye.fov) / 2)
        self._size: Final[Floats] = np.array([eye.width, eye.height], dtype=float)

    def shown(self, points: Floats) -> tuple[Floats, Floats]:
        """Where points (n, 3) show, (n, 2), and how far ahead they are; NaN for what is behind."""
        at = (points - self.eye.pose[:3]) @ self._turned
        ahead = np.where(at[:, 0] > NEAR, at[:, 0], np.nan)
        across = -at[:, 1:] / (ahead[:, None] * self._tall)
        return (across + 1) / 2 * self._size, ahead

    def size_at(self, length: float, ahead: float) -> float:
        """How long a length looks at some distance ahead, in points."""
        return float(length / (ahead * self._tall[1]) * self._size[1] / 2)

    def bearings(self) -> tuple[Floats, Floats]:
        """The azimuth and the elevation of all points, (height, width) each."""
        across, up = self._across()
        azimuth = np.broadcast_to(np.arctan(across), (len(up), len(across)))
        return azimuth, np.arctan2(up[:, None], np.hypot(1.0, across))

    def ways(self) -> Floats:
        """The way from the eye to the middle of each point, (height, width, 3), 1 m ahead."""
        across, up = self._across()
        ways = np.ones((len(up), len(across), 3))
        ways[..., 1], ways[..., 2] = across, up[:, None]
        turned: Floats = ways @ self._turned.T
        return turned

    def _across(self) -> tuple[Floats, Floats]:
        wide, high = (1 - (np.arange(n) + 0.5) * 2 / n for n in (self.eye.width, self.eye.height))
        return self._tall[0] * wide, self._tall[1] * high
