"""Tables of the shapes of all rows, for relations; they change only when a shape does.

Blocks and hulls have the rotation of their pose. Tubes may be rolled around their axis, and balls
rotated freely, so that they also stand or lie level and need no special cases.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Codes, Flags, Floats
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.tolerances.units import Numeric

__all__ = [
    "BALL",
    "BLOCK",
    "FLAT",
    "GROUND",
    "HULL",
    "NO_FORM",
    "TUBE",
    "ShapeTables",
    "centre_of_mass",
]

FLAT: Final = np.array([[1, 2], [2, 0], [0, 1]])
"""For each vertical axis, the two horizontal ones."""
NO_FORM: Final = 0
BLOCK: Final = 1
BALL: Final = 2
TUBE: Final = 3
HULL: Final = 4
GROUND: Final = 5
"""The forms of bodies."""
_FORMS: Final = {
    "box": BLOCK,
    "bin": BLOCK,
    "sphere": BALL,
    "cylinder": TUBE,
    "mesh": HULL,
    "plane": GROUND,
}
_HOLLOW: Final[Numeric] = 0.05
"""A surface that encloses less than this share of its bounding box is not closed, so the centre of
the box counts as its centre of mass."""
_PIECE_VOLUMES: Final = {
    "box": lambda size: 8 * float(np.prod(size)),
    "sphere": lambda size: 4 / 3 * np.pi * float(size[0]) ** 3,
    "cylinder": lambda size: 2 * np.pi * float(size[0] ** 2 * size[1]),
}


class ShapeTables(Columns):
    """The tables of all rows; a row without a shape has no form."""

    form: Codes = column(np.int8(NO_FORM))
    half: Floats = column(np.zeros(3))
    """Half extents of the body's own box."""
    centre: Floats = column(np.zeros(3))
    """The centre of that box, in the frame of the body."""
    mass: Floats = column(np.zeros(3))
    """The centre of mass, relative to that centre."""
    widths: Floats = column(np.zeros((3, 2)))
    """For each vertical axis, the half extents along the other two, the lesser first."""
    hollow: Flags = column(False)
    cavity_middle: Floats = column(np.zeros(3))
    cavity_half: Floats = column(np.zeros(3))
    """The centre of the cavity, relative to that of the body's box, and its half extents."""
    cavity_fits: Floats = column(np.zeros(2))
    """The lesser and the greater half width of the cavity."""
    floor: Floats = column(0.0)
    """The height of the middle of the floor's thickness, relative to the cavity's centre."""
    has_relief: Flags = column(False)
    """Whether that floor is uneven, so that its height depends on the place."""

    def __init__(self, shapes: Sequence[Shape | None]) -> None:
        super().__init__(rows=len(shapes))
        self.shapes: Final[list[Shape | None]] = [None] * len(shapes)
        for row, shape in enumerate(shapes):
            self.reshape(row, shape)

    def reshape(self, row: int, shape: Shape | None) -> None:
        """Changes the shape of a row, such as a cupboard whose door was opened."""
        self.shapes[row] = shape
        self.form[row] = NO_FORM if shape is None else _FORMS[shape.kind]
        self.hollow[row] = shape is not None and shape.cavity is not None
        if shape is None:
            return
        self.half[row] = shape.half
        self.widths[row] = np.sort(shape.half[FLAT], axis=1)
        self.centre[row] = shape.centre
        self.mass[row] = centre_of_mass(shape) - shape.centre
        if shape.cavity is not None:
            low, high = shape.cavity.low, shape.cavity.high
            self.cavity_middle[row] = (low + high) / 2 - shape.centre
            self.cavity_half[row] = half = (high - low) / 2
            self.cavity_fits[row] = np.sort(half[:2])
            self.has_relief[row] = shape.cavity.floor is not None
            self.floor[row] = self.under_floor(row, -float(half[2]))

    def under_floor(self, row: int, floor: float) -> float:
        """The middle between a floor height and the underside of the container."""
        below = -self.half[row, 2] - self.cavity_middle[row, 2]
        return float(floor + below) / 2


def centre_of_mass(shape: Shape) -> Floats:
    """The centre of mass of a body of uniform density, in its own frame.

    For a mesh it is that of the enclosed volume, or the centre of its box if the mesh is open.
    """
    volumes = [_PIECE_VOLUMES.get(piece.kind) for piece in shape.pieces]
    if shape.pieces and None not in volumes:
        weights = np.array([f(p.size) for f, p in zip(volumes, shape.pieces, strict=True) if f])
        centres = np.array([piece.centre for piece in shape.pieces])
        mean: Floats = weights @ centres / weights.sum()
        return mean
    return _of_surface(shape)


def _of_surface(shape: Shape) -> Floats:
    a, b, c = (shape.vertices[shape.faces[:, k]] - shape.centre for k in range(3))
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    total = float(volumes.sum())
    if total < _HOLLOW * float(np.prod(2 * shape.half)):
        return shape.centre
    middle = volumes @ (a + b + c) / (4 * total)
    inside = np.abs(middle) <= shape.half
    return shape.centre + np.where(inside.all(), middle, 0.0)
