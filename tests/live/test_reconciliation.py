"""The ledger: however a board is told, forgets and is told again, it ends with what is wanted."""

from dataclasses import dataclass, field
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.board.reconciliation import Ledger, ModelLedger, Sayings
from spatial_reasoner.geometry.poses import IDENTITY
from spatial_reasoner.values.delta import BeliefDelta, BelievedPose
from tests.trials import law

_FACTS = st.sets(st.sampled_from("abcdefgh"), max_size=4)
_HAPPENS = st.sampled_from(["told", "told, unheard", "lost, heard", "forgotten", "nothing"])
_STEPS = st.lists(st.tuples(_FACTS, _FACTS, _HAPPENS), max_size=12)


@dataclass
class Board:
    """What a board holds of us, and how often each fact was said."""

    holds: set[str] = field(default_factory=set)

    def hear(self, page: ModelLedger) -> None:
        said = page.difference()
        assert self.holds.issuperset(said.retract)
        assert self.holds.isdisjoint(said.add)
        self.holds -= set(said.retract)
        self.holds |= set(said.add)


@law(400)
@given(_STEPS)
def test_a_board_ends_with_what_is_wanted(
    steps: list[tuple[set[str], set[str], Literal["told"]]],
) -> None:
    """What is wanted is held in the end, whatever was lost, and nothing is said that is known."""
    page, board = ModelLedger(), Board()
    page.set_held(board.holds)
    for add, retract, happens in steps:
        page.take(BeliefDelta("myself", tuple(sorted(add)), tuple(sorted(retract - add))))
        meet(page, board, happens)
    page.doubt()
    page.set_held(board.holds)
    board.hear(page)
    page.accept(page.difference())
    assert board.holds == page.wanted
    assert not page.difference()


def meet(page: ModelLedger, board: Board, happens: str) -> None:
    """One attempt to tell the board, with what comes of it."""
    if happens == "forgotten":
        board.holds.clear()
    if happens in ("forgotten", "lost, heard", "told, unheard"):
        if happens == "lost, heard":
            board.hear(page)
        page.doubt()
        page.set_held(board.holds)
    elif happens == "told":
        said = page.difference()
        board.hear(page)
        page.accept(said)
        assert not page.difference()


def test_what_is_wanted_while_the_board_is_told_is_said_next() -> None:
    """A fact that changes while the board hears of it is said again, as it is by then."""
    page = ModelLedger()
    page.set_held([])
    page.take(BeliefDelta("myself", ("a", "b")))
    said = page.difference()
    page.take(BeliefDelta("myself", ("c",), ("a",)))
    page.accept(said)
    assert page.difference().retract == ("a",)
    assert page.difference().add == ("c",)


def test_without_knowing_what_is_held_there_is_no_difference() -> None:
    """Who doubts what the board holds must look before telling it anything."""
    page = ModelLedger()
    with pytest.raises(ValueError, match="not known"):
        page.difference()


def test_what_passes_is_said_once() -> None:
    """Facts of other memories are no part of the difference, and are taken once, by memory."""
    page = ModelLedger()
    page.set_held([])
    page.take(BeliefDelta("myself", ("ball a ActiveConcept",), memory="short_term"))
    page.take(BeliefDelta("myself", ("pick_1 a Pick",), memory="episodic"))
    page.take(BeliefDelta("myself", ("place_1 a Place",), memory="episodic"))
    assert not page.difference()
    assert page.take_passing() == {
        "short_term": Sayings(add=("ball a ActiveConcept",)),
        "episodic": Sayings(add=("pick_1 a Pick", "place_1 a Place")),
    }
    assert not page.take_passing()


def test_episodes_of_an_earlier_life_go_first() -> None:
    """What an earlier life told of actions is withdrawn before ours of the same names are told."""
    page = ModelLedger()
    page.take(BeliefDelta("myself", ("pick_1 a Pick",), memory="episodic"))
    page.set_held(["ball isOn table"], ["pick_1 a Pick", "pick_1 actsOnObject mug"])
    assert page.difference() == Sayings(("ball isOn table",), ())
    left = ("pick_1 a Pick", "pick_1 actsOnObject mug")
    assert page.take_passing() == {"episodic": Sayings(left, ("pick_1 a Pick",))}


def test_episodes_of_our_own_stay() -> None:
    """Who has looked before leaves what was told of actions to its end."""
    page = ModelLedger()
    page.set_held([])
    page.doubt()
    page.set_held([], ["pick_1 a Pick"])
    assert not page.take_passing()


def test_poses_that_are_gone_are_published_as_gone() -> None:
    """What was published and is no longer there is published once more, as nothing."""
    page = ModelLedger()
    ball, mug = BelievedPose(IDENTITY), BelievedPose(None)
    page.move({"ball": ball, "mug": mug})
    assert page.take_poses() == {"ball": ball, "mug": mug}
    page.move({}, ["mug"])
    assert page.take_poses() == {"ball": None}
    page.move({}, ["mug"])
    assert page.take_poses() == {}


def test_pages_stand_in_the_order_of_the_models() -> None:
    """Models keep the order they are given in, and their pages when more of them come."""
    ledger = Ledger()
    ledger.open(["myself"])
    ledger.take([BeliefDelta("myself", ("a",))])
    ledger.open(["myself", "sally", "sally.anne"])
    assert list(ledger.models) == ["myself", "sally", "sally.anne"]
    assert ledger["myself"].wanted == {"a"}
