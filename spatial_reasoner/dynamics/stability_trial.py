"""A trial of perceived poses: which objects would stay where they are perceived, and which not.

An object that is perceived inside another one is thrown out by the simulation, and throws its
neighbours. To distinguish the two:

1. Release all objects in one simulation.
2. Release each object that was thrown (moved more sideways than down) again, alone. An object that
   was only hit by another one stays now.
3. Hold the objects that are thrown even alone, or are stuck, where they are perceived, and release
   the others again.
4. Repeat from 2 until no other object is thrown.

The road not taken: a search for overlaps beforehand. Every percept has overlaps of a few
millimetres, which the simulation resolves within the noise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial_reasoner.dynamics.motion_limits import MotionLimits
from spatial_reasoner.dynamics.physics import Physics
from spatial_reasoner.dynamics.rigid_bodies import Shapes, Solid
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows

__all__ = ["StabilityTrial"]

_ROUNDS: Final = 3
"""A limit on computing time: the greatest number of repetitions. An object that is thrown out of
one object may be inside another."""
_CROWD: Final = 6
"""A limit on computing time: if more objects than this are thrown, all of them count as thrown,
because releasing each of them alone takes a simulation each."""


@dataclass(frozen=True, slots=True, eq=False)
class StabilityTrial:
    """Some `rows` to be released within limits for some seconds; `poses` are those of all rows."""

    physics: Physics
    rows: Rows
    poses: Floats
    shapes: Shapes
    solids: Mapping[int, Solid]
    fixed: Fixed
    """All other bodies, which are fixed; `solids` has what they are made of."""
    seconds: float
    limits: MotionLimits
    """How far the rows may move."""
    stuck: float
    """An object that still penetrates another one deeper than this at the end is stuck (m)."""

    def outcome(self) -> Loose:
        """The rows after the trial; the velocity of an object that cannot stay is NaN."""
        held = np.zeros(len(self.rows), dtype=bool)
        found = self._let_go(~held)
        for _ in range(_ROUNDS):
            suspects = ~held & self._is_thrown(found)
            if not suspects.any() or held.sum() == len(held) - 1:
                break
            stuck = [k for k in np.flatnonzero(~_gone(found)).tolist() if self._is_stuck(k)]
            alone = np.flatnonzero(suspects).tolist() if suspects.sum() <= _CROWD else []
            thrown = [k for k in alone if self._is_thrown_alone(k)]
            if not (stuck or thrown or len(alone) < suspects.sum()):
                break
            held |= _gone(found) & ~suspects
            held[[*stuck, *thrown]] = True
            if not alone:
                held |= suspects
            found = self._let_go(~held)
        return found

    def _let_go(self, free: Flags) -> Loose:
        """Releases some of the rows, while the others are held where they are perceived."""
        rows = self.rows[free]
        found = Loose(self.rows, self.poses[self.rows], np.full((len(free), 6), np.nan))
        if not rows.size:
            return found
        solids, fixed = self.solids, self.fixed
        if not free.all():
            kept = self.rows[~free].tolist()
            matter, poses, shapes = self.physics.matter, self.poses, self.shapes
            more, others = matter.fixed(kept, poses, poses, shapes, shapes)
            solids, fixed = {**solids, **more}, fixed.joined(others)
        came = self.physics.run(
            Loose.still(rows, self.poses[rows]), fixed, solids, self.shapes, self.seconds,
            self._limits_of(free),
        )  # fmt: skip
        found.poses[free], found.velocities[free] = came.poses, came.velocities
        return found

    def _limits_of(self, free: Flags) -> MotionLimits:
        length, turns, slow = (
            np.broadcast_to(each, len(free))[free]
            for each in (self.limits.length, self.limits.turns, self.limits.slow)
        )
        return replace(self.limits, length=length, turns=turns, slow=slow)

    def _is_thrown(self, found: Loose) -> Flags:
        """Which rows could not stay and moved farther sideways than down."""
        shift = found.poses[:, :3] - self.poses[self.rows, :3]
        falls = -shift[:, 2] >= np.hypot(shift[:, 0], shift[:, 1])
        return _gone(found) & ~falls

    def _is_thrown_alone(self, k: int) -> bool:
        """Whether a row, released alone with its contents, cannot stay or is stuck."""
        row = int(self.rows[k])
        found = self._let_go(np.isin(self.rows, [*self.limits.contents.get(row, ()), row]))
        return bool(_gone(found)[k]) or self._is_stuck(k)

    def _is_stuck(self, k: int) -> bool:
        """Whether a row still penetrates another body at the end of the last run."""
        return self.physics.dynamics.depth(int(self.rows[k])) > self.stuck


def _gone(found: Loose) -> Flags:
    gone: Flags = np.isnan(found.velocities[:, 0])
    return gone
