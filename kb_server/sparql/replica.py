"""The replica: what a worker knows of the board, as two Oxigraph stores that follow the deltas.

One store has all that holds, the other only what is asserted; in both, the graph of a model is
`model:sally`, so that `GRAPH model:sally` leaves the inferred out as `inferred=false` asks. The
road not taken is one store with the assertions in a graph `model:sally#asserted`: there, GRAPH has
no way to leave the inferred out, and `GRAPH ?g` shows both.

The danger: Oxigraph answers from several default graphs as their bag, so a fact in two of them
counts twice. A model that restates common sense therefore has, beside its graph, a copy of the
common sense without what it restates; other unions are merged for the question.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import pyoxigraph as ox

from kb_server.core.errors import BadStatement
from kb_server.core.terms.rdf import Translator
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.sparql.errors import Refused
from ontology.vocabulary import PREFIXES

__all__ = ["COMMON_GRAPH", "HIDDEN_GRAPHS", "Facts", "Graph", "Replica", "check_plain"]

Graph = ox.NamedNode
HIDDEN_GRAPHS: Final = "urn:x-mindboard:"
"""How the names of graphs begin that are nobody's business."""
COMMON_GRAPH: Final = PREFIXES["oro"].rstrip("#")
_SLACK: Final = 20_000
_MERGED: Final = ox.NamedNode(HIDDEN_GRAPHS + "merged")


def check_plain(graph: str, names: Names) -> None:
    """Refused unless a graph is plain storage: neither a model's, the ontology's nor hidden."""
    if graph == COMMON_GRAPH or graph.startswith((HIDDEN_GRAPHS, names.prefixes["model"])):
        raise Refused(f"<{graph}> is not plain storage", graph=graph)


class Facts:
    """One store of graphs, in which a model may restate what is common sense.

    It moves to a new store when most of what this one keeps is gone, for Oxigraph's store in memory
    frees nothing that is removed. It counts what it holds: to ask the store how much that is takes
    a walk through it, as does finding that a graph is empty.
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
        """Forgets a graph; that walks over all that was ever in it, so others are just emptied."""
        size = self._sizes.pop(graph.value, None)
        self._removed += sum(1 for _ in self.triples(graph)) if size is None else size
        self.store.remove_graph(graph)

    def renew(self) -> None:
        """Leaves behind what is gone, at a cost that the removals since have earned."""
        if self._removed > _SLACK and self._removed > _SLACK + 2 * self._sizes.total():
            kept, self.store = self.store, ox.Store()
            self.store.bulk_extend(iter(kept))
            self._removed = 0

    def holds(self, t: ox.Triple, graph: Graph) -> bool:
        return ox.Quad(t.subject, t.predicate, t.object, graph) in self.store

    def restate(self, model: Graph, triples: Sequence[ox.Triple], restated: bool) -> None:
        """Keeps the common sense that a model does not restate, while it restates any."""
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
        """The graphs that GRAPH can read; an empty one is none."""
        return [ox.NamedNode(g) for g in self._sizes if not g.startswith(HIDDEN_GRAPHS)]

    def seen_from(self, model: Graph) -> list[Graph]:
        """The default graphs of a question to a model: no fact is in both."""
        return [model, self._rest.get(model.value, self.common)]

    @contextmanager
    def merged(self, graphs: Sequence[Graph]) -> Iterator[list[Graph]]:
        """Default graphs with the facts of all these, each once."""
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
    def also(self, told: Mapping[str, Sequence[ox.Triple]]) -> Iterator[None]:
        """Some more facts of models, by the models' graphs, for one question."""
        new = {
            model: [
                t
                for t in dict.fromkeys(triples)
                if not self.holds(t, self.common) and not self.holds(t, ox.NamedNode(model))
            ]
            for model, triples in told.items()
        }
        try:
            for model, triples in new.items():
                self.add(triples, ox.NamedNode(model))
            yield
        finally:
            for model, triples in new.items():
                self.remove(triples, ox.NamedNode(model))


class Replica:
    """The facts of a board; `holding` has all that holds, `asserted` what was said."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self.names: Final = Names(prefixes)
        self.terms: Final = Translator(self.names)
        self.holding: Final = Facts()
        self.asserted: Final = Facts()
        self.seq = 0

    def facts(self, inferred: bool) -> Facts:
        return self.holding if inferred else self.asserted

    def model_graph(self, model: str) -> Graph:
        return ox.NamedNode(self.names.prefixes["model"] + model)

    def triples(self, facts: Iterable[Sequence[str]]) -> list[ox.Triple]:
        """Some of the board's facts, for the stores."""
        return [self._triple(*fact) for fact in facts]

    def _triple(self, s: str, p: str, o: str) -> ox.Triple:
        subject, predicate = self.terms.to_ox(s), self.terms.to_ox(p)
        if isinstance(subject, ox.Literal) or not isinstance(predicate, ox.NamedNode):
            raise BadStatement("this is no statement", statement=" ".join((s, p, o)))
        return ox.Triple(subject, predicate, self.terms.to_ox(o))

    def statement(self, triple: ox.Triple) -> Statement:
        """One of the stores' facts, for the board; BadStatement for a quoted triple."""
        s, p, o = map(self.terms.from_ox, (triple.subject, triple.predicate, triple.object))
        return (s, p, o)

    def put(self, graph: Graph, facts: Iterable[Sequence[str]]) -> None:
        """Puts facts into a graph that is no model's: the common sense, or plain storage."""
        triples = self.triples(facts)
        self.holding.add(triples, graph)
        self.asserted.add(triples, graph)

    def take(self, graph: Graph, facts: Iterable[Sequence[str]]) -> None:
        """Takes facts out of a graph of plain storage."""
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
        """Takes a delta of a model over."""
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
        """Frees what is gone, when that is much."""
        self.holding.renew()
        self.asserted.renew()

    def _restate(self, graph: Graph, triples: Sequence[ox.Triple], restated: bool) -> None:
        common = [t for t in triples if self.holding.holds(t, self.holding.common)]
        for facts in (self.holding, self.asserted):
            facts.restate(graph, common, restated)
        (self.holding.add if restated else self.holding.remove)(common, graph)
