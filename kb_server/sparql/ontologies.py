"""A user's ontology files, read to be added to the common sense.

A file is read in a child process with bounded time and memory (see `files`). Nothing is fetched:
imported ontologies must be passed as files too. The prefixes that a file declares can be used in
statements and in SPARQL; a known prefix keeps its meaning.

No parser reports the prefixes of RDF/XML, so they are searched in its text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from itertools import count
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kb_server.core.terms.rdf import read_turtle
from kb_server.core.terms.terms import Names
from kb_server.errors import BadGraph, BadStatement
from kb_server.sparql.files import quads_in
from ontology.vocabulary import PREFIXES

__all__ = ["ontology_texts"]

_NO_BASE: Final = "mindboard-no-base:/"
_KINDS: Final[Mapping[str, ox.RdfFormat]] = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".xml": ox.RdfFormat.RDF_XML,
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".json": ox.RdfFormat.JSON_LD,
}
_OWL: Final = ".owl"
"""The suffix of RDF/XML files by convention; many are Turtle all the same."""
_XML: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|!--|!DOCTYPE|rdf:RDF)")
_OWL_XML: Final = re.compile(rb"<(?:\w+:)?Ontology\s[^>]*>")
_IN_TURTLE: Final = re.compile(r"^\s*@?prefix\s+([^\s:]+):\s*<([^<>\s]*)>", re.I | re.M)
_IN_XML: Final = re.compile(r"""\sxmlns:([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_REMOTE: Final = "LoadDocumentCallback"
"""The word by which the library's error shows that it would have to fetch a document."""
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
_SPELT: Final[Mapping[ox.RdfFormat, re.Pattern[str]]] = {
    ox.RdfFormat.TURTLE: _IN_TURTLE,
    ox.RdfFormat.RDF_XML: _IN_XML,
}


def ontology_texts(paths: Iterable[Path]) -> tuple[str, ...]:
    """Return each file as Turtle; BadStatement names an unreadable file and the reason."""
    known: dict[str, str] = {}
    return tuple(_text(path, known) for path in paths)


def _text(path: Path, known: dict[str, str]) -> str:
    try:
        data = _bytes(path)
        kind = _kind(path, data)
        rows = "".join(f"{quad.triple} .\n" for quad in _checked(quads_in(data, kind, _NO_BASE)))
        declared = {p: iri for p, iri in _prefixes(data, kind).items() if known.get(p, iri) == iri}
        text = "".join(f"@prefix {p}: <{iri}> .\n" for p, iri in declared.items()) + rows
        for _ in read_turtle(text, Names(declared), count(1)):
            continue  # raises BadStatement, with the file, for a term that the board can't express
    except OSError as reason:
        raise _refused(path, reason.strerror or str(reason)) from None
    except (BadGraph, BadStatement) as reason:
        raise _refused(path, reason.message) from None
    known.update(declared)
    return text


def _refused(path: Path, why: str) -> BadStatement:
    if _REMOTE in why:
        why = "its @context is a remote document, which is not fetched: write it into the file"
    return BadStatement(f"the ontology file {path} can't be read: {why}", file=str(path))


def _bytes(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise BadGraph("it is not a file")
    return path.read_bytes()


def _kind(path: Path, data: bytes) -> ox.RdfFormat:
    """Return the format by the suffix of the name; BadGraph for an unknown one."""
    end = path.suffix.lower()
    if end in (".rdf", ".xml", _OWL) and b"rdf:RDF" not in data and _OWL_XML.search(data):
        raise BadGraph("this is OWL/XML, which is not RDF: save it as RDF/XML or Turtle")
    if end == _OWL:
        end = ".rdf" if _XML.match(data) else ".ttl"
    kind = _KINDS.get(end)
    if kind is None:
        raise BadGraph(f"its name must end in one of {', '.join([*_KINDS, _OWL])}")
    return kind


def _checked(quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
    """Yield the statements; BadGraph for one that an ontology can't have, or if there is none."""
    found = None
    for found in quads:
        if not isinstance(found.graph_name, ox.DefaultGraph):
            raise BadGraph(f"it has the graph {found.graph_name}; an ontology has no named graphs")
        for term in (found.subject, found.predicate, found.object):
            _check_based(term)
        yield found
    if found is None:
        raise BadGraph("it has no statements")


def _check_based(term: object) -> None:
    iri = term.datatype if isinstance(term, ox.Literal) else term
    if isinstance(iri, ox.NamedNode) and iri.value.startswith(_NO_BASE):
        said = iri.value.removeprefix(_NO_BASE)[:80]
        raise BadGraph(f"<{said}> is relative, and the file has no base (@base, xml:base)")
    if isinstance(term, ox.Triple):
        raise BadGraph("statements about statements can't be stored")


def _prefixes(data: bytes, kind: ox.RdfFormat) -> dict[str, str]:
    """Return the prefixes declared in a text, the first IRI of each, without predeclared ones."""
    pattern = _SPELT.get(kind)
    found: dict[str, str] = {}
    for match in pattern.finditer(data.decode("utf-8")) if pattern else ():
        name, *iris = match.groups()
        iri = unescape(next((each for each in iris if each is not None), ""))
        if name not in PREFIXES and _PREFIX.fullmatch(name) and _is_iri(iri):
            found.setdefault(name, iri)
    return found


def _is_iri(text: str) -> bool:
    try:
        ox.NamedNode(text)
    except ValueError:
        return False
    return not re.search(r'[\x00-\x20<>"{}|^`\\]', text)
