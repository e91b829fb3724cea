"""Relations between objects that are computed only for queries.

- deictic: left, right, in front, behind, as seen by the owner of the mind
- intrinsic: the same by the front of the reference object
- vertical: above and below, touching or not
"""

from typing import Final

import numpy as np

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.geometry.arrays import Flags
from spatial_reasoner.geometry.columns import enlarged
from spatial_reasoner.relations.object_directions import deictic, has_sides, intrinsic
from spatial_reasoner.relations.relations import over

__all__ = ["ON_DEMAND", "demanded"]

_DEICTIC: Final = ("isAtLeftOf", "isAtRightOf", "isInFrontOf", "isBehind")
_INTRINSIC: Final = ("atLeftSideOf", "atRightSideOf", "atFrontOf", "atBackOf")
_ABOVE: Final = ("isAbove",)
_BELOW: Final = ("isBelow", "isUnder")
ON_DEMAND: Final = (*_DEICTIC, *_INTRINSIC, *_ABOVE, *_BELOW)
"""The predicates that are computed for queries."""


def demanded(mind: Mind, predicate: str, subject: str | None, value: str | None) -> list[str]:
    """The facts of one of these relations in a mind; None matches any subject or value."""
    holds = _holds(mind, predicate)
    if holds is None:
        return []
    names = mind.roster.names
    return [
        f"{names[a]} {predicate} {names[b]}"
        for a, b in np.argwhere(holds).tolist()
        if subject in (None, names[a]) and value in (None, names[b])
    ]


def _holds(mind: Mind, predicate: str) -> Flags | None:
    """A relation between all rows; None if it is unknown here, or if the owner has no pose."""
    geometry = mind.geometry
    there = mind.world.placed & geometry.solid
    both = there[:, None] & there
    if predicate in _ABOVE:
        return over(geometry) & both
    if predicate in _BELOW:
        return over(geometry).T & both
    if predicate in _DEICTIC:
        if not mind.company.looking[mind.owner]:
            return None
        eye = mind.company.heads[mind.owner]
        found = deictic(eye, geometry.middle, geometry.size, mind.tolerances)
        return found[:, :, _DEICTIC.index(predicate)] & both
    if predicate in _INTRINSIC:
        found = intrinsic(
            geometry.poses, mind.roster.fronts, _sided(mind), geometry.middle, geometry.size,
            mind.tolerances,
        )  # fmt: skip
        return found[:, :, _INTRINSIC.index(predicate)] & both
    return None


def _sided(mind: Mind) -> Flags:
    before = enlarged(mind.sided, (len(mind.roster),))
    mind.sided = has_sides(mind.geometry.poses, mind.roster.fronts, before, mind.tolerances)
    return mind.sided
