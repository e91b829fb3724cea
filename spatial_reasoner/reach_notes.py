"""What one mind remembers of who reaches what: answers, what each depends on, and what is open.

Things and people are taken to be where they were until they have moved by more than trackers
jitter; then what depends on them is open again, and nothing else is.
"""

from typing import Final

import numpy as np

from spatial_reasoner.bodies import NO_FORM
from spatial_reasoner.hands import NO_HAND
from spatial_reasoner.mind import Mind
from spatial_reasoner.polygons import Rows
from spatial_reasoner.poses import Floats, Pose, turn_between
from spatial_reasoner.reach_tolerances import ReachTolerances
from spatial_reasoner.reaching import Limb, Reached, Room
from spatial_reasoner.roster import Flags
from spatial_reasoner.shapes import Shape

__all__ = ["Notes"]

_STILL: Final = np.array([0.0, 0, 0, 0, 0, 0, 1])


class Notes:
    """Arrays of agents and rows; `open_since` is infinite where an answer holds."""

    def __init__(self, agents: int, rows: int) -> None:
        self.can: Flags = np.zeros((agents, rows), dtype=bool)
        self.effort: Floats = np.zeros((agents, rows))
        self.open_since: Floats = np.full((agents, rows), np.inf)
        self.low: Floats = np.full((agents, rows, 3), np.inf)
        self.high: Floats = np.full((agents, rows, 3), -np.inf)
        self.blockers: Flags = np.zeros((agents, rows, rows), dtype=bool)
        self.stands: Final[dict[int, Pose]] = {}
        """Where agents were taken to stand: their upright heads."""
        self.limbs: Final[dict[int, list[Limb]]] = {}
        """Their arms, while they stand there."""
        self.poses: Floats = np.tile(_STILL, (rows, 1))
        self.turns: Floats = np.tile(np.eye(3), (rows, 1, 1))
        self.middles: Floats = np.zeros((rows, 3))
        self.radii: Floats = np.zeros(rows)
        self.solid: Flags = np.zeros(rows, dtype=bool)
        self.shapes: list[Shape | None] = [None] * rows
        self.holder: Rows = np.full(rows, NO_HAND, dtype=np.intp)
        self.generation = -1

    @property
    def room(self) -> Room:
        """What stands around."""
        return Room(self.shapes, self.poses, self.turns, self.middles, self.radii, self.solid)

    def grown(self, rows: int) -> "Notes":
        """The same with room for more rows."""
        more, old = Notes(len(self.can), rows), len(self.shapes)
        for name in ("can", "effort", "open_since", "low", "high"):
            getattr(more, name)[:, :old] = getattr(self, name)
        more.blockers[:, :old, :old] = self.blockers
        for name in ("poses", "turns", "middles", "radii", "solid", "holder"):
            getattr(more, name)[:old] = getattr(self, name)
        more.shapes[:old] = self.shapes
        more.stands.update(self.stands)
        more.limbs.update(self.limbs)
        return more

    def take_in(self, mind: Mind, tolerances: ReachTolerances, now: float) -> None:
        """Looks at what changed; whom that concerns is open from now on."""
        geometry = mind.geometry
        rows = geometry.changed_since(self.generation)
        self.generation = geometry.generation
        holder = mind.world.holding.holder
        if (holder != self.holder).any():
            self._reopen(np.flatnonzero(holder != self.holder), now)
            self.holder = holder.copy()
        if not rows.size:
            return
        has_form = geometry.bodies.form[rows] != NO_FORM
        there = geometry.placed[rows] & has_form & mind.roster.is_thing[rows]
        turns = geometry.turn[rows]
        places = _places(geometry.middle[rows], turns, geometry.bodies.centre[rows])
        moved = self._moved(rows, places, turns, tolerances) | ~self.solid[rows]
        reshaped = [mind.world.shapes[row] is not self.shapes[row] for row in rows.tolist()]
        fresh = there & (moved | np.array(reshaped))
        gone = self.solid[rows] & ~there
        if fresh.any():
            poses = np.concatenate([places[fresh], _quaternions(turns[fresh])], axis=1)
            self._place(mind, rows[fresh], poses)
        self.solid[rows[gone]] = False
        self._reopen(rows[fresh | gone], now)

    def stand(self, agent: int, upright: Pose, tolerances: ReachTolerances) -> bool:
        """Whether an agent stands elsewhere than was noted; then that is noted."""
        was = self.stands.get(agent)
        if was is not None:
            away = upright[:3] - was[:3]
            turned = turn_between(upright, was) > tolerances.stand_gate_turn
            if away @ away <= tolerances.stand_gate**2 and not turned:
                return False
        self.stands[agent] = upright
        return True

    def leave(self, agent: int) -> None:
        """Nothing is noted of somebody who isn't there."""
        if self.stands.pop(agent, None) is not None:
            self.drop(agent, np.ones(len(self.shapes), dtype=bool))

    def drop(self, agent: int, rows: Flags) -> None:
        """Some rows are certainly out of an agent's reach."""
        self.can[agent, rows] = False
        self.open_since[agent, rows] = np.inf
        self.low[agent, rows], self.high[agent, rows] = np.inf, -np.inf
        self.blockers[agent, rows] = False

    def settle(self, agent: int, row: int, found: Reached) -> None:
        """Notes an answer."""
        self.can[agent, row], self.effort[agent, row] = found.can, found.effort
        self.low[agent, row], self.high[agent, row] = found.low, found.high
        self.blockers[agent, row] = False
        self.blockers[agent, row, found.blockers] = True
        self.open_since[agent, row] = np.inf

    def _moved(
        self, rows: Rows, places: Floats, turns: Floats, tolerances: ReachTolerances
    ) -> Flags:
        """Which rows are elsewhere than was noted, or turned otherwise."""
        away = places - self.poses[rows, :3]
        far = (away * away).sum(axis=1) > tolerances.thing_gate**2
        # The trace of the turn from the one to the other is 1 + 2 cos of its angle.
        trace = (turns * self.turns[rows]).sum(axis=(1, 2))
        moved: Flags = far | (trace < 1 + 2 * np.cos(tolerances.thing_gate_turn))
        return moved

    def _place(self, mind: Mind, rows: Rows, poses: Floats) -> None:
        self.poses[rows] = poses
        self.solid[rows] = True
        self.turns[rows] = mind.geometry.turn[rows]
        self.middles[rows] = mind.geometry.middle[rows]
        for row in rows.tolist():
            shape = self.shapes[row] = mind.world.shapes[row]
            self.radii[row] = 0.0 if shape is None else shape.radius

    def _reopen(self, rows: Rows, now: float) -> None:
        """Asks anew about rows, and about all whose answer they may change."""
        who = np.array(sorted(self.stands), dtype=np.intp)
        if not rows.size or not who.size:
            return
        middles, radii = self.middles[rows], self.radii[rows]
        nearest = np.clip(middles, self.low[who][:, :, None], self.high[who][:, :, None])
        away = nearest - middles
        comes = (np.einsum("anmk,anmk->anm", away, away) <= radii**2) & self.solid[rows]
        concerned = comes.any(axis=2) | self.blockers[who][:, :, rows].any(axis=2)
        concerned[:, rows] = True
        since = self.open_since[who]
        self.open_since[who] = np.where(concerned, np.minimum(since, now), since)


def _places(middles: Floats, turns: Floats, centres: Floats) -> Floats:
    """Where bodies are, from the middles of their boxes and how they are turned."""
    places: Floats = middles - (turns @ centres[:, :, None])[:, :, 0]
    return places


def _quaternions(turns: Floats) -> Floats:
    """The quaternions of rotation matrices: the eigenvectors of Bar-Itzhack's matrix."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = turns.transpose(1, 2, 0)
    square = np.array(
        [
            [xx - yy - zz, yx + xy, zx + xz, zy - yz],
            [yx + xy, yy - xx - zz, zy + yz, xz - zx],
            [zx + xz, zy + yz, zz - xx - yy, yx - xy],
            [zy - yz, xz - zx, yx - xy, xx + yy + zz],
        ]
    )
    best: Floats = np.linalg.eigh(square.transpose(2, 0, 1))[1][:, :, -1]
    return best
