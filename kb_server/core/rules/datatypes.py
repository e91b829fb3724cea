"""Datatypes as membership functions of literals, with the results True, False and None (unknown).

Membership goes by value: a number is a member of every numeric datatype that contains its value.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from kb_server.core.facts.facts import FactView
from kb_server.core.facts.lists import read_list
from kb_server.core.terms.literals import (
    WHOLE_NUMBERS,
    is_literal,
    order,
    same_value,
    split_literal,
    value,
)
from kb_server.core.terms.statements import Statement
from ontology.vocabulary import (
    DATATYPE_COMPLEMENT_OF,
    EQUIVALENT_CLASS,
    INTERSECTION_OF,
    ON_DATATYPE,
    ONE_OF,
    RDFS_DATATYPE,
    RDFS_LITERAL,
    TYPE,
    UNION_OF,
    WITH_RESTRICTIONS,
    XSD_DATE_TIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    XSD_MAX_EXCLUSIVE,
    XSD_MAX_INCLUSIVE,
    XSD_MIN_EXCLUSIVE,
    XSD_MIN_INCLUSIVE,
    XSD_STRING,
)

__all__ = ["DEEPEST", "FACETS", "DataRange", "is_datatype", "read_range"]

DataRange = Callable[[str], bool | None]

_NUMBERS: Final = WHOLE_NUMBERS | {
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    "owl:real",
    "owl:rational",
}
DEEPEST: Final = 50
"""The deepest chain of datatypes defined by other datatypes; a bound on recursion."""
_ALL: Final = RDFS_LITERAL
_FACETS: Final = {
    XSD_MIN_INCLUSIVE: frozenset((0, 1)),
    XSD_MAX_INCLUSIVE: frozenset((-1, 0)),
    XSD_MIN_EXCLUSIVE: frozenset((1,)),
    XSD_MAX_EXCLUSIVE: frozenset((-1,)),
}
"""For each facet the allowed results of `order(value, limit)`."""
_LENGTHS: Final[dict[str, Callable[[int, int], bool]]] = {
    "xsd:length": lambda a, b: a == b,
    "xsd:minLength": lambda a, b: a >= b,
    "xsd:maxLength": lambda a, b: a <= b,
}


FACETS: Final = frozenset(_FACETS) | frozenset(_LENGTHS)
_PARTS: Final = {
    XSD_STRING: frozenset(
        ("xsd:normalizedString", "xsd:token", "xsd:language", "xsd:Name", "xsd:NCName")
    )
    | {"xsd:NMTOKEN"},
    XSD_DATE_TIME: frozenset(("xsd:dateTimeStamp",)),
    "rdf:PlainLiteral": frozenset((XSD_STRING, "rdf:langString")),
}
"""The datatypes contained in others; numeric ones are left out, because they go by value."""
_OTHERS: Final = frozenset(
    (_ALL, "rdf:langString", "rdf:PlainLiteral", "rdf:XMLLiteral", "owl:real", "owl:rational")
)


def is_datatype(term: str, view: FactView) -> bool:
    """Whether a term is a datatype: built-in or declared."""
    return term.startswith("xsd:") or term in _OTHERS or view.holds((term, TYPE, RDFS_DATATYPE))


def read_range(term: str, view: FactView) -> tuple[DataRange, tuple[Statement, ...]] | None:
    """Return a datatype's membership function and its axioms; None if the term is no datatype."""
    return _read(term, view, frozenset())


def _read(
    term: str, view: FactView, above: frozenset[str]
) -> tuple[DataRange, tuple[Statement, ...]] | None:
    if not is_datatype(term, view) or term in above or len(above) > DEEPEST:
        return None
    for word, reader in _DEFINITIONS.items():
        for axiom in view.match(term, word, None):
            made = reader(term, axiom[2], view, above | {term})
            if made is not None:
                return made[0], (axiom, (term, TYPE, RDFS_DATATYPE), *made[1])
    same = EQUIVALENT_CLASS
    for axiom in (*view.match(term, same, None), *view.match(None, same, term)):
        made = _read(axiom[0] if axiom[2] == term else axiom[2], view, above | {term})
        if made is not None:
            return made[0], (axiom, *made[1])
    declared = (term, TYPE, RDFS_DATATYPE)
    return _named(term), (declared,) if view.holds(declared) else ()


def _named(name: str) -> DataRange:
    def member(literal: str) -> bool | None:
        if not is_literal(literal):
            return None
        if name == _ALL:
            return True
        if name in _NUMBERS:
            number = value(literal)
            if isinstance(number, bool) or not isinstance(number, Decimal | float):
                return False
            return name not in WHOLE_NUMBERS or _is_whole(name, number)
        own = split_literal(literal)[1]
        if own == name or own in _PARTS.get(name, ()):
            return value(literal) is not None
        return False if name.startswith("xsd:") or name in _OTHERS else None

    return member


def _is_whole(name: str, number: Decimal | float) -> bool:
    if not isinstance(number, Decimal) or number != number.to_integral_value():
        return False
    return value(f'"{int(number)}"^^{name}') is not None


def _facets(
    term: str, base: str, view: FactView, above: frozenset[str]
) -> tuple[DataRange, tuple[Statement, ...]] | None:
    inner = _read(base, view, above)
    for axiom in view.match(term, WITH_RESTRICTIONS, None):
        read = read_list(axiom[2], view)
        if inner is None or read is None:
            continue
        facets = [f for node in read.members for f in view.match(node, None, None)]
        return _with_facets(inner[0], facets), (axiom, *inner[1], *read.axioms, *facets)
    return None


def _with_facets(base: DataRange, facets: list[Statement]) -> DataRange:
    def member(literal: str) -> bool | None:
        verdicts = [base(literal)] + [_obeys(literal, word, limit) for _, word, limit in facets]
        if any(v is False for v in verdicts):
            return False
        return None if None in verdicts else True

    return member


def _obeys(literal: str, facet: str, limit: str) -> bool | None:
    if not is_literal(literal) or not is_literal(limit):
        return None
    if facet in _FACETS:
        lies = order(literal, limit)
        return None if lies is None else lies in _FACETS[facet]
    bound = value(limit)
    if facet in _LENGTHS and isinstance(bound, Decimal):
        return _LENGTHS[facet](len(split_literal(literal)[0]), int(bound))
    return None


def _one_of(
    _term: str, head: str, view: FactView, _above: frozenset[str]
) -> tuple[DataRange, tuple[Statement, ...]] | None:
    read = read_list(head, view)
    if read is None:
        return None

    def member(literal: str) -> bool | None:
        if not is_literal(literal):
            return None
        return any(is_literal(m) and same_value(literal, m) for m in read.members)

    return member, read.axioms


def _combined(
    combine: Callable[[list[bool | None]], bool | None],
) -> Callable[[str, str, FactView, frozenset[str]], tuple[DataRange, tuple[Statement, ...]] | None]:
    def reader(
        _term: str, head: str, view: FactView, above: frozenset[str]
    ) -> tuple[DataRange, tuple[Statement, ...]] | None:
        read = read_list(head, view)
        parts = [_read(m, view, above) for m in read.members] if read else [None]
        made = [part for part in parts if part is not None]
        if read is None or len(made) != len(parts):
            return None
        axioms = tuple(a for part in made for a in part[1])
        return (lambda literal: combine([part[0](literal) for part in made])), (
            *read.axioms,
            *axioms,
        )

    return reader


def _every(verdicts: list[bool | None]) -> bool | None:
    return False if False in verdicts else (None if None in verdicts else True)


def _some(verdicts: list[bool | None]) -> bool | None:
    return True if True in verdicts else (None if None in verdicts else False)


def _complement(
    _term: str, other: str, view: FactView, above: frozenset[str]
) -> tuple[DataRange, tuple[Statement, ...]] | None:
    inner = _read(other, view, above)
    if inner is None:
        return None

    def member(literal: str) -> bool | None:
        verdict = inner[0](literal)
        return None if verdict is None else not verdict

    return member, inner[1]


_DEFINITIONS: Final = {
    ON_DATATYPE: _facets,
    ONE_OF: _one_of,
    UNION_OF: _combined(_some),
    INTERSECTION_OF: _combined(_every),
    DATATYPE_COMPLEMENT_OF: _complement,
}
