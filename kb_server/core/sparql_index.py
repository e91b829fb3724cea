"""The SPARQL index: an Oxigraph store that follows the deltas, and so needs no asking back.

Each model has two graphs: `model:sally` with all that holds in it beyond the common sense, and
another with its assertions alone. The common sense is a graph of its own, shared.
"""

from collections.abc import Iterable
from typing import Final

import pyoxigraph as ox

from kb_server.core.blackboard import Blackboard
from kb_server.core.commonsense import CommonSense
from kb_server.core.delta import Delta
from kb_server.core.model import is_visible
from kb_server.core.rdf import Translator
from kb_server.core.statements import Statement
from ontology.vocabulary import PREFIXES

__all__ = ["SparqlIndex"]

_BULK: Final = 1_000
_SLACK: Final = 20_000


class SparqlIndex:
    """The facts of all models as a SPARQL dataset.

    `default_graphs` are the graphs that a question to a model is asked of.
    """

    def __init__(self, common: CommonSense) -> None:
        self.store = ox.Store()
        self._removed = 0
        self.common_graph: Final = ox.NamedNode(PREFIXES["oro"].rstrip("#"))
        self._terms: Final = Translator(common.names)
        reasoner = common.reasoner
        seen = (f for f in reasoner.facts if f in reasoner.told or is_visible(f))
        self._add(seen, self.common_graph)

    def model_graph(self, model: str) -> ox.NamedNode:
        """The graph of all that holds in a model beyond the common sense."""
        return ox.NamedNode(PREFIXES["model"] + model)

    def asserted_graph(self, model: str) -> ox.NamedNode:
        """The graph of what is asserted in a model."""
        return ox.NamedNode(f"{PREFIXES['model']}{model}#asserted")

    def default_graphs(
        self, model: str, inferred: bool = True
    ) -> list[ox.NamedNode | ox.BlankNode | ox.DefaultGraph]:
        """What a question to a model sees by default, with or without what is inferred."""
        own = self.model_graph(model) if inferred else self.asserted_graph(model)
        return [own, self.common_graph]

    def follow(self, delta: Delta) -> None:
        """Takes one delta over."""
        model, asserted = self.model_graph(delta.model), self.asserted_graph(delta.model)
        self._remove(delta.ceased, model)
        self._remove(delta.withdrawn, asserted)
        self._remove(filter(self._is_common, delta.withdrawn), model)
        self._add(delta.became_true, model)
        self._add(delta.asserted, asserted)
        self._add(filter(self._is_common, delta.asserted), model)
        self._renew()

    def _renew(self) -> None:
        """Moves to a new store when most of what this one keeps is gone.

        Oxigraph's store in memory frees nothing that is removed. Names that are ever new would
        fill it; so it is left behind, at a cost that the removals since have earned.
        """
        if self._removed > _SLACK + 2 * len(self.store):
            kept, self.store = self.store, ox.Store()
            self.store.bulk_extend(iter(kept))
            self._removed = 0

    def fill(self, board: Blackboard) -> None:
        """Takes over all that a board holds now."""
        for info in board.models():
            model = board.model(info.id)
            self._add(model.facts(), self.model_graph(info.id))
            self._add(model.assertions, self.asserted_graph(info.id))

    def _is_common(self, fact: Statement) -> bool:
        return self._quad(fact, self.common_graph) in self.store

    def _add(self, facts: Iterable[Statement], graph: ox.NamedNode) -> None:
        quads = [self._quad(fact, graph) for fact in facts]
        if len(quads) > _BULK:
            self.store.bulk_extend(quads)
        else:
            for quad in quads:
                self.store.add(quad)

    def _remove(self, facts: Iterable[Statement], graph: ox.NamedNode) -> None:
        for fact in facts:
            self.store.remove(self._quad(fact, graph))
            self._removed += 1

    def _quad(self, fact: Statement, graph: ox.NamedNode) -> ox.Quad:
        s, p, o = map(self._terms.to_ox, fact)
        return ox.Quad(s, p, o, graph)  # type: ignore[arg-type]  # never a literal before the object
