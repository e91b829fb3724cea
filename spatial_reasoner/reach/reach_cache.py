"""The answers of one mind about reach: each answer, what it depends on, and which are open.

An object or an agent counts as still until it moves by more than the jitter of a tracker. Then all
answers that depend on it are opened, and no others.
"""

import math
from typing import Final

import numpy as np

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.geometry.poses import IDENTITY, Pose, separation, set_quaternion
from spatial_reasoner.geometry.shape_tables import NO_FORM
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.reach.reaching import Limb, Reached, Room
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.tolerances.reach import ReachTolerances

__all__ = ["ReachCache"]

_MANY: Final = "f8[:,:]"
_TURNS: Final = "f8[:,:,:]"


class ReachCache(Columns):
    """Arrays by agent and row; `open_since` is a time in seconds, infinite where an answer
    holds."""

    can: Flags = column(False, "agents", "rows")
    effort: Floats = column(0.0, "agents", "rows")
    open_since: Floats = column(np.inf, "agents", "rows")
    low: Floats = column(np.full(3, np.inf), "agents", "rows")
    high: Floats = column(np.full(3, -np.inf), "agents", "rows")
    blockers: Flags = column(False, "agents", "rows", "rows")
    poses: Floats = column(IDENTITY)
    turns: Floats = column(np.eye(3))
    middles: Floats = column(np.zeros(3))
    radii: Floats = column(0.0)
    solid: Flags = column(False)
    holder: Rows = column(NO_HAND)

    def __init__(self, agents: int, rows: int) -> None:
        super().__init__(agents=agents, rows=rows)
        self.stands: Final[dict[int, Pose]] = {}
        """The noted pose of each agent: the upright head."""
        self.limbs: Final[dict[int, list[Limb]]] = {}
        """The arms of each agent at that pose."""
        self._shoulders: Final[dict[int, tuple[Floats, Floats]]] = {}
        """The positions of the shoulders (k, 3) and the lengths of the arms (k), by agent."""
        self.changes = 0
        """Number of changes that may have changed who can reach what."""
        self.shapes: list[Shape | None] = [None] * rows
        self.generation = -1

    @property
    def room(self) -> Room:
        """The noted geometry of all rows."""
        return Room(self.shapes, self.poses, self.turns, self.middles, self.radii, self.solid)

    def make_room(self, rows: int) -> None:
        """Makes room for so many rows, whose geometry is unknown."""
        if len(self) < rows:
            self.grow(rows=rows)
            self.shapes += [None] * (rows - len(self.shapes))
            self.changes += 1
            self.generation = -1

    def take_in(self, mind: Mind, tolerances: ReachTolerances, now: float) -> bool:
        """Notes what changed in a mind and opens the answers concerned; returns whether there
        are any."""
        geometry = mind.geometry
        rows = geometry.changed_since(self.generation)
        self.generation = geometry.generation
        holder, before = mind.world.holding.holder, self.changes
        if (holder != self.holder).any():
            self._reopen(np.flatnonzero(holder != self.holder), now)
            self.holder = holder.copy()
        if rows.size:
            self._take_places(mind, rows, tolerances, now)
        return self.changes != before

    def _take_places(self, mind: Mind, rows: Rows, tolerances: ReachTolerances, now: float) -> None:
        """Notes rows that may have appeared, disappeared, moved or changed shape."""
        geometry, bodies = mind.geometry, mind.geometry.bodies
        there = geometry.placed[rows] & (bodies.form[rows] != NO_FORM) & mind.roster.is_thing[rows]
        least = 1 + 2 * math.cos(tolerances.reach_gate_turn)
        poses, moved = np.empty((len(rows), 7)), ~self.solid[rows]
        _find_moved(rows, geometry.middle, geometry.turn, bodies.centre, self.poses, self.turns,
                    tolerances.reach_gate, least, poses, moved)  # fmt: skip
        moved |= [mind.world.shapes[row] is not self.shapes[row] for row in rows.tolist()]
        fresh, gone = there & moved, self.solid[rows] & ~there
        if fresh.any():
            self._place(mind, rows[fresh], poses[fresh])
        self.solid[rows[gone]] = False
        self._reopen(rows[fresh | gone], now)

    def stand(self, agent: int, upright: Pose, tolerances: ReachTolerances) -> bool:
        """Notes the pose of an agent; returns whether it moved beyond the gate."""
        was = self.stands.get(agent)
        if was is not None and _is_still(
            was, upright, tolerances.stand_gate, tolerances.stand_gate_turn
        ):
            return False
        self.stands[agent] = upright
        return True

    def arm(self, agent: int, limbs: list[Limb], now: float) -> None:
        """Notes the arms of an agent at a new pose: all answers about this agent are open."""
        self.limbs[agent] = limbs
        places = np.array([limb.shoulder[:3] for limb in limbs]).reshape(-1, 3)
        self._shoulders[agent] = places, np.array([limb.length for limb in limbs], dtype=np.float64)
        self.open_since[agent] = np.minimum(self.open_since[agent], now)
        self.changes += 1

    def close(self, agent: int, beyond: float) -> Flags:
        """The rows whose bounding spheres are within an arm and `beyond` (metres) of a shoulder."""
        close = np.zeros(len(self.solid), dtype=bool)
        places, lengths = self._shoulders[agent]
        _find_close(places, lengths + beyond, self.middles, self.radii, self.solid, close)
        return close

    def drop_far(self, agent: int, beyond: float) -> None:
        """Marks the objects that are far from an agent as out of reach."""
        far = ~self.close(agent, beyond)
        far &= self.can[agent] | (self.open_since[agent] < np.inf)
        if far.any():
            self.drop(agent, far)

    def oldest(self) -> list[tuple[int, int]]:
        """The open (agent, row) pairs, the longest open first."""
        agents, rows = np.nonzero(self.open_since < np.inf)
        if not rows.size:
            return []
        order = np.lexsort((rows, agents, self.open_since[agents, rows]))
        return list(zip(agents[order].tolist(), rows[order].tolist(), strict=True))

    def leave(self, agent: int) -> None:
        """Removes the notes about an agent who is absent."""
        if self.stands.pop(agent, None) is not None:
            self.drop(agent, np.ones(len(self.shapes), dtype=bool))

    def drop(self, agent: int, rows: Flags) -> None:
        """Marks rows as out of an agent's reach, without a computation."""
        self.changes += 1
        _forget(rows, self.can[agent], self.open_since[agent],
                self.low[agent], self.high[agent], self.blockers[agent])  # fmt: skip

    def settle(self, agent: int, row: int, found: Reached) -> None:
        """Stores an answer."""
        self.changes += 1
        self.can[agent, row], self.effort[agent, row] = found.can, found.effort
        self.low[agent, row], self.high[agent, row] = found.low, found.high
        self.blockers[agent, row] = False
        self.blockers[agent, row, found.blockers] = True
        self.open_since[agent, row] = np.inf

    def _place(self, mind: Mind, rows: Rows, poses: Floats) -> None:
        self.poses[rows] = poses
        self.solid[rows] = True
        self.turns[rows] = mind.geometry.turn[rows]
        self.middles[rows] = mind.geometry.middle[rows]
        for row in rows.tolist():
            shape = self.shapes[row] = mind.world.shapes[row]
            self.radii[row] = 0.0 if shape is None else shape.radius

    def _reopen(self, rows: Rows, now: float) -> None:
        """Opens the answers about some rows, and all answers that these rows may change."""
        if not rows.size:
            return
        self.changes += 1
        who = np.array(sorted(self.stands), dtype=np.intp)
        _open(who, rows, self.middles, self.radii, self.solid, self.low, self.high,
              self.blockers, now, self.open_since)  # fmt: skip


@compiled(f"void(intp[:], {_MANY}, {_TURNS}, {_MANY}, {_MANY}, {_TURNS}, f8, f8, {_MANY}, b1[:])")
def _find_moved(
    rows: Rows,
    middles: Floats,
    turns: Floats,
    centres: Floats,
    noted: Floats,
    noted_turns: Floats,
    gate: float,
    least_trace: float,
    poses: Floats,
    moved: Flags,
) -> None:
    """Computes poses from the centres of bounding boxes, and marks the bodies that moved.

    A body has moved if its position or its rotation differs from the noted one by more than the
    gate. The angle θ between two rotations follows from tr(R R_0ᵀ) = 1 + 2 cos θ.
    """
    for i in range(len(rows)):
        row = rows[i]
        turn, square, trace = turns[row], 0.0, 0.0
        for j in range(3):
            # Position: p = box centre − R · c, with c the box centre in the body's own frame.
            place = middles[row, j]
            for k in range(3):
                place -= turn[j, k] * centres[row, k]
                trace += turn[j, k] * noted_turns[row, j, k]
            poses[i, j] = place
            square += (place - noted[row, j]) ** 2
        set_quaternion(turn, poses[i])
        # Moved if |p − p_0| > gate, or if θ is above its gate (tr(R R_0ᵀ) below its limit).
        moved[i] |= square > gate * gate or trace < least_trace


@compiled("b1(f8[:], f8[:], f8, f8)")
def _is_still(one: Pose, other: Pose, gate: float, turn_gate: float) -> bool:
    """Whether a pose is within the gates of another: metres and radians."""
    square, angle = separation(one, other)
    return square <= gate * gate and angle <= turn_gate


@compiled(f"void({_MANY}, f8[:], {_MANY}, f8[:], b1[:], b1[:])")
def _find_close(
    shoulders: Floats, lengths: Floats, middles: Floats, radii: Floats, solid: Flags, close: Flags
) -> None:
    """Marks the solid bounding spheres that are within an arm's length of one of the shoulders."""
    for row in range(len(middles)):
        for limb in range(len(shoulders)):
            square = 0.0
            for k in range(3):
                square += (middles[row, k] - shoulders[limb, k]) ** 2
            # |m − s| ≤ length + radius, as squares.
            close[row] |= solid[row] and square <= (lengths[limb] + radii[row]) ** 2


@compiled(f"void(b1[:], b1[:], f8[:], {_MANY}, {_MANY}, b1[:,:])")
def _forget(
    rows: Flags, can: Flags, since: Floats, low: Floats, high: Floats, blockers: Flags
) -> None:
    """Marks rows as out of reach, and clears what their answers depend on."""
    for row in range(len(rows)):
        if rows[row]:
            can[row], since[row] = False, np.inf
            for k in range(3):
                low[row, k], high[row, k] = np.inf, -np.inf
            for other in range(len(rows)):
                blockers[row, other] = False


@compiled(
    f"void(intp[:], intp[:], {_MANY}, f8[:], b1[:], {_TURNS}, {_TURNS}, b1[:,:,:], f8, {_MANY})"
)
def _open(
    agents: Rows,
    rows: Rows,
    middles: Floats,
    radii: Floats,
    solid: Flags,
    low: Floats,
    high: Floats,
    blockers: Flags,
    now: float,
    since: Floats,
) -> None:
    """Opens the answers about changed rows, and those that the changed rows may affect."""
    for agent in agents:
        for other in range(len(middles)):
            for row in rows:
                # Squared distance from the sphere's centre to the box that the answer depends on.
                square = 0.0
                for k in range(3):
                    at = middles[row, k]
                    square += (min(max(at, low[agent, other, k]), high[agent, other, k]) - at) ** 2
                comes = solid[row] and square <= radii[row] ** 2
                # Open: the row itself, a body that touches the box, or a known obstacle.
                if row == other or comes or blockers[agent, other, row]:
                    since[agent, other] = min(since[agent, other], now)
