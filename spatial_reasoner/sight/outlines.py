"""Outlines: facets and bounding volumes of objects, from which expected pixel counts follow.

A mesh has the outline of its bounding box here, which is never too small.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import rotations
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.values.rendering import Scenery

__all__ = ["Outlines", "Outsides", "outlines"]

_SIDES: Final = 10
"""Facets around a cylinder."""
_FACETS: Final = _SIDES + 2
"""The greatest number of facets of a shape."""


@dataclass(frozen=True, slots=True, eq=False)
class Outsides:
    """The outsides of all rows of several worlds, in body frames: arrays (worlds, rows, ...).

    `centres` and `halves` are those of bounding boxes, and `radii` those of bounding spheres. A
    facet has a centre in `middles`, and a normal whose length is its area; unused facets are zero.
    `rounds` are spheres and cylinders.
    """

    centres: Floats
    halves: Floats
    radii: Floats
    middles: Floats
    normals: Floats
    balls: Flags
    meshes: Flags
    rounds: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """The outsides at their poses in several sceneries: arrays (sceneries, rows, ...).

    Rows that are not `there` have arbitrary poses. `turns` are rotation matrices.
    """

    outsides: Outsides
    there: Flags
    places: Floats
    turns: Floats
    centres: Floats
    """The centres of the bounding boxes in the world."""


def outlines(sceneries: Sequence[Scenery]) -> Outlines:
    """The outlines of sceneries, which must have equally many rows."""
    outsides = _stacked(tuple([tuple(scenery.shapes) for scenery in sceneries]))
    there = np.zeros(outsides.radii.shape, dtype=bool)
    for k, scenery in enumerate(sceneries):
        there[k, scenery.rows] = True
    poses = np.stack([scenery.poses for scenery in sceneries])
    places, turns = poses[..., :3], rotations(poses)
    centres = places + (turns @ outsides.centres[..., None])[..., 0]
    return Outlines(outsides, there, places, turns, centres)


@lru_cache(maxsize=64)
def _stacked(worlds: tuple[tuple[Shape | None, ...], ...]) -> Outsides:
    """The outsides of all rows of several worlds."""
    forms = [_outsides(shapes) for shapes in worlds]
    return Outsides(
        *(np.stack([getattr(one, each.name) for one in forms]) for each in fields(Outsides))
    )


@lru_cache(maxsize=64)
def _outsides(shapes: tuple[Shape | None, ...]) -> Outsides:
    """The outsides of one world: arrays (rows, ...)."""
    number = len(shapes)
    middles, normals = np.zeros((2, number, _FACETS, 3))
    centres, halves = np.zeros((2, number, 3))
    radii = np.zeros(number)
    for row, shape in enumerate(shapes):
        if shape is None:
            continue
        centres[row], halves[row] = shape.centre, shape.half
        radii[row] = shape.half[0] if shape.kind == "sphere" else shape.radius
        middles[row], normals[row] = _facets(shape)
    kinds = [shape.kind if shape else "" for shape in shapes]
    balls, tubes, meshes = (
        np.array([kind == one for kind in kinds]) for one in ("sphere", "cylinder", "mesh")
    )
    return Outsides(centres, halves, radii, middles, normals, balls, meshes, balls | tubes)


@lru_cache(maxsize=1024)
def _facets(shape: Shape) -> Floats:
    """The centres and the normals of a shape's facets: (2, _FACETS, 3).

    They are cached by shape, because only a moving door has a new shape in each frame.
    """
    found = np.zeros((2, _FACETS, 3))
    made = _tube(shape.half) if shape.kind == "cylinder" else _box(shape.half)
    found[:, : len(made[0])] = made
    found[0] += shape.centre
    return found


def _box(half: Floats) -> tuple[Floats, Floats]:
    directions = np.concatenate([np.eye(3), -np.eye(3)])
    areas = 4 * np.roll(half, 1) * np.roll(half, 2)
    return directions * half, directions * areas


def _tube(half: Floats) -> tuple[Floats, Floats]:
    radius, high = half[0], half[2]
    turn = np.arange(_SIDES) * 2 * np.pi / _SIDES
    out = np.stack([np.cos(turn), np.sin(turn), np.zeros(_SIDES)], -1)
    ends = np.array([[0, 0, 1.0], [0, 0, -1.0]])
    side = 2 * np.pi * radius * 2 * high / _SIDES
    middles = np.concatenate([out * radius, ends * high])
    return middles, np.concatenate([out * side, ends * np.pi * radius**2])
