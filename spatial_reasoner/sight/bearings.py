"""Bearings: azimuth, elevation and expected pixel count of each object for each head.

They are computed without rendering. The projected area of a convex object is the sum over the
facets that face the eye, each projected from its centre; that of a sphere is exact. The error is a
few percent while an object is small compared with its distance; larger objects are rendered.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from math import asin, atan2, cos, inf, pi, sin, sqrt, tan
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.poses import rotations
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.sight.fields_of_view import HALF, SWEEP, TALL, TURNED_KEPT, VIEW, EyeFields
from spatial_reasoner.sight.outlines import Outlines
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["Bearings", "object_bearings"]

_WIDEST: Final[Numeric] = 1.0
"""Radians: the greatest half angle of an object that a close-up can cover; about 57°."""
_LARGE: Final[Numeric] = 0.5
"""Radians: from this half angle on, the expected pixel count is too rough; about 29°."""
_MANY: Final = 1000
"""Pixels that suffice for counting by coarse ray casting."""
_NEAREST: Final[Numeric] = 1e-9
"""Metres: a tolerance against division by zero."""
_BEFORE: Final[Numeric] = 1e-3
"""Metres: the least depth of a facet's centre."""
_CLEAR: Final[Numeric] = 1e-6
"""m²: a sphere that comes nearer to the plane of the eye has no finite picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Bearings:
    """The directions of rows as seen from eyes: arrays (eyes, rows), angles in radians.

    `width` is half the angle that a row's bounding sphere spans. `some`, `whole` and `middle`
    (eyes, 6, rows) are whether part of the sphere, all of it, or its centre is in each field of the
    eye's window, whose `extents` are (eyes, 3, 6). `points` is the expected number of pixels
    without occlusion, inf if unknown. For rows outside all fields, `points`, `yaw`, `rough` and
    `wide` are not computed.
    """

    axes: Floats
    """The axes of the eyes: forward, left and up are the columns of (eyes, 3, 3)."""
    density: Floats
    """The pixel densities of their windows (eyes)."""
    extents: Floats
    azimuth: Floats
    elevation: Floats
    distance: Floats
    width: Floats
    points: Floats
    yaw: Floats
    """The yaw of the panel in which the centre of a row lies."""
    some: Flags
    whole: Flags
    middle: Flags
    rough: Flags
    """Whether `points` is too rough, or the row crosses the edge of a field."""
    wide: Flags
    """Whether a close-up does not suit a row: it is too wide, or large and of simple shape."""

    def of(self, eyes: Sequence[int]) -> "Bearings":
        """The bearings for some of the eyes."""
        chosen = list(eyes)
        if chosen == list(range(len(self.yaw))):
            return self
        return Bearings(*(getattr(self, one.name)[chosen] for one in fields(self)))


def object_bearings(
    about: Outlines, eyes: Floats, worlds: Rows, windows: Sequence[EyeFields]
) -> Bearings:
    """The bearings of all rows for eyes (e, 7), each with its window and the world it sees."""
    outsides, shape = about.outsides, (len(eyes), about.there.shape[1])
    axes = rotations(eyes)
    density, extents, yaws = _together(tuple(windows))
    azimuth, elevation, distance, width, points, yaw = np.zeros((6, *shape))
    some, whole, middle = np.zeros((3, shape[0], 6, shape[1]), dtype=bool)
    rough, wide = np.zeros((2, *shape), dtype=bool)
    places = np.ascontiguousarray(eyes[:, :3])
    _lie(
        places, axes, worlds, about.there, about.centres, outsides.radii, extents,
        azimuth, elevation, distance, width, some, whole, middle,
    )  # fmt: skip
    _show(
        places, axes, worlds, yaws, density, about.places, about.turns, about.centres,
        outsides.radii, outsides.middles, outsides.normals, outsides.balls, outsides.meshes,
        azimuth, distance, width, some, whole, points, yaw, rough, wide,
    )  # fmt: skip
    return Bearings(
        axes, density, extents, azimuth, elevation, distance, width, points, yaw,
        some, whole, middle, rough, wide,
    )  # fmt: skip


@lru_cache(maxsize=64)
def _together(windows: tuple[EyeFields, ...]) -> tuple[Floats, Floats, Floats]:
    """The densities, extents and panel yaws of windows.

    Rows of yaws are padded to equal length with the last panel.
    """
    most = max(len(one.panels) for one in windows)
    lines = [[panel.yaw for panel in one.panels] for one in windows]
    return (
        np.array([one.density for one in windows]),
        np.stack([one.extents for one in windows]),
        np.array([line + line[-1:] * (most - len(line)) for line in lines]),
    )


@compiled(
    "void(f8[:,:], f8[:,:,:], i8[:], b1[:,:], f8[:,:,:], f8[:,:], f8[:,:,:], f8[:,:], f8[:,:],"
    " f8[:,:], f8[:,:], b1[:,:,:], b1[:,:,:], b1[:,:,:])"
)
def _lie(
    eyes: Floats,
    axes: Floats,
    worlds: Rows,
    there: Flags,
    centres: Floats,
    radii: Floats,
    extents: Floats,
    azimuths: Floats,
    elevations: Floats,
    distances: Floats,
    widths: Floats,
    some: Flags,
    whole: Flags,
    middle: Flags,
) -> None:
    """Sets azimuths, elevations, distances and widths of objects, and in which fields they are.

    Fields are frusta around +x, swept to both sides, as in `fields_of_view.held`.
    """
    for e in range(len(eyes)):
        w = worlds[e]
        for r in range(there.shape[1]):
            if not there[w, r]:
                continue
            x = y = z = 0.0
            for k in range(3):
                away = centres[w, r, k] - eyes[e, k]
                x += away * axes[e, k, 0]
                y += away * axes[e, k, 1]
                z += away * axes[e, k, 2]
            # Half angles of a sphere: asin(r / d), and in azimuth asin(r / (d cos elevation))
            level = sqrt(x * x + y * y)
            distance = max(sqrt(level * level + z * z), _NEAREST)
            azimuth, elevation = atan2(y, x), atan2(z, level)
            sine = radii[w, r] / distance
            width = asin(sine) if sine < 1.0 else pi
            azimuths[e, r], elevations[e, r] = azimuth, elevation
            distances[e, r], widths[e, r] = distance, width
            share = sine * distance / max(level, _NEAREST)
            side = asin(share) if share < 1.0 else pi
            # Some, whole and middle: the sphere shrunk, grown, or without extent
            for inside, sign in ((some, -1.0), (whole, 1.0), (middle, 0.0)):
                wide, high = sign * side, sign * width
                aside = max(abs(azimuth) + wide, 0.0)
                rise = tan(min(max(abs(elevation) + high, 0.0), pi / 2))
                ahead, swept = cos(min(aside, pi / 2)), 0.0
                for field in range(6):
                    if extents[e, SWEEP, field] != swept:
                        swept = extents[e, SWEEP, field]
                        ahead = cos(min(max(aside - swept, 0.0), pi / 2))
                    is_in = aside <= extents[e, HALF, field]
                    inside[e, field, r] = is_in and rise <= extents[e, TALL, field] * ahead


@compiled("f8(f8[:], f8[:], f8[:], f8, f8)")
def _ball_area(eye: Floats, centre: Floats, forward: Floats, radius: float, away: float) -> float:
    """The area (m²) of a sphere on the picture plane at 1 m; inf if it reaches behind the eye."""
    depth = 0.0
    for k in range(3):
        depth += (centre[k] - eye[k]) * forward[k]
    # The picture is an ellipse with the area π r² √(d² − r²) / (z² − r²)^(3/2), z being the depth.
    square = depth * depth - radius * radius
    if square <= _CLEAR:
        return inf
    tangent = sqrt(max(away * away - radius * radius, 0.0))
    return pi * radius * radius * tangent / (square * sqrt(square))


@compiled("f8(f8[:], f8[:], f8[:,:], f8[:], f8[:,:], f8[:,:])")
def _facet_area(
    eye: Floats, place: Floats, turn: Floats, forward: Floats, middles: Floats, normals: Floats
) -> float:
    """The same for all facets of a body that face the eye."""
    here, ahead = np.empty(3), np.empty(3)
    for k in range(3):  # into the frame of the body, in which its facets are
        ahead[k] = here[k] = 0.0
        for i in range(3):
            ahead[k] += turn[i, k] * forward[i]
            here[k] += turn[i, k] * (eye[i] - place[i])
    # A facet with the area vector n at the offset w from the eye projects to −(n · w) / z³.
    area = 0.0
    for facet in range(len(middles)):
        facing = depth = 0.0
        for k in range(3):
            way = middles[facet, k] - here[k]
            facing -= normals[facet, k] * way
            depth += ahead[k] * way
        if facing > 0.0:
            area += facing / (depth * depth * depth) if depth > _BEFORE else inf
    return area


@compiled(
    "void(f8[:,:], f8[:,:,:], i8[:], f8[:,:], f8[:], f8[:,:,:], f8[:,:,:,:],"
    " f8[:,:,:], f8[:,:], f8[:,:,:,:], f8[:,:,:,:], b1[:,:], b1[:,:], f8[:,:], f8[:,:], f8[:,:],"
    " b1[:,:,:], b1[:,:,:], f8[:,:], f8[:,:], b1[:,:], b1[:,:])"
)
def _show(
    eyes: Floats,
    axes: Floats,
    worlds: Rows,
    yaws: Floats,
    density: Floats,
    places: Floats,
    turns: Floats,
    centres: Floats,
    radii: Floats,
    middles: Floats,
    normals: Floats,
    balls: Flags,
    meshes: Flags,
    azimuths: Floats,
    distances: Floats,
    widths: Floats,
    some: Flags,
    whole: Flags,
    counts: Floats,
    panels: Floats,
    rough: Flags,
    wide: Flags,
) -> None:
    """Sets the expected pixel count and the panel of each row that is in some field."""
    forward = np.empty(3)
    for e in range(len(eyes)):
        w = worlds[e]
        for r in range(balls.shape[1]):
            if not some[e, TURNED_KEPT, r]:
                continue
            # 1. The panel whose yaw is nearest to the azimuth, and its forward axis
            azimuth, distance, width = azimuths[e, r], distances[e, r], widths[e, r]
            yaw = yaws[e, 0]
            for other in yaws[e]:
                if abs(azimuth - other) < abs(azimuth - yaw):
                    yaw = other
            for k in range(3):
                forward[k] = axes[e, k, 0] * cos(yaw) + axes[e, k, 1] * sin(yaw)
            if balls[w, r]:
                area = _ball_area(eyes[e], centres[w, r], forward, radii[w, r], distance)
            else:
                area = _facet_area(
                    eyes[e], places[w, r], turns[w, r], forward, middles[w, r], normals[w, r]
                )
            # 2. Pixels = (pixels per m)² · area at 1 m; 3. whether they are precise enough
            points = density[e] * density[e] * area
            counts[e, r], panels[e, r] = points, yaw
            crosses = False
            for field in range(VIEW, 6):
                crosses |= some[e, field, r] and not whole[e, field, r]
            rough[e, r] = width > _LARGE or crosses
            simple = rough[e, r] and points > _MANY and not meshes[w, r]
            wide[e, r] = width > _WIDEST or simple
