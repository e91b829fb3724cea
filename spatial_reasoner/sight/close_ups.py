"""Close-ups: small pictures of one object each, many of which are rendered at once.

A small object may fall between the pixels of a picture of the whole field. A close-up is an eye
that is turned to one object, with a narrow field around it. Turning an eye does not change
occlusion.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.values.rendering import Eye, Picture, PixelRectangle, Scenery, Sight

__all__ = ["CloseUpSight", "CloseUps", "Masks"]

Masks: TypeAlias = Flags
"""Whether each pixel of each close-up is in the mask: (close-ups, size, size)."""


@dataclass(frozen=True, slots=True, eq=False)
class CloseUps:
    """Eyes `poses` (n, 7), with full angles `fovs` (n, 2), each turned to one of `rows` (n).

    Each sees one of several sceneries, `worlds` (n). `others` are possible occluders; `before` has
    the close-up of each, in rising order. The mask without occlusion is only needed for close-ups
    that are `unsure` (n); for others a renderer may return the mask with occlusion instead.
    """

    poses: Floats
    fovs: Floats
    worlds: Rows
    rows: Rows
    before: Rows
    others: Rows
    unsure: Flags
    size: int

    def eye(self, number: int) -> Eye:
        """One of the eyes."""
        fov = self.fovs[number]
        return Eye(self.poses[number], (float(fov[0]), float(fov[1])), self.size, self.size)

    def only(self, chosen: Rows) -> "CloseUps":
        """Some of the close-ups, by rising number."""
        kept = np.isin(self.before, chosen)
        return CloseUps(
            self.poses[chosen],
            self.fovs[chosen],
            self.worlds[chosen],
            self.rows[chosen],
            np.searchsorted(chosen, self.before[kept]),
            self.others[kept],
            self.unsure[chosen],
            self.size,
        )

    def hiding(self, number: int) -> list[int]:
        """The possible occluders in one close-up."""
        hiding: list[int] = self.others[self.before == number].tolist()
        return hiding


class CloseUpSight(Sight, Protocol):
    """A renderer that can also render many pictures at once, and close-ups.

    `detail` is the number of pixels across 100° that suits its speed, and `closeness` the width and
    height of a close-up in pixels.
    """

    detail: int
    closeness: int

    def looks(
        self, eyes: Sequence[Eye], sceneries: Sequence[Scenery], parts: Sequence[PixelRectangle]
    ) -> list[Picture]:
        """Parts of the pictures of many eyes, each with its scenery.

        All sceneries must have equally many rows.
        """

    def close_ups(self, sceneries: Sequence[Scenery], close_ups: CloseUps) -> tuple[Masks, Masks]:
        """The masks of the row of each close-up, without and with occlusion."""
