"""Whether a model contradicts itself: by the rules at once, by full OWL DL when asked."""

from collections.abc import Iterator
from dataclasses import dataclass

from kb_server.core.agents import ROBOT
from kb_server.core.blackboard import Blackboard
from kb_server.core.model import Model
from kb_server.core.proofs import Conflict
from kb_server.core.rdf import ntriples
from kb_server.core.statements import Statement
from kb_server.dl.answers import DLConflict
from kb_server.dl.engine import DLEngine
from ontology.vocabulary import OWNER

__all__ = ["Verdict", "consistency_by_dl", "consistency_by_rules", "statements_of"]


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


def consistency_by_dl(
    board: Blackboard, model: str, dl: DLEngine, *, timeout: float = 30.0
) -> Verdict:
    """Pellet's verdict together with the rules', which see what it has no rule for.

    Raises NoDLEngine, DLTimeout or DLFailed.
    """
    mind = board.model(model)
    by_rules = board.conflicts(model)
    told = ntriples(statements_of(board, mind), board.names)
    verdict = dl.consistency(told, timeout=timeout)
    blamed = {frozenset(conflict.facts) for conflict in by_rules}
    by_dl = [_conflict(board, mind, found) for found in verdict.conflicts]
    by_dl = [conflict for conflict in by_dl if frozenset(conflict.facts) not in blamed]
    consistent = verdict.consistent and not by_rules
    return Verdict(consistent, (*by_rules, *by_dl), verdict.warnings)


def statements_of(board: Blackboard, mind: Model) -> Iterator[Statement]:
    """The ontology as it reads for the owner of a model, and the model's assertions."""
    owner = mind.reasoner.owner or ROBOT
    for s, p, o in board.common.statements:
        if s != OWNER:
            yield (s, p, owner if o == OWNER else o)
    yield from mind.assertions


def _conflict(board: Blackboard, mind: Model, found: DLConflict) -> Conflict:
    term = board.names.term
    facts = [(term(s), term(p), term(o)) for s, p, o in found.facts]
    blamed = tuple(fact for fact in facts if fact in mind.assertions)
    return Conflict(found.rule, blamed, found.message)
