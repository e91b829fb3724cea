"""Small random worlds: axioms in groups of statements, facts, and changes of both.

A blank node is named after its content, so that an axiom drawn twice is the same statements and
can be retracted.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.rules.models import listed, swrl

__all__ = ["Axiom", "Step", "World", "axioms", "facts", "rules", "worlds"]

Statement = tuple[str, str, str]
Axiom = tuple[Statement, ...]

CLASSES: Final = ("A", "B", "C", "D", "E")
PROPERTIES: Final = ("p", "q", "r", "s")
VALUES: Final = ("d", "e")
THINGS: Final = ("a", "b", "c", "x", "y")
LITERALS: Final = ("1", "2", "1.0", '"one"')


def _plain(word: str, pool: tuple[str, ...]) -> SearchStrategy[Axiom]:
    return st.tuples(st.sampled_from(pool), st.sampled_from(pool)).map(
        lambda pair: ((pair[0], word, pair[1]),)
    )


def _kind(*kinds: str) -> SearchStrategy[Axiom]:
    return st.tuples(st.sampled_from(PROPERTIES), st.sampled_from(kinds)).map(
        lambda pair: ((pair[0], "rdf:type", f"owl:{pair[1]}Property"),)
    )


def _of_list(word: str, pool: tuple[str, ...], subject: tuple[str, ...]) -> SearchStrategy[Axiom]:
    def made(drawn: tuple[str, list[str]]) -> Axiom:
        name, members = drawn
        key = f"{word[4:]}-{name}-{'-'.join(members)}"
        head, rest = listed(key, tuple(members))
        return ((name, word, head), *rest)

    members = st.lists(st.sampled_from(pool), min_size=1, max_size=3, unique=True)
    return st.tuples(st.sampled_from(subject), members).map(made)


def _all(kind: str, word: str, pool: tuple[str, ...]) -> SearchStrategy[Axiom]:
    def made(members: list[str]) -> Axiom:
        key = f"{kind[4:]}-{word[4:]}-{'-'.join(members)}"
        head, rest = listed(key, tuple(members))
        return ((f"_:{key}", "rdf:type", kind), (f"_:{key}", word, head), *rest)

    return st.lists(st.sampled_from(pool), min_size=2, max_size=3, unique=True).map(made)


def _restriction(
    words: tuple[tuple[str, tuple[str, ...]], ...], properties: tuple[str, ...], inverse: bool
) -> SearchStrategy[Axiom]:
    """A class related to a restriction, which is a node without a name."""

    def made(drawn: tuple[str, tuple[str, str], str, str, bool]) -> Axiom:
        name, (word, filler), p, relation, turned = drawn
        said = re.sub(r"\W", "", filler)
        key = f"_:{word[4:]}-{said}-{p}{'-i' if turned else ''}"
        on: Axiom = ((key, "owl:onProperty", p),)
        if turned:
            node = f"_:inverse-{key[2:]}"
            on = ((key, "owl:onProperty", node), (node, "owl:inverseOf", p))
        told = (key, word, filler)
        if relation == "above":
            return ((key, "rdfs:subClassOf", name), told, *on)
        word_of = "owl:equivalentClass" if relation == "same" else "rdfs:subClassOf"
        return ((name, word_of, key), told, *on)

    fillers = st.sampled_from([(word, f) for word, pool in words for f in pool])
    return st.tuples(
        st.sampled_from(CLASSES),
        fillers,
        st.sampled_from(properties),
        st.sampled_from(("same", "below", "above")),
        st.booleans() if inverse else st.just(False),
    ).map(made)


def _qualified(drawn: tuple[str, str, str, str, str]) -> Axiom:
    name, word, p, number, c = drawn
    key = f"_:{word[4:]}-{p}-{number}-{c.replace(':', '')}"
    return (
        (name, "rdfs:subClassOf", key),
        (key, "owl:onProperty", p),
        (key, word, number),
        (key, "owl:onClass", c),
    )


def _negative(drawn: tuple[str, str, str]) -> Axiom:
    s, p, o = drawn
    key = f"_:not-{s}-{p}-{o}"
    return (
        (key, "owl:sourceIndividual", s),
        (key, "owl:assertionProperty", p),
        (key, "owl:targetIndividual", o),
    )


RULES: Final = tuple(
    swrl(f"rule{i}", body, head)
    for i, (body, head) in enumerate(
        (
            ("?x p ?y, ?y q ?z", "?x r ?z, ?z a A"),
            ("?x a A, ?x d ?n, ?n lessThan 2", "?x a B"),
            ("?x a B, ?x p ?y", "?y a A"),
            ("?x p ?y, ?x q ?y", "?x same ?y"),
            ("owner p ?x", "?x q owner"),
            ("?x a C, ?x a D", "?x a owl:Nothing"),
            ("?x r ?y, ?x different ?y", "?y s ?x"),
        )
    )
)
_LOW, _LISTED = listed("facets", ("_:facet",))
DATATYPE: Final = (
    ("Low", "rdf:type", "rdfs:Datatype"),
    ("Low", "owl:onDatatype", "xsd:decimal"),
    ("Low", "owl:withRestrictions", _LOW),
    *_LISTED,
    ("_:facet", "xsd:maxInclusive", "1"),
)


@cache
def rules() -> SearchStrategy[Axiom]:
    """A SWRL rule, or a use of a datatype with facets; twin and referee can't read either."""
    uses = (
        (("d", "rdfs:range", "Low"),),
        (
            ("_:some-low", "owl:someValuesFrom", "Low"),
            ("_:some-low", "owl:onProperty", "d"),
            ("_:some-low", "rdfs:subClassOf", "E"),
        ),
    )
    return st.sampled_from([*RULES, *((*DATATYPE, *use) for use in uses)])


@cache
def axioms(clean: bool = False) -> SearchStrategy[Axiom]:
    """One axiom; `clean` leaves out what `owlrl` reads otherwise than the tables."""
    some: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("owl:someValuesFrom", (*CLASSES, "owl:Thing")),
        ("owl:allValuesFrom", CLASSES),
        ("owl:hasValue", THINGS),
    )
    at_most = ("0", "1", '"1"^^xsd:nonNegativeInteger')
    return st.one_of(
        _plain("rdfs:subClassOf", CLASSES),
        _plain("rdfs:subClassOf", CLASSES),
        _plain("owl:equivalentClass", CLASSES),
        _plain("rdfs:subPropertyOf", PROPERTIES),
        _plain("rdfs:subPropertyOf", PROPERTIES),
        _plain("owl:equivalentProperty", PROPERTIES),
        _plain("owl:inverseOf", PROPERTIES),
        _plain("rdfs:subPropertyOf", VALUES),
        _plain("owl:disjointWith", CLASSES),
        _plain("owl:complementOf", CLASSES),
        _plain("owl:propertyDisjointWith", PROPERTIES),
        _plain("owl:sameAs", THINGS),
        _plain("owl:differentFrom", THINGS).filter(lambda axiom: axiom[0][0] != axiom[0][2]),
        *(() if clean else (_plain("owl:sameAs", PROPERTIES), _plain("owl:sameAs", CLASSES))),
        _kind("Symmetric", "Transitive"),
        _kind("Functional", "InverseFunctional", "Irreflexive", "Asymmetric"),
        st.sampled_from(VALUES).map(lambda d: ((d, "rdf:type", "owl:FunctionalProperty"),)),
        st.tuples(
            st.sampled_from(PROPERTIES + VALUES),
            st.just("rdfs:domain"),
            st.sampled_from(CLASSES),
        ).map(lambda t: (t,)),
        st.tuples(st.sampled_from(PROPERTIES), st.just("rdfs:range"), st.sampled_from(CLASSES)).map(
            lambda t: (t,)
        ),
        _restriction(some, PROPERTIES, inverse=True),
        _restriction(some, PROPERTIES, inverse=True),
        _restriction((("owl:hasValue", ("1", '"one"')),), VALUES, inverse=False),
        _restriction(
            (("owl:maxCardinality", at_most), ("owl:cardinality", at_most)),
            PROPERTIES + VALUES,
            inverse=False,
        ),
        st.tuples(
            st.sampled_from(CLASSES),
            st.sampled_from(("owl:maxQualifiedCardinality", "owl:qualifiedCardinality")),
            st.sampled_from(PROPERTIES),
            st.sampled_from(("0", "1")),
            st.sampled_from((*CLASSES, "owl:Thing")),
        ).map(_qualified),
        _of_list("owl:intersectionOf", CLASSES, CLASSES),
        _of_list("owl:unionOf", CLASSES, CLASSES),
        _of_list("owl:disjointUnionOf", CLASSES, CLASSES),
        *(() if clean else (_of_list("owl:oneOf", THINGS, CLASSES),)),
        _of_list("owl:propertyChainAxiom", PROPERTIES, PROPERTIES),
        _of_list("owl:hasKey", PROPERTIES + VALUES, CLASSES),
        *(() if clean else (_all("owl:AllDifferent", "owl:members", THINGS),)),
        *(() if clean else (_all("owl:AllDifferent", "owl:distinctMembers", THINGS),)),
        _all("owl:AllDisjointClasses", "owl:members", CLASSES),
        _all("owl:AllDisjointProperties", "owl:members", PROPERTIES),
        st.tuples(*map(st.sampled_from, (THINGS, PROPERTIES, THINGS))).map(_negative),
    )


@cache
def facts() -> SearchStrategy[Axiom]:
    """One fact, as a group of its own."""
    return st.one_of(
        st.tuples(*map(st.sampled_from, (THINGS, PROPERTIES, THINGS))),
        st.tuples(*map(st.sampled_from, (THINGS, PROPERTIES, THINGS))),
        st.tuples(st.sampled_from(THINGS), st.just("rdf:type"), st.sampled_from(CLASSES)),
        st.tuples(*map(st.sampled_from, (THINGS, VALUES, LITERALS))),
    ).map(lambda t: (t,))


@dataclass(frozen=True)
class Step:
    """One change: the groups of statements to retract and to assert."""

    withdrawn: tuple[Statement, ...]
    told: tuple[Statement, ...]


@dataclass(frozen=True)
class World:
    """The facts and axioms that all models share, and the changes of one."""

    ontology: tuple[Statement, ...]
    steps: tuple[Step, ...]


def _flat(groups: list[Axiom]) -> tuple[Statement, ...]:
    return tuple(dict.fromkeys(statement for group in groups for statement in group))


@st.composite
def worlds(
    draw: Callable[[SearchStrategy[object]], object],
    clean: bool = False,
    torn: bool = False,
    ruled: bool = False,
    most_steps: int = 5,
    dense: int = 6,
) -> World:
    """A world; `torn` lets single statements of an axiom come and go, `ruled` adds rules()."""
    some = st.one_of(axioms(clean), rules()) if ruled else axioms(clean)
    ontology = draw(st.lists(some, max_size=5))
    either = st.one_of(some, facts())
    pool = draw(st.lists(either, min_size=1 + dense, max_size=12 + dense))
    assert isinstance(ontology, list)
    assert isinstance(pool, list)
    groups: list[Axiom] = [*pool]
    if torn:
        groups = [(statement,) for group in pool for statement in group]
    chosen = st.lists(st.sampled_from(groups), min_size=dense // 4, max_size=8 if not torn else 12)
    steps = draw(st.lists(st.tuples(chosen, chosen), min_size=1 + dense // 4, max_size=most_steps))
    assert isinstance(steps, list)
    return World(_flat(ontology), tuple(Step(_flat(gone), _flat(come)) for gone, come in steps))
