"""The table of the ORO and SPARK paper: three video tapes and a pink box between two agents.

It reproduces Table 1 of the paper, fact for fact: what the robot can see and reach, what the human
can see and reach according to the robot, and where the objects are. Only the expected facts are
written here.
"""

from collections.abc import Mapping
from typing import Final

from demos.choreography import Choreography
from demos.story import Belief, Case, Question, Step, Story, Table, holds

__all__ = ["STORY", "TABLE_1"]

_OPPOSITE: Final = (0.76, 0.0, 1.4)
_BESIDE: Final = (-0.72, 0.0, 1.4)
_MIDDLE: Final = (0.0, 0.0, 0.8)
_SCREENING: Final = (-0.1, -0.3, 0.825)
"""Position of the box between the human's eyes and the grey tape."""
_ROBOT: Final = "myself"
_HUMAN: Final = "human"
_HEADINGS: Final = {
    _ROBOT: "Robot's beliefs about itself",
    _HUMAN: "Robot's beliefs about the human",
}

TABLE_1: Final[Mapping[str, tuple[str, ...]]] = {
    _ROBOT: (
        "PINK_BOX isReachable false",
        "WHITE_TAPE isReachable false",
        "BLACK_TAPE isReachable true",
        "GREY_TAPE isReachable true",
        "WHITE_TAPE isVisible true",
        "BLACK_TAPE isVisible true",
        "GREY_TAPE isVisible true",
        "WHITE_TAPE isOn TABLE",
        "BLACK_TAPE isOn TABLE",
        "GREY_TAPE isOn TABLE",
    ),
    _HUMAN: (
        "PINK_BOX isReachable true",
        "WHITE_TAPE isReachable true",
        "BLACK_TAPE isReachable false",
        "GREY_TAPE isReachable false",
        "WHITE_TAPE isVisible true",
        "BLACK_TAPE isVisible true",
        "GREY_TAPE isVisible true",
        "WHITE_TAPE isOn TABLE",
        "BLACK_TAPE isOn TABLE",
        "GREY_TAPE isOn TABLE",
    ),
}
"""The table as printed in the paper, column by column."""


def _changed(facts: tuple[str, ...], *changes: str) -> tuple[str, ...]:
    """A column in which some facts have other values."""
    by = {change.rsplit(" ", 1)[0]: change for change in changes}
    return tuple(by.get(fact.rsplit(" ", 1)[0], fact) for fact in facts)


def _beliefs(table: Mapping[str, tuple[str, ...]]) -> tuple[Belief, ...]:
    return tuple(belief for model, facts in table.items() for belief in holds(model, *facts))


def _table(title: str) -> Table:
    rows = (fact.rsplit(" ", 1)[0] + " ?value" for fact in TABLE_1[_ROBOT])
    return Table(title, _HEADINGS, tuple(rows))


def _set_out(play: Choreography) -> None:
    play.put(PINK_BOX=(0.28, 0.35, 0.825), WHITE_TAPE=(0.28, -0.05, 0.7625))
    play.put(BLACK_TAPE=(-0.3, 0.15, 0.7625), GREY_TAPE=(-0.3, -0.3, 0.7625))
    play.enter("human", _OPPOSITE, _MIDDLE).wait(1.6)


def _walk_round(play: Choreography) -> None:
    play.walk(
        "human", (0.8, 1.2, 1.4), (-0.8, 1.2, 1.4), _BESIDE, toward=_MIDDLE, seconds=3.2
    ).wait(1.6)


def _screen(play: Choreography) -> None:
    play.take("human", "PINK_BOX", (0.4, 0.35, 1.1))
    play.carry("human", (0.28, 0.2, 1.05), (-0.1, -0.3, 1.05), _SCREENING)
    play.let_go("human", (0.1, -0.3, 1.1)).wait(1.6)


def _reaches(model: str, *expected: str) -> Question:
    who = "the robot" if model == _ROBOT else "the human"
    patterns = ("?tape isReachable true", "?tape a VideoTape")
    return Question(f"Which tapes can {who} reach?", model, patterns, expected)


_SIDES: Final = Step(
    "Face to face",
    "Robot and human face each other across the table. The robot perceives three video tapes, a "
    "pink box, and the human's head and hands; it works out what each of the two sees and reaches.",
    _set_out,
    _beliefs(TABLE_1),
    (_reaches(_ROBOT, "BLACK_TAPE", "GREY_TAPE"), _reaches(_HUMAN, "WHITE_TAPE")),
    _table("Table 1"),
)
_ROUND: Final = Step(
    "On the same side",
    "The human walks round the table and stands beside the robot. No object has moved, so the "
    "robot reaches the same objects; but now the human reaches the same ones as the robot.",
    _walk_round,
    _beliefs({
        _ROBOT: TABLE_1[_ROBOT],
        _HUMAN: TABLE_1[_ROBOT],
    }),
    (_reaches(_ROBOT, "BLACK_TAPE", "GREY_TAPE"), _reaches(_HUMAN, "BLACK_TAPE", "GREY_TAPE")),
    _table("Table 1, from the same side"),
)  # fmt: skip
_SCREENED: Final = Step(
    "Behind the box",
    "The human takes the pink box and puts it down in front of the grey tape. It hides the tape "
    "from the human, who has seen where it lies, but not from the robot. The box is now within the "
    "robot's reach and out of the human's.",
    _screen,
    _beliefs({
        _ROBOT: _changed(TABLE_1[_ROBOT], "PINK_BOX isReachable true"),
        _HUMAN: _changed(
            TABLE_1[_HUMAN], "PINK_BOX isReachable false", "GREY_TAPE isVisible false"
        ),
    }),
    (
        Question("Which tapes does the robot see?", _ROBOT,
                 ("?tape isVisible true", "?tape a VideoTape"),
                 ("BLACK_TAPE", "GREY_TAPE", "WHITE_TAPE")),
        Question("Which tapes does the human see?", _HUMAN,
                 ("?tape isVisible true", "?tape a VideoTape"), ("BLACK_TAPE", "WHITE_TAPE")),
    ),
    _table("Table 1, with the box before the grey tape"),
)  # fmt: skip

STORY: Final = Story(
    "table",
    "The table between two agents",
    "Three video tapes and a pink box lie between a robot and a human, as in Figure 6 of "
    "“Artificial Cognition for Social Human-Robot Interaction”. The robot's facts about itself "
    "and about the human are those of Table 1 of the paper.",
    "table.yaml",
    (_ROBOT, _HUMAN),
    (
        Case("opposite", "The two face each other, as in the paper.", (_SIDES,)),
        Case("beside", "Control: then the human comes over to the robot's side.", (_SIDES, _ROUND)),
        Case("screened", "Control: then the box is put before a tape.", (_SIDES, _SCREENED)),
    ),
    things=("PINK_BOX", "WHITE_TAPE", "BLACK_TAPE", "GREY_TAPE"),
)
