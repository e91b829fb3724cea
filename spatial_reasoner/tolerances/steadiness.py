"""The tolerances of steadiness: smoothing, debounce, and how certain poses are."""

from dataclasses import dataclass
from typing import Annotated

from spatial_reasoner.tolerances.units import (
    Deviations,
    Metres,
    Radians,
    Seconds,
    Shares,
    Spans,
    Unit,
)

__all__ = ["SteadinessTolerances"]


@dataclass(frozen=True)
class SteadinessTolerances:
    """Steadiness and uncertainty: trackers jitter by 1.5 mm and 2° (standard deviation)."""

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
    calm_after: Seconds = 0.25
    """An object that stays within `stirred` for this time is at rest. At 2 cm/s it would have left
    that distance."""
    velocity_gain: Shares = 0.5
    """The weight of a new percept in the velocity of a moving object, relative to its weight in the
    position. With 1 the believed pose would oscillate."""
    velocity_gap: Seconds = 0.3
    """After a longer gap between percepts, the velocity of a moving object counts as zero."""
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

    surprise: Deviations = 5.0
    """A percept whose Mahalanobis distance from the prediction is larger than this is believed when
    the next one confirms it. For an object at rest, these are three percepts in ten thousand
    (chi-squared distribution with six degrees of freedom)."""
    bias_weight: Shares = 0.3
    """The weight of the newest innovation in their exponential average: about four percepts
    count."""
    least_sigma: Annotated[float, Unit("m", 1e-6, 1.0)] = 0.0001
    """The least standard deviation of a percept, whatever its covariance states: cameras are not
    calibrated better."""
    least_sigma_turn: Annotated[float, Unit("rad", 1e-5, 1.0)] = 0.00175
    """The same for rotation: 0.1°."""
    clearly_moving: Deviations = 3.0
    """The velocity of an object counts if the object travels this many standard deviations of its
    place in the time `smoothing`. A slower velocity may be noise."""
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
