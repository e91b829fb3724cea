"""The codes of refusals: the status each has, and the class that the client raises."""

import inspect
from typing import Final

import kb_server
from docs.generator.markdown import code, table
from kb_server import ConnectionFailed
from kb_server.errors import ERRORS

__all__ = ["page"]

_INTRODUCTION: Final = """\
Every refusal is `{"error": {"code", "message", "detail"}}`, over HTTP with the status of its code,
on a websocket under the command's `id`. The client raises the class; each is a `BoardError`.
"""


def page() -> str:
    """All codes, and what may happen on the way to a board."""
    codes = [
        (code(each), str(kind.status), code(kind.__name__), inspect.cleandoc(kind.__doc__ or ""))
        for each, kind in sorted(ERRORS.items())
    ]
    return "\n".join(
        [
            _INTRODUCTION,
            table(("code", "status", "in Python", "what it means"), codes),
            "## When no answer comes\n",
            table(("in Python", "what it means"), _silences()),
        ]
    )


def _silences() -> list[tuple[str, str]]:
    public = [getattr(kb_server, name) for name in sorted(dir(kb_server))]
    return [
        (code(each.__name__), inspect.cleandoc(each.__doc__ or ""))
        for each in public
        if isinstance(each, type) and issubclass(each, ConnectionFailed)
    ]
