"""Shell completions from a running board: its models, and the classes in a model.

The board is the one named in the line so far. If it refuses, or does not answer within 0.5 s, there
are no completions, and no message, because it would garble the shell's prompt. The request uses the
standard library, because importing the client takes longer than the request.
"""

import argparse
import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

__all__ = ["classes_in_patterns", "classes_in_sparql", "models"]

_SECONDS: Final = 0.5
"""Seconds that a person waits for a completion without noticing much."""
_MOST_BYTES: Final = 2**20
"""Bytes of an answer that are read."""
_CONNECTIONS: Final = {"http": HTTPConnection, "https": HTTPSConnection}
_BEFORE_CLASS: Final = re.compile(r"(?:.*\s)?\S+\s+(?:a|rdf:type)\s+", re.DOTALL)
_WRITABLE: Final = re.compile(r"(?:[\w-]+:)?[A-Za-z_][\w.-]*")
"""A name, with or without a prefix; blank nodes and IRIs in brackets are not offered."""


def models(parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """The ids of the board's models."""
    says = _answer(parsed_args, "GET", "/models")
    return [str(each["id"]) for each in says["models"]] if says else []


def classes_in_patterns(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """Return completions of a pattern `… a `: the pattern so far followed by each class."""
    return _ended(prefix, parsed_args, "")


def classes_in_sparql(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """Do the same in SPARQL, where every name has a prefix."""
    return _ended(prefix, parsed_args, "oro:")


def _ended(text: str, args: argparse.Namespace, default_prefix: str) -> list[str]:
    """Return the text up to the place of a class, followed by each class."""
    begun = _BEFORE_CLASS.match(text)
    if begun is None:
        return []
    return [
        begun[0] + (name if ":" in name else f"{default_prefix}{name}") for name in _classes(args)
    ]


def _classes(args: argparse.Namespace) -> Iterator[str]:
    """Yield the classes in the model that the line names; of several models, the first."""
    named = getattr(args, "model", None) or "myself"
    model = quote(named if isinstance(named, str) else named[0], safe="")
    asked = json.dumps({"patterns": ["?class a owl:Class"]})
    says = _answer(args, "POST", f"/models/{model}/find", asked)
    for row in says["bindings"] if says else ():
        if _WRITABLE.fullmatch(row["class"]):
            yield row["class"]


def _answer(
    args: argparse.Namespace, method: str, path: str, body: str | None = None
) -> dict[str, Any] | None:
    """Return the board's answer; None if it is unreachable, slow or refuses."""
    try:
        url = urlsplit(args.kb)
        line = _CONNECTIONS[url.scheme](url.hostname or "", url.port, timeout=_SECONDS)
        try:
            line.request(method, url.path.rstrip("/") + path, body, _headers(args))
            answer = line.getresponse()
            text = answer.read(_MOST_BYTES)
        finally:
            line.close()
        return dict(json.loads(text)) if answer.status == 200 else None
    except (AttributeError, KeyError, OSError, ValueError, HTTPException):
        return None


def _headers(args: argparse.Namespace) -> dict[str, str]:
    headers = {"Content-Type": "application/json"}
    if args.token_file is not None:
        token = Path(args.token_file).read_text("utf-8").strip()
        headers["Authorization"] = f"Bearer {token}"
    return headers
