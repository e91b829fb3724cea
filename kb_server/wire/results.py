"""The terms of SPARQL results in JSON, converted to the board's notation."""

from collections.abc import Mapping

from kb_server.core.terms.terms import Names

__all__ = ["term_of"]


def term_of(found: Mapping[str, str], names: Names) -> str:
    """Return a term of a row in the board's notation.

    >>> term_of({"type": "literal", "value": "4"}, Names())
    '"4"'
    """
    if found["type"] == "uri":
        return names.of_iri(found["value"])
    if found["type"] == "bnode":
        return f"_:{found['value']}"
    datatype = found.get("datatype", names.iri("xsd:string"))
    return names.literal(found["value"], datatype, found.get("xml:lang"))
