"""The facts of a world as triples of the ontology, and how they change from tick to tick.

Each family of facts is a row of a table: its predicate, and the meaning of the axes of its array.
Only changes are converted to triples, so the cost of a tick follows the number of changes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from spatial_reasoner.geometry.arrays import Flags
from spatial_reasoner.geometry.columns import enlarged
from spatial_reasoner.values.roster import Roster

__all__ = ["EFFORTS", "FAMILIES", "ROWS", "FactChange", "Family", "Situation"]

Axis = Literal["thing", "agent", "part", "value"]
ROWS: Final = ("thing", "part")
"""The axes that count rows of the roster."""


@dataclass(frozen=True, slots=True)
class Family:
    """Facts of one predicate; `axes` names what each axis of its array counts.

    The subject is the first axis and the object the second, or the other way round if `is_turned`.
    The objects may be literal `values`; a family with one axis has exactly one value.
    """

    key: str
    predicate: str
    axes: tuple[Axis, ...]
    values: tuple[str, ...] = ()
    is_turned: bool = False

    def shape(self, roster: Roster) -> tuple[int, ...]:
        """The shape of its array; objects and parts of agents are both rows of the roster."""
        others = {"agent": len(roster.agents), "value": len(self.values)}
        return tuple(others.get(axis, len(roster)) for axis in self.axes)

    def spread(self, rows: Flags, agents: Flags) -> Flags:
        """A mask of its array: which entries are about some of these rows or agents."""
        others = {"agent": agents, "value": np.zeros(len(self.values), dtype=bool)}
        along = [others.get(axis, rows) for axis in self.axes]
        meant: Flags = along[0] if len(along) == 1 else along[0][:, None] | along[1]
        return meant


EFFORTS: Final = tuple(f"{tenths / 10:.1f}" for tenths in range(11))
"""The values of `reachEffort`: how far from rest an arm must move to reach an object, 0 to 1."""

FAMILIES: Final[Mapping[str, Family]] = {
    family.key: family
    for family in (
        Family("on", "isOn", ("thing", "thing")),
        Family("in", "isIn", ("thing", "thing")),
        Family("next to", "isNextTo", ("thing", "thing")),
        Family("left", "leftOf", ("agent", "thing"), is_turned=True),
        Family("right", "rightOf", ("agent", "thing"), is_turned=True),
        Family("front", "inFrontOf", ("agent", "thing"), is_turned=True),
        Family("behind", "behind", ("agent", "thing"), is_turned=True),
        Family("near", "near", ("agent", "thing"), is_turned=True),
        Family("far", "farFrom", ("agent", "thing"), is_turned=True),
        Family("sees", "sees", ("agent", "thing")),
        Family("turned", "seesWithHeadMovement", ("agent", "thing")),
        Family("looks", "looksAt", ("agent", "thing")),
        Family("points", "pointsAt", ("agent", "thing")),
        Family("perceives", "perceives", ("agent", "agent")),
        Family("reaches", "canReach", ("agent", "thing")),
        Family("in hand", "isInHand", ("thing", "part")),
        Family("holds", "isHolding", ("agent", "thing")),
        Family("toward", "hasHandMovingToward", ("part", "thing")),
        Family("may pick", "mayPick", ("part", "thing")),
        Family("may put into", "mayPutInto", ("part", "thing")),
        Family("moving", "isMoving", ("thing",), ("true",)),
        Family("agent moving", "isMoving", ("agent",), ("true",)),
        Family("perceived", "isPerceived", ("thing",), ("true",)),
        Family("plausible", "isPhysicallyPlausible", ("thing",), ("true",)),
        Family("in field", "isInFieldOfView", ("thing",), ("true",)),
        Family("not in field", "isInFieldOfView", ("thing",), ("false",)),
        Family("reachable", "isReachable", ("thing",), ("true",)),
        Family("not reachable", "isReachable", ("thing",), ("false",)),
        Family("effort", "reachEffort", ("thing", "value"), EFFORTS),
        Family("hidden in hand", "isHiddenInHandOf", ("agent", "thing"), is_turned=True),
        Family("carried in", "isCarriedIn", ("thing", "thing")),
        Family("carried on", "isCarriedOn", ("thing", "thing")),
        Family("fallen", "hasFallenFrom", ("thing", "thing")),
        Family("dropped", "hasFallenFrom", ("thing", "part")),
        Family("slid", "hasSlidOn", ("thing", "thing")),
        Family("out of view", "isOutOfViewOf", ("agent", "thing"), is_turned=True),
        Family("occluded", "isOccludedBy", ("thing", "thing")),
        Family("behind agent", "isOccludedBy", ("agent", "thing"), is_turned=True),
        Family("unknown", "isUnaccountedFor", ("thing",), ("true",)),
    )
}
"""All families of facts that the worlds assert, except the types of things."""

_HANDS: Final = {"right_hand": "RightHand", "left_hand": "LeftHand"}


@dataclass(frozen=True, slots=True)
class FactChange:
    """The triples to assert in one model and those to retract; both are sorted."""

    add: tuple[str, ...]
    retract: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.add or self.retract)


class Situation:
    """The facts of one world, as of its last change."""

    def __init__(self, roster: Roster) -> None:
        self._roster: Final = roster
        self._held: Final[dict[str, Flags]] = {}
        self._introduced: Final[dict[Axis, dict[int, tuple[str, ...]]]] = {
            "thing": {}, "agent": {}, "part": {}
        }  # fmt: skip
        """The type triples that were asserted for each number of an axis."""

    def change(self, bits: Mapping[str, Flags], known: Flags, agents: Flags) -> FactChange:
        """The difference between these arrays, one for each family, and those of the last call.

        `known` rows and `agents` exist; when a row ceases to exist its type triples are retracted.
        The arrays are stored, so callers must not modify them.
        """
        there = [i for i, is_there in enumerate(agents.tolist()) if is_there]
        add = [each for i in there for each in self._introduction("agent", i)]
        retract = [each for i in self._gone(known) for each in self._introduced["thing"].pop(i)]
        for key, family in FAMILIES.items():
            now = bits[key]
            before = self._held.get(key)
            if before is now:
                continue
            if before is not None:
                before = enlarged(before, now.shape)
            if before is None or before.tobytes() != now.tobytes():
                self._tell(family, before, now, add, retract)
            self._held[key] = now
        return FactChange(tuple(sorted(add)), tuple(sorted(retract)))

    def _tell(
        self, family: Family, before: Flags | None, now: Flags, add: list[str], retract: list[str]
    ) -> None:
        flipped = now if before is None else before ^ now
        for index in zip(*(numbers.tolist() for numbers in flipped.nonzero()), strict=True):
            statement, named = self._worded(family, index)
            if now[index]:
                add.append(statement)
                for axis, number in named:
                    if axis != "value":
                        add += self._introduction(axis, number)
            else:
                retract.append(statement)

    def _worded(
        self, family: Family, index: tuple[int, ...]
    ) -> tuple[str, Sequence[tuple[Axis, int]]]:
        named = list(zip(family.axes, index, strict=True))
        words = [
            family.values[number] if axis == "value" else self._name(axis, number)
            for axis, number in named
        ]
        if len(words) == 1:
            words += family.values
        subject, value = reversed(words) if family.is_turned else words
        return f"{subject} {family.predicate} {value}", named

    def _name(self, axis: Axis, number: int) -> str:
        return self._roster.agents[number].name if axis == "agent" else self._roster.names[number]

    def _gone(self, known: Flags) -> list[int]:
        is_known = known.tolist()
        return [row for row in self._introduced["thing"] if not is_known[row]]

    def _introduction(self, axis: Axis, number: int) -> tuple[str, ...]:
        """The type triples of something, when it is first mentioned; else none."""
        if number in self._introduced[axis]:
            return ()
        self._introduced[axis][number] = triples = self._kind(axis, number)
        return triples

    def _kind(self, axis: Axis, number: int) -> tuple[str, ...]:
        name = self._name(axis, number)
        if axis == "agent":
            return (f"{name} a {self._roster.agents[number].kind}",)
        entity = self._roster.entities[number]
        if entity is not None:
            return (f"{name} a {entity.kind}",)
        owner = self._roster.agents[self._roster.owner[number]].name
        kind = _HANDS.get(name.removeprefix(f"{owner}_"))
        return (f"{name} a {kind}", f"{name} isHandOf {owner}") if kind else ()

