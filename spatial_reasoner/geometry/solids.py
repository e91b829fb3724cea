"""Solids: the convex pieces that a body is simulated by, so that what is hollow stays so.

Engines take a moving mesh for its convex hull, which closes a mug. So a mesh that is hollow, or far
from its hull, becomes some dozens of boxes that don't overlap:

- its cavity stays open: walls grow outward, and the floor and the rim are where the cavity has
  them. Walls are at least 6 mm thick and floors 3 mm (less of what is smaller than 7 cm), so a
  thin-walled body becomes wider by so much; how high it stands stays exact;
- boards along the axes stay what they are; what is round or leans has steps of a cell: a 24th of
  the body, 6 mm at least, and more where it would take more than `MOST` boxes.

The road not taken: convex decomposition, whose pieces bulge into cavities.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray
from trimesh.convex import convex_hull

from spatial_reasoner.geometry.blocks import Boxes, blocks
from spatial_reasoner.geometry.fillings import is_closed, room, solid
from spatial_reasoner.geometry.lattices import Lattice, lattice_of
from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.geometry.shapes import Piece, Shape, Surface, box_piece, placed

__all__ = ["MOST", "solid_pieces", "solid_volume"]

Mask = NDArray[np.bool_]

MOST: Final = 120
"""Boxes of a mesh; a contact costs by the box."""
_LEAST: Final = 0.006
"""What moves at 1 m/s gets 4 mm far in a step of 1/240 s."""
_LEAST_SHARE: Final = 1 / 12
_FINE: Final = 72
"""The parts of a mesh's extent that are looked at: three to a cell."""
_TIMES: Final = (3, 4, 5, 6, 8, 10, 12, 16, 24, 72)
"""So many of them become one cell, until the boxes are few enough."""
_PLANES: Final = (12, 0)
"""A mesh with too many boards for that isn't cut where they are."""
_NEAR_HULL: Final = 0.8
"""What fills so much of its hull is that hull."""
_SOLID: Final = 0.5
"""What a cell must have in it to be solid, as a part of what it has where a wall goes through."""
_ROOM: Final = 0.2
"""What a cell must have of the cavity to be open: walls begin that much of a cell inside it."""
_KEPT: Final = 128
_MADE: Final[dict[tuple[object, ...], tuple[Piece, ...]]] = {}


def solid_pieces(shape: Shape) -> tuple[Piece, ...]:
    """The pieces that a body is simulated by; of a mesh that is hollow they leave its cavity open.

    Each link of a body of links is taken by itself, so its pieces move along with it unchanged;
    boxes that are turned with it are hulls of their eight corners. A mesh takes up to 0.1 s the
    first time; alike meshes take nothing.

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
    """How much of a body is solid: exact, unless a mesh isn't closed; then what its pieces fill."""
    if shape.parts:
        return sum(solid_volume(part) for part, _ in shape.parts)
    pieces = solid_pieces(shape)
    is_hull = any(piece.kind != "box" for piece in pieces)
    if shape.kind != "mesh" or is_hull or _surface(shape).is_closed:
        return shape.volume
    return float(sum(8 * np.prod(piece.size) for piece in pieces))


def _decomposed(shape: Shape) -> tuple[Piece, ...] | None:
    """The boxes of a mesh; None if it is best its hull."""
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
    """How thick the walls of a mesh are, about; nothing is known of one that is not closed."""
    if not surface.is_closed:
        return 0.0
    a, b, c = np.moveaxis(surface.vertices[surface.faces], 1, 0)
    area = float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)
    return 2 * shape.volume / area


def _volume(filled: Mask, lattice: Lattice) -> float:
    x, y, z = (np.diff(planes) for planes in lattice.planes)
    return float(np.einsum("ijk,i,j,k->", filled.astype(float), x, y, z))


def _cells(
    filled: Mask, hollow: Mask | None, starts: tuple[NDArray[np.intp], ...], share: float
) -> Mask:
    """The cells that are solid, and the walls and the floor about those that are room."""
    full = _shares(filled, starts)
    if hollow is None:
        solid: Mask = full >= share
        return solid
    is_room = (_shares(hollow, starts) >= _ROOM) & (full < 1 - _ROOM)
    # At the sides and at the bottom there is wall.
    is_room[[0, -1]] = is_room[:, [0, -1]] = is_room[:, :, 0] = False
    found: Mask = full >= share
    found[:-1] |= is_room[1:]
    found[1:] |= is_room[:-1]
    found[:, :-1] |= is_room[:, 1:]
    found[:, 1:] |= is_room[:, :-1]
    found[:, :, :-1] |= is_room[:, :, 1:]
    found &= ~is_room
    return found


def _shares(mask: Mask, starts: tuple[NDArray[np.intp], ...]) -> Floats:
    """How much of each cell that begins at some starts is marked."""
    sums = mask.astype(np.float64)
    for axis, ends in enumerate(starts):
        sums = np.add.reduceat(sums, ends[:-1], axis=axis)
    x, y, z = (np.diff(ends) for ends in starts)
    found: Floats = sums / (x[:, None, None] * y[:, None] * z)
    return found


def _pieces(
    boxes: Boxes,
    lattice: Lattice,
    starts: tuple[NDArray[np.intp], ...],
    low: Floats,
    high: Floats,
    cell: float,
) -> Iterator[Piece]:
    """Boxes where they are; the outermost reach to where the body ends, if that is in a cell."""
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
