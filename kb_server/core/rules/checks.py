"""Checks: the comparisons in the bodies of rules.

A check is written like an atom, with a word in the predicate's place. The word begins with an
exclamation mark, so it can't be a term.
"""

from collections.abc import Callable, Container, Mapping
from typing import Final

from kb_server.core.facts.matching import Binding
from kb_server.core.rules.datatypes import DataRange
from kb_server.core.terms.literals import is_literal, order, same_value, value
from kb_server.core.terms.statements import Pattern

__all__ = ["AMONG", "EQUAL", "INSIDE", "OUTSIDE", "SWRL_CHECKS", "passes"]

EQUAL: Final = "!equal"
"""Two terms have equal values."""
INSIDE: Final = "!inside"
OUTSIDE: Final = "!outside"
AMONG: Final = "!among"
"""A term is a member of the datatype (INSIDE), is no member (OUTSIDE), is in the list (AMONG)."""


def passes(check: Pattern, binding: Binding, ranges: Mapping[str, DataRange]) -> bool:
    """Whether a check holds under a binding."""
    left, word, right = check
    first = binding.get(left, left)
    if word in _MEMBERSHIPS:
        return ranges[right](first) is _MEMBERSHIPS[word]
    return _COMPARISONS[word](first, binding.get(right, right))


def _individuals(a: str, b: str) -> bool:
    return a != b and not is_literal(a) and not is_literal(b)


def _unequal(a: str, b: str) -> bool:
    """Whether one is a literal and the values differ, so that they can't be the same thing."""
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
"""The supported SWRL built-ins, and the check of each."""

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
