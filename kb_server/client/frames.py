"""Commands as text, for the websocket; a board in-process reads them as the server would."""

import json
from collections.abc import Mapping
from typing import Any

from kb_server.client.errors import BadRequest
from kb_server.wire.commands import Command, read_command

__all__ = ["command_of", "encoded"]


def encoded(says: Mapping[str, Any]) -> str:
    """A command as it is sent; BadRequest for what JSON can't say."""
    try:
        return json.dumps(says, allow_nan=False)
    except (TypeError, ValueError) as reason:
        raise BadRequest(f"this can't be sent: {reason}"[:500]) from None


def command_of(says: Mapping[str, Any]) -> Command:
    """A command as the server reads it; BadRequest for what the server would refuse."""
    return read_command(encoded({"id": "local", **says}))[1]
