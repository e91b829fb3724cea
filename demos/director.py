"""The director's task: the same words mean something else to somebody who sees less.

Robot and director face each other through a shelf. One of its cells has a back toward the director.
It contains a small block that only the robot sees. “The small block at the top” is ambiguous to the
robot, but not to the director. So the robot queries the director's model.
"""

from typing import Final

from demos.choreography import Choreography
from demos.story import Case, Question, Step, Story, holds, lacks

__all__ = ["STORY"]

_SMALL_AT_THE_TOP: Final = ("?block hasSize small", "?block a Block", "?block isOn top")
_SEAT: Final = (1.1, 0.0, 1.35)
_BESIDE: Final = (-1.0, 0.4, 1.35)
_SHELF: Final = (0.0, 0.0, 1.0)


def _fill(play: Choreography) -> None:
    play.put(red_block=(0, 0.16, 1.035), blue_block=(0, -0.16, 1.035))
    play.put(green_block=(0, -0.16, 0.82)).wait(1.2)


def _close(play: Choreography) -> None:
    play.put(back=(0.105, 0.16, 1.12))
    _fill(play)


def _come(play: Choreography) -> None:
    play.enter("director", _SEAT, _SHELF).wait(1.6)


def _walk_round(play: Choreography) -> None:
    play.walk("director", (0.9, 0.9, 1.35), (-0.8, 0.9, 1.35), _BESIDE, toward=_SHELF, seconds=3.2)
    play.wait(1.6)


def _means(model: str, *expected: str) -> tuple[Question, Question]:
    """What the words may mean in a mind, and what the robot would have to ask back there."""
    mine = model == "myself"
    who = "to the robot" if mine else "as the director must mean it"
    tells_apart = ("hasColor",) if len(expected) > 1 else ()
    view = "its own view" if mine else "the director's view"
    return (
        Question(f"What is “the small block at the top”, {who}?", model, _SMALL_AT_THE_TOP,
                 expected),
        Question(f"Going by {view}, what would the robot have to ask back?", model,
                 _SMALL_AT_THE_TOP, tells_apart, clarifies=True),
    )  # fmt: skip


_BOTH: Final = ("blue_block", "red_block")
_SET_UP: Final = Step(
    "A shelf with a back",
    "Two small blocks stand in the upper cells of a shelf, a big one below. The robot sees them "
    "all. The cell of the red block has a back on the far side.",
    _close,
    holds("myself", "red_block isOn top", "blue_block isOn top", "green_block isOn bottom"),
    _means("myself", *_BOTH),
)
_OPEN: Final = Step(
    "A shelf without backs",
    "Two small blocks stand in the upper cells of a shelf, a big one below. One can see through "
    "all of the cells.",
    _fill,
    holds("myself", "red_block isOn top", "blue_block isOn top", "green_block isOn bottom"),
    _means("myself", *_BOTH),
)
_COMES: Final = Step(
    "The director comes",
    "The director sits down on the far side of the shelf and says: “Give me the small block at "
    "the top.” From there the back hides the red block.",
    _come,
    (
        *holds("director", "blue_block isOn top", "blue_block hasSize small"),
        *holds("director", "green_block isOn bottom", "green_block hasSize big"),
        *lacks("director", "red_block a Block", "red_block isOn top"),
    ),
    (*_means("myself", *_BOTH), *_means("director", "blue_block")),
)
_SEES_ALL: Final = Step(
    "The director comes",
    "The director sits down on the far side of the shelf and says: “Give me the small block at "
    "the top.” Nothing hides the red block now.",
    _come,
    holds("director", "blue_block isOn top", "red_block isOn top", "red_block hasSize small"),
    (*_means("myself", *_BOTH), *_means("director", *_BOTH)),
)
_ROUND: Final = Step(
    "The director walks round",
    "Before anybody gave anything, the director walks round to the robot's side, and sees the red "
    "block as well: the same words are ambiguous now.",
    _walk_round,
    holds("director", "red_block isOn top", "blue_block isOn top"),
    _means("director", *_BOTH),
)

STORY: Final = Story(
    "director",
    "The director and the shelf",
    "A director asks for “the small block at the top” across a shelf with two such blocks. If the "
    "director sees only one of them, the director's view tells the robot which one is meant, "
    "without asking back (after Keysar and others, 2000).",
    "director.yaml",
    ("myself", "director"),
    (
        Case("hidden", "One cell has a back, so the director sees less.", (_SET_UP, _COMES)),
        Case("open", "Control: no cell has a back, so both see the same.", (_OPEN, _SEES_ALL)),
        Case("round", "Control: the director walks round, and sees it all.",
             (_SET_UP, _COMES, _ROUND)),
    ),
    things=("red_block", "blue_block", "green_block", "back"),
    ontology=("director.ttl",),
)  # fmt: skip
