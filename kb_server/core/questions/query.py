"""Queries of one model by patterns: the bindings, or whether there is any."""

from collections.abc import Sequence
from typing import Final

from kb_server.core.facts.facts import FactView
from kb_server.core.facts.matching import Budget, solve
from kb_server.core.terms.statements import Pattern, named_variables, nameless
from kb_server.core.terms.terms import HIDDEN
from kb_server.errors import BadRequest

__all__ = ["MOST_PATTERNS", "ROW_STEPS", "Row", "asked", "check", "find"]

MOST_PATTERNS: Final = 100
"""Patterns in one query; the matcher recurses once for each."""
Row = dict[str, str]
ROW_STEPS: Final = 10
"""The cost of a row of an answer, in examined facts."""


def find(
    patterns: Sequence[Pattern],
    view: FactView,
    budget: Budget,
    select: Sequence[str] | None = None,
    limit: int | None = None,
) -> list[Row]:
    """Return the distinct bindings of the selected variables (by default all named ones).

    Without a named variable the answer is [{}] or []. Names are without their question mark.
    """
    wanted = asked(patterns)
    names = _selected(named_variables(wanted), select)
    rows: dict[tuple[str, ...], None] = {}
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise BadRequest(f"limit must be a whole number from 1, not {limit}", field="limit")
    for binding in solve(wanted, view, {}, budget):
        budget.spend(ROW_STEPS)
        rows[tuple(binding[name] for name in names)] = None
        if not names or len(rows) == limit:
            break
    keys = [name[1:] for name in names]
    return [dict(zip(keys, row, strict=True)) for row in rows]


def check(patterns: Sequence[Pattern], view: FactView, budget: Budget) -> bool:
    """Whether the patterns hold together under any binding."""
    return next(solve(asked(patterns), view, {}, budget), None) is not None


def asked(patterns: Sequence[Pattern]) -> tuple[Pattern, ...]:
    """Return the patterns, each `*` replaced by a new variable; BadRequest if none or too many."""
    if not patterns:
        raise BadRequest("there are no patterns; at least one is needed", field="patterns")
    if len(patterns) > MOST_PATTERNS:
        raise BadRequest(
            f"{len(patterns)} patterns are too many; at most {MOST_PATTERNS}", field="patterns"
        )
    if any(term.startswith(HIDDEN) for pattern in patterns for term in pattern):
        message = f"nodes {HIDDEN}… are reserved for the ontology and can't be queried"
        raise BadRequest(message, field="patterns")
    return nameless(patterns)


def _selected(named: Sequence[str], select: Sequence[str] | None) -> Sequence[str]:
    if select is None:
        return named
    chosen = [name if name.startswith("?") else f"?{name}" for name in select]
    for name in chosen:
        if name not in named:
            raise BadRequest(f"{name!r} is not a variable of the patterns", field="select")
    return tuple(dict.fromkeys(chosen))
