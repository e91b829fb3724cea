"""Beliefs in English: all phrases in which the demonstrations report results."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from demos.asking import Answered, Difference, Moment, Reasons, agent_of
from demos.story import Belief
from kb_server.client.calls.values import Proof

__all__ = [
    "asked_so",
    "because",
    "differs",
    "failure",
    "mind",
    "place",
    "proof_lines",
    "replied",
    "wrong",
]

_OWN: Final = "myself"
_ROLES: Final[Mapping[str, str]] = {_OWN: "robot", "human": "human", "director": "director"}
"""Agents who are called by their role instead of a name."""
_NAMELESS: Final = "_:"
_PLACED: Final[Mapping[str, str]] = {"isIn": "in", "isOn": "on", "isInHand": "in"}
_PARTS: Final = ("right_hand", "left_hand")
_KINDS: Final = {"asserted": "perceived", "common_sense": "common sense"}


def mind(model: str) -> str:
    """The name of a mind.

    >>> mind("myself"), mind("sally"), mind("anne.sally")
    ('the robot', 'Sally', 'Sally, as Anne thinks')
    """
    outer, _, inner = model.rpartition(".")
    return f"{_person(inner)}, as {mind(outer)} thinks" if outer else _person(inner)


def place(fact: str) -> str:
    """The place that a fact gives to its object.

    >>> place("ball isIn basket"), place("ball isInHand sally_right_hand")
    ('in the basket', "in Sally's right hand")
    """
    _, predicate, where = fact.split(maxsplit=2)
    return f"{_PLACED[predicate]} {_thing(where)}"


def differs(difference: Difference) -> str:
    """The difference between a mind and its reference.

    >>> here, there = ("ball isIn basket",), ("ball isIn box",)
    >>> differs(Difference("sally", "myself", "ball", here, there))
    'Sally believes that the ball is in the basket; it is in the box.'
    >>> differs(Difference("anne.sally", "sally", "ball", here, there))
    'Anne thinks that Sally believes that the ball is in the basket; but to Sally it is in the box.'
    """
    here, there = (_somewhere(each) for each in (difference.here, difference.there))
    says = f"{_believes(difference.model)} that {_thing(difference.thing)} is {here}"
    if not difference.here:
        says = f"{_knows_not(difference.model)} where {_thing(difference.thing)} is"
    if difference.reference == _OWN:
        return f"{says}; it is {there}."
    is_known = "it is" if difference.there else "it is lost: it is"
    return f"{says}; but to {mind(difference.reference)} {is_known} {there}."


def replied(answered: Answered) -> str:
    """The answer to a question, as a phrase."""
    question, answer = answered.asked, answered.answer
    if question.clarifies:
        return _to_ask_back(answered)
    if question.variable is None or not answer:
        return answer[0] if answer else "nothing that is known"
    facts = [each.fact for each in answered.reasons]
    if facts and all(_is_place(fact, value) for fact, value in zip(facts, answer, strict=False)):
        return ", ".join(dict.fromkeys(place(fact) for fact in facts))
    return ", ".join(_thing(value) for value in answer)


def asked_so(answered: Answered) -> Iterator[str]:
    """How the question was asked, if not in its original form."""
    if answered.seq is not None:
        step = answered.question.then
        yield f"Asked of what was held at the end of step {step} (at={answered.seq})."
    if answered.asked != answered.question:
        first, last = (_patterns(each.patterns) for each in (answered.question, answered.asked))
        yield f"Nothing answers {first}, so it goes by {last}."


def because(reasons: Reasons) -> Iterator[str]:
    """Why a mind believes a fact, one sentence each."""
    who, thing = _person(agent_of(reasons.model)), _thing(reasons.fact.split()[0])
    outer = reasons.model.rpartition(".")[0]
    as_outer = f"As {mind(outer)} has it, " if outer else ""
    if reasons.other:
        yield f"`{reasons.fact}` was said in {reasons.model} by `{reasons.other}`."
    if reasons.since is not None:
        yield f"`{reasons.fact}` holds in {reasons.model} since {_at(reasons.since)}."
    if reasons.sees:
        yield _sentence(f"{as_outer}{who} sees {thing} now.")
    elif reasons.saw is not None:
        yield _sentence(f"{as_outer}{who} last saw {thing} at {_at(reasons.saw)}.")
    elif reasons.perceives:
        yield _sentence(f"{as_outer}{who} perceives {thing} now.")
    elif reasons.perceived is not None:
        yield _sentence(f"{as_outer}{who} last perceived {thing} at {_at(reasons.perceived)}.")
    if reasons.missed is not None:
        yield _sentence(_missed(reasons, who, outer))


def proof_lines(proof: Proof, depth: int = 0) -> Iterator[str]:
    """The derivation of a fact as indented lines; empty for a fact that is not inferred.

    Facts about unnamed classes are left out: the rule already states their definition.
    """
    indent = "  " * depth
    if (depth or proof.because) and f" {_NAMELESS}" not in proof.fact:
        yield f"{indent}{proof.fact}  ({_KINDS.get(proof.kind, proof.kind)})"
    for way in proof.because:
        yield f"{indent}  by {way.rule}:"
        for premise in way.premises:
            yield from proof_lines(premise, depth + 2)


def failure(belief: Belief) -> str:
    """An expected belief that does not hold."""
    holds = "does not hold" if belief.is_held else "holds"
    return f"{_patterns(belief.patterns)} {holds} in {belief.model}"


def wrong(answered: Answered) -> str:
    """An answer that is not the expected one."""
    expected = ", ".join(answered.question.expected) or "nothing"
    answer = ", ".join(answered.answer) or "nothing"
    return f"“{answered.question.ask}” is answered {answer}, not {expected}"


def _to_ask_back(answered: Answered) -> str:
    """The property that distinguishes the candidates of a description."""
    if len(answered.values) < 2:
        return "nothing: there is but one"
    if not answered.answer:
        return "nothing would tell them apart"
    quality = answered.answer[0].removeprefix("has").lower()
    values = [", ".join(each) or "none" for each in answered.values.values()]
    return f"its {quality}: {' or '.join(values)}"


def _patterns(patterns: Sequence[str]) -> str:
    return " and ".join(f"`{each}`" for each in patterns)


def _missed(reasons: Reasons, who: str, outer: str) -> str:
    when = _at(reasons.missed) if reasons.missed is not None else ""
    if reasons.reference == _OWN:
        return f"it ceased to be so at {when}, and {who} did not see that."
    who_knows = mind(reasons.reference)
    return f"{who_knows} believes otherwise since {when}, and {mind(outer)} does not know."


def _at(moment: Moment) -> str:
    return f"{moment.t:.1f} s (step {moment.step})"


def _person(agent: str) -> str:
    if agent in _ROLES:
        return f"the {_ROLES[agent]}"
    return agent.capitalize()


def _thing(name: str) -> str:
    """The name of an object; for a hand, with its owner."""
    for part in _PARTS:
        if name.endswith(f"_{part}"):
            owner = name.removesuffix(f"_{part}")
            return f"{_person(owner)}'s {part.replace('_', ' ')}"
    return f"the {name.replace('_', ' ')}"


def _believes(model: str) -> str:
    return _chain(model, "believes")


def _knows_not(model: str) -> str:
    return _chain(model, "does not know")


def _chain(model: str, verb: str) -> str:
    """A chain of nested beliefs, such as “Anne thinks that Sally believes”."""
    *outer, inner = (_person(each) for each in model.split("."))
    return _sentence("".join(f"{each} thinks that " for each in outer) + f"{inner} {verb}")


def _somewhere(facts: Sequence[str]) -> str:
    return " and ".join(place(fact) for fact in facts) or "nowhere that is known"


def _is_place(fact: str, value: str) -> bool:
    _, predicate, where = fact.split(maxsplit=2)
    return predicate in _PLACED and where == value


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
