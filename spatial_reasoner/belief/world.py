"""What one mind believes is where: a row for each thing and each part of an agent.

A world is told what its owner perceives (`absorb`), whoever that is; all worlds are alike. What is
not perceived stays where it was last believed to be, until somebody finds out that it isn't there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column, enlarged
from spatial_reasoner.geometry.poses import IDENTITY, Pose, compose, inverse
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.relations.hands import NO_HAND, Holding
from spatial_reasoner.relations.viewpoint import fronts
from spatial_reasoner.values.delta import BelievedPose
from spatial_reasoner.values.roster import Roster
from spatial_reasoner.values.uncertainty import UNTOLD

__all__ = ["NEVER", "TOGETHER", "Sensed", "World"]

NEVER: Final = -np.inf
TOGETHER: Final = 0.25
"""Seconds: an object went out of view together with its hand if it was lost at most this time
before the hand."""
_CROWN: Final = 0.12
"""How high above the eyes a head ends."""


@dataclass(frozen=True, slots=True, eq=False)
class Sensed:
    """What an agent perceives at one moment: rows, each at a pose, and the joints of some.

    `poses` are to be believed; `raw` are the percepts behind them, where these are others.
    """

    rows: Rows
    poses: Floats
    raw: Floats | None = None
    seen: Floats | float | None = None
    """When that was perceived, if not now."""
    joints: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    plausible: Flags | bool = True
    """Whether each would stay there."""
    cov: Floats | None = None
    """How sure the poses are (k, 6, 6); NaN for those of which nobody told that."""


class World(Columns):
    """The beliefs of one mind; `name` is that of its model, `owner` the agent whose mind it is.

    `known` rows have entered, `placed` ones have a place; `seen` is when a percept of a row last
    came. Since the last `begin`, `entered` rows are new, and percepts came of `fresh` ones.

    How sure poses are says `cov` (n, 6, 6), of x, y, z and of the rotation about them: by what was
    `told` of a row, else as trackers jitter; less sure the longer nobody perceives it.
    """

    pose: Floats = column(IDENTITY)
    perceived: Floats = column(IDENTITY)
    seen: Floats = column(NEVER)
    known: Flags = column(False)
    placed: Flags = column(False)
    entered: Flags = column(False)
    fresh: Flags = column(False)
    plausible: Flags = column(True)
    """What would stay where it is believed to be, for all that is known."""
    cov: Floats = column(UNTOLD)
    told: Flags = column(False)

    def __init__(self, name: str, roster: Roster) -> None:
        super().__init__(rows=len(roster))
        self.name: Final = name
        self.owner: Final = name.rpartition(".")[2]
        self.roster: Final = roster
        self.holding = Holding.none(len(roster))
        self.idle: set[int] = set()
        """Hands that are known to hold nothing, whatever is near them."""
        self.shapes: list[Shape | None] = [
            roster.shape(row) for row in range(len(roster))
        ]
        self.joints: dict[int, Mapping[str, float]] = {}

    def begin(self) -> None:
        """A new moment: nobody has entered in it yet, and nothing is perceived."""
        self.make_room()
        self.entered[:] = self.fresh[:] = False

    def make_room(self) -> None:
        """Room for rows that are new."""
        known, count = len(self.shapes), len(self.roster)
        if known < count:
            self.grow(rows=count)
            self.holding = self.holding.grown(count)
            self.shapes += [self.roster.shape(row) for row in range(known, count)]

    @property
    def last(self) -> tuple[Floats, Flags]:
        """Where all is, to be compared with later."""
        return self.pose.copy(), self.placed.copy()

    def changed_since(self, last: tuple[Floats, Flags]) -> Flags:
        """The rows that have come, gone or moved."""
        pose, placed = self.as_large(last)
        changed: Flags = (self.pose != pose).any(axis=1) | (self.placed != placed)
        return changed & self.known

    def as_large(self, last: tuple[Floats, Flags]) -> tuple[Floats, Flags]:
        """Where all was, with room for rows that came since: these were nowhere."""
        pose, placed = last
        return enlarged(pose, self.pose.shape), enlarged(placed, self.placed.shape)

    def place(self, row: int) -> BelievedPose:
        """Where a row is believed to be, and was perceived."""
        is_perceived = self.seen[row] != NEVER
        return BelievedPose(
            self.pose[row].copy() if self.placed[row] else None,
            self.perceived[row].copy() if is_perceived else None,
            float(self.seen[row]) if is_perceived else None,
            self.cov[row].copy() if self.told[row] and self.placed[row] else None,
        )

    def absorb(self, sensed: Sensed, now: float) -> None:
        """Believes what is perceived, where it is perceived."""
        rows = sensed.rows
        self.entered[rows] |= ~self.known[rows]
        self.known[rows] = True
        self.placed[rows] = True
        self.pose[rows] = sensed.poses
        self.perceived[rows] = sensed.poses if sensed.raw is None else sensed.raw
        self.seen[rows] = now if sensed.seen is None else sensed.seen
        self.fresh[rows] = True
        self.plausible[rows] = sensed.plausible
        self._doubt(rows, sensed.cov)
        for row, joints in sensed.joints.items():
            self.bend(row, joints)

    def _doubt(self, rows: Rows, cov: Floats | None) -> None:
        """Takes over how sure some rows are; who is told nothing of it keeps what was told."""
        if cov is None:
            self.cov[rows[~self.told[rows]]] = UNTOLD
            return
        is_told: Flags = ~np.isnan(cov[:, 0, 0])
        self.told[rows] = is_told
        self.cov[rows] = np.where(is_told[:, None, None], cov, UNTOLD)

    def put(self, row: int, pose: Pose) -> None:
        """Believes a row to be somewhere without a percept: the scene says so."""
        self.entered[row] |= not self.known[row]
        self.known[row] = self.placed[row] = True
        self.pose[row] = pose

    def bend(self, row: int, joints: Mapping[str, float]) -> None:
        """Believes the joints of a thing to stand so."""
        entity = self.roster.entities[row]
        joints = {**self.joints.get(row, {}), **joints}
        if entity and entity.articulated and joints != self.joints.get(row):
            self.joints[row] = joints
            self.shapes[row] = entity.articulated.shape(joints)

    def lose(self, rows: Flags) -> None:
        """No longer believes rows to be where they were; that they exist stays."""
        self.placed &= ~rows
        self.cov[rows], self.told[rows] = UNTOLD, False
        self.holding.holder[rows] = NO_HAND

    def carry(self, stays: Flags) -> Rows:
        """What is held and not perceived at this moment goes where its hand goes, or `stays`; the
        rows that went.

        While the hand isn't perceived either, it stays: it may have gone deeper than the hand was
        last seen, as into a box. What was perceived about as lately as its hand stays where it was.
        """
        holder = self.holding.holder
        is_nowhere = ~self.placed[holder] & (self.seen[holder] > self.seen + TOGETHER)
        follows = ~self.fresh & ~stays & (self.fresh[holder] | is_nowhere)
        rows, poses = self.holding.carried(self.pose, follows)
        self.pose[rows] = poses
        self.placed[rows] = self.placed[holder[rows]]
        return rows

    def bring_hands(self) -> None:
        """A hand that is not perceived is where what it holds is perceived, and may hide it."""
        holder = self.holding.holder
        held = np.flatnonzero((holder != NO_HAND) & self.fresh)
        for row in held[~self.fresh[holder[held]]].tolist():
            self.pose[holder[row]] = compose(self.pose[row], inverse(self.holding.grip[row]))

    def embody(self) -> None:
        """Bodies go where their heads go: upright under them, whichever way these lean."""
        for agent, row in self.roster.bodies.items():
            head, shape = self.roster.heads[agent], self.shapes[row]
            self.placed[row] = self.placed[head]
            if shape is not None and self.placed[head]:
                self.pose[row] = _under(self.pose[head], shape)

    def adopt(self, row: int, other: int) -> None:
        """What was believed of a row is from now on of another: they are one thing."""
        self.rename(row, other)
        held = self.holding
        held.holder[other], held.grip[other] = held.holder[row], held.grip[row]
        self.entered[row] = self.entered[other] = True
        self.known[row] = self.placed[row] = self.fresh[row] = False
        self.plausible[row] = True
        self.seen[row], held.holder[row] = NEVER, NO_HAND
        self.cov[row], self.told[row] = UNTOLD, False


def _under(head: Pose, shape: Shape) -> Pose:
    """Where a body stands whose eyes are there: its crown is a little above them."""
    front, is_clear = fronts(head[None])
    turn = np.arctan2(front[0, 1], front[0, 0]) / 2 if is_clear[0] else 0.0
    height = head[2] + _CROWN - shape.centre[2] - shape.half[2]
    return np.array([head[0], head[1], height, 0.0, 0.0, np.sin(turn), np.cos(turn)])
