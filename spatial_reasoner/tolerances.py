"""Every number that a relation is decided by, each with its reason.

Lengths in metres, angles in radians, times in seconds. Where there are two numbers the first
makes a fact true and the second lets it go: what lies between them stays as it was.
"""

from dataclasses import dataclass

__all__ = ["Tolerances"]


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The defaults are for rooms, tables and what lies on them."""

    # --- steadiness: trackers jitter by 1.5 mm and 2° (standard deviation) ---
    smoothing: float = 0.11
    """The time over which a percept is averaged: thirds the jitter, and delays a step."""
    jump: float = 0.03
    """A percept farther away than this is a move and no jitter: 20 standard deviations."""
    jump_turn: float = 0.175
    """The same for turns: 10°, five standard deviations."""
    gate: float = 0.003
    """A pose that changes by less stays as it is, so that what is still is silent."""
    gate_turn: float = 0.035
    calming: float = 0.7
    """What is still is averaged over so long: at two metres the edge of a field of attention would
    else sweep over 7 cm, there and back."""
    stirred: float = 0.004
    """What moves farther is not still: five deviations of what is smoothed already."""
    stirred_turn: float = 0.0785
    debounce: float = 0.12
    """A relation must hold so long before it is told; with the smoothing that is 0.4 s at most."""
    missing: float = 1.0
    """What is not perceived for so long is missing (the contract)."""
    perceived: float = 0.7
    """isPerceived lasts so long after the last percept (Underworlds, table 1)."""
    level: tuple[float, float] = (0.105, 0.157)
    """Tilted by less than 6° a thing counts as level, by more than 9° as tilted: a metre of table
    top that jitters by 2° would else rise and sink by centimetres."""

    # --- on, in, next to ---
    on_gap: tuple[float, float] = (0.05, 0.07)
    """How far an underside may be from the top that it rests on (the contract's 5 cm)."""
    on_gap_held: tuple[float, float] = (0.02, 0.03)
    """The same of what a hand is about: it may be lifted."""
    on_margin: tuple[float, float] = (0.0, 0.015)
    """How far the centre of mass may be outside the footprint of its support."""
    on_switch: float = 0.008
    """Another support must be so much higher to take over."""
    in_margin: tuple[float, float] = (0.0, 0.01)
    """How far a centre may be outside the cavity it lies in."""
    in_depth: float = 0.01
    """What is in something reaches at least so deep below the rim, or a fifth of its height."""
    next_gap: tuple[float, float] = (0.5, 0.575)
    """The share of the things' own size that the gap between neighbours may have: cabinets of
    80 cm are neighbours at 30 cm, pens are not."""
    next_overlap: float = -0.01
    """How much of their heights must overlap at least; a centimetre is forgiven."""

    # --- as seen from an agent ---
    direction: tuple[float, float] = (1.178, 1.239)
    """Half the width of each of the four directions: 67.5°, so that diagonals have two."""
    near: tuple[float, float] = (5.0, 5.15)
    intrinsic_tilt: tuple[float, float] = (0.524, 0.576)
    """A thing has sides of its own while it stands within 30° of upright (Levelt)."""

    # --- sight ---
    share: tuple[float, float] = (0.10, 0.05)
    """What shows of a thing, of what would show with nothing in front, for it to be seen."""
    pointing: tuple[float, float] = (0.175, 0.236)
    """The angle between a forearm and what it points at: 10°; let go at 13.5°."""

    # --- motion and hands ---
    moving: tuple[float, float] = (0.04, 0.033)
    """Metres a second; a still thing seems to move by 1 cm/s at most."""
    moving_window: float = 0.3
    steady_window: float = 1.0
    steady_speed: float = 0.03
    """A speed that differs by less from that of the last second goes on: four deviations."""
    held: float = 0.08
    """A hand holds what is so near to it."""
    nearer: float = 0.02
    """What is nearer by so much is what the hand is about, and not what rests there, too."""
    released: float = 0.30
    """And lets go of what is perceived so far away from it."""
    reaching_window: float = 0.5
    reaching_speed: float = 0.1
    reaching_cone: float = 0.1745
    """Half the angle of the cone about a hand's motion: 10°."""
    reaching_distance: float = 0.9
