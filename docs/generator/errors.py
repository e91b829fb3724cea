"""The codes of refusals: the status each has, and the class that the client raises."""

import inspect
import re
from collections.abc import Iterator
from typing import Final

import kb_server
from docs.generator.markdown import code, table
from kb_server import ConnectionFailed
from kb_server.client.calls.errors import refusal
from kb_server.core import errors as of_core
from kb_server.dl import answers as of_dl
from kb_server.journal import errors as of_journal
from kb_server.service import errors as of_service
from kb_server.service.errors import STATUS
from kb_server.sparql import errors as of_sparql

__all__ = ["page"]

_INTRODUCTION: Final = """\
Every refusal is `{"error": {"code", "message", "detail"}}`, over HTTP with the status of its code,
on a websocket under the command's `id`. The client raises the class; each is a `BoardError`.
"""
_LINE: Final = re.compile(r"^[│ ]*[├└]── (\w+) {2,}(?:the core's: )?(.+)$", re.MULTILINE)


def page() -> str:
    """All codes, and what may happen on the way to a board."""
    told = dict(_told())
    codes = [
        (code(each), str(status), code(type(refused).__name__), told[each])
        for each, status in sorted(STATUS.items())
        for refused in [refusal({"error": {"code": each, "message": "", "detail": {}}})]
    ]
    return "\n".join(
        [
            _INTRODUCTION,
            table(("code", "status", "in Python", "what it means"), codes),
            "## When no answer comes\n",
            table(("in Python", "what it means"), _silences()),
        ]
    )


def _told() -> Iterator[tuple[str, str]]:
    """What the trees at the heads of the modules say of each code."""
    for module in (of_sparql, of_journal, of_dl, of_service, of_core):
        for name, meaning in _LINE.findall(module.__doc__ or ""):
            code = getattr(module, name).code
            yield code, meaning.removeprefix(f"{code}: ")


def _silences() -> list[tuple[str, str]]:
    public = [getattr(kb_server, name) for name in sorted(dir(kb_server))]
    return [
        (code(each.__name__), inspect.cleandoc(each.__doc__ or ""))
        for each in public
        if isinstance(each, type) and issubclass(each, ConnectionFailed)
    ]
