"""The events of the websocket as JSON.

The frames of one event to several subscribers differ only in the name of the subscription. So the
text before and after that name is written once, and each frame is joined from the pieces.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kb_server.core.events.events import SubscriptionEvent
from kb_server.core.questions.query import Row
from kb_server.core.questions.reification import ProviderQuestion
from kb_server.errors import BoardError
from kb_server.wire.commands import Id
from kb_server.wire.errors import error_body
from kb_server.wire.times import written_time

__all__ = [
    "Tail",
    "addressed",
    "answer_frame",
    "ask_frame",
    "encoded",
    "ended_tail",
    "event_tail",
    "models_frame",
    "overflow_tail",
    "poses_frame",
    "refusal_frame",
    "snapshot_end_tail",
    "snapshot_row_tail",
    "stage_frame",
]

encoded: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class Tail(tuple[str, str]):
    """An event without its subscription: the text before the name and the text after it."""

    __slots__ = ()


def addressed(sub: str, tail: Tail) -> str:
    """Return the text of an event for one subscription, whose name is given as JSON.

    >>> addressed('"s1"', snapshot_end_tail(7))
    '{"event":"snapshot_end","sub":"s1","seq":7}'
    """
    return f"{tail[0]}{sub}{tail[1]}"


def event_tail(event: SubscriptionEvent) -> Tail:
    """An event of the board."""
    when = f',"seq":{event.seq},"t":"{written_time(event.t)}",'
    if event.kind in ("diverge", "converge"):
        sides = {"only_here": event.only_here, "only_there": event.only_there}
        return _tail(event.kind, f"{when}{encoded(sides)[1:]}")
    return _tail(event.kind, f'{when}"bindings":{encoded(event.bindings)}}}')


def snapshot_row_tail(row: Row, seq: int, t: str) -> Tail:
    return _tail("appear", f',"seq":{seq},"t":"{t}","bindings":{encoded(row)},"snapshot":true}}')


def snapshot_end_tail(seq: int) -> Tail:
    return _tail("snapshot_end", f',"seq":{seq}}}')


def overflow_tail(resume_after: int) -> Tail:
    return _tail("overflow", f',"resume_after":{resume_after}}}')


def ended_tail(error: BoardError) -> Tail:
    """Return the event that a subscription has ended because of an error."""
    return _tail("error", f",{encoded(error_body(error.code, error.message, error.detail))[1:]}")


def answer_frame(id: Id | None, fields: Mapping[str, Any]) -> str:
    return encoded({"id": id, "ok": True, **fields})


def refusal_frame(id: Id | None, error: BoardError) -> str:
    return encoded({"id": id, **error_body(error.code, error.message, error.detail)})


def ask_frame(number: int, model: str, wanted: ProviderQuestion) -> str:
    """Return a question to a provider; null stands for an unknown or unspecified term."""
    subject, predicate, thing, about = wanted
    said = {"model": model, "predicate": predicate, "subject": subject, "object": thing}
    meant = {} if about is None else {"about": about}
    return encoded({"event": "ask", "ask": number, **said, **meant})


def poses_frame(model: str, t: object, poses: Mapping[str, Any]) -> str:
    return encoded({"event": "poses", "model": model, "t": t, "poses": poses})


def stage_frame(source: str, shows: str) -> str:
    """Return the changed staged values of a source; `shows` is JSON text."""
    return f'{{"event":"stage","source":{encoded(source)},"shows":{shows}}}'


def models_frame(models: Sequence[str]) -> str:
    """Return the list of models."""
    return encoded({"event": "models", "models": models})


def _tail(kind: str, rest: str) -> Tail:
    return Tail((f'{{"event":"{kind}","sub":', rest))
