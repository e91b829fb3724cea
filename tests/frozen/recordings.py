"""The table of recordings: each row makes some of them, as lists of lines by kind.

| row | its recordings |
|---|---|
| a play | its facts, and those of each retelling of its frames |
| a story of physics | also how likely the facts about its hidden things are |
| a case of a demonstration | its facts, its percepts, and all that the narrator prints |
"""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from typing import Final

from demos.choreography import Choreography
from demos.repertoire import STORIES
from demos.story import SCENES, Case
from demos.story import Story as Demonstration
from spatial_reasoner.percepts.recording import frame_line, likely_line
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.sight.close_ups import CloseUpSight
from tests.frozen.facts import asserted, delta_lines, end_lines
from tests.frozen.plays import PLAYS
from tests.frozen.retellings import Retelling, retellings
from tests.frozen.stage import Stage
from tests.physics.plays.stories import STORIES as PHYSICS
from tests.plays.play import Play, Recording
from tests.plays.stories import Story

__all__ = ["ROWS", "Lines", "Row"]

Lines = Mapping[str, list[str]]
"""Lines by the name of their recording."""
Makers = Mapping[str, Callable[[], Iterable[str]]]


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its recordings are called by its name and their kind, such as `minds/rolls/noise`."""

    name: str
    kinds: tuple[str, ...]
    makers: Callable[[Stage], AbstractContextManager[Makers]]
    """Opens what makes the lines of each kind."""

    def lines(self, stage: Stage, pattern: str = "*") -> Lines:
        """Makes the recordings of the names that match a pattern."""
        wanted = [kind for kind in self.kinds if fnmatch(f"{self.name}/{kind}", pattern)]
        if not wanted:
            return {}
        with self.makers(stage) as makers:
            return {f"{self.name}/{kind}": [*makers[kind]()] for kind in wanted}


_SECONDS: Final = 300.0
_WIDTH: Final = "100"


# --- plays ---


@contextmanager
def played(name: str, story: Story, hidden: tuple[str, ...], stage: Stage) -> Iterator[Makers]:
    """The facts of a play and of its variants, and the likely places of hidden objects."""
    play = Play(stage.scene(story.room()), stage.sight)
    with closing(play.reasoner):
        story.act(play)
        play.end()
        told = {
            kind: partial(_retold, play.recording, retelling, stage.sight)
            for kind, retelling in retellings(name).items()
        }
        yield {"played": lambda: _told(play), "likely": lambda: _likely(play, hidden), **told}


def _told(play: Play) -> Iterator[str]:
    yield from delta_lines(play.told)
    yield from end_lines(play.reasoner)


def _retold(recording: Recording, retelling: Retelling, sight: CloseUpSight) -> Iterator[str]:
    return asserted(recording.scene, retelling(recording, sight), sight)


def _likely(play: Play, hidden: tuple[str, ...]) -> Iterator[str]:
    """The likelihoods of on, in and next to between hidden objects, in the robot's mind."""
    names = {*play.reasoner.placed(MYSELF)} & {*play.things, "table"}
    for thing in hidden:
        for relation in ("isOn", "isIn", "isNextTo"):
            for other in sorted(names - {thing}):
                said = (thing, relation, other)
                yield likely_line(MYSELF, said, asyncio.run(play.reasoner.likely(MYSELF, said)))


# --- demonstrations ---


@contextmanager
def demonstrated(story: Demonstration, case: Case, stage: Stage) -> Iterator[Makers]:
    """The percepts of a case, the facts of them, and what the demonstration prints."""
    made = Choreography()
    for step in case.steps:
        step.act(made)
    scene = stage.read(SCENES / story.scene, [*story.files()])
    yield {
        "played": lambda: asserted(scene, made.frames, stage.sight),
        "percepts": lambda: map(frame_line, made.frames),
        "printed": lambda: _printed(story.name, case.name),
    }


def _printed(story: str, case: str) -> Iterator[str]:
    """The output of a demonstration, without the address of its page and numbers of deltas.

    Facts that expire by the clock make deltas of their own, so the numbers differ between runs.
    """
    done = subprocess.run(
        [*(sys.executable, "-m", "demos", story), *("--case", case, "--speed", "max")],
        env={**os.environ, "COLUMNS": _WIDTH, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=_SECONDS,
    )
    lines = (line for line in done.stdout.splitlines() if not line.startswith("The page: "))
    yield from (re.sub(r"\bat=\d+", "at=…", line) for line in lines)
    yield f"exit status {done.returncode}"


# --- the table ---


def _rows() -> Iterator[Row]:
    for demonstration in STORIES.values():
        for case in demonstration.cases:
            name = f"demos/{demonstration.name}/{case.name}"
            kinds = ("played", "percepts", "printed")
            yield Row(name, kinds, partial(demonstrated, demonstration, case))
    hidden = {f"physics/{name.replace(' ', '-')}": each.hidden for name, each in PHYSICS.items()}
    for name, story in PLAYS.items():
        things = hidden.get(name, ())
        kinds = ("played", *retellings(name), *(("likely",) if things else ()))
        yield Row(name, kinds, partial(played, name, story, things))


ROWS: Final[Mapping[str, Row]] = {row.name: row for row in _rows()}
"""By name, those that take longest first."""
