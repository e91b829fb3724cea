"""The tolerances of motion and of hands."""

from dataclasses import dataclass
from typing import Annotated

from spatial_reasoner.tolerances.units import Metres, Radians, Seconds, Speeds, Unit, Windows

__all__ = ["HandTolerances"]


@dataclass(frozen=True)
class HandTolerances:
    """Motion and hands."""

    moving: tuple[Speeds, Speeds] = (0.04, 0.033)
    """An object moves from this speed on. An object at rest seems to move at 1 cm/s at most."""
    moving_window: Windows = 0.3
    """The speed of an object is measured over this time while it changes."""
    steady_window: Windows = 1.0
    """The speed of an object is measured over this time while it is constant. The longer time
    reduces noise."""
    steady_speed: Speeds = 0.03
    """A speed is constant if it differs by less than this from the speed over `steady_window`: four
    standard deviations."""
    velocity_spread: Annotated[float, Unit("s²", 0.001, 1.0)] = 0.04
    """The least sum of squared differences of the times of percepts from their mean, for a speed.
    The default limits the noise of a speed to 7 mm/s. At ten percepts a second it is reached after
    0.3 s."""
    pause_window: Seconds = 0.1
    """A hand pauses if it moved less than `pause_way` between its last two percepts, and in this
    time."""
    pause_way: Metres = 0.02
    """See `pause_window`."""
    followed: Speeds = 3.0
    """A faster motion counts as a jump, and the contents keep their pose relative to the object. In
    a simulation step of 1/240 s, a faster object would pass through walls that are 1 cm thick."""
    held: Metres = 0.08
    """A hand holds an object whose surface is within this distance."""
    nearer: Metres = 0.02
    """A hand changes from an object at rest to another object that is nearer by this much. An
    object at rest passes from the hand that holds it to another hand, if that hand is nearer by
    this much."""
    released: Metres = 0.30
    """A hand has released an object that is perceived farther away than this."""
    put_down: Metres = 0.10
    """The same for an object that rests on or in another one. The distance is smaller, because a
    hand that still holds such an object touches it."""
    reaching_window: Windows = 0.5
    """The speed of a hand that reaches for an object is measured over this time."""
    reaching_speed: Speeds = 0.1
    """A slower hand does not reach for anything."""
    reaching_cone: Radians = 0.1745
    """Half the opening angle of the cone around the direction of a hand's motion: 10°."""
    reaching_beside: Metres = 0.14
    """The cone has at least this radius, which decides for objects that are nearer than 80 cm.
    Hands approach objects from above or from the side, and trackers report the wrist."""
    reaching_ahead: Radians = 1.0472
    """The same limit of the angle for objects within `reaching_beside`: 60°. A hand passes objects
    at a greater angle from its motion."""
    reaching_distance: Metres = 0.9
    """A hand does not reach for an object that is farther away, because this is the length of an
    arm."""
    may_pick: tuple[Metres, Metres] = (0.25, 0.28)
    """An empty hand may pick an object within this distance. At 0.5 m/s it grasps the object a
    third of a second later, so the fact comes before the grasp."""
    may_put: tuple[Metres, Metres] = (0.5, 0.55)
    """A hand that holds an object may put it into a container that is at most this far below.
    People release objects from such heights."""
