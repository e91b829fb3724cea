"""Gazes, and what is seen in them: plain values."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.poses import Floats, Pose
from spatial_reasoner.sight import Scenery
from spatial_reasoner.tolerances import Tolerances

__all__ = ["Gaze", "Seen", "seen_after"]

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Gaze:
    """One head's look at a scenery: what there is, as the mind whose world it is believes.

    `fov` and `foa` are full angles, `turn` is how far the head turns to each side; `transparent`
    says, for every row, whether it lets sight through.
    """

    eye: Pose
    fov: tuple[float, float]
    foa: tuple[float, float]
    turn: float
    scenery: Scenery
    transparent: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What is seen in one gaze: an entry for every row; it is shared, and can't be written to.

    Shares are what shows, of what would show in that field with nothing in front; zero where
    nothing would. They are good to a few hundredths below a fifth, where it is decided what is
    seen; above, they tell little more than that. The `kept` ones are of fields that are a little
    wider, for what was seen before: what lies at an edge does not come and go as a head trembles.
    """

    share: Floats
    """In the field of view."""
    kept: Floats
    in_view: Flags
    """Whether it would show in the field of view, hidden or not."""
    turned: Floats
    """In all that the field of view sweeps over as the head turns."""
    turned_kept: Floats
    attended: Flags
    """Whether it shows in the field of attention: its middle, a tenth of what shows, or so large
    that it fills a quarter of that field."""
    attended_kept: Flags

    def __post_init__(self) -> None:
        for name in self.__slots__:
            getattr(self, name).flags.writeable = False


def seen_after(
    share: Floats, before: Flags, tolerances: Tolerances, kept: Floats | None = None
) -> Flags:
    """Whether each row is seen, given whether it was; `kept` is the share that is enough to stay.

    >>> seen_after(np.array([0.07, 0.07]), np.array([False, True]), Tolerances()).tolist()
    [False, True]
    """
    begins, stays = tolerances.share
    enough: Flags = (share >= begins) | (before & ((share if kept is None else kept) >= stays))
    return enough
