"""Every number that a relation is decided by, each with its unit and its reason.

Lengths in metres, angles in radians, times in seconds. Where there are two numbers the first
makes a fact true and the second lets it go: what lies between them stays as it was. People who set
one on the command line are shown what stands below it here (`tolerance_settings`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from spatial_reasoner.units import (
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
    """The time over which a percept is averaged: thirds the jitter, and delays a step."""
    jump: Metres = 0.03
    """A percept of what is still that is farther away is a move and no jitter: 20 standard
    deviations."""
    jump_turn: Radians = 0.175
    """The same for turns: 10°, five standard deviations."""
    behind: Metres = 0.006
    """What moves is believed so little behind its last percept, four standard deviations: averaged,
    and caught up with at each jump, it would go in leaps, and throw out what is in it."""
    behind_turn: Radians = 0.12
    """The same for turns: 7°."""
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
    missing: Annotated[float, Unit("s", 0.05, 60.0)] = 1.0
    """What is not perceived for so long is missing."""
    displaced: tuple[Metres, Metres] = (0.045, 0.03)
    """What is believed so far from where it was last perceived or held has been displaced unseen,
    as it fell, slid or was carried: more than any step of a steadied pose (`jump`)."""
    other_reason: Seconds = 0.5
    """Another reason why a thing is missing must hold so long without a break to take the place of
    the one that was given: as long as a fall from a table, and four times the debounce."""
    perceived: Annotated[float, Unit("s", 0.05, 60.0)] = 0.7
    """isPerceived lasts so long after the last percept (Underworlds, table 1)."""
    level: tuple[Radians, Radians] = (0.105, 0.157)
    """Tilted by less than 6° a thing counts as level, by more than 9° as tilted: a metre of table
    top that jitters by 2° would else rise and sink by centimetres."""

    # --- on, in, next to ---
    on_gap: tuple[Metres, Metres] = (0.05, 0.07)
    """How far an underside may be from the top that it rests on."""
    on_gap_held: tuple[Metres, Metres] = (0.01, 0.03)
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
    followed: Speeds = 3.0
    """What goes faster is not followed on its way, and takes what is in it along as that lies: in a
    240th of a second it would go through walls of a centimetre."""
    held: Metres = 0.08
    """A hand holds what is so near to it."""
    nearer: Metres = 0.02
    """What is nearer by so much is what the hand is about, and not what rests there, too."""
    released: Metres = 0.30
    """A hand lets go of what is perceived so far away from it."""
    put_down: Metres = 0.10
    """The same of what lies where it is and would stay there: a hand that holds it is on it."""
    reaching_window: Windows = 0.5
    """The time by which the speed of a hand is measured that reaches for something."""
    reaching_speed: Speeds = 0.1
    """A hand that is slower reaches for nothing."""
    reaching_cone: Radians = 0.1745
    """Half the angle of the cone about a hand's motion: 10°."""
    reaching_beside: Metres = 0.14
    """So wide that cone is at least to each side, from 80 cm on: hands come to things by way of a
    place above or beside them, and trackers say where a wrist is."""
    reaching_distance: Metres = 0.9
    """A hand reaches for nothing that is farther away: an arm is as long."""
    may_pick: tuple[Metres, Metres] = (0.25, 0.28)
    """An empty hand may pick what it is so near to: at half a metre a second it holds that a third
    of a second later, so there is time to tell."""
    may_put: tuple[Metres, Metres] = (0.5, 0.55)
    """A full hand may put something into what it is so little above: as high as people let go."""

    # --- actions ---
    lifted: Metres = 0.045
    """What is so far above its rest is taken up (Underworlds, table 1): a lift of 2 cm is no
    Pick."""
    acting: Annotated[float, Unit("s", 0.0, 1.0)] = 0.12
    """What an action brings about must last so long before it counts, as any relation must: two
    picks go into a second."""
    at_rest: Metres = 0.03
    """What moves less, for as long as that, has come to rest: jitter moves nothing so far."""
    bystander: Metres = 0.20
    """A hand that comes so near to a thing may have acted on it: a hand's length beyond what it
    holds, for trackers tell of wrists."""
    around: Seconds = 0.5
    """What is seen or near so shortly before an action has to do with it: about as long as a hand
    takes to get there."""

    # --- physics ---
    drift: Annotated[float, Unit("m", 0.01, 1.0)] = 0.045
    """What would get farther from where it is perceived can't stay there (Underworlds, table 1)."""
    horizon: Annotated[float, Unit("s", 0.05, 2.0)] = 0.125
    """How far ahead that is looked, and four times as far at what neither rests nor is gone by
    then: a fall of 77 mm. The 80 ms that were published give 31 mm, which is within the drift, so
    that nothing in the air would ever be found."""

    # --- how sure poses are of which percepts tell that ---
    surprise: Deviations = 5.0
    """A percept so many standard deviations from what was expected is believed when the next one
    is, too: of the percepts of a still thing three in ten thousand are so far off."""
    wander: Metres = 0.0005
    """How unsure a second makes where a thing is that nobody sees (standard deviation; four times
    that after sixteen): a tracker's mean over 0.6 s is as sure."""
    wander_turn: Radians = 0.004
    """The same for turns: a quarter of a degree."""
    moved: Metres = 0.05
    """How unsure a metre makes where a thing is that was carried, pushed or rolled: grips slip, and
    hands that start and stop are off by 4 mm after a frame."""
    moved_turn: Radians = 0.2
    """The same for turns, of a metre or of a radian: 11°."""


REGIONS: Final[Mapping[int, tuple[float, float]]] = {4: (0.7854, 0.8465), 8: Tolerances().direction}
"""`direction` by how many regions there are around an agent: of eight the diagonal ones have two
directions; of four each has one, 45° to each side, and two only next to an edge just crossed."""
