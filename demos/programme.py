"""The story on the stage of the board: what the page shows of it beside the beliefs."""

import logging
from typing import Any, Final

from demos.asking import Answered, StepResult, latest
from demos.prose import asked_so, because, replied
from demos.story import Step, Story
from demos.tabulated import tabled
from kb_server import AsyncBlackboard, BoardError

__all__ = ["SOURCE", "Programme", "announced"]

SOURCE: Final = "demo"
_NAME: Final = "story"
_log: Final = logging.getLogger(__name__)


def announced(story: Story) -> dict[str, Any]:
    """What the stage shows of a story before it begins."""
    return {
        _NAME: {
            "title": story.title,
            "about": story.about,
            "step": 0,
            "steps": [],
            "models": list(story.models),
            "over": False,
            "questions": [],
        }
    }


class Programme:
    """Shows the progress of one story; does without if the board has no stage."""

    def __init__(self, kb: AsyncBlackboard, story: Story) -> None:
        self._kb: Final = kb
        self._shown: Final[dict[str, Any]] = announced(story)[_NAME]

    async def opens(self) -> None:
        """Shows which story it is, before it begins."""
        await self._show(self._shown)

    async def begins(self, n: int, step: Step) -> None:
        """Shows a step from its beginning (`from`); its `seq` is the same until it ends."""
        seq = await latest(self._kb)
        self._shown["step"] = n
        self._shown["steps"].append(
            {"n": n, "title": step.title, "says": step.says, "from": seq, "seq": seq}
            | {"t": None, "table": None}
        )
        await self._show(self._shown)

    async def ended(self, result: StepResult, *, is_over: bool) -> None:
        """Shows the result of a step, and its questions with their answers."""
        table = tabled(result.step.table, result.cells)
        self._shown["steps"][-1] |= {"seq": result.seq, "t": result.t, "table": table}
        self._shown["questions"] += [_asked(result.n, each) for each in result.answered]
        self._shown["over"] = is_over
        await self._show(self._shown)

    async def withdraw(self) -> None:
        """Removes the story from the stage."""
        await self._show(None)

    async def _show(self, story: dict[str, Any] | None) -> None:
        try:
            await self._kb.stage({_NAME: story}, source=SOURCE)
        except BoardError as reason:
            _log.warning("the story can't be shown on the page: %s", reason)


def _asked(n: int, answered: Answered) -> dict[str, Any]:
    question = answered.question
    return {
        "n": n,
        "ask": question.ask,
        "model": question.model,
        "patterns": list(answered.asked.patterns),
        "answer": ", ".join(answered.answer),
        "says": replied(answered),
        "expected": ", ".join(question.expected),
        "fact": answered.reasons[0].fact if answered.reasons else None,
        "because": [
            *asked_so(answered),
            *(line for each in answered.reasons for line in because(each)),
        ],
    }
