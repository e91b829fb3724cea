"""The naive twin of the reasoner: the W3C's tables, read aloud over a set of triples.

Written from tables 4 to 9 of "OWL 2 Web Ontology Language Profiles", section 4.3, and not from
the rules of the board. Each function is one table; each loop in it one line. All of them run over
all triples, again and again, until nothing is new.

What it leaves out, as the board does: conclusions whose subject is a literal, reflexive ones
(`x owl:sameAs x`, `c rdfs:subClassOf c` and the like), `x a owl:Thing`, what is only there to
type the vocabulary, and the statements of a list under another name: the members of a list are
those told, and what follows for one thing follows for its synonyms anyway. Predicates without a
name (an inverse in a restriction) are followed but not reported.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from typing import Final

from kb_server.core.terms.literals import is_literal, same_value, value

__all__ = ["Triple", "closure", "contradictions"]

Triple = tuple[str, str, str]

TYPE: Final = "rdf:type"
SAME: Final = "owl:sameAs"
SUB: Final = "rdfs:subClassOf"
SUBP: Final = "rdfs:subPropertyOf"
EQ: Final = "owl:equivalentClass"
EQP: Final = "owl:equivalentProperty"
DOM: Final = "rdfs:domain"
RNG: Final = "rdfs:range"
ON: Final = "owl:onProperty"
THING: Final = "owl:Thing"
MOST: Final = ("owl:maxCardinality", "owl:cardinality")
MOST_OF: Final = ("owl:maxQualifiedCardinality", "owl:qualifiedCardinality")
LIST_PARTS: Final = ("rdf:first", "rdf:rest")
REFLEXIVE: Final = frozenset((SAME, SUB, SUBP, EQ, EQP))


class Triples:
    """Some triples, by predicate and by class."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self.all: Final = frozenset(triples)
        self._pairs: Final[dict[str, list[tuple[str, str]]]] = {}
        self._members: Final[dict[str, list[str]]] = {}
        for s, p, o in self.all:
            self._pairs.setdefault(p, []).append((s, o))
            if p == TYPE:
                self._members.setdefault(o, []).append(s)

    def __contains__(self, triple: Triple) -> bool:
        return triple in self.all

    def pairs(self, p: str) -> list[tuple[str, str]]:
        """Subject and object of all triples of a predicate."""
        return self._pairs.get(p, [])

    def members(self, c: str) -> list[str]:
        """The members of a class."""
        return self._members.get(c, [])

    def values(self, s: str, p: str) -> list[str]:
        return [o for x, o in self.pairs(p) if x == s]

    def lists(self, head: str, above: frozenset[str] = frozenset()) -> Iterator[tuple[str, ...]]:
        """Every way to read a list from a node: LIST[head, ...] in the tables."""
        if head == "rdf:nil":
            yield ()
        elif head not in above:
            firsts, rests = self.values(head, "rdf:first"), self.values(head, "rdf:rest")
            for first, rest in product(firsts, rests):
                for others in self.lists(rest, above | {head}):
                    yield (first, *others)


def equality(g: Triples) -> Iterator[Triple]:
    """Table 4."""
    for x, y in g.pairs(SAME):
        yield (y, SAME, x)
        for s, p, o in g.all:
            if s == x:
                yield (y, p, o)
            if p == x:
                yield (s, y, o)
            if o == x:
                yield (s, p, y)
            if p == SAME and s == y:
                yield (x, SAME, o)


def properties(g: Triples) -> Iterator[Triple]:
    """Table 5."""
    for p, c in g.pairs(DOM):
        for x, _ in g.pairs(p):
            yield (x, TYPE, c)
    for p, c in g.pairs(RNG):
        for _, y in g.pairs(p):
            yield (y, TYPE, c)
    for p in g.members("owl:FunctionalProperty"):
        for (x, y), (z, w) in product(g.pairs(p), repeat=2):
            if x == z and not is_literal(y) and not is_literal(w):
                yield (y, SAME, w)
    for p in g.members("owl:InverseFunctionalProperty"):
        for (x, y), (z, w) in product(g.pairs(p), repeat=2):
            if y == w:
                yield (x, SAME, z)
    for p in g.members("owl:SymmetricProperty"):
        for x, y in g.pairs(p):
            yield (y, p, x)
    for p in g.members("owl:TransitiveProperty"):
        for (x, y), (z, w) in product(g.pairs(p), repeat=2):
            if y == z:
                yield (x, p, w)
    for p, q in g.pairs(SUBP) + g.pairs(EQP) + [(q, p) for p, q in g.pairs(EQP)]:
        for x, y in g.pairs(p):
            yield (x, q, y)
    for p, q in g.pairs("owl:inverseOf"):
        for x, y in g.pairs(p):
            yield (y, q, x)
        for x, y in g.pairs(q):
            yield (y, p, x)


def chains_and_keys(g: Triples) -> Iterator[Triple]:
    """Table 5, the two lines with lists: prp-spo2 and prp-key."""
    for p, head in g.pairs("owl:propertyChainAxiom"):
        for steps in g.lists(head):
            paths = [(x, x) for x in {s for s, _, _ in g.all}] if steps else []
            for step in steps:
                paths = [(x, z) for x, y in paths for w, z in g.pairs(step) if w == y]
            for x, y in paths:
                yield (x, p, y)
    for c, head in g.pairs("owl:hasKey"):
        for keys in g.lists(head):
            for x, y in combinations(g.members(c), 2):
                if all(set(g.values(x, k)) & set(g.values(y, k)) for k in keys):
                    yield (x, SAME, y)


def classes(g: Triples) -> Iterator[Triple]:
    """Table 6, and the consequences of table 7."""
    for c, head in g.pairs("owl:intersectionOf"):
        for parts in g.lists(head):
            for y in g.members(parts[0]) if parts else []:
                if all((y, TYPE, part) in g for part in parts):
                    yield (y, TYPE, c)
            for y, part in product(g.members(c), parts):
                yield (y, TYPE, part)
    for c, head in g.pairs("owl:unionOf") + g.pairs("owl:disjointUnionOf"):
        for parts in g.lists(head):
            for part in parts:
                for y in g.members(part):
                    yield (y, TYPE, c)
    for c, head in g.pairs("owl:oneOf"):
        for parts in g.lists(head):
            for part in parts:
                yield (part, TYPE, c)
    for c, d in g.pairs(SUB) + g.pairs(EQ) + [(d, c) for c, d in g.pairs(EQ)]:
        for x in g.members(c):
            yield (x, TYPE, d)


def restrictions(g: Triples) -> Iterator[Triple]:
    """Table 6, the lines with owl:onProperty."""
    for x, p in g.pairs(ON):
        for y in g.values(x, "owl:someValuesFrom"):
            for u, v in g.pairs(p):
                if y == THING or (v, TYPE, y) in g:
                    yield (u, TYPE, x)
        for y in g.values(x, "owl:allValuesFrom"):
            for u, v in g.pairs(p):
                if (u, TYPE, x) in g:
                    yield (v, TYPE, y)
        for y in g.values(x, "owl:hasValue"):
            for u in g.members(x):
                yield (u, p, y)
            for u, v in g.pairs(p):
                if v == y:
                    yield (u, TYPE, x)
        for word in MOST:
            if any(value(n) == 1 for n in g.values(x, word)):
                yield from same_pairs(g, x, p, None)
        for word in MOST_OF:
            if any(value(n) == 1 for n in g.values(x, word)):
                for c in g.values(x, "owl:onClass"):
                    yield from same_pairs(g, x, p, c)


def same_pairs(g: Triples, x: str, p: str, c: str | None) -> Iterator[Triple]:
    """The equal names that follow if a member of `x` has at most one value (a `c`) of `p`."""
    for u in g.members(x):
        allowed = [v for v in g.values(u, p) if c in (None, THING) or (v, TYPE, c) in g]
        for y, z in combinations(allowed, 2):
            if not is_literal(y) and not is_literal(z):
                yield (y, SAME, z)


def schema(g: Triples) -> Iterator[Triple]:
    """Table 9."""
    for word in (SUB, SUBP):
        for (c, d), (e, f) in product(g.pairs(word), repeat=2):
            if d == e:
                yield (c, word, f)
            if (c, d) == (f, e):
                yield (c, EQ if word == SUB else EQP, d)
    for word, below in ((EQ, SUB), (EQP, SUBP)):
        for c, d in g.pairs(word):
            yield (c, below, d)
            yield (d, below, c)
    for word in (DOM, RNG):
        for p, c in g.pairs(word):
            for d in g.values(c, SUB):
                yield (p, word, d)
            for q, r in g.pairs(SUBP):
                if r == p:
                    yield (q, word, c)
    for c, head in g.pairs("owl:intersectionOf"):
        for parts in g.lists(head):
            for part in parts:
                yield (c, SUB, part)
    for c, head in g.pairs("owl:unionOf"):
        for parts in g.lists(head):
            for part in parts:
                yield (part, SUB, c)


def schema_of_restrictions(g: Triples) -> Iterator[Triple]:
    """Table 9, the lines with owl:onProperty."""
    for (c, p), (d, q) in product(g.pairs(ON), repeat=2):
        for y, z in product(g.values(c, "owl:hasValue"), g.values(d, "owl:hasValue")):
            if y == z and (p, SUBP, q) in g:
                yield (c, SUB, d)
        for word in ("owl:someValuesFrom", "owl:allValuesFrom"):
            for y, z in product(g.values(c, word), g.values(d, word)):
                if p == q and (y, SUB, z) in g:
                    yield (c, SUB, d)
                if y == z and (p, SUBP, q) in g:
                    yield (c, SUB, d) if word == "owl:someValuesFrom" else (d, SUB, c)


TABLES: Final[tuple[Callable[[Triples], Iterator[Triple]], ...]] = (
    equality,
    properties,
    chains_and_keys,
    classes,
    restrictions,
    schema,
    schema_of_restrictions,
)


def sayable(triple: Triple) -> bool:
    """Whether a conclusion is one that the board holds, or might need on the way."""
    s, p, o = triple
    if is_literal(s) or is_literal(p) or (p == TYPE and o == THING) or p in LIST_PARTS:
        return False
    return not (s == o and p in REFLEXIVE)


def closed(told: Iterable[Triple]) -> Triples:
    triples = Triples(told)
    while True:
        found = {t for table in TABLES for t in table(triples) if sayable(t)}
        if found <= triples.all:
            return triples
        triples = Triples(triples.all | found)


def closure(told: Iterable[Triple]) -> frozenset[Triple]:
    """The closure of the asserted triples."""
    return frozenset(t for t in closed(told).all if not t[1].startswith("_:"))


def contradictions(told: Iterable[Triple]) -> frozenset[str]:
    """The names of the rules that the asserted triples violate."""
    g = closed(told)
    return frozenset((*false_of_facts(g), *false_of_classes(g), *false_of_lists(g)))


def false_of_facts(g: Triples) -> Iterator[str]:
    for x, y in g.pairs("owl:differentFrom"):
        if x == y or (x, SAME, y) in g:
            yield "eq-diff1"
    for p in g.members("owl:FunctionalProperty"):
        for (x, y), (z, w) in product(g.pairs(p), repeat=2):
            if x == z and unlike(y, w):
                yield "prp-fp"
    for p in g.members("owl:IrreflexiveProperty"):
        if any(x == y for x, y in g.pairs(p)):
            yield "prp-irp"
    for p in g.members("owl:AsymmetricProperty"):
        if any((y, p, x) in g for x, y in g.pairs(p)):
            yield "prp-asyp"
    for p, q in g.pairs("owl:propertyDisjointWith"):
        if any((x, q, y) in g for x, y in g.pairs(p)):
            yield "prp-pdw"
    for n, x in g.pairs("owl:sourceIndividual"):
        for p in g.values(n, "owl:assertionProperty"):
            for rule, word in (("prp-npa1", "Individual"), ("prp-npa2", "Value")):
                if any((x, p, y) in g for y in g.values(n, f"owl:target{word}")):
                    yield rule


def unlike(a: str, b: str) -> bool:
    """Whether two terms, one a literal at least, can't be one thing (dt-diff)."""
    if is_literal(a) and is_literal(b):
        return not same_value(a, b)
    return is_literal(a) or is_literal(b)


def false_of_classes(g: Triples) -> Iterator[str]:
    if g.members("owl:Nothing"):
        yield "cls-nothing2"
    for word, rule in (("owl:complementOf", "cls-com"), ("owl:disjointWith", "cax-dw")):
        for c, d in g.pairs(word):
            if any((x, TYPE, d) in g for x in g.members(c)):
                yield rule
    for x, p in g.pairs(ON):
        for word in MOST:
            for n in g.values(x, word):
                yield from false_of_at_most(g, x, p, n)
        for word in MOST_OF:
            if any(value(n) == 0 for n in g.values(x, word)):
                for c, u in product(g.values(x, "owl:onClass"), g.members(x)):
                    if any(c == THING or (y, TYPE, c) in g for y in g.values(u, p)):
                        yield "cls-maxqc2" if c == THING else "cls-maxqc1"


def false_of_at_most(g: Triples, x: str, p: str, n: str) -> Iterator[str]:
    for u in g.members(x):
        found = g.values(u, p)
        if value(n) == 0 and found:
            yield "cls-maxc1"
        if value(n) == 1 and any(unlike(y, z) for y, z in combinations(found, 2)):
            yield "cls-maxc2"


def false_of_lists(g: Triples) -> Iterator[str]:
    for rule, kind, word in (
        ("eq-diff2", "owl:AllDifferent", "owl:members"),
        ("eq-diff3", "owl:AllDifferent", "owl:distinctMembers"),
        ("cax-adc", "owl:AllDisjointClasses", "owl:members"),
        ("prp-adp", "owl:AllDisjointProperties", "owl:members"),
    ):
        for x, head in g.pairs(word):
            if (x, TYPE, kind) in g:
                for parts in g.lists(head):
                    if any(clash_of(rule, g, a, b) for a, b in combinations(parts, 2)):
                        yield rule
    for _, head in g.pairs("owl:disjointUnionOf"):
        for parts in g.lists(head):
            if any(clash_of("cax-adc", g, a, b) for a, b in combinations(parts, 2)):
                yield "cax-adc"


def clash_of(rule: str, g: Triples, a: str, b: str) -> bool:
    """Whether two members of a list are alike in the way that the list forbids."""
    if rule == "cax-adc":
        return any((u, TYPE, b) in g for u in g.members(a))
    if rule == "prp-adp":
        return any((u, b, v) in g for u, v in g.pairs(a))
    return (a, SAME, b) in g
