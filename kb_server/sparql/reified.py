"""Statements about statements: rdf:subject, rdf:predicate and rdf:object as RDF 1.2 rdf:reifies.

So `<< oro:ball oro:isIn oro:box >> oro:hasProbability ?p` finds the facts about a thing that has
the ball as its rdf:subject, isIn as its rdf:predicate and the box as its rdf:object.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import pyoxigraph as ox

from kb_server.core.questions.reification import PARTS
from kb_server.core.terms.terms import Names
from ontology import vocabulary as v

__all__ = ["reified"]

_Subject = ox.NamedNode | ox.BlankNode
_Term = _Subject | ox.Literal | ox.Triple


def reified(triples: Sequence[ox.Triple], names: Names) -> Iterator[ox.Triple]:
    """Yield an rdf:reifies triple for each thing that has exactly one value of each part."""
    parts = {names.iri(part): number for number, part in enumerate(PARTS)}
    said: defaultdict[_Subject, list[set[_Term]]] = defaultdict(lambda: [set(), set(), set()])
    for t in triples:
        if t.predicate.value in parts and not isinstance(t.subject, ox.Triple):
            said[t.subject][parts[t.predicate.value]].add(t.object)
    reifies = ox.NamedNode(names.iri(v.REIFIES))
    for thing, found in said.items():
        if all(len(each) == 1 for each in found):
            (subject,), (predicate,), (value,) = found
            if isinstance(subject, _Subject) and isinstance(predicate, ox.NamedNode):
                yield ox.Triple(thing, reifies, ox.Triple(subject, predicate, value))
