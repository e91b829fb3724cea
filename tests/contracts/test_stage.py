"""The stage, whichever way something is put on it."""

from collections.abc import Iterator

import pytest

from kb_server import BadRequest, Blackboard
from tests.contracts.boards import fresh_name, untyped

LOOK = {"kind": "thing", "class": "Ball", "shape": {"sphere": 0.045}, "color": [1, 1, 0.5]}


@pytest.fixture
def source(kb: Blackboard) -> Iterator[str]:
    """A source that shows nothing yet, and nothing afterwards: all share one server."""
    name = fresh_name("source")
    yield name
    kb.stage(dict.fromkeys(kb.staged(name).get(name, {})), name)


def test_what_is_staged_is_shown(kb: Blackboard, source: str) -> None:
    """A value is shown under its source and name, as it was given, until it is taken away."""
    kb.stage({"ball": LOOK, "cup": {"kind": "thing", "é": ["ünï", None, 1.5, True]}}, source)
    assert kb.staged(source) == {
        source: {"ball": LOOK, "cup": {"kind": "thing", "é": ["ünï", None, 1.5, True]}}
    }
    assert kb.staged()[source]["ball"] == LOOK
    kb.stage({"cup": None, "never": None}, source=source)
    assert kb.staged(source) == {source: {"ball": LOOK}}
    kb.stage({"ball": None}, source=source)
    assert kb.staged(source) == {}


def test_the_newest_value_takes_the_place_of_the_last(kb: Blackboard, source: str) -> None:
    """A name has one value, and what is not named stays."""
    kb.stage({"ball": {"n": 1}, "cup": {"n": 1}}, source)
    kb.stage({"ball": {"n": 2}}, source)
    assert kb.staged(source) == {source: {"ball": {"n": 2}, "cup": {"n": 1}}}


def test_what_is_staged_for_good_is_shown_alike(kb: Blackboard, source: str) -> None:
    """Without a will it is shown as with one, and taken away either way; a will is yes or no."""
    kb.stage({"ball": {"n": 1}, "cup": {"n": 1}}, source, will=False)
    kb.stage({"ball": None}, source)
    assert kb.staged(source) == {source: {"cup": {"n": 1}}}
    kb.stage({"cup": None}, source, will=False)
    assert kb.staged(source) == {}
    with pytest.raises(BadRequest):
        kb.stage({"ball": {}}, source, will=untyped("no"))


def test_sources_do_not_touch_each_other(kb: Blackboard, source: str) -> None:
    """Two sources may show something under one name."""
    kb.stage({"ball": {"n": 1}}, source)
    kb.stage({"ball": {"n": 2}}, f"{source}b")
    kb.stage({"ball": None}, f"{source}b")
    assert kb.staged(source) == {source: {"ball": {"n": 1}}}
    assert f"{source}b" not in kb.staged()


def test_much_is_staged_in_parts(kb: Blackboard, source: str) -> None:
    """What fits no frame by itself is sent in several, and all of it is shown."""
    mesh = {"vertices": [[i / 7, 0.1, -0.2] for i in range(10_000)]}
    kb.stage({f"thing{i}": mesh for i in range(20)}, source)
    shown = kb.staged(source)[source]
    assert len(shown) == 20
    assert shown["thing19"] == mesh


@pytest.mark.parametrize(
    "shows",
    [
        {"ball": 7},
        {"ball": [1]},
        {"": {}},
        {"x" * 201: {}},
        {7: {}},
        {"ball": {"n": float("inf")}},
        {"ball": {"n": float("nan")}},
        {"ball": {"n": {1, 2}}},
        {"ball": {"text": "\ud800"}},
        [],
        None,
    ],
)
def test_what_cannot_be_staged(kb: Blackboard, source: str, shows: object) -> None:
    """A value is an object of JSON, under a name; nothing else of the same frame is shown then."""
    with pytest.raises(BadRequest):
        kb.stage({"cup": {"n": 1}} | shows if isinstance(shows, dict) else untyped(shows), source)
    assert kb.staged(source) == {}


@pytest.mark.parametrize("wrong", ["", "x" * 201, None, 7])
def test_a_source_has_a_name(kb: Blackboard, wrong: object) -> None:
    """Who shows something says who it is, in 1 to 200 characters."""
    with pytest.raises(BadRequest):
        kb.stage({"ball": {}}, untyped(wrong))


def test_poses_may_bear_a_source(kb: Blackboard, mind: str, source: str) -> None:
    """With a source they are published as without; it is a name too."""
    kb.publish(mind, {"ball": {"pose": [0, 0, 0]}}, t=1.0, source=source)
    assert set(kb.poses(mind).poses) == {"ball"}
    with pytest.raises(BadRequest):
        kb.publish(mind, {}, source=untyped(7))
