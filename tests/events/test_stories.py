"""What subscribers hear, told as small stories."""

from typing import Any

import pytest

from kb_server.core.events.events import Events, On, SubscriptionEvent
from kb_server.errors import BadRequest, UnknownModel
from tests.events.boards import Told, common_sense, in_house


def test_the_executive_hears_of_a_desire_once_both_halves_are_known() -> None:
    """A conjunction that is completed by a second request appears then, and only then."""
    told = Told(common_sense())
    told.subscribe("s1", "?h desires ?a", "?a a Give", on="appear")
    told.revise("sally desires give_1")
    assert told.news() == []
    told.revise("give_1 a Give", "give_1 actsOnObject ball")
    assert told.news() == ["+s1 h=sally,a=give_1"]


def test_either_half_may_come_first() -> None:
    """The order in which the parts of a conjunction come makes no difference."""
    told = Told(common_sense())
    told.subscribe("s1", "?h desires ?a", "?a a Give", on="appear")
    told.revise("give_1 a Give")
    told.revise("sally desires give_1", now=1.5)
    (event,) = told.heard
    assert event == SubscriptionEvent("appear", "s1", 2, 1.5, {"h": "sally", "a": "give_1"})


def test_inferred_facts_are_told_as_asserted_ones() -> None:
    """A cat that appears is an animal that appears."""
    told = in_house()
    told.subscribe("s1", "?x a Animal")
    told.revise("tom a Cat")
    told.revise(retract=["tom a Cat"])
    assert told.news() == ["+s1 x=tom", "-s1 x=tom"]


def test_a_rule_told_at_run_time_makes_bindings_appear() -> None:
    """Bindings appear by an axiom told at run time, and disappear when it is withdrawn."""
    told = in_house()
    told.subscribe("s1", "?x a Breathing", "?x isIn ?y")
    told.revise("tom a Cat", "tom isIn box", "rex a Dog")
    told.revise("Animal rdfs:subClassOf Breathing")
    assert told.news() == ["+s1 x=tom,y=box"]
    told.revise(retract=["Animal rdfs:subClassOf Breathing"])
    assert told.news() == ["-s1 x=tom,y=box"]


def test_a_binding_that_holds_by_another_route_is_no_news() -> None:
    """The ball that goes from on the table to in it is at it all the while."""
    told = in_house()
    told.subscribe("s1", "ball isAt ?where")
    told.revise("ball isOn table")
    assert told.news() == ["+s1 where=table"]
    told.revise("ball isIn table", retract=["ball isOn *"])
    assert told.news() == []


def test_a_nameless_variable_hides_its_values() -> None:
    """What is on anything at all appears once, and disappears when it is on nothing more."""
    told = in_house()
    told.subscribe("s1", "?x isOn *")
    told.revise("ball isOn table", "ball isOn tray")
    told.revise(retract=["ball isOn tray"])
    assert told.news() == ["+s1 x=ball"]
    told.revise("ball isOn shelf", retract=["ball isOn table"])
    assert told.news() == []
    told.revise(retract=["* isOn *"])
    assert told.news() == ["-s1 x=ball"]


def test_each_star_stands_for_something_of_its_own() -> None:
    """Two stars need not be one thing, as two uses of a variable must."""
    told = in_house()
    told.subscribe("stars", "* isOn *", "* isIn *")
    told.subscribe("same", "?x isOn ?x")
    told.revise("ball isOn table")
    told.revise("cup isIn box")
    assert told.news() == ["+stars"]
    told.revise("cube isOn cube")
    assert told.news() == ["+same x=cube"]


def test_without_variables_the_truth_of_the_conjunction_is_told() -> None:
    """A conjunction of plain facts begins to be true with the last and ceases with the first."""
    told = in_house()
    told.subscribe("s1", "ball isIn box", "box isOn table")
    told.revise("ball isIn box")
    told.revise("box isOn table")
    told.revise(retract=["ball isIn box"])
    told.revise("ball isIn box", retract=["box isOn table"])
    assert told.news() == ["+s1", "-s1"]


@pytest.mark.parametrize(("on", "heard"), [("appear", "+"), ("disappear", "-"), ("both", "-+")])
def test_one_hears_only_what_one_asked_for(on: On, heard: str) -> None:
    """On appear, on disappear or both, and within a delta what ceased comes first."""
    told = in_house()
    told.revise("ball isIn box")
    told.subscribe("s1", "ball isIn ?y", on=on)
    told.revise("ball isIn bag", retract=["ball isIn box"])
    ends = {"+": "+s1 y=bag", "-": "-s1 y=box"}
    assert told.news() == [ends[mark] for mark in heard]


def test_what_comes_and_goes_back_within_a_request_is_no_news() -> None:
    """A fact withdrawn and asserted in one request has held all along."""
    told = in_house()
    told.revise("ball isIn box")
    told.subscribe("s1", "ball isIn ?y")
    told.revise("ball isIn box", retract=["ball isIn *"])
    assert told.news() == []


def test_appear_is_the_default() -> None:
    """One who says nothing hears of what appears, again and again."""
    told = in_house()
    told.events.subscribe("s1", "myself", told.read("?x isIn box"))
    told.revise("ball isIn box")
    told.revise(retract=["ball isIn box"])
    told.revise("ball isIn box")
    assert told.news() == ["+s1 x=ball", "+s1 x=ball"]


def test_once_ends_after_the_first_event() -> None:
    """A subscription for once hears one event, even of a delta that causes two."""
    told = in_house()
    told.revise("cup isIn box")
    told.subscribe("s1", "?x isIn box", on="appear", once=True)
    assert told.events.snapshot("s1") == [{"x": "cup"}]
    told.revise("ball isOn table")
    assert len(told.events) == 1
    told.revise("ball isIn box", "bat isIn box")
    told.revise("cat isIn box")
    assert len(told.news()) == 1
    assert len(told.events) == 0


def test_a_snapshot_is_what_holds_now() -> None:
    """The snapshot of a subscription has each binding that holds, inferred ones included, once."""
    told = in_house()
    told.revise("tom a Cat", "rex a Dog", "tom isIn box")
    told.subscribe("s1", "?x a Animal")
    assert sorted(row["x"] for row in told.events.snapshot("s1")) == ["rex", "tom"]
    assert told.news() == []


def test_no_patterns_is_an_error() -> None:
    """One who waits for nothing is refused, and nothing is kept of it."""
    told = in_house()
    with pytest.raises(BadRequest):
        told.events.subscribe("s1", "myself", [])
    with pytest.raises(BadRequest):
        told.events.subscribe_divergence("s1", "myself", "myself", [])
    assert len(told.events) == 0


def test_an_unknown_model_is_an_error_that_creates_nothing() -> None:
    """To wait for something in nobody's mind is refused, and makes no mind."""
    told = in_house()
    with pytest.raises(UnknownModel):
        told.events.subscribe("s1", "sally", told.read("?x isIn box"))
    for pair in (("sally", "myself"), ("myself", "sally")):
        with pytest.raises(UnknownModel):
            told.events.subscribe_divergence("s1", *pair, told.read("?x isIn box"))
    assert [m.id for m in told.board.models()] == ["myself"]
    assert len(told.events) == 0


def test_an_id_names_one_subscription() -> None:
    """A second subscription of the same id is refused, and the first goes on."""
    told = in_house()
    told.board.create("sally")
    told.subscribe("s1", "?x isIn box")
    with pytest.raises(BadRequest):
        told.subscribe("s1", "?x isOn table")
    with pytest.raises(BadRequest):
        told.events.subscribe_divergence("s1", "sally", "myself", told.read("?x isOn table"))
    told.revise("ball isIn box", "cup isOn table")
    assert told.news() == ["+s1 x=ball"]


def test_an_unknown_kind_of_event_is_an_error() -> None:
    """Only appear, disappear and both can be waited for."""
    told = in_house()
    unknown: Any = "now"
    with pytest.raises(BadRequest):
        told.events.subscribe("s1", "myself", told.read("?x isIn y"), unknown)
    assert len(told.events) == 0


def test_unsubscribed_is_unheard() -> None:
    """After its end a subscription hears nothing, its id is free, and the others hear on."""
    told = in_house()
    told.subscribe("s1", "?x isIn box", "?x a Cat")
    told.subscribe("s2", "?x isIn box")
    assert told.events.unsubscribe("s1")
    assert not told.events.unsubscribe("s1")
    told.revise("ball isIn box", "ball a Cat")
    assert told.news() == ["+s2 x=ball"]
    with pytest.raises(BadRequest):
        told.events.snapshot("s1")
    told.subscribe("s1", "?x isIn box")
    assert told.events.snapshot("s1") == [{"x": "ball"}]


def test_one_may_unsubscribe_while_being_told() -> None:
    """A listener that ends its subscription and begins another on an event disturbs nobody."""
    told = in_house()
    told.subscribe("s1", "?x isIn box")
    told.subscribe("s2", "?x isIn box")

    def react(event: SubscriptionEvent) -> None:
        assert listening.unsubscribe(event.sub)
        told.subscribe("s3", "?x isIn box")

    listening = Events(told.board, react)
    listening.subscribe("first", "myself", told.read("?x isIn box"))
    told.revise("ball isIn box")
    told.revise("cup isIn box")
    assert told.news() == ["+s1 x=ball", "+s2 x=ball", "+s1 x=cup", "+s2 x=cup", "+s3 x=cup"]


def test_too_costly_a_subscription_ends_and_disturbs_nobody() -> None:
    """One whose pattern is a cross product is told an error and ended; the others hear all."""
    told = in_house()
    told.revise(*(f"o{i} isIn box{i}" for i in range(400)))
    told.subscribe("cheap", "?x touches ?y", on="appear")
    told.subscribe("dear", "?x touches ?y", "?a isIn ?b", "?c isIn ?d", on="appear")
    told.subscribe("after", "?x touches ?y", on="appear")
    delta = told.revise("ball touches ball")
    assert delta is not None
    assert told.news() == ["+cheap x=ball,y=ball", "!dear", "+after x=ball,y=ball"]
    assert len(told.events) == 2
    told.revise("cup touches cup")
    assert told.news() == ["+cheap x=cup,y=cup", "+after x=cup,y=cup"]


def test_a_great_delta_is_no_fault_of_who_waits_for_it() -> None:
    """A plain subscription hears of each of 50 000 facts that are asserted at once."""
    told = in_house()
    told.revise("box a Box")
    told.subscribe("s1", "?x isNear ?y", "?y a Box", on="appear")
    told.revise(*(f"o{i} isNear box" for i in range(50_000)))
    assert {event.kind for event in told.heard} == {"appear"}
    assert len(told.heard) == 50_000


def test_a_nameless_class_of_the_ontology_is_no_kind_to_speak_of() -> None:
    """What is only a member of a nameless class is, for questions and events, of no class."""
    told = in_house()
    told.subscribe("s1", "fridge a *")
    told.revise("fridge hums tune")
    assert told.news() == []
    assert not told.holds("fridge a *")


def test_membership_of_a_nameless_class_does_not_hide_an_event() -> None:
    """What first has a class appears, though it enters a nameless one in the same delta."""
    told = in_house()
    told.subscribe("s1", "?x a *")
    told.revise("radio makes noise")
    assert told.news() == ["+s1 x=radio"]
    told.revise(retract=["radio makes noise"])
    assert told.news() == ["-s1 x=radio"]


def test_in_the_shipped_ontology_what_gets_a_shape_gets_a_kind() -> None:
    """Whatever has a cylinder's shape is of some class from then on, and that is told."""
    told = Told(common_sense())
    told.subscribe("s1", "thing_1 a *")
    told.revise("thing_1 hasShape cylinder")
    assert told.holds("thing_1 a SpatialThing")
    assert told.news() == ["+s1"]


def test_models_are_listened_to_one_by_one() -> None:
    """What Sally is thought to believe is no news of what the robot believes."""
    told = in_house()
    told.board.create("sally")
    told.subscribe("mine", "?x isIn ?y")
    told.events.subscribe("hers", "sally", told.read("?x isIn ?y"), "both")
    told.revise("ball isIn box", model="sally")
    assert told.news() == ["+hers x=ball,y=box"]


def test_a_deleted_mind_is_told_as_all_its_beliefs_ceasing() -> None:
    """When a model is deleted, what held in it and in those nested in it disappears."""
    told = in_house()
    for name in ("sally", "sally.anne"):
        told.board.create(name)
        told.revise("ball isIn box", model=name)
        told.events.subscribe(name, name, told.read("?x isAt ?y"), "both")
    told.board.delete("sally", 1.0)
    assert sorted(told.news()) == ["-sally x=ball,y=box", "-sally.anne x=ball,y=box"]


def test_literals_are_matched_in_their_normal_form() -> None:
    """A weight of 0.30 is a weight of 0.3, and an update tells the old one's end first."""
    told = in_house()
    told.subscribe("light", "?x hasWeight 0.30")
    told.subscribe("all", "ball hasWeight ?w")
    told.revise(update=["ball hasWeight 0.3"])
    assert told.news() == ["+light x=ball", "+all w=0.3"]
    told.revise(update=["ball hasWeight 2"])
    assert sorted(told.news()) == ["+all w=2", "-all w=0.3", "-light x=ball"]
