"""Points of interest: which of a thing's points are in a field of view, and which of them are seen.

A ray goes to each point. What stands in the way hides it: another thing, or the thing's own body
when the point is at its back. Meshes are asked of Bullet, all else is reckoned here.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.bullet import Bullet
from spatial_reasoner.poses import Floats, Pose, apply, inverse
from spatial_reasoner.ray_casting import met
from spatial_reasoner.sight import Scenery
from spatial_reasoner.windows import Field, bearings

__all__ = ["PointsSeen", "points_seen", "points_shown"]

_OWN: Final = 0.01
"""A point may lie so deep in its thing's own body: tags are stuck on, and bodies are simplified."""
_TOUCHING: Final = 0.005
"""What is so near to a point touches it, and hides it no more than the point's own thing does."""
_FIRST: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class PointsSeen:
    """For each point, whether it is in view, and whether something stands in front of it."""

    in_view: NDArray[np.bool_]
    blocked: NDArray[np.bool_]


def points_shown(
    bullet: Bullet,
    eye: Pose,
    fov: tuple[float, float],
    points: Floats,
    scenery: Scenery,
    row: int,
    transparent: NDArray[np.bool_] | None = None,
) -> NDArray[np.bool_]:
    """Which points (n, 3) of a row, in its own frame, are in view with nothing in front."""
    seen = points_seen(bullet, eye, fov, points, scenery, row, transparent)
    return seen.in_view & ~seen.blocked


def points_seen(
    bullet: Bullet,
    eye: Pose,
    fov: tuple[float, float],
    points: Floats,
    scenery: Scenery,
    row: int,
    transparent: NDArray[np.bool_] | None = None,
) -> PointsSeen:
    """The same, told apart; what is `transparent`, by row, hides nothing."""
    placed = apply(scenery.poses[row], np.asarray(points, dtype=np.float64).reshape(-1, 3))
    in_view = Field.of(fov, 0.0).inside(*bearings(apply(inverse(eye), placed)))
    blocked = np.zeros(len(placed), dtype=bool)
    ways = placed - eye[:3]
    lengths = np.maximum(np.linalg.norm(ways, axis=1), 1e-9)
    bullet.arrange(scenery)
    for other in _near(eye[:3], placed, scenery):
        if transparent is None or not transparent[other]:
            spared = (_OWN if other == row else _TOUCHING) / lengths
            share = met(bullet, scenery, other, eye[:3], ways, (_FIRST, 1.0))
            blocked |= share < 1.0 - spared
    return PointsSeen(in_view, blocked)


def _near(start: Floats, points: Floats, scenery: Scenery) -> list[int]:
    """The rows whose balls come into the way from a place to any of the points."""
    rows = [row for row in scenery.rows.tolist() if scenery.shapes[row] is not None]
    shapes = [shape for row in rows if (shape := scenery.shapes[row]) is not None]
    if not rows or not len(points):
        return []
    radii = np.array([shape.radius for shape in shapes])
    middles = np.array(
        [apply(scenery.poses[row], s.centre) for row, s in zip(rows, shapes, strict=True)]
    )
    ways = points - start
    along = (middles - start) @ ways.T / np.maximum((ways**2).sum(axis=1), 1e-18)
    nearest = start + np.clip(along, 0.0, 1.0)[:, :, None] * ways
    apart = np.linalg.norm(middles[:, None] - nearest, axis=2).min(axis=1)
    return [row for row, so in zip(rows, (apart <= radii).tolist(), strict=True) if so]
