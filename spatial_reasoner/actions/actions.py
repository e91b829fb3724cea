"""Recognises actions: from the poses of objects over time, and from the hands that hold them.

An object is in one of three states: at rest on or in something, up (off its rest), or unknown.
Actions are transitions:

| action | transition |
|---|---|
| Pick | a rest ends |
| Place, Put | a rest on a support or in a container begins |
| Release | the object falls out of a hand |
| Handover | the object passes from the hand of one agent to that of another |

An object that lies where it lay, and that no hand holds, costs only a comparison of arrays. All
other objects are followed by a `Manipulation`.

The road not taken: to recognise whole patterns (approach, grasp, lift). A hand that is tracked
badly, or not at all, would then do nothing.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.actions.manipulation import Manipulation
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.geometry.poses import apply, inverse
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.relations import NOWHERE
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.action_recognition import Action, ObjectSample, Step

__all__ = ["Actions", "Witness"]


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """One world at one time, as far as actions depend on it; arrays have one entry per row."""

    now: float
    pose: Floats
    centre: Floats
    bottom: Floats
    """Height of the underside."""
    raised: Floats
    """How much higher the object is perceived than believed."""
    reach: Floats
    """Radius of each object about its centre."""
    movable: Flags
    """The objects that can be acted on."""
    placed: Flags
    perceived: Flags
    """Objects that are observed, or were a moment ago."""
    last: Floats
    """Time of the last percept."""
    plausible: Flags
    on: Rows
    """The support of each object; NOWHERE if none."""
    inside: Rows
    """The innermost container of each object; NOWHERE if none."""
    said: Flags
    """The asserted relations on and in, (n, n)."""
    holder: Rows
    """The hand that holds each object; NO_HAND if none."""
    unsure: Flags
    """Objects that may or may not be in their hand: no action is recognised until that is sure."""
    dropped: Flags
    """Objects that were observed to fall out of a hand a moment ago."""
    brought: Flags
    """Objects that an occluded hand left behind."""
    passed: Floats
    """When each object passed to its hand, if that is known from this tick on; else -inf."""
    hands: Rows
    there: Flags
    """Rows that were observed recently: a hand that is not there does not act."""
    owner: Rows
    """The agent of each body part."""
    agents: int

    @property
    def place(self) -> Rows:
        """The container of each object, or else its support."""
        return np.where(self.inside != NOWHERE, self.inside, self.on)


class Actions(Columns):
    """Recognises the actions in one world, each of them once."""

    _rest: Rows = column(NOWHERE, names_rows=True)
    """The support or container of each object, as far as it is sure."""
    _low: Floats = column(np.inf)
    """Least height of its underside there, relative to the support or container."""
    _rested: Floats = column(-np.inf)
    """When it rested last."""
    _near: Floats = column(-np.inf, "agents", "rows")
    """When a hand of each agent was last near each object."""

    def __init__(self, tolerances: Tolerances) -> None:
        super().__init__()
        self._tolerances: Final = tolerances
        self._manipulations: Final[dict[int, Manipulation]] = {}
        """The courses of objects that do not just lie there."""

    def notice(self, witness: Witness) -> list[Action]:
        """Takes in one tick; returns the actions that are sure by now, in the order in which
        they ended."""
        self.grow(rows=len(witness.pose), agents=witness.agents)
        self._look_for_hands(witness)
        place = witness.place
        about = witness.movable & witness.placed & ~witness.unsure
        is_held = witness.holder != NO_HAND
        lies = about & (place != NOWHERE) & (place == self._rest) & (witness.plausible | is_held)
        self._keep(np.flatnonzero(lies), witness)
        for row in [row for row in self._manipulations if lies[row] and not is_held[row]]:
            del self._manipulations[row]
        found = []
        for row in np.flatnonzero(about & ~(lies & ~is_held)).tolist():
            found += self._follow(row, int(place[row]), bool(lies[row]), witness)
        return sorted(found, key=lambda action: (action.end, action.thing))

    def adopt(self, row: int, other: int) -> None:
        """Merges a row into another: they are one object."""
        if max(row, other) >= len(self):
            return
        self.rename(row, other)
        self._rest[row] = NOWHERE
        self._manipulations.pop(other, None)
        if row in self._manipulations:
            self._manipulations[other] = self._manipulations.pop(row)

    def _follow(self, row: int, place: int, lies: bool, witness: Witness) -> list[Action]:
        """Follows an object that is held, is up, or is not where it rested."""
        manipulation = self._manipulations.setdefault(row, Manipulation())
        sample = self._sample(row, place, witness)
        tolerances = self._tolerances
        step = Step(row, tolerances, lambda since: self._only_candidate(row, since))
        if lies:
            manipulation.lie(sample)
        elif self._rest[row] != NOWHERE:
            rise = sample.bottom - witness.pose[self._rest[row], 2] - self._low[row]
            is_said = bool(witness.said[row, self._rest[row]])
            left = int(self._rest[row]), float(self._rested[row])
            recognised = manipulation.leave(sample, step, left, float(rise), is_said)
            if recognised:
                self._rest[row] = NOWHERE
            elif manipulation.lands(sample, tolerances):
                self._settle(row, sample, witness)
            return recognised
        elif manipulation.is_up:
            recognised = manipulation.stay_up(sample, step)
            if not manipulation.is_up:
                self._settle(row, sample, witness)
            return recognised
        elif manipulation.meet(sample, tolerances):
            self._settle(row, sample, witness)
        return []

    def _sample(self, row: int, place: int, witness: Witness) -> ObjectSample:
        centre, hand = witness.centre[row], int(witness.holder[row])
        is_free = not witness.plausible[row] and hand == NO_HAND
        place = NOWHERE if is_free else place
        return ObjectSample(
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

    def _settle(self, row: int, sample: ObjectSample, witness: Witness) -> None:
        """From now on the object rests where it is."""
        self._rest[row], self._low[row] = sample.place, np.inf
        self._keep(np.array([row]), witness)
        self._manipulations[row] = Manipulation()
        self._manipulations[row].lie(sample)

    def _keep(self, rows: Rows, witness: Witness) -> None:
        """Notes that some objects rest where they are, at this time."""
        height = witness.bottom[rows] + witness.raised[rows] - witness.pose[self._rest[rows], 2]
        self._low[rows] = np.minimum(self._low[rows], height)
        self._rested[rows] = witness.now

    def _only_candidate(self, row: int, since: float) -> int | None:
        """The only agent with a hand near an object since a time; None if none or several."""
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
