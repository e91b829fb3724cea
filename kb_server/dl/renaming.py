"""Renaming the terms of statements for Pellet, and back.

- Every IRI is replaced by `<urn:m#n17>`. Pellet's explanations contain only local names, which
  would be ambiguous, and unusual names could break its parsers.
- Blank nodes that stand for individuals, rules or variables of rules get such a name too, because
  Pellet does not print their labels. This preserves entailment: an unnamed individual and one with
  a fresh name are equivalent. Blank nodes that are parts of expressions stay blank.
- Annotations are left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kb_server.dl.answers import Triple
from kb_server.dl.decimals import by_value
from kb_server.dl.ntriples import literal
from kb_server.dl.vocabulary import (
    ANNOTATION_PROPERTY,
    ANNOTATIONS,
    BUILT_IN,
    REMARKS,
    RULE_PARTS,
    TYPE,
)

_SPACE = "urn:m#"


@dataclass(frozen=True)
class RenamedStatement:
    """One statement: `real` as given, `shown` as Pellet gets it."""

    real: Triple
    shown: Triple


@dataclass(frozen=True)
class Disguise:
    """Renamed statements, and the map back to the real terms."""

    statements: Sequence[RenamedStatement]
    names: Mapping[str, str]
    """Maps a substitute name, such as `n17`, to the real term."""
    stem: str

    def real_name(self, iri: str) -> str:
        """Return the real bare IRI of an IRI that Pellet wrote."""
        term = self.names.get(iri.removeprefix(_SPACE))
        return term[1:-1] if term and term.startswith("<") else iri

    def names_in(self, text: str) -> list[str]:
        """Return the substitute names in Pellet's text, in order, without quoted parts."""
        return re.findall(rf"\b({self.stem}\d+)\b", re.sub(r'"(?:[^"\\]|\\.)*"', "", text))

    def term(self, word: str) -> str:
        """Return the substitute term that Pellet writes as a word."""
        return f"<{_SPACE}{word}>"

    def readable(self, text: str) -> str:
        """Return Pellet's text with short real names."""

        def short(match: re.Match[str]) -> str:
            term = self.names.get(match[1], match[0])
            return re.split(r"[#/]", term.strip("<>"))[-1] or term

        return re.sub(rf"(?:{_SPACE})?\b({self.stem}\d+)\b", short, text)


def disguise(statements: Iterable[Triple]) -> Disguise:
    """Rename the statements that matter to a reasoner."""
    real = list(_meaningful(list(statements)))
    stem = _unused_stem(real)
    named = _unnamed_individuals(real)
    false: dict[str, str] = {}

    def show(term: str) -> str:
        if term in named or (term.startswith("<") and not term.startswith(BUILT_IN)):
            return f"<{_SPACE}{false.setdefault(term, f'{stem}{len(false)}')}>"
        parts = literal(term) if term.startswith('"') else None
        if parts and parts[1] and not f"<{parts[1]}>".startswith(BUILT_IN):
            return f"{parts[0]}^^{show(f'<{parts[1]}>')}"
        return by_value(term)

    shown = [RenamedStatement((s, p, o), (show(s), show(p), show(o))) for s, p, o in real]
    return Disguise(shown, {name: term for term, name in false.items()}, stem)


def is_fact(statement: Triple) -> bool:
    """Whether a renamed statement is a fact about an individual, complete in itself."""
    subject, predicate, object_ = statement
    return subject.startswith(f"<{_SPACE}") and (
        not predicate.startswith(BUILT_IN)
        or predicate.endswith(("#sameAs>", "#differentFrom>"))
        or (predicate == TYPE and object_.startswith((f"<{_SPACE}", "_:")))
    )


def _meaningful(statements: Sequence[Triple]) -> Iterator[Triple]:
    remarks = {s for s, p, o in statements if p == TYPE and o in REMARKS}
    notes = {s for s, p, o in statements if p == TYPE and o == ANNOTATION_PROPERTY} | ANNOTATIONS
    for s, p, o in statements:
        if p not in notes and s not in remarks:
            yield s, p, o


def _unused_stem(statements: Iterable[Triple]) -> str:
    taken = set(re.findall(r"\bn+(?=\d)", "\n".join(map(" ".join, statements))))
    return "n" * (max(map(len, taken), default=0) + 1)


def _unnamed_individuals(statements: Iterable[Triple]) -> set[str]:
    """Return the blank nodes that stand for individuals, rules or variables of rules."""
    found = set()
    for s, p, o in statements:
        ours = not p.startswith(BUILT_IN)
        if ours or (
            p == TYPE and (o in RULE_PARTS or o.startswith("_:") or not o.startswith(BUILT_IN))
        ):
            found.add(s)
        if ours:
            found.add(o)
    return {term for term in found if term.startswith("_:")}
