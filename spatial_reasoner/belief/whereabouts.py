"""Where the things of one world were when they were last perceived or held, and on or in what.

What is missing may have been displaced since, as it fell, was pushed or went along with what it is
in: that is told from where it was by where it is. All is written down while things are perceived,
for who asks later can't look back.
"""

from typing import Final

import numpy as np

from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.kernels.compiled import GIVEN_LINE, compiled
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.relations import Relations

__all__ = ["NOTHING", "Whereabouts"]

NOTHING: Final = -1
_JUST: Final = 0.5
"""What a thing was seen to rest on so lately it has fallen from: from a table that takes 0.4 s."""
_LIES: Final = 0.1
"""Seconds: what a hand left somewhere, and is there for so long, is known to be there."""
_EMPTY: Final = {
    "base": NOTHING, "is_in": False, "origin": NOTHING, "_carrier": NOTHING, "_loose": np.inf,
    "_put": np.inf, "_fresh": False, "_held": False,
}  # fmt: skip
"""What is so of a new row."""


class Whereabouts:
    """Of each row where it began to be out of sight; rows are numbers, NOTHING where there is none.

    `base` is the container that it is in now (`is_in`), else the support it is on; `origin` the
    base or the hand that it had last when it was perceived or held, unless it was seen without for
    a while; or what a hand left it in or, out of sight, on.
    """

    def __init__(self) -> None:
        self.base: Rows = np.empty(0, dtype=np.intp)
        self.is_in: Flags = np.empty(0, dtype=bool)
        self.origin: Rows = np.empty(0, dtype=np.intp)
        self._start: Floats = np.empty((0, 3))
        self._carrier: Rows = np.empty(0, dtype=np.intp)
        """The base that it has had since it was perceived or came there unseen."""
        self._carrier_start: Floats = np.empty((0, 3))
        self._loose: Floats = np.empty(0)
        """Since when it is seen to rest on nothing; infinite for what does not."""
        self._put: Floats = np.empty(0)
        """Since when what a hand left lies there unseen; infinite for what does not."""
        self._fresh: Flags = np.empty(0, dtype=bool)
        self._held: Flags = np.empty(0, dtype=bool)
        self._relations: Relations | None = None
        self._now = -np.inf

    def follow(
        self, world: World, relations: Relations, last: Floats, brought: Flags, now: float
    ) -> None:
        """Takes in what is on and in what now, and what hands `brought` there out of sight; `last`
        are the poses when this moment began."""
        self._grow(len(world.known))
        holder, is_new = world.holding.holder, relations is not self._relations
        left, came, handled = _turns(world.fresh, self._fresh, holder, self._held)
        if left:
            self._leave(np.flatnonzero(self._fresh & ~world.fresh), last)
        if is_new:
            radii = world.roster.radii
            _find_bases(relations.on, relations.inside, radii, self.base, self.is_in)
        if (is_new or came) and _rest(
            world.fresh, self.base, now, self.origin, self._loose, self._carrier
        ):
            self._come(world)
        if handled:
            self._handle(world, holder != NO_HAND)
        self._fresh[:] = world.fresh
        self._relations, self._now = relations, now
        if world.roster.is_part[self.origin].any() or brought.any():
            self._rest_left(world, brought)

    def adopt(self, row: int, other: int, poses: Floats) -> None:
        """What was so of a row is from now on so of another, which is where it was."""
        self._grow(len(poses))
        for name in (*_EMPTY, "_start", "_carrier_start"):
            array = getattr(self, name)
            array[other] = array[row]
        for bases in (self.base, self.origin, self._carrier):
            bases[bases == row] = other
        if self._fresh[row]:
            self._leave(np.array([other]), poses)
        self._fresh[[row, other]] = False

    def start(self, rows: Rows) -> Floats:
        """Where some rows were when they were last perceived or held."""
        start: Floats = self._start[rows]
        return start

    def displaced(self, poses: Floats, rows: Rows, least: Floats) -> Flags:
        """Which of some rows are at least so far from where they were perceived or held."""
        return _far(poses[rows, :3] - self._start[rows], least)

    def carried(self, poses: Floats, rows: Rows, least: Floats) -> Flags:
        """Which of some rows are on or in what has moved so far since they came there."""
        base = self.base[rows]
        is_carrier: Flags = (base != NOTHING) & (base == self._carrier[rows])
        return is_carrier & _far(poses[base, :3] - self._carrier_start[rows], least)

    def _leave(self, rows: Rows, last: Floats) -> None:
        """Some rows are not perceived any more: what was so a moment ago is kept."""
        self._start[rows] = last[rows, :3]
        self._carry(rows, self.base[rows], last)
        self.origin[rows[self._now - self._loose[rows] > _JUST]] = NOTHING

    def _carry(self, rows: Rows, bases: Rows, poses: Floats) -> None:
        self._carrier[rows] = bases
        self._carrier_start[rows] = poses[bases, :3]

    def _come(self, world: World) -> None:
        """What is not perceived has come somewhere else."""
        come = ~world.fresh & (self.base != NOTHING) & (self.base != self._carrier)
        rows = np.flatnonzero(come)
        self._carry(rows, self.base[rows], world.pose)

    def _rest_left(self, world: World, brought: Flags) -> None:
        """What a hand left in a container, or brought somewhere out of sight, and lies there for a
        while, is known to be there: nobody has to find out how it came off that hand."""
        held = world.holding.holder != NO_HAND
        base = self.base
        from_hand = (self.origin != NOTHING) & world.roster.is_part[self.origin]
        lies = from_hand & self.is_in | brought & (from_hand | (base == self.origin))
        lies &= (base != NOTHING) & (base == self._carrier) & ~held & ~world.fresh
        self._put[~lies] = np.inf
        self._put[lies] = np.minimum(self._put[lies], self._now)
        rests = lies & (self._now - self._put >= _LIES)
        if rests.any():
            self.origin[rests], self._start[rests] = base[rests], world.pose[rests, :3]

    def _handle(self, world: World, held: Flags) -> None:
        """What is in a hand, or was until now, is where that has it."""
        self.origin[held], self._loose[held] = world.holding.holder[held], np.inf
        handled = held | self._held
        self._start[handled] = world.pose[handled, :3]
        rows = np.flatnonzero(handled)
        self._carry(rows, self.base[rows], world.pose)
        self._held[:] = held

    def _grow(self, count: int) -> None:
        more = count - len(self._start)
        if not more:
            return
        for name, fill in _EMPTY.items():
            setattr(self, name, np.pad(getattr(self, name), (0, more), constant_values=fill))
        for name in ("_start", "_carrier_start"):
            setattr(self, name, np.pad(getattr(self, name), [(0, more), (0, 0)]))
        self._relations = None


def _far(ways: Floats, least: Floats) -> Flags:
    far: Flags = np.sqrt((ways * ways).sum(axis=1)) >= least
    return far


@compiled("UniTuple(b1, 3)(b1[:], b1[:], intp[:], b1[:])")
def _turns(fresh: Flags, was_fresh: Flags, holder: Rows, was_held: Flags) -> tuple[bool, ...]:
    """Whether some row is not perceived any more, is perceived again, and is or was in a hand."""
    left = came = handled = False
    for row in range(len(fresh)):
        left |= was_fresh[row] and not fresh[row]
        came |= fresh[row] and not was_fresh[row]
        handled |= was_held[row] or holder[row] >= 0
    return left, came, handled


@compiled(f"void(b1[:,:], b1[:,:], {GIVEN_LINE}, intp[:], b1[:])")
def _find_bases(on: Flags, inside: Flags, radii: Floats, base: Rows, is_in: Flags) -> None:
    """Sets what each row is in, the smallest of several, or else on."""
    for row in range(len(base)):
        base[row], is_in[row] = -1, False
        for other in range(len(base)):
            if inside[row, other]:
                if not is_in[row] or radii[other] < radii[base[row]]:
                    base[row] = other
                is_in[row] = True
            elif on[row, other] and base[row] < 0:
                base[row] = other


@compiled("b1(b1[:], intp[:], f8, intp[:], f8[:], intp[:])")
def _rest(fresh: Flags, base: Rows, now: float, origin: Rows, loose: Floats, carrier: Rows) -> bool:
    """What is perceived rests where it does; whether something else has come somewhere unseen."""
    has_come = False
    for row in range(len(fresh)):
        if not fresh[row]:
            has_come |= base[row] >= 0 and base[row] != carrier[row]
        elif base[row] >= 0:
            origin[row], loose[row] = base[row], np.inf
        else:
            loose[row] = min(loose[row], now)
    return has_come
