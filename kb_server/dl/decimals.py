"""Numbers for Pellet: floats and doubles become decimals, so that numbers compare by value.

In OWL, doubles and decimals are disjoint, so no double lies in a facet over decimals. The board
compares by value: 0.2 is in [0.1, 0.3] whatever its datatype. Therefore floats and doubles, both
literals and datatypes, are converted to decimals, which include the integers.
"""

from decimal import Decimal, InvalidOperation

from kb_server.dl.ntriples import literal
from kb_server.dl.vocabulary import XSD

_INEXACT = {f"{XSD}double", f"{XSD}float"}
_DECIMAL = f"{XSD}decimal"
_MOST_DIGITS = 400  # a double has at most 309 before the point; more is a mistake or an attack


def by_value(term: str) -> str:
    """Return a term with doubles and floats converted to decimals.

    >>> by_value('"2e-1"^^<http://www.w3.org/2001/XMLSchema#double>')
    '"0.2"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    """
    if term[1:-1] in _INEXACT:
        return f"<{_DECIMAL}>"
    parts = literal(term)
    if parts is None or parts[1] not in _INEXACT:
        return term
    number = value(parts[0])
    return term if number is None else f'"{number:f}"^^<{_DECIMAL}>'


def value(quoted: str) -> Decimal | None:
    """Return the number in a quoted text; None if it is no number, not finite, or too long."""
    try:
        number = Decimal(quoted[1:-1].strip())
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number.adjusted()) > _MOST_DIGITS:
        return None
    return number
