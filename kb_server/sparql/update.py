"""SPARQL Update computed without executing it: the facts to add to and remove from each graph.

Only the board's one writer changes anything. So a worker computes the changes of an update, and
the writer makes revisions of them, all or none. For each operation:

1. It is rewritten (see `operations`) so that Oxigraph inserts the triples to delete and those to
   insert into hidden graphs. The cost is that of the change, and templates, blank nodes and
   solutions are left to Oxigraph.
2. Its effect is applied to the replica, so that the next operation sees it.
3. After the last operation all effects are undone.

Inferences from an operation are not visible to the next one, because the board reasons only once,
at the end. Roads not taken:

- Executing the update on the replica, comparing, and rolling back: Oxigraph's Python interface
  neither reports the changes of an update nor has transactions. Comparing two dumps takes some
  30 ms for 20 000 facts, however small the change.
- A scratch store with copies of the graphs involved: the same cost, and `GRAPH ?g` involves all.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypedDict

import pyoxigraph as ox

from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import HIDDEN
from kb_server.errors import BadQuery, BadStatement, Refused, TooCostly, UnknownGraph, UnknownModel
from kb_server.sparql.dataset import nodes, resolved
from kb_server.sparql.errors import bad_query, engine_asked
from kb_server.sparql.graph_access import (
    check_default,
    check_reach,
    check_written,
    reached,
    reads_default,
)
from kb_server.sparql.limits import checked
from kb_server.sparql.operations import (
    DELETED,
    INSERTED,
    Operation,
    is_written_default,
    operations,
    rewritten,
    where,
    written,
)
from kb_server.sparql.protocol import SparqlUpdate
from kb_server.sparql.replica import COMMON_GRAPH, HIDDEN_GRAPHS, Graph, Replica, ReplicaStore
from kb_server.sparql.settings import Limits

__all__ = ["Outcome", "worked_out"]

_SHOWN: Final = 300
_CHANGES: Final = ("INSERT", "DELETE", "WITH")


class Outcome(TypedDict):
    """The changes of an update to one graph, and whether it creates or drops the graph."""

    add: list[Statement]
    remove: list[Statement]
    comes: bool
    goes: bool


@dataclass
class Changes:
    """The facts to add and remove, by the graph's IRI; for one fact the last operation counts."""

    replica: Replica
    asked: SparqlUpdate
    most: int
    wanted: dict[str, dict[ox.Triple, bool]] = field(default_factory=dict)
    undo: list[tuple[ReplicaStore, ox.Triple, Graph, bool]] = field(default_factory=list)
    there: set[str] = field(init=False)
    """The existing graphs, updated as the operations create and drop them."""

    def __post_init__(self) -> None:
        self.there = self._there_before()

    def _there_before(self) -> set[str]:
        there = self.asked.there
        return {g.value for g in self.replica.asserted.named()} if there is None else {*there}

    @property
    def model(self) -> Graph:
        """The default graph: that of the request's model."""
        return self.replica.model_graph(self.asked.model)

    def check_reach(self, *graphs: Graph) -> None:
        """Raise Forbidden for a graph that the client has no rights on."""
        check_reach(self.replica.names, graphs, self.asked.reach)

    def check_default(self) -> None:
        """Raise Forbidden if the client has no rights on the default graph."""
        check_default(self.replica.names, self.model, self.asked.reach)

    def make(self, triples: Iterable[ox.Triple], graph: str, adds: bool) -> None:
        """Record triples to add to a graph, or to remove, and apply them to the replica.

        TooCostly beyond the allowed number of changes.
        """
        node = self._checked(graph)
        wanted = self.wanted.setdefault(graph, {})
        for t in triples:
            if adds:
                self.there.add(graph)
            wanted[t] = adds
            self._show(t, node, adds)
        if sum(map(len, self.wanted.values())) > self.most:
            message = f"an update may change at most {self.most} facts"
            raise TooCostly(message, reason="changes", allowed=self.most)

    def create(self, graph: str) -> None:
        """Create a graph, which may be empty."""
        self._checked(graph)
        self.there.add(graph)

    def clear(self, graph: str, ends: bool = False) -> None:
        """Remove all facts of a graph; with `ends` also drop it, unless it is a model's."""
        facts = self.replica.asserted
        self.make(list(facts.triples(ox.NamedNode(graph))), graph, adds=False)
        if ends and not self._is_model(graph):
            self.there.discard(graph)

    def check_there(self, graph: str) -> None:
        """Raise UnknownGraph or UnknownModel for a graph that does not exist."""
        if graph in self.there or graph == COMMON_GRAPH:
            return
        if not self._is_model(graph):
            raise UnknownGraph(f"there is no graph <{graph}>"[:_SHOWN], graph=graph[:_SHOWN])
        if self.asked.there is not None:
            raise UnknownModel(f"there is no model for the graph <{graph}>"[:_SHOWN])

    def _checked(self, graph: str) -> Graph:
        """Return a graph that the client may change; else raise Refused or Forbidden."""
        if graph == COMMON_GRAPH or graph.startswith(HIDDEN_GRAPHS):
            raise Refused(f"<{graph}> can't be changed by an update", graph=graph)
        node = ox.NamedNode(graph)
        check_written(self.replica.names, node, self.asked.reach)
        return node

    def _show(self, t: ox.Triple, graph: Graph, adds: bool) -> None:
        holding, asserted = self.replica.holding, self.replica.asserted
        for facts in (holding, asserted):
            # Deleting a fact that is only inferred has no effect.
            stays = facts is holding and not adds and not asserted.holds(t, graph)
            if facts.holds(t, graph) != adds and not stays:
                self._put(facts, t, graph, adds)
                self.undo.append((facts, t, graph, adds))

    def _put(self, facts: ReplicaStore, t: ox.Triple, graph: Graph, adds: bool) -> None:
        (facts.add if adds else facts.remove)([t], graph)
        if self._is_model(graph.value) and facts.holds(t, facts.common):
            facts.restate(graph, [t], adds)

    def take_back(self) -> None:
        """Undo all effects on the replica."""
        for facts, t, graph, added in reversed(self.undo):
            self._put(facts, t, graph, not added)

    def answer(self) -> dict[str, Outcome]:
        """Return the changes of each graph that changes."""
        before = self._there_before()
        turned = before ^ self.there
        return {
            graph: {
                "add": [self._written(t, graph) for t, adds in wanted.items() if adds],
                "remove": [self.replica.statement(t) for t, adds in wanted.items() if not adds],
                "comes": graph in turned and graph not in before,
                "goes": graph in turned and graph in before,
            }
            for graph in sorted(self.wanted.keys() | turned)
            for wanted in (self.wanted.get(graph, {}),)
            if wanted or graph in turned
        }

    def _written(self, t: ox.Triple, graph: str) -> Statement:
        fact = self.replica.statement(t)
        if self._is_model(graph) and any(term.startswith(HIDDEN) for term in fact):
            message = f"nodes {HIDDEN}… are reserved for the ontology"
            raise BadStatement(message, statement=" ".join(fact))
        return fact

    def _is_model(self, graph: str) -> bool:
        return graph.startswith(self.replica.names.prefixes["model"])


def worked_out(replica: Replica, asked: SparqlUpdate, limits: Limits) -> dict[str, Outcome]:
    """Return the changes of an update by graph; the replica is the same afterwards."""
    found = checked(asked.text, limits, update=True)
    parts = list(operations(asked.text, found))
    _check_grammar(asked, replica, parts)
    changes = Changes(replica, asked, limits.changes)
    try:
        for operation in parts:
            _perform(operation, changes)
        return changes.answer()
    finally:
        changes.take_back()
        _clear(replica.holding)


def _check_grammar(asked: SparqlUpdate, replica: Replica, parts: list[Operation]) -> None:
    """Parse the text as it was written, by executing it on an empty store.

    Oxigraph does not accept PREFIX after a semicolon; if there is one, each operation is parsed by
    itself.
    """
    alone = len({part.prologue for part in parts}) > 1
    for one in [part.alone() for part in parts] if alone else [asked.text]:
        try:
            ox.Store().update(one, base_iri=asked.base, prefixes=dict(replica.names.prefixes))
        except SyntaxError as reason:
            raise bad_query(reason) from None
        except (RuntimeError, OSError, ValueError):
            continue  # a missing graph is no syntax error


def _perform(operation: Operation, changes: Changes) -> None:
    _check_named(operation, changes)
    if operation.verb in _CHANGES:
        _change(operation, changes)
    elif operation.verb in ("CLEAR", "DROP"):
        _clear_graph(operation, changes)
    elif operation.verb in ("ADD", "COPY", "MOVE"):
        _transfer(operation, changes)
    elif operation.verb == "CREATE":
        _create(operation, changes)
    else:
        raise Refused(f"{operation.verb} is not supported", word=operation.verb)


def _change(operation: Operation, changes: Changes) -> None:
    facts = changes.replica.holding
    with_ = operation.names(["WITH"])[:1] if operation.verb == "WITH" else []
    default = with_[0] if with_ else f"<{changes.model.value}>"
    if not with_ and is_written_default(operation):
        changes.check_default()
    text = rewritten(operation, default, _dataset(operation, changes, with_))
    with engine_asked():
        facts.store.update(
            text,
            base_iri=changes.asked.base,
            prefixes=dict(changes.replica.names.prefixes),
        )
    computed = [(g, list(facts.triples(g))) for g in _hidden(facts.store)]
    _clear(facts)
    for start, adds in ((DELETED, False), (INSERTED, True)):
        for graph, triples in computed:
            if graph.value.startswith(start):
                changes.make(triples, graph.value[len(start) :], adds)


def _dataset(operation: Operation, changes: Changes, with_: list[str]) -> str:
    """Return the dataset of WHERE: the graphs of the request, the graph of WITH, or the model's."""
    asked, facts = changes.asked, changes.replica.holding
    if asked.has_dataset:
        if with_ or "USING" in operation.words():
            raise BadQuery("using-graph-uri can't be combined with USING or WITH in the update")
        seen = [f"<{g.value}>" for g in nodes(asked.using or ())]
        named = nodes(asked.using_named or ())
        changes.check_reach(*nodes(asked.using or ()), *named)
    else:
        seen = with_ or [f"<{g.value}>" for g in _seen(operation, changes)]
        named = (
            reached(changes.replica.names, facts.named(), asked.reach)
            if "GRAPH" in operation.words()
            else []
        )
    return " ".join([f"USING {g}" for g in seen] + [f"USING NAMED <{g.value}>" for g in named])


def _seen(operation: Operation, changes: Changes) -> list[Graph]:
    """Return the default graphs of WHERE: those of the model, or none if it is out of reach."""
    if "USING" not in operation.words() and reads_default(where(operation)):
        changes.check_default()
    in_reach = reached(changes.replica.names, [changes.model], changes.asked.reach)
    return changes.replica.holding.seen_from(changes.model) if in_reach else []


def _check_named(operation: Operation, changes: Changes) -> None:
    """Raise Forbidden if the operation names a graph out of reach, even if it changes nothing.

    Otherwise a refusal would reveal whether the pattern matches another agent's facts.
    """
    if changes.asked.reach is not None:
        for name in dict.fromkeys(operation.names(["WITH", "USING", "NAMED", "GRAPH"])):
            _resolved(operation, name, changes)
        for name in written(operation):
            graph = ox.NamedNode(_resolved(operation, name, changes))
            check_written(changes.replica.names, graph, changes.asked.reach)


def _hidden(store: ox.Store) -> Iterator[Graph]:
    for graph in store.named_graphs():
        if isinstance(graph, ox.NamedNode) and graph.value.startswith((DELETED, INSERTED)):
            yield graph


def _clear(facts: ReplicaStore) -> None:
    for graph in list(_hidden(facts.store)):
        facts.drop(graph)


def _clear_graph(operation: Operation, changes: Changes) -> None:
    """CLEAR or DROP; the ontology always stays, and with NAMED also the model's default graph."""
    last, ends = operation.words()[-1], operation.verb == "DROP"
    if last not in ("ALL", "NAMED"):
        graph = _graph(operation, len(operation.tokens) - 1, changes)
        if _is_there(graph, operation, changes):
            changes.clear(graph, ends)
        return
    kept = {COMMON_GRAPH} | ({changes.model.value} if last == "NAMED" else set())
    held = {graph.value for graph in changes.replica.asserted.named()}
    for graph in sorted((held | changes.there) - kept):
        changes.clear(graph, ends)


def _create(operation: Operation, changes: Changes) -> None:
    """CREATE an empty plain graph; Refused, unless SILENT, if it exists or is a model's."""
    graph = _graph(operation, len(operation.tokens) - 1, changes)
    is_model = graph.startswith(changes.replica.names.prefixes["model"])
    if not is_model and graph not in changes.there:
        changes.create(graph)
    elif "SILENT" not in operation.words():
        why = "a model is created by PUT, not by CREATE" if is_model else "the graph exists already"
        raise Refused(f"<{graph}>: {why}", graph=graph)


def _is_there(graph: str, operation: Operation, changes: Changes) -> bool:
    """Whether a graph exists; if not, raise UnknownGraph or UnknownModel unless SILENT."""
    try:
        changes.check_there(graph)
    except (UnknownGraph, UnknownModel):
        if "SILENT" not in operation.words():
            raise
        return False
    return True


def _transfer(operation: Operation, changes: Changes) -> None:
    """ADD, COPY or MOVE the asserted facts of one graph to another."""
    source = _graph(operation, operation.words().index("TO") - 1, changes)
    target = _graph(operation, len(operation.tokens) - 1, changes)
    if not _is_there(source, operation, changes) or source == target:
        return
    triples = list(changes.replica.asserted.triples(ox.NamedNode(source)))
    if operation.verb != "ADD":
        changes.clear(target, ends=True)
    changes.make(triples, target, adds=True)
    if operation.verb == "MOVE":
        changes.clear(source, ends=True)


def _graph(operation: Operation, place: int, changes: Changes) -> str:
    token = operation.tokens[place]
    if token.word == "DEFAULT":
        changes.check_default()
        return changes.model.value
    return _resolved(operation, token.text, changes)


def _resolved(operation: Operation, name: str, changes: Changes) -> str:
    """Return the IRI that a name stands for; Forbidden if that graph is out of reach."""
    iri = resolved(operation.prologue, name, changes.asked.base, changes.replica)
    changes.check_reach(ox.NamedNode(iri))
    return iri
