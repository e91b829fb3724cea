"""A story of less than a second, and the command that plays it."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from demos import sally_anne
from demos.command import add_to
from demos.story import Belief, Case, Question, Step, Story, holds
from kb_server.program import loaded

__all__ = ["SHORT", "expecting", "played"]

_STEP: Final = Step(
    "A look",
    "Sally looks at a ball.",
    lambda stage: (
        stage.put(ball=(0.3, 0, 0.795)).enter("sally", (0.4, 1.35, 1.5), (0, 0, 0.85)).wait(0.8)
    ),
    holds("sally", "ball isOn table"),
    (
        Question("Where is it?", "sally", ("ball isOn ?where",), ("table",)),
        Question("Is it in the box?", "sally", ("ball isIn box",), ("no",)),
        Question("What is in the box?", "sally", ("?what isIn box",), ()),
    ),
)  # fmt: skip
SHORT: Final = replace(
    sally_anne.STORY, name="short", cases=(Case("main", "It lasts 0.8 s.", (_STEP,)),)
)


def expecting(*beliefs: Belief, questions: Sequence[Question] = ()) -> Story:
    """The same story, in which other things are expected."""
    step = replace(_STEP, beliefs=beliefs, questions=tuple(questions))
    return replace(SHORT, cases=(replace(SHORT.cases[0], steps=(step,)),))


def played(*words: str) -> int:
    """The exit status of `mindboard demo`, in this process."""
    parser = argparse.ArgumentParser()
    add_to(parser.add_subparsers())
    args = parser.parse_args(["demo", *words])
    return int(loaded(args.run)(args))
