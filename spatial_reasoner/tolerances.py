"""Every number that a relation is decided by, each with its unit and its reason.

Lengths in metres, angles in radians, times in seconds. Where there are two numbers the first
makes a fact true and the second lets it go: what lies between them stays as it was. People who set
one on the command line are shown what stands below it here (`tolerance_settings`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from spatial_reasoner.units import (
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

__all__ = ["REGIONS", "Tolerances"]


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The defaults are for rooms, tables and what lies on them."""

    # --- steadiness: trackers jitter by 1.5 mm and 2° (standard deviation) ---
    smoothing: Spans = 0.11
    """The time over which a percept is averaged: thirds the jitter, and delays a step."""
    jump: Metres = 0.03
    """A percept farther away than this is a move and no jitter: 20 standard deviations."""
    jump_turn: Radians = 0.175
    """The same for turns: 10°, five standard deviations."""
    gate: Metres = 0.003
    """A pose that changes by less stays as it is, so that what is still is silent."""
    gate_turn: Radians = 0.035
    """The same for turns: 2°."""
    calming: Seconds = 0.7
    """What is still is averaged over so long: at two metres the edge of a field of attention would
    else sweep over 7 cm, there and back."""
    stirred: Metres = 0.004
    """What moves farther is not still: five deviations of what is smoothed already."""
    stirred_turn: Radians = 0.0785
    """The same for turns: 4.5°."""
    debounce: Seconds = 0.12
    """A relation must hold so long before it is told; with the smoothing that is 0.4 s at most."""
    missing: Spans = 1.0
    """What is not perceived for so long is missing."""
    perceived: Seconds = 0.7
    """isPerceived lasts so long after the last percept (Underworlds, table 1)."""
    level: tuple[Radians, Radians] = (0.105, 0.157)
    """Tilted by less than 6° a thing counts as level, by more than 9° as tilted: a metre of table
    top that jitters by 2° would else rise and sink by centimetres."""

    # --- on, in, next to ---
    on_gap: tuple[Metres, Metres] = (0.05, 0.07)
    """How far an underside may be from the top that it rests on."""
    on_gap_held: tuple[Metres, Metres] = (0.02, 0.03)
    """The same of what a hand is about: it may be lifted."""
    on_margin: tuple[Metres, Metres] = (0.0, 0.015)
    """How far the centre of mass may be outside the footprint of its support."""
    on_switch: Metres = 0.008
    """Another support must be so much higher to take over."""
    in_margin: tuple[Metres, Metres] = (0.0, 0.01)
    """How far a centre may be outside the cavity it lies in."""
    in_depth: Metres = 0.01
    """What is in something reaches at least so deep below the rim, or a fifth of its height."""
    next_gap: tuple[Sizes, Sizes] = (0.5, 0.575)
    """The share of the things' own size that the gap between neighbours may have: cabinets of
    80 cm are neighbours at 30 cm, pens are not."""
    next_overlap: Annotated[float, Unit("m", -1000.0, 0.0)] = -0.01
    """How much of their heights must overlap at least; a centimetre is forgiven."""

    # --- as seen from an agent ---
    direction: tuple[Radians, Radians] = (1.178, 1.239)
    """Half the width of each of the four directions: 67.5°, so that diagonals have two."""
    near: tuple[Metres, Metres] = (5.0, 5.15)
    """How far what is near to an agent may be: about as far as a room goes; the rest is far."""
    intrinsic_tilt: tuple[Radians, Radians] = (0.524, 0.576)
    """A thing has sides of its own while it stands within 30° of upright (Levelt)."""

    # --- sight ---
    share: tuple[Shares, Shares] = (0.10, 0.05)
    """What shows of a thing, of what would show with nothing in front, for it to be seen."""
    pointing: tuple[Radians, Radians] = (0.175, 0.236)
    """The angle between a forearm and what it points at: 10°; let go at 13.5°."""

    # --- motion and hands ---
    moving: tuple[Speeds, Speeds] = (0.04, 0.033)
    """How fast is moving; a still thing seems to move by 1 cm/s at most."""
    moving_window: Windows = 0.3
    """The time by which a speed is measured that changes."""
    steady_window: Windows = 1.0
    """The time by which one is measured that goes on: noise stirs it less."""
    steady_speed: Speeds = 0.03
    """A speed that differs by less from that of the last second goes on: four deviations."""
    held: Metres = 0.08
    """A hand holds what is so near to it."""
    nearer: Metres = 0.02
    """What is nearer by so much is what the hand is about, and not what rests there, too."""
    released: Metres = 0.30
    """A hand lets go of what is perceived so far away from it."""
    reaching_window: Windows = 0.5
    """The time by which the speed of a hand is measured that reaches for something."""
    reaching_speed: Speeds = 0.1
    """A hand that is slower reaches for nothing."""
    reaching_cone: Radians = 0.1745
    """Half the angle of the cone about a hand's motion: 10°."""
    reaching_distance: Metres = 0.9
    """A hand reaches for nothing that is farther away: an arm is as long."""


REGIONS: Final[Mapping[int, tuple[float, float]]] = {4: (0.7854, 0.8465), 8: Tolerances().direction}
"""`direction` by how many regions there are around an agent: of eight the diagonal ones have two
directions; of four each has one, 45° to each side, and two only next to an edge just crossed."""
