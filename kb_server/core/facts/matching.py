"""Matching: the bindings under which patterns hold together, within a budget of steps.

One matcher serves rules, questions and events. It takes the patterns one by one, always the one
with the fewest facts to look at, given what is bound so far.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kb_server.core.errors import TooCostly
from kb_server.core.facts.facts import View
from kb_server.core.terms.statements import Pattern, Statement

__all__ = ["Binding", "Budget", "bind", "fill", "solve"]

Binding = Mapping[str, str]


_FEW: Final = 2
"""So few facts to look at that no other pattern is worth weighing."""


class Budget:
    """The steps that one request may take; `spend` raises TooCostly past the last."""

    __slots__ = ("allowed", "left")

    def __init__(self, steps: int) -> None:
        self.allowed = steps
        self.left = steps

    @property
    def spent(self) -> int:
        return self.allowed - self.left

    def extend(self, steps: int) -> None:
        """Allows so many more."""
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
    """The binding extended so that the pattern is the statement; None when it can't be.

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
    """The pattern with what is bound put in."""
    s, p, o = pattern
    return (binding.get(s, s), binding.get(p, p), binding.get(o, o))


def solve(
    patterns: Sequence[Pattern], view: View, binding: Binding, budget: Budget
) -> Iterator[dict[str, str]]:
    """Every binding of all the patterns' variables under which all hold in the view."""
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
    patterns: Sequence[Pattern], view: View, binding: Binding
) -> tuple[int, Pattern, int]:
    """The place of the pattern with the fewest facts, it with what is bound, and how many were
    looked at: no more than until one is found that is as good as any.
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
