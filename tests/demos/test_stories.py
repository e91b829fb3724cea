"""Every case of every story, played on the real processes."""

import asyncio
import io
import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from demos.repertoire import STORIES
from demos.story import SCENES, Story
from kb_server import Blackboard
from spatial_reasoner.board.replaying import RecordingReplay
from spatial_reasoner.commands.opening import opened_reasons
from spatial_reasoner.percepts.clocks import Clocks
from spatial_reasoner.percepts.percepts import PerceptSettings
from spatial_reasoner.percepts.recording import frames_in, lines_of
from spatial_reasoner.scene.knowledge import BoardKnowledge
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_file import read_scene
from spatial_reasoner.tolerances.tolerances import Tolerances
from tests.demos.conftest import Played, Plays

CASES = [(story.name, case.name) for story in STORIES.values() for case in story.cases]
every_case = pytest.mark.parametrize(("story", "case"), CASES)


@every_case
def test_every_expected_belief_comes_out(plays: Plays, story: str, case: str) -> None:
    """What each mind is expected to hold it holds, and each question is answered so."""
    played = plays(story, case)
    assert [each for step in played.report["steps"] for each in wrong_in(step)] == []
    assert played.report["ok"] is True
    assert played.status == 0


@every_case
def test_a_replay_of_the_recording_gives_the_same(plays: Plays, story: str, case: str) -> None:
    """At the end of each step the facts are those that a replay of the recording gives."""
    played = plays(story, case)
    folded = replayed(STORIES[story], played)
    for step in played.report["steps"]:
        for model, facts in step["beliefs"].items():
            assert (step["n"], model, set(facts) ^ held_at(folded, model, step["t"])) == (
                step["n"],
                model,
                set(),
            )


@every_case
def test_something_is_expected_of_each_case(plays: Plays, story: str, case: str) -> None:
    """Each case asks questions, gives reasons, and has its steps in the board's order."""
    played = plays(story, case)
    assert played.answers()
    steps = played.report["steps"]
    assert [step["n"] for step in steps] == [*range(1, len(steps) + 1)]
    assert [step["seq"] for step in steps] == sorted(step["seq"] for step in steps)
    assert [step["t"] for step in steps] == sorted({step["t"] for step in steps})


def test_each_story_has_a_control() -> None:
    """Beside the main case each story has another one, in which other things are expected."""
    for story in STORIES.values():
        main, *controls = ([step.questions for step in case.steps] for case in story.cases)
        assert any(control != main for control in controls), story.name


def test_sally_believes_what_she_saw(plays: Plays) -> None:
    """Who is away believes what was, who watches knows better, and the reason is what was seen."""
    away, watching = plays("sally-anne", "false-belief"), plays("sally-anne", "watching")
    for played, where in ((away, "basket"), (watching, "box")):
        answers = played.answers()
        assert answers["Where is the ball?"] == ["box"]
        assert answers["Where will Sally look for it?"] == [where]
        assert answers["Where does Anne think that Sally will look?"] == [where]
    why = away.because("Where will Sally look for it?")
    assert [line.split(" at ")[0] for line in why[1:]] == [
        "Sally last saw the ball",
        "It ceased to be so",
    ]
    assert "(step 2)" in why[1]
    assert "(step 4), and Sally did not see that" in why[2]
    assert not any("did not see" in line for line in watching.because(
        "Where will Sally look for it?"))  # fmt: skip


def test_an_inferred_answer_has_its_proof(plays: Plays) -> None:
    """What Sally expects in the basket follows from where she has the ball, and that is told."""
    steps = plays("sally-anne", "false-belief").report["steps"]
    (asked,) = [q for q in steps[-1]["questions"] if q["patterns"] == ["basket contains ?what"]]
    proof = asked["facts"][0]["proof"]
    assert proof["kind"] == "inferred"
    premises = [each["fact"] for way in proof["because"] for each in way["premises"]]
    assert "ball isIn basket" in premises


@pytest.mark.parametrize(
    ("case", "john", "mary_of_john"),
    [
        ("unseen", "churchyard", "park"),
        ("at-home", "park", "park"),
        ("seen", "churchyard", "churchyard"),
    ],
)
def test_mary_may_be_wrong_about_john(
    plays: Plays, case: str, john: str, mary_of_john: str
) -> None:
    """What Mary thinks that John thinks goes by what she saw of him, and may be wrong of him."""
    played = plays("ice-cream", case)
    answers = played.answers()
    assert answers["Where is the van?"] == ["churchyard"]
    assert answers["Where will John go for his ice-cream?"] == [john]
    assert answers["Where does Mary think that John will go?"] == [mary_of_john]
    wrong = [each["says"] for each in played.report["steps"][-1]["differences"]
             if each["model"] == "mary.john"]  # fmt: skip
    assert bool(wrong) == (john != mary_of_john)


# --- a replay of what was recorded ---


def wrong_in(step: dict[str, Any]) -> Iterable[object]:
    """What did not come out of a step."""
    yield from (each["wrong"] for each in step["expected"] if not each["ok"])
    yield from ((q["ask"], q["answer"]) for q in step["questions"] if not q["ok"])


def replayed(story: Story, played: Played) -> list[dict[str, Any]]:
    """The lines that `mindboard replay` writes of a recording."""
    out = io.StringIO()
    scene = scene_of(story.name)
    with (
        played.frames.open("rb") as file,
        opened_reasons(scene, "auto", Tolerances(), PerceptSettings()) as reasons,
    ):
        replay = RecordingReplay(reasons, Clocks(missing=1.0), [out])
        asyncio.run(replay.run(frames_in(lines_of(file), scene)))
    return [json.loads(line) for line in out.getvalue().splitlines()]


PASSING = re.compile(r" a ActiveConcept$|^(pick|place|put|release|handover)_\d+ ")
"""What is short-lived, or an action."""


@cache
def scene_of(name: str) -> Scene:
    """The scene of a story, by common sense and its own ontology."""
    story = STORIES[name]
    with Blackboard.local(ontology=[*story.files()]) as kb:
        return read_scene(SCENES / story.scene, BoardKnowledge(kb))


def held_at(lines: Iterable[dict[str, Any]], model: str, t: float) -> set[str]:
    """What a model holds at a time, by the lines up to it; what ends by itself is left out."""
    held: set[str] = set()
    for line in lines:
        if line["model"] == model and line["t"] <= t + 1e-9:
            held.difference_update(line["retract"])
            held.update(line["add"])
    return {fact for fact in held if not PASSING.search(fact)}
