"""Literals: their normal form, their value, and comparisons of values.

A literal is written as in Turtle. All spellings of one value and datatype have one normal form
(`0.30` becomes `0.3`), so terms can be compared as texts. Values of different datatypes are
compared by `value` (`0.2` lies in [0.1, 0.3] whatever its datatype).
"""

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final, TypeVar

from kb_server.core.terms.canonical import plain_decimal, plain_float, stored
from kb_server.core.terms.moments import Moment, read_moment
from ontology.vocabulary import (
    XSD_BOOLEAN,
    XSD_DATE_TIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    XSD_INTEGER,
    XSD_STRING,
)

__all__ = [
    "SHORT",
    "WHOLE_NUMBERS",
    "LiteralValue",
    "is_literal",
    "is_number",
    "is_well_typed",
    "normal_literal",
    "order",
    "same_value",
    "split_literal",
    "value",
]

_Ordered = TypeVar("_Ordered", Decimal, str)
LiteralValue = Decimal | float | str | bool | Moment | tuple[str, str]

_LITERAL: Final = re.compile(
    r'"(?P<text>(?:[^"\\]|\\.)*)"'
    r"(?:@(?P<lang>[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)|\^\^(?P<type>\S+))?\Z",
    re.DOTALL,
)
_INTEGER: Final = re.compile(r"[+-]?[0-9]+\Z")
_DECIMAL: Final = re.compile(r"[+-]?[0-9]*\.[0-9]+\Z")
_DECIMAL_LEXICAL: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\Z")
_DOUBLE: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+\Z")
_FLOAT_LEXICAL: Final = re.compile(
    r"(?:[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN)\Z"
)
_ESCAPE: Final = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPED: Final = {
    "t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\",
}  # fmt: skip
_QUOTED: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_UNBOUNDED: Final = (None, None)
_INTEGERS: Final[dict[str, tuple[int | None, int | None]]] = {
    XSD_INTEGER: _UNBOUNDED,
    "xsd:nonNegativeInteger": (0, None),
    "xsd:positiveInteger": (1, None),
    "xsd:nonPositiveInteger": (None, 0),
    "xsd:negativeInteger": (None, -1),
    "xsd:long": (-(2**63), 2**63 - 1),
    "xsd:int": (-(2**31), 2**31 - 1),
    "xsd:short": (-(2**15), 2**15 - 1),
    "xsd:byte": (-128, 127),
    "xsd:unsignedLong": (0, 2**64 - 1),
    "xsd:unsignedInt": (0, 2**32 - 1),
    "xsd:unsignedShort": (0, 2**16 - 1),
    "xsd:unsignedByte": (0, 255),
}
WHOLE_NUMBERS: Final = frozenset(_INTEGERS)
_NUMERIC: Final = WHOLE_NUMBERS | {XSD_DECIMAL, XSD_DOUBLE, XSD_FLOAT}
_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}
SHORT: Final = 200
"""Characters of the longest term that is cached, so that the caches stay small."""
_MOST_DIGITS: Final = 400  # longer numbers keep their spelling, and no arithmetic is done on them


def is_literal(term: str) -> bool:
    """Whether a term in normal form is a literal, decided by its first character.

    >>> [is_literal(t) for t in ('"text"', "1.5", "true", "ball", "<http://a.b/c>")]
    [True, True, True, False, False]
    """
    return term < ":" or term == "true" or term == "false"


def is_number(term: str) -> bool:
    """Whether a term is a literal with a number as its value.

    >>> [is_number(t) for t in ("3", '"3"^^xsd:float', '"3"', "true", "ball")]
    [True, True, False, False, False]
    """
    if not is_literal(term) or term == "true" or term == "false":
        return False
    return isinstance(value(term), Decimal | float)


def split_literal(term: str) -> tuple[str, str, str]:
    """Return the text, datatype and language of a literal in normal form.

    >>> split_literal("1.5"), split_literal('"hello"@en')
    (('1.5', 'xsd:decimal', ''), ('hello', 'rdf:langString', 'en'))
    """
    return _split_short(term) if len(term) <= SHORT else _split(term)


def _split(term: str) -> tuple[str, str, str]:
    bare = _bare_type(term)
    if bare:
        return term, bare, ""
    match = _LITERAL.match(term)
    if match is None:
        raise ValueError(f"not a literal: {term!r}")
    text = _unescape(match["text"])
    if match["lang"]:
        return text, "rdf:langString", match["lang"].lower()
    return text, match["type"] or XSD_STRING, ""


def normal_literal(text: str, datatype: str, language: str = "") -> str:
    """Return the normal form of a literal, given its text, datatype (a term) and language.

    >>> normal_literal("+012", "xsd:integer"), normal_literal("1.50", "xsd:decimal")
    ('12', '1.5')
    >>> normal_literal("1.5", "xsd:double"), normal_literal("1000", "xsd:double")
    ('"1.5"^^xsd:double', '1e3')
    """
    if language:
        return f'"{text.translate(_QUOTED)}"@{language.lower()}'
    if datatype == XSD_STRING:
        return f'"{text.translate(_QUOTED)}"'
    text, datatype = _canonical(text, datatype)
    if _bare_type(text) == datatype:
        return text
    return f'"{text.translate(_QUOTED)}"^^{datatype}'


def value(term: str) -> LiteralValue | None:
    """Return the value of a literal; None if its text is not valid for its datatype.

    >>> value("0.2") == value('"0.20"^^xsd:decimal')
    True
    """
    return _value_short(term) if len(term) <= SHORT else _value(term)


def _value(term: str) -> LiteralValue | None:
    text, datatype, language = split_literal(term)
    if language:
        return (text, f"@{language}")
    number = _number(text, datatype)
    if number is not None or datatype in _NUMERIC:
        return number
    if datatype == XSD_BOOLEAN:
        return _BOOLEANS.get(text)
    if datatype == XSD_STRING:
        return text
    if datatype in (XSD_DATE_TIME, "xsd:date", "xsd:dateTimeStamp"):
        return read_moment(text, datatype)
    return (text, datatype)


def same_value(a: str, b: str) -> bool:
    """Whether two literals have equal values; numbers are compared across datatypes."""
    if a == b:
        return True
    left, right = value(a), value(b)
    if isinstance(left, bool) != isinstance(right, bool):
        return False
    return left is not None and left == right


def order(a: str, b: str) -> int | None:
    """Return -1, 0 or 1 if the first value is less, equal or greater; None if not comparable.

    >>> order("2", "10"), order("0.50", "5e-1"), order('"b"', '"a"'), order("1", '"a"')
    (-1, 0, 1, None)
    """
    left, right = value(a), value(b)
    if isinstance(left, Decimal | float) and isinstance(right, Decimal | float):
        return _order(Decimal(left), Decimal(right)) if left == left and right == right else None
    if isinstance(left, str) and isinstance(right, str):
        return _order(left, right)
    if isinstance(left, Moment) and isinstance(right, Moment) and left.zoned == right.zoned:
        return _order(left.seconds, right.seconds)
    return None


def _order(left: _Ordered, right: _Ordered) -> int:
    return (left > right) - (left < right)


def is_well_typed(term: str) -> bool:
    """Whether a literal's text is valid for its datatype."""
    text, datatype, _ = split_literal(term)
    return value(term) is not None or (datatype in _NUMERIC and _is_long_number(text))


def _is_long_number(text: str) -> bool:
    """Whether a text is a number with more digits than the arithmetic here supports."""
    return len(text) > _MOST_DIGITS and _DECIMAL_LEXICAL.match(text) is not None


def _bare_type(text: str) -> str:
    if text in ("true", "false"):
        return XSD_BOOLEAN
    if _INTEGER.match(text):
        return XSD_INTEGER
    if _DECIMAL.match(text):
        return XSD_DECIMAL
    return XSD_DOUBLE if _DOUBLE.match(text) else ""


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "uU" and len(code) > 1:
        point = int(code[1:], 16)
        if point > 0x10FFFF or 0xD800 <= point <= 0xDFFF:
            raise ValueError(f"\\{code} is not a character")
        return chr(point)
    if code not in _ESCAPED:
        raise ValueError(f"\\{code} is not an escape")
    return _ESCAPED[code]


def _number(text: str, datatype: str) -> Decimal | float | None:
    if len(text) > _MOST_DIGITS:
        return None
    if datatype in _INTEGERS:
        return _bounded(text, _INTEGERS[datatype])
    if datatype == XSD_DECIMAL:
        return Decimal(text) if _DECIMAL_LEXICAL.match(text) else None
    if datatype in (XSD_DOUBLE, XSD_FLOAT) and _FLOAT_LEXICAL.match(text):
        number = float(text.replace("INF", "inf"))
        return Decimal(repr(number)) if number - number == 0 else number
    return None


def _bounded(text: str, bounds: tuple[int | None, int | None]) -> Decimal | None:
    if not _INTEGER.match(text):
        return None
    low, high = bounds
    number = int(text)
    fits = (low is None or low <= number) and (high is None or number <= high)
    return Decimal(number) if fits else None


def _canonical(text: str, datatype: str) -> tuple[str, str]:
    """Return the canonical text and datatype; a text that is invalid for its datatype is kept."""
    number = _number(text, datatype)
    if datatype == XSD_BOOLEAN and text in _BOOLEANS:
        return ("true" if _BOOLEANS[text] else "false"), datatype
    if number is None:
        ill = datatype in _NUMERIC or not datatype.startswith("xsd:")
        return (text, datatype) if ill else (stored(text, datatype), datatype)
    if datatype in _INTEGERS:
        return str(int(number)), XSD_INTEGER
    if isinstance(number, Decimal) and datatype == XSD_DECIMAL:
        return plain_decimal(number), datatype
    exact = stored(text, datatype) if datatype == XSD_FLOAT else text
    return plain_float(float(exact.replace("INF", "inf"))), datatype


_split_short: Final = lru_cache(maxsize=65_536)(_split)
_value_short: Final = lru_cache(maxsize=65_536)(_value)
