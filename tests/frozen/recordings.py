"""The table of recordings: each row makes some of them, as lists of lines by name.

| row | its recordings |
|---|---|
| a play | its facts, and those of each retelling of its frames |
| a story of physics | also how likely the facts about its hidden things are |
| a case of a demonstration | its facts, its percepts, and all that the narrator prints |
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from demos.choreography import Choreography
from demos.repertoire import STORIES
from demos.story import SCENES, Case
from demos.story import Story as Demonstration
from spatial_reasoner.recording import frame_line, likely_line
from spatial_reasoner.scene import MYSELF
from tests.frozen.facts import asserted, delta_lines, end_lines
from tests.frozen.plays import PLAYS
from tests.frozen.retellings import retellings
from tests.frozen.stage import Stage
from tests.minds.play import Play
from tests.minds.stories import Story
from tests.physics.plays.stories import STORIES as PHYSICS

__all__ = ["ROWS", "Lines", "Row"]

Lines = Mapping[str, list[str]]
"""Lines by the name of their recording."""
Row = Callable[[Stage], Lines]
_SECONDS: Final = 300.0
_WIDTH: Final = "100"


# --- plays ---


def played(name: str, story: Story, hidden: tuple[str, ...], stage: Stage) -> Lines:
    """The facts of a play, of its retellings, and how likely what is hidden is where."""
    play = Play(stage.scene(story.room()), stage.sight)
    story.act(play)
    play.end()
    found = {f"{name}/played": [*delta_lines(play.told), *end_lines(play.reasoner)]}
    if hidden:
        found[f"{name}/likely"] = [*_likely(play, hidden)]
    play.reasoner.close()
    for kind, retelling in retellings(name).items():
        frames = retelling(play.recording, stage.sight)
        found[f"{name}/{kind}"] = [*asserted(play.recording.scene, frames, stage.sight)]
    return found


def _likely(play: Play, hidden: tuple[str, ...]) -> Iterator[str]:
    """How likely each hidden thing is on, in and next to the others, in the robot's mind."""
    names = {*play.reasoner.placed(MYSELF)} & {*play.things, "table"}
    for thing in hidden:
        for relation in ("isOn", "isIn", "isNextTo"):
            for other in sorted(names - {thing}):
                said = (thing, relation, other)
                yield likely_line(MYSELF, said, asyncio.run(play.reasoner.likely(MYSELF, said)))


# --- demonstrations ---


def demonstrated(name: str, story: Demonstration, case: Case, stage: Stage) -> Lines:
    """The percepts of a case, the facts of them, and what the demonstration prints."""
    made = Choreography()
    for step in case.steps:
        step.act(made)
    scene = stage.read(SCENES / story.scene, [*story.files()])
    percepts, printed = _printed(story.name, case.name)
    return {
        f"{name}/facts": [*asserted(scene, made.frames, stage.sight)],
        f"{name}/acted": [frame_line(frame) for frame in made.frames],
        f"{name}/percepts": percepts,
        f"{name}/printed": printed,
    }


def _printed(story: str, case: str) -> tuple[list[str], list[str]]:
    """What a demonstration records and prints, without the address of its page."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "percepts.jsonl"
        options = ("--case", case, "--speed", "max", "--headless", "--record", str(file))
        done = subprocess.run(
            [sys.executable, "-m", "demos", story, *options],
            env={**os.environ, "COLUMNS": _WIDTH, "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
        percepts = file.read_text("utf-8").splitlines()
    said = [line for line in done.stdout.splitlines() if not line.startswith("The page: ")]
    return percepts, [*said, f"exit status {done.returncode}"]


# --- the table ---


def _rows() -> Iterator[tuple[str, Row]]:
    hidden = {f"physics/{name.replace(' ', '-')}": each.hidden for name, each in PHYSICS.items()}
    for demonstration in STORIES.values():
        for case in demonstration.cases:
            name = f"demos/{demonstration.name}/{case.name}"
            yield name, partial(demonstrated, name, demonstration, case)
    for name, story in PLAYS.items():
        yield name, partial(played, name, story, hidden.get(name, ()))


ROWS: Final[Mapping[str, Row]] = dict(_rows())
"""By name, those that take longest first."""
