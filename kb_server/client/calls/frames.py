"""Websocket commands as JSON text; a board in this process validates them as the server does."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kb_server.errors import BadRequest
from kb_server.wire.commands import Command, read_command

__all__ = ["Written", "command_of", "encoded"]


@dataclass(frozen=True, slots=True)
class Written:
    """An object whose members are already JSON, so that large values are encoded only once."""

    members: Mapping[str, str]

    def __str__(self) -> str:
        members = (f"{json.dumps(name)}:{text}" for name, text in self.members.items())
        return f"{{{','.join(members)}}}"


def encoded(says: Mapping[str, Any]) -> str:
    """A command as JSON text; BadRequest if JSON can't represent it.

    >>> encoded({"op": "stage", "shows": Written({"ball": '{"n": 1}'})})
    '{"op": "stage", "shows": {"ball":{"n": 1}}}'
    """
    try:
        if any(isinstance(value, Written) for value in says.values()):
            members = (f"{json.dumps(name)}: {_text(value)}" for name, value in says.items())
            return f"{{{', '.join(members)}}}"
        return json.dumps(says, allow_nan=False)
    except (TypeError, ValueError) as reason:
        raise BadRequest(f"this can't be written as JSON: {reason}"[:500]) from None


def _text(value: Any) -> str:
    return str(value) if isinstance(value, Written) else json.dumps(value, allow_nan=False)


def command_of(says: Mapping[str, Any]) -> Command:
    """A command as the server reads it; BadRequest if the server would refuse it."""
    return read_command(encoded({"id": "local", **says}))[1]
