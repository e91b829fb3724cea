"""The formats of answers: media types, chosen by the client's `Accept` header; bounded in size."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final, Generic, Protocol, TypeVar

import pyoxigraph as ox

from kb_server.core.terms import xml
from kb_server.errors import NotAcceptable, TooCostly
from kb_server.sparql.errors import engine_asked

__all__ = ["GRAPHS", "RESULTS", "Media", "NotInXml", "chosen", "written"]


_Format = TypeVar("_Format", ox.QueryResultsFormat, ox.RdfFormat)


class _Buffer(Protocol):
    """An object that gives bytes by the buffer protocol."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


@dataclass(frozen=True, slots=True)
class Media(Generic[_Format]):
    """A media type, other types that select it, and the library's name of its format."""

    type: str
    format: _Format
    also: tuple[str, ...] = ()

    @property
    def is_xml(self) -> bool:
        return self.format in (ox.QueryResultsFormat.XML, ox.RdfFormat.RDF_XML)


_JSON: Final = ox.QueryResultsFormat.JSON
RESULTS: Final = (
    Media("application/sparql-results+json", _JSON, ("application/json",)),
    Media("application/sparql-results+xml", ox.QueryResultsFormat.XML, ("application/xml",)),
    Media("text/csv", ox.QueryResultsFormat.CSV),
    Media("text/tab-separated-values", ox.QueryResultsFormat.TSV),
)
GRAPHS: Final = (
    Media("text/turtle", ox.RdfFormat.TURTLE, ("application/x-turtle",)),
    Media("application/n-triples", ox.RdfFormat.N_TRIPLES, ("text/plain",)),
    Media("application/rdf+xml", ox.RdfFormat.RDF_XML, ("application/xml",)),
    Media("application/ld+json", ox.RdfFormat.JSON_LD, ("application/json",)),
)
_QUALITY: Final = re.compile(r";\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*(?:;|$)", re.IGNORECASE)
_MOST_RANGES: Final = 64
"""Media ranges of an `Accept` header that are read."""


class NotInXml(Exception):
    """The answer contains characters or names that XML can't express."""


def chosen(accept: str, offered: Sequence[Media[_Format]], why: str = "") -> Media[_Format]:
    """Return the media type that an `Accept` header prefers; the first one offered of equals.

    NotAcceptable if the header allows none of them; its message includes the reason `why` the
    offer is limited.
    """
    if not accept.strip():
        return offered[0]
    ranges = [_range(part) for part in accept.split(",")[:_MOST_RANGES] if part.strip()]
    best = max(offered, key=lambda media: _liking(media, ranges))
    if _liking(best, ranges) <= 0:
        types = [media.type for media in offered]
        reason = f"{why}; " if why else ""
        raise NotAcceptable(f"{reason}this is available as {', '.join(types)}", offered=types)
    return best


def _range(part: str) -> tuple[str, float]:
    name, _, parameters = part.partition(";")
    quality = _QUALITY.search(";" + parameters)
    return name.strip().lower(), float(quality[1]) if quality else 1.0


def _liking(media: Media[_Format], ranges: Sequence[tuple[str, float]]) -> float:
    """Return the quality of the most specific matching range; 0 if none matches."""
    main = media.type.partition("/")[0]
    for names in ((media.type,), media.also, (f"{main}/*",), ("*/*",)):
        fitting = [quality for name, quality in ranges if name in names]
        if fitting:
            return max(fitting)
    return 0.0


class _Bounded(BytesIO):
    """A buffer of limited size; TooCostly beyond it."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._size = 0

    def write(self, data: _Buffer, /) -> int:
        self._size += memoryview(data).nbytes
        if self._size > self._most:
            message = f"the answer has more than {self._most} bytes"
            raise TooCostly(message, reason="answer", max_bytes=self._most)
        return super().write(data)


class _BoundedXml(_Bounded):
    """The same for XML; escapes carriage returns, so that line ends read back unchanged."""

    def write(self, data: _Buffer, /) -> int:
        super().write(xml.escaped(bytes(data)))
        return memoryview(data).nbytes


def written(
    found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples,
    accept: str,
    most: int,
    in_xml: bool = True,
) -> tuple[str, bytes]:
    """Return the media type and the bytes of an answer; NotInXml if only XML can't express it."""
    if isinstance(found, ox.QueryTriples):
        graph = _offered(accept, GRAPHS, in_xml)
        output = _output(graph, most)
        with engine_asked():
            found.serialize(output, graph.format)
        return graph.type, _text(output, graph)
    media = _offered(accept, RESULTS, in_xml)
    output = _output(media, most)
    with engine_asked():
        found.serialize(output, media.format)
    return media.type, _text(output, media)


def _offered(accept: str, offered: Sequence[Media[_Format]], in_xml: bool) -> Media[_Format]:
    if in_xml:
        return chosen(accept, offered)
    return chosen(accept, [media for media in offered if not media.is_xml], xml.REASON)


def _output(media: Media[_Format], most: int) -> _Bounded:
    return _BoundedXml(most) if media.is_xml else _Bounded(most)


def _text(output: _Bounded, media: Media[_Format]) -> bytes:
    text = output.getvalue()
    if media.is_xml and not xml.is_sayable(text):
        raise NotInXml
    return text
