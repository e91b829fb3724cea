"""Values of rendering: an eye, a scenery, and a picture with the visible row at each pixel.

There are several renderers of the same picture (`gl_sight`, `tiny_sight`, `ray_sight`);
`visibility` uses one of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeAlias

from spatial_reasoner.geometry.arrays import Floats, Indices, Rows
from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.geometry.shapes import Shape

__all__ = [
    "BOTTOM",
    "LEFT",
    "NOTHING",
    "RIGHT",
    "TOP",
    "Eye",
    "Picture",
    "PixelRectangle",
    "Scenery",
    "Sight",
]

Picture: TypeAlias = Indices
"""The visible row at each pixel, or NOTHING; from the top left, (height, width)."""

NOTHING: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """The pose of an eye, which looks along +x with +z up; `fov` are full angles in radians.

    The picture is flat: at 1 m depth it spans `2 tan(fov / 2)` metres in each direction.
    """

    pose: Pose
    fov: tuple[float, float]
    width: int = 160
    height: int = 120


LEFT: Final = 0
TOP: Final = 1
RIGHT: Final = 2
BOTTOM: Final = 3
"""The indices of the edges of a part, where parts are rows of an array (n, 4)."""


class PixelRectangle(NamedTuple):
    """A rectangle of a picture in pixels; `right` and `bottom` are exclusive."""

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
    """The input of a renderer: some rows of a world, each a shape at a pose.

    `shapes` and `poses` have an entry for every row; only those in `rows` are drawn.
    """

    shapes: Sequence[Shape | None]
    poses: Floats
    rows: Rows


class Sight(Protocol):
    """A renderer; `name` is its name in the settings."""

    name: str

    def render(self, eye: Eye, scenery: Scenery) -> Picture:
        """The visible row at each pixel."""

    def close(self) -> None:
        """Releases all resources."""
