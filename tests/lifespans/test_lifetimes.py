"""How long facts live, by a clock that is an argument."""

import math

import pytest

from kb_server.core.models.board import BoardSettings
from kb_server.core.models.lifespans import FOREVER, Assertion
from kb_server.errors import BadRequest, UnknownMemory
from tests.events.boards import Told, common_sense, in_house

BALL = ("ball", "isIn", "box")


def kept(told: Told, model: str = "myself") -> Assertion:
    """What is known of the assertion that the ball is in the box."""
    return told.board.model(model).assertions[BALL]


def test_a_fact_of_a_third_of_a_second() -> None:
    """A fact of 0.3 s is there at 0.25 s, and gone at 0.35 s."""
    told = in_house()
    told.revise("ball isIn box", ttl=0.3)
    assert told.board.expire(0.25) == []
    assert told.holds("ball isIn box")
    assert len(told.board.expire(0.35)) == 1
    assert not told.holds("ball isIn box")


@pytest.mark.parametrize("start", [0.0, 0.1, 1_700_000_000.7])
def test_a_fact_never_ends_early(start: float) -> None:
    """Up to the last number before its end a fact is there, and at its end it is gone."""
    told = in_house()
    told.revise("ball isIn box", ttl=0.3, now=start)
    end = told.board.next_due()
    assert end == start + 0.3
    assert told.board.expire(math.nextafter(end, 0.0)) == []
    assert told.holds("ball isIn box")
    assert len(told.board.expire(end)) == 1
    assert told.board.next_due() == FOREVER


def test_expiry_is_a_delta_like_any_other() -> None:
    """When a fact expires, what followed from it ceases, and subscribers are told."""
    told = in_house()
    told.subscribe("s1", "?x isAt ?y")
    told.revise("ball isIn box", "cup isIn box", ttl=0.3)
    told.revise("cup isOn box")
    told.news()
    (delta,) = told.board.expire(0.4)
    assert set(delta.ceased) == {
        BALL, ("ball", "isAt", "box"), ("box", "contains", "ball"),
        ("cup", "isIn", "box"), ("box", "contains", "cup"),
    }  # fmt: skip
    assert (delta.seq, delta.model, delta.t, delta.became_true) == (3, "myself", 0.4, ())
    assert set(delta.withdrawn) == {BALL, ("cup", "isIn", "box")}
    assert told.news() == ["-s1 x=ball,y=box"]


def test_what_needed_two_facts_ends_with_the_first() -> None:
    """A conclusion from a short-lived fact and a lasting one ceases with the short-lived."""
    told = Told(common_sense())
    told.revise("sally looksAt ball")
    told.revise("sally pointsAt ball", ttl=1.0)
    assert told.holds("sally focusesOn ball")
    told.board.expire(1.0)
    assert not told.holds("sally focusesOn ball")
    assert told.holds("sally looksAt ball")


@pytest.mark.parametrize(
    ("memory", "life"), [("short_term", 10.0), ("episodic", 300.0), ("long_term", FOREVER)]
)
def test_kinds_of_memory(memory: str, life: float) -> None:
    """Short-term memory keeps ten seconds, episodic five minutes, long-term for good."""
    told = in_house()
    told.revise("ball isIn box", memory=memory, now=5.0)
    assert (kept(told).memory, told.board.next_due()) == (memory, 5.0 + life)
    assert told.board.expire(4.9 + min(life, 1e9)) == []
    assert bool(told.board.expire(5.0 + min(life, 1e9))) == (life < FOREVER)


def test_long_term_is_the_default() -> None:
    """What is asserted without a word on memory stays."""
    told = in_house()
    told.revise("ball isIn box")
    assert kept(told) == Assertion("long_term", FOREVER, 0.0)


def test_durations_are_settings() -> None:
    """A board may give its memories other durations, and other names."""
    told = in_house(BoardSettings(memories={"short_term": 2.0, "blink": 0.1, "long_term": FOREVER}))
    told.revise("ball isIn box", memory="short_term")
    told.revise("cup isIn box", memory="blink")
    told.board.expire(0.1)
    assert told.find("?x isIn box") == [{"x": "ball"}]
    told.board.expire(2.0)
    assert told.find("?x isIn box") == []


@pytest.mark.parametrize("memory", ["short_term", "long_term"])
@pytest.mark.parametrize("ttl", [0.5, 500.0])
def test_ttl_overrides_memory(memory: str, ttl: float) -> None:
    """A lifetime in seconds counts, shorter or longer than what its memory gives."""
    told = in_house()
    told.revise("ball isIn box", memory=memory, ttl=ttl)
    assert (kept(told).memory, kept(told).expires) == (memory, ttl)


def test_asserting_again_renews() -> None:
    """A fact asserted again lives its time from then on, and has held since the first time."""
    told = in_house()
    told.revise("ball isIn box", ttl=1.0)
    delta = told.revise("ball isIn box", ttl=1.0, now=0.8)
    assert delta is not None
    assert (delta.became_true, delta.ceased, list(delta.asserted)) == ((), (), [BALL])
    assert told.board.expire(1.5) == []
    assert kept(told) == Assertion("long_term", 1.8, 0.0)
    assert told.board.next_due() == 1.8
    assert len(told.board.expire(1.8)) == 1


def test_short_after_long_keeps_the_long() -> None:
    """A longer life wins, though the short one comes later."""
    told = in_house()
    told.revise("ball isIn box", memory="episodic")
    told.revise("ball isIn box", memory="short_term", now=1.0)
    assert (kept(told).memory, kept(told).expires) == ("episodic", 300.0)
    assert told.board.expire(11.0) == []
    assert len(told.board.expire(300.0)) == 1


def test_long_after_short_prolongs() -> None:
    """A longer life wins, when it comes later too, and for good is the longest."""
    told = in_house()
    told.revise("ball isIn box", memory="short_term")
    told.revise("ball isIn box", memory="episodic", now=1.0)
    assert (kept(told).memory, kept(told).expires) == ("episodic", 301.0)
    told.revise("ball isIn box", now=2.0)
    assert told.board.expire(1e9) == []
    assert kept(told) == Assertion("long_term", FOREVER, 0.0)


def test_an_update_renews_what_it_finds() -> None:
    """An update to the value there is renews it, and one to another ends the old one's life."""
    told = in_house()
    told.revise(update=["ball hasWeight 1"], ttl=1.0)
    told.revise(update=["ball hasWeight 1"], ttl=1.0, now=0.5)
    assert told.board.expire(1.2) == []
    told.revise(update=["ball hasWeight 2"], now=1.3)
    assert told.board.expire(9.0) == []
    assert told.find("ball hasWeight ?w") == [{"w": "2"}]


def test_withdrawn_and_asserted_in_one_request_begins_a_new_life() -> None:
    """Retract comes first in a request, so the add that follows finds nothing to renew."""
    told = in_house()
    told.revise("ball isIn box", source="spatial")
    delta = told.revise("ball isIn box", retract=["ball isIn *"], ttl=1.0, now=5.0)
    assert delta is not None
    assert (delta.became_true, delta.ceased) == ((), ())
    assert kept(told) == Assertion("long_term", 6.0, 0.0)
    assert len(told.board.expire(6.0)) == 1


def test_the_newest_source_is_kept() -> None:
    """Whoever asserted a fact last is its source, whichever life is the longer."""
    told = in_house()
    told.revise("ball isIn box", source="kinect", t=0.1)
    told.revise("ball isIn box", source="sally", t=0.9, ttl=1.0, now=1.0)
    assert kept(told) == Assertion("long_term", FOREVER, 0.0, "sally", 0.9)
    told.revise("ball isIn box", source="anne", now=2.0)
    assert kept(told) == Assertion("long_term", FOREVER, 0.0, "anne", None)


def test_what_is_also_inferred_stays_true() -> None:
    """When its assertion expires, a fact that follows from others stays, now as inferred."""
    told = in_house()
    told.subscribe("s1", "ball isAt ?y")
    told.revise("ball isAt box", ttl=1.0)
    told.revise("ball isIn box")
    told.news()
    (delta,) = told.board.expire(1.0)
    assert (delta.became_true, delta.ceased) == ((), ())
    assert delta.withdrawn == (("ball", "isAt", "box"),)
    assert told.board.model("myself").kind(("ball", "isAt", "box")) == "inferred"
    assert told.news() == []


def test_what_was_inferred_first_stays_too() -> None:
    """The same when the reasons came before the assertion."""
    told = in_house()
    told.revise("ball isIn box")
    told.revise("ball isAt box", ttl=1.0)
    assert told.board.model("myself").kind(("ball", "isAt", "box")) == "asserted"
    (delta,) = told.board.expire(1.0)
    assert (delta.became_true, delta.ceased) == ((), ())
    assert told.board.model("myself").kind(("ball", "isAt", "box")) == "inferred"


def test_what_common_sense_holds_stays_true() -> None:
    """An assertion of what everybody knows expires, and everybody goes on knowing it."""
    told = in_house()
    told.revise("Cat rdfs:subClassOf Animal", ttl=1.0)
    (delta,) = told.board.expire(1.0)
    assert (delta.became_true, delta.ceased) == ((), ())
    assert told.board.model("myself").kind(("Cat", "rdfs:subClassOf", "Animal")) == "common_sense"


def test_an_axiom_may_have_its_day() -> None:
    """A rule told for a second infers for a second."""
    told = in_house()
    told.revise("tom a Cat")
    told.revise("Animal rdfs:subClassOf Breathing", ttl=1.0)
    assert told.holds("tom a Breathing")
    told.board.expire(1.0)
    assert not told.holds("tom a Breathing")


def test_next_due_is_when_the_next_fact_ends() -> None:
    """The board says when it has something to do: at the soonest end, or never."""
    told = in_house()
    assert told.board.next_due() == FOREVER
    told.revise("a isIn box")
    assert told.board.next_due() == FOREVER
    told.revise("b isIn box", ttl=3.0)
    told.revise("c isIn box", ttl=1.0)
    told.revise("d isIn box", ttl=2.0, now=0.5)
    for end in (1.0, 2.5, 3.0):
        assert told.board.next_due() == end
        assert len(told.board.expire(end)) == 1
    assert told.board.next_due() == FOREVER


def test_after_expire_nothing_is_due() -> None:
    """Once all that is due has ended, what is due lies ahead, whatever was renewed or withdrawn."""
    told = in_house()
    for i in range(10):
        told.revise("a isIn box", ttl=2.0, now=float(i))
        told.revise("b isIn box", ttl=2.0, now=float(i))
        told.revise(retract=["b isIn box"], now=float(i))
        told.board.expire(float(i))
        assert told.board.next_due() > float(i)
        assert told.holds("a isIn box")


def test_a_fact_withdrawn_before_its_end_ends_once() -> None:
    """What is withdrawn by hand does not end again, and asserted anew it lives its new life."""
    told = in_house()
    told.revise("ball isIn box", ttl=1.0)
    told.revise(retract=["ball isIn box"], now=0.2)
    told.revise("ball isIn box", ttl=5.0, now=0.4)
    assert told.board.expire(1.0) == []
    assert told.holds("ball isIn box")
    assert len(told.board.expire(5.4)) == 1


def test_a_shorter_new_life_ends_at_its_own_time() -> None:
    """Withdrawn and asserted for a shorter time, a fact ends then, and not at the old end again."""
    told = in_house()
    told.revise("ball isIn box", ttl=5.0)
    told.revise("ball isIn box", retract=["ball isIn box"], ttl=1.0)
    assert told.board.next_due() == 1.0
    assert len(told.board.expire(1.0)) == 1
    told.revise("ball isIn box", now=2.0)
    assert told.board.expire(5.0) == []
    assert told.holds("ball isIn box")


def test_the_end_of_what_a_deleted_model_held_is_harmless() -> None:
    """Facts of a model that is gone end silently, also when another of its name has been made."""
    told = in_house()
    told.board.create("sally")
    told.revise("ball isIn box", model="sally", ttl=1.0)
    told.board.delete("sally", 0.5)
    assert told.board.expire(0.9) == []
    told.board.create("sally")
    told.revise("ball isIn box", model="sally", ttl=5.0, now=0.9)
    assert told.board.expire(1.0) == []
    assert told.holds("ball isIn box", model="sally")
    assert told.board.expire(5.9)[0].model == "sally"


def test_several_models_expire_in_one_go() -> None:
    """One call ends the facts of all models, with one delta for each."""
    told = in_house()
    for name in ("sally", "sally.anne", "bob"):
        told.board.create(name)
        told.revise(f"{name.replace('.', '_')} isIn box", "ball isIn box", model=name, ttl=1.0)
    told.revise("ball isIn box", ttl=9.0)
    deltas = told.board.expire(2.0)
    assert sorted(d.model for d in deltas) == ["bob", "sally", "sally.anne"]
    assert [d.seq for d in deltas] == [5, 6, 7]
    assert {len(d.withdrawn) for d in deltas} == {2}
    assert told.holds("ball isIn box")
    assert told.board.expire(2.0) == []


def test_an_unknown_memory_is_an_error_that_changes_nothing() -> None:
    """A memory that the board does not have is refused, and the fact is not kept."""
    told = in_house()
    told.revise("cup isIn box")
    with pytest.raises(UnknownMemory):
        told.revise("ball isIn box", retract=["cup isIn box"], memory="photographic")
    assert told.find("?x isIn box") == [{"x": "cup"}]
    assert told.board.seq == 1


@pytest.mark.parametrize("ttl", [0.0, -1.0, math.nan, math.inf, -math.inf])
def test_a_bad_ttl_is_an_error_that_changes_nothing(ttl: float) -> None:
    """A lifetime is a number above nothing and below forever."""
    told = in_house()
    with pytest.raises(BadRequest):
        told.revise("ball isIn box", retract=["cup isIn box"], ttl=ttl)
    assert told.board.model("myself").assertions == {}
    assert (told.board.seq, told.board.next_due()) == (0, FOREVER)


def test_a_refused_request_renews_nothing() -> None:
    """When a request is refused, the lifetimes are as they were."""
    told = in_house()
    told.revise("ball isIn box", ttl=1.0)
    with pytest.raises(BadRequest):
        told.revise("ball isIn box", update=["a hasWeight 1", "a hasWeight 2"], ttl=9.0, now=0.5)
    assert kept(told).expires == 1.0
    assert len(told.board.expire(1.0)) == 1


def test_a_request_that_changes_nothing_has_no_delta() -> None:
    """Withdrawing what is not there, and asserting for good what is, is no delta."""
    told = in_house()
    told.revise("ball isIn box", source="kinect")
    assert told.revise("ball isIn box", source="kinect", now=1.0) is None
    assert told.revise(retract=["cup isIn box", "cup * *"], now=1.0) is None
    assert told.revise(now=1.0) is None
    assert (told.board.seq, len(told.deltas)) == (1, 1)
    told.revise("cup isIn box", now=2.0)
    assert told.board.seq == 2


def test_what_ends_may_cost_more_than_a_request_may() -> None:
    """What is due ends, all of it, however much followed from it."""
    told = in_house(BoardSettings(derivations=20))
    for i in range(10):
        told.revise(f"o{i} isPartOf o{i + 1}", ttl=10.0)
    told.revise("ball isIn box", ttl=10.0)
    told.board.create("sally")
    told.revise("ball isIn box", ttl=10.0, model="sally")
    assert len(told.board.expire(10.0)) == 2
    for name in ("myself", "sally"):
        assert told.board.model(name).facts() == set()


def test_a_model_may_be_deleted_however_much_it_holds() -> None:
    """Nobody can be refused a deletion for what the model infers."""
    told = in_house(BoardSettings(derivations=20))
    told.board.create("sally")
    for i in range(10):
        told.revise(f"o{i} isPartOf o{i + 1}", model="sally")
    assert len(told.board.delete("sally", 1.0)) == 1
    assert [m.id for m in told.board.models()] == ["myself"]


def test_at_the_end_of_time_all_that_can_end_has_ended() -> None:
    """To expire at infinity ends what has an end, and leaves what has none."""
    told = in_house()
    told.revise("cup isIn box")
    told.revise("ball isIn box", ttl=1.0)
    assert len(told.board.expire(FOREVER)) == 1
    assert told.board.expire(FOREVER) == []
    assert told.find("?x isIn box") == [{"x": "cup"}]
