"""SPARQL Update worked out without being made: what it would add to and remove from each graph.

The board has one writer, and only it changes anything; so a worker says what the update comes to,
and the writer makes revisions of it, all or none. Roads not taken:

- To make the update on the replica, compare, and roll back: Oxigraph's Python tells neither what
  an update changed nor gives a transaction to roll back, and comparing two dumps costs some 30 ms
  for 20 000 facts, however small the change.
- A scratch store with copies of the graphs touched: the same cost, and `GRAPH ?g` touches all.

So each operation is rewritten (see `operations`) to insert what it would delete and insert into
hidden graphs, which costs what the change costs and leaves templates, blank nodes and solutions to
Oxigraph. Its effect is then put into the replica, for the next operation to see, and taken back at
the end. What would be inferred from it is not seen by the next operation: the board reasons once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import pyoxigraph as ox

from kb_server.core.errors import BadStatement, TooCostly
from kb_server.core.statements import Statement
from kb_server.core.terms import HIDDEN
from kb_server.sparql.dataset import nodes, resolved
from kb_server.sparql.errors import BadQuery, Refused, bad_query, engine_asked
from kb_server.sparql.limits import checked
from kb_server.sparql.operations import (
    DELETED,
    INSERTED,
    Operation,
    is_written_default,
    operations,
    rewritten,
    where,
)
from kb_server.sparql.reach import Reach, check_default, check_reach, reached, reads_default
from kb_server.sparql.replica import COMMON_GRAPH, HIDDEN_GRAPHS, Facts, Graph, Replica
from kb_server.sparql.settings import Limits

__all__ = ["Request", "worked_out"]

_CHANGES: Final = ("INSERT", "DELETE", "WITH")


@dataclass(frozen=True, slots=True)
class Request:
    """An update; `using` and `using_named` as the protocol gives them, or None."""

    text: str
    model: str
    base: str | None = None
    using: Sequence[str] | None = None
    using_named: Sequence[str] | None = None
    reach: Reach = None

    @property
    def has_dataset(self) -> bool:
        return bool(self.using or self.using_named)


@dataclass
class Changes:
    """What is to be added to and removed from the graphs, by their IRIs; the last word counts."""

    replica: Replica
    asked: Request
    most: int
    wanted: dict[str, dict[ox.Triple, bool]] = field(default_factory=dict)
    undo: list[tuple[Facts, ox.Triple, Graph, bool]] = field(default_factory=list)

    @property
    def model(self) -> Graph:
        """The graph that is meant where none is named."""
        return self.replica.model_graph(self.asked.model)

    def check_reach(self, *graphs: Graph) -> None:
        """OutOfReach for a graph that the asker may not touch."""
        check_reach(self.replica.names, graphs, self.asked.reach)

    def check_default(self) -> None:
        """OutOfReach when the asker may not touch what is meant where no graph is named."""
        check_default(self.replica.names, self.model, self.asked.reach)

    def make(self, triples: Iterable[ox.Triple], graph: str, adds: bool) -> None:
        """Wants triples in a graph, or out of it, and shows that to the next operation."""
        if graph == COMMON_GRAPH or graph.startswith(HIDDEN_GRAPHS):
            raise Refused(f"<{graph}> can't be changed by an update", graph=graph)
        wanted = self.wanted.setdefault(graph, {})
        node = ox.NamedNode(graph)
        for t in triples:
            wanted[t] = adds
            self._show(t, node, adds)
        if sum(map(len, self.wanted.values())) > self.most:
            message = f"an update may change {self.most} facts"
            raise TooCostly(message, reason="changes", allowed=self.most)

    def _show(self, t: ox.Triple, graph: Graph, adds: bool) -> None:
        holding, asserted = self.replica.holding, self.replica.asserted
        for facts in (holding, asserted):
            # What is only inferred stays, whoever deletes it.
            stays = facts is holding and not adds and not asserted.holds(t, graph)
            if facts.holds(t, graph) != adds and not stays:
                self._put(facts, t, graph, adds)
                self.undo.append((facts, t, graph, adds))

    def _put(self, facts: Facts, t: ox.Triple, graph: Graph, adds: bool) -> None:
        (facts.add if adds else facts.remove)([t], graph)
        if self._is_model(graph.value) and facts.holds(t, facts.common):
            facts.restate(graph, [t], adds)

    def take_back(self) -> None:
        """Leaves the replica as it was."""
        for facts, t, graph, added in reversed(self.undo):
            self._put(facts, t, graph, not added)

    def answer(self) -> dict[str, dict[str, list[Statement]]]:
        """For each graph, the facts to add and to remove, as the board writes them."""
        return {
            graph: {
                "add": [self._written(t, graph) for t, adds in wanted.items() if adds],
                "remove": [self.replica.statement(t) for t, adds in wanted.items() if not adds],
            }
            for graph, wanted in self.wanted.items()
            if wanted
        }

    def _written(self, t: ox.Triple, graph: str) -> Statement:
        fact = self.replica.statement(t)
        if self._is_model(graph) and any(term.startswith(HIDDEN) for term in fact):
            raise BadStatement(f"nodes {HIDDEN}… are the ontology's own", statement=" ".join(fact))
        return fact

    def _is_model(self, graph: str) -> bool:
        return graph.startswith(self.replica.names.prefixes["model"])


def worked_out(
    replica: Replica, asked: Request, limits: Limits
) -> dict[str, dict[str, list[Statement]]]:
    """What an update of a model comes to; the replica is left as it was."""
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


def _check_grammar(asked: Request, replica: Replica, parts: list[Operation]) -> None:
    """Has the text parsed as it was written, on a store with nothing in it.

    Oxigraph knows no PREFIX after a semicolon; with one, each operation is parsed by itself.
    """
    alone = len({part.prologue for part in parts}) > 1
    for one in [part.alone() for part in parts] if alone else [asked.text]:
        try:
            ox.Store().update(one, base_iri=asked.base, prefixes=dict(replica.names.prefixes))
        except SyntaxError as reason:
            raise bad_query(reason) from None
        except (RuntimeError, OSError, ValueError):
            continue  # a graph that is not there is no error here


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
        raise Refused(f"{operation.verb} is not done here", word=operation.verb)


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
    """What WHERE is asked of: the protocol's graphs, that of WITH, or the model's."""
    asked, facts = changes.asked, changes.replica.holding
    if asked.has_dataset:
        if with_ or "USING" in operation.words():
            raise BadQuery("using-graph-uri leaves no room for USING or WITH in the update")
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
    """What WHERE reads where no graph is named: of the model, and nothing if it may not."""
    if "USING" not in operation.words() and reads_default(where(operation)):
        changes.check_default()
    in_reach = reached(changes.replica.names, [changes.model], changes.asked.reach)
    return changes.replica.holding.seen_from(changes.model) if in_reach else []


def _check_named(operation: Operation, changes: Changes) -> None:
    """OutOfReach when a model is named that is not the asker's, even if nothing came of it.

    Else it would depend on what others hold whether a change of theirs is refused.
    """
    if changes.asked.reach is not None:
        for name in dict.fromkeys(operation.names(["WITH", "USING", "NAMED", "GRAPH"])):
            _resolved(operation, name, changes)


def _hidden(store: ox.Store) -> Iterator[Graph]:
    for graph in store.named_graphs():
        if isinstance(graph, ox.NamedNode) and graph.value.startswith((DELETED, INSERTED)):
            yield graph


def _clear(facts: Facts) -> None:
    for graph in list(_hidden(facts.store)):
        facts.drop(graph)


def _clear_graph(operation: Operation, changes: Changes) -> None:
    """CLEAR or DROP; the ontology always stays, and with NAMED the default graph, the model's."""
    last = operation.words()[-1]
    if last not in ("ALL", "NAMED"):
        _remove_all(_graph(operation, len(operation.tokens) - 1, changes), changes)
        return
    kept = {COMMON_GRAPH} | ({changes.model.value} if last == "NAMED" else set())
    for graph in changes.replica.asserted.named():
        if graph.value not in kept:
            _remove_all(graph.value, changes)


def _create(operation: Operation, changes: Changes) -> None:
    """CREATE: an empty graph is none, so this only says whether the name is free."""
    graph = _graph(operation, len(operation.tokens) - 1, changes)
    if "SILENT" in operation.words():
        return
    if graph.startswith(changes.replica.names.prefixes["model"]):
        raise Refused("a model is made by PUT, not by CREATE", graph=graph)
    if graph in [held.value for held in changes.replica.asserted.named()]:
        raise Refused(f"there is a graph <{graph}> already", graph=graph)


def _remove_all(graph: str, changes: Changes) -> None:
    facts = changes.replica.asserted
    changes.make(list(facts.triples(ox.NamedNode(graph))), graph, adds=False)


def _transfer(operation: Operation, changes: Changes) -> None:
    """ADD, COPY or MOVE: what a graph holds, asserted, into another."""
    source = _graph(operation, operation.words().index("TO") - 1, changes)
    target = _graph(operation, len(operation.tokens) - 1, changes)
    if source == target:
        return
    triples = list(changes.replica.asserted.triples(ox.NamedNode(source)))
    if operation.verb != "ADD":
        _remove_all(target, changes)
    changes.make(triples, target, adds=True)
    if operation.verb == "MOVE":
        _remove_all(source, changes)


def _graph(operation: Operation, place: int, changes: Changes) -> str:
    token = operation.tokens[place]
    if token.word == "DEFAULT":
        changes.check_default()
        return changes.model.value
    return _resolved(operation, token.text, changes)


def _resolved(operation: Operation, name: str, changes: Changes) -> str:
    """The graph that a name means; OutOfReach for one that the asker may not touch."""
    iri = resolved(operation.prologue, name, changes.asked.base, changes.replica)
    changes.check_reach(ox.NamedNode(iri))
    return iri
