"""The RDF formats that files may have, by name and by the end of a file's name."""

from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kb_server.commands.asking import Misused

__all__ = ["FORMATS", "QUADS", "format_of"]

FORMATS: Final = {
    "turtle": ox.RdfFormat.TURTLE,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
    "trig": ox.RdfFormat.TRIG,
    "nquads": ox.RdfFormat.N_QUADS,
    "n3": ox.RdfFormat.N3,
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
        raise Misused(f"say --format, one of {', '.join(FORMATS)}: {file} does not tell it")
    return found
