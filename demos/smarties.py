"""The Smarties task: what is in the tube, before and after somebody looks into it.

The content that a tube of this look is expected to have is common sense (`smarties.ttl`), not a
belief. The default “expected content, unless a content is known” is not an inference either: a new
fact would have to retract it, and an ontology only adds facts. So the default is part of the
question: first `?what isIn tube`, and only if nothing is known, `tube isExpectedToContain ?what`.
"""

from typing import Final

from demos.choreography import Choreography
from demos.story import Case, Question, Step, Story, holds, lacks

__all__ = ["STORY"]

_TUBE: Final = (0.1, 0.3, 0.84)
_PENCIL: Final = (0.1, 0.3, 0.836)
_LID_ON: Final = (0.1, 0.3, 0.9375)
_LID_OFF: Final = (0.35, 0.3, 0.7575)
_EMMA: Final = (0.1, 0.95, 1.4)
_OVER: Final = (0.1, 0.45, 1.4)
_PAUL: Final = (0.1, -0.95, 1.5)
_PAUL_NEAR: Final = (-0.15, 0.1, 1.45)
_STAGE: Final = (0.1, 0.25, 0.85)
_ACROSS: Final = (0.1, -0.3, 1.1)
"""A point that Emma looks at, to have both Paul and the tube in view."""


def _fill(play: Choreography) -> None:
    play.put(tube=_TUBE, lid=_LID_OFF, pencil=_PENCIL).wait(1.2)
    play.miss("pencil").move("lid", (0.35, 0.3, 1.1), (0.1, 0.3, 1.1), _LID_ON, seconds=1.0)
    play.wait(1.4)


def _emma_comes(play: Choreography) -> None:
    play.enter("emma", _EMMA, _STAGE).wait(1.6)


def _lid_off(play: Choreography, who: str) -> None:
    play.take(who, "lid").carry(who, (0.1, 0.3, 1.1), (0.35, 0.3, 1.1), _LID_OFF, seconds=1.4)
    play.let_go(who, (0.35, 0.5, 1.0)).wait(0.8)


def _lid_on(play: Choreography, who: str) -> None:
    play.take(who, "lid").carry(who, (0.35, 0.3, 1.1), (0.1, 0.3, 1.1), _LID_ON, seconds=1.4)
    play.let_go(who, (0.3, 0.6, 1.0)).wait(0.8)


def _emma_looks(play: Choreography) -> None:
    _lid_off(play, "emma")
    play.put(pencil=_PENCIL).enter("emma", _OVER, _TUBE).wait(1.4)
    play.miss("pencil").enter("emma", _EMMA, _STAGE).wait(0.8)
    _lid_on(play, "emma")
    play.wait(0.8)


def _paul_comes(play: Choreography) -> None:
    play.enter("paul", _PAUL, _STAGE).look("emma", _ACROSS).wait(2.0)


def _paul_looks(play: Choreography) -> None:
    _lid_off(play, "emma")
    play.put(pencil=_PENCIL).enter("paul", _PAUL_NEAR, _TUBE).wait(1.6)
    play.miss("pencil").enter("paul", _PAUL, _STAGE).wait(0.8)
    _lid_on(play, "emma")
    play.wait(0.8)


def _within(ask: str, model: str, expected: str, then: int | None = None) -> Question:
    """What is in the tube: the known content, or else the expected one."""
    return Question(
        ask,
        model,
        ("?what isIn tube",),
        (expected,),
        otherwise=("tube isExpectedToContain ?what",),
        then=then,
    )


_FILLED: Final = Step(
    "A pencil in a tube of Smarties",
    "The robot perceives a pencil in a tube of Smarties. Then the lid is put on, and nobody sees "
    "into the tube any more.",
    _fill,
    (*holds("myself", "pencil isIn tube", "lid isOn tube"),
     *holds("myself", "tube isExpectedToContain smarties")),
    (_within("What is in the tube?", "myself", "pencil"),),
)  # fmt: skip
_CLOSED: Final = Step(
    "Emma sees the tube",
    "Emma comes. She sees the closed tube, but not its content; so she goes by what it looks like.",
    _emma_comes,
    (
        *holds("emma", "tube a SmartiesTube", "tube isExpectedToContain smarties", "lid isOn tube"),
        *lacks("emma", "?what isIn tube"),
    ),
    (
        _within("What does Emma say is in the tube?", "emma", "smarties"),
        _within("What is in it?", "myself", "pencil"),
    ),
)
_LOOKED: Final = Step(
    "Emma looks into it",
    "Emma takes the lid off, looks into the tube from above, and puts the lid on again.",
    _emma_looks,
    holds("emma", "pencil isIn tube", "lid isOn tube"),
    (
        _within("What does Emma say is in the tube now?", "emma", "pencil"),
        _within("And what had she said before she looked?", "emma", "smarties", then=2),
    ),
)
_PAUL_SEES: Final = Step(
    "Paul sees the tube",
    "Now Paul comes, and sees the tube as Emma first saw it: closed. She sees that he does.",
    _paul_comes,
    (
        *holds("paul", "tube a SmartiesTube", "lid isOn tube"),
        *lacks("paul", "?what isIn tube"),
        *holds("emma.paul", "tube a SmartiesTube"),
        *lacks("emma.paul", "?what isIn tube"),
    ),
    (
        _within("What will Paul say is in the tube?", "paul", "smarties"),
        _within("What does Emma think Paul will say?", "emma.paul", "smarties"),
        _within("What does Emma say herself?", "emma", "pencil"),
    ),
)
_PAUL_LOOKS: Final = Step(
    "Paul looks into it, too",
    "Emma takes the lid off once more, Paul looks into the tube, and she puts the lid on again.",
    _paul_looks,
    (*holds("paul", "pencil isIn tube"), *holds("emma.paul", "pencil isIn tube")),
    (
        _within("What will Paul say is in the tube?", "paul", "pencil"),
        _within("What does Emma think Paul will say?", "emma.paul", "pencil"),
        _within("And what had Paul said before he looked?", "paul", "smarties", then=4),
    ),
)

_STEPS: Final = (_FILLED, _CLOSED, _LOOKED, _PAUL_SEES)
STORY: Final = Story(
    "smarties",
    "The Smarties tube",
    "A tube of Smarties with a pencil in it: what do people expect before they look, and what will "
    "somebody else say who has not looked (after Perner and others, 1987)? Known content counts "
    "first. Only somebody who knows of nothing in the tube goes by what such a tube is expected to "
    "contain.",
    "smarties.yaml",
    ("myself", "emma", "paul", "emma.paul"),
    (
        Case("closed", "Paul sees the closed tube alone.", _STEPS),
        Case("looks", "Control: Paul looks into the tube, too.", (*_STEPS, _PAUL_LOOKS)),
    ),
    things=("tube", "lid", "pencil"),
    ontology=("smarties.ttl",),
)
