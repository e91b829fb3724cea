"""What it is to look: an eye, what there is to be seen, and which row each point shows.

There are several ways to draw the same picture (`gl_sight`, `tiny_sight`, `ray_sight`);
`visibility` asks one of them and says what follows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats, Pose
from spatial_reasoner.geometry.shapes import Shape

__all__ = ["NOTHING", "Eye", "Part", "Picture", "Scenery", "Sight"]

Picture: TypeAlias = NDArray[np.int32]
"""The row that each point shows, NOTHING where none does; from the top left, (height, width)."""

NOTHING: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """Where somebody looks from, along +x of the pose with +z up; `fov` are full angles.

    The picture is flat: what it shows spans `2 tan(fov / 2)` at one metre, each way.
    """

    pose: Pose
    fov: tuple[float, float]
    width: int = 160
    height: int = 120


class Part(NamedTuple):
    """Some columns and lines of a picture, from the first to before the last."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top


@dataclass(frozen=True, slots=True, eq=False)
class Scenery:
    """What there is to be seen: some rows of a world, each a shape at a pose.

    `shapes` and `poses` have an entry for every row; those not in `rows` are not there.
    """

    shapes: Sequence[Shape | None]
    poses: Floats
    rows: NDArray[np.intp]


class Sight(Protocol):
    """A way to draw; `name` is what the settings call it."""

    name: str

    def look(self, eye: Eye, scenery: Scenery) -> Picture:
        """Which row shows at each point; what is in front hides what is behind."""

    def close(self) -> None:
        """Gives back what it holds."""
