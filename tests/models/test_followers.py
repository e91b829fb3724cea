"""What goes wrong while a change is made or told leaves the board as it should be."""

from typing import Any

import pytest

from kb_server.core.models import board as board_module
from kb_server.core.models.board import Board, BoardSettings
from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.lifespans import FOREVER
from kb_server.errors import BadRequest
from tests.models.boards import board_of, revise

AGENTS = """
:Human rdfs:subClassOf :Agent . :Guest a owl:Class .
"""


class _Broken(Exception):
    """A follower that fails."""


def _break(delta: ModelDelta) -> None:
    raise _Broken(delta.seq)


def test_a_failing_follower_keeps_nobody_from_being_told() -> None:
    """The change stands, all are told, and then the failure comes out."""
    board = board_of()
    told: list[int] = []
    board.on_delta.extend((_break, lambda delta: told.append(delta.seq)))
    with pytest.raises(_Broken):
        revise(board, add=["ball isIn box"])
    assert (told, board.seq) == ([1], 1)
    assert len(board.model("myself").assertions) == 1


def test_an_expiry_that_fails_in_one_model_is_not_forgotten_in_another() -> None:
    """What a failing follower kept from expiring stays due, and expires at the next call."""
    board = board_of()
    board.create("sally")
    for model in ("myself", "sally"):
        revise(board, model, add=["ball isIn box"], ttl=1.0)
    board.on_delta.append(_break)
    with pytest.raises(_Broken):
        board.expire(2.0)
    board.on_delta.clear()
    assert board.next_due() < FOREVER
    board.expire(2.0)
    assert not board.model("myself").assertions
    assert not board.model("sally").assertions
    assert board.next_due() == FOREVER


def test_a_model_whose_end_can_not_be_told_ends() -> None:
    """A model that is deleted is gone, though a follower failed to hear of it."""
    board = board_of()
    board.create("sally")
    revise(board, "sally", add=["ball isIn box"])
    board.on_delta.append(_break)
    with pytest.raises(_Broken):
        board.delete("sally", 1.0)
    assert [model.id for model in board.models()] == ["myself"]


def test_a_follower_may_not_change_the_board() -> None:
    """Deltas are told in order, so none is made while one is being told."""
    board = board_of()

    def follow(_: ModelDelta) -> None:
        revise(board, add=["cup isIn box"])

    board.on_delta.append(follow)
    with pytest.raises(RuntimeError, match="while it gets a delta"):
        revise(board, add=["ball isIn box"])
    assert board.seq == 1


def test_a_mind_that_can_not_be_made_takes_the_change_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """When the model of a new agent fails, by whatever error, nothing has happened."""
    board = board_of(AGENTS)

    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(board_module, "BeliefModel", fail)
    with pytest.raises(MemoryError):
        revise(board, add=["sally a Human"])
    model = board.model("myself")
    assert (board.seq, model.assertions, model.reasoner.facts) == (0, {}, {})
    assert not model.reasoner.asserted


def test_a_withdrawal_is_not_refused_for_the_mind_it_shows() -> None:
    """A withdrawal that makes a list whole may show an agent too many, who gets no model."""
    board = Board(board_of(AGENTS).common, BoardSettings(models=1))
    revise(board, add=["_:l rdf:first bob"], ttl=1.0)
    cells = ["_:l rdf:first tom", "_:l rdf:rest rdf:nil", "Guest owl:oneOf _:l"]
    revise(board, add=[*cells, "Guest rdfs:subClassOf Human"])
    board.expire(1.0)
    assert [model.id for model in board.models()] == ["myself"]
    assert board.next_due() == FOREVER


@pytest.mark.parametrize(
    "wrong",
    [
        {"add": "ball isIn box"},
        {"retract": {"ball": 1}},
        {"update": 3},
        {"memory": ["short_term"]},
        {"source": 5},
        {"t": "yesterday"},
        {"t": float("nan")},
        {"t": float("inf")},
        {"t": 10**400},
        {"if_consistent": "yes"},
        {"ttl": "5"},
        {"ttl": True},
    ],
    ids=str,
)
def test_a_field_of_another_kind_is_refused_by_name(wrong: dict[str, Any]) -> None:
    """A field that is not of its kind is named, and nothing changes."""
    board = board_of()
    with pytest.raises(BadRequest, match=next(iter(wrong))):
        revise(board, **{"add": ["ball isIn box"], **wrong})
    assert board.seq == 0


def test_a_name_too_long_for_a_model_gets_none() -> None:
    """An agent whose name no model could be asked by has no model."""
    board = board_of(AGENTS)
    revise(board, add=[f"{'s' * 3_000} a Human"])
    assert [model.id for model in board.models()] == ["myself"]
