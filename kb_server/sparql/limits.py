"""The checks before parsing: refuse texts that would crash the engine, or stall its planner.

Measured with pyoxigraph 0.5.13 on a stack of 8 MB: it crashes at about 2 170 nested groups, 5 000
nested parentheses, 2 600 OPTIONALs or 6 500 UNIONs in a row. The time of planning grows with the
third or fourth power of the triple patterns in a group: 0.4 s for 100 similar ones, 7 s for 200,
minutes for 300. A costly query that passes these checks is stopped by the worker's limits of time
and memory.

SERVICE and LOAD are refused as parts of any word, because Oxigraph reads `trueSERVICE` as two
words. In an expression, `?a <#x> '...` is "less than" and a comment to the engine, but an IRI and a
string to the tokeniser. If a text may be read both ways, the letters SERVICE and LOAD are refused
anywhere in it.
"""

import re
from collections.abc import Sequence
from typing import Final

from kb_server.errors import QueryTooLarge, Refused
from kb_server.sparql.errors import bad_query
from kb_server.sparql.settings import Limits
from kb_server.sparql.tokens import Token, tokens

__all__ = ["checked"]

_OPENING: Final = {"{": "}", "(": ")", "[": "]"}
_CLOSING: Final = frozenset(_OPENING.values())
_NESTING: Final = frozenset(("{", "(", "[", "<<", "<<("))
_UNNESTING: Final = frozenset(("}", ")", "]", ">>", ")>>"))
"""Brackets and quoted triples; deeply nested quoted triples keep the parser busy for minutes."""
_OPERATORS: Final = frozenset(["+", "-", "*", "/", "|", "||", "&&", "!", "^", "=", "<", ">", "?"])
_NOT_OPERANDS: Final = _OPERATORS | {"(", ",", "{", "}", "&", ";"}
_COUNTED: Final = ("OPTIONAL", "UNION", "MINUS", "FILTER", "BIND", "EXISTS", "SELECT", "GRAPH")
_OUTSIDE: Final = ("SERVICE", "LOAD")
_DOUBTFUL: Final = re.compile(r"<[^<>]*['#]")


def checked(text: str, limits: Limits, update: bool = False) -> list[Token]:
    """Return the tokens of a text that may be parsed; else raise QueryTooLarge or Refused."""
    allowed = limits.update_bytes if update else limits.query_bytes
    try:
        size = len(text.encode())
    except UnicodeEncodeError as reason:
        raise bad_query(reason) from None
    if size > allowed:
        raise _too_large("bytes", size, allowed)
    found = list(tokens(text))
    _check_nesting(found, limits.nesting)
    _check_outside(text, found)
    _check_words(found, limits)
    _check_patterns(found, limits)
    return found


def _too_large(what: str, found: int, allowed: int) -> QueryTooLarge:
    return QueryTooLarge(
        f"{found} {what}; at most {allowed} are allowed", what=what, found=found, allowed=allowed
    )


def _check_nesting(found: Sequence[Token], allowed: int) -> None:
    depth = 0
    for token in found:
        if token.kind == "mark":
            depth += (token.text in _NESTING) - (token.text in _UNNESTING)
        # `<…>` may be an expression between "less than" and "greater than" instead of an IRI.
        hidden = token.text.count("(") if token.kind == "iri" else 0
        if depth + hidden > allowed:
            raise _too_large("nested brackets", depth + hidden, allowed)


def _check_outside(text: str, found: Sequence[Token]) -> None:
    words = [token.text.upper() for token in found if token.kind == "word"]
    seen = [text.upper()] if _may_be_misread(found) else words
    for outside in _OUTSIDE:
        if any(outside in word for word in seen):
            raise Refused(f"{outside} reaches outside the store", word=outside)


def _may_be_misread(found: Sequence[Token]) -> bool:
    """Whether a token read as an IRI, after an operand in parentheses, may be an expression."""
    open_, before = [""], ""
    for token in found:
        doubtful = token.kind == "iri" and _DOUBTFUL.match(token.text)
        if doubtful and open_[-1] == "(" and before not in _NOT_OPERANDS:
            return True
        if token.word in _OPENING:
            open_.append(token.word)
        elif token.word in _CLOSING and len(open_) > 1:
            open_.pop()
        before = token.word
    return False


def _check_words(found: Sequence[Token], limits: Limits) -> None:
    words = [token.text.upper() for token in found if token.kind == "word"]
    allowed = {"OPTIONAL": limits.optional, "UNION": limits.union}
    for word in _COUNTED:
        number = sum(other.count(word) for other in words)
        most = allowed.get(word, limits.clauses)
        if number > most:
            raise _too_large(f"{word} clauses", number, most)


def _check_patterns(found: Sequence[Token], limits: Limits) -> None:
    operators = sum(t.kind == "mark" and t.text in _OPERATORS for t in found)
    if operators > limits.operators:
        raise _too_large("operators", operators, limits.operators)
    patterns = _patterns(found)
    if patterns > limits.patterns:
        raise _too_large("triple patterns and steps of paths", patterns, limits.patterns)


def _patterns(found: Sequence[Token]) -> int:
    """Return an upper bound on the triple patterns, counted by the marks that end or continue one.

    Steps of property paths count too. Data (of VALUES, INSERT DATA and DELETE DATA) and expressions
    do not count.
    """
    count, before, data = 0, "", False
    open_: list[str] = []
    for token in found:
        mark = token.text if token.kind == "mark" else ""
        data = data or token.word in ("DATA", "VALUES")
        if mark in _OPENING:
            open_.append(_kind_of_bracket(mark, before, open_, data))
            data = data and open_[-1] != "data"
        elif mark in _CLOSING and open_:
            open_.pop()
        count += _weight(mark, open_[-1] if open_ else "")
        before = token.kind
    return count


def _kind_of_bracket(mark: str, before: str, open_: Sequence[str], data: bool) -> str:
    inside = open_[-1] if open_ else ""
    if inside == "data" or (inside == "expression" and mark != "{"):
        return inside
    if mark == "{":
        return "data" if data else "group"
    if mark == "(":
        return "expression" if data or before == "word" or not open_ else "list"
    return "group"


def _weight(mark: str, inside: str) -> int:
    if inside == "list":
        return 1
    return int(inside == "group" and mark in (".", ";", ",", "/", "{", "["))
