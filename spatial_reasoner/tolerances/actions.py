"""The tolerances of action recognition."""

from dataclasses import dataclass
from typing import Annotated

from spatial_reasoner.tolerances.units import Metres, Seconds, Shares, Spans, Speeds, Unit

__all__ = ["ActionTolerances"]


@dataclass(frozen=True)
class ActionTolerances:
    """Actions."""

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
    plunge: Speeds = 1.0
    """An object that sinks faster than this falls: no hand takes it down so fast."""
    sinking: Speeds = 0.3
    """An object that sinks more slowly than this does not fall. After a fall of 4.5 cm the mean
    speed is 0.5 m/s."""
    sinking_window: Spans = 0.06
    """The speed of a fall is measured over at least this time."""
    dropping: Seconds = 0.5
    """An object that left its hand longer ago is not just being dropped. In this time it would fall
    farther than the height of any table."""
    brief_fall: Seconds = 0.25
    """A fall that was not observed takes at most this time: that of a fall of 30 cm, the most that
    people let an object fall."""
    deep_fall: Metres = 0.15
    """An object that comes down this far below its hand fell, even if its fall was not observed."""
    handover: Seconds = 2.0
    """No handover takes longer. In between, the object lay on something that is not observed."""
    slip: Metres = 0.03
    """An object that moved by less in its hand has not slipped."""
    slip_share: Shares = 0.7
    """If an object slips in the hand by more than this share of its way, the hand stayed behind."""
    out_of_sight: Seconds = 0.2
    """An object without a percept for this time was occluded, even at 12.5 percepts a second."""
    settled: Seconds = 0.4
    """After a fall that is not observed, an object must rest for this time before it is clear where
    it lies."""
    hovering: Seconds = 0.3
    """An object without support that stays at its height for this time is in a hand that is not
    observed. A falling object would be 44 cm lower."""
    over_rim: Metres = 0.02
    """A hand that was over a container stays over it down to this far below the rim."""
