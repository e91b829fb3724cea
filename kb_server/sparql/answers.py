"""What an answer is written in: media types, chosen as the client prefers, bounded in bytes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final

import pyoxigraph as ox

from kb_server.core import xml
from kb_server.core.errors import TooCostly
from kb_server.sparql.errors import NotAcceptable

__all__ = ["GRAPHS", "RESULTS", "Media", "NotInXml", "chosen", "written"]


@dataclass(frozen=True, slots=True)
class Media:
    """A media type, what else asks for it, and the library's name for its format."""

    type: str
    format: ox.QueryResultsFormat | ox.RdfFormat
    also: tuple[str, ...] = ()


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
_XML: Final = (ox.QueryResultsFormat.XML, ox.RdfFormat.RDF_XML)


class NotInXml(Exception):
    """An answer that XML can't say."""


def chosen(accept: str, offered: Sequence[Media], why: str = "") -> Media:
    """The media type that an `Accept` header prefers; the first offered of equals.

    `why` not more is offered is told to whoever asks for none of them.
    """
    if not accept.strip():
        return offered[0]
    ranges = [_range(part) for part in accept.split(",")[:_MOST_RANGES] if part.strip()]
    best = max(offered, key=lambda media: _liking(media, ranges))
    if _liking(best, ranges) <= 0:
        types = [media.type for media in offered]
        reason = f"{why}; " if why else ""
        raise NotAcceptable(f"{reason}this can be had as {', '.join(types)}", offered=types)
    return best


def _range(part: str) -> tuple[str, float]:
    name, _, parameters = part.partition(";")
    quality = _QUALITY.search(";" + parameters)
    return name.strip().lower(), float(quality[1]) if quality else 1.0


def _liking(media: Media, ranges: Sequence[tuple[str, float]]) -> float:
    """The quality of the most specific range that fits."""
    main = media.type.partition("/")[0]
    for names in ((media.type,), media.also, (f"{main}/*",), ("*/*",)):
        fitting = [quality for name, quality in ranges if name in names]
        if fitting:
            return max(fitting)
    return 0.0


class _Bounded(BytesIO):
    """Bytes up to a number; TooCostly beyond."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._size = 0

    def write(self, data: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        self._size += len(data)
        if self._size > self._most:
            message = f"the answer has more than {self._most} bytes"
            raise TooCostly(message, reason="answer", max_bytes=self._most)
        return super().write(data)


class _BoundedXml(_Bounded):
    """The same for XML, whose line ends are to read back as they were."""

    def write(self, data: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        super().write(xml.escaped(bytes(data)))
        return len(data)


def written(
    found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples,
    accept: str,
    most: int,
    in_xml: bool = True,
) -> tuple[str, bytes]:
    """The media type and the bytes of an answer; NotInXml for one to be had in all but that."""
    offered = GRAPHS if isinstance(found, ox.QueryTriples) else RESULTS
    if in_xml:
        media = chosen(accept, offered)
    else:
        media = chosen(accept, [m for m in offered if m.format not in _XML], xml.REASON)
    output = _BoundedXml(most) if media.format in _XML else _Bounded(most)
    found.serialize(output, media.format)  # type: ignore[arg-type]  # one of those offered
    text = output.getvalue()
    if media.format in _XML and not xml.is_sayable(text):
        raise NotInXml
    return media.type, text
