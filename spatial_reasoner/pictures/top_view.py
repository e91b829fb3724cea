"""The view from above: the area of ground that it covers, and the pose of its camera."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.poses import apply
from spatial_reasoner.pictures.picture_data import shown_rows
from spatial_reasoner.scene.scene import PARTS
from spatial_reasoner.values.rendering import Eye

__all__ = ["Ground", "below_heads", "eye_above", "grown"]

_STEP: Final = 0.5
"""Metres: the edges of the ground are multiples of this."""
_HEAD: Final = 0.35
"""Metres of ground around a head, at least."""
_LEVEL: Final = np.array([1.0, 1.0, 0.0])
_FIELD: Final = 0.3
"""The width of the view as a share of the camera's height: tall objects hardly lean."""
_HIGHEST: Final = 80.0
"""Metres: greatest height of the camera above the ground's contents."""
_LEAST: Final = 1.0
"""Metres: least width of the view."""
_DOWN: Final = np.array([-0.5, 0.5, 0.5, 0.5])
"""Looks down, with x to the right and y up in the picture."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A rectangle of ground in whole steps, and the height of what stands on it, in metres."""

    left: float
    right: float
    low: float
    high: float
    top: float


def grown(before: Ground | None, mind: Mind) -> Ground:
    """The ground, enlarged to everything that has a place in a mind; it never shrinks.

    So it seldom changes from picture to picture.
    """
    world = mind.world
    points = [np.zeros((0, 3))]
    for row in np.flatnonzero(shown_rows(mind)).tolist():
        shape = world.shapes[row]
        if shape is not None and shape.kind != "plane":
            points.append(apply(world.pose[row], shape.corners))
    for pose in world.pose[_heads(mind)]:
        points.append(np.stack([pose[:3] + _HEAD * _LEVEL, pose[:3] - _HEAD * _LEVEL]))
    if before is not None:
        points.append(np.array([[before.left, before.low, before.top],
                                [before.right, before.high, before.top]]))  # fmt: skip
    every = np.concatenate(points) if len(points) > 1 else np.zeros((1, 3))
    low, high = np.floor(every.min(axis=0) / _STEP), np.ceil(every.max(axis=0) / _STEP)
    edges = _STEP * np.array([low[0], high[0], low[1], high[1], high[2]])
    return Ground(*edges.tolist())


def eye_above(ground: Ground, width: int, height: int) -> Eye:
    """The camera that looks down at all of a ground."""
    wide = max(ground.right - ground.left, _LEAST) * 1.06
    deep = max(ground.high - ground.low, _LEAST) * 1.06
    wide, deep = max(wide, deep * width / height), max(deep, wide * height / width)
    up = min(max(wide, deep) / _FIELD, _HIGHEST)
    fov = tuple(float(2 * np.arctan(side / 2 / up)) for side in (wide, deep))
    middle = [(ground.left + ground.right) / 2, (ground.low + ground.high) / 2, ground.top + up]
    return Eye(np.concatenate([middle, _DOWN]), (fov[0], fov[1]), width, height)


def below_heads(mind: Mind) -> Flags:
    """The objects that do not start above all heads: a ceiling would hide the rest."""
    heads = mind.world.pose[_heads(mind), 2]
    below = shown_rows(mind)
    if not len(heads):
        return below
    for row in np.flatnonzero(below).tolist():
        shape = mind.world.shapes[row]
        if shape is not None:
            below[row] = _lowest(mind.world.pose[row], shape.corners) <= heads.max()
    return below


def _lowest(pose: Floats, corners: Floats) -> float:
    return float(apply(pose, corners)[:, 2].min())


def _heads(mind: Mind) -> Rows:
    """The rows of the heads with a known place."""
    roster = mind.roster
    rows = np.array([roster.part(one.name, PARTS[0]) for one in roster.agents], dtype=np.intp)
    return rows[mind.world.placed[rows]]
