"""Who sees less means something else by the same words."""

import pytest

from tests.demos.conftest import Played, Plays

ROBOT_MEANS = "What is “the small block at the top”, to the robot?"
DIRECTOR_MEANS = "What is “the small block at the top”, as the director must mean it?"
ROBOT_ASKS = "Going by its own view, what would the robot have to ask back?"
DIRECTOR_ASKED = "Going by the director's view, what would the robot have to ask back?"
BOTH = ["blue_block", "red_block"]


def held(played: Played, model: str, thing: str) -> list[str]:
    """The facts about a thing in a model at the end."""
    facts = played.report["steps"][-1]["beliefs"][model]
    return [fact for fact in facts if thing in fact.split()]


def test_the_director_means_what_shows_from_there(plays: Plays) -> None:
    """To the robot the words mean two blocks, and in the director's model they mean one."""
    played = plays("director", "hidden")
    answers = played.answers()
    assert answers[ROBOT_MEANS] == BOTH
    assert answers[DIRECTOR_MEANS] == ["blue_block"]
    assert held(played, "myself", "red_block") != held(played, "director", "red_block") == []


def test_only_who_goes_by_the_own_view_has_to_ask(plays: Plays) -> None:
    """By its own view the robot would ask for the colour; by the director's it need not ask."""
    answers = plays("director", "hidden").answers()
    assert answers[ROBOT_ASKS] == ["hasColor"]
    assert answers[DIRECTOR_ASKED] == []


@pytest.mark.parametrize("case", ["open", "round"])
def test_who_sees_all_means_either(plays: Plays, case: str) -> None:
    """Through a shelf without a back, or from the robot's side, the director may mean both."""
    answers = plays("director", case).answers()
    assert answers[DIRECTOR_MEANS] == BOTH
    assert answers[DIRECTOR_ASKED] == ["hasColor"]


def test_what_would_be_asked_is_named_with_its_values(plays: Plays) -> None:
    """The candidates come with the colours by which they can be told apart."""
    first = plays("director", "hidden").report["steps"][0]["questions"][1]
    assert first["candidates"] == {"blue_block": ["blue"], "red_block": ["red"]}
    assert first["says"] == "its color: blue or red"
