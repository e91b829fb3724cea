"""What an answer is written in: media types, chosen as the client prefers, bounded in bytes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final

import pyoxigraph as ox

from kb_server.core.errors import TooCostly
from kb_server.sparql.errors import NotAcceptable

__all__ = ["GRAPHS", "RESULTS", "Media", "chosen", "written"]


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


def chosen(accept: str, offered: Sequence[Media]) -> Media:
    """The media type that an `Accept` header prefers; the first offered of equals."""
    if not accept.strip():
        return offered[0]
    ranges = [_range(part) for part in accept.split(",")[:_MOST_RANGES] if part.strip()]
    best = max(offered, key=lambda media: _liking(media, ranges))
    if _liking(best, ranges) <= 0:
        types = [media.type for media in offered]
        raise NotAcceptable(f"this can be had as {', '.join(types)}", offered=types)
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


def written(
    found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples, accept: str, most: int
) -> tuple[str, bytes]:
    """The media type and the bytes of an answer."""
    output = _Bounded(most)
    if isinstance(found, ox.QueryTriples):
        media = chosen(accept, GRAPHS)
        found.serialize(output, media.format)  # type: ignore[arg-type]  # one of GRAPHS
    else:
        media = chosen(accept, RESULTS)
        found.serialize(output, media.format)  # type: ignore[arg-type]  # one of RESULTS
    return media.type, output.getvalue()
