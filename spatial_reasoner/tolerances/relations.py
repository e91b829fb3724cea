"""The tolerances of spatial relations between objects, and of directions from agents."""

from dataclasses import dataclass
from typing import Annotated

from spatial_reasoner.tolerances.units import Metres, Radians, Shares, Sizes, Unit

__all__ = ["RelationTolerances"]


@dataclass(frozen=True)
class RelationTolerances:
    """Relations between objects, and as seen from an agent."""

    on_gap: tuple[Metres, Metres] = (0.05, 0.07)
    """The greatest gap between the underside of an object and the top of its support."""
    on_gap_held: tuple[Metres, Metres] = (0.01, 0.03)
    """The same for an object in a hand, because the hand may be lifting it."""
    on_margin: tuple[Metres, Metres] = (0.0, 0.015)
    """How far the centre of mass may lie outside the footprint of the support."""
    on_switch: Metres = 0.008
    """Another support must be higher by this much to replace the present one."""
    steepest: Annotated[float, Unit("rad", 0.0, 1.5)] = 1.0472
    """Planes and faces of meshes support objects up to this slope: 60°. Steeper ones are walls and
    sides."""
    in_margin: tuple[Metres, Metres] = (0.0, 0.01)
    """How far the centre of an object may lie outside the cavity that contains it."""
    in_share: Shares = 0.2
    """See `in_depth`: for objects lower than 5 cm, a fifth of their height decides."""
    support_sunk: Metres = 0.01
    """An object may seem to have sunk into a mesh or a slope by half its height and this."""
    next_gap: tuple[Sizes, Sizes] = (0.5, 0.575)
    """The greatest gap between neighbours, relative to their size: cabinets of 80 cm are neighbours
    at a gap of 30 cm, and pens are not."""
    next_overlap: Annotated[float, Unit("m", -1000.0, 0.0)] = -0.01
    """How much the height ranges of neighbours must overlap. The default allows a vertical gap of 1
    cm."""

    direction: tuple[Radians, Radians] = (1.178, 1.239)
    """Half the width of each of the four directions: 67.5°, so two directions hold on a
    diagonal."""
    underfoot: Metres = 0.05
    """An object that is horizontally nearer to an agent than this is above or below. Only noise
    would give it a direction."""
    overhead: Metres = 0.1
    """A viewer who is horizontally nearer than this to two objects looks down on them. Their
    directions then go by the viewer's front instead of the line of sight."""
    side_distance: Metres = 2.0
    """Two objects have a direction from each other up to this distance plus `side_sizes` times
    their size: this holds for all objects on one table and for houses at 50 m, and not for pens at
    5 m."""
    side_sizes: Sizes = 10.0
    """See `side_distance`."""
    stacked: Sizes = 0.1
    """Two objects whose horizontal distance is at most this many times their size are above or in
    each other, and have no direction."""
    near: tuple[Metres, Metres] = (5.0, 5.15)
    """An object is near to an agent up to this distance, which is about the size of a room. All
    other objects are far."""
    intrinsic_tilt: tuple[Radians, Radians] = (0.524, 0.576)
    """An object has sides of its own while it is tilted by less than 30° (Levelt)."""
