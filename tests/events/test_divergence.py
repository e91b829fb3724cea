"""Where two minds begin and cease to differ, told as small stories."""

import pytest

from kb_server.errors import BadRequest
from tests.events.boards import Told, in_house


def two_minds(*patterns: str) -> Told:
    """The robot and Sally, and somebody who waits for them to differ."""
    told = in_house()
    told.board.create("sally")
    told.events.subscribe_divergence("d", "sally", "myself", told.read(*patterns))
    return told


def test_sally_and_anne() -> None:
    """The robot sees the ball move, Sally does not, until she looks."""
    told = two_minds("?o isIn ?where")
    told.revise("ball isIn basket")
    assert told.news() == ["<>d there:o=ball,where=basket"]
    told.revise("ball isIn basket", model="sally")
    assert told.news() == ["=d there:o=ball,where=basket"]
    told.revise("ball isIn box", retract=["ball isIn basket"])
    assert told.news() == ["<>d here:o=ball,where=basket there:o=ball,where=box"]
    told.revise("ball isIn box", retract=["ball isIn basket"], model="sally")
    assert told.news() == ["=d here:o=ball,where=basket there:o=ball,where=box"]


def test_one_delta_may_converge_and_diverge() -> None:
    """What ceases to differ is told before what begins to."""
    told = two_minds("ball isIn ?y")
    told.revise("ball isIn box")
    told.revise("ball isIn bag", model="sally")
    told.news()
    told.revise("ball isIn box", "ball isIn pot", retract=["ball isIn bag"], model="sally")
    assert told.news() == ["=d here:y=bag there:y=box", "<>d here:y=pot"]


def test_models_may_differ_in_what_they_infer() -> None:
    """Who takes Tom for a cat and who takes him for a dog agree that he is an animal."""
    told = two_minds("?x a Animal")
    told.revise("tom a Cat")
    told.revise("tom a Dog", model="sally")
    assert told.news() == ["<>d there:x=tom", "=d there:x=tom"]


def test_a_conjunction_may_be_held_by_either() -> None:
    """Two models differ on a conjunction when one holds all of it and the other a part."""
    told = two_minds("?x a Cat", "?x isIn *")
    told.revise("tom a Cat", "tom isIn box")
    told.revise("tom a Cat", model="sally")
    assert told.news() == ["<>d there:x=tom"]
    told.revise("tom isIn bag", model="sally")
    assert told.news() == ["=d there:x=tom"]


def test_without_variables_the_truth_of_the_conjunction_is_compared() -> None:
    """Two models differ on plain facts by an empty binding."""
    told = two_minds("ball isIn box")
    told.revise("ball isIn box", model="sally")
    (event,) = told.heard
    assert (event.kind, event.only_here, event.only_there) == ("diverge", ({},), ())


def test_expiry_makes_minds_differ() -> None:
    """What Sally forgets and the robot does not, they differ on."""
    told = two_minds("?o isIn ?where")
    told.revise("ball isIn box")
    told.revise("ball isIn box", model="sally", ttl=1.0)
    told.news()
    told.board.expire(1.0)
    assert told.news() == ["<>d there:o=ball,where=box"]


def test_a_deleted_mind_holds_nothing() -> None:
    """When Sally's model goes, what she alone believed converges and what was shared differs."""
    told = two_minds("?o isIn ?where")
    told.revise("ball isIn box")
    told.revise("ball isIn box", "cup isIn bag", model="sally")
    told.news()
    told.board.delete("sally", 1.0)
    assert told.news() == ["=d here:o=cup,where=bag", "<>d there:o=ball,where=box"]
    told.revise(retract=["ball isIn box"])
    assert told.news() == ["=d there:o=ball,where=box"]


def test_a_mind_never_differs_from_itself() -> None:
    """One who compares a model with itself hears nothing."""
    told = in_house()
    told.events.subscribe_divergence("d", "myself", "myself", told.read("?o isIn ?where"))
    told.revise("ball isIn box")
    told.revise(retract=["ball isIn box"])
    assert told.news() == []


def test_ending_a_comparison_ends_it_in_both_models() -> None:
    """After unsubscribe neither model's deltas are told."""
    told = two_minds("?o isIn ?where")
    assert told.events.unsubscribe("d")
    told.revise("ball isIn box")
    told.revise("cup isIn box", model="sally")
    assert told.news() == []
    assert told.events.visited == 0


def test_a_comparison_has_no_snapshot_of_one_side() -> None:
    """The bindings of one model alone are not where two differ, so that is refused."""
    told = two_minds("?o isIn ?where")
    told.revise("ball isIn box", model="sally")
    with pytest.raises(BadRequest):
        told.events.snapshot("d")


def test_what_the_other_mind_makes_of_it_is_within_the_same_budget() -> None:
    """A thousand bindings, each dear to look up in the other model, end the comparison."""
    told = in_house()
    told.board.create("sally")
    told.revise(*(f"o{i} isIn box" for i in range(1_000)), *(f"o{i} isOn x" for i in range(2_000)))
    told.revise("ball isOn shelf", model="sally")
    wanted = told.read("?o isIn box", "* isOn *")
    told.events.subscribe_divergence("d", "sally", "myself", wanted)
    told.revise(*(f"o{i} isIn box" for i in range(1_000)), model="sally")
    assert told.news() == ["!d"]
    assert len(told.events) == 0
