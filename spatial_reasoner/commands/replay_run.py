"""`mindboard replay SCENE FRAMES`: turns a recording into facts, with or without a board."""

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from rich.console import Console
from rich.progress import wrap_file

from kb_server import AsyncBlackboard
from kb_server.program import CommandFailed, UsageError
from ontology.vocabulary import PREFIXES
from spatial_reasoner.board.replaying import RecordingReplay
from spatial_reasoner.commands.command_line import (
    bounded,
    settings_of,
    start_logging,
    there,
    token_of,
    written_to,
)
from spatial_reasoner.commands.opening import opened_reasons, opened_scene
from spatial_reasoner.commands.picture_options import opened_pictured
from spatial_reasoner.commands.tolerance_list import print_tolerances
from spatial_reasoner.commands.tolerance_options import tolerances_of, warn_if_late
from spatial_reasoner.likelihood.likelihood import RELATIONS
from spatial_reasoner.percepts.clocks import Clocks
from spatial_reasoner.percepts.recording import frames_in, likely_line, lines_of
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.sources.recorded import Pace
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.delta import Reasons
from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.likelihood import Said

__all__ = ["run"]

_NAME: Final = "replay"
_NAME_OF_A_THING: Final = re.compile("[A-Za-z_][A-Za-z0-9_-]*")
_LONG: Final = 2**20
"""Bytes: longer recordings get a progress bar."""


def _run(args: argparse.Namespace) -> int:
    if args.tolerances:
        print_tolerances(args.json)
        return 0
    start_logging()
    token, tolerances = token_of(args), tolerances_of(args)
    warn_if_late(tolerances)
    with ExitStack() as opened:
        file = opened.enter_context(_frames(args.frames))
        scene = opened_scene(there(args.scene), args.kb, token, tolerances, _ontology(args))
        statements = [_statement(each, scene) for each in args.likely]
        reasons = opened.enter_context(_reasons(args, scene, tolerances))
        outs = [opened.enter_context(written_to(args.out))] if args.out else []
        outs += [sys.stdout] if args.json or not args.out else []
        pace = Pace() if args.speed == "real" else None
        replay = RecordingReplay(reasons, Clocks(tolerances.missing), outs, pace)
        frames = frames_in(lines_of(file), scene)
        asyncio.run(_replayed(replay, frames, args, token))
        asyncio.run(_weigh(args.model, statements, reasons))
    sys.stdout.flush()
    if args.out:
        said = f"{replay.frames} frames, {replay.deltas} deltas in {args.out}"
        print(said, file=sys.stderr)
    return 0


def _ontology(args: argparse.Namespace) -> Sequence[Path]:
    """The ontology files; with a board its own ontology counts, or the facts would not fit it."""
    if args.ontology and args.kb is not None:
        raise UsageError("--ontology has no effect with --kb: use `serve --ontology` instead")
    return [there(file) for file in args.ontology]


def _reasons(
    args: argparse.Namespace, scene: Scene, tolerances: Tolerances
) -> AbstractContextManager[Reasons]:
    settings = settings_of(args)
    if args.render:
        return opened_pictured(args, scene, tolerances, settings)
    if args.gif:
        raise UsageError("--gif has no effect without --render DIR")
    return opened_reasons(scene, args.sight, tolerances, settings)


async def _replayed(
    replay: RecordingReplay, frames: Iterator[Frame], args: argparse.Namespace, token: str | None
) -> None:
    if args.kb is None:
        await replay.run(frames, source=args.source)
        return
    async with AsyncBlackboard(args.kb, token) as kb:
        await replay.run(frames, kb, args.source)


def _statement(text: str, scene: Scene) -> Said:
    """Parses a statement about objects of the scene whose likelihood is wanted."""
    words = [_bare(word) for word in text.split()]
    are_names = all(_NAME_OF_A_THING.fullmatch(word) for word in words)
    if len(words) != 3 or words[1] not in RELATIONS or not are_names:
        known = ", ".join(RELATIONS)
        raise UsageError(f"--likely {text!r}: give OBJECT RELATION OBJECT, with one of {known}")
    for name in (words[0], words[2]):
        if name not in scene.entities:
            raise CommandFailed(f"--likely {text!r}: the scene has no object {name!r}")
    return words[0], words[1], words[2]


def _bare(term: str) -> str:
    """The bare name of a term that may have a namespace."""
    for begin, end in (("oro:", ""), (f"<{PREFIXES['oro']}", ">")):
        if term.startswith(begin) and term.endswith(end):
            return term[len(begin) : len(term) - len(end)]
    return term


async def _weigh(model: str, statements: Sequence[Said], reasons: Reasons) -> None:
    """Prints the likelihoods of statements at the end of the recording."""
    if statements and model not in reasons.models:
        known = ", ".join(reasons.models)
        raise CommandFailed(
            f"there is no model {model!r} at the end of the recording; there is {known}"
        )
    for said in statements:
        print(likely_line(model, said, await reasons.likely(model, said)))


@contextmanager
def _frames(name: str) -> Iterator[BinaryIO]:
    """Opens the recording; a long one shows its progress on a terminal."""
    if name == "-":
        yield sys.stdin.buffer
        return
    path = Path(name)
    try:
        file = path.open("rb")
    except OSError as reason:
        raise CommandFailed(f"{name} can't be read: {reason.strerror}") from None
    with file:
        size = os.fstat(file.fileno()).st_size
        if size < _LONG or not sys.stderr.isatty():
            yield file
            return
        with wrap_file(
            file, size, description=_NAME, console=Console(stderr=True), transient=True
        ) as shown:
            yield shown


run: Final = bounded(_NAME, _run)
