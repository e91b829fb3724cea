"""What is told of statements: their parts at once, and how likely they are."""

import asyncio

import pytest

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.geometry.poses import IDENTITY
from spatial_reasoner.likelihood.likelihood import doubt, doubtful
from spatial_reasoner.likelihood.likelihoods import Likelihoods, said_in
from spatial_reasoner.values.likelihood import Meant
from tests.likelihood.rooms import TOP, Believe, Thing, likely

BALL = Thing((0.13, 0.0, TOP + 0.4), (0.05, 0.01, 0.01, 0.0))
BOX = Thing((0.0, 0.0, TOP + 0.15))


@pytest.fixture(scope="module")
def mind(believe: Believe) -> Mind:
    """A ball over the wall of a box, which is the only doubtful thing; a mug far away."""
    return believe(ball=BALL, box=BOX, far_mug=Thing((-0.3, -0.7, TOP + 0.05)))


def told(
    answers: Likelihoods, mind: Mind, predicate: str, subject: str | None, value: str | None
) -> list[str]:
    return asyncio.run(answers.facts(mind, predicate, subject, value))


def about(answers: Likelihoods, mind: Mind, predicate: str, meant: Meant) -> list[str]:
    """What is told of some statements."""
    return asyncio.run(answers.facts(mind, predicate, None, None, meant))


def number(fact: str) -> float:
    """The probability that a fact tells."""
    return float(fact.split('"')[1])


def test_a_statement_has_a_name(mind: Mind) -> None:
    """A name says subject, relation and object of what there is, underscores or not."""
    assert said_in("ball_isIn_box", mind) == ("ball", "isIn", "box")
    assert said_in("far_mug_isNextTo_far_mug", mind) == ("far_mug", "isNextTo", "far_mug")
    for name in ("ball_isIn_", "ball", "ball_sees_box", "ghost_isOn_table", "isIn", "_isIn_"):
        assert said_in(name, mind) is None


def test_the_parts_of_statements(answers: Likelihoods, mind: Mind) -> None:
    """Each statement has its parts, by whichever of them it is asked for."""
    for predicate, part in (("subject", "ball"), ("predicate", "isIn"), ("object", "box")):
        fact = f"ball_isIn_box rdf:{predicate} {part}"
        assert told(answers, mind, f"rdf:{predicate}", "ball_isIn_box", None) == [fact]
        assert fact in told(answers, mind, f"rdf:{predicate}", None, None)
        assert fact in told(answers, mind, f"rdf:{predicate}", None, part)
        assert told(answers, mind, f"rdf:{predicate}", "ball_isIn_box", "mug") == []
    assert told(answers, mind, "rdf:subject", None, "ghost") == []
    assert told(answers, mind, "rdf:subject", "nobody", None) == []


def test_all_that_is_uncertain(answers: Likelihoods, mind: Mind) -> None:
    """Who names no statement is told how likely each is; the parts of the same ones are told."""
    found = told(answers, mind, "hasProbability", None, None)
    parts = told(answers, mind, "rdf:subject", None, None)
    names = [fact.split()[0] for fact in found]
    assert names == [fact.split()[0] for fact in parts]
    assert names[0].startswith("ball_")
    assert {"ball_isIn_box", "ball_isOn_table", "box_isOn_table", "far_mug_isOn_table"} <= {*names}
    assert not any(name.startswith(("table_", "floor_")) for name in names)
    assert told(answers, mind, "hasProbability", None, None) == found


def test_a_statement_that_is_named(answers: Likelihoods, mind: Mind) -> None:
    """Whoever names a statement is told how likely it is, be it ever so unlikely."""
    [fact] = told(answers, mind, "hasProbability", "ball_isIn_box", None)
    assert 0.2 < number(fact) < 0.8
    assert number(fact) == likely(answers, mind, "ball isIn box").share
    assert fact.startswith('ball_isIn_box hasProbability "0.')
    assert fact.endswith('"^^xsd:double')
    share = number(fact)
    for same in (f"{share}", f'"{share}"^^xsd:double'):
        answer = told(answers, mind, "hasProbability", "ball_isIn_box", same)
        assert answer == [f"ball_isIn_box hasProbability {same}"]
    for other in ("0.001", '"much"', "box"):
        assert told(answers, mind, "hasProbability", "ball_isIn_box", other) == []
    for never in ("ball_isIn_far_mug", "far_mug_isIn_box", "ball_isOn_ball"):
        [fact] = told(answers, mind, "hasProbability", never, None)
        assert number(fact) == 0.0
    assert told(answers, mind, "hasProbability", "ghost_isIn_box", None) == []


def test_what_is_meant(answers: Likelihoods, mind: Mind) -> None:
    """Where it is said which statements are meant, of those and no others is told."""
    both = ("hasProbability", "rdf:subject")
    for predicate in both:
        [fact] = about(answers, mind, predicate, ("ball", "isIn", "box"))
        assert fact.startswith("ball_isIn_box ")
        facts = about(answers, mind, predicate, ("ball", "isOn", None))
        names = {fact.split()[0] for fact in facts}
        assert names == {"ball_isOn_box", "ball_isOn_table", "ball_isOn_floor"}
        facts = about(answers, mind, predicate, (None, None, "box"))
        names = {fact.split()[0] for fact in facts}
        assert names == {"ball_isOn_box", "ball_isIn_box", "ball_isNextTo_box"}
        for nothing in (("ball", "near", "box"), ("ghost", None, None), ("ball", None, "far_mug")):
            assert about(answers, mind, predicate, nothing) == []
    [fact] = about(answers, mind, "hasProbability", ("ball", "isIn", "box"))
    assert number(fact) == likely(answers, mind, "ball isIn box").share
    [never] = about(answers, mind, "hasProbability", ("ball", "isIn", "far_mug"))
    assert number(never) == 0.0


def test_what_is_nowhere(answers: Likelihoods, believe: Believe) -> None:
    """Of what nobody knows the place of nothing is told."""
    mind = believe(ball=BALL, box=BOX)
    mind.world.placed[mind.roster.row["box"]] = False
    mind.geometry.update(mind.world.pose, mind.world.placed & mind.roster.is_thing,
                         mind.geometry.held)  # fmt: skip
    assert told(answers, mind, "hasProbability", "ball_isIn_box", None) == []
    assert told(answers, mind, "hasProbability", "box_isOn_table", None) == []
    found = told(answers, mind, "rdf:subject", None, None)
    assert found
    assert not any("box" in fact for fact in found)


def test_what_is_held_does_not_fall(answers: Likelihoods, believe: Believe) -> None:
    """A thing in a hand is where the hand is, over the box and not in it."""
    mind = believe(ball=Thing((0.0, 0.0, TOP + 0.5), (0.01, 0.01, 0.01, 0.0)), box=BOX)
    ball = mind.roster.row["ball"]
    assert likely(answers, mind, "ball isIn box").share == 1.0
    mind.world.holding.holder[ball] = mind.roster.part("sally", "right_hand")
    assert likely(answers, mind, "ball isIn box").share == 0.0


def test_furniture_does_not_fall(answers: Likelihoods, believe: Believe) -> None:
    """A shelf that hangs on no wall that anybody knows of is where it is, beside what it is by."""
    mind = believe(shelf=Thing((0.7, 0.0, TOP + 0.1)), mug=Thing((0.45, 0.0, TOP + 0.05)))
    assert likely(answers, mind, "shelf isNextTo mug").share == 1.0
    assert likely(answers, mind, "shelf isOn floor").share == 0.0


def test_less_sure_things_come_first(believe: Believe) -> None:
    """First come those of whom somebody told how sure he is, and those moved unseen."""
    mind = believe(box=BOX, mug=Thing((-0.3, -0.7, TOP + 0.05)), ball=BALL)
    row = mind.roster.row
    assert doubtful(mind) == [(row["ball"], True), (row["box"], False), (row["mug"], False)]
    mind.now = 5.0
    mind.world.pose[row["mug"]] = IDENTITY
    assert doubtful(mind) == [(row["mug"], True), (row["ball"], True), (row["box"], False)]


def test_only_what_could_be_touched_is_tried(mind: Mind) -> None:
    """The ball may come to touch the box, the table and the floor, and not the mug."""
    about = doubt(mind, mind.roster.row["ball"])
    assert about is not None
    assert set(about.bodies.names) == {"ball", "box", "table", "floor"}
    assert doubt(mind, mind.roster.row["floor"]) is None


def test_time_that_is_too_short_is_said(mind: Mind, answers: Likelihoods) -> None:
    """When there is no time for any draw that is an error, and no wrong number."""
    with pytest.raises(TimeoutError, match="nothing was estimated"):
        asyncio.run(answers.likely(mind, ("ball", "isIn", "box"), seconds=0.0))
