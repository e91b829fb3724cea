"""What is refused is refused alike, with the same code and data, whichever way it is asked."""

from collections.abc import Callable

import pytest

from kb_server import (
    BadModelName,
    BadRequest,
    BadStatement,
    Blackboard,
    BoardError,
    Closed,
    DoesNotHold,
    Inconsistent,
    UnknownMemory,
    UnknownModel,
)
from tests.contracts.boards import untyped

Act = Callable[[Blackboard, str], object]
_POSE: dict[str, object] = {"pose": [0, 0, 0]}
REFUSED: dict[str, tuple[type[BoardError], Act]] = {
    "a statement of two terms": (BadStatement, lambda kb, m: kb.add(m, "ball isIn")),
    "a list of two terms": (BadRequest, lambda kb, m: kb.add(m, ["ball", "isIn"])),
    "a variable that is told": (BadStatement, lambda kb, m: kb.add(m, "?x isIn box")),
    "a number as a statement": (BadRequest, lambda kb, m: kb.add(m, untyped(5))),
    "an unknown prefix": (BadStatement, lambda kb, m: kb.check(m, "no:where isIn box")),
    "a memory of no name": (UnknownMemory, lambda kb, m: kb.add(m, "a b c", memory="eternal")),
    "a life of no length": (BadRequest, lambda kb, m: kb.add(m, "a b c", ttl=-1)),
    "no pattern": (BadRequest, lambda kb, m: kb.find(m)),
    "a variable of no pattern": (BadRequest, lambda kb, m: kb.find(m, "?a b c", select=["?z"])),
    "a limit of nothing": (BadRequest, lambda kb, m: kb.find(m, "?a b c", limit=0)),
    "what does not hold": (DoesNotHold, lambda kb, m: kb.explain(m, "ball isIn nowhere")),
    "a time to come": (BadRequest, lambda kb, m: kb.find(m, "?a b c", at="2999-01-01T00:00:00Z")),
    "a time of no calendar": (BadRequest, lambda kb, m: kb.check(m, "a b c", at="yesterday")),
    "the engine of no name": (BadRequest, lambda kb, m: kb.consistency(m, untyped("guess"))),
    "a kind of no name": (BadRequest, lambda kb, m: list(kb.facts(m, kind=untyped("any")))),
    "a contradiction": (
        Inconsistent,
        lambda kb, m: kb.add(m, "t a Human", "t a Table", if_consistent=True),
    ),
    "a model of no agent": (UnknownModel, lambda kb, _: kb.find("nobody", "?a b c")),
    "a change of no model": (UnknownModel, lambda kb, _: kb.add("nobody", "a b c")),
    "facts of no model": (UnknownModel, lambda kb, _: list(kb.facts("nobody"))),
    "history of no model": (UnknownModel, lambda kb, _: kb.history("nobody")),
    "divergence from no model": (UnknownModel, lambda kb, m: kb.divergence(m, "nobody")),
    "the end of no model": (UnknownModel, lambda kb, _: kb.delete("nobody")),
    "a model in no model": (UnknownModel, lambda kb, _: kb.create("nobody.anne")),
    "a model that is a path": (UnknownModel, lambda kb, _: kb.find("../health", "?a b c")),
    "a name that is none": (BadModelName, lambda kb, _: kb.create("sally anne")),
    "a will of nobody": (BadRequest, lambda kb, _: kb.will("")),
    "a predicate that is none": (BadRequest, lambda kb, _: kb.provide(["?x"], lambda _ask: [])),
    "a truth that is a word": (
        BadRequest,
        lambda kb, m: kb.subscribe(m, "?a b c", once=untyped("yes")),
    ),
    "a seq that is a word": (
        BadRequest,
        lambda kb, m: kb.subscribe(m, "a b c", after=untyped("z")),
    ),
    "a seq below all": (BadRequest, lambda kb, m: kb.subscribe(m, "a b c", after=-1)),
    "a seq to come": (BadRequest, lambda kb, m: kb.subscribe(m, "a b c", after=10**9)),
    "a subscription to nothing": (BadRequest, lambda kb, m: kb.subscribe(m)),
    "a number in brackets": (BadRequest, lambda kb, m: kb[m][untyped(3)]),
    "a pose of a variable": (BadRequest, lambda kb, m: kb.publish(m, {"?ball": _POSE})),
    "a pose of a text": (BadRequest, lambda kb, m: kb.publish(m, {'"ball"': _POSE})),
    "a pose seen at a word": (
        BadRequest,
        lambda kb, m: kb.publish(m, {"ball": {**_POSE, "seen": "lately"}}),
    ),
    "five deviations": (
        BadRequest,
        lambda kb, m: kb.publish(m, {"ball": {**_POSE, "sigma": [0.1] * 5}}),
    ),
    "a deviation less than none": (
        BadRequest,
        lambda kb, m: kb.publish(m, {"ball": {**_POSE, "sigma": [0.1] * 5 + [-0.1]}}),
    ),
    "a turn of no length": (
        BadRequest,
        lambda kb, m: kb.publish(m, {"ball": {"pose": [0, 0, 0, 0, 0, 0, 0]}}),
    ),
    "a turn of length nine": (
        BadRequest,
        lambda kb, m: kb.publish(m, {"ball": {"perceived_pose": [0, 0, 0, 0, 0, 0, 9]}}),
    ),
    "bytes as a statement": (BadRequest, lambda kb, m: kb.add(m, untyped(b"a b c"))),
    "bytes as a query": (BadRequest, lambda kb, _: kb.query(untyped(b"ASK {}"))),
    "bytes as an update": (BadRequest, lambda kb, _: kb.update_sparql(untyped(b"CLEAR ALL"))),
    "bytes as a predicate": (BadRequest, lambda kb, _: kb.provide([untyped(b"a")], str)),
    "bytes as a label": (BadRequest, lambda kb, m: kb.lookup(m, untyped(b"cup"))),
    "bytes as a subject": (BadRequest, lambda kb, m: list(kb.facts(m, s=untyped(b"a")))),
    "a life of no number": (BadRequest, lambda kb, m: kb.add(m, "a b c", ttl=float("nan"))),
    "a limit of no number": (
        BadRequest,
        lambda kb, m: kb.find(m, "?a b c", limit=untyped(float("nan"))),
    ),
    "the robot's own model": (BadModelName, lambda kb, _: kb.delete("myself")),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(kb: Blackboard, mind: str, case: str) -> None:
    """The refusal is of its kind and says what was wrong, and nothing has changed."""
    kind, act = REFUSED[case]
    with pytest.raises(kind) as refusal:
        act(kb, mind)
    assert type(refusal.value).code == kind.code
    assert refusal.value.message
    assert list(kb.facts(mind)) == []


def test_what_json_can_not_say_is_named(kb: Blackboard, mind: str) -> None:
    """NaN and bytes are refused by the field that they are in, as the board itself would say."""
    with pytest.raises(BadRequest) as refusal:
        kb.add(mind, "a b c", untyped(b"d"))
    assert refusal.value.message.startswith("add[1] must be text of three terms")
    with pytest.raises(BadRequest) as refusal:
        kb.add(mind, "a b c", ttl=float("nan"))
    assert refusal.value.message.startswith("ttl must be a number of seconds above 0")
    assert refusal.value.detail == {"field": "ttl"}


def test_a_refusal_carries_its_data(kb: Blackboard, mind: str) -> None:
    """The data of a refusal are plain, as JSON has them."""
    with pytest.raises(BadStatement) as refusal:
        kb.add(mind, "ball isIn")
    assert refusal.value.detail == {"statement": "ball isIn"}


def test_a_closed_board_answers_nothing(kb: Blackboard) -> None:
    """What is closed says so."""
    kb.close()
    with pytest.raises(Closed):
        kb.models()
