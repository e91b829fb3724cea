"""Pictures by TinyRenderer, which comes with Bullet: always to be had, and slow.

It loses dense meshes that are small in a picture, as any picture does. Glances are made of rays:
they cost by what stands in the way of one thing only, a picture by all that there is.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial_reasoner.bullet import Bullet
from spatial_reasoner.glances import Glances, Masks
from spatial_reasoner.ray_casting import met, ways_of
from spatial_reasoner.sight import Eye, Picture, Scenery

__all__ = ["TinySight"]


class TinySight:
    """Draws with TinyRenderer, in a Bullet of its own unless it is given one to share."""

    name = "tiny"
    detail = 112
    closeness = 16

    def __init__(self, bullet: Bullet | None = None) -> None:
        self._own: Final = bullet is None
        self._bullet: Final = bullet or Bullet()

    def close(self) -> None:
        """Gives back what it holds; a Bullet that it was given stays open."""
        if self._own:
            self._bullet.close()

    def look(self, eye: Eye, scenery: Scenery) -> Picture:
        """Which row shows at each point; what is in front hides what is behind."""
        self._bullet.arrange(scenery)
        return self._bullet.picture(eye)

    def glances(self, sceneries: Sequence[Scenery], glances: Glances) -> tuple[Masks, Masks]:
        """Where the row of each glance would show with nothing in front, and where it shows."""
        masks = np.empty((2, len(glances.rows), glances.size**2), dtype=bool)
        for k, row in enumerate(glances.rows.tolist()):
            eye, scenery = glances.eye(k), sceneries[glances.worlds[k]]
            self._bullet.arrange(scenery)
            ways, start = ways_of(eye), eye.pose[:3]
            own = met(self._bullet, scenery, row, start, ways)
            masks[:, k] = np.isfinite(own)
            for other in glances.hiding(k):
                left = np.flatnonzero(masks[1, k])
                nearer = met(self._bullet, scenery, other, start, ways[left]) < own[left]
                masks[1, k, left[nearer]] = False
        alone, shown = masks.reshape(2, -1, glances.size, glances.size)
        return alone, shown
