"""Gazes, and what is seen in them: plain values; and when what shows is seen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats, Pose
from spatial_reasoner.kernels.compiled import GIVEN_LINE, compiled
from spatial_reasoner.values.sight import Scenery

__all__ = ["Gaze", "Seen", "find_seen"]

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


@compiled(f"void({GIVEN_LINE}, {GIVEN_LINE}, b1[:], f8, f8, b1[:])")
def find_seen(
    share: Floats, kept: Floats, before: Flags, begins: float, stays: float, seen: Flags
) -> None:
    """Sets which rows are `seen`, given which were `before`: for these `kept` is to be enough.

    Where it begins and where it stays is what `Tolerances.share` says.
    """
    for row in range(len(share)):
        seen[row] = share[row] >= begins or (before[row] and kept[row] >= stays)
