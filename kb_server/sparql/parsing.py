"""A client's RDF read, in a worker: Oxigraph's parsers die of some texts, and dwell on others.

Found by attacking them: a tower of XML entities ends in an abort, triples quoted in one another
100 000 times and a JSON-LD context whose terms lean on one another in a segmentation fault, XML
nested as deep takes a minute. A worker bounds memory and time, and its death is a refusal; what is
easily seen is refused before. Oxigraph fetches nothing: a remote JSON-LD context is an error.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

import pyoxigraph as ox

from kb_server.sparql.answers import GRAPHS
from kb_server.sparql.errors import BadGraph

__all__ = ["check_harmless", "read_graph"]

_FORMATS: Final = {media.type: media.format for media in GRAPHS}
_ENTITY: Final = re.compile(rb"<!\s*(?:ENTITY|DOCTYPE[^>]*\[)", re.IGNORECASE)
_QUOTED: Final = re.compile(rb"<<")
_MOST_QUOTED: Final = 1_000
_MOST_NESTED: Final = 1_000


def read_graph(data: bytes, media: str, base: str, most: int) -> Iterator[ox.Triple]:
    """The triples of a text of some media type, nameless nodes made new; BadGraph for others."""
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
    """BadGraph for what is known to be of no use but to do harm."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as reason:
        raise BadGraph(f"the text is not UTF-8: {reason}"[:200]) from None
    if kind == ox.RdfFormat.RDF_XML:
        if _ENTITY.search(data):
            raise BadGraph("XML entities are not read; write what they stand for")
        if _depth(data) > _MOST_NESTED:
            raise BadGraph(f"XML nested deeper than {_MOST_NESTED}", allowed=_MOST_NESTED)
    elif len(_QUOTED.findall(data)) > _MOST_QUOTED:
        raise BadGraph("statements about statements are not held here")


def _depth(data: bytes) -> int:
    """How deep XML is nested, or deeper: comments count as well."""
    depth = deepest = 0
    for tag in re.finditer(rb"<(/?)[^<>]*?(/?)>", data):
        depth += -1 if tag[1] else 0 if tag[2] else 1
        deepest = max(deepest, depth)
    return deepest
