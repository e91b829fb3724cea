"""The replica: a worker's copy of the board, two Oxigraph stores that follow the deltas.

One store has all facts, the other only the asserted ones. In both, the graph of a model is
`model:sally`, so `GRAPH model:sally` works with `inferred=false` too. The road not taken is one
store with the assertions in a graph `model:sally#asserted`: then `GRAPH model:sally` could not
leave out inferred facts, and `GRAPH ?g` would find both graphs.

The danger: Oxigraph treats several default graphs as a bag, so a fact in two of them counts twice.
Therefore a model that restates common-sense facts has a copy of the common sense without them,
beside its own graph. Other unions of default graphs are merged for each question.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import pyoxigraph as ox

from kb_server.core.terms.rdf import Translator
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.errors import BadStatement, Refused
from ontology.vocabulary import PREFIXES

__all__ = ["COMMON_GRAPH", "HIDDEN_GRAPHS", "Graph", "Replica", "ReplicaStore", "check_plain"]

Graph = ox.NamedNode
HIDDEN_GRAPHS: Final = "urn:x-mindboard:"
"""The prefix of the names of internal graphs, which no query or update may name."""
COMMON_GRAPH: Final = PREFIXES["oro"].rstrip("#")
_SLACK: Final = 20_000
"""Removed quads that a store may always hold, so that a small store is not copied all the time."""
_MERGED: Final = ox.NamedNode(HIDDEN_GRAPHS + "merged")


def check_plain(graph: str, names: Names) -> None:
    """Raise Refused for the graph of a model or of the ontology, and for a hidden graph."""
    if graph == COMMON_GRAPH or graph.startswith((HIDDEN_GRAPHS, names.prefixes["model"])):
        raise Refused(f"<{graph}> is not plain storage", graph=graph)


class ReplicaStore:
    """One store of graphs, in which a model may restate common-sense facts.

    Oxigraph's store in memory frees nothing when quads are removed, so after many removals the
    content moves to a new store. The sizes of graphs are counted here, because the store would
    have to walk through its quads for them.
    """

    def __init__(self) -> None:
        self.store = ox.Store()
        self.common: Final = ox.NamedNode(COMMON_GRAPH)
        self._sizes: Final[Counter[str]] = Counter()
        self._rest: Final[dict[str, Graph]] = {}
        self._removed = 0

    def add(self, triples: Iterable[ox.Triple], graph: Graph) -> None:
        for t in triples:
            quad = ox.Quad(t.subject, t.predicate, t.object, graph)
            if quad not in self.store:
                self.store.add(quad)
                self._sizes[graph.value] += 1

    def remove(self, triples: Iterable[ox.Triple], graph: Graph) -> None:
        for t in triples:
            quad = ox.Quad(t.subject, t.predicate, t.object, graph)
            if quad in self.store:
                self.store.remove(quad)
                self._sizes[graph.value] -= 1
                self._removed += 1
        if self._sizes[graph.value] <= 0:
            del self._sizes[graph.value]

    def drop(self, graph: Graph) -> None:
        """Remove a graph; costly, because the store walks over all quads that were ever in it."""
        size = self._sizes.pop(graph.value, None)
        self._removed += sum(1 for _ in self.triples(graph)) if size is None else size
        self.store.remove_graph(graph)

    def renew(self) -> None:
        """Move to a new store if removed quads are most of this one (amortised constant cost)."""
        if self._removed > _SLACK and self._removed > _SLACK + 2 * self._sizes.total():
            kept, self.store = self.store, ox.Store()
            self.store.bulk_extend(iter(kept))
            self._removed = 0

    def holds(self, t: ox.Triple, graph: Graph) -> bool:
        return ox.Quad(t.subject, t.predicate, t.object, graph) in self.store

    def restate(self, model: Graph, triples: Sequence[ox.Triple], restated: bool) -> None:
        """Update the copy of the common sense without the facts that a model restates.

        The copy exists only while the model restates some fact.
        """
        rest = self._rest.get(model.value)
        if not triples or not (rest or restated):
            return
        if rest is None:
            rest = self._rest[model.value] = ox.NamedNode(f"{HIDDEN_GRAPHS}rest:{model.value}")
            self.add(self.triples(self.common), rest)
        (self.remove if restated else self.add)(triples, rest)
        if self._sizes[rest.value] == self._sizes[COMMON_GRAPH]:
            del self._rest[model.value]
            self.drop(rest)

    def triples(self, graph: Graph) -> Iterator[ox.Triple]:
        return (q.triple for q in self.store.quads_for_pattern(None, None, None, graph))

    def named(self) -> list[Graph]:
        """Return the graphs that GRAPH can read: those that are neither empty nor hidden."""
        return [ox.NamedNode(g) for g in self._sizes if not g.startswith(HIDDEN_GRAPHS)]

    def seen_from(self, model: Graph) -> list[Graph]:
        """Return the default graphs of a question to a model; they share no fact."""
        return [model, self._rest.get(model.value, self.common)]

    @contextmanager
    def merged(self, graphs: Sequence[Graph]) -> Iterator[list[Graph]]:
        """Give default graphs with the facts of all these graphs, each fact once."""
        distinct = sorted(dict.fromkeys(graphs), key=lambda g: -self._sizes[g.value])
        found = [t for graph in distinct[1:] for t in self.triples(graph)]
        more = dict.fromkeys(t for t in found if not self.holds(t, distinct[0]))
        if len(more) == len(found):
            yield distinct
            return
        try:
            self.add(more, _MERGED)
            yield [distinct[0], _MERGED]
        finally:
            self.drop(_MERGED)

    @contextmanager
    def also(self, computed: Mapping[str, Sequence[ox.Triple]]) -> Iterator[None]:
        """Add facts to the graphs of models during the block."""
        new = {
            model: [
                t
                for t in dict.fromkeys(triples)
                if not self.holds(t, self.common) and not self.holds(t, ox.NamedNode(model))
            ]
            for model, triples in computed.items()
        }
        try:
            for model, triples in new.items():
                self.add(triples, ox.NamedNode(model))
            yield
        finally:
            for model, triples in new.items():
                self.remove(triples, ox.NamedNode(model))


class Replica:
    """The facts of a board; `holding` has all facts, `asserted` only the asserted ones."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self.names: Final = Names(prefixes)
        self.terms: Final = Translator(self.names)
        self.holding: Final = ReplicaStore()
        self.asserted: Final = ReplicaStore()
        self.seq = 0

    def facts(self, inferred: bool) -> ReplicaStore:
        return self.holding if inferred else self.asserted

    def model_graph(self, model: str) -> Graph:
        return ox.NamedNode(self.names.prefixes["model"] + model)

    def triples(self, facts: Iterable[Sequence[str]]) -> list[ox.Triple]:
        """Return some of the board's facts as triples."""
        return [self._triple(*fact) for fact in facts]

    def _triple(self, s: str, p: str, o: str) -> ox.Triple:
        subject, predicate = self.terms.to_ox(s), self.terms.to_ox(p)
        if isinstance(subject, ox.Literal) or not isinstance(predicate, ox.NamedNode):
            raise BadStatement(
                "a statement's subject can't be a literal, and its predicate must be an IRI",
                statement=" ".join((s, p, o)),
            )
        return ox.Triple(subject, predicate, self.terms.to_ox(o))

    def statement(self, triple: ox.Triple) -> Statement:
        """Return a triple as a statement of the board; BadStatement for a quoted triple."""
        s, p, o = map(self.terms.from_ox, (triple.subject, triple.predicate, triple.object))
        return (s, p, o)

    def put(self, graph: Graph, facts: Iterable[Sequence[str]]) -> None:
        """Add facts to a graph that is no model's: the common sense, or a plain graph."""
        triples = self.triples(facts)
        self.holding.add(triples, graph)
        self.asserted.add(triples, graph)

    def take(self, graph: Graph, facts: Iterable[Sequence[str]]) -> None:
        """Remove facts from a plain graph."""
        triples = self.triples(facts)
        self.holding.remove(triples, graph)
        self.asserted.remove(triples, graph)

    def follow(
        self,
        model: str,
        *,
        ceased: Iterable[Sequence[str]] = (),
        became_true: Iterable[Sequence[str]] = (),
        withdrawn: Iterable[Sequence[str]] = (),
        asserted: Iterable[Sequence[str]] = (),
    ) -> None:
        """Apply a delta of a model."""
        graph = self.model_graph(model)
        out, new = self.triples(withdrawn), self.triples(asserted)
        self._restate(graph, out, False)
        self.holding.remove(self.triples(ceased), graph)
        self.asserted.remove(out, graph)
        self.holding.add(self.triples(became_true), graph)
        self.asserted.add(new, graph)
        self._restate(graph, new, True)
        self.renew()

    def renew(self) -> None:
        """Free the memory of removed facts if they are many."""
        self.holding.renew()
        self.asserted.renew()

    def _restate(self, graph: Graph, triples: Sequence[ox.Triple], restated: bool) -> None:
        common = [t for t in triples if self.holding.holds(t, self.holding.common)]
        for facts in (self.holding, self.asserted):
            facts.restate(graph, common, restated)
        (self.holding.add if restated else self.holding.remove)(common, graph)
