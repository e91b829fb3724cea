"""Terms of every form, drawn at random in some spelling a person might use."""

from datetime import timedelta, timezone
from decimal import Decimal
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["contents", "moments", "names", "numbers", "objects", "spelled", "subjects"]

_NAME: Final = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,8}", fullmatch=True)
_LOCAL: Final = st.from_regex(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,5}[A-Za-z0-9_-])?", fullmatch=True)
_PREFIX: Final = st.sampled_from(("rdf", "rdfs", "owl", "xsd", "swrl", "cyc", "oro", "model"))
_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}

names: Final[SearchStrategy[str]] = st.one_of(
    _NAME.filter(lambda name: name not in ("true", "false")),
    st.tuples(_PREFIX, _LOCAL).map(":".join),
    st.tuples(
        st.sampled_from(("http://kb.openrobots.org#", "http://x.org/", "urn:", "http://ü.org/é/")),
        st.from_regex(r"[A-Za-z0-9_.~-]{1,8}", fullmatch=True),
    ).map(lambda parts: f"<{parts[0]}{parts[1]}>"),
)

contents: Final[SearchStrategy[str]] = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from('"\\\n\r\t\b\f\x00\x85\u2028\u00a0* ?'))
)


def _raw(char: str) -> str:
    return "\\" + char if char in '"\\' else _SHORT.get(char, char)


def _by_number(char: str) -> str:
    return f"\\u{ord(char):04X}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def _quoted(content: str) -> SearchStrategy[str]:
    """A text in quotes, each character as itself or by an escape."""
    ways = st.lists(
        st.sampled_from((_raw, _raw, _by_number)), min_size=len(content), max_size=len(content)
    )
    return ways.map(
        lambda chosen: '"' + "".join(way(c) for way, c in zip(chosen, content, strict=True)) + '"'
    )


def _with_point(number: Decimal) -> str:
    text = format(number, "f")
    return text if "." in text else text + ".0"


def _with_power(number: float) -> str:
    text = f"{number!r}"
    return text if "e" in text else text + "e0"


def _in_quotes(number: float) -> str:
    text = f"{number!r}".replace("inf", "INF").replace("nan", "NaN")
    return f'"{text}"^^xsd:double'


spelled: Final[SearchStrategy[tuple[str, str]]] = contents.flatmap(
    lambda content: st.tuples(st.just(content), _quoted(content))
)
"""A text, and one way to write it."""

_INTEGER: Final = st.one_of(
    st.integers().map(str),
    st.integers(-(10**60), 10**60).map(str),
    st.tuples(st.sampled_from("+-"), st.integers(0, 10**20)).map(lambda t: f"{t[0]}00{t[1]}"),
)
_DECIMAL: Final = (
    st.decimals(allow_nan=False, allow_infinity=False)
    .filter(lambda number: -200 < int(number.as_tuple().exponent) < 200)
    .map(_with_point)
)
_DOUBLE: Final = st.floats(allow_nan=False, allow_infinity=False).map(_with_power)

numbers: Final[SearchStrategy[str]] = st.one_of(
    _INTEGER,
    _DECIMAL,
    _DOUBLE,
    st.sampled_from(("1e3", "1E+03", ".5", "-.5e-7", "5e-324", "1.7976931348623157e308", "-0e0")),
    st.floats().map(_in_quotes),
    _INTEGER.map(lambda text: f'"{text}"^^xsd:integer'),
    _INTEGER.map(lambda text: f'"{text}"^^xsd:decimal'),
    _INTEGER.map(lambda text: f'"{text}"^^<http://www.w3.org/2001/XMLSchema#double>'),
)

_HOURS: Final = st.integers(-12, 14).map(lambda hours: timezone(timedelta(hours=hours)))
moments: Final[SearchStrategy[str]] = st.tuples(
    st.datetimes(),
    st.none() | _HOURS,
    st.sampled_from(("seconds", "milliseconds", "microseconds")),
).map(lambda t: f'"{t[0].replace(tzinfo=t[1]).isoformat(timespec=t[2])}"^^xsd:dateTime')

_TEXTS: Final = spelled.map(lambda pair: pair[1])
_LANGUAGE: Final = st.sampled_from(("en", "EN-gb", "de-CH-1996", "zh-Hant", "fr"))

subjects: Final[SearchStrategy[str]] = st.one_of(
    names, st.from_regex(r"_:[A-Za-z0-9]([A-Za-z0-9_.-]{0,5}[A-Za-z0-9_-])?", fullmatch=True)
)
objects: Final[SearchStrategy[str]] = st.one_of(
    subjects,
    numbers,
    moments,
    _TEXTS,
    st.tuples(_TEXTS, _LANGUAGE).map("@".join),
    st.tuples(_TEXTS, names).map("^^".join),
    st.sampled_from(
        ("true", "false", '"1"^^xsd:boolean', '"yes"^^xsd:boolean', '"x"^^xsd:integer')
    ),
)
