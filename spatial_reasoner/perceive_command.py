"""`mindboard perceive SCENE`: percepts as they come, facts on a board, until it is told to end."""

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NoReturn

from kb_server import AsyncBlackboard
from kb_server.program import FAILED, Subparsers, port
from kb_server.stdio import announce
from spatial_reasoner.clocks import Clocks
from spatial_reasoner.command_line import (
    Misused,
    add_board,
    add_percepts,
    add_sight,
    bounded,
    settings_of,
    start_logging,
    there,
    token_of,
    written_to,
)
from spatial_reasoner.delta import Reasons
from spatial_reasoner.errors import SceneError, SettingError
from spatial_reasoner.feed import Feed
from spatial_reasoner.feed_socket import FrameSocket
from spatial_reasoner.gate import Gate, Keys, is_loopback, read_keys
from spatial_reasoner.opening import opened_reasons, opened_scene, opened_sight
from spatial_reasoner.recording import Recorder
from spatial_reasoner.scene import Scene
from spatial_reasoner.session import Session
from spatial_reasoner.sources.protocol import PerceptSource, Surroundings, source_of
from spatial_reasoner.sources.stdin import Stdin, chunk_of
from spatial_reasoner.telling import Telling
from spatial_reasoner.tolerance_options import add_tolerances, print_tolerances, tolerances_of

__all__ = ["add_to"]

_NAME: Final = "perceive"
_HOST: Final = "127.0.0.1"
_PORT: Final = 8766
_URL: Final = "MINDBOARD_URL"
_BOARD: Final = "http://127.0.0.1:8765"


def add_to(subparsers: Subparsers) -> None:
    """Add `perceive` to the program."""
    parser = subparsers.add_parser(
        _NAME,
        help="turn percepts into facts as they come",
        description="Take percepts and tell a board what follows: what is where, who sees it, who "
        "can reach it, in the mind of each. It listens for frames on a websocket, unless only "
        "other sources are named. When it ends, its facts are withdrawn.",
        epilog="example: mindboard perceive room.yaml --record morning.jsonl",
    )
    add = parser.add_argument
    scene = add("scene", metavar="SCENE", type=Path, help="what may exist: YAML or JSON")
    add("--host", metavar="H", help=f"the address to listen on for frames ({_HOST})")
    add("--port", type=port, metavar="P", help=f"the port, 0 for a free one ({_PORT})")
    add("--stdin", action="store_true", help="take frames from stdin, one a line, to its end")
    add(
        "--percepts",
        action="append",
        default=[],
        metavar="NAME[:SETTINGS]",
        help="one more source, with settings as JSON; may be repeated",
    )
    add("--record", type=Path, metavar="FILE", help="write the frames that are taken, for replay")
    add("--tokens", type=Path, metavar="FILE", help="who may bring frames: the file of `serve`")
    add("--allow-host", action="append", default=[], metavar="NAME", help="a name to answer to")
    add("--unsafe-no-tokens", action="store_true", help="take frames from all in the network")
    add("--lifeline", action="store_true", help="end when stdin does, for who starts this")
    add_sight(parser)
    add_percepts(parser)
    add_tolerances(parser, scene)
    add_board(
        parser,
        os.environ.get(_URL, _BOARD),
        f"the board's address ({_URL}; %(default)s)",
    )
    parser.set_defaults(run=bounded(_NAME, _run))


def _run(args: argparse.Namespace) -> int:
    if args.tolerances:
        print_tolerances()
        return 0
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    start_logging()
    token, tolerances = token_of(args), tolerances_of(args)
    gate = _gate(args, token)
    with ExitStack() as opened:
        scene = opened_scene(there(args.scene), args.kb, token)
        reasons = opened.enter_context(
            opened_reasons(scene, args.sight, tolerances, settings_of(args))
        )
        around = Surroundings(scene, lambda: opened.enter_context(opened_sight(args.sight)))
        sources = _sources(args, around)
        recorder = None
        if args.record is not None:
            recorder = Recorder(opened.enter_context(written_to(args.record)))
        listener = None
        if _listens(args):
            listener = _listener(args, gate)
            opened.callback(listener.close)
        clocks = Clocks(tolerances.missing)
        return asyncio.run(_live(args, token, scene, reasons, sources, listener, recorder, clocks))


async def _live(
    args: argparse.Namespace,
    token: str | None,
    scene: Scene,
    reasons: Reasons,
    sources: Sequence[PerceptSource],
    listener: FrameSocket | None,
    recorder: Recorder | None,
    clocks: Clocks,
) -> int:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    lifeline = asyncio.create_task(_until_stdin_ends(stop)) if args.lifeline else None
    async with AsyncBlackboard(args.kb, token) as kb:
        telling = Telling(kb, reasons, args.source)
        if not await _begun(telling, stop):
            return 0
        where = f"at {listener.url}" if listener else f"for {', '.join(s.name for s in sources)}"
        announce(f"mindboard perceive is ready {where}")
        session = Session(kb, reasons, Feed(scene), telling, recorder, clocks=clocks)
        went_well = await session.live([*sources, *([listener] if listener else [])], stop)
    if lifeline is not None:
        lifeline.cancel()
    return 0 if went_well or stop.is_set() else FAILED


async def _begun(telling: Telling, stop: asyncio.Event) -> bool:
    """Begins to speak to the board; False when it is to end before the board has answered."""
    beginning = asyncio.create_task(telling.begin())
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
    """Unless other sources are named, and no address is, frames come over the network."""
    is_named = args.host is not None or args.port is not None
    return is_named or not (args.stdin or args.percepts)


def _gate(args: argparse.Namespace, token: str | None) -> Gate:
    """Who may bring frames: who has a token of the file, or else the one for the board."""
    host = args.host or _HOST
    keys = Keys.of(token) if token else None
    if args.tokens is not None:
        keys = read_keys(args.tokens)
    if keys is None and not args.unsafe_no_tokens and not is_loopback(host):
        raise Misused(
            f"{host} is not this machine alone, and without tokens everybody who reaches it could "
            "make the robot see things; give --tokens FILE, or --unsafe-no-tokens if that is meant"
        )
    return Gate(keys, (host, *args.allow_host))


def _listener(args: argparse.Namespace, gate: Gate) -> FrameSocket:
    host, port = args.host or _HOST, _PORT if args.port is None else args.port
    try:
        return FrameSocket(host, port, gate)
    except OSError as reason:
        raise OSError(
            f"{host}:{port} can't be listened on: {reason.strerror or reason}; --host and --port "
            "choose another address"
        ) from None


def _sources(args: argparse.Namespace, around: Surroundings) -> list[PerceptSource]:
    if args.stdin and args.lifeline:
        raise Misused("--stdin and --lifeline both want stdin")
    found: list[PerceptSource] = [Stdin()] if args.stdin else []
    for wanted in args.percepts:
        name, _, settings = wanted.partition(":")
        try:
            said = json.loads(settings or "{}")
            if not isinstance(said, dict):
                raise ValueError("they are no object")
            found.append(source_of(name, said, around))
        except ValueError as reason:
            raise Misused(f"--percepts {name}: its settings are no JSON: {reason}") from None
        except (SceneError, SettingError) as reason:
            raise Misused(f"--percepts {reason}") from None
    return found


def _leave(*_: object) -> NoReturn:
    """Told to end before there is anything to finish."""
    sys.exit(0)
