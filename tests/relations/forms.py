"""Shapes that the tests share: furniture, and meshes made of boxes."""

from collections.abc import Sequence

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.shapes import Cavity, Piece, Shape, box

__all__ = ["CHAIR", "MUG", "PRISM", "SHELF", "TABLE", "mesh_of", "size"]


def size(*extents: float) -> Floats:
    """Extents as shapes take them."""
    return np.array(extents)


def mesh_of(
    parts: Sequence[tuple[Sequence[float] | Floats, Sequence[float]]], cavity: Cavity | None = None
) -> Shape:
    """A mesh made of boxes, each a middle and full extents."""
    boxes = [(np.asarray(middle, dtype=float), box(size(*extents))) for middle, extents in parts]
    vertices = np.concatenate([middle + shape.vertices for middle, shape in boxes])
    faces = np.concatenate([shape.faces + 8 * k for k, (_, shape) in enumerate(boxes)])
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    half, centre = (high - low) / 2, (high + low) / 2
    pieces = tuple(
        Piece("hull", middle, np.zeros(0), middle + shape.corners) for middle, shape in boxes
    )
    volume = float(sum(shape.volume for _, shape in boxes))
    key = ("mesh", vertices.tobytes())
    radius = float(np.linalg.norm(half))
    return Shape(
        "mesh", key, half, centre, vertices, vertices, faces.astype(np.int32), pieces, volume,
        cavity, radius,
    )  # fmt: skip


def _prism() -> Shape:
    """A wedge of cheese, a triangle of 20 and 30 cm from above and 10 cm high."""
    rim = [(-0.1, -0.1), (0.1, -0.1), (-0.1, 0.2)]
    corners = np.array([(x, y, z) for z in (-0.05, 0.05) for x, y in rim])
    faces = [(0, 2, 1), (3, 4, 5), (0, 1, 4), (0, 4, 3), (1, 2, 5), (1, 5, 4), (2, 0, 3), (2, 3, 5)]
    piece = Piece("hull", np.zeros(3), np.zeros(0), corners)
    half, centre = size(0.1, 0.15, 0.05), size(0, 0.05, 0)
    return Shape(
        "mesh", ("prism",), half, centre, corners, corners, np.array(faces, dtype=np.int32),
        (piece,), 0.003, None, float(np.linalg.norm(half)),
    )  # fmt: skip


PRISM = _prism()
TABLE = box(size(0.9, 1.4, 0.05))
SHELF = mesh_of([((0, 0, z), (0.8, 0.3, 0.02)) for z in (0.01, 0.41, 0.81, 1.21)])
"""Four boards, the top one at 1.22."""
CHAIR = mesh_of([((0, 0, 0.43), (0.5, 0.5, 0.04)), ((-0.23, 0, 0.67), (0.04, 0.5, 0.46))])
"""A seat at 0.45, and a back behind it that ends at 0.90."""


def _mug() -> Shape:
    """A square mug of 8 cm and 10 cm height, its walls and floor 5 mm, with a handle at +x."""
    parts: list[tuple[Sequence[float], Sequence[float]]] = [
        ((0, 0, -0.0475), (0.07, 0.07, 0.005)),
        ((0.06, 0, 0), (0.04, 0.01, 0.06)),
    ]
    for side in (-0.0375, 0.0375):
        parts += [((side, 0, 0), (0.005, 0.08, 0.1)), ((0, side, 0), (0.07, 0.005, 0.1))]
    floor = np.full((14, 14), -0.045)
    floor[0], floor[:, 0] = np.nan, np.nan
    cavity = Cavity(size(-0.035, -0.035, -0.045), size(0.035, 0.035, 0.05), floor)
    return mesh_of(parts, cavity)


MUG = _mug()
