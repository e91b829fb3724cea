"""The SPARQL 1.1 Service Description of this server."""

from collections.abc import Iterable
from typing import Final

import pyoxigraph as ox

from kb_server.sparql.result_formats import GRAPHS, RESULTS, chosen
from ontology.vocabulary import DESCRIPTION_PREFIXES

__all__ = ["description"]

_TURTLE: Final = """
[] a sd:Service ;
    sd:endpoint <{endpoint}> ;
    sd:supportedLanguage sd:SPARQL11Query, sd:SPARQL11Update ;
    sd:resultFormat {results} ;
    sd:inputFormat {inputs} ;
    sd:defaultEntailmentRegime entailment:OWL-RDF-Based ;
    sd:defaultSupportedEntailmentProfile profile:RL ;
    sd:defaultDataset [ a sd:Dataset ; sd:defaultGraph [ a sd:Graph ] {named} ] .
"""


def description(endpoint: str, graphs: Iterable[str], accept: str) -> tuple[str, bytes]:
    """The media type and the text of the description, in the client's preferred format."""
    media = chosen(accept, GRAPHS)
    prefixes = dict(DESCRIPTION_PREFIXES)
    head = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in prefixes.items())
    body = _TURTLE.format(
        endpoint=endpoint,
        results=_listed([media.format.iri for media in (*RESULTS, *GRAPHS)]),
        inputs=_listed([media.format.iri for media in GRAPHS]),
        named="".join(f"; sd:namedGraph [ sd:name {ox.NamedNode(g)} ] " for g in graphs),
    )
    quads = ox.parse(head + body, format=ox.RdfFormat.TURTLE)
    text = ox.serialize((q.triple for q in quads), format=media.format, prefixes=prefixes)
    return media.type, text or b""


def _listed(iris: Iterable[str]) -> str:
    return ", ".join(f"<{iri}>" for iri in iris)
