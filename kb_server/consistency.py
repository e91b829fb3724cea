"""The consistency of a model: by the rules at once, by full OWL DL on request.

Pellet takes seconds, and the board may change meanwhile. Therefore the check has two steps:

1. `question_of` copies what the check needs from the board, between two changes.
2. `answer_to` runs Pellet on that copy and does not read the board.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from kb_server.core.models.agents import ROBOT
from kb_server.core.models.board import Board
from kb_server.core.models.model import BeliefModel
from kb_server.core.models.proofs import Contradiction
from kb_server.core.terms.rdf import ntriples
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.dl.answers import DLConflict
from kb_server.dl.engine import DLEngine
from ontology.vocabulary import OWNER

__all__ = [
    "ConsistencyQuestion",
    "Verdict",
    "answer_to",
    "consistency_by_dl",
    "consistency_by_rules",
    "question_of",
    "statements_of",
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a consistency check; `warnings` name what the engine had to leave out."""

    consistent: bool
    conflicts: tuple[Contradiction, ...]
    warnings: tuple[str, ...] = ()


def consistency_by_rules(board: Board, model: str) -> Verdict:
    """Return the contradictions that the rules have already found; computes nothing."""
    found = tuple(board.conflicts(model))
    return Verdict(not found, found)


@dataclass(frozen=True, slots=True)
class ConsistencyQuestion:
    """A model at one moment: the input of Pellet, the assertions, the clashes found by rules."""

    names: Names
    document: str
    asserted: frozenset[Statement]
    by_rules: tuple[Contradiction, ...]


def question_of(board: Board, model: str) -> ConsistencyQuestion:
    """Copy from the board what a consistency check of a model needs."""
    mind = board.model(model)
    document = ntriples(statements_of(board, mind), board.names)
    return ConsistencyQuestion(
        board.names, document, frozenset(mind.assertions), tuple(board.conflicts(model))
    )


def answer_to(asked: ConsistencyQuestion, dl: DLEngine, *, timeout: float = 30.0) -> Verdict:
    """Return Pellet's verdict merged with that of the rules, which also cover what OWL DL does not.

    A conflict of Pellet is left out if the rules blame the same facts. Raises NoDLEngine,
    DLTimeout or DLFailed.
    """
    verdict = dl.consistency(asked.document, timeout=timeout)
    blamed = {frozenset(conflict.facts) for conflict in asked.by_rules}
    by_dl = [_conflict(asked, found) for found in verdict.conflicts]
    by_dl = [conflict for conflict in by_dl if frozenset(conflict.facts) not in blamed]
    consistent = verdict.consistent and not asked.by_rules
    return Verdict(consistent, (*asked.by_rules, *by_dl), verdict.warnings)


def consistency_by_dl(board: Board, model: str, dl: DLEngine, *, timeout: float = 30.0) -> Verdict:
    """Run both steps at once; for an owner of the board who can wait."""
    return answer_to(question_of(board, model), dl, timeout=timeout)


def statements_of(board: Board, mind: BeliefModel) -> Iterator[Statement]:
    """Yield the ontology, with `oro:owner` replaced by the model's owner, then the assertions."""
    owner = mind.reasoner.owner or ROBOT
    for s, p, o in board.common.statements:
        if s != OWNER:
            yield (s, p, owner if o == OWNER else o)
    yield from mind.assertions


def _conflict(asked: ConsistencyQuestion, found: DLConflict) -> Contradiction:
    term = asked.names.term
    facts = [(term(s), term(p), term(o)) for s, p, o in found.facts]
    blamed = tuple(fact for fact in facts if fact in asked.asserted)
    return Contradiction(found.rule, blamed, found.message)
