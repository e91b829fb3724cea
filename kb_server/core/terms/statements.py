"""Statements and patterns: three terms, read from text or a list, in one normal form."""

from collections.abc import Iterable, Sequence
from typing import Final

from kb_server.core.terms.literals import is_literal
from kb_server.core.terms.terms import ANY, HIDDEN, Names, is_blank, is_variable, shown
from kb_server.errors import BadStatement
from ontology.vocabulary import TYPE

__all__ = [
    "Pattern",
    "Statement",
    "TermOrAny",
    "named_variables",
    "nameless",
    "read_pattern",
    "read_statement",
    "variables",
    "write",
]

Statement = tuple[str, str, str]
Pattern = tuple[str, str, str]
TermOrAny = str | None
"""A term in one place of a statement; None stands for any."""

_PLACES: Final = ("subject", "predicate", "object")


def read_statement(text: object, names: Names) -> Statement:
    """Read a statement from a text or a list of three texts; BadStatement if it has a variable.

    >>> read_statement("ball a Ball", Names())
    ('ball', 'rdf:type', 'Ball')
    """
    statement = read_pattern(text, names)
    if any(map(is_variable, statement)):
        raise BadStatement(
            f"{shown(str(text))} has a variable; only patterns may have variables",
            statement=str(text)[:200],
        )
    if any(term.startswith(HIDDEN) for term in statement):
        raise BadStatement(
            f"{shown(str(text))}: nodes {HIDDEN}… are reserved for the ontology",
            statement=str(text)[:200],
        )
    return statement


def read_pattern(text: object, names: Names) -> Pattern:
    """Read a pattern from a text or a list of three texts; `?x` and `*` stand for any term."""
    subject, predicate, thing = _three_parts(text)
    term = names.term
    read = (
        term(subject),
        TYPE if predicate == "a" else term(predicate),
        term(thing),
    )
    if read[0] != ANY and is_literal(read[0]):
        raise BadStatement(
            f"{shown(str(text))}: a literal cannot be a subject", statement=str(text)[:200]
        )
    if read[1] != ANY and (is_literal(read[1]) or is_blank(read[1])):
        raise _refused(text, "is not a statement: a predicate must be a name")
    return read


def write(statement: Pattern) -> str:
    """Return the normal form of a statement, which reads back as the same statement.

    >>> write(("ball", "rdf:type", "Ball")), write(("x", "a", "y"))
    ('ball a Ball', 'x oro:a y')
    """
    subject, predicate, thing = statement
    if predicate == TYPE:
        predicate = "a"
    elif predicate == "a":
        predicate = "oro:a"
    return f"{subject} {predicate} {thing}"


def variables(patterns: Iterable[Pattern]) -> tuple[str, ...]:
    """Return the variables of some patterns, each once, in order of occurrence."""
    return tuple(dict.fromkeys(t for p in patterns for t in p if t[0] == "?"))


def named_variables(patterns: Iterable[Pattern]) -> tuple[str, ...]:
    """Return the variables of some patterns without those made from `*`."""
    return tuple(v for v in variables(patterns) if not v.startswith("?*"))


def nameless(patterns: Sequence[Pattern]) -> tuple[Pattern, ...]:
    """Return the patterns with each `*` replaced by a new variable, whose name no text can have.

    >>> nameless([("ball", "isIn", "*")])
    (('ball', 'isIn', '?*0'),)
    """
    count = 0
    out = []
    for pattern in patterns:
        terms = []
        for term in pattern:
            terms.append(f"?*{count}" if term == ANY else term)
            count += term == ANY
        out.append((terms[0], terms[1], terms[2]))
    return tuple(out)


def _three_parts(text: object) -> tuple[str, str, str]:
    if isinstance(text, str):
        parts: Sequence[object] = text.strip().split(None, 2)
    elif isinstance(text, list | tuple):
        parts = text
    else:
        raise BadStatement(
            "a statement must be a text, or a list of three texts", statement=repr(text)[:200]
        )
    if len(parts) != 3:
        raise BadStatement(
            f"{shown(str(text))} has {len(parts)} terms, not three", statement=str(text)[:200]
        )
    for part, place in zip(parts, _PLACES, strict=True):
        if not isinstance(part, str) or not part:
            raise BadStatement(
                f"the {place} of {shown(str(text))} is not a text", statement=repr(text)[:200]
            )
    return (str(parts[0]), str(parts[1]), str(parts[2]))


def _refused(text: object, why: str) -> BadStatement:
    given = text if isinstance(text, str) else repr(text)
    return BadStatement(f"{shown(given)} {why}", statement=given[:200])
