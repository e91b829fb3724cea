"""The words of the W3C that the DL engine itself must know."""

from ontology.vocabulary import PREFIXES

RDF, RDFS, OWL = PREFIXES["rdf"], PREFIXES["rdfs"], PREFIXES["owl"]
XSD, SWRL, SWRLB = PREFIXES["xsd"], PREFIXES["swrl"], PREFIXES["swrlb"]
BUILT_IN = tuple(f"<{space}" for space in (RDF, RDFS, OWL, XSD, SWRL, SWRLB))

TYPE = f"<{RDF}type>"
IMP = f"<{SWRL}Imp>"
RULE_PARTS = {IMP, f"<{SWRL}Variable>"}


def owl(*names: str) -> tuple[str, ...]:
    """The terms of OWL by their names.

    >>> owl("sameAs")
    ('<http://www.w3.org/2002/07/owl#sameAs>',)
    """
    return tuple(f"<{OWL}{name}>" for name in names)


def rdfs(*names: str) -> tuple[str, ...]:
    """The terms of RDFS by their names."""
    return tuple(f"<{RDFS}{name}>" for name in names)


# What no model depends on; owl:imports is here because the board's ontology is already whole, and
# nothing is ever fetched.
ANNOTATIONS = {
    *rdfs("label", "comment", "seeAlso", "isDefinedBy"),
    *owl("imports", "versionInfo", "versionIRI", "priorVersion", "deprecated"),
    *owl("backwardCompatibleWith", "incompatibleWith"),
}
REMARKS = {*owl("Ontology", "AnnotationProperty", "Axiom", "Annotation")}
(ANNOTATION_PROPERTY,) = owl("AnnotationProperty")
