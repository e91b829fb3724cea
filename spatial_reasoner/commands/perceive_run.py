"""`mindboard perceive SCENE`: live percepts in, facts on a board out, until it is stopped."""

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, NoReturn

from kb_server import AsyncBlackboard
from kb_server.program import FAILED, UsageError
from kb_server.stdio import announce
from spatial_reasoner.board.publisher import Publisher
from spatial_reasoner.board.session import Session
from spatial_reasoner.commands.command_line import (
    bounded,
    settings_of,
    start_logging,
    there,
    token_of,
    written_to,
)
from spatial_reasoner.commands.opening import opened_reasons, opened_scene, opened_sight
from spatial_reasoner.commands.perceive_command import HOST, PORT
from spatial_reasoner.commands.tolerance_list import print_tolerances
from spatial_reasoner.commands.tolerance_options import tolerances_of, warn_if_late
from spatial_reasoner.errors import SceneError, SettingError
from spatial_reasoner.percepts.access import FrameAccess, Keys, is_loopback, read_keys
from spatial_reasoner.percepts.clocks import Clocks
from spatial_reasoner.percepts.feed import Feed
from spatial_reasoner.percepts.feed_socket import FrameSocket
from spatial_reasoner.percepts.recording import Recorder
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.sources.protocol import PerceptSource, Surroundings, source_of
from spatial_reasoner.sources.stdin import Stdin, chunk_of
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.delta import Reasons

__all__ = ["run"]

_NAME: Final = "perceive"


def _run(args: argparse.Namespace) -> int:
    if args.tolerances:
        print_tolerances()
        return 0
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    start_logging()
    token, tolerances = token_of(args), tolerances_of(args)
    warn_if_late(tolerances)
    gate = _gate(args, token)
    with ExitStack() as opened:
        scene = opened_scene(there(args.scene), args.kb, token, tolerances)
        reasons = opened.enter_context(
            opened_reasons(scene, args.sight, tolerances, settings_of(args))
        )
        intake = _intake(args, scene, gate, tolerances, opened)
        return asyncio.run(_live(args, token, scene, reasons, intake))


@dataclass(frozen=True, slots=True, eq=False)
class _Intake:
    """The sources of frames, their recorder, and the clocks of the sources."""

    sources: Sequence[PerceptSource]
    listener: FrameSocket | None
    recorder: Recorder | None
    clocks: Clocks

    @property
    def everything(self) -> list[PerceptSource]:
        """The sources, with the websocket among them."""
        return [*self.sources, *([self.listener] if self.listener else [])]

    @property
    def place(self) -> str:
        """The address or the sources at which frames are expected, for messages."""
        names = ", ".join(source.name for source in self.sources)
        return f"at {self.listener.url}" if self.listener else f"for {names}"


def _intake(
    args: argparse.Namespace,
    scene: Scene,
    gate: FrameAccess,
    tolerances: Tolerances,
    opened: ExitStack,
) -> _Intake:
    """Opens the sources, the recording and the websocket; `opened` closes them."""
    around = Surroundings(scene, lambda: opened.enter_context(opened_sight(args.sight)))
    sources = _sources(args, around)
    recorder = None
    if args.record is not None:
        recorder = Recorder(opened.enter_context(written_to(args.record)))
    listener = None
    if _listens(args):
        listener = _listener(args, gate)
        opened.callback(listener.close)
    return _Intake(sources, listener, recorder, Clocks(tolerances.missing))


async def _live(
    args: argparse.Namespace, token: str | None, scene: Scene, reasons: Reasons, intake: _Intake
) -> int:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    lifeline = asyncio.create_task(_until_stdin_ends(stop)) if args.lifeline else None
    async with AsyncBlackboard(args.kb, token) as kb:
        publisher = Publisher(kb, reasons, args.source)
        if not await _begun(publisher, stop):
            return 0
        announce(f"mindboard perceive is ready {intake.place}")
        session = Session(
            kb, reasons, Feed(scene), publisher, intake.clocks, intake.recorder
        )
        went_well = await session.live(intake.everything, stop)
    if lifeline is not None:
        lifeline.cancel()
    return 0 if went_well or stop.is_set() else FAILED


async def _begun(publisher: Publisher, stop: asyncio.Event) -> bool:
    """Sets up the connection to the board; returns False if it is stopped before the board
    answers."""
    beginning = asyncio.create_task(publisher.begin())
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait((beginning, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if beginning.done():
        await beginning
        return True
    beginning.cancel()
    return False


async def _until_stdin_ends(stop: asyncio.Event) -> None:
    while await chunk_of(0):
        pass
    stop.set()


def _listens(args: argparse.Namespace) -> bool:
    """Whether to open a websocket: if an address is given, or if no other source is."""
    is_named = args.host is not None or args.port is not None
    return is_named or not (args.stdin or args.percepts)


def _gate(args: argparse.Namespace, token: str | None) -> FrameAccess:
    """The access to the frame socket: clients with a token of the file, or else with the token for
    the board."""
    host = args.host or HOST
    keys = Keys.of(token) if token else None
    if args.tokens is not None:
        keys = read_keys(args.tokens)
    if keys is None and not args.unsafe_no_tokens and not is_loopback(host):
        raise UsageError(
            f"{host} is reachable from other machines, and without tokens each of them could send "
            "percepts; give --tokens FILE, or --unsafe-no-tokens if that is intended"
        )
    return FrameAccess(keys, (host, *args.allow_host))


def _listener(args: argparse.Namespace, gate: FrameAccess) -> FrameSocket:
    host, port = args.host or HOST, PORT if args.port is None else args.port
    try:
        return FrameSocket(host, port, gate)
    except OSError as reason:
        raise OSError(
            f"can't listen on {host}:{port}: {reason.strerror or reason}; choose another address "
            "with --host and --port"
        ) from None


def _sources(args: argparse.Namespace, around: Surroundings) -> list[PerceptSource]:
    if args.stdin and args.lifeline:
        raise UsageError("--stdin and --lifeline can't be combined: both read stdin")
    found: list[PerceptSource] = [Stdin()] if args.stdin else []
    for wanted in args.percepts:
        name, _, settings = wanted.partition(":")
        try:
            said = json.loads(settings or "{}")
            if not isinstance(said, dict):
                raise ValueError("they must be an object")
            found.append(source_of(name, said, around))
        except ValueError as reason:
            raise UsageError(
                f"--percepts {name}: its settings are invalid JSON: {reason}"
            ) from None
        except (SceneError, SettingError) as reason:
            raise UsageError(f"--percepts {reason}") from None
    return found


def _leave(*_: object) -> NoReturn:
    """Stopped before there is anything to finish."""
    sys.exit(0)


run: Final = bounded(_NAME, _run)
