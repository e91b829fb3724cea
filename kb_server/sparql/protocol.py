"""What goes over the pipe between the board and a worker: frames of JSON, with bytes behind.

JSON, both ways. Towards the worker anything would do, since only our own parent writes to it; but
what comes back was made by a process that has read hostile text, and unpickling it would hand that
process the board. JSON has no such door, is in the standard library, and its time is small beside
Oxigraph's own (a delta of twenty facts is packed in some 20 µs). msgpack would be one dependency
more. For the same reason what an update comes to is read here like any other person's statements.
"""

import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kb_server.core.errors import BoardError
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.sparql.errors import ERRORS, SparqlError

__all__ = [
    "Answer",
    "Change",
    "Frame",
    "Frames",
    "Update",
    "answer_in",
    "error_in",
    "facts_in",
    "packed",
    "update_in",
]

_HEADER: Final = struct.Struct(">II")
_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: what it says, as JSON has it, and the bytes of an answer if any."""

    says: Mapping[str, Any]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it goes to the client, and the delta that it was given after."""

    content_type: str
    body: bytes
    seq: int


@dataclass(frozen=True, slots=True)
class Change:
    """What an update adds to a graph and removes from it, as asked: some may be so already.

    A graph of plain storage `comes` or `goes` with it.
    """

    add: tuple[Statement, ...]
    remove: tuple[Statement, ...]
    comes: bool = False
    goes: bool = False


@dataclass(frozen=True, slots=True)
class Update:
    """What an update comes to after the delta `seq`: models by their ids, other graphs by IRI."""

    seq: int
    models: Mapping[str, Change]
    graphs: Mapping[str, Change]


def packed(says: Mapping[str, Any], body: bytes = b"") -> bytes:
    """A frame as it goes over the pipe: two lengths, the JSON, the bytes."""
    text = _encode(says).encode("utf-8", "surrogatepass")
    return b"".join((_HEADER.pack(len(text), len(body)), text, body))


class Frames:
    """Bytes as they come, made into frames again; ValueError for one that claims to be too long."""

    def __init__(self, most: int = 2**32) -> None:
        self._held = bytearray()
        self._most: Final = most

    def fed(self, data: bytes) -> Iterator[Frame]:
        """The frames that are complete with these bytes."""
        self._held += data
        while len(self._held) >= _HEADER.size:
            first, second = _HEADER.unpack_from(self._held)
            start, middle = _HEADER.size, _HEADER.size + first
            end = middle + second
            if end > self._most:
                raise ValueError(f"a frame of {end} bytes")
            if len(self._held) < end:
                return
            says = json.loads(self._held[start:middle].decode("utf-8", "surrogatepass"))
            body = bytes(self._held[middle:end])
            del self._held[:end]
            yield Frame(says, body)


def answer_in(frame: Frame) -> Answer:
    return Answer(frame.says["type"], frame.body, frame.says["seq"])


def update_in(frame: Frame, names: Names) -> Update:
    """The changes in a frame, their terms read anew; BadStatement when one is none."""
    start = names.prefixes["model"]
    found = {graph: _change(says, names.term) for graph, says in frame.says["changes"].items()}
    models = {g.removeprefix(start): c for g, c in found.items() if g.startswith(start)}
    graphs = {g: c for g, c in found.items() if not g.startswith(start)}
    return Update(frame.says["seq"], models, graphs)


def facts_in(frame: Frame, names: Names) -> list[Statement]:
    """The statements in a frame, their terms read anew; BadStatement when one is none."""
    return list(_facts(frame.says["facts"], names.term))


def error_in(frame: Frame) -> BoardError:
    error = frame.says["error"]
    return ERRORS.get(error["code"], SparqlError)(error["message"], **error["detail"])


def _change(says: Mapping[str, Any], term: Callable[[str], str]) -> Change:
    add, remove = (tuple(_facts(says[key], term)) for key in ("add", "remove"))
    return Change(add, remove, says["comes"], says["goes"])


def _facts(said: Sequence[Sequence[str]], term: Callable[[str], str]) -> Iterator[Statement]:
    return ((term(s), term(p), term(o)) for s, p, o in said)
