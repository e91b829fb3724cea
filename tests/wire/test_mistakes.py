"""What is said of a wrong request: which field, and what would be right."""

import json
import re
from collections.abc import Iterator

import pytest
from pydantic import BaseModel, ValidationError

from kb_server.wire import requests
from kb_server.wire.commands import COMMANDS, BadFrame, PoseField, read_command
from kb_server.wire.mistakes import mistake_in, wanted_of
from kb_server.wire.requests import RequestBody

BODIES = [
    kind
    for name in requests.__all__
    if isinstance(kind := getattr(requests, name), type) and issubclass(kind, RequestBody)
]
KINDS: list[type[BaseModel]] = [*BODIES, *COMMANDS.values(), PoseField]
GOOD: dict[str, object] = {
    **{"model": "m", "patterns": [], "sub": "s", "source": "s", "topic": "poses", "poses": {}},
    **{"predicates": [], "ask": 1, "facts": [], "fact": "a b c", "a": "a", "b": "b"},
    **{"candidates": [], "variable": "?x", "shows": {}},
}
WRONG: list[object] = [
    *(7, 1.5, True, None, "x", [1], [["a"]], [None], {"a": 1}, {"a": {"b": 1}}, 10**400),
    {"a": {"pose": "here"}},
]
NOISE = re.compile(
    r"Input should|valid|constrained|\bstr\b|[a-z]\.\d|dictionary|instance|None|True"
)


def wrong() -> Iterator[tuple[type[BaseModel], str, dict[str, object]]]:
    """A request of each kind with each field wrong in many ways, or missing."""
    for kind in KINDS:
        fields = {field.alias or name: field for name, field in kind.model_fields.items()}
        needed = {name: GOOD[name] for name, field in fields.items() if field.is_required()}
        for name in fields:
            for value in WRONG:
                yield kind, name, {**needed, name: value}
        for name in needed:
            yield kind, name, {other: value for other, value in needed.items() if other != name}


def test_every_field_says_what_it_must_be() -> None:
    """Each field of each request and command has words for what would be right."""
    for kind in KINDS:
        for name, field in kind.model_fields.items():
            assert wanted_of(field), f"{kind.__name__}.{name}"


def test_every_wrong_field_is_named_with_what_would_be_right() -> None:
    """Whatever is wrong, the message begins with the field, and has no word of the library's."""
    refused = 0
    for kind, name, said in wrong():
        try:
            kind.model_validate(said)
        except ValidationError as error:
            message, field = mistake_in(kind, said, error.errors())
            refused += 1
            assert re.split(r"[.\[]", field)[0] == name, message
            begins = (f"{field} must be ", f"{field} is missing: it must be ")
            assert message.startswith(begins) or "unknown field 'b'; known: pose" in message
            assert not NOISE.search(message), message
    assert refused > 300


@pytest.mark.parametrize(
    ("op", "fields", "message"),
    [
        ("find", {"patterns": [1]}, "patterns[0] must be text of three terms, or a list of"),
        ("find", {"patterns": ["a b c", ["a", 1, "c"]]}, "patterns[1] must be text of three"),
        ("find", {}, "patterns is missing: it must be a list of statements or patterns"),
        ("find", {"patterns": [], "select": ["?x", 2]}, "select[1] must be text, a variable"),
        ("find", {"patterns": [], "limit": 0}, "limit must be a whole number from 1 to 1000"),
        ("revise", {"ttl": "soon"}, "ttl must be a number of seconds above 0, at most 1e12, or"),
        ("revise", {"tll": 3}, "unknown field 'tll'; known: retract, add, update, memory, ttl"),
        ("subscribe", {"patterns": [], "on": "now"}, 'on must be "appear", "disappear" or "both"'),
        ("publish", {"topic": "poses", "poses": {"b": {"pose": [1]}}}, "poses.b.pose must be [x"),
        ("publish", {"topic": "poses", "poses": {"b": {"posse": 1}}}, "poses.b: unknown field"),
        ("publish", {"topic": "poses", "poses": {"": None}}, "poses must be an object of poses"),
        ("publish", {"topic": "poses", "poses": {"b": 3}}, "poses.b must be an object with pose"),
        ("fly", {}, "op is 'fly': it must be one of revise, find"),
        (None, {}, "op is missing: it must be one of revise, find"),
    ],
)
def test_what_a_command_is_told(op: str | None, fields: dict[str, object], message: str) -> None:
    """A wrong command is answered with the field as it was written, and what it must be."""
    frame = {"id": 1, "op": op, "model": "myself", **fields}
    with pytest.raises(BadFrame) as refused:
        read_command(json.dumps(frame))
    assert refused.value.message.startswith(message)
