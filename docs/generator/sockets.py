"""The page of websocket commands and events."""

import json
from collections.abc import Callable, Mapping
from typing import Final, Literal

from pydantic.fields import FieldInfo

from docs.generator.markdown import code, fenced, prose, table
from kb_server.core.events.events import SubscriptionEvent
from kb_server.core.questions.reification import ProviderQuestion
from kb_server.errors import TooCostly
from kb_server.wire import events
from kb_server.wire.commands import COMMANDS, Command
from kb_server.wire.mistakes import Expected
from kb_server.wire.times import written_time

__all__ = ["page"]

_Kind = Literal["appear", "disappear", "diverge", "converge"]
_INTRODUCTION: Final = """\
A command is a JSON object with its `op`, an `id` (a text of 1 to 200 characters, or a whole number)
and the fields of its table. The text of a command names an optional `id`. Each is answered once, by
`{"id", "ok": true}` and the listed fields, or by `{"id", "error": {…}}` with one of the
[codes](errors.md). [events.md](../events.md) has examples of conversations.
"""
_ROW: Final = {"o": "ball", "where": "box"}
_T: Final = 1767268800.12


def page() -> str:
    """Every command with its fields and those of its answer; an example of every kind of event."""
    commands = [_section(op, kind) for op, kind in COMMANDS.items()]
    events = [f"### {name}\n\n{fenced(make(), 'json')}" for name, make in _EVENTS.items()]
    return "\n".join([_INTRODUCTION, "## Commands\n", *commands, "## Events\n", *events])


def _section(op: str, kind: type[Command]) -> str:
    said = [f"### {op}\n", _about(kind) + "\n"]
    said.append("" if kind.needs_id else "It may come without an `id`.\n")
    said.append(table(("field", "default", "what it is"), _fields(kind)))
    answered = [(code(name), what) for name, what in kind.answers.items()]
    said.append(table(("answered", "what it is"), answered))
    return "\n".join(filter(None, said))


def _about(kind: type[Command]) -> str:
    """The docstring of a command, or of the request that it carries."""
    descriptions = [
        each.__doc__ for each in kind.__mro__ if each is not Command and "__doc__" in vars(each)
    ]
    return prose(next(filter(None, descriptions), ""))


def _fields(kind: type[Command]) -> list[tuple[str, str, str]]:
    return [
        (code(field.alias or name), _default(field), _wanted(field))
        for name, field in kind.model_fields.items()
    ]


def _default(field: FieldInfo) -> str:
    return "required" if field.is_required() else code(json.dumps(field.default))


def _wanted(field: FieldInfo) -> str:
    said = next(each for each in field.metadata if isinstance(each, Expected))
    return f"{said.whole}: {said.each}" if said.each else said.whole


def _event(kind: _Kind) -> str:
    if kind in ("diverge", "converge"):
        event = SubscriptionEvent(kind, "s1", 42, _T, {}, (_ROW,), ())
    else:
        event = SubscriptionEvent(kind, "s1", 42, _T, _ROW)
    return _of_subscription(events.event_tail(event))


def _of_subscription(tail: events.Tail) -> str:
    return events.addressed('"s1"', tail)


_EVENTS: Final[Mapping[str, Callable[[], str]]] = {
    "appear": lambda: _event("appear"),
    "appear, of a snapshot": lambda: _of_subscription(
        events.snapshot_row_tail(_ROW, 42, written_time(_T))
    ),
    "snapshot_end": lambda: _of_subscription(events.snapshot_end_tail(42)),
    "disappear": lambda: _event("disappear"),
    "diverge": lambda: _event("diverge"),
    "converge": lambda: _event("converge"),
    "overflow": lambda: _of_subscription(events.overflow_tail(41)),
    "error": lambda: _of_subscription(events.ended_tail(TooCostly("…"))),
    "ask": lambda: events.ask_frame(1, "myself", ProviderQuestion(None, "isAtLeftOf", "mug")),
    "poses": lambda: events.poses_frame(
        "sally",
        0.04,
        {"ball": {"pose": [0.1, 0.0, 0.8], "perceived_pose": [0.1, 0.0, 0.8], "seen": 0.04}},
    ),
    "stage": lambda: events.stage_frame("demo", '{"story":{"title":"Sally and Anne"}}'),
    "models": lambda: events.models_frame(["myself", "sally"]),
}
