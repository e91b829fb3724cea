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
from typing import Final, TypedDict

import pyoxigraph as ox

from kb_server.core.errors import BadStatement, TooCostly, UnknownModel
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import HIDDEN
from kb_server.sparql.dataset import nodes, resolved
from kb_server.sparql.errors import BadQuery, Refused, UnknownGraph, bad_query, engine_asked
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
from kb_server.sparql.reach import (
    Reach,
    check_default,
    check_reach,
    check_written,
    reached,
    reads_default,
)
from kb_server.sparql.replica import COMMON_GRAPH, HIDDEN_GRAPHS, Facts, Graph, Replica
from kb_server.sparql.settings import Limits

__all__ = ["Outcome", "Request", "worked_out"]

_SHOWN: Final = 300
_CHANGES: Final = ("INSERT", "DELETE", "WITH")


class Outcome(TypedDict):
    """What an update comes to for one graph, which may come or go with it."""

    add: list[Statement]
    remove: list[Statement]
    comes: bool
    goes: bool


@dataclass(frozen=True, slots=True)
class Request:
    """An update; `using` and `using_named` as the protocol gives them, or None.

    `there` are the graphs that there are, empty ones and models too; None: those that hold
    something, and all models.
    """

    text: str
    model: str
    base: str | None = None
    using: Sequence[str] | None = None
    using_named: Sequence[str] | None = None
    reach: Reach = None
    there: Sequence[str] | None = None

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
    there: set[str] = field(init=False)
    """The graphs that there are, as the operations make and drop them."""

    def __post_init__(self) -> None:
        self.there = self._there_before()

    def _there_before(self) -> set[str]:
        there = self.asked.there
        return {g.value for g in self.replica.asserted.named()} if there is None else {*there}

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
        node = self._checked(graph)
        wanted = self.wanted.setdefault(graph, {})
        for t in triples:
            if adds:
                self.there.add(graph)
            wanted[t] = adds
            self._show(t, node, adds)
        if sum(map(len, self.wanted.values())) > self.most:
            message = f"an update may change {self.most} facts"
            raise TooCostly(message, reason="changes", allowed=self.most)

    def create(self, graph: str) -> None:
        """Has a graph there, empty though it may be."""
        self._checked(graph)
        self.there.add(graph)

    def clear(self, graph: str, ends: bool = False) -> None:
        """Empties a graph; one that `ends` is there no more, unless it is a model's."""
        facts = self.replica.asserted
        self.make(list(facts.triples(ox.NamedNode(graph))), graph, adds=False)
        if ends and not self._is_model(graph):
            self.there.discard(graph)

    def check_there(self, graph: str) -> None:
        """UnknownGraph or UnknownModel for a graph that there is not."""
        if graph in self.there or graph == COMMON_GRAPH:
            return
        if not self._is_model(graph):
            raise UnknownGraph(f"there is no graph <{graph}>"[:_SHOWN], graph=graph[:_SHOWN])
        if self.asked.there is not None:
            raise UnknownModel(f"there is no model of the graph <{graph}>"[:_SHOWN])

    def _checked(self, graph: str) -> Graph:
        """A graph that may be changed by this asker."""
        if graph == COMMON_GRAPH or graph.startswith(HIDDEN_GRAPHS):
            raise Refused(f"<{graph}> can't be changed by an update", graph=graph)
        node = ox.NamedNode(graph)
        check_written(self.replica.names, node, self.asked.reach)
        return node

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

    def answer(self) -> dict[str, Outcome]:
        """For each graph, the facts to add and to remove, and whether it comes or goes."""
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
            raise BadStatement(f"nodes {HIDDEN}… are the ontology's own", statement=" ".join(fact))
        return fact

    def _is_model(self, graph: str) -> bool:
        return graph.startswith(self.replica.names.prefixes["model"])


def worked_out(replica: Replica, asked: Request, limits: Limits) -> dict[str, Outcome]:
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
        for name in written(operation):
            graph = ox.NamedNode(_resolved(operation, name, changes))
            check_written(changes.replica.names, graph, changes.asked.reach)


def _hidden(store: ox.Store) -> Iterator[Graph]:
    for graph in store.named_graphs():
        if isinstance(graph, ox.NamedNode) and graph.value.startswith((DELETED, INSERTED)):
            yield graph


def _clear(facts: Facts) -> None:
    for graph in list(_hidden(facts.store)):
        facts.drop(graph)


def _clear_graph(operation: Operation, changes: Changes) -> None:
    """CLEAR or DROP; the ontology always stays, and with NAMED the default graph, the model's."""
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
    """CREATE: an empty graph of plain storage, unless there is one of that name."""
    graph = _graph(operation, len(operation.tokens) - 1, changes)
    is_model = graph.startswith(changes.replica.names.prefixes["model"])
    if not is_model and graph not in changes.there:
        changes.create(graph)
    elif "SILENT" not in operation.words():
        why = "a model is made by PUT, not by CREATE" if is_model else "there is one already"
        raise Refused(f"<{graph}>: {why}", graph=graph)


def _is_there(graph: str, operation: Operation, changes: Changes) -> bool:
    """Whether a graph is there; UnknownGraph when it is not, unless that is to be passed over."""
    try:
        changes.check_there(graph)
    except (UnknownGraph, UnknownModel):
        if "SILENT" not in operation.words():
            raise
        return False
    return True


def _transfer(operation: Operation, changes: Changes) -> None:
    """ADD, COPY or MOVE: what a graph holds, asserted, into another."""
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
    """The graph that a name means; OutOfReach for one that the asker may not touch."""
    iri = resolved(operation.prologue, name, changes.asked.base, changes.replica)
    changes.check_reach(ox.NamedNode(iri))
    return iri
