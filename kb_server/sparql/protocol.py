"""The protocol between the board and a worker: frames of JSON, followed by bytes.

The road not taken is pickle: a worker has read hostile text, and unpickling its answers could run
code in the board. JSON is in the standard library, and packing a delta of twenty facts takes some
20 µs, little beside Oxigraph's own time. msgpack would be one more dependency. For the same reason
the changes that a worker computes are parsed and checked like a client's statements.
"""

import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.errors import ERRORS, BoardError, SparqlError
from ontology.vocabulary import MYSELF

__all__ = [
    "Frames",
    "GraphUpdate",
    "SparqlQuery",
    "SparqlUpdate",
    "Update",
    "WorkerAnswer",
    "WorkerFrame",
    "answer_in",
    "error_in",
    "facts_in",
    "fields_of",
    "packed",
    "update_in",
]

_HEADER: Final = struct.Struct(">II")
_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class WorkerFrame:
    """One message: its JSON fields, and the bytes of an answer or a text, if any."""

    says: Mapping[str, Any]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class SparqlQuery:
    """A query and its dataset.

    - `default` and `named` are the graphs of the request, by IRI. They take precedence over FROM,
      which takes precedence over the graph of `model`.
    - `reach` are the models that may be read, with those nested in them; None stands for all.
    """

    text: str
    model: str = MYSELF
    inferred: bool = True
    default: Sequence[str] | None = None
    named: Sequence[str] | None = None
    base: str | None = None
    reach: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class SparqlUpdate:
    """An update and the dataset of its WHERE; `using` and `using_named` are as in the protocol.

    `there` are the existing graphs, including empty ones and models; None stands for all graphs
    with facts, and all models.
    """

    text: str
    model: str = MYSELF
    base: str | None = None
    using: Sequence[str] | None = None
    using_named: Sequence[str] | None = None
    reach: Sequence[str] | None = None
    there: Sequence[str] | None = None

    @property
    def has_dataset(self) -> bool:
        return bool(self.using or self.using_named)


@dataclass(frozen=True, slots=True)
class WorkerAnswer:
    """An answer as the client gets it, and the `seq` of the state that it was computed on."""

    content_type: str
    body: bytes
    seq: int


@dataclass(frozen=True, slots=True)
class GraphUpdate:
    """The facts that an update adds to a graph and removes from it; not all need be a net change.

    A plain graph that the update creates `comes`; one that it drops `goes`.
    """

    add: tuple[Statement, ...]
    remove: tuple[Statement, ...]
    comes: bool = False
    goes: bool = False


@dataclass(frozen=True, slots=True)
class Update:
    """The changes of an update computed on the state `seq`: models by id, other graphs by IRI."""

    seq: int
    models: Mapping[str, GraphUpdate]
    graphs: Mapping[str, GraphUpdate]


def fields_of(asked: SparqlQuery | SparqlUpdate) -> dict[str, Any]:
    """Return the fields of a query or an update, for its frame."""
    return {each.name: getattr(asked, each.name) for each in fields(asked)}


def packed(says: Mapping[str, Any], body: bytes = b"") -> bytes:
    """Return the bytes of a frame: two lengths, the JSON, the body."""
    text = _encode(says).encode("utf-8", "surrogatepass")
    return b"".join((_HEADER.pack(len(text), len(body)), text, body))


class Frames:
    """Splits a stream of bytes into frames; ValueError for a frame longer than `most`."""

    def __init__(self, most: int = 2**32) -> None:
        self._held = bytearray()
        self._most: Final = most

    def fed(self, data: bytes) -> Iterator[WorkerFrame]:
        """Yield the frames that these bytes complete."""
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
            yield WorkerFrame(says, body)


def answer_in(frame: WorkerFrame) -> WorkerAnswer:
    return WorkerAnswer(frame.says["type"], frame.body, frame.says["seq"])


def update_in(frame: WorkerFrame, names: Names) -> Update:
    """Return the changes in a frame, their terms parsed; BadStatement for a bad term."""
    start = names.prefixes["model"]
    found = {graph: _change(says, names.term) for graph, says in frame.says["changes"].items()}
    models = {g.removeprefix(start): c for g, c in found.items() if g.startswith(start)}
    graphs = {g: c for g, c in found.items() if not g.startswith(start)}
    return Update(frame.says["seq"], models, graphs)


def facts_in(frame: WorkerFrame, names: Names) -> list[Statement]:
    """Return the statements in a frame, their terms parsed; BadStatement for a bad term."""
    return list(_facts(frame.says["facts"], names.term))


def error_in(frame: WorkerFrame) -> BoardError:
    error = frame.says["error"]
    return ERRORS.get(error["code"], SparqlError)(error["message"], **error["detail"])


def _change(says: Mapping[str, Any], term: Callable[[str], str]) -> GraphUpdate:
    add, remove = (tuple(_facts(says[key], term)) for key in ("add", "remove"))
    return GraphUpdate(add, remove, says["comes"], says["goes"])


def _facts(said: Sequence[Sequence[str]], term: Callable[[str], str]) -> Iterator[Statement]:
    return ((term(s), term(p), term(o)) for s, p, o in said)
