"""The course of one thing through somebody's hands: what tells that it was acted on, and when.

A thing is with its hand while it lies in it as it was taken. It has left the hand when it lies
otherwise, or no hand has it any more; if it then is lower than it was, it was let go. What stays in
the air without any hand is in one that nobody perceives.
"""

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from spatial_reasoner.belief.dropping import PLUNGE
from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.relations.relations import NOWHERE
from spatial_reasoner.values.glimpses import Action, Glimpse, Kind, Step
from spatial_reasoner.values.tolerances import GRAVITY, Tolerances

__all__ = ["Course"]

_ROUNDING: Final = 1e-4
_GONE: Final = 0.5
"""Seconds: what was with its hand longer ago is not just falling out of it; in so long it would
fall farther than any table is high."""
_PASSED: Final = 2.0
"""Seconds: nobody passes a thing on for longer; it lay somewhere, on what nobody perceives."""
_SINKING: Final = 0.3
"""Metres a second: what is let go has fallen 4.5 cm at half a metre a second, on the average."""
_MOMENT: Final = 0.06
"""Seconds: speeds are measured by this at least."""
_DEEP: Final = 0.15
"""Metres: what comes down so far below its hand fell, though nobody saw it."""
_BRIEF: Final = 0.25
"""Seconds: what falls as far as people let go, 30 cm."""
_SLIP: Final = 0.03
"""Metres: what has moved less in its hand lies as it was taken."""
_STAYS: Final = 0.7
"""What goes so much of its way out of a hand is not moved by that."""
_LONG: Final = 0.2
"""Seconds: what nobody perceives for so long, be it at 12.5 Hz, was out of sight."""
_SETTLES: Final = 0.4
"""Seconds: where something fell that is not perceived there is known by then, or not at all."""
_HOVERS: Final = 0.3
"""Seconds: what falls is 44 cm lower by then, so what isn't is in somebody's hand."""


@dataclass(slots=True)
class _Grasp:
    """The last hand that had a thing: whose it is, how the thing lay in it, when and how high."""

    hand: int
    owner: int
    grip: Floats
    since: float
    centre: Floats
    """Where the thing was when that was so first."""
    together: float
    height: float
    close: Glimpse
    """How it was when it lay there just as it was taken."""

    @classmethod
    def of(cls, seen: Glimpse) -> "_Grasp":
        """The hand that has it now."""
        hand, owner, grip, now, height = seen.hand, seen.owner, seen.grip, seen.now, seen.bottom
        return cls(hand, owner, grip, now, seen.centre, now, height, close=seen)


@dataclass(slots=True)
class _Visit:
    """A thing at a place: since when it is, or was, there, how long, and at which spot."""

    place: int = NOWHERE
    since: float = np.inf
    until: float = -np.inf
    spot: Floats = field(default_factory=lambda: np.full(3, np.inf))


@dataclass(slots=True)
class Course:
    """What happens to one thing from one rest to the next."""

    is_up: bool = False
    """Whether somebody has taken it up."""
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
    """When it was up and nowhere last."""
    carried: _Visit = field(default_factory=_Visit)
    """Where it was in its hand last."""
    landing: _Visit = field(default_factory=_Visit)
    perceived: float = -np.inf
    """When it was perceived last."""
    found: float = -np.inf
    """When it was perceived again after long, and lay somewhere."""
    astray: float = -np.inf
    """When it was last in a hand that had not been perceived for long."""
    was_astray: bool = False
    """Whether it was so before it was found."""
    seen: tuple[float, float] = (np.inf, np.inf)
    """When, and how high, it was seen in the air first; then, lately."""
    earlier: tuple[float, float] = (np.inf, np.inf)
    """The same a moment before that."""
    slow: tuple[float, float] = (np.inf, np.inf)
    """The same of the last time that it was perceived and did not fall."""
    begun: Floats = field(default_factory=lambda: np.full(3, np.inf))
    """Where it was when it was up first."""
    has_moved: bool = False
    """Whether it has been elsewhere since: what has not nobody set down."""

    def lie(self, seen: Glimpse) -> None:
        """It is in a hand, but rests all the same."""
        self.grasp = _Grasp.of(seen) if seen.hand != NO_HAND else None
        self.risen = np.inf
        self.landing = _Visit()

    def meet(self, seen: Glimpse, tolerances: Tolerances) -> bool:
        """Nothing was known of it; whether it rests. If it is in the air, somebody has it up."""
        if seen.place != NOWHERE:
            return True
        if seen.hand == NO_HAND and not seen.is_perceived:
            self.seen = np.inf, np.inf
            return False
        if abs(self.seen[1] - seen.bottom) > tolerances.lifted and seen.hand == NO_HAND:
            self.seen = seen.now, seen.bottom
        self.seen = min(self.seen[0], seen.now), self.seen[1]
        hovers = seen.hand == NO_HAND
        until, enough = (seen.last, _HOVERS) if hovers else (seen.now, tolerances.acting)
        if _lasts(self.seen[0], until, enough):
            self._rise(seen)
        return False

    def leave(
        self, seen: Glimpse, step: Step, left: tuple[int, float], rise: float, is_said: bool
    ) -> list[Action]:
        """It is not where it rested: a Pick, if it was taken up; `left` says where and when.

        As long as it `is_said` to rest there the Pick waits: effects are told before actions.
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
        if self._left_behind(seen):
            self.grasp, seen = None, replace(seen, hand=NO_HAND, owner=NOWHERE)
        self._rise(seen)
        who = self._performer(step, rested)
        return [Action("Pick", step.thing, rested, self.risen, who, source=place)]

    def _left_behind(self, seen: Glimpse) -> bool:
        """Whether the hand that was at it did not move with it since it lay there."""
        grasp = self.grasp
        if grasp is None or seen.hand == NO_HAND or grasp.hand != seen.hand:
            return False
        rose, slip = seen.centre - grasp.centre, seen.grip - grasp.grip
        return bool(np.linalg.norm(slip) > _STAYS * np.linalg.norm(rose))

    def stay_up(self, seen: Glimpse, step: Step) -> list[Action]:
        """It was taken up: given to somebody, let go, or set down; then it is up no more."""
        if seen.is_perceived:
            if seen.now - self.perceived > _LONG and seen.place != NOWHERE:
                self.found, self.was_astray = seen.now, self.astray > self.perceived
            self.perceived = seen.now
        if seen.now - seen.hand_last > _LONG:
            self.astray = seen.now
        told = self._hand_over(seen, step)
        told += self._fall(seen, step)
        far = float(np.linalg.norm(seen.centre - self.begun))
        self.has_moved |= far > step.tolerances.at_rest
        if seen.place == NOWHERE:
            self.in_air = seen.now
        elif self._is_with_hand(seen):
            self._visit(seen)
        if self.lands(seen, step.tolerances):
            told += self._fell_unseen(seen, step)
            told += [self._set_down(seen, step)] if self.has_moved else []
            self.is_up = False
        if self._sinks(seen) <= PLUNGE and seen.last >= seen.now:
            self.slow = seen.now, seen.bottom
        if seen.now - self.seen[0] >= _MOMENT - _ROUNDING:
            self.earlier, self.seen = self.seen, (seen.now, seen.bottom)
        return told

    def lands(self, seen: Glimpse, tolerances: Tolerances) -> bool:
        """Whether it has come to rest by now; what a hand has in a container has not."""
        if seen.place == NOWHERE or (self.is_up and seen.is_in and self._is_with_hand(seen)):
            self.landing = _Visit()
            return False
        moved = float(np.linalg.norm(seen.spot - self.landing.spot))
        if seen.place != self.landing.place or moved > tolerances.at_rest:
            self.landing = _Visit(seen.place, seen.now, seen.now, seen.spot)
        fell_unseen = self.fell < np.inf and seen.last - self.landing.since < tolerances.acting
        return _lasts(self.landing.since, seen.now, _SETTLES if fell_unseen else tolerances.acting)

    def _rise(self, seen: Glimpse) -> None:
        """It is up from now on."""
        self.is_up, self.in_air, self.begun = True, seen.now, seen.centre
        self.perceived, self.found = seen.last, -np.inf
        self.seen = self.earlier = self.slow = seen.now, seen.bottom
        self.landing = _Visit()
        if seen.hand != NO_HAND:
            self.grasp = _Grasp.of(seen)
        else:
            self.grasp = self.grasp or _Grasp.of(seen)
            self.grasp.together = self.grasp.height = -np.inf

    def _take(self, seen: Glimpse) -> None:
        """A hand that has it is the hand of its course."""
        if seen.hand != NO_HAND and (self.grasp is None or self.grasp.hand != seen.hand):
            self.grasp = _Grasp.of(seen)

    def _is_carried(self, seen: Glimpse, tolerances: Tolerances) -> bool:
        """Whether its hand took it along: it moved far, and in the hand it did not."""
        grasp = self.grasp
        if grasp is None:
            return False
        far, slip = seen.centre - grasp.centre, seen.grip - grasp.grip
        return bool(np.linalg.norm(far) > tolerances.lifted > np.linalg.norm(slip))

    def _is_with_hand(self, seen: Glimpse) -> bool:
        return seen.hand != NO_HAND and self.grasp is not None and self.grasp.together == seen.now

    def _hand_over(self, seen: Glimpse, step: Step) -> list[Action]:
        """A Handover, if the hand of another agent has it for long enough, and it does not lie."""
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
        if end - start > _PASSED:
            return []
        return [Action("Handover", step.thing, start, end, grasp.owner, seen.owner)]

    def _grasped(self, seen: Glimpse) -> _Grasp:
        """The hand that had it last, be it one that nobody perceives."""
        self.grasp = self.grasp or _Grasp.of(seen)
        return self.grasp

    def _catch(self, seen: Glimpse) -> None:
        """Another hand has it from now on."""
        self.grasp, self.taker = _Grasp.of(seen), NO_HAND
        self.is_released, self.fell = False, np.inf

    def _hold(self, grasp: _Grasp, seen: Glimpse, tolerances: Tolerances) -> None:
        """The same hand has it: it lies in it as before, slipped, or only seems to be in it."""
        slip = float(np.linalg.norm(seen.grip - grasp.grip))
        is_as_before = slip < tolerances.held
        if slip < _SLIP:
            grasp.close = seen
        slipped = seen.now - grasp.together > _GONE and not self.is_released
        if is_as_before or slipped:
            grasp.grip = grasp.grip if is_as_before else seen.grip
            grasp.together, grasp.height = seen.now, seen.bottom
            self.is_released, self.fell = False, np.inf

    def _fall(self, seen: Glimpse, step: Step) -> list[Action]:
        """A Release, if it fell for long enough."""
        is_over = self.is_released or seen.is_brought or self._was_found(seen)
        if is_over or self._is_with_hand(seen) or self.taker != NO_HAND:
            return []
        start, height = self._let_go(seen)
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

    def _fell_unseen(self, seen: Glimpse, step: Step) -> list[Action]:
        """A Release, if nobody perceived it come down from where somebody had it, or only while it
        lay already: a short fall is over before the next percept."""
        grasp = self._grasped(seen)
        if grasp.height == -np.inf:
            grasp.together, grasp.height = self.slow
        if self.is_released or seen.is_brought or self._was_brought(seen):
            return []
        start, end, enough = grasp.together, self.landing.since, step.tolerances.lifted
        was_found, sunk = self.found > grasp.close.now, grasp.height - seen.bottom
        if seen.last >= end and not was_found:
            start = grasp.close.now
            fell = _fell_so(grasp.close, seen, end - start, enough)
        else:
            was_taken = self.was_astray or _aside(grasp.close, seen) > sunk
            fell = sunk >= _DEEP and not (was_found and was_taken)
        if not fell:
            return []
        self.is_released, grasp.together = True, start
        return [Action("Release", step.thing, start, end, self._performer(step, start))]

    def _let_go(self, seen: Glimpse) -> tuple[float, float]:
        """When it was in a hand last, and how high; of one that nobody saw, by how it falls."""
        grasp = self._grasped(seen)
        is_old = self.fell == np.inf and seen.now - grasp.together > _GONE
        if is_old and self._sinks(seen) > PLUNGE:
            grasp.together, grasp.height = self.slow
        return grasp.together, grasp.height

    def _sinks(self, seen: Glimpse) -> float:
        """How fast it goes down, by some moments: what is taken for a move is 3 cm at once."""
        then, height = self.earlier
        return (height - seen.bottom) / max(seen.now - then, _ROUNDING)

    def _falls(self, seen: Glimpse, tolerances: Tolerances) -> bool:
        """Whether it sinks too fast for a hand, and has only just been let go.

        What is suddenly lower than anything falls got there in a way that nobody saw.
        """
        grasp = self._grasped(seen)
        after, sunk = seen.now - grasp.together, grasp.height - seen.bottom
        if after > _GONE:
            return False
        if sunk > tolerances.lifted + PLUNGE * after + GRAVITY * after**2 / 2:
            grasp.together = grasp.height = -np.inf
            return False
        return sunk > _SINKING * after

    def _visit(self, seen: Glimpse) -> None:
        """A hand has it at a place."""
        if self.carried.place != seen.place:
            self.carried = _Visit(seen.place, seen.now, seen.now, seen.spot)
        self.carried.until = seen.now

    def _set_down(self, seen: Glimpse, step: Step) -> Action:
        """The end of its course; what a hand left in a container was there with the hand before."""
        start, end = min(self.in_air, self.landing.since), self.landing.since
        if self.is_released and self.grasp is not None:
            start = min(start, self.grasp.together)
        elif self._was_brought(seen):
            start, end = self.carried.since, self.carried.until
        kind: Kind = "Put" if seen.is_in else "Place"
        who = self._performer(step, start)
        return Action(kind, step.thing, start, end, who, goal=seen.place)

    def _was_brought(self, seen: Glimpse) -> bool:
        """Whether it is in a container that its hand was in with it."""
        return seen.is_in and self.carried.place == seen.place

    def _was_found(self, seen: Glimpse) -> bool:
        """Whether it was found to lie somewhere, out of the hand that had it out of sight."""
        return self.found > self._grasped(seen).together

    def _performer(self, step: Step, since: float) -> int | None:
        """Whose hand had it; if none is known to have, the only agent who was near."""
        if self.grasp is not None and self.grasp.owner != NOWHERE:
            return self.grasp.owner
        return step.candidate(since)


def _lasts(since: float, now: float, enough: float) -> bool:
    return now - since >= enough - _ROUNDING


def _fell_so(held: Glimpse, lying: Glimpse, after: float, enough: float) -> bool:
    """Whether what came straight down so soon after its hand had it fell."""
    sunk = held.bottom - lying.bottom
    return 0.0 < after <= _BRIEF and sunk > max(enough, _aside(held, lying), _SINKING * after)


def _aside(one: Glimpse, other: Glimpse) -> float:
    """How far a thing went, but for up and down."""
    return float(np.hypot(*(one.centre - other.centre)[:2]))
