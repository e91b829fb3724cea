"""The tolerances of reach: which arm gets to which object.

An object must meet the first number of a pair to come within reach, and the second to stay there.
"""

from dataclasses import dataclass
from typing import Annotated

from spatial_reasoner.tolerances.units import Metres, Radians, Seconds, Shares, Unit

__all__ = ["ReachTolerances"]


@dataclass(frozen=True)
class ReachTolerances:
    """Reach: the defaults fit people, and arms of human size, at tables and shelves."""

    posture_cell: Annotated[float, Unit("m", 0.001, 1.0)] = 0.02
    """Postures are cached for cells of this size around a shoulder, and refined for the object. A
    smaller cell needs more computations for the same postures."""
    reach_gate: Metres = 0.01
    """Reach is computed again when an object has moved by more than this: a hand is less exact."""
    reach_gate_turn: Radians = 0.0873
    """The same for rotation: 5°, the largest jitter of a tracked object after smoothing."""
    stand_gate: Metres = 0.03
    """A person who moved by less stands still: this much is body sway."""
    stand_gate_turn: Radians = 0.113
    """The same for rotation: 6.5°, the largest jitter of a head after smoothing."""
    arm_beyond: tuple[Metres, Metres] = (0.0, 0.04)
    """How far beyond the end of the arm the surface of an object may be."""
    grasp_miss: tuple[Metres, Metres] = (0.02, 0.06)
    """How far from the grasp point the tip of the arm may end: a grasp corrects 2 cm."""
    grasp_inset: Metres = 0.03
    """The grasp point from above lies this far inside the edge of the top."""
    grasp_height: Metres = 0.035
    """A grasp point on a side lies at least this far above the support surface: half a hand."""
    grasp_below_top: Metres = 0.005
    """A grasp point on a side lies at least this far below the top of the object."""
    arm_bump: tuple[Metres, Metres] = (0.01, 0.025)
    """How deep an arm may penetrate an obstacle: skin and sleeves give way."""
    hand_bump: Metres = 0.03
    """How deep a hand may penetrate the support surface or the container of its object: fingers
    bend to pick up a pen."""
    approach: Metres = 0.1
    """The length of the straight approach of a hand."""
    approach_breadth: Metres = 0.02
    """Half the width that the approach must have: a hand is 6 cm thick, and yields by 1 cm on each
    side."""
    approach_short: Metres = 0.005
    """The central ray of the approach ends this far before the object, so that objects that touch
    it do not block."""
    fingers: Metres = 0.05
    """The outer rays of the approach end this far before the object: fingers are thinner than the
    hand."""
    approach_margin: Metres = 0.4
    """Objects that are farther from the shoulder than the length of the arm and this do not block
    it. The approach of a hand is shorter."""
    arm_mount: Metres = 0.12
    """An object that is closer to a shoulder is the mount of the arm or a back rest, and does not
    block."""
    effort_slack: Shares = 0.03
    """Hysteresis: `reachEffort` keeps its step of 0.1 until the effort is this far outside it."""
    posture_pace: Annotated[float, Unit("1/s", 1.0, 1e6)] = 300.0
    """Postures tried in 1 s for each mind: twelve a frame at 25 Hz, which takes 2 ms. Most objects
    need one to three, so the answers about one person are complete after 0.2 s."""
    posture_lapse: Seconds = 0.4
    """After a longer pause between two frames, no more postures are tried than for this time."""
    sample_distance: Metres = 0.15
    """A place that is farther than this from the tips of all sampled postures is out of reach."""
