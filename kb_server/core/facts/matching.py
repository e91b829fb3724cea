"""Matching: the bindings under which a conjunction of patterns holds, within a budget of steps.

One matcher serves rules, questions and events. It is a nested-loop join with a greedy order: at
each level it takes the pattern with the fewest matching facts under the present binding.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kb_server.core.facts.facts import FactView
from kb_server.core.terms.statements import Pattern, Statement
from kb_server.errors import TooCostly

__all__ = ["Binding", "Budget", "bind", "fill", "solve"]

Binding = Mapping[str, str]


_FEW: Final = 2
"""An estimate so low that no other pattern is examined."""


class Budget:
    """The number of steps that one request may take; `spend` raises TooCostly beyond it."""

    __slots__ = ("allowed", "left")

    def __init__(self, steps: int) -> None:
        self.allowed = steps
        self.left = steps

    @property
    def spent(self) -> int:
        return self.allowed - self.left

    def extend(self, steps: int) -> None:
        """Allow more steps."""
        self.allowed += steps
        self.left += steps

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooCostly(
                f"this takes more than the {self.allowed} steps allowed (a setting)",
                allowed=self.allowed,
            )


def bind(pattern: Pattern, statement: Statement, binding: Binding) -> dict[str, str] | None:
    """Return the binding extended so that the pattern equals the statement; None if impossible.

    >>> bind(("?x", "isIn", "?y"), ("ball", "isIn", "box"), {"?y": "box"})
    {'?y': 'box', '?x': 'ball'}
    """
    extended = dict(binding)
    for term, found in zip(pattern, statement, strict=True):
        if term[0] != "?":
            if term != found:
                return None
        elif extended.setdefault(term, found) != found:
            return None
    return extended


def fill(pattern: Pattern, binding: Binding) -> Pattern:
    """Return the pattern with its bound variables replaced by their values."""
    s, p, o = pattern
    return (binding.get(s, s), binding.get(p, p), binding.get(o, o))


def solve(
    patterns: Sequence[Pattern], view: FactView, binding: Binding, budget: Budget
) -> Iterator[dict[str, str]]:
    """Yield every extension of a binding under which all patterns hold in the view."""
    if not patterns:
        yield dict(binding)
        return
    chosen, pattern, looked = _cheapest(patterns, view, binding)
    rest = [p for i, p in enumerate(patterns) if i != chosen]
    found = view.match(*_open(pattern))
    budget.spend(looked + len(found) + len(patterns) // 4)
    for statement in found:
        extended = bind(pattern, statement, binding)
        if extended is not None:
            yield from solve(rest, view, extended, budget)


def _open(pattern: Pattern) -> tuple[str | None, str | None, str | None]:
    s, p, o = pattern
    return (
        None if s[0] == "?" else s,
        None if p[0] == "?" else p,
        None if o[0] == "?" else o,
    )


def _cheapest(
    patterns: Sequence[Pattern], view: FactView, binding: Binding
) -> tuple[int, Pattern, int]:
    """Return the index of the cheapest pattern, the filled pattern, and how many were examined.

    The search stops at the first pattern with an estimate of at most `_FEW`.
    """
    if len(patterns) == 1:
        return 0, fill(patterns[0], binding), 1
    best: tuple[int, int, Pattern] | None = None
    for i, unfilled in enumerate(patterns):
        pattern = fill(unfilled, binding)
        cost = view.estimate(*_open(pattern))
        if best is None or cost < best[0]:
            best = (cost, i, pattern)
            if cost <= _FEW:
                break
    assert best is not None
    return best[1], best[2], i + 1
