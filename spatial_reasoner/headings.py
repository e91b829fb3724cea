"""Headings: where things lie, seen from heads, and how large they would show, before any drawing.

A convex thing's area in a picture is that of its facets that face the eye, each projected from its
middle; a ball's is exact. That is good to a few percent while a thing is small beside its distance;
larger ones are looked at instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.outlines import Outlines
from spatial_reasoner.poses import Floats, rotations
from spatial_reasoner.windows import TURNED_KEPT, VIEW, Window, bearings, held

__all__ = ["Headings", "headings"]

_WIDEST: Final = 1.0
"""Half the angle that a glance can take in; about 57°."""
_LARGE: Final = 0.5
"""Half the angle from which on an outline is told too roughly; about 29°."""
_MANY: Final = 1000
"""So many points are enough for a rough count of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Headings:
    """Where rows lie, seen from eyes: arrays (eyes, rows).

    `width` is half the angle that a row's ball spans. `some`, `whole` and `middle` (eyes, 6,
    rows) say whether part of the ball, all of it, or its middle is in each field of the eye's
    window, whose `extents` are (eyes, 3, 6). `points` is how
    many points of a picture a row would show, inf where that can't be told.
    """

    axes: Floats
    """Of the eyes: forward, left and up are the columns of (eyes, 3, 3)."""
    azimuth: Floats
    elevation: Floats
    distance: Floats
    width: Floats
    extents: Floats
    some: NDArray[np.bool_]
    whole: NDArray[np.bool_]
    middle: NDArray[np.bool_]
    points: Floats
    yaw: Floats
    """Of the panel that the middle of a row is in."""
    rough: NDArray[np.bool_]
    """Whether `points` is too rough to go by, or what is in the fields is only part of them."""
    wide: NDArray[np.bool_]
    """Whether it may be seen, and a glance is not for it: it is too wide, or large and simple."""

    def of(self, eyes: Sequence[int]) -> "Headings":
        """Those of some of the eyes."""
        chosen = list(eyes)
        if len(chosen) == len(self.yaw):
            return self
        return Headings(*(getattr(self, one.name)[chosen] for one in fields(self)))


def headings(about: Outlines, eyes: Floats, windows: Sequence[Window]) -> Headings:
    """Where all lies, seen from eyes, each with its window and the outlines of what it looks at."""
    axes = rotations(eyes)
    offsets = (about.centres - eyes[:, None, :3]) @ axes
    distance = np.maximum(np.sqrt(np.einsum("erk,erk->er", offsets, offsets)), 1e-9)
    azimuth, elevation = bearings(offsets)
    sine = np.minimum(about.radii / distance, 1.0)
    width = np.where(sine < 1.0, np.arcsin(sine), np.pi)
    level = np.cos(elevation)
    beyond = sine >= level
    side = np.where(beyond, np.pi, np.arcsin(np.where(beyond, 1.0, sine / level)))
    extents = np.stack([one.extents for one in windows])
    wide, high = np.array([(-side, side), (-width, width)])
    at = extents.swapaxes(0, 1)[..., None], azimuth[:, None], elevation[:, None]
    some, whole = held(*at, wide[:, :, None], high[:, :, None]) & about.there[:, None]
    middle = held(*at)
    yaw = np.stack([one.nearest(line) for one, line in zip(windows, azimuth, strict=True)])
    points = _points(about, eyes, axes, yaw, offsets, distance, windows)
    rough = (width > _LARGE) | (some & ~whole)[:, VIEW:].any(axis=1)
    simple = rough & (points > _MANY) & ~about.meshes
    return Headings(
        axes,
        azimuth,
        elevation,
        distance,
        width,
        extents=extents,
        some=some,
        whole=whole,
        middle=middle,
        points=points,
        yaw=yaw,
        rough=rough,
        wide=some[:, TURNED_KEPT] & ((width > _WIDEST) | simple),
    )


def _points(
    about: Outlines,
    eyes: Floats,
    axes: Floats,
    yaw: Floats,
    offsets: Floats,
    distance: Floats,
    windows: Sequence[Window],
) -> Floats:
    """How many points each would show, in the panel that its middle is in."""
    ahead = np.stack([np.cos(yaw), np.sin(yaw), np.zeros_like(yaw)], axis=-1)
    forward = ahead @ axes.swapaxes(1, 2)
    ways = about.middles - eyes[:, None, None, :3]
    depth = (ways @ forward[..., None])[..., 0]
    facing = np.maximum(-np.einsum("erfk,erfk->erf", about.normals, ways), 0.0)
    before = depth > 1e-3
    area = np.sum(facing / np.where(before, depth, 1.0) ** 3, axis=-1)
    area[(~before & (facing > 0)).any(axis=-1)] = np.inf
    square = np.einsum("erk,erk->er", ahead, offsets) ** 2 - about.radii**2
    clear = square > 1e-6
    tangent = np.sqrt(np.maximum(distance**2 - about.radii**2, 0.0))
    disc = np.pi * about.radii**2 * tangent / np.where(clear, square, 1.0) ** 1.5
    density = np.array([[one.density**2] for one in windows])
    points: Floats = density * np.where(about.balls, np.where(clear, disc, np.inf), area)
    return points
