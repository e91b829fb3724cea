"""Gazes and what is seen in them, as plain values; and the threshold for seeing an object."""

from dataclasses import dataclass

from spatial_reasoner.geometry.arrays import Flags, Floats
from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.kernels.compiled import GIVEN_LINE, compiled
from spatial_reasoner.values.rendering import Scenery

__all__ = ["Gaze", "Seen", "find_seen"]


@dataclass(frozen=True, slots=True, eq=False)
class Gaze:
    """The gaze of one head at a scenery, which is what one mind believes to be there.

    `fov` (field of view) and `foa` (field of attention) are full angles, and `turn` is how far the
    head turns to each side, in radians. `transparent` has for every row whether it is see-through.
    """

    eye: Pose
    fov: tuple[float, float]
    foa: tuple[float, float]
    turn: float
    scenery: Scenery
    transparent: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The visibility of every row in one gaze; the arrays are shared and read-only.

    Shares are visibility ratios: the visible pixels, divided by the pixels without occlusion in
    that field; zero outside the field. They are precise to a few hundredths below 0.2, where the
    threshold is, and rough above. The `kept` ones are for fields that are a little wider. They
    apply to objects that were seen before, so that objects at an edge don't come and go with the
    jitter of a head.
    """

    share: Floats
    """The ratio in the field of view."""
    kept: Floats
    in_view: Flags
    """Whether the object is in the field of view, occluded or not."""
    turned: Floats
    """The ratio in all that the field of view sweeps over when the head turns."""
    turned_kept: Floats
    attended: Flags
    """Whether the object is visible in the field of attention: its centre is in it, or a tenth of
    its visible pixels, or it fills a quarter of that field."""
    attended_kept: Flags

    def __post_init__(self) -> None:
        for name in self.__slots__:
            getattr(self, name).flags.writeable = False


@compiled(f"void({GIVEN_LINE}, {GIVEN_LINE}, b1[:], f8, f8, b1[:])")
def find_seen(
    share: Floats, kept: Floats, before: Flags, begins: float, stays: float, seen: Flags
) -> None:
    """Sets which rows are `seen`: those from the ratio `begins` on.

    A row that was seen `before` stays seen while its `kept` ratio is at least `stays`. Both limits
    are `Tolerances.share`.
    """
    for row in range(len(share)):
        seen[row] = share[row] >= begins or (before[row] and kept[row] >= stays)
