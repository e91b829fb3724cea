"""A renderer that casts a ray for each pixel: slow and simple, the reference for the others."""

from collections.abc import Sequence

import numpy as np

from spatial_reasoner.dynamics.bullet import FAR, NEAR
from spatial_reasoner.sight.bullet_sight import BulletSight
from spatial_reasoner.sight.close_ups import CloseUps, Masks
from spatial_reasoner.sight.ray_casting import ways_of
from spatial_reasoner.values.rendering import Eye, Picture, Scenery

__all__ = ["RaySight"]


class RaySight(BulletSight):
    """Renders by ray casting in Bullet."""

    name = "rays"
    detail = 80
    closeness = 32

    def render(self, eye: Eye, scenery: Scenery) -> Picture:
        """The visible row at each pixel."""
        self._bullet.arrange(scenery)
        return self._cast(eye, None)

    def close_ups(self, sceneries: Sequence[Scenery], close_ups: CloseUps) -> tuple[Masks, Masks]:
        """The masks of the row of each close-up, without and with occlusion."""
        masks = np.empty((2, len(close_ups.rows), close_ups.size, close_ups.size), dtype=bool)
        for k, row in enumerate(close_ups.rows.tolist()):
            eye = close_ups.eye(k)
            self._bullet.arrange(sceneries[close_ups.worlds[k]])
            masks[0, k] = self._cast(eye, [row]) == row
            masks[1, k] = self._cast(eye, [row, *close_ups.hiding(k)]) == row
        return masks[0], masks[1]

    def _cast(self, eye: Eye, rows: Sequence[int] | None) -> Picture:
        ways = ways_of(eye)
        found, _ = self._bullet.rays(eye.pose[:3] + NEAR * ways, eye.pose[:3] + FAR * ways, rows)
        return found.reshape(eye.height, eye.width)
