"""All that a reasoner holds, as a value: two such values can be compared, and one be kept."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from kb_server.core.reasoning.reasoner import Reasoner
from kb_server.core.rules.instances import Instance

__all__ = ["developed", "differences", "photograph"]

KEPT: Final = ("asserted", "facts", "index", "rules", "clashes", "deferred", "_of_axiom")
"""The parts of a reasoner that are its own; `deferred` is a Reasoner's, the rest its Holdings'."""


def photograph(reasoner: Reasoner) -> dict[str, object]:
    """Facts with their supports, index, rule tables, assertions and contradictions."""
    parts = {part: developed(getattr(reasoner, part)) for part in KEPT}
    return {**parts, "links": developed(reasoner.paths.links)}


def developed(thing: object) -> object:
    """A value that is equal for two objects if and only if their contents are equal.

    Rule instances are compared by key and level. Functions are not compared, since they are made
    from the instance beside them.
    """
    if isinstance(thing, Instance):
        return (thing.key, thing.level)
    if isinstance(thing, Mapping):
        return {developed(k): developed(v) for k, v in thing.items()}
    if isinstance(thing, AbstractSet):
        return frozenset(map(developed, thing))
    if isinstance(thing, tuple | list):
        return tuple(map(developed, thing))
    if callable(thing):
        return None
    slots = getattr(thing, "__slots__", ())
    return {slot: developed(getattr(thing, slot)) for slot in slots} if slots else thing


def differences(before: dict[str, object], after: dict[str, object]) -> dict[str, object]:
    """The parts that two photographs differ in, each with what only one of them has."""
    unlike = [part for part in before if before[part] != after[part]]
    return {part: _apart(before[part], after[part]) for part in unlike}


def _apart(a: object, b: object) -> object:
    if isinstance(a, dict) and isinstance(b, dict):
        return {k: (a.get(k), b.get(k)) for k in {*a, *b} if a.get(k) != b.get(k)}
    if isinstance(a, AbstractSet) and isinstance(b, AbstractSet):
        return a - b, b - a
    return a, b
