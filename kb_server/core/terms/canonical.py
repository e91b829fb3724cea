"""The canonical spelling of each literal value, equal to that of the SPARQL engine.

The engine stores values instead of spellings: it returns `"2026-01-01T12:00:00.0Z"` without `.0`,
and a whole number of any integer type as an integer. The board uses the same spellings, so both
give equal answers.
"""

from decimal import Decimal
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

from ontology.vocabulary import PREFIXES

__all__ = ["oxigraph", "plain_decimal", "plain_float", "stored"]

_XSD: Final = "xsd:"
_ANY: Final = PREFIXES["oro"]


@cache
def oxigraph() -> ModuleType:
    """The SPARQL engine, imported on first use: most clients never need it."""
    return import_module("pyoxigraph")


def stored(text: str, datatype: str) -> str:
    """Return the text that the SPARQL engine returns for a literal of an XSD datatype.

    >>> stored("2026-01-01T12:00:00.0+00:00", "xsd:dateTime")
    '2026-01-01T12:00:00Z'
    """
    ox = oxigraph()
    kind, thing = ox.NamedNode(PREFIXES["xsd"] + datatype.removeprefix(_XSD)), ox.NamedNode(_ANY)
    store = ox.Store()
    store.add(ox.Quad(thing, thing, ox.Literal(text, datatype=kind)))
    (kept,) = (quad.object for quad in store)
    return str(kept.value) if isinstance(kept, ox.Literal) else text


def plain_decimal(number: Decimal) -> str:
    """Return a decimal with a point and without redundant zeros.

    >>> plain_decimal(Decimal("-0.50")), plain_decimal(Decimal("3"))
    ('-0.5', '3.0')
    """
    whole, _, fraction = format(number, "f").partition(".")
    plain = f"{whole}.{fraction.rstrip('0') or '0'}"
    return "0.0" if number == 0 else plain


def plain_float(number: float) -> str:
    """Return a double in plain notation from 0.001 to 1000, else with an exponent.

    >>> plain_float(1.5), plain_float(1000.0), plain_float(2.5e-7)
    ('1.5', '1e3', '2.5e-7')
    """
    if number - number != 0:
        return "NaN" if number != number else ("INF" if number > 0 else "-INF")
    if number == 0 or 0.001 <= abs(number) < 1000:
        return repr(number)
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    power = int(exponent) + len(digits) - 1
    mantissa = str(digits[0]) + ("." + "".join(map(str, digits[1:])) if digits[1:] else "")
    return f"{'-' if sign else ''}{mantissa}e{power}"
