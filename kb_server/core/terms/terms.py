"""Terms: the names of things, as texts in one normal form.

A term *is* its normal form: a bare name (`ball`), `prefix:name`, `<iri>`, `_:blank`, a literal as
in Turtle, or, in patterns, `?variable`. So terms are compared as texts, answers need no
translation, and terms that are no longer in use are freed. The road not taken is numbering terms:
it makes facts smaller, but the table of numbers only grows.
"""

import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from kb_server.core.terms.canonical import oxigraph
from kb_server.core.terms.literals import SHORT, is_literal, normal_literal, split_literal
from kb_server.errors import BadStatement
from ontology.vocabulary import PREFIXES, XSD_STRING

__all__ = [
    "ANY",
    "DEFAULT_PREFIX",
    "HIDDEN",
    "MAX_TERM",
    "Names",
    "is_blank",
    "is_iri",
    "is_variable",
    "shown",
]

ANY: Final = "*"
DEFAULT_PREFIX: Final = "oro"
MAX_TERM: Final = 65_536
"""Characters of the longest term."""
HIDDEN: Final = "_:cs-"
"""The prefix of the ontology's blank nodes, which no answer contains."""

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
_PREFIXED: Final = re.compile(
    r"(?P<prefix>[A-Za-z][A-Za-z0-9_-]*):(?P<name>[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)\Z"
)
_IRI: Final = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\\x7f-\x9f\s]*)>\Z")
_BLANK: Final = re.compile(r"_:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?\Z")
_VARIABLE: Final = re.compile(r"\?[A-Za-z_][A-Za-z0-9_]*\Z")
_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]+|[0-9]*\.[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+)\Z"
)
_TEXT: Final = re.compile(
    r'"(?:[^"\\\n\r]|\\.)*"(?:@[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\^\^(?P<type>\S+))?\Z'
)


def is_variable(term: str) -> bool:
    """Whether a term is a variable, `?x` or `*`."""
    return term[0] == "?" or term == ANY


def is_blank(term: str) -> bool:
    return term.startswith("_:")


def is_iri(term: str) -> bool:
    """Whether a term in normal form stands for an IRI."""
    return not (not term or is_literal(term) or is_variable(term) or is_blank(term))


class Names:
    """The prefixes in use, and the conversions between texts, terms and IRIs.

    >>> names = Names()
    >>> names.term("oro:ball"), names.term("<http://kb.openrobots.org#isIn>")
    ('ball', 'isIn')
    >>> names.iri("cyc:near")
    'http://sw.opencyc.org/concept/near'
    """

    def __init__(self, more: Mapping[str, str] | None = None) -> None:
        self.prefixes: Final[Mapping[str, str]] = MappingProxyType({**(more or {}), **PREFIXES})
        self._by_iri: Final = sorted(
            ((iri, prefix) for prefix, iri in self.prefixes.items()),
            key=lambda pair: (-len(pair[0]), pair[1]),
        )
        self._short: Final = lru_cache(maxsize=65_536)(self._read)

    def of_iri(self, iri: str) -> str:
        """Return the term of an IRI: its shortest name."""
        for start, prefix in self._by_iri:
            if iri.startswith(start):
                name = iri[len(start) :]
                if prefix == DEFAULT_PREFIX and _is_bare(name):
                    return sys.intern(name)
                if _PREFIXED.match(f"{prefix}:{name}"):
                    return sys.intern(f"{prefix}:{name}")
        return sys.intern(f"<{iri}>")

    def iri(self, term: str) -> str:
        """Return the IRI of a term in normal form."""
        if term[0] == "<":
            return term[1:-1]
        prefix, colon, name = term.partition(":")
        return self.prefixes[prefix] + name if colon else self.prefixes[DEFAULT_PREFIX] + term

    def agent(self, name: str) -> str:
        """Return the term of an agent, given its name in a model's id."""
        return self.of_iri(self.prefixes[DEFAULT_PREFIX] + name)

    def agent_name(self, term: str) -> str | None:
        """Return an agent's name in a model's id; None if its term is of another namespace."""
        if is_literal(term) or is_blank(term):
            return None
        start, iri = self.prefixes[DEFAULT_PREFIX], self.iri(term)
        return iri[len(start) :] if iri.startswith(start) else None

    def literal(self, text: str, datatype_iri: str, language: str | None) -> str:
        """Return the term of a literal, given its parts as in an RDF library."""
        return sys.intern(normal_literal(text, self.of_iri(datatype_iri), language or ""))

    def term(self, text: str) -> str:
        """Return the normal form of a term's text; BadStatement if it is no term."""
        return self._short(text) if len(text) <= SHORT else self._read(text)

    def _read(self, text: str) -> str:
        if len(text) > MAX_TERM:
            raise BadStatement(f"a term has {len(text)} characters; at most {MAX_TERM} are allowed")
        if _is_bare(text):
            return sys.intern(text)
        for pattern, read in self._readers:
            match = pattern.match(text)
            if match:
                return sys.intern(read(self, text, match))
        raise BadStatement(f"{shown(text)} is not a term: {_EXPECTED}", term=shown(text))

    def _read_prefixed(self, text: str, match: re.Match[str]) -> str:
        if match["prefix"] not in self.prefixes:
            known = ", ".join(sorted(self.prefixes))
            raise BadStatement(
                f"unknown prefix {match['prefix']!r} in {shown(text)}; known: {known}", term=text
            )
        return self.of_iri(self.prefixes[match["prefix"]] + match["name"])

    def _read_iri(self, text: str, match: re.Match[str]) -> str:
        try:
            return self.of_iri(oxigraph().NamedNode(match[1]).value)
        except ValueError as reason:
            raise BadStatement(f"{shown(text)} is not an IRI: {reason}") from None

    def _read_text(self, text: str, match: re.Match[str]) -> str:
        try:
            text.encode()
            datatype = self._datatype(match["type"] or XSD_STRING)
            content, _, language = split_literal(text)
            if language:
                oxigraph().Literal(content, language=language)
        except (ValueError, UnicodeEncodeError) as reason:
            raise BadStatement(f"{shown(text)} is not a literal: {reason}") from None
        return normal_literal(content, datatype, language)

    def _datatype(self, text: str) -> str:
        datatype = "" if text[0] == '"' else self.term(text)
        if not is_iri(datatype):
            raise BadStatement(f"a datatype must be a name, not {shown(text)}", term=text[:200])
        return datatype

    def _read_number(self, text: str, _match: re.Match[str]) -> str:
        return normal_literal(text, split_literal(text)[1])

    def _read_plain(self, text: str, _match: re.Match[str]) -> str:
        return text

    _readers: Final = (
        (_VARIABLE, _read_plain),
        (re.compile(r"\*\Z|true\Z|false\Z"), _read_plain),
        (_NUMBER, _read_number),
        (_TEXT, _read_text),
        (_BLANK, _read_plain),
        (_PREFIXED, _read_prefixed),
        (_IRI, _read_iri),
    )


_EXPECTED: Final = (
    "a name, prefix:name, <absolute-iri>, _:blank, ?variable, *, a number, "
    'true, false, "text", "text"@en or "text"^^datatype is expected'
)


def _is_bare(text: str) -> bool:
    return _NAME.match(text) is not None and text != "true" and text != "false"


def shown(text: str) -> str:
    """Return a text for a message: quoted, and at most 80 characters."""
    shown = text if len(text) <= 80 else text[:77] + "..."
    return repr(shown.encode("utf-8", "backslashreplace").decode())
