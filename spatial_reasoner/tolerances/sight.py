"""The tolerances of sight."""

from dataclasses import dataclass
from typing import Annotated

from spatial_reasoner.tolerances.units import Metres, Radians, Shares, Unit

__all__ = ["SightTolerances"]


@dataclass(frozen=True)
class SightTolerances:
    """Sight and pointing."""

    share: tuple[Shares, Shares] = (0.10, 0.05)
    """An object is seen from this visibility ratio on: its visible area, divided by the area that
    would be visible if nothing stood in front of it."""
    pointing: tuple[Radians, Radians] = (0.175, 0.236)
    """The greatest angle between a forearm and the object at which it points: 10° to begin, and
    13.5° to continue."""
    forearm: Annotated[float, Unit("m", 0.001, 1.0)] = 0.05
    """An elbow and a wrist that are nearer to each other than this give no line. The hand then
    points along its own x axis."""
    field_edge: Radians = 0.061
    """Hysteresis: each edge of a field of view or of attention is wider by this for objects that
    were in it. It is 3.5°, four standard deviations of a smoothed head."""
    in_field: Shares = 0.02
    """An object is in a field if at least this share of its visible area is."""
    attended: Shares = 0.1
    """An object is attended if this share of its visible area is in the field of attention. An
    object is attended as well if its centre is in that field."""
    attended_filling: Shares = 0.25
    """An object is attended if it fills this share of the field of attention."""
    sight_sunk: Metres = 0.005
    """An object that seems to have sunk into another one by up to this, because of noise, lies on
    its surface, and is not occluded by it."""
    sight_sunk_share: Shares = 0.2
    """The same for thin objects, relative to half their height: the smaller of the two distances
    counts."""
