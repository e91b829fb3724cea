"""Every command on a socket of a real server, and everything that is no command."""

import json

import pytest

from kb_server.wire.commands import COMMANDS
from tests.sockets.lines import Frame, Line


def test_revise_answers_as_http_does(line: Line, mind: str) -> None:
    """A revision over the socket has the number of its delta and what it brought."""
    answer = line.do("revise", model=mind, add=["ball isIn box"], source="eye", t=1.5)
    assert "ball isIn box" in answer["became_true"]
    assert answer["ceased"] == []
    gone = line.do("revise", model=mind, retract=["ball isIn *"])
    assert (gone["seq"] > answer["seq"], "ball isIn box" in gone["ceased"]) == (True, True)


def test_find_and_check_take_a_moment_of_the_past(line: Line, mind: str) -> None:
    """Questions over the socket answer as over HTTP, `at` being a field."""
    seq = line.do("revise", model=mind, add=["ball isIn box"])["seq"]
    line.do("revise", model=mind, retract=["ball isIn box"])
    asked = {"model": mind, "patterns": ["?o isIn box"]}
    assert line.do("find", **asked)["bindings"] == []
    assert line.do("find", **asked, at=seq)["bindings"] == [{"o": "ball"}]
    assert line.do("check", **asked, at=str(seq))["holds"] is True
    assert line.do("check", **asked)["holds"] is False
    assert line.refused("find", **asked, at=10**9) == "bad_request"


def test_an_answer_bears_what_is_said_of_it(line: Line, mind: str) -> None:
    """Each command is answered with the fields that its shape names, and with no other."""
    patterns: Frame = {"model": mind, "patterns": ["?o isIn box"]}
    poses: Frame = {"topic": "poses", "model": mind}
    said: dict[str, Frame] = {
        "revise": {"model": mind, "add": ["ball isIn box"]},
        "find": patterns,
        "check": patterns,
        "subscribe": patterns,
        "subscribe_divergence": patterns,
        "unsubscribe": {"sub": "c4"},
        "will": {"source": mind},
        "publish": {**poses, "poses": {}},
        "listen": poses,
        "unlisten": poses,
        "stage": {"source": mind, "shows": {}},
        "attend": {},
        "unattend": {},
        "ping": {},
        "provide": {"predicates": ["isAtLeftOf"]},
    }
    answered = {op: line.do(op, **fields) for op, fields in said.items()}
    line.send(id="asks", op="find", model=mind, patterns=["?o isAtLeftOf box"])
    answered["told"] = line.do("told", ask=_asked(line), facts=[])
    assert answered.keys() == COMMANDS.keys()
    for op, answer in answered.items():
        assert answer.keys() == {"id", "ok", *COMMANDS[op].answers}, op


def _asked(line: Line) -> object:
    """The number of the question that a provider is told next."""
    while (event := line.event())["event"] != "ask":
        pass
    return event["ask"]


def test_ids_are_texts_or_numbers(line: Line) -> None:
    """An answer bears the id of its command, as it was given."""
    for id in ("a", 7, -1, "ü\n"):
        answer = line.raw(json.dumps({"id": id, "op": "ping"}))
        assert (answer["id"], answer["ok"]) == (id, True)


@pytest.mark.parametrize(
    "frame",
    [
        "", "nonsense", "[]", "3", "null", '"text"', "{}", '{"op":"ping"}', "[" * 5_000,
        '{"id":[1],"op":"ping"}', '{"id":true,"op":"ping"}', '{"id":1.5,"op":"ping"}',
        '{"id":"","op":"ping"}', '{"id":null,"op":"find"}', '{"id":"\\ud800","op":"ping"}',
        '{"id":123456789012345678901234567890,"op":"ping"}',
    ],
)  # fmt: skip
def test_a_frame_without_a_usable_id_is_answered_under_null(line: Line, frame: str) -> None:
    """What is not a command is refused by name of nobody, and the socket lives on."""
    answer = line.raw(frame)
    assert (answer["id"], answer["error"]["code"]) == (None, "bad_request")
    assert line.do("ping")


def test_a_binary_frame_is_refused(line: Line) -> None:
    """Commands are text."""
    assert line.raw(b'{"id":1,"op":"ping"}')["error"]["code"] == "bad_request"
    assert line.do("ping")


@pytest.mark.parametrize(
    ("op", "fields", "code"),
    [
        ("fly", {}, "bad_request"),
        (None, {}, "bad_request"),
        (["find"], {}, "bad_request"),
        ("ping", {"more": 1}, "bad_request"),
        ("revise", {}, "bad_request"),
        ("revise", {"model": "myself", "add": "ball isIn box"}, "bad_request"),
        ("revise", {"model": "myself", "ad": ["ball isIn box"]}, "bad_request"),
        ("revise", {"model": "myself", "add": ["ball isIn"]}, "bad_statement"),
        ("revise", {"model": "myself", "add": ["x isIn y"], "memory": "none"}, "unknown_memory"),
        ("revise", {"model": "nobody", "add": ["ball isIn box"]}, "unknown_model"),
        ("revise", {"model": 3, "add": ["ball isIn box"]}, "bad_request"),
        ("find", {"model": "nobody", "patterns": ["?x a Book"]}, "unknown_model"),
        ("find", {"model": "myself", "patterns": []}, "bad_request"),
        ("find", {"model": "myself", "patterns": ["?x a Book"], "at": [1]}, "bad_request"),
        ("subscribe", {"model": "myself", "patterns": []}, "bad_request"),
        ("subscribe", {"model": "myself"}, "bad_request"),
        ("subscribe", {"model": "nobody", "patterns": ["?x a Book"]}, "unknown_model"),
        ("subscribe", {"model": "myself", "patterns": ["?x a Book"], "on": "now"}, "bad_request"),
        ("subscribe", {"model": "myself", "patterns": ["?x a Book"], "once": 1}, "bad_request"),
        ("subscribe", {"model": "myself", "patterns": ["?x"]}, "bad_statement"),
        ("subscribe", {"model": "myself", "patterns": ["a b c"], "after": 10**12}, "bad_request"),
        ("subscribe", {"model": "myself", "patterns": ["a b c"], "after": -1}, "bad_request"),
        ("subscribe", {"model": "myself", "patterns": ["a b c"], "after": True}, "bad_request"),
        (
            "subscribe",
            {"model": "myself", "patterns": ["a b c"], "after": 0, "snapshot": True},
            "bad_request",
        ),
        ("subscribe_divergence", {"model": "nobody", "patterns": ["a b ?c"]}, "unknown_model"),
        ("subscribe_divergence", {"model": "myself", "patterns": []}, "bad_request"),
        ("unsubscribe", {"sub": "none"}, "bad_request"),
        ("unsubscribe", {"sub": None}, "bad_request"),
        ("will", {"source": ""}, "bad_request"),
        ("listen", {"topic": "smells", "model": "myself"}, "bad_request"),
        ("listen", {"topic": "poses", "model": "nobody"}, "unknown_model"),
        ("unlisten", {"topic": "poses", "model": "myself"}, "bad_request"),
        ("publish", {"topic": "poses", "model": "nobody", "poses": {}}, "unknown_model"),
        ("publish", {"topic": "poses", "model": "myself", "poses": {"b": [1, 2]}}, "bad_request"),
        (
            "publish",
            {"topic": "poses", "model": "myself", "poses": {"b": {"pose": [1, 2]}}},
            "bad_request",
        ),
        ("provide", {"predicates": ["?p"]}, "bad_request"),
        ("provide", {"predicates": "isAtLeftOf"}, "bad_request"),
        ("told", {"ask": 99, "facts": []}, "bad_request"),
        ("told", {"ask": "1", "facts": []}, "bad_request"),
    ],
)
def test_a_wrong_command_is_refused_and_the_socket_lives_on(
    line: Line, op: object, fields: dict[str, object], code: str
) -> None:
    """Every wrong name, field or type has a clear answer under the command's own id."""
    answer = line.raw(json.dumps({"id": "wrong", "op": op, **fields}))
    assert answer["id"] == "wrong"
    assert answer["error"]["code"] == code
    assert set(answer["error"]) == {"code", "message", "detail"}
    assert line.do("ping")


def test_commands_sent_at_once_are_carried_out_in_order(line: Line, mind: str) -> None:
    """A question sent right behind a revision sees it."""
    for i in range(50):
        line.send(id=f"r{i}", op="revise", model=mind, add=[f"ball isNear b{i}"])
        line.send(id=f"f{i}", op="find", model=mind, patterns=["ball isNear ?x"])
    answers = {frame["id"]: frame for frame in (line.frame() for _ in range(100))}
    assert len(answers) == 100
    assert [len(answers[f"f{i}"]["bindings"]) for i in range(50)] == list(range(1, 51))


def test_a_refused_revision_changes_nothing(line: Line, mind: str) -> None:
    """One bad statement, and none of the others is told."""
    line.refused("revise", model=mind, add=["ball isIn box", "ball isIn"])
    assert line.do("check", model=mind, patterns=["ball isIn box"])["holds"] is False
