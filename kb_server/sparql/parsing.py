"""Reading a client's RDF in a worker, because some texts crash or stall Oxigraph's parsers.

| text | what happens to the parser |
|---|---|
| nested XML entities | it aborts |
| 100 000 nested quoted triples | segmentation fault |
| a JSON-LD context with circular terms | segmentation fault |
| XML nested 100 000 deep | it takes a minute |

A worker has bounded memory and time, and if it dies the text is refused. Texts that are easily
recognised are refused before. Oxigraph fetches nothing: a remote JSON-LD context is an error.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

import pyoxigraph as ox

from kb_server.errors import BadGraph
from kb_server.sparql.result_formats import GRAPHS

__all__ = ["check_harmless", "read_graph"]

_FORMATS: Final = {media.type: media.format for media in GRAPHS}
_ENTITY: Final = re.compile(rb"<!\s*(?:ENTITY|DOCTYPE[^>]*\[)", re.IGNORECASE)
_QUOTED: Final = re.compile(rb"<<")
_MOST_QUOTED: Final = 1_000
"""Occurrences of `<<`, far below the nesting that crashes the parser."""
_MOST_NESTED: Final = 1_000
"""Levels of XML, far below the nesting that stalls the parser."""


def read_graph(data: bytes, media: str, base: str, most: int) -> Iterator[ox.Triple]:
    """Yield the triples of a text, blank nodes renamed; BadGraph if unreadable or too many."""
    kind = _FORMATS[media]
    check_harmless(data, kind)
    found = ox.parse(
        data,
        format=kind,
        base_iri=base,
        without_named_graphs=True,
        rename_blank_nodes=True,
    )
    number = 0
    try:
        for number, quad in enumerate(islice(found, most + 1), 1):
            if number > most:
                raise BadGraph(f"more than {most} statements", allowed=most)
            yield quad.triple
    except (SyntaxError, ValueError) as reason:
        raise BadGraph(f"after {number} statements: {reason}"[:500], media_type=media) from None


def check_harmless(data: bytes, kind: ox.RdfFormat) -> None:
    """Raise BadGraph for a text of a kind that is known to harm the parser."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as reason:
        raise BadGraph(f"the text is not UTF-8: {reason}"[:200]) from None
    if kind == ox.RdfFormat.RDF_XML:
        if _ENTITY.search(data):
            raise BadGraph("XML entities are not supported; write the text they stand for")
        if _depth(data) > _MOST_NESTED:
            raise BadGraph(f"XML nested deeper than {_MOST_NESTED}", allowed=_MOST_NESTED)
    elif len(_QUOTED.findall(data)) > _MOST_QUOTED:
        raise BadGraph("statements about statements can't be stored")


def _depth(data: bytes) -> int:
    """Return an upper bound on the depth of XML; tags in comments count too."""
    depth = deepest = 0
    for tag in re.finditer(rb"<(/?)[^<>]*?(/?)>", data):
        depth += -1 if tag[1] else 0 if tag[2] else 1
        deepest = max(deepest, depth)
    return deepest
