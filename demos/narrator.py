"""The narrator: prints a story in the terminal as it proceeds."""

from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from rich.console import Console
from rich.text import Text

from demos.asking import Answered, Difference, Reasons, StepResult
from demos.player import Listener
from demos.prose import (
    asked_so,
    because,
    differs,
    failure,
    mind,
    place,
    proof_lines,
    replied,
    wrong,
)
from demos.story import Case, Step, Story
from demos.tabulated import drawn
from kb_server.commands.rows import plain

__all__ = ["Narrator"]

_INDENT: Final = "   "
_WIDEST: Final = 100


class Narrator(Listener):
    """Prints one case to a console."""

    def __init__(self, story: Story, case: Case, console: Console) -> None:
        self._story: Final = story
        self._case: Final = case
        self._console: Final = console
        self._reported: Sequence[Difference] = ()

    def opens(self) -> None:
        """Prints the title and what the story is about."""
        self._say(self._story.title, "bold")
        self._prose(self._story.about)
        self._prose(f"Case {self._case.name}: {self._case.about}")

    def begins(self, n: int, step: Step) -> None:
        self._say("")
        self._say(f"{n}. {step.title}", "bold")
        self._prose(step.says)

    def ended(self, result: StepResult) -> None:
        self._say("")
        for line in boxes(result, self._width):
            self._say(_INDENT + line)
        if result.step.table is not None:
            self._say("")
            for line in drawn(result.step.table, result.cells):
                self._say(_INDENT + line)
        for difference in result.differences:
            is_new = difference not in self._reported
            self._prose(f"! {differs(difference)}", "yellow" if is_new else "")
        self._reported = result.differences
        for belief in result.failed:
            self._prose(f"WRONG: {failure(belief)}.", "bold red")
        for answered in result.answered:
            self._answer(answered)

    def closes(self, results: Sequence[StepResult]) -> None:
        """Prints whether all expected beliefs hold."""
        self._say("")
        if all(each.is_right for each in results):
            self._say("All expected beliefs hold.", "green")
        for step in results:
            for failed in (
                *(failure(each) for each in step.failed),
                *(wrong(each) for each in step.answered if not each.is_right),
            ):
                self._prose(f"Step {step.n}: {failed}.", "bold red")

    def waits(self, url: str) -> None:
        """Prints that the page stays open."""
        self._say("")
        self._say(f"The page stays at {url}/ until you press Enter or Ctrl-C.")

    @property
    def _width(self) -> int:
        return min(self._console.width, _WIDEST) - len(_INDENT)

    def _answer(self, answered: Answered) -> None:
        question = answered.question
        self._say("")
        asked = Text.assemble(
            (_INDENT, ""), (question.ask, "bold"), (f"  ({question.model}: ", "dim"),
            (" . ".join(question.patterns), "dim"), (")", "dim"),
        )  # fmt: skip
        self._console.print(asked)
        colour = "bold green" if answered.is_right else "bold red"
        self._say(f"{_INDENT}→ {replied(answered)}", colour)
        if not answered.is_right:
            self._prose(f"WRONG: {wrong(answered)}.", "bold red")
        for line in asked_so(answered):
            self._prose(line, "", _INDENT * 2)
        for reasons in answered.reasons:
            self._why(reasons)

    def _why(self, reasons: Reasons) -> None:
        for line in because(reasons):
            self._prose(line, "", _INDENT * 2)
        for line in proof_lines(reasons.proof):
            self._say(_INDENT * 2 + line, "dim")

    def _prose(self, text: str, style: str = "", indent: str = _INDENT) -> None:
        for line in wrap(text, self._width - len(indent), break_on_hyphens=False):
            self._say(indent + line, style)

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(Text(plain(text), style))


def boxes(result: StepResult, width: int) -> list[str]:
    """The places that each mind believes, side by side; in several rows if the width requires
    it."""
    columns = [
        (mind(model), [f"{fact.split()[0]} {place(fact)}" for fact in facts] or ["(nothing)"])
        for model, facts in result.places.items()
    ]
    wide = max(len(line) for title, lines in columns for line in (title, *lines))
    per_row = max(1, (width + 2) // (wide + 6))
    rows = [columns[i : i + per_row] for i in range(0, len(columns), per_row)]
    return [line for row in rows for line in _boxed(row, wide)]


def _boxed(columns: Sequence[tuple[str, Sequence[str]]], wide: int) -> list[str]:
    lines = zip_longest(*(lines for _, lines in columns), fillvalue="")
    drawn = [
        "  ".join(f"{title:^{wide + 4}}" for title, _ in columns),
        "  ".join("┌" + "─" * (wide + 2) + "┐" for _ in columns),
        *("  ".join(f"│ {line:<{wide}} │" for line in row) for row in lines),
        "  ".join("└" + "─" * (wide + 2) + "┘" for _ in columns),
    ]
    return [line.rstrip() for line in drawn]
