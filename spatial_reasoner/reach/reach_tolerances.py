"""Every number that reach is decided by, each with its reason.

Lengths in metres, angles in radians, times in seconds, as in `tolerances`. Where there are two
numbers the first lets a thing come within reach and the second keeps it there.
"""

from dataclasses import dataclass

__all__ = ["ReachTolerances"]


@dataclass(frozen=True, slots=True)
class ReachTolerances:
    """The defaults are for people and arms of their size, at tables and shelves."""

    # --- what counts as the same place ---
    cell: float = 0.02
    """Postures are found for cells of this size about a shoulder, and fitted to the thing itself.
    A smaller cell finds the same ones more often anew."""
    thing_gate: float = 0.01
    """A thing that moved by less is where it was: less than a hand is exact."""
    thing_gate_turn: float = 0.0873
    """The same for turns: 5°, which is how much a tracked thing jitters at most once smoothed."""
    stand_gate: float = 0.03
    """Somebody who moved by less stands where he stood: people sway so much."""
    stand_gate_turn: float = 0.113
    """The same for turns: 6.5°, the extremes of a head's jitter after smoothing."""

    # --- arms ---
    beyond: tuple[float, float] = (0.0, 0.04)
    """How far beyond the end of the arm a thing's surface may be."""
    miss: tuple[float, float] = (0.02, 0.06)
    """How far from the thing the tip may end: 2 cm are what a grasp corrects."""
    bump: tuple[float, float] = (0.01, 0.025)
    """How deep an arm may be in what stands around: skin and sleeves give way."""
    on_bump: float = 0.03
    """How deep a hand may be in what its thing rests on or in: fingers bend to pick up a pen."""
    tries: tuple[int, int, int] = (4, 8, 4)
    """Postures that are tried for a place: straight on, from above, level. What stands around bars
    most of those from above: with five of them one place in ten of a bin would be missed that
    thirty find, with eight hardly any."""

    # --- the last way of the hand ---
    approach: float = 0.10
    """It comes straight on from so far away."""
    breadth: float = 0.02
    """Half of how broad the way must be: a hand is 6 cm thick, and gives way by one each side."""
    short: float = 0.005
    """So short of the thing the middle of the way ends: what touches it isn't in the way."""
    fingers: float = 0.05
    """So short of it the sides of the way end: fingers are thinner than the hand."""

    # --- people and seats ---
    root: float = 0.12
    """What is nearer to a shoulder is what it is mounted on, or leans against."""

    # --- how often ---
    pace: float = 300.0
    """Postures that are tried in a second, in each mind: twelve a frame at 25 Hz, two milliseconds.
    Most things take one to three, so what changes about one person is known anew in 0.2 s."""
    effort_step: float = 0.1
    effort_slack: float = 0.03
    """An effort stays in its step until it is so far outside."""
