"""`mindboard serve`: the board as a server, from the command line to the exit status."""

import argparse
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from typing import Final, NoReturn

from kb_server.dl.engine import DLEngine
from kb_server.errors import BadRequest, BoardError, Damaged, JournalError
from kb_server.host import Host
from kb_server.journal.recovery import cut_at_damage, export_readable, forget_before_damage
from kb_server.loading import Loaded, default_cache, load_common_sense
from kb_server.program import FAILED, USAGE
from kb_server.service.access import Tokens, read_tokens
from kb_server.service.desk.desk import Desk
from kb_server.service.server.app import create_app
from kb_server.service.server.companion import AttendedServer, Companion, acquainted, environment_of
from kb_server.service.server.listening import bound_socket, config_of
from kb_server.service.server.logs import start_logging
from kb_server.service.server.settings_file import ServerSettings, read_settings
from kb_server.sparql.ontologies import ontology_texts
from kb_server.stdio import Lifeline, announce

__all__ = ["default_folder", "run"]

_MEMORY: Final = ":memory:"
_ANY: Final = ("0.0.0.0", "::", "")
_LOOPBACK: Final[Mapping[str, str]] = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}
"""The address at which a local process reaches a board that listens on all addresses."""
_LAST_PORT: Final = 65_535
_WAYS: Final[Mapping[str, Callable[[Path], int]]] = {
    "cut": cut_at_damage,
    "forget": forget_before_damage,
}
"""The repairs of a damaged journal: keep what is before the damage, or what is behind it."""
_EXPORT: Final = "export"
"""Writes the readable part and leaves the journal as it is."""
_SWITCH: Final = 0.001
"""Seconds that the loop waits for a busy thread: Python's default of 5 ms would delay answers."""
_log: Final = logging.getLogger("mindboard")


@dataclass(frozen=True, slots=True)
class _Plan:
    """The checked arguments of the command line."""

    host: str
    port: int
    folder: Path | None
    tokens: Tokens | None
    names: tuple[str, ...]
    settings: ServerSettings
    after_damage: str | None
    scene: Path | None
    tokens_file: Path | None
    is_open: bool
    ontology: tuple[Path, ...]


class _Refused(Exception):
    """The server can't start; the message fits in a line, `status` is the exit status."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.status: Final = status


def default_folder() -> Path:
    """The default folder of the journal: the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "mindboard"


def run(args: argparse.Namespace) -> int:
    """Executes `serve`; returns the exit status."""
    signal.signal(signal.SIGTERM, _leave)
    try:
        lifeline = Lifeline(_end) if args.lifeline else None
        plan = _plan(args)
        start_logging(args.log, verbose=args.verbose)
        if plan.after_damage == _EXPORT and plan.folder is not None:
            return _export(plan.folder)
        dl = None if args.no_dl else DLEngine(cache=default_cache())
        return _serve(plan, dl, lifeline)
    except _Refused as refusal:
        print(f"mindboard serve: {refusal}", file=sys.stderr)
        return refusal.status
    except KeyboardInterrupt:
        return 0


def _export(folder: Path) -> int:
    """Writes the readable part of a journal to the standard output, and serves nothing."""
    try:
        _log.info("%d deltas", export_readable(folder, sys.stdout))
    except JournalError as refusal:
        raise _Refused(refusal.message) from None
    return 0


def _end() -> None:
    """Ends the process by SIGTERM, from a thread."""
    os.kill(os.getpid(), signal.SIGTERM)


def _leave(*_: object) -> NoReturn:
    """Handles SIGTERM before the server runs."""
    sys.exit(0)


def _plan(args: argparse.Namespace) -> _Plan:
    try:
        settings = read_settings(args.settings) if args.settings else ServerSettings()
        tokens = read_tokens(args.tokens) if args.tokens else None
    except BadRequest as refusal:
        raise _Refused(refusal.message) from None
    if tokens is None and not args.unsafe_no_tokens and not _is_loopback(args.host):
        raise _Refused(
            f"{args.host} is reachable from the network, and without --tokens everybody there "
            "has all rights; give --tokens FILE, or --unsafe-no-tokens if that is intended",
            USAGE,
        )
    journal = settings.journal
    journal = replace(journal, durability=args.durability or journal.durability)
    journal = replace(journal, age=args.keep_days or journal.age)
    folder = None if args.data == _MEMORY else Path(args.data or default_folder())
    names = (args.host, *args.allow_host, *_own_names(args.host))
    return _Plan(
        args.host,
        args.port,
        folder,
        tokens,
        names,
        replace(settings, journal=journal),
        args.after_damage,
        _scene(args),
        args.tokens,
        args.unsafe_no_tokens,
        tuple(args.ontology),
    )


def _scene(args: argparse.Namespace) -> Path | None:
    if args.scene is not None and not args.scene.exists():
        raise _Refused(f"there is no scene {args.scene}")
    return args.scene if args.scene is None else Path(args.scene)


def _serve(plan: _Plan, dl: DLEngine | None, lifeline: Lifeline | None) -> int:
    with _socket(plan) as listener:
        also = _own_ontology(plan)
        loaded = _loaded(dl, also)
        host = _opened(plan, loaded)
        sys.setswitchinterval(_SWITCH)
        gc.freeze()  # loaded objects stay, so that no collection visits them
        desk = _desk(plan, host, dl)
        tokens, token = plan.tokens, None
        if tokens is not None and plan.scene is not None:
            tokens, token = acquainted(tokens)
        app = create_app(desk, tokens, plan.names)
        server = AttendedServer(config_of(app, plan.settings.service), desk)
        server.when_ready.append(lambda: _say_ready(plan, listener))
        if lifeline is not None:
            lifeline.pass_to(server.leave)
        if plan.scene is not None:
            server.companion = _eyes(plan, plan.scene, listener, token)
            server.when_ready.append(server.companion.start)
        if dl is not None and loaded.unclassified:
            server.when_ready.append(Thread(target=_classify, args=(dl, also), daemon=True).start)
        try:
            server.run([listener])
        except OSError as reason:
            raise _taken(plan, reason) from None
        except SystemExit:  # uvicorn's way to end if the board can't start; the log has the reason
            return FAILED
    return 0 if server.started and not desk.lost else FAILED


def _desk(plan: _Plan, host: Host, dl: DLEngine | None) -> Desk:
    try:
        return Desk(host, plan.settings.service, plan.settings.sparql, dl)
    except JournalError as refusal:
        host.close()
        raise _Refused(refusal.message) from None


def _socket(plan: _Plan) -> socket.socket:
    try:
        return bound_socket(plan.host, plan.port)
    except OSError as reason:
        raise _taken(plan, reason) from None


def _taken(plan: _Plan, reason: OSError) -> _Refused:
    return _Refused(
        f"{plan.host}:{plan.port} can't be listened on: {reason.strerror or reason}; "
        "--host and --port choose another address"
    )


def _own_ontology(plan: _Plan) -> tuple[str, ...]:
    try:
        return ontology_texts(plan.ontology)
    except BoardError as refusal:
        raise _Refused(refusal.message) from None


def _loaded(dl: DLEngine | None, also: tuple[str, ...]) -> Loaded:
    try:
        return load_common_sense(dl=dl, also=also, wait=False)
    except BoardError as refusal:
        raise _Refused(refusal.message) from None


def _classify(dl: DLEngine, also: tuple[str, ...]) -> None:
    """Classifies a new ontology with Pellet, after the start, which does not wait for it."""
    loaded = load_common_sense(dl=dl, also=also)
    for note in loaded.notes:
        _log.warning("%s", note)
    if loaded.added:
        _log.info("full OWL DL adds %d axioms; they hold from the next start", len(loaded.added))


def _opened(plan: _Plan, loaded: Loaded) -> Host:
    try:
        return _host(plan, loaded)
    except Damaged as damage:
        if plan.folder is None or plan.after_damage is None:
            raise _Refused(damage.message) from None
        return _mended(plan, plan.folder, plan.after_damage, loaded)
    except BoardError as refusal:
        raise _Refused(refusal.message) from None


def _mended(plan: _Plan, folder: Path, way: str, loaded: Loaded) -> Host:
    """The board after the chosen repair of its journal."""
    try:
        seq = _WAYS[way](folder)
        _log.warning("the journal was damaged; %s has repaired it at delta %d", way, seq)
        return _host(plan, loaded)
    except BoardError as refusal:
        raise _Refused(refusal.message) from None


def _host(plan: _Plan, loaded: Loaded) -> Host:
    return Host(loaded.common, plan.folder, plan.settings.board, plan.settings.journal)


def _eyes(plan: _Plan, scene: Path, listener: socket.socket, token: str | None) -> Companion:
    """`perceive` on a scene: it listens on the board's address, one port above."""
    own = listener.getsockname()[1]
    above = own + 1 if plan.port and own < _LAST_PORT else 0
    words = [sys.executable, "-m", "kb_server", "perceive", str(scene), "--lifeline"]
    words += ["--kb", _url(_LOOPBACK.get(plan.host, plan.host), own)]
    words += ["--host", plan.host, "--port", str(above)]
    words += [word for name in plan.names for word in ("--allow-host", name)]
    words += ["--tokens", str(plan.tokens_file)] if plan.tokens_file else []
    words += ["--unsafe-no-tokens"] if plan.is_open else []
    return Companion("perceive", words, environment_of(token))


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _say_ready(plan: _Plan, listener: socket.socket) -> None:
    url = _url(plan.host, listener.getsockname()[1])
    kept = "nothing is stored" if plan.folder is None else f"journal in {plan.folder.resolve()}"
    announce(f"Mindboard is ready at {url} ({kept})")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _own_names(host: str) -> tuple[str, ...]:
    """The names of the machine, if it listens on all its addresses."""
    return (socket.gethostname(), socket.getfqdn()) if host in _ANY else ()
