"""Reads a request of the SPARQL 1.1 Protocol: its text and its parameters.

A parameter may stand in the query string or in a form; the text may also be the body itself.
Unknown parameters are ignored, since clients send some of their own (`format`, `output`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from fastapi import Request

from kb_server.errors import BadRequest, Unsupported

__all__ = [
    "FORM",
    "Parameters",
    "ProtocolOperation",
    "media_type",
    "parameters_of",
    "read_operation",
]

FORM: Final = "application/x-www-form-urlencoded"
_MOST_FIELDS: Final = 1_000
_TRUTHS: Final[Mapping[str, bool]] = {"true": True, "1": True, "false": False, "0": False}


class Parameters:
    """The parameters of a request; some may be repeated."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self._pairs: Final = pairs

    def many(self, name: str) -> list[str]:
        return [value for key, value in self._pairs if key == name]

    def one(self, name: str) -> str | None:
        """The value of a parameter, or None; BadRequest if it is repeated."""
        found = self.many(name)
        if len(found) > 1:
            raise BadRequest(f"{name} is given {len(found)} times; give it once", field=name)
        return found[0] if found else None

    def truth(self, name: str, default: bool) -> bool:
        """The value of a boolean parameter."""
        said = self.one(name)
        if said is None:
            return default
        if said not in _TRUTHS:
            raise BadRequest(f"{name} must be true or false, not {said[:80]!r}", field=name)
        return _TRUTHS[said]


@dataclass(frozen=True, slots=True)
class ProtocolOperation:
    """A query or an update: its text, its parameters, and the base of its relative IRIs."""

    text: str
    says: Parameters
    base: str


def parameters_of(request: Request, body: bytes = b"") -> Parameters:
    """The parameters of the query string and of a form."""
    said = (request.scope["query_string"], body)
    return Parameters([pair for text in said for pair in _pairs(text)])


async def read_operation(request: Request, name: str, other: str) -> ProtocolOperation:
    """Reads the operation of a request: `name` is `query` or `update`, `other` the other one."""
    body = await request.body() if request.method == "POST" else b""
    kind = media_type(request) if request.method == "POST" else FORM
    if kind not in (FORM, f"application/sparql-{name}"):
        raise Unsupported(
            f"a body must be {FORM} or application/sparql-{name}, not {kind[:80] or 'nameless'}",
            accepted=[FORM, f"application/sparql-{name}"],
        )
    is_form = kind == FORM
    says = parameters_of(request, body if is_form else b"")
    texts = says.many(name) + ([] if is_form else [_text(body)])
    if says.many(other):
        raise BadRequest(f"the parameter {other} is not for this address; use {name}", field=other)
    if len(texts) != 1:
        raise BadRequest(f"give one {name}, not {len(texts)}", field=name)
    return ProtocolOperation(texts[0], says, str(request.url.replace(query="", fragment="")))


def media_type(request: Request) -> str:
    """The media type of a body; Unsupported for a content coding or a charset other than UTF-8."""
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding != "identity":
        raise Unsupported(f"a body must be sent without the coding {coding[:80]}")
    kind, _, rest = request.headers.get("content-type", "").partition(";")
    charset = rest.lower().replace(" ", "").replace('"', "").partition("charset=")[2]
    if charset.partition(";")[0] not in ("", "utf-8", "utf8", "us-ascii"):
        raise Unsupported(f"a body must be in UTF-8, not {charset[:80]}")
    return kind.strip().lower()


def _pairs(text: bytes) -> list[tuple[str, str]]:
    try:
        plain = text.decode("utf-8")
        return parse_qsl(
            plain, keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS
        )
    except UnicodeDecodeError:
        raise BadRequest("the parameters are not UTF-8") from None
    except ValueError:
        raise BadRequest(f"more than {_MOST_FIELDS} parameters", allowed=_MOST_FIELDS) from None


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise BadRequest("the body is not UTF-8") from None
