"""Checks: what a rule compares instead of asking for a fact.

A check stands in the body of a rule like an atom, with a word in the predicate's place that no
term can be: it begins with an exclamation mark.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kb_server.core.datatypes import DataRange
from kb_server.core.literals import comparable, is_literal, same_value, value
from kb_server.core.matching import Binding
from kb_server.core.statements import Pattern

__all__ = ["AMONG", "INSIDE", "OUTSIDE", "SWRL_CHECKS", "passes"]

INSIDE: Final = "!inside"
OUTSIDE: Final = "!outside"
AMONG: Final = "!among"
"""Whether a term is in the datatype, or the list, that the check names."""


def passes(check: Pattern, binding: Binding, ranges: Mapping[str, DataRange]) -> bool:
    """Whether a comparison holds under a binding."""
    left, word, right = check
    first = binding.get(left, left)
    if word in _MEMBERSHIPS:
        return ranges[right](first) is _MEMBERSHIPS[word]
    return _COMPARISONS[word](first, binding.get(right, right))


def _individuals(a: str, b: str) -> bool:
    return a != b and not is_literal(a) and not is_literal(b)


def _unequal(a: str, b: str) -> bool:
    """One a literal, and the other not the same value: they can't be one thing."""
    return a < b and (is_literal(a) or is_literal(b)) and not _equal(a, b)


def _equal(a: str, b: str) -> bool:
    return a == b or (is_literal(a) and is_literal(b) and same_value(a, b))


def _ordered(compare: Callable[[object, object], bool]) -> Callable[[str, str], bool]:
    def check(a: str, b: str) -> bool:
        pair = comparable(a, b) if is_literal(a) and is_literal(b) else None
        return pair is not None and compare(*pair)

    return check


def _counts(a: str, b: str) -> bool:
    return is_literal(a) and not isinstance(value(a), bool) and value(a) == value(b)


SWRL_CHECKS: Final = {
    "swrlb:equal": "!equal",
    "swrlb:notEqual": "!notEqual",
    "swrlb:lessThan": "!lessThan",
    "swrlb:lessThanOrEqual": "!lessThanOrEqual",
    "swrlb:greaterThan": "!greaterThan",
    "swrlb:greaterThanOrEqual": "!greaterThanOrEqual",
}
"""The built-ins of SWRL that are known, and the check that each is."""

_MEMBERSHIPS: Final = {INSIDE: True, OUTSIDE: False, AMONG: True}
_COMPARISONS: Final[dict[str, Callable[[str, str], bool]]] = {
    "!=": lambda a, b: a != b,
    "!before": lambda a, b: a < b,
    "!individuals": _individuals,
    "!unequal": _unequal,
    "!counts": _counts,
    "!equal": _equal,
    "!notEqual": lambda a, b: not _equal(a, b),
    "!lessThan": _ordered(lambda a, b: a < b),  # type: ignore[operator]  # made comparable before
    "!lessThanOrEqual": _ordered(lambda a, b: a <= b),  # type: ignore[operator]
    "!greaterThan": _ordered(lambda a, b: a > b),  # type: ignore[operator]
    "!greaterThanOrEqual": _ordered(lambda a, b: a >= b),  # type: ignore[operator]
}
