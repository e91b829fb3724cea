"""Glances: small pictures of one thing each, many at a time.

What is small in a picture is lost between its points; a glance looks at it closely, and says where
it would show and where it does. A glance is an eye like any other, turned to what it looks at:
turning an eye does not change what hides what.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.values.sight import Eye, Part, Picture, Scenery, Sight

__all__ = ["Glances", "GlancingSight", "Masks"]

Masks: TypeAlias = NDArray[np.bool_]
"""A point of each glance is in it or not: (glances, size, size)."""

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Glances:
    """Eyes `poses` (n, 7), with full angles `fovs` (n, 2), each turned to one of `rows` (n).

    Each looks at one of several sceneries, `worlds` (n). `others` are the rows that may stand in
    front, `before` says of which glance, in rising order. Where a row would show alone is only
    asked of those that are `unsure` (n); for others it may be given as where it shows.
    """

    poses: Floats
    fovs: Floats
    worlds: Rows
    rows: Rows
    before: Rows
    others: Rows
    unsure: NDArray[np.bool_]
    size: int

    def eye(self, number: int) -> Eye:
        """One of the eyes."""
        fov = self.fovs[number]
        return Eye(self.poses[number], (float(fov[0]), float(fov[1])), self.size, self.size)

    def only(self, chosen: Rows) -> "Glances":
        """Some of them, by rising number."""
        kept = np.isin(self.before, chosen)
        return Glances(
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
        """The rows that may stand in front in one glance."""
        hiding: list[int] = self.others[self.before == number].tolist()
        return hiding


class GlancingSight(Sight, Protocol):
    """A way to draw that can also draw much at once, and glance.

    `detail` is how many points across 100° it affords, `closeness` how many a glance has each way.
    """

    detail: int
    closeness: int

    def looks(
        self, eyes: Sequence[Eye], sceneries: Sequence[Scenery], parts: Sequence[Part]
    ) -> list[Picture]:
        """Parts of what `look` shows, for many eyes, each with what there is for it.

        Their sceneries are of equally many rows.
        """

    def glances(self, sceneries: Sequence[Scenery], glances: Glances) -> tuple[Masks, Masks]:
        """Where the row of each glance would show with nothing in front, and where it shows."""
