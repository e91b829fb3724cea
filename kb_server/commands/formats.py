"""The RDF formats that files may have, by name and by the end of a file's name.

None of them can say that a graph is there and empty. So a file with graphs says it of models that
hold nothing, in a graph of its own, `<http://kb.openrobots.org/model/>`: `model:sally a sd:Graph`.
"""

from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kb_server.commands.arguments import RDF_FORMATS
from kb_server.commands.asking import Misused
from ontology.vocabulary import DESCRIPTION_PREFIXES, PREFIXES

__all__ = ["FORMATS", "LIST", "QUADS", "format_of", "model_named", "said_to_be"]

LIST: Final = ox.NamedNode(PREFIXES["model"])
"""The graph that says which models there are without anything in them."""
_TYPE: Final = ox.NamedNode(PREFIXES["rdf"] + "type")
_GRAPH: Final = ox.NamedNode(DESCRIPTION_PREFIXES["sd"] + "Graph")

FORMATS: Final = {
    name: found
    for name, media in RDF_FORMATS.items()
    if (found := ox.RdfFormat.from_media_type(media)) is not None
}
QUADS: Final = ("trig", "nquads", "jsonld")
"""Those that hold several graphs."""
_ENDS: Final = {
    ".ttl": "turtle",
    ".nt": "ntriples",
    ".jsonld": "jsonld",
    ".json": "jsonld",
    ".rdf": "rdfxml",
    ".xml": "rdfxml",
    ".owl": "rdfxml",
    ".trig": "trig",
    ".nq": "nquads",
    ".n3": "n3",
}


def format_of(said: str | None, file: Path | None, default: str | None) -> str:
    """The format that is said, else that of the file's name, else a default."""
    found = said or (_ENDS.get(file.suffix.lower()) if file is not None else None) or default
    if found is None:
        what = "stdin" if file is None else file
        raise Misused(f"say --format, one of {', '.join(FORMATS)}: {what} does not tell it")
    return found


def said_to_be(model: str) -> ox.Quad:
    """That there is a model, though nothing may be in it."""
    return ox.Quad(ox.NamedNode(PREFIXES["model"] + model), _TYPE, _GRAPH, LIST)


def model_named(graph: object) -> str | None:
    """The model whose graph has this name, if any."""
    if isinstance(graph, ox.NamedNode) and graph.value.startswith(PREFIXES["model"]):
        return graph.value.removeprefix(PREFIXES["model"])
    return None
