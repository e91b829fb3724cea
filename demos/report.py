"""The results of a demonstration as one JSON document."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from demos.asking import Answered, Difference, Reasons, StepResult
from demos.prose import asked_so, because, differs, failure, replied
from demos.story import Belief, Case, Story
from demos.tabulated import tabled
from kb_server.client.calls.values import Proof

__all__ = ["report"]


def report(story: Story, case: Case, results: Sequence[StepResult]) -> dict[str, Any]:
    """The results of a case, step by step."""
    return {
        "demo": story.name,
        "case": case.name,
        "title": story.title,
        "about": case.about,
        "models": list(story.models),
        "steps": [_step(each) for each in results],
        "ok": all(each.is_right for each in results),
    }


def _step(result: StepResult) -> dict[str, Any]:
    return {
        "n": result.n,
        "title": result.step.title,
        "says": result.step.says,
        "seq": result.seq,
        "t": result.t,
        "beliefs": {model: list(facts) for model, facts in result.facts.items()},
        "places": {model: list(facts) for model, facts in result.places.items()},
        "differences": [_difference(each) for each in result.differences],
        "expected": [_belief(each, each not in result.failed) for each in result.step.beliefs],
        "table": tabled(result.step.table, result.cells),
        "questions": [_answered(each) for each in result.answered],
        "ok": result.is_right,
    }


def _difference(difference: Difference) -> dict[str, Any]:
    return {
        "model": difference.model,
        "from": difference.reference,
        "only_here": list(difference.here),
        "only_there": list(difference.there),
        "says": differs(difference),
    }


def _belief(belief: Belief, is_right: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"model": belief.model, "patterns": list(belief.patterns)}
    found |= {"holds": belief.is_held, "ok": is_right}
    return found if is_right else found | {"wrong": failure(belief)}


def _answered(answered: Answered) -> dict[str, Any]:
    question = answered.question
    return {
        "ask": question.ask,
        "model": question.model,
        "patterns": list(question.patterns),
        "asked": list(answered.asked.patterns),
        "at": answered.seq,
        "answer": list(answered.answer),
        "expected": list(question.expected),
        "says": replied(answered),
        "candidates": {name: list(values) for name, values in answered.values.items()},
        "because": [*asked_so(answered), *_because(answered)],
        "facts": [_reasons(each) for each in answered.reasons],
        "ok": answered.is_right,
    }


def _because(answered: Answered) -> Iterator[str]:
    return (line for each in answered.reasons for line in because(each))


def _reasons(reasons: Reasons) -> dict[str, Any]:
    moments = {
        "since": reasons.since,
        "last_saw": reasons.saw,
        "last_perceived": reasons.perceived,
        "missed": reasons.missed,
    }
    written = {name: None if each is None else asdict(each) for name, each in moments.items()}
    return {
        "fact": reasons.fact,
        "said_by": reasons.other or None,
        "sees": reasons.sees,
        "perceives": reasons.perceives,
        **written,
        "proof": _proof(reasons.proof),
    }


def _proof(proof: Proof) -> dict[str, Any]:
    ways = [
        {"rule": way.rule, "premises": [_proof(each) for each in way.premises]}
        for way in proof.because
    ]
    return {"fact": proof.fact, "kind": proof.kind, "because": ways}
