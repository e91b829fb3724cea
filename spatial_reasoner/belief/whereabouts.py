"""Where the things of one world were when they were last perceived or held, and on or in what.

What is missing may have been displaced since, as it fell, was pushed or went along with what it is
in: that is told from where it was by where it is. All is written down while things are perceived,
for who asks later can't look back.
"""

from typing import Final

import numpy as np

from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.kernels.compiled import GIVEN_LINE, compiled
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.relations import Relations

__all__ = ["NOTHING", "Whereabouts"]

NOTHING: Final = -1
_JUST: Final = 0.5
"""What a thing was seen to rest on so lately it has fallen from: from a table that takes 0.4 s."""
_LIES: Final = 0.1
"""Seconds: what a hand left somewhere, and is there for so long, is known to be there."""


class Whereabouts(Columns):
    """Of each row where it began to be out of sight; rows are numbers, NOTHING where there is none.

    `base` is the container that it is in now (`is_in`), else the support it is on; `origin` the
    base or the hand that it had last when it was perceived or held, unless it was seen without for
    a while; or what a hand left it in or, out of sight, on.
    """

    base: Rows = column(NOTHING, names_rows=True)
    is_in: Flags = column(False)
    origin: Rows = column(NOTHING, names_rows=True)
    _start: Floats = column(np.zeros(3))
    _carrier: Rows = column(NOTHING, names_rows=True)
    """The base that it has had since it was perceived or came there unseen."""
    _carrier_start: Floats = column(np.zeros(3))
    _loose: Floats = column(np.inf)
    """Since when it is seen to rest on nothing; infinite for what does not."""
    _put: Floats = column(np.inf)
    """Since when what a hand left lies there unseen; infinite for what does not."""
    _fresh: Flags = column(False)
    _held: Flags = column(False)

    def __init__(self) -> None:
        super().__init__()
        self._relations: Relations | None = None
        self._now = -np.inf

    def follow(
        self, world: World, relations: Relations, last: Floats, brought: Flags, now: float
    ) -> None:
        """Takes in what is on and in what now, and what hands `brought` there out of sight; `last`
        are the poses when this moment began."""
        self._make_room(len(world.known))
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
        self._make_room(len(poses))
        self.rename(row, other)
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

    def _make_room(self, count: int) -> None:
        if len(self) < count:
            self.grow(rows=count)
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
