"""Compounds: many convex pieces as the text of one file that Bullet makes one body of.

Handed over one by one Bullet takes 16 pieces, and of more it silently loses the rest: a bowl falls
through the table. Of a Wavefront file it makes a hull for each object in it, however many.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.geometry.shapes import Piece

__all__ = ["MOST_AT_ONCE", "compound"]

MOST_AT_ONCE: Final = 16
"""Pieces that Bullet takes without a file."""
_MARGIN: Final = 0.001
"""Bullet's hulls are larger by so much all around; pieces are made smaller, for balls to lie on
a floor where it is."""


def compound(pieces: Sequence[Piece]) -> str:
    """The text of a file with an object for each piece, in the frame of the body.

    What is thinner than 4 mm stays a little too thick. A ball or a cylinder is one of flat sides.

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
    """The corners of a piece without the margin, but never of less than half of it."""
    low, high = piece.corners.min(axis=0), piece.corners.max(axis=0)
    half = np.maximum((high - low) / 2, 1e-9)
    share = 1 - np.minimum(_MARGIN / half, 0.5)
    middle = (low + high) / 2
    found: Floats = middle + (piece.corners - middle) * share
    return found
