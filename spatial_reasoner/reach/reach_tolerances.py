"""The tolerances of reach, each with its reason.

Lengths in metres, angles in radians, times in seconds, as in `tolerances`. Where there are two
numbers, an object must meet the first to come within reach, and the second to stay there
(hysteresis).
"""

from dataclasses import dataclass

__all__ = ["ReachTolerances"]


@dataclass(frozen=True, slots=True)
class ReachTolerances:
    """The defaults fit people, and arms of human size, at tables and shelves."""

    # --- what counts as the same place ---
    cell: float = 0.02
    """Postures are cached for cells of this size around a shoulder, and refined for the object.
    A smaller cell needs more computations for the same postures."""
    thing_gate: float = 0.01
    """An object that moved by less counts as still: a hand is less exact than this."""
    thing_gate_turn: float = 0.0873
    """The same for rotations: 5°, the largest jitter of a tracked object after smoothing."""
    stand_gate: float = 0.03
    """A person who moved by less stands still: this much is body sway."""
    stand_gate_turn: float = 0.113
    """The same for rotations: 6.5°, the largest jitter of a head after smoothing."""

    # --- arms ---
    beyond: tuple[float, float] = (0.0, 0.04)
    """How far beyond the end of the arm the surface of an object may be."""
    miss: tuple[float, float] = (0.02, 0.06)
    """How far from the object the tip may end: a grasp corrects 2 cm."""
    bump: tuple[float, float] = (0.01, 0.025)
    """How deep an arm may penetrate an obstacle: skin and sleeves give way."""
    on_bump: float = 0.03
    """How deep a hand may penetrate the support surface or container of its object: fingers
    bend to pick up a pen."""
    tries: tuple[int, int, int] = (4, 8, 4)
    """Number of postures tried for a place: straight, from above, level. Obstacles block most
    postures from above: of the places in a bin that thirty postures reach, five miss one in
    ten, and eight miss hardly any."""

    # --- the approach of the hand ---
    approach: float = 0.10
    """Length of the straight approach."""
    breadth: float = 0.02
    """Half the width that the approach must have: a hand is 6 cm thick, and yields by 1 cm on
    each side."""
    short: float = 0.005
    """The central ray of the approach ends this far before the object, so that objects that
    touch it do not block."""
    fingers: float = 0.05
    """The outer rays end this far before the object: fingers are thinner than the hand."""

    # --- people and seats ---
    root: float = 0.12
    """An object closer to a shoulder is the mount of the arm, or a back rest; it does not block."""

    # --- computing time ---
    pace: float = 300.0
    """Postures tried per second and mind: twelve a frame at 25 Hz, which takes 2 ms. Most
    objects need one to three, so the answers about one person are complete after 0.2 s."""
    effort_step: float = 0.1
    effort_slack: float = 0.03
    """Hysteresis: an effort keeps its step until it is this far outside it."""
