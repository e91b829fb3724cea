"""The blocking client: one board, reached over the network or run in this process."""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, Self, TypeVar

from kb_server.client.calls import calls
from kb_server.client.calls.address import DEFAULT_URL
from kb_server.client.calls.calls import At, Call
from kb_server.client.calls.values import Answer, Delta
from kb_server.client.model import Model
from kb_server.client.streams import event_streams
from kb_server.client.streams.event_streams import EventStream, Interest
from kb_server.client.streams.streams import Subscription
from kb_server.client.streams.verbs import asked, heard, paged
from kb_server.client.transport.network import Network
from kb_server.client.transport.shown_stage import stage_commands
from kb_server.client.transport.socket import ConnectionWatcher, ProviderFunction

__all__ = ["Blackboard"]

T = TypeVar("T")
E = TypeVar("E")
TIMEOUT: Final = 15.0
"""Seconds to wait for an answer; a board answers every question within 10 s."""


class Transport(Protocol):
    """The transport to a board: over the network, or in this process."""

    def ask(self, call: Call[T], /) -> T: ...

    def open(self, feed: EventStream[Any], /) -> None: ...

    def drop(self, feed: EventStream[Any], /) -> None: ...

    def provide(self, predicates: Iterable[str], function: ProviderFunction, /) -> None: ...

    def send(self, says: Mapping[str, Any], /) -> None: ...

    def will(self, source: str, /) -> None: ...

    def on_line(self, watcher: ConnectionWatcher, /) -> None: ...

    def close(self) -> None: ...


class Blackboard:
    """All models of one board; each method takes the model's name, or is called on `kb[model]`.

    Any number of threads may share one instance. Close it when it is no longer needed.

    >>> from kb_server import Blackboard
    >>> with Blackboard.local() as kb:
    ...     delta = kb.revise("myself", add=["sally a Human", "ball isIn box"])
    ...     kb["sally"] += ["ball isIn basket"]
    ...     differences = kb.divergence("sally").only_here
    ...     kb.find("sally", "ball isIn ?where"), "ball isIn basket" in differences
    ([{'where': 'basket'}], True)
    """

    def __init__(
        self, url: str = DEFAULT_URL, token: str | None = None, timeout: float = TIMEOUT
    ) -> None:
        self._way: Transport = Network(url, token, timeout)
        self._name = url

    @classmethod
    def local(cls, folder: Path | str | None = None, ontology: Iterable[Path | str] = ()) -> Self:
        """Opens a board in this process; a folder holds its journal, from which it resumes.

        While it is open, no other board can use the folder. The files in `ontology` (Turtle,
        RDF/XML, N-Triples or JSON-LD) are added to the common-sense ontology.
        """
        files = [ontology] if isinstance(ontology, (str, Path)) else ontology
        board = cls.__new__(cls)
        local = import_module("kb_server.client.local.local")  # heavy, and only needed here
        board._way = local.Local(None if folder is None else Path(folder), [*map(Path, files)])
        board._name = "in-process"
        return board

    def ask(self, call: Call[T], /) -> T:
        """Sends a call and returns its answer; every method that asks is built on this one."""
        return self._way.ask(call)

    def hear(self, interest: Interest[E], /) -> Subscription[E]:
        """Subscribes; every method that subscribes is built on this one."""
        sink: Subscription[E] = Subscription()
        feed = EventStream(interest, sink)
        self._way.open(feed)
        sink.closing = lambda: self._way.drop(feed)
        return sink

    revise = asked(calls.revise)
    add = asked(calls.add)
    retract = asked(calls.retract)
    update = asked(calls.update)
    find = asked(calls.find)
    check = asked(calls.check)
    about = asked(calls.about)
    lookup = asked(calls.lookup)
    explain = asked(calls.explain)
    consistency = asked(calls.consistency)
    compare = asked(calls.compare)
    discriminate = asked(calls.discriminate)
    clarify = asked(calls.clarify)
    divergence = asked(calls.divergence)
    history = asked(calls.history)
    poses = asked(calls.poses)
    staged = asked(calls.staged)
    models = asked(calls.models)
    create = asked(calls.create)
    delete = asked(calls.delete)
    facts = paged(calls.facts)
    subscribe = heard(event_streams.subscribe)
    subscribe_divergence = heard(event_streams.subscribe_divergence)
    listen = heard(event_streams.listen)

    def query(
        self,
        sparql: str,
        *,
        model: str = "myself",
        accept: str | None = None,
        inferred: bool = True,
        at: At = None,
    ) -> Answer:
        """Answers a SPARQL query; with a media type in `accept`, the answer is its unread text.

        `model` is the default graph; `inferred=False` leaves out inferred facts. Raises BadQuery
        for invalid SPARQL, and TooCostly past the time allowed.
        """
        return self.ask(calls.query(model, sparql, accept=accept, inferred=inferred, at=at))

    def update_sparql(self, sparql: str, *, model: str = "myself") -> dict[str, Delta]:
        """Carries out a SPARQL update, whole or not at all; returns one delta for each model.

        Raises BadQuery for invalid SPARQL, and Refused for LOAD, SERVICE and the like.
        """
        return self.ask(calls.update_sparql(model, sparql))

    def publish(
        self,
        model: str,
        poses: Mapping[str, Any],
        t: float | str | None = None,
        source: str | None = None,
    ) -> None:
        """Publishes poses, in metres: `{"ball": {"pose": [x, y, z]}}`; None removes a pose.

        Poses with a `source` are withdrawn when the connection to this client is lost.
        """
        says = {"op": "publish", "topic": "poses", "model": model, "t": t, "poses": dict(poses)}
        if source is not None:
            says["source"] = source
        self._way.send(says)

    def stage(self, shows: Mapping[str, Any], source: str, *, will: bool = True) -> None:
        """Shows values on the stage, by name: looks of objects or narration; None removes a value.

        When the connection is lost, the board withdraws what the source shows, if `will` was true
        in any call for this source. The client shows it again after it has reconnected.
        """
        for says in stage_commands(source, shows, will):
            self._way.send(says)

    def provide(self, predicates: Iterable[str], function: ProviderFunction) -> None:
        """Registers a function that computes the facts of some predicates when they are queried.

        The function receives an `Ask`, runs in a thread and returns statements within 1 s.
        """
        self._way.provide([predicates] if isinstance(predicates, str) else predicates, function)

    def will(self, source: str) -> None:
        """Withdraws the facts of a source from all models once this client is lost or closed."""
        self._way.will(source)

    def on_line(self, watcher: ConnectionWatcher) -> None:
        """Calls a function with the board's identity, now and after each reconnection.

        Before the call, the client has renewed its subscriptions, wills and providers. Another
        identity means another board, which lacks the facts asserted before. The function is called
        in a thread. A board in this process has one connection and one identity.
        """
        self._way.on_line(watcher)

    def close(self) -> None:
        """Ends all subscriptions and closes the connections; later calls raise `Closed`."""
        self._way.close()

    def __getitem__(self, model: str) -> Model:
        return Model(self, model)

    def __setitem__(self, name: str, model: Model) -> None:
        """Supports `kb["sally"] += [...]`, which assigns the model that it has changed."""
        if not isinstance(model, Model) or model.id != name or model.board is not self:
            raise TypeError("a model can't be assigned; use kb[model] += statements, or revise")

    def __delitem__(self, model: str) -> None:
        self.delete(model)

    def __contains__(self, model: str) -> bool:
        return any(each.id == model for each in self.models())

    def __iter__(self) -> Iterator[Model]:
        return iter([self[each.id] for each in self.models()])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<board {self._name}>"
