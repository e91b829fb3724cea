"""What one mind says of each thing that is missing: one reason, as steady as what else it tells.

Missing is a thing that was perceived once and is not for a second; parts of agents are not asked
about, nor what can't move. A reason once given stays for as long as the thing is missing, until
another one holds for a while. Nothing is asked while nothing changes.
"""

from typing import Final

import numpy as np

from spatial_reasoner.belief.explanations import NO_REASON, NUMBERS, Case, sought
from spatial_reasoner.belief.missing import Looked
from spatial_reasoner.belief.occluders import Occluders, points_of
from spatial_reasoner.belief.whereabouts import Whereabouts
from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.arrays import Codes, Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.relations.relations import Relations
from spatial_reasoner.relations.situation import FAMILIES
from spatial_reasoner.relations.viewpoint import in_field
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.roster import Roster

__all__ = ["Accounts"]

_NOBODY: Final[Rows] = np.empty(0, dtype=np.intp)
_INSTANT: Final = 1e-9
_KEYS: Final = {number: key for key, number in NUMBERS.items()}
_UNKNOWN: Final = NUMBERS["unknown"]
_OUT: Final = NUMBERS["out of view"]
_ALL: Final = np.array([None, *NUMBERS])
_IN: Final[Flags] = np.isin(_ALL, ("occluded", "behind agent"))
_CARRIED: Final[Flags] = np.isin(_ALL, ("carried in", "carried on"))
_DISPLACED: Final[Flags] = _CARRIED | np.isin(_ALL, ("fallen", "dropped", "slid"))
"""Whether a number, NO_REASON the first, is one of these."""


class Accounts(Columns):
    """The reasons of one world; `told` has the truths of their families, not to be changed."""

    _reason: Codes = column(np.int8(NO_REASON))
    _named: Rows = column(0)
    """What the reason of each row names."""
    _other: Codes = column(np.int8(NO_REASON))
    """What else seems to be the reason, what that names, and since when."""
    _other_named: Rows = column(0)
    _since: Floats = column(0.0)

    def __init__(self, roster: Roster, tolerances: Tolerances) -> None:
        super().__init__()
        self.told: Final[dict[str, Flags]] = {}
        self.occluders: Final = Occluders()
        self._roster: Final = roster
        self._tolerances: Final = tolerances
        self._whereabouts: Final = Whereabouts()
        self._has_any = False
        """Whether a reason was given, or is about to be."""
        self._movable: Flags = np.empty(0, dtype=bool)
        self._known: tuple[bytes, ...] = ()
        """What the last reasons depended on, and the relations."""
        self._relations: Relations | None = None
        self._make_room()

    def seek(
        self, world: World, relations: Relations, looked: Looked | None, last: Floats,
        brought: Flags, now: float,
    ) -> None:  # fmt: skip
        """A new moment: what is on and in what, what its owner saw (None if he does not look), the
        poses when it began, and what hands left somewhere out of sight."""
        self._make_room()
        self._whereabouts.follow(world, relations, last, brought, now)
        rows = self._missing(world, now)
        is_news = self._end(rows)
        if looked is None:
            self._other[rows] = NO_REASON
        elif rows.size:
            is_news |= self._look(world, relations, looked, rows, now)
        if is_news:
            self._tell()

    def adopt(self, row: int, other: int, poses: Floats) -> None:
        """What was told of a row is from now on told of another: they are one thing."""
        self._make_room()
        self._whereabouts.adopt(row, other, poses)
        if (self._reason[[row, other]] == NO_REASON).all() and row not in self._named:
            return
        self._reason[other], self._named[other] = self._reason[row], self._named[row]
        self._named[self._named == row] = other
        self._has_any = True
        self._reason[row] = self._other[row] = self._other[other] = NO_REASON
        self._tell()

    def _missing(self, world: World, now: float) -> Rows:
        """What is missing; most of the time that is nothing."""
        found = np.zeros(len(world.seen), dtype=bool)
        long_ago = now - self._tolerances.missing + _INSTANT
        if _find_missing(world.seen, world.known, world.fresh, self._movable, long_ago, found):
            return np.flatnonzero(found)
        return _NOBODY

    def _end(self, rows: Rows) -> bool:
        """What is not missing any more needs no reason; whether one was told."""
        if not self._has_any:
            return False
        given = (self._reason != NO_REASON) | (self._other != NO_REASON)
        self._has_any = bool(given.any())
        given[rows] = False
        was_told = bool(self._reason[given].any())
        self._reason[given] = self._other[given] = NO_REASON
        return was_told

    def _look(
        self, world: World, relations: Relations, looked: Looked, rows: Rows, now: float
    ) -> bool:
        """Seeks the reasons of what is missing; whether any is new."""
        origin, holder = self._whereabouts.origin[rows], world.holding.holder[rows]
        each = rows, looked.in_view[rows], looked.shows[rows], holder, origin
        around = world.pose.tobytes() + world.placed.tobytes()
        known = (around, *(array.tobytes() for array in each))
        is_same = known == self._known and relations is self._relations
        if is_same and not self.occluders.has_waiting and not self._other[rows].any():
            return False
        self._known, self._relations = known, relations
        case = self._case(world, looked, rows)
        starts = np.where(case.went[:, None], self._whereabouts.start(rows), np.nan)
        hider = self.occluders.hiding(
            world, case.owner, rows, case.needs_hider, starts, around, now
        )
        return self._settle(rows, *sought(case, hider), now)

    def _case(self, world: World, looked: Looked, rows: Rows) -> Case:
        """What is known; what was told holds on to it a little."""
        reason, where, placed = self._reason[rows], self._whereabouts, world.placed[rows]
        owner = self._roster.agent_index[world.owner]
        is_out = ~looked.in_view[rows] & placed
        is_hidden = ~(looked.in_view[rows] & looked.shows[rows]) & placed
        edge = self._tolerances.field_edge
        came, went = ~is_out & (reason == _OUT), is_out & _IN[reason]
        for k in np.flatnonzero(is_hidden & (came | went)).tolist():
            is_out[k] = _is_out(world, owner, int(rows[k]), edge if is_out[k] else -edge)
        begins, lets_go = self._tolerances.displaced
        displaced, carried = (
            np.where(told[reason], lets_go, begins) for told in (_DISPLACED, _CARRIED)
        )
        is_displaced = where.displaced(world.pose, rows, displaced)
        was_out = is_out.copy()
        for k in np.flatnonzero(is_out & is_displaced).tolist():
            wider = -edge if reason[k] == _OUT else edge
            was_out[k] = _are_out(world, owner, where.start(rows[k : k + 1]), wider)
        return Case(
            world, rows, owner, is_hidden, is_out, was_out, is_displaced,
            where.carried(world.pose, rows, carried),
            where.base[rows], where.is_in[rows], where.origin[rows],
        )  # fmt: skip

    def _settle(self, rows: Rows, reasons: Codes, named: Rows, now: float) -> bool:
        """Gives the first reason at once, and another one when it has held for long enough.

        What has no place was looked for long enough. Whether anything is new.
        """
        told = self._reason[rows]
        is_other = (reasons != NO_REASON) & ((reasons != told) | (named != self._named[rows]))
        goes_on = (reasons == self._other[rows]) & (named == self._other_named[rows])
        since = np.where(goes_on, self._since[rows], now)
        lasted = now - since >= self._tolerances.other_reason - _INSTANT
        changes = is_other & (lasted | (told == NO_REASON) | (reasons == _UNKNOWN))
        self._other[rows] = np.where(is_other & ~changes, reasons, NO_REASON)
        self._other_named[rows], self._since[rows] = named, since
        self._has_any |= bool(is_other.any())
        self._reason[rows[changes]] = reasons[changes]
        self._named[rows[changes]] = named[changes]
        return bool(changes.any())

    def _tell(self) -> None:
        """Puts the reasons into the arrays of their families; those that are as before stay."""
        told = {key: np.zeros(FAMILIES[key].shape(self._roster), dtype=bool) for key in NUMBERS}
        for row in np.flatnonzero(self._reason).tolist():
            key, named = _KEYS[int(self._reason[row])], int(self._named[row])
            family = FAMILIES[key]
            if len(family.axes) == 1:
                told[key][row] = True
            else:
                told[key][(named, row) if family.is_turned else (row, named)] = True
        for key, array in told.items():
            before = self.told.get(key)
            if before is None or not np.array_equal(before, array):
                self.told[key] = array

    def _make_room(self) -> None:
        if len(self) == len(self._roster):
            return
        self.grow(rows=len(self._roster))
        self._movable = self._roster.is_thing & ~self._roster.is_static
        self._tell()


def _is_out(world: World, owner: int, row: int, wider: float) -> bool:
    """Whether all of a thing is out of a field of view that is wider, or narrower, than it is."""
    return _are_out(world, owner, points_of(world, row, world.pose[row]), wider)


def _are_out(world: World, owner: int, points: Floats, wider: float) -> bool:
    """Whether no point is in such a field of view."""
    roster = world.roster
    eye, fov = world.pose[roster.heads[owner]], roster.agents[owner].fov
    return not in_field(eye, fov, points, wider).any()


@compiled("b1(f8[:], b1[:], b1[:], b1[:], f8, b1[:])")
def _find_missing(
    seen: Floats, known: Flags, fresh: Flags, movable: Flags, long_ago: float, missing: Flags
) -> bool:
    """Sets what was perceived once, and long ago; whether anything was."""
    some = False
    for row in range(len(seen)):
        late = -np.inf < seen[row] <= long_ago
        missing[row] = late and known[row] and movable[row] and not fresh[row]
        some |= missing[row]
    return some
