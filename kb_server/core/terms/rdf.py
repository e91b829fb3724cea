"""Conversion between the board's terms and those of the RDF library."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

import pyoxigraph as ox

from kb_server.core.terms.literals import SHORT, is_literal, split_literal
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import HIDDEN, Names, is_blank
from kb_server.errors import BadStatement

__all__ = ["Translator", "ntriples", "prefixes_in", "read_turtle"]


_OxTerm = ox.NamedNode | ox.BlankNode | ox.Literal


class Translator:
    """Converts terms both ways; recent conversions to the library's terms are cached."""

    def __init__(self, names: Names) -> None:
        self._names: Final = names
        self._short: Final = lru_cache(maxsize=65_536)(self._to_ox)

    def to_ox(self, term: str) -> _OxTerm:
        """Return the library's term for one of the board's."""
        return self._short(term) if len(term) <= SHORT else self._to_ox(term)

    def _to_ox(self, term: str) -> _OxTerm:
        if is_literal(term):
            text, datatype, language = split_literal(term)
            if language:
                return ox.Literal(text, language=language)
            return ox.Literal(text, datatype=ox.NamedNode(self._names.iri(datatype)))
        return ox.BlankNode(term[2:]) if is_blank(term) else ox.NamedNode(self._names.iri(term))

    def from_ox(self, term: object) -> str:
        """Return the board's term for one of the library's; BadStatement for a quoted triple."""
        if isinstance(term, ox.NamedNode):
            return self._names.of_iri(term.value)
        if isinstance(term, ox.BlankNode):
            return f"_:{term.value}"
        if isinstance(term, ox.Literal):
            return self._names.literal(term.value, term.datatype.value, term.language)
        raise BadStatement("statements about statements can't be stored", term=str(term))


def ntriples(statements: Iterable[Statement], names: Names) -> str:
    """Return statements as N-Triples, which any reasoner can read."""
    write = Translator(names).to_ox
    return "".join(f"{write(s)} {write(p)} {write(o)} .\n" for s, p, o in statements)


def prefixes_in(text: str) -> Mapping[str, str]:
    """Return the prefixes that a Turtle text declares."""
    parser = _parser(text)
    for _ in _quads(parser):
        continue
    return {name: iri for name, iri in parser.prefixes.items() if name}


def read_turtle(text: str, names: Names, blank: Iterator[int]) -> Iterator[Statement]:
    """Yield the statements of a Turtle text in order; blank nodes are numbered by `blank`."""
    translator = Translator(names)
    labels: dict[str, str] = {}
    for quad in _quads(_parser(text)):
        terms = [translator.from_ox(t) for t in (quad.subject, quad.predicate, quad.object)]
        for i, term in enumerate(terms):
            if is_blank(term):
                if term not in labels:
                    labels[term] = f"{HIDDEN}{next(blank)}"
                terms[i] = labels[term]
        yield (terms[0], terms[1], terms[2])


def _quads(parser: ox.QuadParser) -> Iterator[ox.Quad]:
    try:
        yield from parser
    except SyntaxError as reason:
        raise BadStatement(f"this is not Turtle: {reason}") from None


def _parser(text: str) -> ox.QuadParser:
    return ox.parse(text.encode(), format=ox.RdfFormat.TURTLE)
