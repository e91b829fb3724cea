"""A renderer that uses TinyRenderer, which is part of Bullet: always available, and slow.

It loses dense meshes that are small in a picture. Close-ups are made by ray casting, whose cost
depends on the possible occluders of one object only, while that of a picture depends on all
objects. The ground is computed analytically, because TinyRenderer takes four times as long for it
as for fifty objects.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import rotations
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.sight.bullet_sight import BulletSight
from spatial_reasoner.sight.close_up_rays import close_up_masks
from spatial_reasoner.sight.close_ups import CloseUps, Masks
from spatial_reasoner.sight.ray_casting import down_to, met, ways_of
from spatial_reasoner.values.rendering import Eye, Picture, Scenery

__all__ = ["TinySight"]


class TinySight(BulletSight):
    """Renders with TinyRenderer."""

    name = "tiny"
    detail = 112
    closeness = 16

    def render(self, eye: Eye, scenery: Scenery) -> Picture:
        """The visible row at each pixel."""
        grounds = [row for row in scenery.rows.tolist() if _is_ground(scenery.shapes[row])]
        things = np.setdiff1d(scenery.rows, grounds) if grounds else scenery.rows
        self._bullet.arrange(replace(scenery, rows=things))
        picture, ahead = self._bullet.drawn(eye)
        for row in grounds:
            way = self._down_to(scenery, row, eye)
            picture[way < ahead] = row
            np.minimum(ahead, way, out=ahead)
        return picture

    def _down_to(self, scenery: Scenery, row: int, eye: Eye) -> Floats:
        """The depth of the ground in a row at each pixel, in metres."""
        shape, pose = scenery.shapes[row], scenery.poses[row]
        if shape is not None and (eye.pose[:3] - pose[:3]) @ rotations(pose)[:, 2] > 0:
            return down_to(shape, pose, eye)
        way = met(self._bullet, scenery, row, eye.pose[:3], ways_of(eye))
        return way.reshape(eye.height, eye.width)

    def close_ups(self, sceneries: Sequence[Scenery], close_ups: CloseUps) -> tuple[Masks, Masks]:
        """The masks of the row of each close-up, without and with occlusion."""
        return close_up_masks(sceneries, close_ups, self._rendered_close_ups)

    def _rendered_close_ups(
        self, sceneries: Sequence[Scenery], close_ups: CloseUps
    ) -> tuple[Masks, Masks]:
        """The same for close-ups with meshes in them, by rays in Bullet."""
        masks = np.zeros((2, len(close_ups.rows), close_ups.size**2), dtype=bool)
        for k, row in enumerate(close_ups.rows.tolist()):
            masks[:, k] = self._close_up(sceneries[close_ups.worlds[k]], close_ups, k, row)
        alone, shown = masks.reshape(2, -1, close_ups.size, close_ups.size)
        return alone, shown

    def _close_up(self, scenery: Scenery, close_ups: CloseUps, number: int, row: int) -> Masks:
        """The masks of one close-up, without and with occlusion: (2, pixels)."""
        eye, hiding = close_ups.eye(number), close_ups.hiding(number)
        self._bullet.arrange(scenery)
        ways, start = ways_of(eye), eye.pose[:3]
        own = met(self._bullet, scenery, row, start, ways)
        alone = np.isfinite(own)
        left = np.flatnonzero(alone)
        for other in hiding:
            if not left.size:
                break
            nearer = met(self._bullet, scenery, other, start, ways[left]) < own[left]
            left = left[~nearer]
        shown = np.zeros_like(alone)
        shown[left] = True
        return np.stack([alone, shown])


def _is_ground(shape: Shape | None) -> bool:
    return shape is not None and shape.kind == "plane"
