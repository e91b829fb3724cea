"""The manipulation of one object by hands: which actions happen to it, and when.

- An object is with its hand while its pose in the hand is the same as at the grasp.
- It has left the hand when that pose changes, or when no hand holds it any more.
- It was released if it is then lower than before.
- An object that stays in the air without a hand is held by a hand that is not observed.
"""

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.relations import NOWHERE
from spatial_reasoner.tolerances.tolerances import GRAVITY, Tolerances
from spatial_reasoner.tolerances.units import Numeric
from spatial_reasoner.values.action_recognition import Action, ActionKind, ObjectSample, Step

__all__ = ["Manipulation"]

_ROUNDING: Final[Numeric] = 1e-4
"""Seconds: rounding error of differences of times; purely numeric."""


@dataclass(slots=True)
class _Grasp:
    """The last hand that held the object: owner, pose in the hand, time and height."""

    hand: int
    owner: int
    grip: Floats
    since: float
    centre: Floats
    """The position of the object when this grasp began."""
    together: float
    height: float
    close: ObjectSample
    """The last glimpse in which the object had not slipped."""

    @classmethod
    def of(cls, seen: ObjectSample) -> "_Grasp":
        """The grasp of the hand that holds the object now."""
        hand, owner, grip, now, height = seen.hand, seen.owner, seen.grip, seen.now, seen.bottom
        return cls(hand, owner, grip, now, seen.centre, now, height, close=seen)


@dataclass(slots=True)
class _Visit:
    """A stay of an object at a place: from when to when, and at which spot."""

    place: int = NOWHERE
    since: float = np.inf
    until: float = -np.inf
    spot: Floats = field(default_factory=lambda: np.full(3, np.inf))


@dataclass(slots=True)
class Manipulation:
    """The motion of one object from one rest to the next."""

    is_up: bool = False
    """Whether it is off its rest, in a hand."""
    grasp: _Grasp | None = None
    risen: float = np.inf
    """Since when it is clearly off its rest."""
    taker: int = NO_HAND
    taken: float = np.inf
    """The hand that takes it over, and since when."""
    fell: float = np.inf
    """Since when it falls."""
    is_released: bool = False
    in_air: float = -np.inf
    """When it was last up without a support or a container."""
    carried: _Visit = field(default_factory=_Visit)
    """The last place that it was at in its hand."""
    landing: _Visit = field(default_factory=_Visit)
    perceived: float = -np.inf
    """Time of its last percept."""
    found: float = -np.inf
    """When it was observed again, at rest, after a long occlusion."""
    astray: float = -np.inf
    """When it was last in a hand that had not been observed for long."""
    was_astray: bool = False
    """Whether that was so before it was found."""
    seen: tuple[float, float] = (np.inf, np.inf)
    """Time and height in the air: first of the first percept, later of a recent one."""
    earlier: tuple[float, float] = (np.inf, np.inf)
    """The same, a moment earlier."""
    slow: tuple[float, float] = (np.inf, np.inf)
    """The same, at the last percept before it fell."""
    begun: Floats = field(default_factory=lambda: np.full(3, np.inf))
    """Its position when it was first off its rest."""
    has_moved: bool = False
    """Whether it has moved since: an object that has not moved was not set down."""

    def lie(self, seen: ObjectSample) -> None:
        """The object rests, although a hand may hold it."""
        self.grasp = _Grasp.of(seen) if seen.hand != NO_HAND else None
        self.risen = np.inf
        self.landing = _Visit()

    def meet(self, seen: ObjectSample, tolerances: Tolerances) -> bool:
        """Whether an object of unknown state rests; one that stays in the air is in a hand."""
        if seen.place != NOWHERE:
            return True
        if seen.hand == NO_HAND and not seen.is_perceived:
            self.seen = np.inf, np.inf
            return False
        if abs(self.seen[1] - seen.bottom) > tolerances.lifted and seen.hand == NO_HAND:
            self.seen = seen.now, seen.bottom
        self.seen = min(self.seen[0], seen.now), self.seen[1]
        hovers = seen.hand == NO_HAND
        until = seen.last if hovers else seen.now
        enough = tolerances.hovering if hovers else tolerances.acting
        if _lasts(self.seen[0], until, enough):
            self._rise(seen)
        return False

    def leave(
        self, seen: ObjectSample, step: Step, left: tuple[int, float], rise: float, is_said: bool
    ) -> list[Action]:
        """Takes in an object that is not where it rested; returns a Pick if it was taken up.

        `left` is the place, and the time when it rested there last. While `is_said` (the rest is
        still asserted), the Pick waits, because effects are asserted before actions.
        """
        self._take(seen)
        is_held = seen.hand != NO_HAND
        is_up = (is_held or seen.is_perceived) and rise > step.tolerances.lifted
        if not is_up and not (is_held and self._is_carried(seen, step.tolerances)):
            self.risen = np.inf
            return []
        self.risen = min(self.risen, seen.now)
        if is_said or not _lasts(self.risen, seen.now, step.tolerances.acting):
            return []
        place, rested = left
        if self._left_behind(seen, step.tolerances):
            self.grasp, seen = None, replace(seen, hand=NO_HAND, owner=NOWHERE)
        self._rise(seen)
        who = self._performer(step, rested)
        return [Action("Pick", step.thing, rested, self.risen, who, source=place)]

    def _left_behind(self, seen: ObjectSample, tolerances: Tolerances) -> bool:
        """Whether the hand at the object did not move along with it since it lay there."""
        grasp = self.grasp
        if grasp is None or seen.hand == NO_HAND or grasp.hand != seen.hand:
            return False
        rose, slip = seen.centre - grasp.centre, seen.grip - grasp.grip
        return bool(np.linalg.norm(slip) > tolerances.slip_share * np.linalg.norm(rose))

    def stay_up(self, seen: ObjectSample, step: Step) -> list[Action]:
        """Takes in an object that is up; returns its actions. It may have come to rest then."""
        tolerances = step.tolerances
        if seen.is_perceived:
            if seen.now - self.perceived > tolerances.out_of_sight and seen.place != NOWHERE:
                self.found, self.was_astray = seen.now, self.astray > self.perceived
            self.perceived = seen.now
        if seen.now - seen.hand_last > tolerances.out_of_sight:
            self.astray = seen.now
        recognised = self._hand_over(seen, step)
        recognised += self._fall(seen, step)
        far = float(np.linalg.norm(seen.centre - self.begun))
        self.has_moved |= far > tolerances.at_rest
        if seen.place == NOWHERE:
            self.in_air = seen.now
        elif self._is_with_hand(seen):
            self._visit(seen)
        if self.lands(seen, tolerances):
            recognised += self._fell_unseen(seen, step)
            recognised += [self._set_down(seen, step)] if self.has_moved else []
            self.is_up = False
        if self._sinks(seen) <= tolerances.plunge and seen.last >= seen.now:
            self.slow = seen.now, seen.bottom
        if seen.now - self.seen[0] >= tolerances.sinking_window - _ROUNDING:
            self.earlier, self.seen = self.seen, (seen.now, seen.bottom)
        return recognised

    def lands(self, seen: ObjectSample, tolerances: Tolerances) -> bool:
        """Whether it has come to rest; an object that a hand holds inside a container has not."""
        if seen.place == NOWHERE or (self.is_up and seen.is_in and self._is_with_hand(seen)):
            self.landing = _Visit()
            return False
        moved = float(np.linalg.norm(seen.spot - self.landing.spot))
        if seen.place != self.landing.place or moved > tolerances.at_rest:
            self.landing = _Visit(seen.place, seen.now, seen.now, seen.spot)
        fell_unseen = self.fell < np.inf and seen.last - self.landing.since < tolerances.acting
        enough = tolerances.settled if fell_unseen else tolerances.acting
        return _lasts(self.landing.since, seen.now, enough)

    def _rise(self, seen: ObjectSample) -> None:
        """Marks the object as up."""
        self.is_up, self.in_air, self.begun = True, seen.now, seen.centre
        self.perceived, self.found = seen.last, -np.inf
        self.seen = self.earlier = self.slow = seen.now, seen.bottom
        self.landing = _Visit()
        if seen.hand != NO_HAND:
            self.grasp = _Grasp.of(seen)
        else:
            self.grasp = self.grasp or _Grasp.of(seen)
            self.grasp.together = self.grasp.height = -np.inf

    def _take(self, seen: ObjectSample) -> None:
        """A hand that holds the object becomes the hand of its course."""
        if seen.hand != NO_HAND and (self.grasp is None or self.grasp.hand != seen.hand):
            self.grasp = _Grasp.of(seen)

    def _is_carried(self, seen: ObjectSample, tolerances: Tolerances) -> bool:
        """Whether its hand took it along: it moved far, and little relative to the hand."""
        grasp = self.grasp
        if grasp is None:
            return False
        far, slip = seen.centre - grasp.centre, seen.grip - grasp.grip
        return bool(np.linalg.norm(far) > tolerances.lifted > np.linalg.norm(slip))

    def _is_with_hand(self, seen: ObjectSample) -> bool:
        return seen.hand != NO_HAND and self.grasp is not None and self.grasp.together == seen.now

    def _hand_over(self, seen: ObjectSample, step: Step) -> list[Action]:
        """A Handover, if the hand of another agent has held it for long enough, off any rest."""
        grasp = self._grasped(seen)
        if seen.hand == NO_HAND or grasp.hand == seen.hand:
            self.taker = NO_HAND
            if seen.hand != NO_HAND:
                self._hold(grasp, seen, step.tolerances)
            return []
        if grasp.owner in (seen.owner, NOWHERE) or self.is_released:
            self._catch(seen)
            return []
        if seen.passed > grasp.since:
            self._catch(seen)
            who, met = (grasp.owner, seen.owner), seen.passed
            return [Action("Handover", step.thing, min(grasp.together, met), met, *who)]
        if seen.place != NOWHERE:
            self.taker = NO_HAND
            return []
        if self.taker != seen.hand:
            self.taker, self.taken = seen.hand, seen.now
        if not _lasts(self.taken, seen.now, step.tolerances.acting):
            return []
        start, end = max(grasp.together, grasp.since), self.taken
        self._catch(seen)
        if end - start > step.tolerances.handover:
            return []
        return [Action("Handover", step.thing, start, end, grasp.owner, seen.owner)]

    def _grasped(self, seen: ObjectSample) -> _Grasp:
        """The last grasp; if there is none, that of the present glimpse."""
        self.grasp = self.grasp or _Grasp.of(seen)
        return self.grasp

    def _catch(self, seen: ObjectSample) -> None:
        """Another hand holds it from now on."""
        self.grasp, self.taker = _Grasp.of(seen), NO_HAND
        self.is_released, self.fell = False, np.inf

    def _hold(self, grasp: _Grasp, seen: ObjectSample, tolerances: Tolerances) -> None:
        """Follows a grasp by the same hand: unchanged, slipped, or only apparent."""
        slip = float(np.linalg.norm(seen.grip - grasp.grip))
        is_as_before = slip < tolerances.held
        if slip < tolerances.slip:
            grasp.close = seen
        slipped = seen.now - grasp.together > tolerances.dropping and not self.is_released
        if is_as_before or slipped:
            grasp.grip = grasp.grip if is_as_before else seen.grip
            grasp.together, grasp.height = seen.now, seen.bottom
            self.is_released, self.fell = False, np.inf

    def _fall(self, seen: ObjectSample, step: Step) -> list[Action]:
        """A Release, if the object has fallen for long enough."""
        is_over = self.is_released or seen.is_brought or self._was_found(seen)
        if is_over or self._is_with_hand(seen) or self.taker != NO_HAND:
            return []
        start, height = self._let_go(seen, step.tolerances)
        if seen.is_dropped:
            self.fell = min(self.fell, seen.now)
        elif seen.bottom >= height - step.tolerances.lifted:
            self.fell = np.inf
        elif self.fell == np.inf and (seen.is_perceived or seen.place == NOWHERE):
            self.fell = seen.now if self._falls(seen, step.tolerances) else np.inf
        if not _lasts(self.fell, seen.now, step.tolerances.acting):
            return []
        self.is_released = True
        return [Action("Release", step.thing, start, self.fell, self._performer(step, start))]

    def _fell_unseen(self, seen: ObjectSample, step: Step) -> list[Action]:
        """A Release, if the fall was not observed: a short one ends before the next percept."""
        grasp = self._grasped(seen)
        if grasp.height == -np.inf:
            grasp.together, grasp.height = self.slow
        if self.is_released or seen.is_brought or self._was_brought(seen):
            return []
        tolerances, start, end = step.tolerances, grasp.together, self.landing.since
        was_found, sunk = self.found > grasp.close.now, grasp.height - seen.bottom
        if seen.last >= end and not was_found:
            start = grasp.close.now
            fell = _fell_so(grasp.close, seen, end - start, tolerances)
        else:
            was_taken = self.was_astray or _aside(grasp.close, seen) > sunk
            fell = sunk >= tolerances.deep_fall and not (was_found and was_taken)
        if not fell:
            return []
        self.is_released, grasp.together = True, start
        return [Action("Release", step.thing, start, end, self._performer(step, start))]

    def _let_go(self, seen: ObjectSample, tolerances: Tolerances) -> tuple[float, float]:
        """Time and height of the last grasp; of the last slow percept if no grasp is known."""
        grasp = self._grasped(seen)
        is_old = self.fell == np.inf and seen.now - grasp.together > tolerances.dropping
        if is_old and self._sinks(seen) > tolerances.plunge:
            grasp.together, grasp.height = self.slow
        return grasp.together, grasp.height

    def _sinks(self, seen: ObjectSample) -> float:
        """Its speed downwards, over several percepts: jitter below 3 cm counts as no move."""
        then, height = self.earlier
        return (height - seen.bottom) / max(seen.now - then, _ROUNDING)

    def _falls(self, seen: ObjectSample, tolerances: Tolerances) -> bool:
        """Whether it sinks faster than a hand moves, and left its hand only just before.

        An object that is lower than free fall allows got there unobserved, by another way.
        """
        grasp = self._grasped(seen)
        after, sunk = seen.now - grasp.together, grasp.height - seen.bottom
        if after > tolerances.dropping:
            return False
        if sunk > tolerances.lifted + tolerances.plunge * after + GRAVITY * after**2 / 2:
            grasp.together = grasp.height = -np.inf
            return False
        return sunk > tolerances.sinking * after

    def _visit(self, seen: ObjectSample) -> None:
        """Notes the place of an object that a hand holds."""
        if self.carried.place != seen.place:
            self.carried = _Visit(seen.place, seen.now, seen.now, seen.spot)
        self.carried.until = seen.now

    def _set_down(self, seen: ObjectSample, step: Step) -> Action:
        """The Place or Put that ends the course, at the time of a hand in the container."""
        start, end = min(self.in_air, self.landing.since), self.landing.since
        if self.is_released and self.grasp is not None:
            start = min(start, self.grasp.together)
        elif self._was_brought(seen):
            start, end = self.carried.since, self.carried.until
        kind: ActionKind = "Put" if seen.is_in else "Place"
        who = self._performer(step, start)
        return Action(kind, step.thing, start, end, who, goal=seen.place)

    def _was_brought(self, seen: ObjectSample) -> bool:
        """Whether it is in the container that its hand held it in."""
        return seen.is_in and self.carried.place == seen.place

    def _was_found(self, seen: ObjectSample) -> bool:
        """Whether it was found at rest, after its hand had held it while occluded."""
        return self.found > self._grasped(seen).together

    def _performer(self, step: Step, since: float) -> int | None:
        """The owner of its last hand; if unknown, the only agent who was near."""
        if self.grasp is not None and self.grasp.owner != NOWHERE:
            return self.grasp.owner
        return step.candidate(since)


def _lasts(since: float, now: float, enough: float) -> bool:
    return now - since >= enough - _ROUNDING


def _fell_so(held: ObjectSample, lying: ObjectSample, after: float, tolerances: Tolerances) -> bool:
    """Whether an object fell that came straight down so soon after its hand held it."""
    sunk = held.bottom - lying.bottom
    least = max(tolerances.lifted, _aside(held, lying), tolerances.sinking * after)
    return 0.0 < after <= tolerances.brief_fall and sunk > least


def _aside(one: ObjectSample, other: ObjectSample) -> float:
    """The horizontal distance between two glimpses, in metres."""
    return float(np.hypot(*(one.centre - other.centre)[:2]))
