"""Actions: what somebody does to things, as it shows in where these are and in whose hands.

A thing rests on or in something, is up, or nobody knows. From the one to the other lead the
actions: a Pick ends a rest, a Place or a Put begins one, a Release is a fall out of a hand, and a
Handover goes from the hand of one agent to that of another. What a `Course` does not need to look
at, because it lies where it lay and no hand is about it, costs a comparison of arrays.

The road not taken is to wait for whole patterns (approach, grasp, lift): a hand that is tracked
badly, or not at all, would then do nothing.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.actions.courses import Course
from spatial_reasoner.geometry.poses import Floats, apply, inverse
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.relations import NOWHERE
from spatial_reasoner.values.glimpses import Action, Glimpse, Step
from spatial_reasoner.values.roster import Flags
from spatial_reasoner.values.tolerances import Tolerances

__all__ = ["Actions", "Witness"]

_Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """One world at one moment, as far as actions show in it; arrays have an entry for each row."""

    now: float
    pose: Floats
    centre: Floats
    bottom: Floats
    """How high the underside is."""
    raised: Floats
    """How much higher it is perceived."""
    reach: Floats
    """How far from its centre a thing goes."""
    movable: Flags
    """The things that can be acted on."""
    placed: Flags
    perceived: Flags
    """What is perceived, or was a moment ago."""
    last: Floats
    """When each was perceived last."""
    plausible: Flags
    on: _Rows
    """What each thing rests on; NOWHERE for none."""
    inside: _Rows
    """What each thing is in, the innermost; NOWHERE for none."""
    said: Flags
    """What is on or in what, (n, n), as it was told last."""
    holder: _Rows
    """The hand of each thing; NO_HAND for none."""
    unsure: Flags
    """What may be in its hand, or have been left: nothing is done before that is sure."""
    dropped: Flags
    """What was seen to fall out of a hand a moment ago."""
    brought: Flags
    """What was left by a hand that was out of sight with it."""
    passed: Floats
    """When each went over to its hand, if that is known from this moment on; else -inf."""
    hands: _Rows
    there: Flags
    """Which rows are perceived lately: a hand that is not there does nothing."""
    owner: _Rows
    """The agent of each part."""
    agents: int

    @property
    def place(self) -> _Rows:
        """What each thing is in, or else on."""
        return np.where(self.inside != NOWHERE, self.inside, self.on)


class Actions:
    """Recognises what is done in one world, each action once."""

    def __init__(self, tolerances: Tolerances) -> None:
        self._tolerances: Final = tolerances
        self._rest: _Rows = np.empty(0, dtype=np.intp)
        """What each thing rests on or in, as far as that is sure."""
        self._low: Floats = np.empty(0)
        """How high its underside was there at least, above the place's own height."""
        self._rested: Floats = np.empty(0)
        """When it rested last."""
        self._near: Floats = np.empty((0, 0))
        """When a hand of each agent was near to each thing last, (a, n)."""
        self._courses: Final[dict[int, Course]] = {}
        """Of what does not just lie there."""

    def notice(self, witness: Witness) -> list[Action]:
        """Takes in a moment; the actions that are sure by now, in the order in which they ended."""
        self._make_room(witness)
        self._look_for_hands(witness)
        place = witness.place
        about = witness.movable & witness.placed & ~witness.unsure
        is_held = witness.holder != NO_HAND
        lies = about & (place != NOWHERE) & (place == self._rest) & (witness.plausible | is_held)
        self._keep(np.flatnonzero(lies), witness)
        for row in [row for row in self._courses if lies[row] and not is_held[row]]:
            del self._courses[row]
        found = []
        for row in np.flatnonzero(about & ~(lies & ~is_held)).tolist():
            found += self._follow(row, int(place[row]), bool(lies[row]), witness)
        return sorted(found, key=lambda action: (action.end, action.thing))

    def adopt(self, row: int, other: int) -> None:
        """What was done to a row was done to another: they are one thing."""
        if max(row, other) >= len(self._rest):
            return
        for array in (self._rest, self._low, self._rested, self._near.T):
            array[other] = array[row]
        self._rest[self._rest == row] = other
        self._rest[row] = NOWHERE
        self._courses.pop(other, None)
        if row in self._courses:
            self._courses[other] = self._courses.pop(row)

    def _follow(self, row: int, place: int, lies: bool, witness: Witness) -> list[Action]:
        """What happens to a thing that is held, is up, or is not where it rested."""
        course = self._courses.setdefault(row, Course())
        glimpse = self._glimpse(row, place, witness)
        tolerances = self._tolerances
        step = Step(row, tolerances, lambda since: self._only_candidate(row, since))
        if lies:
            course.lie(glimpse)
        elif self._rest[row] != NOWHERE:
            rise = glimpse.bottom - witness.pose[self._rest[row], 2] - self._low[row]
            is_said = bool(witness.said[row, self._rest[row]])
            left = int(self._rest[row]), float(self._rested[row])
            told = course.leave(glimpse, step, left, float(rise), is_said)
            if told:
                self._rest[row] = NOWHERE
            elif course.lands(glimpse, tolerances):
                self._settle(row, glimpse, witness)
            return told
        elif course.is_up:
            told = course.stay_up(glimpse, step)
            if not course.is_up:
                self._settle(row, glimpse, witness)
            return told
        elif course.meet(glimpse, tolerances):
            self._settle(row, glimpse, witness)
        return []

    def _glimpse(self, row: int, place: int, witness: Witness) -> Glimpse:
        centre, hand = witness.centre[row], int(witness.holder[row])
        is_free = not witness.plausible[row] and hand == NO_HAND
        place = NOWHERE if is_free else place
        return Glimpse(
            witness.now, float(witness.last[row]), centre, float(witness.bottom[row]),
            bool(witness.perceived[row]),
            place, place != NOWHERE and bool(witness.inside[row] != NOWHERE),
            centre if place == NOWHERE else apply(inverse(witness.pose[place]), centre),
            hand, int(witness.owner[hand]) if hand != NO_HAND else NOWHERE,
            centre if hand == NO_HAND else apply(inverse(witness.pose[hand]), centre),
            bool(witness.dropped[row]), bool(witness.brought[row]),
            float(witness.last[hand]) if hand != NO_HAND else witness.now,
            float(witness.passed[row]),
        )  # fmt: skip

    def _settle(self, row: int, glimpse: Glimpse, witness: Witness) -> None:
        """From now on a thing rests where it is."""
        self._rest[row], self._low[row] = glimpse.place, np.inf
        self._keep(np.array([row]), witness)
        self._courses[row] = Course()
        self._courses[row].lie(glimpse)

    def _keep(self, rows: _Rows, witness: Witness) -> None:
        """Some things rest where they are, now."""
        height = witness.bottom[rows] + witness.raised[rows] - witness.pose[self._rest[rows], 2]
        self._low[rows] = np.minimum(self._low[rows], height)
        self._rested[rows] = witness.now

    def _only_candidate(self, row: int, since: float) -> int | None:
        """The one agent who has had a hand near to a thing since then; None for none or several."""
        near = np.flatnonzero(self._near[:, row] >= since - self._tolerances.around)
        return int(near[0]) if len(near) == 1 else None

    def _look_for_hands(self, witness: Witness) -> None:
        hands = witness.hands[(witness.there & witness.placed)[witness.hands]]
        if not hands.size:
            return
        away = np.linalg.norm(witness.pose[hands, None, :3] - witness.centre[None], axis=2)
        is_near = away <= witness.reach + self._tolerances.bystander
        for hand, near in zip(hands.tolist(), is_near & witness.placed, strict=True):
            self._near[witness.owner[hand], near] = witness.now

    def _make_room(self, witness: Witness) -> None:
        more = len(witness.pose) - len(self._rest)
        if more or witness.agents > len(self._near):
            new = witness.agents - len(self._near)
            self._rest = np.pad(self._rest, (0, more), constant_values=NOWHERE)
            self._low = np.pad(self._low, (0, more), constant_values=np.inf)
            self._rested = np.pad(self._rested, (0, more), constant_values=-np.inf)
            self._near = np.pad(self._near, ((0, new), (0, more)), constant_values=-np.inf)
