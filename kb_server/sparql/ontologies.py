"""Ontology files of a user's own, read to be joined to the common sense.

A file is read in a process beside, bounded, as any RDF of a user's is (see `files`), and nothing is
fetched: what it imports is to be named as well. The prefixes that it declares can be used in
statements and in SPARQL; one that is known already keeps what it stands for.

RDF/XML keeps its prefixes where no parser tells of them, so they are looked for in its text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from itertools import count
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kb_server.core.errors import BadStatement
from kb_server.core.terms.rdf import read_turtle
from kb_server.core.terms.terms import Names
from kb_server.sparql.errors import BadGraph
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
"""Such files are RDF/XML by custom, and Turtle by many."""
_XML: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|!--|!DOCTYPE|rdf:RDF)")
_OWL_XML: Final = re.compile(rb"<(?:\w+:)?Ontology\s[^>]*>")
_IN_TURTLE: Final = re.compile(r"^\s*@?prefix\s+([^\s:]+):\s*<([^<>\s]*)>", re.I | re.M)
_IN_XML: Final = re.compile(r"""\sxmlns:([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_REMOTE: Final = "LoadDocumentCallback"
"""So the library speaks of what it would have to fetch."""
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
_SPELT: Final[Mapping[ox.RdfFormat, re.Pattern[str]]] = {
    ox.RdfFormat.TURTLE: _IN_TURTLE,
    ox.RdfFormat.RDF_XML: _IN_XML,
}


def ontology_texts(paths: Iterable[Path]) -> tuple[str, ...]:
    """Each file as Turtle; BadStatement names the one that can't be read, and why."""
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
            continue  # a term that the board has no words for is told of here, with its file
    except OSError as reason:
        raise _refused(path, reason.strerror or str(reason)) from None
    except (BadGraph, BadStatement) as reason:
        raise _refused(path, reason.message) from None
    known.update(declared)
    return text


def _refused(path: Path, why: str) -> BadStatement:
    if _REMOTE in why:
        why = "its @context is elsewhere, and nothing is fetched: write it into the file"
    return BadStatement(f"the ontology file {path} can't be read: {why}", file=str(path))


def _bytes(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise BadGraph("it is no file")
    return path.read_bytes()


def _kind(path: Path, data: bytes) -> ox.RdfFormat:
    """The format, by the end of the name."""
    end = path.suffix.lower()
    if end in (".rdf", ".xml", _OWL) and b"rdf:RDF" not in data and _OWL_XML.search(data):
        raise BadGraph("this is OWL/XML, which is no RDF: save it as RDF/XML or Turtle")
    if end == _OWL:
        end = ".rdf" if _XML.match(data) else ".ttl"
    kind = _KINDS.get(end)
    if kind is None:
        raise BadGraph(f"its name must end in one of {', '.join([*_KINDS, _OWL])}")
    return kind


def _checked(quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
    """The statements, if they can be common sense; BadGraph for one that can't."""
    found = None
    for found in quads:
        if not isinstance(found.graph_name, ox.DefaultGraph):
            raise BadGraph(f"a statement in the graph {found.graph_name} is none of an ontology")
        for term in (found.subject, found.predicate, found.object):
            _check_based(term)
        yield found
    if found is None:
        raise BadGraph("it says nothing")


def _check_based(term: object) -> None:
    iri = term.datatype if isinstance(term, ox.Literal) else term
    if isinstance(iri, ox.NamedNode) and iri.value.startswith(_NO_BASE):
        said = iri.value.removeprefix(_NO_BASE)[:80]
        raise BadGraph(f"<{said}> is relative, and the file has no base (@base, xml:base)")
    if isinstance(term, ox.Triple):
        raise BadGraph("statements about statements are not held here")


def _prefixes(data: bytes, kind: ox.RdfFormat) -> dict[str, str]:
    """The prefixes of a text that was read, the first of each; those that are ours stay ours."""
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
