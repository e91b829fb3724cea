"""Outlines: what is to be known of things' forms to tell how large they would show.

A mesh has the outline of its box here, which is never too small.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.poses import Floats, rotations
from spatial_reasoner.shapes import Shape
from spatial_reasoner.sight import Scenery

__all__ = ["Outlines", "outlines"]

_SIDES: Final = 10
_FACETS: Final = _SIDES + 2


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """Of all rows of several sceneries, in the world: arrays (sceneries, rows, ...).

    `centres` and `radii` are of balls that hold them; facets have a middle, and a normal as long as
    their area. What is not `there` has zeros.
    """

    there: NDArray[np.bool_]
    centres: Floats
    radii: Floats
    middles: Floats
    normals: Floats
    corners: Floats
    """The eight of each one's own box."""
    balls: NDArray[np.bool_]
    meshes: NDArray[np.bool_]

    def of(self, chosen: Sequence[int]) -> "Outlines":
        """Those of some of the sceneries, which may repeat."""
        which = list(chosen)
        if which == list(range(len(self.there))):
            return self
        return Outlines(*(getattr(self, one.name)[which] for one in fields(self)))


def outlines(sceneries: Sequence[Scenery]) -> Outlines:
    """The outlines of all that sceneries of equally many rows have."""
    forms = _stacked(tuple([tuple(scenery.shapes) for scenery in sceneries]))
    there = np.zeros(forms.radii.shape, dtype=bool)
    poses = np.zeros((*there.shape, 7))
    for k, scenery in enumerate(sceneries):
        there[k, scenery.rows] = True
        poses[k, scenery.rows] = scenery.poses[scenery.rows]
    turned, place = rotations(poses).swapaxes(-1, -2), poses[..., None, :3]
    corners = forms.corners @ turned + place
    return Outlines(
        there,
        centres=(corners[..., 0, :] + corners[..., 7, :]) / 2,
        radii=forms.radii,
        middles=forms.middles @ turned + place,
        normals=forms.normals @ turned,
        corners=corners,
        balls=forms.balls,
        meshes=forms.meshes,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Forms:
    """Of all rows, each in the frame of its body."""

    middles: Floats
    normals: Floats
    corners: Floats
    radii: Floats
    balls: NDArray[np.bool_]
    meshes: NDArray[np.bool_]


_SIGNS: Final[Floats] = np.array([[x, y, z] for z in (-1.0, 1) for y in (-1, 1) for x in (-1, 1)])


@lru_cache(maxsize=64)
def _stacked(worlds: tuple[tuple[Shape | None, ...], ...]) -> _Forms:
    """The forms of all rows of several worlds: (worlds, rows, ...)."""
    forms = [_forms(shapes) for shapes in worlds]
    return _Forms(
        *(np.stack([getattr(one, each.name) for one in forms]) for each in fields(_Forms))
    )


@lru_cache(maxsize=64)
def _forms(shapes: tuple[Shape | None, ...]) -> _Forms:
    number = len(shapes)
    middles, normals = np.zeros((2, number, _FACETS, 3))
    corners, radii = np.zeros((number, 8, 3)), np.zeros(number)
    for row, shape in enumerate(shapes):
        if shape is None:
            continue
        corners[row] = shape.centre + _SIGNS * shape.half
        radii[row] = shape.half[0] if shape.kind == "sphere" else shape.radius
        made = _tube(shape.half) if shape.kind == "cylinder" else _box(shape.half)
        middles[row, : len(made[0])], normals[row, : len(made[1])] = made
        middles[row] += shape.centre
    kinds = [shape.kind if shape else "" for shape in shapes]
    balls, meshes = (np.array([kind == one for kind in kinds]) for one in ("sphere", "mesh"))
    return _Forms(middles, normals, corners, radii, balls, meshes)


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
