"""The RDF formats of files, by name and by file suffix.

No RDF format can express an empty graph. So a file with graphs lists the models without facts in a
graph of its own, `<http://kb.openrobots.org/model/>`: `model:sally a sd:Graph`.
"""

from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kb_server.commands.arguments import RDF_FORMATS
from kb_server.program import UsageError
from ontology.vocabulary import DESCRIPTION_PREFIXES, PREFIXES

__all__ = ["FORMATS", "LIST", "QUADS", "format_of", "model_named", "said_to_be"]

LIST: Final = ox.NamedNode(PREFIXES["model"])
"""The graph that lists the models without facts."""
_TYPE: Final = ox.NamedNode(PREFIXES["rdf"] + "type")
_GRAPH: Final = ox.NamedNode(DESCRIPTION_PREFIXES["sd"] + "Graph")

FORMATS: Final = {
    name: found
    for name, media in RDF_FORMATS.items()
    if (found := ox.RdfFormat.from_media_type(media)) is not None
}
QUADS: Final = ("trig", "nquads", "jsonld")
"""The formats that can hold several graphs."""
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
    """Return the given format, else that of the file's suffix, else the default.

    Raise UsageError if there is none of them.
    """
    found = said or (_ENDS.get(file.suffix.lower()) if file is not None else None) or default
    if found is None:
        what = "stdin" if file is None else file
        known = ", ".join(FORMATS)
        raise UsageError(f"the format of {what} is unknown: set --format to one of {known}")
    return found


def said_to_be(model: str) -> ox.Quad:
    """Return the statement that lists a model, for one without facts."""
    return ox.Quad(ox.NamedNode(PREFIXES["model"] + model), _TYPE, _GRAPH, LIST)


def model_named(graph: object) -> str | None:
    """Return the model whose graph has this name; None if it is no model's."""
    if isinstance(graph, ox.NamedNode) and graph.value.startswith(PREFIXES["model"]):
        return graph.value.removeprefix(PREFIXES["model"])
    return None
