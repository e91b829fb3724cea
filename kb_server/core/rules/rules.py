"""The rules of OWL 2 RL/RDF, a row each, under the names of the W3C's tables.

A row has a pattern of axioms (`schema`) and one of facts (`body`, `head`). Wherever axioms match
the schema, an instance of the row is made with their terms substituted; the instance then needs
only facts. A row without a head is a contradiction. `members` is the use of the RDF list `?list`:

    EACH    an instance for each member ?i
    PAIRS   an instance for each two members ?i, ?j
    AMONG   one instance, with the check that ?i and ?j are two of the members
    ALL     one instance whose body repeats the atoms of ?i for every member
    CHAIN   one instance whose body is the path of the members from ?first to ?last
    KEY     one instance in which ?x and ?y share a value for every member

To add a rule:

1. Below: a `_row` in one of the tuples that `ROWS` joins, under its W3C name.
2. `checks.py`, only if its body compares terms in a new way: a word and its function.
3. `tests/rules/test_w3c.py`: a `Case`; the test fails for a row without one.
4. `tests/laws/referee.py`, only if owlrl concludes otherwise: the statements to leave out.
5. `kb_server/page/why-tree.js`: its words in `RULES`, for explanations on the live page.
6. `CHANGELOG.md`: a line.

An axiom inferred by a `covered` row entails no facts beyond those that its premises entail.
Therefore no instances are made from axioms that only covered rows infer.

Rules left out because they entail nothing of use: eq-ref, prp-ap, cls-thing, cls-nothing1, scm-cls,
scm-op, scm-dp, dt-type1, dt-type2, and the reflexive conclusions of the others.

dt-eq and dt-diff are part of the checks `unequal`, `equal`, `inside` and `outside`. These go by
value, and so do the numbers in axioms. Exception: shared values of keys, of inverse functional and
of disjoint properties must be the same term. Qualified cardinalities over data (owl:onDataRange)
are not in the W3C's tables either.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from kb_server.core.terms.statements import Pattern
from ontology.vocabulary import TYPE

__all__ = ["CHECK", "ROWS", "SYNTAX", "Members", "RuleRow", "is_check"]


class Members(Enum):
    NONE = "none"
    EACH = "each"
    PAIRS = "pairs"
    AMONG = "among"
    ALL = "all"
    CHAIN = "chain"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class RuleRow:
    name: str
    schema: tuple[Pattern, ...]
    body: tuple[Pattern, ...]
    head: Pattern | None
    members: Members = Members.NONE
    covered: bool = False

    @property
    def list_axiom(self) -> Pattern | None:
        """The schema atom whose object is the list, if any."""
        return next((atom for atom in self.schema if atom[2] == "?list"), None)


_CHECKS: Final = frozenset(("!=", "individuals", "unequal", "counts"))
CHECK: Final = "!"
"""The first character of the words of checks; no term begins with it (see `checks`)."""


def is_check(atom: Pattern) -> bool:
    """Whether an atom is a check, which compares two terms, and not a pattern of facts."""
    return atom[1][0] == CHECK


SYNTAX: Final = frozenset(
    (
        "rdf:first",
        "rdf:rest",
        "swrl:body",
        "swrl:head",
        "swrl:classPredicate",
        "swrl:propertyPredicate",
        "swrl:dataRange",
        "swrl:builtin",
        "swrl:arguments",
        "swrl:argument1",
        "swrl:argument2",
    )
)
"""The properties that only spell out axioms. They are asserted and never inferred, also not by
sameAs."""


def _atoms(text: str) -> tuple[Pattern, ...]:
    atoms = []
    for part in filter(None, text.split(" . ")):
        s, p, o = part.split()
        atoms.append((s, TYPE if p == "a" else CHECK + p.lstrip(CHECK) if p in _CHECKS else p, o))
    return tuple(atoms)


def _row(
    name: str,
    schema: str,
    body: str,
    head: str | None,
    members: Members = Members.NONE,
    covered: bool = False,
) -> RuleRow:
    heads = _atoms(head) if head else (None,)
    return RuleRow(name, _atoms(schema), _atoms(body), heads[0], members, covered)


FALSE: Final = None
_EQUALITY: Final = (
    _row("eq-sym", "", "?x owl:sameAs ?y", "?y owl:sameAs ?x"),
    _row("eq-trans", "", "?x owl:sameAs ?y . ?y owl:sameAs ?z", "?x owl:sameAs ?z"),
    _row("eq-rep-s", "", "?s owl:sameAs ?t . ?s ?p ?o", "?t ?p ?o"),
    _row("eq-rep-p", "", "?p owl:sameAs ?q . ?s ?p ?o", "?s ?q ?o"),
    _row("eq-rep-o", "", "?o owl:sameAs ?q . ?s ?p ?o", "?s ?p ?q"),
    _row("eq-diff1", "", "?x owl:sameAs ?y . ?x owl:differentFrom ?y", FALSE),
    _row("eq-diff1", "", "?x owl:differentFrom ?x", FALSE),
    _row(
        "eq-diff2",
        "?x a owl:AllDifferent . ?x owl:members ?list",
        "?i owl:sameAs ?j",
        FALSE,
        Members.AMONG,
    ),
    _row(
        "eq-diff3",
        "?x a owl:AllDifferent . ?x owl:distinctMembers ?list",
        "?i owl:sameAs ?j",
        FALSE,
        Members.AMONG,
    ),
)
_NPA: Final = "?n owl:sourceIndividual ?x . ?n owl:assertionProperty ?p . "
_PROPERTIES: Final = (
    _row("prp-dom", "?p rdfs:domain ?c", "?x ?p ?y", "?x a ?c"),
    _row("prp-rng", "?p rdfs:range ?c", "?x ?p ?y", "?y a ?c"),
    _row(
        "prp-fp",
        "?p a owl:FunctionalProperty",
        "?x ?p ?y . ?x ?p ?z . ?y individuals ?z",
        "?y owl:sameAs ?z",
    ),
    _row("prp-fp", "?p a owl:FunctionalProperty", "?x ?p ?y . ?x ?p ?z . ?y unequal ?z", FALSE),
    _row(
        "prp-ifp",
        "?p a owl:InverseFunctionalProperty",
        "?x ?p ?y . ?z ?p ?y . ?x individuals ?z",
        "?x owl:sameAs ?z",
    ),
    _row("prp-irp", "?p a owl:IrreflexiveProperty", "?x ?p ?x", FALSE),
    _row("prp-symp", "?p a owl:SymmetricProperty", "?x ?p ?y", "?y ?p ?x"),
    _row("prp-asyp", "?p a owl:AsymmetricProperty", "?x ?p ?y . ?y ?p ?x", FALSE),
    _row("prp-trp", "?p a owl:TransitiveProperty", "?x ?p ?y . ?y ?p ?z", "?x ?p ?z"),
    _row("prp-spo1", "?p rdfs:subPropertyOf ?q", "?x ?p ?y", "?x ?q ?y"),
    _row("prp-spo2", "?p owl:propertyChainAxiom ?list", "", "?first ?p ?last", Members.CHAIN),
    _row("prp-eqp1", "?p owl:equivalentProperty ?q", "?x ?p ?y", "?x ?q ?y"),
    _row("prp-eqp2", "?p owl:equivalentProperty ?q", "?x ?q ?y", "?x ?p ?y"),
    _row("prp-pdw", "?p owl:propertyDisjointWith ?q", "?x ?p ?y . ?x ?q ?y", FALSE),
    _row(
        "prp-adp",
        "?x a owl:AllDisjointProperties . ?x owl:members ?list",
        "?u ?i ?v . ?u ?j ?v",
        FALSE,
        Members.PAIRS,
    ),
    _row("prp-inv1", "?p owl:inverseOf ?q", "?x ?p ?y", "?y ?q ?x"),
    _row("prp-inv2", "?p owl:inverseOf ?q", "?x ?q ?y", "?y ?p ?x"),
    _row(
        "prp-key",
        "?c owl:hasKey ?list",
        "?x a ?c . ?y a ?c . ?x individuals ?y",
        "?x owl:sameAs ?y",
        Members.KEY,
    ),
    _row("prp-npa1", _NPA + "?n owl:targetIndividual ?y", "?x ?p ?y", FALSE),
    _row("prp-npa2", _NPA + "?n owl:targetValue ?y", "?x ?p ?y", FALSE),
)
_ON: Final = " . ?x owl:onProperty ?p"
_ON_CLASS: Final = _ON + " . ?x owl:onClass ?c"


def _at_most(word: str, rest: str, number: str) -> str:
    return f"?x {word} ?n{rest} . ?n counts {number}"


_CARDINALITIES: Final = tuple(
    row
    for word in ("owl:maxCardinality", "owl:cardinality")
    for row in (
        _row("cls-maxc1", _at_most(word, _ON, "0"), "?u a ?x . ?u ?p ?y", FALSE),
        _row(
            "cls-maxc2",
            _at_most(word, _ON, "1"),
            "?u a ?x . ?u ?p ?y . ?u ?p ?z . ?y individuals ?z",
            "?y owl:sameAs ?z",
        ),
        _row(
            "cls-maxc2",
            _at_most(word, _ON, "1"),
            "?u a ?x . ?u ?p ?y . ?u ?p ?z . ?y unequal ?z",
            FALSE,
        ),
    )
)
_QUALIFIED: Final = tuple(
    row
    for word in ("owl:maxQualifiedCardinality", "owl:qualifiedCardinality")
    for row in (
        _row(
            "cls-maxqc1",
            _at_most(word, _ON_CLASS, "0") + " . ?c != owl:Thing",
            "?u a ?x . ?u ?p ?y . ?y a ?c",
            FALSE,
        ),
        _row(
            "cls-maxqc2",
            _at_most(word, _ON + " . ?x owl:onClass owl:Thing", "0"),
            "?u a ?x . ?u ?p ?y",
            FALSE,
        ),
        _row(
            "cls-maxqc3",
            _at_most(word, _ON_CLASS, "1") + " . ?c != owl:Thing",
            "?u a ?x . ?u ?p ?y . ?y a ?c . ?u ?p ?z . ?z a ?c . ?y individuals ?z",
            "?y owl:sameAs ?z",
        ),
        _row(
            "cls-maxqc4",
            _at_most(word, _ON + " . ?x owl:onClass owl:Thing", "1"),
            "?u a ?x . ?u ?p ?y . ?u ?p ?z . ?y individuals ?z",
            "?y owl:sameAs ?z",
        ),
    )
)
_CLASSES: Final = (
    _row("cls-nothing2", "", "?x a owl:Nothing", FALSE),
    _row("cls-int1", "?c owl:intersectionOf ?list", "?y a ?i", "?y a ?c", Members.ALL),
    _row("cls-int2", "?c owl:intersectionOf ?list", "?y a ?c", "?y a ?i", Members.EACH),
    _row("cls-uni", "?c owl:unionOf ?list", "?y a ?i", "?y a ?c", Members.EACH),
    _row("cls-uni", "?c owl:disjointUnionOf ?list", "?y a ?i", "?y a ?c", Members.EACH),
    _row("cls-com", "?c owl:complementOf ?d", "?x a ?c . ?x a ?d", FALSE),
    _row(
        "cls-svf1",
        "?x owl:someValuesFrom ?y . ?y != owl:Thing" + _ON,
        "?u ?p ?v . ?v a ?y",
        "?u a ?x",
    ),
    _row("cls-svf2", "?x owl:someValuesFrom owl:Thing" + _ON, "?u ?p ?v", "?u a ?x"),
    _row("cls-avf", "?x owl:allValuesFrom ?y" + _ON, "?u a ?x . ?u ?p ?v", "?v a ?y"),
    _row("cls-hv1", "?x owl:hasValue ?y" + _ON, "?u a ?x", "?u ?p ?y"),
    _row("cls-hv2", "?x owl:hasValue ?y" + _ON, "?u ?p ?y", "?u a ?x"),
    *_CARDINALITIES,
    *_QUALIFIED,
    _row("cls-oo", "?c owl:oneOf ?list", "", "?i a ?c", Members.EACH),
    _row("cax-sco", "?c rdfs:subClassOf ?d", "?x a ?c", "?x a ?d"),
    _row("cax-eqc1", "?c owl:equivalentClass ?d", "?x a ?c", "?x a ?d"),
    _row("cax-eqc2", "?c owl:equivalentClass ?d", "?x a ?d", "?x a ?c"),
    _row("cax-dw", "?c owl:disjointWith ?d", "?x a ?c . ?x a ?d", FALSE),
    _row(
        "cax-adc",
        "?x a owl:AllDisjointClasses . ?x owl:members ?list",
        "?u a ?i . ?u a ?j",
        FALSE,
        Members.PAIRS,
    ),
    _row("cax-adc", "?x owl:disjointUnionOf ?list", "?u a ?i . ?u a ?j", FALSE, Members.PAIRS),
)


def _scm(name: str, body: str, head: str, covered: bool = True) -> RuleRow:
    return _row(name, "", body, head, covered=covered)


_SUB: Final = "rdfs:subClassOf"
_SUBP: Final = "rdfs:subPropertyOf"


_SCHEMA: Final = (
    _scm("scm-sco", f"?c {_SUB} ?d . ?d {_SUB} ?e", f"?c {_SUB} ?e"),
    _scm("scm-eqc1", "?c owl:equivalentClass ?d", f"?c {_SUB} ?d"),
    _scm("scm-eqc1", "?c owl:equivalentClass ?d", f"?d {_SUB} ?c"),
    _scm("scm-eqc2", f"?c {_SUB} ?d . ?d {_SUB} ?c", "?c owl:equivalentClass ?d"),
    _scm("scm-spo", f"?p {_SUBP} ?q . ?q {_SUBP} ?r", f"?p {_SUBP} ?r"),
    _scm("scm-eqp1", "?p owl:equivalentProperty ?q", f"?p {_SUBP} ?q"),
    _scm("scm-eqp1", "?p owl:equivalentProperty ?q", f"?q {_SUBP} ?p"),
    _scm("scm-eqp2", f"?p {_SUBP} ?q . ?q {_SUBP} ?p", "?p owl:equivalentProperty ?q"),
    _scm("scm-dom1", f"?p rdfs:domain ?c . ?c {_SUB} ?d", "?p rdfs:domain ?d"),
    _scm("scm-dom2", f"?q rdfs:domain ?c . ?p {_SUBP} ?q", "?p rdfs:domain ?c"),
    _scm("scm-rng1", f"?p rdfs:range ?c . ?c {_SUB} ?d", "?p rdfs:range ?d"),
    _scm("scm-rng2", f"?q rdfs:range ?c . ?p {_SUBP} ?q", "?p rdfs:range ?c"),
    _scm(
        "scm-hv",
        "?c owl:hasValue ?i . ?c owl:onProperty ?p . ?d owl:hasValue ?i . "
        f"?d owl:onProperty ?q . ?p {_SUBP} ?q",
        f"?c {_SUB} ?d",
    ),
    *(
        _scm(
            name,
            f"?c {word} ?y . ?c owl:onProperty ?p . ?d {word} ?y . ?d owl:onProperty ?p",
            f"?c {_SUB} ?d",
            covered=False,
        )
        for name, word in (("scm-svf1", "owl:someValuesFrom"), ("scm-avf1", "owl:allValuesFrom"))
    ),
    *(
        _scm(
            name,
            f"?c {word} ?y . ?c owl:onProperty ?p . ?d {word} ?z . "
            f"?d owl:onProperty ?p . ?y {_SUB} ?z",
            f"?c {_SUB} ?d",
            covered=False,
        )
        for name, word in (("scm-svf1", "owl:someValuesFrom"), ("scm-avf1", "owl:allValuesFrom"))
    ),
    *(
        _scm(
            name,
            f"?c {word} ?y . ?c owl:onProperty ?p . ?d {word} ?y . "
            f"?d owl:onProperty ?q . ?p {_SUBP} ?q",
            head,
            covered=False,
        )
        for name, word, head in (
            ("scm-svf2", "owl:someValuesFrom", f"?c {_SUB} ?d"),
            ("scm-avf2", "owl:allValuesFrom", f"?d {_SUB} ?c"),
        )
    ),
    _row(
        "scm-int",
        "?c owl:intersectionOf ?list",
        "",
        f"?c {_SUB} ?i",
        Members.EACH,
        covered=True,
    ),
    _row("scm-uni", "?c owl:unionOf ?list", "", f"?i {_SUB} ?c", Members.EACH, covered=True),
)

ROWS: Final[tuple[RuleRow, ...]] = (*_EQUALITY, *_PROPERTIES, *_CLASSES, *_SCHEMA)
