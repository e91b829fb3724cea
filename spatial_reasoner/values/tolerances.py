"""Every number that a relation is decided by, each with its unit and its reason.

Lengths in metres, angles in radians, times in seconds. Where there are two numbers the first
makes a fact true and the second lets it go: what lies between them stays as it was. People who set
one on the command line are shown what stands below it here (`tolerance_settings`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from spatial_reasoner.values.units import (
    Deviations,
    Metres,
    Radians,
    Seconds,
    Shares,
    Sizes,
    Spans,
    Speeds,
    Unit,
    Windows,
)

__all__ = ["GRAVITY", "REGIONS", "Tolerances"]

GRAVITY: Final = 9.81
"""Metres a second, each second."""


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The defaults are for rooms, tables and what lies on them."""

    # --- steadiness: trackers jitter by 1.5 mm and 2° (standard deviation) ---
    smoothing: Spans = 0.11
    """The time constant over which percepts are averaged. It reduces jitter to a third, and makes a
    sudden change of pose appear later."""
    jump: Metres = 0.03
    """A percept that is farther than this from an object at rest is a motion and not jitter: 20
    standard deviations."""
    jump_turn: Radians = 0.175
    """The same for rotation: 10°, five standard deviations."""
    behind: Metres = 0.006
    """The believed pose of a moving object is at most this far behind its last percept: four
    standard deviations. A pose that is only averaged would lag, and then jump by the distance
    `jump`. A container would then leave its contents behind."""
    behind_turn: Radians = 0.12
    """The same for rotation: 7°."""
    gate: Metres = 0.003
    """A believed pose that would change by less stays as it is, so an object at rest causes no
    updates."""
    gate_turn: Radians = 0.035
    """The same for rotation: 2°."""
    calming: Seconds = 0.7
    """The pose of an object at rest is averaged over this time. With a shorter time, jitter would
    move the edge of a field of attention by 7 cm at a distance of 2 m."""
    stirred: Metres = 0.004
    """An object at rest begins to move when its smoothed pose is farther than this from its average
    over the time `calming`: five standard deviations of the smoothed pose."""
    stirred_turn: Radians = 0.0785
    """The same for rotation: 4.5°."""
    debounce: Seconds = 0.12
    """A relation must hold for this time before it becomes a fact. Together with the smoothing,
    this takes 0.4 s at most."""
    missing: Annotated[float, Unit("s", 0.05, 60.0)] = 1.0
    """An object that is not perceived for this time is missing."""
    displaced: tuple[Metres, Metres] = (0.045, 0.03)
    """An object whose believed pose is this far from where it was last perceived or held was
    displaced unseen: it fell, slid or was carried. The distance is larger than any step of a
    smoothed pose (`jump`)."""
    other_reason: Seconds = 0.5
    """Another reason why an object is missing must hold for this time without interruption before
    it replaces the present one. A fall from a table takes as long. The time is four times the
    debounce."""
    perceived: Annotated[float, Unit("s", 0.05, 60.0)] = 0.7
    """`isPerceived` lasts for this time after the last percept (Underworlds, table 1)."""
    level: tuple[Radians, Radians] = (0.105, 0.157)
    """An object counts as level when it is tilted by less than 6°, and as tilted above 9°. With
    smaller angles, the edge of a table top of 1 m that jitters by 2° would rise and sink by
    centimetres."""

    # --- on, in, next to ---
    on_gap: tuple[Metres, Metres] = (0.05, 0.07)
    """The greatest gap between the underside of an object and the top of its support."""
    on_gap_held: tuple[Metres, Metres] = (0.01, 0.03)
    """The same for an object in a hand, because the hand may be lifting it."""
    on_margin: tuple[Metres, Metres] = (0.0, 0.015)
    """How far the centre of mass may lie outside the footprint of the support."""
    on_switch: Metres = 0.008
    """Another support must be higher by this much to replace the present one."""
    in_margin: tuple[Metres, Metres] = (0.0, 0.01)
    """How far the centre of an object may lie outside the cavity that contains it."""
    in_depth: Metres = 0.01
    """An object in a container must reach at least this far below the rim, or a fifth of its own
    height if that is less."""
    next_gap: tuple[Sizes, Sizes] = (0.5, 0.575)
    """The greatest gap between neighbours, relative to their size: cabinets of 80 cm are neighbours
    at a gap of 30 cm, and pens are not."""
    next_overlap: Annotated[float, Unit("m", -1000.0, 0.0)] = -0.01
    """How much the height ranges of neighbours must overlap. The default allows a vertical gap of 1
    cm."""

    # --- as seen from an agent ---
    direction: tuple[Radians, Radians] = (1.178, 1.239)
    """Half the width of each of the four directions: 67.5°, so two directions hold on a
    diagonal."""
    near: tuple[Metres, Metres] = (5.0, 5.15)
    """An object is near to an agent up to this distance, which is about the size of a room. All
    other objects are far."""
    intrinsic_tilt: tuple[Radians, Radians] = (0.524, 0.576)
    """An object has sides of its own while it is tilted by less than 30° (Levelt)."""

    # --- sight ---
    share: tuple[Shares, Shares] = (0.10, 0.05)
    """An object is seen from this visibility ratio on: its visible area, divided by the area that
    would be visible if nothing stood in front of it."""
    pointing: tuple[Radians, Radians] = (0.175, 0.236)
    """The greatest angle between a forearm and the object at which it points: 10° to begin, and
    13.5° to continue."""

    # --- motion and hands ---
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
    reaching_distance: Metres = 0.9
    """A hand does not reach for an object that is farther away, because this is the length of an
    arm."""
    may_pick: tuple[Metres, Metres] = (0.25, 0.28)
    """An empty hand may pick an object within this distance. At 0.5 m/s it grasps the object a
    third of a second later, so the fact comes before the grasp."""
    may_put: tuple[Metres, Metres] = (0.5, 0.55)
    """A hand that holds an object may put it into a container that is at most this far below.
    People release objects from such heights."""

    # --- actions ---
    lifted: Metres = 0.045
    """An object that is this far above its resting place has been lifted (Underworlds, table 1). A
    lift of 2 cm is no `Pick`."""
    acting: Annotated[float, Unit("s", 0.0, 1.0)] = 0.12
    """The result of an action must last for this time before it counts, as for any relation. Two
    picks in one second are possible."""
    at_rest: Metres = 0.03
    """An object that moves less than this during the time `acting` has come to rest. Jitter is
    smaller."""
    bystander: Metres = 0.20
    """A hand within this distance of an object may have acted on it. This is a hand's length more
    than `held`, because trackers report wrists."""
    around: Seconds = 0.5
    """An agent may have witnessed or performed an action if they saw the object, or had a hand near
    it, within this time before the action. A hand takes about this time to reach an object."""

    # --- physics ---
    drift: Annotated[float, Unit("m", 0.01, 1.0)] = 0.045
    """An object that would move farther than this from where it is perceived cannot stay there
    (Underworlds, table 1)."""
    horizon: Annotated[float, Unit("s", 0.05, 2.0)] = 0.125
    """The simulation that decides whether an object can stay covers this time, and four times as
    much if the object still moves then. In 0.125 s an object falls 77 mm. In the 80 ms of
    Underworlds it falls 31 mm, which is less than the drift, so no hovering object would ever be
    found."""

    # --- how sure poses are of which percepts tell that ---
    surprise: Deviations = 5.0
    """A percept whose Mahalanobis distance from the prediction is larger than this is believed when
    the next one confirms it. For an object at rest, these are three percepts in ten thousand
    (chi-squared distribution with six degrees of freedom)."""
    wander: Metres = 0.0005
    """How much less certain the place of an unseen object becomes in 1 s (standard deviation).
    After 16 s the standard deviation is four times as large. The value is the error of a tracker's
    mean over 0.6 s."""
    wander_turn: Radians = 0.004
    """The same for rotation: a quarter of a degree."""
    moved: Metres = 0.05
    """How much less certain the place of an unseen object becomes by 1 m of motion, when it is
    carried, pushed or rolls. Grasps slip, and the believed pose of a hand that starts or stops is
    wrong by 4 mm after one frame."""
    moved_turn: Radians = 0.2
    """The same for rotation, by 1 m or 1 rad of motion: 11°."""


REGIONS: Final[Mapping[int, tuple[float, float]]] = {4: (0.7854, 0.8465), 8: Tolerances().direction}
"""`direction` by how many regions there are around an agent: of eight the diagonal ones have two
directions; of four each has one, 45° to each side, and two only next to an edge just crossed."""
