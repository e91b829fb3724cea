"""Checks: what a rule compares instead of asking for a fact.

A check stands in the body of a rule like an atom, with a word in the predicate's place that no
term can be: it begins with an exclamation mark.
"""

from collections.abc import Callable, Container, Mapping
from typing import Final

from kb_server.core.facts.matching import Binding
from kb_server.core.rules.datatypes import DataRange
from kb_server.core.terms.literals import is_literal, order, same_value, value
from kb_server.core.terms.statements import Pattern

__all__ = ["AMONG", "EQUAL", "INSIDE", "OUTSIDE", "SWRL_CHECKS", "passes"]

EQUAL: Final = "!equal"
"""Whether two terms are one value."""
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


def _ordered(orders: Container[int]) -> Callable[[str, str], bool]:
    return lambda a, b: is_literal(a) and is_literal(b) and order(a, b) in orders


def _counts(a: str, b: str) -> bool:
    return is_literal(a) and not isinstance(value(a), bool) and value(a) == value(b)


SWRL_CHECKS: Final = {
    "swrlb:equal": EQUAL,
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
    EQUAL: _equal,
    "!notEqual": lambda a, b: not _equal(a, b),
    "!lessThan": _ordered({-1}),
    "!lessThanOrEqual": _ordered({-1, 0}),
    "!greaterThan": _ordered({1}),
    "!greaterThanOrEqual": _ordered({0, 1}),
}
