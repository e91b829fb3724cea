"""The tolerances of percepts: which of them are of one object, and of one moment."""

from dataclasses import dataclass
from typing import Annotated

from spatial_reasoner.tolerances.units import Metres, Ratios, Shares, Unit

__all__ = ["PerceptTolerances"]


@dataclass(frozen=True)
class PerceptTolerances:
    """Percepts: which of them are of one object, and of one moment."""

    together: Annotated[float, Unit("s", 0.0001, 1.0)] = 0.01
    """Frames that are less than this apart are processed together, and percepts of one object
    within this time are fused in any order of arrival."""
    same_place: Metres = 0.05
    """An unnamed percept is of an object that was perceived within this distance."""
    same_share: Shares = 0.25
    """The same for large objects, relative to their size: the larger of the two distances
    counts."""
    alike_volume: Ratios = 2.0
    """An unnamed percept is of an object if the larger of their volumes is at most this many times
    the smaller."""
