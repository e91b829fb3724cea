"""`mindboard demo NAME`: plays a story on a real board."""

import argparse
import asyncio
import json
import math
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from typing import Final
from urllib.parse import urlsplit

from demos.asking import StepResult
from demos.leaving import must_be_unused, taken_back, until_stopped
from demos.narrator import Narrator
from demos.player import Player
from demos.programme import SOURCE as STAGED
from demos.programme import announced
from demos.repertoire import STORIES
from demos.report import report
from demos.served import serving
from demos.story import SCENES, Case, Story
from kb_server import AsyncBlackboard, Blackboard, BoardError
from kb_server.commands.rows import Printer
from kb_server.program import FAILED, CommandFailed, UsageError
from spatial_reasoner.commands.command_line import bounded, token_of, written_to
from spatial_reasoner.commands.opening import opened_reasons, opened_scene
from spatial_reasoner.commands.picture_options import opened_pictured, pictured_minds
from spatial_reasoner.errors import SceneError
from spatial_reasoner.percepts.percepts import PerceptSettings
from spatial_reasoner.percepts.recording import Recorder
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.delta import Reasons

__all__ = ["run"]

_NAME: Final = "demo"
_UNKNOWN: Final = "class of the ontology"


def _run(args: argparse.Namespace) -> int:
    if args.case is not None and args.name is None:
        raise UsageError("--case has no effect without NAME")
    if args.list or args.name is None:
        return _list(as_json=args.json)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    story, case = _chosen(args)
    _check(args)
    with ExitStack() as opened:
        results = _played(args, story, case, opened)
    if args.json:
        print(json.dumps(report(story, case, results), indent=2, ensure_ascii=False))
    return 0 if all(each.is_right for each in results) else FAILED


def _check(args: argparse.Namespace) -> None:
    """Raises UsageError for options that contradict each other."""
    if args.kb is not None and args.port is not None:
        raise UsageError("--port has no effect with --kb: it is for a board of the demonstration")
    if args.gif and args.render is None:
        raise UsageError("--gif has no effect without --render DIR")
    if args.kb is not None and urlsplit(args.kb).scheme not in ("http", "https"):
        raise UsageError(f"--kb must be the address of a board, http://…, not {args.kb[:80]!r}")


def _played(
    args: argparse.Namespace, story: Story, case: Case, opened: ExitStack
) -> Sequence[StepResult]:
    """Opens what the story needs, and plays it."""
    token = token_of(args)
    recorder = (
        Recorder(opened.enter_context(written_to(args.record))) if args.record is not None else None
    )
    is_own = args.kb is None
    if is_own:
        scene = _scene(args, story, token)
        args.kb = opened.enter_context(serving(args.port or 0, [*story.files()]))
    args.kb = args.kb.rstrip("/")
    board = opened.enter_context(Blackboard(args.kb, token))
    must_be_unused(board, args.source)
    _announce(args)
    if not is_own:
        scene = _scene(args, story, token)
    with suppress(BoardError):  # a board without a stage; the facts are true without it
        board.stage(announced(story), source=STAGED)
    reasons = opened.enter_context(_reasons(args, story, scene))
    return asyncio.run(
        _play(args, token, story, case, scene, reasons, recorder, board.close, is_own)
    )


def _scene(args: argparse.Namespace, story: Story, token: str | None) -> Scene:
    """The scene of a story, with the classes of a board; raises UsageError for unknown minds to
    draw."""
    try:
        scene = opened_scene(
            SCENES / story.scene, args.kb, token, Tolerances(), [*story.files()]
        )
    except SceneError as reason:
        files = " ".join(f"--ontology {file}" for file in story.files())
        if not files or _UNKNOWN not in reason.message:
            raise
        raise CommandFailed(
            f"{reason.message}; {story.name} needs a board with its ontology: "
            f"mindboard serve {files}"
        ) from None
    if args.render is not None and args.render_minds is not None:
        pictured_minds(args.render_minds, scene)
    return scene


async def _play(
    args: argparse.Namespace,
    token: str | None,
    story: Story,
    case: Case,
    scene: Scene,
    reasons: Reasons,
    recorder: Recorder | None,
    hand_over: Callable[[], None],
    is_own: bool,
) -> Sequence[StepResult]:
    """Plays; `hand_over` is called once the player itself shows the story."""
    narrator = Narrator(story, case, Printer(quiet=args.json, highlight=False, soft_wrap=True))
    speed = args.speed or (1.0 if _stays(args) else math.inf)
    async with AsyncBlackboard(args.kb, token) as kb:
        player = Player(kb, reasons, story, case, scene, args.source, speed, recorder)
        async with nullcontext() if is_own else taken_back(player):
            await player.opens()
            await asyncio.to_thread(hand_over)
            narrator.opens()
            results = await player.play(narrator)
            narrator.closes(results)
            if _stays(args):
                narrator.waits(args.kb)
                await until_stopped()
    return results


def _announce(args: argparse.Namespace) -> None:
    """Prints the address of the page, before the story begins."""
    line = f"The page: {args.kb}/"
    if args.json:
        print(line, file=sys.stderr)
    else:
        print(f"{line}\n", flush=True)


def _stays(args: argparse.Namespace) -> bool:
    """Whether to wait at the end for somebody who looks at the page."""
    is_watched = sys.stdin.isatty() and sys.stdout.isatty()
    return is_watched and not args.headless and not args.json


def _reasons(
    args: argparse.Namespace, story: Story, scene: Scene
) -> AbstractContextManager[Reasons]:
    if args.render is not None:
        args.render_minds = args.render_minds or ",".join(story.models)
        return opened_pictured(args, scene)
    return opened_reasons(scene, args.sight, Tolerances(), PerceptSettings())


def _chosen(args: argparse.Namespace) -> tuple[Story, Case]:
    if args.name not in STORIES:
        raise UsageError(f"there is no demo {args.name!r}; there are: {', '.join(STORIES)}")
    story = STORIES[args.name]
    try:
        return story, story.case(args.case)
    except KeyError:
        known = ", ".join(each.name for each in story.cases)
        raise UsageError(f"{story.name} has no case {args.case!r}; it has: {known}") from None


def _list(*, as_json: bool) -> int:
    if as_json:
        print(json.dumps({"demos": [_entry(each) for each in STORIES.values()]}, indent=2))
        return 0
    wide = max(len(case.name) for story in STORIES.values() for case in story.cases)
    for story in STORIES.values():
        print(f"{story.name}: {story.title}")
        for case in story.cases:
            print(f"   {case.name:<{wide}}  {case.about}")
    return 0


def _entry(story: Story) -> dict[str, object]:
    cases = [{"name": case.name, "about": case.about} for case in story.cases]
    return {"name": story.name, "title": story.title, "about": story.about, "cases": cases}


run: Final = bounded(_NAME, _run)
