"""Boards to try things on, over the shipped ontology or over a few lines of Turtle."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypedDict, Unpack

import ontology
from kb_server.core.models.board import Board, BoardSettings
from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.proofs import FactProof, explain
from kb_server.core.models.revision import read_revision
from kb_server.core.questions.query import Row, check, find
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.statements import Pattern, Statement, read_pattern, read_statement, write

__all__ = [
    "Request",
    "answers",
    "board_of",
    "common_sense",
    "everything",
    "facts_of",
    "holds",
    "names_of",
    "proof_of",
    "read",
    "revise",
    "shipped",
    "texts",
]

_HEADER = """
@prefix : <http://kb.openrobots.org#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix swrl: <http://www.w3.org/2003/11/swrl#> .
@prefix swrlb: <http://www.w3.org/2003/11/swrlb#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


class Request(TypedDict, total=False):
    """The fields of a `revise`."""

    retract: Iterable[object]
    update: Iterable[object]
    add: Iterable[object]
    memory: str
    ttl: float | None
    if_consistent: bool
    source: str | None
    t: float | None


@cache
def common_sense(turtle: str) -> CommonSense:
    """The common sense of a few lines of Turtle, whose prefixes are declared."""
    return CommonSense([_HEADER + turtle])


@cache
def _shipped() -> CommonSense:
    return CommonSense([path.read_text("utf-8") for path in ontology.files()])


def shipped(settings: BoardSettings | None = None) -> Board:
    """A new board over the ontology as it is shipped."""
    return Board(_shipped(), settings)


def board_of(turtle: str = "", settings: BoardSettings | None = None) -> Board:
    """A new board over an ontology of one's own."""
    return Board(common_sense(turtle), settings)


def revise(
    board: Board, model: str = "myself", now: float = 0.0, **request: Unpack[Request]
) -> ModelDelta | None:
    """Changes a model as a request of texts asks."""
    return board.revise(model, read_revision(board.names, **request), now)


def read(board: Board, text: object) -> Statement:
    """A statement's terms."""
    return read_statement(text, board.names)


def patterns_of(board: Board, texts: Sequence[object]) -> list[Pattern]:
    """The patterns of some texts."""
    return [read_pattern(text, board.names) for text in texts]


def answers(
    board: Board,
    *texts: str,
    model: str = "myself",
    select: Sequence[str] | None = None,
    limit: int | None = None,
) -> list[Row]:
    """What `find` answers to some patterns."""
    view = board.model(model).view
    return find(patterns_of(board, texts), view, board.budget(), select, limit)


def holds(board: Board, *texts: str, model: str = "myself") -> bool:
    """What `check` answers to some patterns."""
    return check(patterns_of(board, texts), board.model(model).view, board.budget())


def proof_of(board: Board, text: str, model: str = "myself") -> FactProof:
    """What `explain` answers about a fact."""
    return explain(board.model(model), read(board, text), board.budget())


def texts(facts: Iterable[Statement]) -> set[str]:
    """Some facts as people write them."""
    return set(map(write, facts))


def facts_of(board: Board, model: str = "myself") -> set[str]:
    """The facts of a model without the common-sense ontology."""
    return texts(board.model(model).facts())


def names_of(board: Board) -> list[str]:
    """The models there are."""
    return [model.id for model in board.models()]


def everything(board: Board) -> object:
    """All that a board holds, as a value to compare with a later one."""
    models = board.models()
    return (board.seq, board.next_due(), models, [_inside(board, m.id) for m in models])


def _inside(board: Board, name: str) -> object:
    model = board.model(name)
    reasoner = model.reasoner
    return (
        dict(model.assertions),
        set(model.restated),
        set(reasoner.asserted),
        dict(reasoner.facts),
        {s: {p: set(o) for p, o in ps.items()} for s, ps in reasoner.index.by_subject.items()},
        {p: {o: set(s) for o, s in os.items()} for p, os in reasoner.index.by_object.items()},
        set(reasoner.clashes),
        {key: id(instance) for key, instance in reasoner.rules.instances.items()},
    )
