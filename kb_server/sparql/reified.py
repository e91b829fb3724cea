"""Statements about statements: what is told of one by its parts is there as RDF 1.2 has it, too.

So `<< oro:ball oro:isIn oro:box >> oro:hasProbability ?p` finds what is told of a thing that has
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
    """What each thing stands for of which all three parts of a statement are said, each once."""
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
