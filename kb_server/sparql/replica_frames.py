"""Frames for the workers: the facts of a whole board at one moment, and single deltas."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from kb_server.core.models.board import Board
from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.model import is_visible
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.statements import Statement
from kb_server.sparql.protocol import packed
from kb_server.sparql.replica import COMMON_GRAPH

__all__ = [
    "BoardContents",
    "ModelFacts",
    "common_frames",
    "delta_frame",
    "filling_frames",
    "graph_frame",
    "holdings_of",
]

_SLICE: Final = 1_000
"""Facts in a frame: packing so many takes about a millisecond of the board's time."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """A model's facts, without common sense; facts on anonymous classes are not sent."""

    id: str
    asserted: Collection[Statement]
    inferred: Collection[Statement]


@dataclass(frozen=True, slots=True)
class BoardContents:
    """All models after delta `seq`, and the plain graphs by IRI."""

    seq: int
    models: Sequence[ModelFacts]
    graphs: Sequence[tuple[str, Collection[Statement]]] = field(default=())

    @property
    def size(self) -> int:
        """The number of facts."""
        models = sum(len(m.asserted) + len(m.inferred) for m in self.models)
        return models + sum(len(held) for _, held in self.graphs)


def holdings_of(
    board: Board, graphs: Sequence[tuple[str, Collection[Statement]]] = ()
) -> BoardContents:
    """Copy the present facts of a board."""
    models = [board.model(info.id) for info in board.models()]
    facts = [ModelFacts(m.name, tuple(m.assertions), tuple(m.reasoner.inferred())) for m in models]
    return BoardContents(board.seq, facts, [(name, tuple(held)) for name, held in graphs])


def common_frames(common: CommonSense) -> list[bytes]:
    """Return the frames of the common-sense ontology; it never changes, so they are made once."""
    reasoner = common.reasoner
    seen = (f for f in reasoner.facts if f in reasoner.asserted or is_visible(f))
    return [graph_frame(COMMON_GRAPH, facts, ()) for facts in _slices(seen)]


def filling_frames(held: BoardContents) -> Iterator[bytes]:
    """Yield the frames of all facts, a slice at a time."""
    for model in held.models:
        for facts in _slices(model.asserted):
            seen = list(filter(is_visible, facts))
            yield packed({"do": "follow", "model": model.id, "came": seen, "asserted": facts})
        for facts in _slices(filter(is_visible, model.inferred)):
            yield packed({"do": "follow", "model": model.id, "came": facts})
    for graph, held_there in held.graphs:
        for facts in _slices(held_there):
            yield graph_frame(graph, facts, ())
    yield packed({"do": "now", "seq": held.seq})


def delta_frame(delta: ModelDelta) -> bytes:
    """Return the frame of a delta."""
    says = {
        "do": "follow",
        "model": delta.model,
        "seq": delta.seq,
        "ceased": delta.ceased,
        "came": delta.became_true,
        "withdrawn": delta.withdrawn,
        "asserted": tuple(delta.asserted),
    }
    return packed(says)


def graph_frame(graph: str, add: Iterable[Statement], remove: Iterable[Statement]) -> bytes:
    """Return the frame of a change to a graph that is no model's."""
    return packed({"do": "change", "graph": graph, "add": list(add), "remove": list(remove)})


def _slices(facts: Iterable[Statement]) -> Iterator[list[Statement]]:
    rest = iter(facts)
    while part := list(islice(rest, _SLICE)):
        yield part
