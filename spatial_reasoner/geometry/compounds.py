"""Compounds: many convex pieces in one Wavefront file, from which Bullet makes one body.

In a call, Bullet accepts 16 pieces and silently drops all others, so a bowl would fall through the
table. From a Wavefront file it makes a hull for each object, and their number is not limited.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.shapes import Piece
from spatial_reasoner.tolerances.units import Measure

__all__ = ["MOST_AT_ONCE", "compound"]

MOST_AT_ONCE: Final = 16
"""The number of pieces that Bullet accepts without a file."""
_MARGIN: Final[Measure] = 0.001
"""Metres by which Bullet enlarges hulls on all sides. Pieces are made smaller by it, so that balls
lie exactly on a floor."""


def compound(pieces: Sequence[Piece]) -> str:
    """The text of a file with an object for each piece, in the frame of the body.

    Pieces thinner than 4 mm stay a little too thick. Balls and cylinders become polyhedra.

    >>> from spatial_reasoner.geometry.shapes import box
    >>> compound(box(np.full(3, 0.202)).pieces).splitlines()[:3]
    ['o 0', 'v -0.1 -0.1 -0.1', 'v 0.1 -0.1 -0.1']
    """
    lines: list[str] = []
    begin = 1
    for number, piece in enumerate(pieces):
        corners = _smaller(piece)
        lines.append(f"o {number}")
        lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in corners.tolist()]
        lines += [f"f {begin} {k} {k + 1}" for k in range(begin + 1, begin + len(corners) - 1)]
        begin += len(corners)
    return "\n".join([*lines, ""])


def _smaller(piece: Piece) -> Floats:
    """The corners of a piece reduced by the margin, to half its size at most."""
    low, high = piece.corners.min(axis=0), piece.corners.max(axis=0)
    half = np.maximum((high - low) / 2, 1e-9)
    share = 1 - np.minimum(_MARGIN / half, 0.5)
    middle = (low + high) / 2
    found: Floats = middle + (piece.corners - middle) * share
    return found
