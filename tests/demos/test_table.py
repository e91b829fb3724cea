"""Table 1 of the paper comes out of the geometry, fact for fact, and changes with it."""

from typing import Any, Final

from demos.table import STORY
from demos.tabulated import drawn
from tests.demos.conftest import Plays

PAPER: Final = """
PINK_BOX isReachable false     PINK_BOX isReachable true
WHITE_TAPE isReachable false   WHITE_TAPE isReachable true
BLACK_TAPE isReachable true    BLACK_TAPE isReachable false
GREY_TAPE isReachable true     GREY_TAPE isReachable false
WHITE_TAPE isVisible true      WHITE_TAPE isVisible true
BLACK_TAPE isVisible true      BLACK_TAPE isVisible true
GREY_TAPE isVisible true       GREY_TAPE isVisible true
WHITE_TAPE isOn TABLE          WHITE_TAPE isOn TABLE
BLACK_TAPE isOn TABLE          BLACK_TAPE isOn TABLE
GREY_TAPE isOn TABLE           GREY_TAPE isOn TABLE
"""
"""Table 1: the robot's beliefs about itself, and those about the human."""


def printed(name: str) -> list[str]:
    """A column of the paper's table."""
    words = [line.split() for line in PAPER.strip().splitlines()]
    return [" ".join(row[:3] if name == "myself" else row[3:]) for row in words]


def columns(step: dict[str, Any]) -> dict[str, list[str]]:
    """The table of a step as the board had it, column by column."""
    return dict(step["table"]["columns"])


def changed(plays: Plays, case: str) -> dict[str, set[str]]:
    """What stands in the last table of a case and not in the first, column by column."""
    steps = plays("table", case).report["steps"]
    first, last = columns(steps[0]), columns(steps[-1])
    return {model: set(last[model]) - set(first[model]) for model in first}


def test_the_table_of_the_paper_comes_out(plays: Plays) -> None:
    """What robot and human see, reach and have where is Table 1, row by row."""
    (step,) = plays("table", "opposite").report["steps"]
    assert columns(step) == {name: printed(name) for name in ("myself", "human")}


def test_the_table_is_drawn_in_its_order() -> None:
    """In the terminal each row of the table is a line, marked where the two columns differ."""
    table = STORY.cases[0].steps[0].table
    assert table is not None
    rows = tuple(zip(printed("myself"), printed("human"), strict=True))
    lines = [*drawn(table, rows)]
    assert [line.split("│")[1].strip() for line in lines[4:-1]] == printed("myself")
    assert [line.endswith("≠") for line in lines[4:-1]] == [a != b for a, b in rows]
    assert all("Robot's beliefs about" in half for half in lines[2].split("│")[1:3])


def test_who_stands_elsewhere_reaches_something_else(plays: Plays) -> None:
    """On the robot's side the human reaches what the robot reaches, for whom nothing changes."""
    last = columns(plays("table", "beside").report["steps"][-1])
    assert last["myself"] == last["human"] == printed("myself")


def test_a_box_hides_a_tape_from_one_of_the_two(plays: Plays) -> None:
    """A box in the robot's reach hides a tape from the human, who still has it on the table."""
    assert changed(plays, "screened") == {
        "myself": {"PINK_BOX isReachable true"},
        "human": {"PINK_BOX isReachable false", "GREY_TAPE isVisible false"},
    }
