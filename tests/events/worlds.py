"""Small random boards with patterns and changes, and a brute-force answer.

The ontology is drawn as lines of Turtle; the same axioms can also be asserted and retracted at run
time. One of them has an unnamed class, which is in no answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from kb_server.core.facts.facts import FactView
from kb_server.core.models.board import Board
from kb_server.core.models.revision import Revision, read_revision
from kb_server.core.questions.query import Row
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.statements import Pattern, Statement, read_pattern
from kb_server.core.terms.terms import HIDDEN

__all__ = [
    "MODELS",
    "Change",
    "Wish",
    "World",
    "answers",
    "board_of",
    "changes",
    "frozen",
    "happens",
    "ontologies",
    "patterns",
    "revision_of",
    "wishes",
    "worlds",
]

MODELS: Final = ("myself", "sally")
HEAD: Final = """
@prefix : <http://kb.openrobots.org#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:d a owl:FunctionalProperty .
"""
CLASSES: Final = ("A", "B", "C", "E")
PROPERTIES: Final = ("p", "q", "r")
THINGS: Final = ("x", "y", "z")
LITERALS: Final = ("1", "2", "1.0", '"one"')
VARIABLES: Final = ("?u", "?v", "?k")

Answer = frozenset[frozenset[tuple[str, str]]]


def _of(*pools: Sequence[str]) -> SearchStrategy[str]:
    return st.tuples(*map(st.sampled_from, pools)).map(" ".join)


AXIOMS: Final = st.one_of(
    _of(CLASSES, ("rdfs:subClassOf",), CLASSES),
    _of(CLASSES, ("rdfs:subClassOf",), CLASSES),
    _of(PROPERTIES, ("rdfs:subPropertyOf",), PROPERTIES),
    _of(PROPERTIES, ("a",), ("owl:SymmetricProperty", "owl:TransitiveProperty")),
    _of(PROPERTIES, ("a",), ("owl:SymmetricProperty", "owl:TransitiveProperty")),
    _of(PROPERTIES, ("owl:inverseOf",), PROPERTIES),
    _of(PROPERTIES, ("a",), ("owl:FunctionalProperty",)),
    _of((*PROPERTIES, "d"), ("rdfs:domain",), CLASSES),
    _of(PROPERTIES, ("rdfs:range",), CLASSES),
)
NAMELESS: Final = st.sampled_from(
    [f":{c} owl:equivalentClass [ owl:onProperty :{p} ; owl:someValuesFrom owl:Thing ] ."
     for c in ("A", "N") for p in PROPERTIES]
    + [f"[ owl:onProperty :{p} ; owl:hasValue :x ] rdfs:comment \"some\" ." for p in PROPERTIES]
)  # fmt: skip
FACTS: Final = st.one_of(
    _of(THINGS, PROPERTIES, THINGS),
    _of(THINGS, PROPERTIES, THINGS),
    _of(THINGS, ("a",), CLASSES),
    _of(THINGS, ("d",), LITERALS),
)


@dataclass(frozen=True)
class Change:
    """A request to a model, or, without a model, time that passes."""

    model: str | None
    add: tuple[str, ...] = ()
    update: tuple[str, ...] = ()
    retract: tuple[str, ...] = ()
    ttl: float | None = None
    wait: float = 0.0


@dataclass(frozen=True)
class Wish:
    """A subscription: its model, patterns and options."""

    model: str
    patterns: tuple[str, ...]
    on: str


@dataclass(frozen=True)
class World:
    """An ontology, what is waited for, and what happens."""

    ontology: str
    wishes: tuple[Wish, ...]
    changes: tuple[Change, ...]


def _turtle(line: str) -> str:
    words = [w if ":" in w or w == "a" else f":{w}" for w in line.split()]
    return f"{' '.join(words)} ."


@st.composite
def ontologies(draw: st.DrawFn) -> str:
    """Turtle with a few axioms that infer."""
    plain = draw(st.lists(AXIOMS, max_size=5))
    nameless = draw(st.lists(NAMELESS, max_size=1))
    return HEAD + "\n".join([*map(_turtle, plain), *nameless])


def patterns() -> SearchStrategy[tuple[str, ...]]:
    """One to three patterns, with few variables so that they are shared."""
    who = st.sampled_from((*VARIABLES, "?u", "*", "*", "*", *THINGS))
    thing = st.builds(lambda s, p, o: f"{s} {p} {o}", who, st.sampled_from(PROPERTIES), who)
    kind = st.builds(
        lambda s, c: f"{s} a {c}", who, st.sampled_from((*CLASSES, *CLASSES, "?u", "?k", "*", "N"))
    )
    data = st.builds(lambda s, o: f"{s} d {o}", who, st.sampled_from((*LITERALS, "?v", "?k", "*")))
    wild = st.builds(
        lambda s, p, o: f"{s} {p} {o}",
        who,
        st.sampled_from(("?k", "?u", "*")),
        st.one_of(who, st.sampled_from(CLASSES)),
    )
    one = st.one_of(thing, thing, kind, data, wild)
    return st.lists(one, min_size=1, max_size=3).map(tuple)


def wishes() -> SearchStrategy[Wish]:
    """Somebody who waits for something in one of the models."""
    return st.builds(
        Wish,
        st.sampled_from(MODELS),
        patterns(),
        st.sampled_from(("appear", "disappear", "both", "both")),
    )


def _wild(text: str, where: str) -> str:
    words = text.split()
    return " ".join("*" if mark == "1" else word for word, mark in zip(words, where, strict=True))


def _retracted() -> SearchStrategy[str]:
    either = st.one_of(FACTS, FACTS, AXIOMS)
    masks = st.sampled_from(("000", "000", "001", "100", "101", "011"))
    return st.one_of(st.builds(_wild, either, masks), st.just("?o p ?o"))


def changes() -> SearchStrategy[Change]:
    """A request, mostly; else time that passes."""
    told = st.one_of(FACTS, FACTS, FACTS, AXIOMS)
    request = st.builds(
        Change,
        st.sampled_from(MODELS),
        st.lists(told, min_size=1, max_size=5).map(tuple),
        st.lists(FACTS, max_size=1).map(tuple),
        st.lists(_retracted(), max_size=2).map(tuple),
        st.sampled_from((None, None, 1.0, 3.0)),
    )
    waiting = st.builds(Change, st.none(), wait=st.sampled_from((0.5, 1.0, 2.0)))
    withdrawing = st.builds(
        Change,
        st.sampled_from(MODELS),
        retract=st.lists(_retracted(), min_size=1, max_size=2).map(tuple),
    )
    return st.one_of(request, request, withdrawing, waiting)


def worlds(most: int = 10, least: int = 3) -> SearchStrategy[World]:
    """An ontology, some wishes, and some changes."""
    return st.builds(
        World,
        ontologies(),
        st.lists(wishes(), min_size=1, max_size=4).map(tuple),
        st.lists(changes(), min_size=least, max_size=most).map(tuple),
    )


@lru_cache(maxsize=512)
def _common(ontology: str) -> CommonSense:
    return CommonSense([ontology])


def board_of(ontology: str) -> Board:
    """A new board with that ontology and the two models."""
    board = Board(_common(ontology))
    board.create("sally")
    return board


def revision_of(board: Board, change: Change) -> Revision:
    """The request that a change is."""
    return read_revision(
        board.names,
        add=change.add,
        update=change.update,
        retract=change.retract,
        ttl=change.ttl,
    )


def happens(board: Board, change: Change, now: float) -> None:
    """Lets a change happen to a board."""
    if change.model is None:
        board.expire(now)
    else:
        board.revise(change.model, revision_of(board, change), now)


def frozen(row: Row) -> frozenset[tuple[str, str]]:
    """A row as a value."""
    return frozenset(row.items())


def answers(view: FactView, texts: Iterable[str], board: Board) -> Answer:
    """The answers to patterns, by brute force: each fact is tried in each pattern.

    An unnamed class of the ontology is in no answer.
    """
    facts = [f for f in view.match(None, None, None) if not any(t.startswith(HIDDEN) for t in f)]
    rows: set[frozenset[tuple[str, str]]] = {frozenset()}
    for text in texts:
        pattern = read_pattern(text, board.names)
        fits = [f for f in facts if _fits(pattern, f)]
        rows = {made for row in rows for f in fits for made in _joined(row, pattern, f)}
    return frozenset(rows)


def _fits(pattern: Pattern, fact: Statement) -> bool:
    return all(t[0] in "?*" or t == found for t, found in zip(pattern, fact, strict=True))


def _joined(
    row: frozenset[tuple[str, str]], pattern: Pattern, fact: Statement
) -> list[frozenset[tuple[str, str]]]:
    known = dict(row)
    for term, found in zip(pattern, fact, strict=True):
        if term[0] == "?" and known.setdefault(term[1:], found) != found:
            return []
    return [frozenset(known.items())]
