"""The matcher's naive twin: every way to lay the patterns on the facts, tried out."""

from collections.abc import Collection, Sequence
from itertools import product

from kb_server.core.questions.query import Row
from kb_server.core.terms.statements import Pattern, Statement

__all__ = ["rows"]


def rows(patterns: Sequence[Pattern], facts: Collection[Statement]) -> list[Row]:
    """The distinct values of the named variables, in no order."""
    found = [_named(patterns, chosen) for chosen in product(facts, repeat=len(patterns))]
    return [dict(row) for row in {tuple(sorted(row.items())) for row in found if row is not None}]


def _named(patterns: Sequence[Pattern], chosen: Sequence[Statement]) -> Row | None:
    row: Row = {}
    for pattern, fact in zip(patterns, chosen, strict=True):
        for term, value in zip(pattern, fact, strict=True):
            if term == "*":
                continue
            if term[0] != "?" and term != value:
                return None
            if term[0] == "?" and row.setdefault(term[1:], value) != value:
                return None
    return row
