"""Solids: the convex pieces by which a body is simulated, which keep its cavity open.

Physics engines replace a moving mesh by its convex hull, which closes a mug. So a mesh that is
hollow, or far from its hull, becomes some dozens of boxes that don't overlap:

1. Cut the mesh by a lattice of planes along its level faces (`lattices.py`).
2. Find the solid cells of the lattice, and those in the cavity (`occupancy.py`).
3. Join cells until the boxes into which they merge are at most `MOST` (`blocks.py`).

The cavity stays open: walls grow outwards, and floor and rim keep their heights. Walls are at least
6 mm thick and floors 3 mm (less for bodies smaller than 7 cm), so a thin-walled body becomes wider
and keeps its height. Boards along the axes stay exact. Round and tilted parts get steps of a cell,
which is 1/24 of the body and at least 6 mm, or more if there would be too many boxes.

The road not taken: convex decomposition, whose pieces bulge into cavities.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from trimesh.convex import convex_hull

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.blocks import blocks
from spatial_reasoner.geometry.lattices import Lattice, lattice_of
from spatial_reasoner.geometry.occupancy import is_closed, room, solid
from spatial_reasoner.geometry.shapes import Piece, Shape, Surface, box_piece, placed
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["MOST", "solid_pieces", "solid_volume"]

MOST: Final = 120
"""The greatest number of boxes of a mesh, because the cost of a contact grows with it."""
_LEAST: Final[Numeric] = 0.006
"""Metres: the least thickness of walls. An object at 1 m/s moves 4 mm in a step of 1/240 s."""
_LEAST_SHARE: Final[Numeric] = 1 / 12
"""The least thickness of walls relative to the extent, for small bodies."""
_FINE: Final = 72
"""The number of fine cells along the extent of a mesh; at least three of them become one cell."""
_TIMES: Final = (3, 4, 5, 6, 8, 10, 12, 16, 24, 72)
"""How many fine cells become one cell, tried in this order until the boxes are few enough."""
_PLANES: Final = (12, 0)
"""How many level faces are cut along in each direction, tried in this order."""
_NEAR_HULL: Final[Numeric] = 0.8
"""A body that fills this share of its hull is simulated as its hull."""
_SOLID: Final[Numeric] = 0.5
"""The filled share of a cell from which it is solid, relative to a cell with a wall through it."""
_ROOM: Final[Numeric] = 0.2
"""The share of a cell in the cavity from which it is open, so walls begin that far inside it."""
_KEPT: Final = 128
"""The number of decomposed meshes that are cached."""
_MADE: Final[dict[tuple[object, ...], tuple[Piece, ...]]] = {}


def solid_pieces(shape: Shape) -> tuple[Piece, ...]:
    """The convex pieces by which a body is simulated; those of a hollow mesh keep its cavity open.

    Each link of an articulated body is decomposed on its own, so its pieces move with it. Boxes
    that are rotated with a link become hulls of their corners. The first call for a mesh takes up
    to 0.1 s; further calls for equal meshes use the cache.

    >>> from spatial_reasoner.geometry.shapes import bin_shape
    >>> len(solid_pieces(bin_shape(np.array([0.3, 0.3, 0.2]), 0.01, 0.01)))
    5
    """
    if shape.parts:
        return tuple(
            placed(piece, pose) for part, pose in shape.parts for piece in solid_pieces(part)
        )
    if shape.kind != "mesh" or len(shape.pieces) != 1:
        return shape.pieces
    found = _MADE.get(shape.key)
    if found is None:
        found = _decomposed(shape) or shape.pieces
        while len(_MADE) >= _KEPT:
            _MADE.pop(next(iter(_MADE)), None)
        _MADE[shape.key] = found
    return found


def solid_volume(shape: Shape) -> float:
    """The solid volume of a body in m³; for a mesh that is not closed, the volume of its pieces."""
    if shape.parts:
        return sum(solid_volume(part) for part, _ in shape.parts)
    pieces = solid_pieces(shape)
    is_hull = any(piece.kind != "box" for piece in pieces)
    if shape.kind != "mesh" or is_hull or _surface(shape).is_closed:
        return shape.volume
    return float(sum(8 * np.prod(piece.size) for piece in pieces))


def _decomposed(shape: Shape) -> tuple[Piece, ...] | None:
    """The boxes of a mesh; None if its hull suits it better."""
    surface = _surface(shape)
    hull = float(convex_hull(shape.corners).volume)
    if shape.cavity is None and surface.is_closed and shape.volume >= _NEAR_HULL * hull:
        return None
    low, high = shape.centre - shape.half, shape.centre + shape.half
    extent = float((high - low).max())
    least = min(_LEAST, extent * _LEAST_SHARE)
    pitch = max(extent / _FINE, least / 3)
    thickness = _thickness(shape, surface)
    for planes in _PLANES:
        lattice = lattice_of(surface, low, high, shape.cavity, pitch, least, planes)
        filled = solid(surface, lattice, is_thin=thickness < 2 * pitch)
        if shape.cavity is None and _volume(filled, lattice) >= _NEAR_HULL * hull:
            return None
        hollow = None if shape.cavity is None else room(shape.cavity, lattice)
        for times in _TIMES:
            starts = lattice.coarser(times)
            share = _SOLID * min(1.0, max(thickness, pitch) / (times * pitch))
            boxes = blocks(_cells(filled, hollow, starts, share), MOST)
            if boxes is not None and len(boxes):
                return tuple(_pieces(boxes, lattice, starts, low, high, times * pitch))
    return None


def _surface(shape: Shape) -> Surface:
    found = shape.fine or Surface(shape.vertices, shape.faces, is_closed=True)
    return Surface(found.vertices, found.faces, found.is_closed and is_closed(found))


def _thickness(shape: Shape, surface: Surface) -> float:
    """The mean thickness of the walls of a mesh, twice volume by area; 0 if it is not closed."""
    if not surface.is_closed:
        return 0.0
    a, b, c = np.moveaxis(surface.vertices[surface.faces], 1, 0)
    area = float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)
    return 2 * shape.volume / area


def _volume(filled: Flags, lattice: Lattice) -> float:
    x, y, z = (np.diff(planes) for planes in lattice.planes)
    return float(np.einsum("ijk,i,j,k->", filled.astype(float), x, y, z))


def _cells(
    filled: Flags, hollow: Flags | None, starts: tuple[Rows, ...], share: float
) -> Flags:
    """The solid cells, together with walls and a floor around the cells of the cavity."""
    full = _shares(filled, starts)
    if hollow is None:
        solid: Flags = full >= share
        return solid
    is_room = (_shares(hollow, starts) >= _ROOM) & (full < 1 - _ROOM)
    # The outermost cells at the sides and at the bottom are wall.
    is_room[[0, -1]] = is_room[:, [0, -1]] = is_room[:, :, 0] = False
    found: Flags = full >= share
    found[:-1] |= is_room[1:]
    found[1:] |= is_room[:-1]
    found[:, :-1] |= is_room[:, 1:]
    found[:, 1:] |= is_room[:, :-1]
    found[:, :, :-1] |= is_room[:, :, 1:]
    found &= ~is_room
    return found


def _shares(mask: Flags, starts: tuple[Rows, ...]) -> Floats:
    """The share of marked fine cells in each cell; `starts` has the first index of each cell."""
    sums = mask.astype(np.float64)
    for axis, ends in enumerate(starts):
        sums = np.add.reduceat(sums, ends[:-1], axis=axis)
    x, y, z = (np.diff(ends) for ends in starts)
    found: Floats = sums / (x[:, None, None] * y[:, None] * z)
    return found


def _pieces(
    boxes: Rows,
    lattice: Lattice,
    starts: tuple[Rows, ...],
    low: Floats,
    high: Floats,
    cell: float,
) -> Iterator[Piece]:
    """The boxes as pieces; the outermost ones are extended to the ends of the body."""
    planes = [planes[ends] for planes, ends in zip(lattice.planes, starts, strict=True)]
    lows = np.stack([each[boxes[:, axis]] for axis, each in enumerate(planes)], axis=1)
    highs = np.stack([each[boxes[:, 3 + axis]] for axis, each in enumerate(planes)], axis=1)
    first, last = lows.min(axis=0), highs.max(axis=0)
    near_low, near_high = (
        (first > low) & (first <= low + cell),
        (last < high) & (last >= high - cell),
    )
    lows = np.where(near_low & (lows == first), low, lows)
    highs = np.where(near_high & (highs == last), high, highs)
    for least, most in zip(lows, highs, strict=True):
        yield box_piece((least + most) / 2, (most - least) / 2)
