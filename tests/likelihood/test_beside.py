"""Two things are as likely next to each other whichever of them is asked about."""

import asyncio
import math

import pytest

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.likelihood.likelihoods import DRAWS, Likelihoods
from spatial_reasoner.values.likelihood import Meant
from tests.likelihood.rooms import TOP, Believe, Thing, below, doubted, likely

UNSURE = (0.04, 0.04, 0.03, 0.1)
CUBE = Thing((0.12, 0.0, TOP + 0.04), UNSURE)
ON_TABLE = Thing((0.0, 0.0, TOP + 0.045), UNSURE)
IN_THE_AIR = Thing((0.0, 0.0, TOP + 0.4), UNSURE)


def both_ways(answers: Likelihoods, mind: Mind, one: str, other: str) -> float:
    """How likely two things are next to each other; the very same the other way round."""
    share = likely(answers, mind, f"{one} isNextTo {other}").share
    assert likely(answers, mind, f"{other} isNextTo {one}").share == share
    return share


def told(answers: Likelihoods, mind: Mind, meant: Meant) -> dict[str, str]:
    """What is told of some statements, by their names."""
    facts = asyncio.run(answers.facts(mind, "hasProbability", None, None, meant))
    return {fact.split()[0]: fact.split()[2] for fact in facts}


@pytest.mark.parametrize("ball", [ON_TABLE, IN_THE_AIR])
def test_the_same_both_ways(answers: Likelihoods, believe: Believe, ball: Thing) -> None:
    """Both fall in each draw, so that it does not matter which of them hangs in the air."""
    assert 0.2 < both_ways(answers, believe(ball=ball, cube=CUBE), "ball", "cube") < 0.9


def test_what_hangs_in_the_air(answers: Likelihoods, believe: Believe) -> None:
    """A ball that will fall beside a cube is next to it, and the cube next to the ball."""
    sure = (0.001, 0.001, 0.001, 0.0)
    for height in (0.04, 0.3):
        cube = Thing((0.1, 0.0, TOP + height), sure)
        mind = believe(ball=Thing((0.0, 0.0, TOP + 0.4), sure), cube=cube)
        assert both_ways(answers, mind, "ball", "cube") == 1.0


def test_as_likely_as_they_are_near(answers: Likelihoods, believe: Believe) -> None:
    """Of two cubes of which one is unsure along a line the share is that of the draws in which the
    gap is less than half their size."""
    sure, unsure = (0.0005, 0.0005, 0.0005, 0.0), (0.05, 0.0005, 0.0005, 0.0)
    cube, mug = Thing((0.0, 0.0, TOP + 0.04), sure), Thing((0.15, 0.0, TOP + 0.05), unsure)
    share = both_ways(answers, believe(cube=cube, mug=mug), "cube", "mug")
    assert abs(share - below((0.12 - 0.15) / 0.05)) <= 3 * math.sqrt(0.25 / DRAWS)


@pytest.mark.parametrize("name", ["ball", "mug"])
def test_what_would_be_in_each_other(answers: Likelihoods, believe: Believe, name: str) -> None:
    """Draws that begin in each other are parted, and are next to each other then."""
    unsure = (0.05, 0.0005, 0.0005, 0.0)
    half = 0.045 if name == "ball" else 0.05
    thing, cube = Thing((0.0, 0.0, TOP + half), unsure), Thing((0.05, 0.0, TOP + 0.04), unsure)
    near = below((0.12 - 0.05) / 0.0707) - below((-0.12 - 0.05) / 0.0707)
    share = both_ways(answers, believe(**{name: thing, "cube": cube}), name, "cube")
    assert abs(share - near) <= 3 * math.sqrt(near * (1 - near) / DRAWS)


def test_one_that_does_not_fall(answers: Likelihoods, believe: Believe) -> None:
    """Furniture is next to a mug as likely as the mug to it; nothing is next to the floor."""
    shelf = Thing((0.7, 0.0, TOP + 0.1))
    mind = believe(shelf=shelf, mug=Thing((0.45, 0.0, TOP + 0.05), UNSURE))
    assert 0.2 < both_ways(answers, mind, "mug", "shelf") < 0.9
    assert both_ways(answers, mind, "mug", "floor") == 0.0


def test_what_is_in_the_other(answers: Likelihoods, believe: Believe) -> None:
    """A ball in a box is next to that no more often than it is not in it."""
    for deviation in (0.01, 0.04):
        ball = Thing((0.0, 0.0, TOP + 0.065), (deviation, deviation, deviation, 0.0))
        box = Thing((0.0, 0.0, TOP + 0.15), (deviation, deviation, deviation, 0.0))
        mind = believe(ball=ball, box=box)
        outside = 1.0 - likely(answers, mind, "ball isIn box").share
        assert both_ways(answers, mind, "ball", "box") <= outside


def test_both_share_what_was_tried(answers: Likelihoods, believe: Believe) -> None:
    """Who asks the other way round is told at once, for nothing is left to be tried."""
    mind = believe(ball=IN_THE_AIR, cube=CUBE)
    first = likely(answers, mind, "ball isNextTo cube")
    at_once = asyncio.run(answers.likely(mind, ("cube", "isNextTo", "ball"), 1e-6))
    assert at_once is not None
    assert (at_once.share, at_once.draws) == (first.share, DRAWS)


def test_told_of_all(answers: Likelihoods, believe: Believe) -> None:
    """Who names one of the two, or none, is told the same of both ways."""
    mind = believe(ball=IN_THE_AIR, cube=CUBE, mug=Thing((0.0, 0.2, TOP + 0.05), UNSURE))
    for name in ("ball", "cube", "mug"):
        doubted(mind, name, UNSURE)
    everything = told(answers, mind, (None, "isNextTo", None))
    for one, other in (("ball", "cube"), ("cube", "mug"), ("ball", "mug")):
        assert everything[f"{one}_isNextTo_{other}"] == everything[f"{other}_isNextTo_{one}"]
    mine = told(answers, mind, ("ball", "isNextTo", None))
    assert mine.keys() == {f"ball_isNextTo_{other}" for other in ("cube", "mug", "table")}
    other_way = told(answers, mind, (None, "isNextTo", "ball"))
    assert other_way["cube_isNextTo_ball"] == mine["ball_isNextTo_cube"]
