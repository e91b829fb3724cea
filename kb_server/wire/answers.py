"""The answers: values of the board written as the JSON of each call."""

from collections.abc import Iterable, Sequence
from typing import Any

from kb_server.core.models.board import ModelDivergence, ModelSummary
from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.proofs import Contradiction, FactProof
from kb_server.core.questions.description import Description, LabelMatch
from kb_server.core.questions.discrimination import Discrimination
from kb_server.core.questions.listing import FactPage
from kb_server.core.questions.query import Row
from kb_server.core.questions.similarity import SimilarityReport
from kb_server.core.terms.statements import Statement, write
from kb_server.journal.protocol import Happened
from kb_server.wire.times import LATEST, written_time

__all__ = [
    "JSON",
    "about_in",
    "bindings_in",
    "comparison_in",
    "conflict_in",
    "consistency_in",
    "delta_in",
    "discriminant_in",
    "divergence_in",
    "facts_in",
    "history_in",
    "matches_in",
    "models_in",
    "proof_in",
    "statements_in",
]

JSON = dict[str, Any]


def statements_in(facts: Iterable[Statement]) -> list[str]:
    return [write(fact) for fact in facts]


def delta_in(delta: ModelDelta | None, newest: int) -> JSON:
    """Return the net effect of a change; without one, the `seq` of the newest delta."""
    if delta is None:
        return {"seq": newest, "became_true": [], "ceased": []}
    return {
        "seq": delta.seq,
        "became_true": statements_in(delta.became_true),
        "ceased": statements_in(delta.ceased),
    }


def models_in(models: Iterable[ModelSummary], kept: int) -> JSON:
    """Return the models of a board; no `seq` exceeds `kept`, the newest delta in the journal."""
    return {
        "models": [
            {
                "id": model.id,
                "parent": model.parent,
                "asserted": model.asserted,
                "inferred": model.inferred,
                "seq": min(model.seq, kept),
            }
            for model in models
        ]
    }


def bindings_in(rows: Sequence[Row]) -> JSON:
    return {"bindings": list(rows)}


def facts_in(page: FactPage) -> JSON:
    facts = [
        {
            "fact": write(record.fact),
            "kind": record.kind,
            "memory": record.memory,
            "expires": _time(record.expires),
            "since": _time(record.since),
            "source": record.source,
        }
        for record in page.facts
    ]
    return {"facts": facts, "next": page.next}


def history_in(happened: Iterable[Happened], complete: bool) -> JSON:
    lines = [
        {
            "seq": each.seq,
            "t": written_time(each.t),
            "source_t": each.source_t,
            "op": each.op,
            "fact": write(each.fact),
            "source": each.source,
        }
        for each in happened
    ]
    return {"history": lines, "complete": complete}


def about_in(portrait: Description) -> JSON:
    return {
        "id": portrait.id,
        "label": portrait.label,
        "direct_types": list(portrait.direct_types),
        "types": list(portrait.types),
        "as_subject": statements_in(portrait.as_subject),
        "as_object": statements_in(portrait.as_object),
    }


def matches_in(matches: Iterable[LabelMatch]) -> JSON:
    return {"matches": [{"id": m.id, "kind": m.kind, "label": m.label} for m in matches]}


def proof_in(proof: FactProof) -> JSON:
    ways = [
        {"rule": way.rule, "premises": [proof_in(premise) for premise in way.premises]}
        for way in proof.because
    ]
    return {"fact": write(proof.fact), "kind": proof.kind, "because": ways}


def conflict_in(conflict: Contradiction) -> JSON:
    return {
        "rule": conflict.rule,
        "facts": statements_in(conflict.facts),
        "message": conflict.message,
    }


def consistency_in(
    consistent: bool, conflicts: Iterable[Contradiction], warnings: Iterable[str] = ()
) -> JSON:
    found = {"consistent": consistent, "conflicts": [conflict_in(each) for each in conflicts]}
    left_out = list(warnings)
    return {**found, "warnings": left_out} if left_out else found


def comparison_in(found: SimilarityReport) -> JSON:
    of_a, of_b = found.first_different_ancestors
    return {
        "common_ancestors": list(found.common_ancestors),
        "first_different_ancestors": {"a": list(of_a), "b": list(of_b)},
        "similarities": [
            {"property": _property(p), "value": value} for p, value in found.similarities
        ],
        "differences": [
            {"property": _property(each.property), "a": list(each.of_a), "b": list(each.of_b)}
            for each in found.differences
        ],
    }


def discriminant_in(found: Discrimination) -> JSON:
    """Return the property that best tells the candidates apart, or null."""
    if found.property is None:
        return {"property": None}
    values = {candidate: list(each) for candidate, each in found.values.items()}
    return {"property": _property(found.property), "values": values, "complete": found.complete}


def divergence_in(found: ModelDivergence) -> JSON:
    return {
        "only_here": statements_in(found.only_here),
        "only_there": statements_in(found.only_there),
    }


def _property(term: str) -> str:
    """Return a property as it is written in a statement: `a` for rdf:type."""
    return write(("", term, "")).strip()


def _time(t: float | None) -> str | None:
    """Return a time as text; None for a time after the year 9999, which stands for never."""
    return None if t is None or t > LATEST else written_time(t)
