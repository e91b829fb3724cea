"""What becomes of things that are let go where they are perceived: of each by its own doing.

What is perceived within something else is thrown out of it, and throws about what stands beside. So
what does not fall, but is thrown, is let go once more, alone: what was only in the way stays then.
What is thrown even so is held where it is perceived from the beginning, and the others are let go
anew.

The road not taken is to look for overlaps beforehand: those of a few millimetres are in every
percept, and part within these.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial_reasoner.dynamics.leashes import Leash
from spatial_reasoner.dynamics.matter import Shapes, Solid
from spatial_reasoner.dynamics.physics import Physics
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.geometry.polygons import Rows
from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.values.roster import Flags

__all__ = ["Trial"]

_ROUNDS: Final = 3
"""So often are the others let go anew: who is thrown out of one thing may be in another."""
_CROWD: Final = 6
"""Of more things that throw each other about it is not asked who is only in the way: that takes a
simulation each."""
_STUCK: Final = 0.005
"""Metres: what is deeper in something when it has had time to come out can't."""


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """Some `rows` that are let go, on leashes, at the `poses` of all, for some seconds."""

    physics: Physics
    rows: Rows
    poses: Floats
    shapes: Shapes
    solids: Mapping[int, Solid]
    fixed: Fixed
    """All else that is about, and what it is made of."""
    seconds: float
    leash: Leash
    """For each of the rows."""

    def outcome(self) -> Loose:
        """What became of each of the rows; the velocity of what could not stay is NaN."""
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
        """Lets go some of the rows, while the others are held where they are perceived."""
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
            self._leash(free),
        )  # fmt: skip
        found.poses[free], found.velocities[free] = came.poses, came.velocities
        return found

    def _leash(self, free: Flags) -> Leash:
        length, turns, slow = (
            np.broadcast_to(each, len(free))[free]
            for each in (self.leash.length, self.leash.turns, self.leash.slow)
        )
        return replace(self.leash, length=length, turns=turns, slow=slow)

    def _is_thrown(self, found: Loose) -> Flags:
        """What could not stay, and did not just fall."""
        shift = found.poses[:, :3] - self.poses[self.rows, :3]
        falls = -shift[:, 2] >= np.hypot(shift[:, 0], shift[:, 1])
        return _gone(found) & ~falls

    def _is_thrown_alone(self, k: int) -> bool:
        """Whether a row can't stay, with what is in or on it, or is stuck, while all else stays."""
        row = int(self.rows[k])
        found = self._let_go(np.isin(self.rows, [*self.leash.contents.get(row, ()), row]))
        return bool(_gone(found)[k]) or self._is_stuck(k)

    def _is_stuck(self, k: int) -> bool:
        """Whether a row was still deep in something at the end of the last run."""
        return self.physics.dynamics.depth(int(self.rows[k])) > _STUCK


def _gone(found: Loose) -> Flags:
    gone: Flags = np.isnan(found.velocities[:, 0])
    return gone
