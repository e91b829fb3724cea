"""The W3C vocabulary that the DL engine uses."""

from ontology.vocabulary import PREFIXES

RDF, RDFS, OWL = PREFIXES["rdf"], PREFIXES["rdfs"], PREFIXES["owl"]
XSD, SWRL, SWRLB = PREFIXES["xsd"], PREFIXES["swrl"], PREFIXES["swrlb"]
BUILT_IN = tuple(f"<{space}" for space in (RDF, RDFS, OWL, XSD, SWRL, SWRLB))

TYPE = f"<{RDF}type>"
IMP = f"<{SWRL}Imp>"
RULE_PARTS = {IMP, f"<{SWRL}Variable>"}


def owl(*names: str) -> tuple[str, ...]:
    """Return terms of OWL by their local names.

    >>> owl("sameAs")
    ('<http://www.w3.org/2002/07/owl#sameAs>',)
    """
    return tuple(f"<{OWL}{name}>" for name in names)


def rdfs(*names: str) -> tuple[str, ...]:
    """Return terms of RDFS by their local names."""
    return tuple(f"<{RDFS}{name}>" for name in names)


# Annotations do not affect entailment. owl:imports is among them because the board's ontology is
# already complete, and nothing is ever fetched.
ANNOTATIONS = {
    *rdfs("label", "comment", "seeAlso", "isDefinedBy"),
    *owl("imports", "versionInfo", "versionIRI", "priorVersion", "deprecated"),
    *owl("backwardCompatibleWith", "incompatibleWith"),
}
REMARKS = {*owl("Ontology", "AnnotationProperty", "Axiom", "Annotation")}
(ANNOTATION_PROPERTY,) = owl("AnnotationProperty")
