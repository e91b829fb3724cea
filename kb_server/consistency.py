"""Whether a model contradicts itself: by the rules at once, by full OWL DL when asked.

Pellet takes seconds, and the board may go on meanwhile: `question_of` reads it between two
changes, `answer_to` looks at it no more.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from kb_server.core.models.agents import ROBOT
from kb_server.core.models.blackboard import Blackboard
from kb_server.core.models.model import Model
from kb_server.core.models.proofs import Conflict
from kb_server.core.terms.rdf import ntriples
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.dl.answers import DLConflict
from kb_server.dl.engine import DLEngine
from ontology.vocabulary import OWNER

__all__ = [
    "Question",
    "Verdict",
    "answer_to",
    "consistency_by_dl",
    "consistency_by_rules",
    "question_of",
    "statements_of",
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one engine says of a model; `warnings` tell what it had to leave out."""

    consistent: bool
    conflicts: tuple[Conflict, ...]
    warnings: tuple[str, ...] = ()


def consistency_by_rules(board: Blackboard, model: str) -> Verdict:
    """The contradictions that the rules have found; nothing is computed anew."""
    found = tuple(board.conflicts(model))
    return Verdict(not found, found)


@dataclass(frozen=True, slots=True)
class Question:
    """A model as it was at one moment: what Pellet is told, what was asserted, what clashed."""

    names: Names
    told: str
    asserted: frozenset[Statement]
    by_rules: tuple[Conflict, ...]


def question_of(board: Blackboard, model: str) -> Question:
    """What is to be asked about a model."""
    mind = board.model(model)
    told = ntriples(statements_of(board, mind), board.names)
    return Question(board.names, told, frozenset(mind.assertions), tuple(board.conflicts(model)))


def answer_to(asked: Question, dl: DLEngine, *, timeout: float = 30.0) -> Verdict:
    """Pellet's verdict together with the rules', which see what it has no rule for.

    Raises NoDLEngine, DLTimeout or DLFailed.
    """
    verdict = dl.consistency(asked.told, timeout=timeout)
    blamed = {frozenset(conflict.facts) for conflict in asked.by_rules}
    by_dl = [_conflict(asked, found) for found in verdict.conflicts]
    by_dl = [conflict for conflict in by_dl if frozenset(conflict.facts) not in blamed]
    consistent = verdict.consistent and not asked.by_rules
    return Verdict(consistent, (*asked.by_rules, *by_dl), verdict.warnings)


def consistency_by_dl(
    board: Blackboard, model: str, dl: DLEngine, *, timeout: float = 30.0
) -> Verdict:
    """Both at once, for who owns the board and waits."""
    return answer_to(question_of(board, model), dl, timeout=timeout)


def statements_of(board: Blackboard, mind: Model) -> Iterator[Statement]:
    """The ontology as it reads for the owner of a model, and the model's assertions."""
    owner = mind.reasoner.owner or ROBOT
    for s, p, o in board.common.statements:
        if s != OWNER:
            yield (s, p, owner if o == OWNER else o)
    yield from mind.assertions


def _conflict(asked: Question, found: DLConflict) -> Conflict:
    term = asked.names.term
    facts = [(term(s), term(p), term(o)) for s, p, o in found.facts]
    blamed = tuple(fact for fact in facts if fact in asked.asserted)
    return Conflict(found.rule, blamed, found.message)
