"""Laws of what is believed, over all the stories: wherever, whenever and however often."""

from collections.abc import Callable
from functools import cache
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server import Blackboard
from spatial_reasoner.relations.situation import EFFORTS
from spatial_reasoner.scene.scene import PARTS, Scene
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.values.delta import BeliefDelta
from tests.missing.acts import REASONS
from tests.plays.conftest import MakeScene, Staged
from tests.plays.play import Play
from tests.plays.replays import (
    as_by_camera,
    at_marks,
    lines,
    moved_frame,
    moved_scene,
    replayed,
    turned_about,
)
from tests.plays.stories import STORIES
from tests.trials import law

STILL: Final = ("behind a carton", "in bins", "director", "points and looks", "face to face")
"""Stories in which little happens: they are told quickly."""
INVERSES: Final = {
    "isOn": "isUnder",
    "isIn": "contains",
    "leftOf": "rightOf",
    "inFrontOf": "behind",
    "isNextTo": "isNextTo",
}


@pytest.fixture(scope="module")
def played(made: MakeScene, sight: CloseUpSight) -> Callable[[str], Play]:
    """The stories by name, each played once."""

    @cache
    def play(name: str) -> Play:
        story = STORIES[name]
        play = Play(made(story.room()), sight)
        story.act(play)
        play.reasoner.close()
        return play

    return play


Played = Callable[[str], Play]


@pytest.mark.parametrize("name", STORIES)
def test_the_same_frames_give_the_same_facts(
    played: Played, sight: CloseUpSight, name: str
) -> None:
    """Told again, a story gives the same deltas to the last byte."""
    play = played(name)
    again = replayed(play.recording.scene, play.recording.frames, sight)
    assert lines(again) == lines(play.told)


@pytest.mark.parametrize("name", STORIES)
def test_facts_are_those_of_the_vocabulary(played: Played, name: str) -> None:
    """Every fact has a subject and an object of the kinds that the table of facts says."""
    play = played(name)
    scene = play.recording.scene
    for _, delta in play.told:
        for fact in (*delta.add, *delta.retract):
            assert is_of_the_table(fact, delta, scene), fact


def is_of_the_table(fact: str, delta: BeliefDelta, scene: Scene) -> bool:
    subject, predicate, value = fact.split()
    if predicate == "a" and value == "ActiveConcept":
        return delta.memory == "short_term"
    things, agents = scene.entities.keys(), scene.agents.keys()
    grounds = {name for name, each in scene.entities.items() if each.shape.kind == "plane"}
    hands = {f"{agent}_{part}" for agent in agents for part in PARTS if part.endswith("_hand")}
    kinds = {name: each.kind for name, each in scene.entities.items()}
    kinds |= {name: each.kind for name, each in scene.agents.items()}
    owner = delta.model.rpartition(".")[2]
    supports = {name for name, each in scene.entities.items() if each.is_support}
    containers = {name for name, each in scene.entities.items() if each.is_container}
    if delta.memory == "episodic":
        return is_of_an_action(fact, scene)
    if delta.memory != "long_term":
        return False
    match predicate:
        case "a":
            hand = {"right_hand": "RightHand", "left_hand": "LeftHand"}
            return value == kinds.get(subject, hand.get("_".join(subject.split("_")[-2:])))
        case "isOn":
            return subject in things - grounds and value in supports and subject != value
        case "isIn":
            return subject in things - grounds and value in containers and subject != value
        case "isNextTo":
            return {subject, value} <= things - grounds and subject != value
        case "leftOf" | "rightOf" | "inFrontOf" | "behind" | "near" | "farFrom":
            return subject in things - grounds and value in agents
        case "sees" | "seesWithHeadMovement" | "looksAt" | "canReach" | "isHolding":
            return subject in agents and value in things
        case "pointsAt":
            return subject in agents and value in things - grounds
        case "perceives":
            return subject in agents and value in agents and subject != value
        case "isInFieldOfView" | "isReachable":
            return subject in things and value in ("true", "false") and owner in agents
        case "reachEffort":
            return subject in things and value in EFFORTS and owner in agents
        case "isHiddenInHandOf":
            return subject in things - grounds and value in agents
        case "isOutOfViewOf":
            return subject in things and value == owner
        case "isOccludedBy":
            return subject in things and value in things | agents and subject != value
        case "isCarriedIn":
            return subject in things - grounds and value in containers and subject != value
        case "isCarriedOn" | "hasSlidOn":
            return subject in things - grounds and value in supports and subject != value
        case "hasFallenFrom":
            return subject in things - grounds and value in supports | containers | hands
        case "isUnaccountedFor":
            return subject in things and value == "true"
        case "isMoving":
            return subject in (*things, *agents) and value == "true"
        case "isPerceived" | "isPhysicallyPlausible":
            return subject in things and value == "true"
        case "isInHand":
            return subject in things - grounds and value in hands
        case "isHandOf":
            return subject in hands and value in agents and subject.startswith(value)
        case "hasHandMovingToward" | "mayPick":
            return subject in hands and value in things - grounds
        case "mayPutInto":
            return subject in hands and value in containers
    return False


def is_of_an_action(fact: str, scene: Scene) -> bool:
    """Whether a fact is one of those that tell of an action."""
    subject, predicate, value = fact.split()
    kind, _, number = subject.partition("_")
    things, agents = scene.entities.keys(), scene.agents.keys()
    if not number.isdigit() or subject in (*things, *agents):
        return False
    match predicate:
        case "a":
            return value in ("Pick", "Place", "Put", "Release", "Handover") and (
                value.lower() == kind
            )
        case "actsOnObject" | "fromLocation" | "toLocation":
            return value in things
        case "performedBy" | "receivedBy":
            return value in agents
        case "startTime" | "endTime":
            return value.endswith('"^^xsd:double')
    return False


@pytest.mark.parametrize("name", STORIES)
def test_facts_of_one_moment_agree(played: Played, name: str) -> None:
    """Next to is mutual, what the owner sees is in the field of view, what is far is not near, and
    what is missing has one reason for it and is not perceived."""
    play = played(name)
    for facts in at_marks(play.told, play.recording.marks):
        for model, held in facts.items():
            owner = model.rpartition(".")[2]
            parted = {tuple(fact.split()) for fact in held}
            missing = [subject for subject, predicate, _ in parted if predicate in REASONS]
            assert len(missing) == len(set(missing))
            assert not {(subject, "isPerceived", "true") for subject in missing} & parted
            for subject, predicate, value in parted:
                if predicate == "isNextTo":
                    assert (value, predicate, subject) in parted
                if predicate == "isInFieldOfView":
                    assert ((owner, "sees", subject) in parted) == (value == "true")
                if predicate == "isReachable":
                    assert ((owner, "canReach", subject) in parted) == (value == "true")
                if predicate == "reachEffort":
                    assert (subject, "isReachable", "true") in parted
                if predicate == "sees":
                    assert (subject, "seesWithHeadMovement", value) in parted
                if predicate == "looksAt":
                    assert (subject, "sees", value) in parted
                if predicate == "near":
                    assert (subject, "farFrom", value) not in parted


@pytest.mark.parametrize("name", STORIES)
def test_no_model_contradicts_itself(played: Played, name: str) -> None:
    """On a board the deltas of a story never clash, and what follows from them follows."""
    with Blackboard.local() as kb:
        known = {"myself"}
        for t, delta in played(name).told:
            if delta.model not in known:
                kb.create(delta.model)
                known.add(delta.model)
            kb.revise(
                delta.model,
                add=delta.add,
                retract=delta.retract,
                memory=delta.memory,
                source="spatial",
                t=t,
            )
            assert kb.consistency(delta.model).consistent, (t, delta)
        for model, held in played(name).facts.items():
            for fact in held:
                subject, predicate, value = fact.split()
                if predicate in INVERSES:
                    assert kb.check(model, f"{value} {INVERSES[predicate]} {subject}")


@pytest.mark.parametrize("name", STILL)
@given(
    angle=st.floats(-3.1, 3.1), x=st.floats(-50, 50), y=st.floats(-50, 50),
    later=st.sampled_from([0.0, 1000.0, 1.7e9]),
)  # fmt: skip
@law(4)
def test_it_does_not_matter_where_and_when(
    played: Played, sight: CloseUpSight, name: str, angle: float, x: float, y: float, later: float
) -> None:
    """The whole scene shifted and turned, at another time, gives the same facts."""
    play = played(name)
    move = turned_about(angle, (x, y))
    frames = [moved_frame(frame, move, later) for frame in play.recording.frames]
    told = replayed(moved_scene(play.recording.scene, move), frames, sight)
    marks = [mark + later for mark in play.recording.marks]
    assert at_marks(told, marks) == at_marks(play.told, play.recording.marks)


@pytest.mark.parametrize("name", ["sally and anne", "takes along"])
def test_stories_may_happen_elsewhere(played: Played, sight: CloseUpSight, name: str) -> None:
    """Also what moves gives the same facts when all is turned by a right angle and shifted."""
    play = played(name)
    move = turned_about(1.5707963, (3.0, -2.0))
    frames = [moved_frame(frame, move) for frame in play.recording.frames]
    told = replayed(moved_scene(play.recording.scene, move), frames, sight)
    marks = play.recording.marks
    assert at_marks(told, marks)[-1] == at_marks(play.told, marks)[-1]


def test_a_frame_that_is_cut_in_two_gives_the_same_in_the_end(
    staged: Staged, sight: CloseUpSight
) -> None:
    """What one source tells of at once two may tell of, one of the things and one of the people."""
    play = staged(STORIES["face to face"].room())
    STORIES["face to face"].act(play)
    halves = []
    for frame in play.recording.frames:
        halves.append(type(frame)(frame.t, "people", agents=frame.agents))
        halves.append(type(frame)(frame.t, "things", frame.objects))
    told = replayed(play.recording.scene, halves, sight)
    assert at_marks(told, [play.now + 1])[-1] == play.facts


@pytest.mark.parametrize(
    "name", ["sally and anne", "sally watches", "sally looks", "an onlooker", "falls in"]
)
def test_who_can_not_see_into_a_basket_knows_what_went_in(
    played: Played, sight: CloseUpSight, name: str
) -> None:
    """A camera that tells only of what shows gives the same places in the end as one that is told
    of all: things are left where hands took them out of sight.
    """
    play = played(name)
    scene, frames = play.recording.scene, play.recording.frames
    told = replayed(scene, as_by_camera(scene, frames, sight), sight)
    held = at_marks(told, play.recording.marks)[-1]
    for model in play.facts:
        places = {fact for fact in held[model] if fact.startswith(("ball isOn", "ball isIn "))}
        assert places == {f"ball {place}" for place in play.where(model, "ball")}
