"""Questions to a board: each is parsed from a request and answered as the JSON of its call.

The caller chooses the board (present or past), the thread and the budget.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from kb_server.consistency import Verdict, consistency_by_rules
from kb_server.core.facts.facts import with_more
from kb_server.core.facts.matching import Budget
from kb_server.core.models import proofs
from kb_server.core.models.board import Board
from kb_server.core.questions import description, discrimination, listing, query, similarity
from kb_server.core.questions.listing import FactQuery
from kb_server.core.questions.query import Row
from kb_server.core.terms.statements import (
    Pattern,
    Statement,
    TermOrAny,
    named_variables,
    read_pattern,
    read_statement,
)
from kb_server.core.terms.terms import Names, is_variable, shown
from kb_server.errors import BadRequest, BadStatement
from kb_server.wire.answers import (
    JSON,
    about_in,
    bindings_in,
    comparison_in,
    consistency_in,
    discriminant_in,
    divergence_in,
    facts_in,
    matches_in,
    proof_in,
)
from kb_server.wire.requests import (
    CheckRequest,
    ClarifyRequest,
    CompareRequest,
    DiscriminateRequest,
    ExplainRequest,
    FindRequest,
)

__all__ = [
    "BoardQuestion",
    "Search",
    "about",
    "check",
    "clarify",
    "compare",
    "consistency",
    "discriminate",
    "divergence",
    "explain",
    "facts",
    "find",
    "lookup",
    "read_place",
    "verdict_in",
]


class BoardQuestion(NamedTuple):
    """The models whose facts are needed, and the function that answers from a board."""

    models: tuple[str, ...]
    answer: Callable[[Board, Budget], JSON]


class Search(NamedTuple):
    """A question by patterns; facts of providers may be added to those of the board."""

    model: str
    patterns: list[Pattern]
    select: list[str] | None
    limit: int | None
    answer: Callable[[list[Row]], JSON]

    def rows(self, board: Board, budget: Budget, more: Sequence[Statement] = ()) -> list[Row]:
        """Return the bindings in the board's facts and `more` facts for this question only."""
        view = with_more(board.model(self.model).view, more)
        return query.find(self.patterns, view, budget, self.select, self.limit)


def find(names: Names, model: str, asked: FindRequest) -> Search:
    return Search(model, _patterns(names, asked.patterns), asked.select, asked.limit, bindings_in)


def check(names: Names, model: str, asked: CheckRequest) -> Search:
    patterns = _patterns(names, asked.patterns)
    return Search(model, patterns, [], None, lambda rows: {"holds": bool(rows)})


def facts(names: Names, model: str, asked: FactQuery) -> BoardQuestion:
    """Return the question for one page of facts; the terms of `asked` are texts."""
    s, p, o = read_place(names, asked.s, asked.p, asked.o)
    if asked.cursor is not None:
        _check_cursor(names, asked.cursor)
    read = replace(asked, s=s, p=p, o=o)
    return BoardQuestion(
        (model,), lambda board, _budget: facts_in(listing.list_facts(board.model(model), read))
    )


def about(names: Names, model: str, entity: str) -> BoardQuestion:
    term = names.term(entity)
    return BoardQuestion(
        (model,),
        lambda board, budget: about_in(description.about(term, board.model(model).view, budget)),
    )


def lookup(model: str, label: str) -> BoardQuestion:
    return BoardQuestion(
        (model,),
        lambda board, budget: matches_in(
            description.lookup(label, board.model(model).view, budget)
        ),
    )


def explain(names: Names, model: str, asked: ExplainRequest) -> BoardQuestion:
    fact = read_statement(asked.fact, names)
    return BoardQuestion(
        (model,), lambda board, budget: proof_in(proofs.explain(board.model(model), fact, budget))
    )


def consistency(model: str) -> BoardQuestion:
    """Return the question for the contradictions found by the rules; Pellet takes too long here."""
    return BoardQuestion(
        (model,), lambda board, _budget: verdict_in(consistency_by_rules(board, model))
    )


def compare(names: Names, model: str, asked: CompareRequest) -> BoardQuestion:
    a, b = names.term(asked.a), names.term(asked.b)
    return BoardQuestion(
        (model,),
        lambda board, budget: comparison_in(
            similarity.compare(a, b, board.model(model).view, budget)
        ),
    )


def discriminate(names: Names, model: str, asked: DiscriminateRequest) -> BoardQuestion:
    candidates = [names.term(each) for each in asked.candidates]
    return BoardQuestion(
        (model,),
        lambda board, budget: discriminant_in(
            discrimination.discriminate(candidates, board.model(model).view, budget)
        ),
    )


def clarify(names: Names, model: str, asked: ClarifyRequest) -> BoardQuestion:
    patterns, variable = _patterns(names, asked.patterns), asked.variable
    if f"?{variable.removeprefix('?')}" not in named_variables(patterns):
        message = f"{shown(variable)} is not a variable of the patterns"
        raise BadRequest(message, field="variable")

    def answer(board: Board, budget: Budget) -> JSON:
        view = board.model(model).view
        candidates, best = discrimination.clarify(patterns, variable, view, budget)
        return {"candidates": list(candidates), "discriminant": discriminant_in(best)}

    return BoardQuestion((model,), answer)


def divergence(model: str, other: str) -> BoardQuestion:
    return BoardQuestion(
        (model, other), lambda board, _budget: divergence_in(board.divergence(model, other))
    )


def verdict_in(verdict: Verdict) -> JSON:
    """Return the JSON of a consistency check."""
    return consistency_in(verdict.consistent, verdict.conflicts, verdict.warnings)


def read_place(
    names: Names, s: TermOrAny, p: TermOrAny, o: TermOrAny
) -> tuple[TermOrAny, TermOrAny, TermOrAny]:
    """Return the terms to look for; `a` as the predicate is rdf:type, a variable gives None."""
    read = read_pattern([s or "?s", p or "?p", o or "?o"], names)
    subject, predicate, thing = (None if is_variable(term) else term for term in read)
    return subject, predicate, thing


def _check_cursor(names: Names, cursor: str) -> None:
    """Raise BadRequest unless the cursor is the text of a fact, the last one of a page."""
    try:
        read_statement(cursor, names)
    except BadStatement:
        message = f"cursor must be the `next` of the previous page, not {shown(cursor)}"
        raise BadRequest(message, field="cursor") from None


def _patterns(names: Names, texts: Sequence[object]) -> list[Pattern]:
    return [read_pattern(text, names) for text in texts]
