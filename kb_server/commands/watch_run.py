"""`mindboard watch PATTERN…`: print bindings as they appear and disappear."""

import argparse
import queue
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final

from rich.text import Text

from kb_server import Blackboard, Event, Subscription
from kb_server.commands.connection import bounded, opened
from kb_server.commands.rows import Printer, plain, print_json
from kb_server.core.models.agents import ROBOT
from kb_server.stdio import wait_until_unread
from kb_server.wire.times import written_time

__all__ = ["run"]

_COLOURS: Final = ("cyan", "magenta", "yellow", "blue", "green", "red")
_SIGNS: Final = {"appear": ("+", "green"), "disappear": ("-", "red"), "snapshot_end": ("=", "dim")}
_Heard = tuple[str, Event | Exception | None]


@bounded
def run(args: argparse.Namespace) -> int:
    """Execute `watch`; return the exit status."""
    models = list(dict.fromkeys(args.model or [ROBOT]))
    show = _Lines(models)
    try:
        with opened(args) as kb, ExitStack() as open_ones:
            heard: queue.SimpleQueue[_Heard] = queue.SimpleQueue()
            threading.Thread(target=_until_unread, args=(heard,), daemon=True).start()
            for model in models:
                events = open_ones.enter_context(_subscribed(kb, model, args))
                threading.Thread(target=_pass_on, args=(model, events, heard), daemon=True).start()
            for model, event in _until_all_end(heard, len(models)):
                if args.json:
                    print_json(_said(model, event))
                else:
                    show.event(model, event)
    except KeyboardInterrupt:
        return 0
    return 0


def _subscribed(kb: Blackboard, model: str, args: argparse.Namespace) -> Subscription[Event]:
    return kb.subscribe(
        model,
        *args.patterns,
        on=args.on,
        once=args.once,
        snapshot=args.snapshot,
        after=args.after,
    )


def _pass_on(model: str, events: Subscription[Event], heard: "queue.SimpleQueue[_Heard]") -> None:
    """Queue the events of one model, then its end: the exception that ended it, or None."""
    reason: Exception | None = None
    try:
        for event in events:
            heard.put((model, event))
    except Exception as failure:
        reason = failure
    heard.put((model, reason))


def _until_unread(heard: "queue.SimpleQueue[_Heard]") -> None:
    """Queue BrokenPipeError when the output loses its reader, even if there are no events."""
    wait_until_unread()
    heard.put(("", BrokenPipeError()))


def _until_all_end(heard: "queue.SimpleQueue[_Heard]", number: int) -> Iterator[tuple[str, Event]]:
    while number:
        model, event = heard.get()
        if isinstance(event, Exception):
            raise event
        if event is None:
            number -= 1
        else:
            yield model, event


def _said(model: str, event: Event) -> dict[str, Any]:
    """Return an event as JSON, as on the websocket, with the model's id."""
    says: dict[str, Any] = {"event": event.kind, "model": model, "seq": event.seq}
    if event.kind == "snapshot_end":
        return says
    if event.t is not None:
        says["t"] = written_time(event.t.timestamp())
    if event.snapshot:
        says["snapshot"] = True
    return says | {"bindings": dict(event.bindings)}


class _Lines:
    """Prints events as lines; each model has its own colour on a terminal."""

    def __init__(self, models: list[str]) -> None:
        self._console: Final = Printer(highlight=False, soft_wrap=True)
        self._colours: Final = {m: _COLOURS[i % len(_COLOURS)] for i, m in enumerate(models)}
        self._width: Final = max(map(len, models))

    def event(self, model: str, event: Event) -> None:
        sign, colour = _SIGNS[event.kind]
        time = event.t.astimezone().strftime("%H:%M:%S.%f")[:-3] if event.t else " " * 12
        line = Text.assemble(
            (f"{time} {event.seq:>7} ", "dim"),
            (f"{model:<{self._width}} ", self._colours[model]),
            (f"{sign} ", colour),
        )
        if event.kind == "snapshot_end":
            line.append("end of the snapshot", "dim")
        for name, value in event.bindings.items():
            line.append(f"{name}=", "dim").append(f"{plain(value)} ")
        self._console.print(line)
