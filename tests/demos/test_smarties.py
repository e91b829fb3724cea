"""What one expects in a tube gives way to what one knows to be in it."""

import re
from pathlib import Path
from typing import Any

import pytest

from demos.smarties import STORY
from kb_server import Blackboard
from tests.demos.conftest import Plays

PAUL = "What will Paul say is in the tube?"
PAUL_TO_EMMA = "What does Emma think Paul will say?"


def question(plays: Plays, case: str, ask: str) -> dict[str, Any]:
    """The last time that something is asked in a case."""
    steps = plays("smarties", case).report["steps"]
    found = [q for step in steps for q in step["questions"] if q["ask"] == ask]
    return dict(found[-1])


def test_emma_expects_sweets_until_she_looks(plays: Plays) -> None:
    """Before she looks Emma goes by the tube's look, and after by what she saw."""
    answers = plays("smarties", "closed").answers()
    assert answers["What does Emma say is in the tube?"] == ["smarties"]
    assert answers["What does Emma say is in the tube now?"] == ["pencil"]


def test_what_she_had_said_before_is_remembered(plays: Plays) -> None:
    """Asked of the past, her model answers as it did then."""
    asked = question(plays, "closed", "And what had she said before she looked?")
    before = plays("smarties", "closed").report["steps"][1]
    assert asked["answer"] == ["smarties"]
    assert asked["at"] == before["seq"]


@pytest.mark.parametrize(("case", "says"), [("closed", "smarties"), ("looks", "pencil")])
def test_paul_says_what_he_could_know(plays: Plays, case: str, says: str) -> None:
    """Paul says sweets unless he has looked, and Emma, who saw what he saw, knows it."""
    answers = plays("smarties", case).answers()
    assert answers[PAUL] == answers[PAUL_TO_EMMA] == [says]
    assert answers["What does Emma say herself?"] == ["pencil"]


def test_an_expectation_is_asked_for_only_where_nothing_is_known(plays: Plays) -> None:
    """The answer says what it goes by, and follows from the tube's kind."""
    expected = question(plays, "closed", PAUL)
    assert expected["asked"] == ["tube isExpectedToContain ?what"]
    assert any("Nothing answers `?what isIn tube`" in line for line in expected["because"])
    assert "tube a SmartiesTube" in leaves(expected["facts"][0]["proof"])
    assert question(plays, "looks", PAUL)["asked"] == ["?what isIn tube"]


def test_nobody_believes_in_sweets(plays: Plays) -> None:
    """That sweets are expected is nobody's belief about what is in this tube."""
    for step in plays("smarties", "looks").report["steps"]:
        for model, facts in step["beliefs"].items():
            inside = {fact for fact in facts if fact.endswith(" isIn tube")}
            assert inside <= {"pencil isIn tube"}, (step["n"], model)


def test_the_query_of_the_page_answers_as_the_story_does() -> None:
    """The SPARQL of docs/demos.md goes by what is known, and else by what is expected."""
    page = (Path(__file__).parents[2] / "docs" / "demos.md").read_text()
    (query,) = re.findall(r"```sparql\n(.*?)```", page, re.DOTALL)
    with Blackboard.local(ontology=[*STORY.files()]) as kb:
        kb.add("myself", "tube a SmartiesTube")
        assert kb.query(query).rows == ({"what": "smarties"},)
        kb.add("myself", "pencil isIn tube")
        assert kb.query(query).rows == ({"what": "pencil"},)


def leaves(proof: dict[str, Any]) -> set[str]:
    """What a proof comes down to."""
    premises = [each for way in proof["because"] for each in way["premises"]]
    return {proof["fact"]} if not premises else {f for each in premises for f in leaves(each)}
