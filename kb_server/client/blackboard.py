"""The board as a program sees it: elsewhere, or in the same process."""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, Self, TypeVar

from kb_server.client.calls import calls
from kb_server.client.calls.address import DEFAULT_URL
from kb_server.client.calls.calls import At, Call
from kb_server.client.calls.values import Answer, Delta
from kb_server.client.model import Model
from kb_server.client.streams import feeds
from kb_server.client.streams.binding import asked, heard, paged
from kb_server.client.streams.feeds import Feed, Interest
from kb_server.client.streams.streams import Subscription
from kb_server.client.transport.network import Network
from kb_server.client.transport.showing import stage_commands
from kb_server.client.transport.socket import LineWatcher, Provider

__all__ = ["Blackboard"]

T = TypeVar("T")
E = TypeVar("E")
TIMEOUT: Final = 15.0
"""Seconds; the board answers any question within ten."""


class Way(Protocol):
    """How a board is reached."""

    def ask(self, call: Call[T], /) -> T: ...

    def open(self, feed: Feed[Any], /) -> None: ...

    def drop(self, feed: Feed[Any], /) -> None: ...

    def provide(self, predicates: Iterable[str], function: Provider, /) -> None: ...

    def say(self, says: Mapping[str, Any], /) -> None: ...

    def will(self, source: str, /) -> None: ...

    def on_line(self, watcher: LineWatcher, /) -> None: ...

    def close(self) -> None: ...


class Blackboard:
    """All models of one board; every verb names the model, or is asked of `kb[model]`.

    It may be used from many threads, and is closed when nobody needs it any more.

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
        self._way: Way = Network(url, token, timeout)
        self._name = url

    @classmethod
    def local(cls, folder: Path | str | None = None, ontology: Iterable[Path | str] = ()) -> Self:
        """A board in this process; with a folder it keeps its journal there, and goes on from it.

        While it is open no other board can use the folder. What the files of an `ontology` say, in
        Turtle, RDF/XML, N-Triples or JSON-LD, is common sense too.
        """
        files = [ontology] if isinstance(ontology, (str, Path)) else ontology
        board = cls.__new__(cls)
        local = import_module("kb_server.client.local.local")  # heavy, and only needed here
        board._way = local.Local(None if folder is None else Path(folder), [*map(Path, files)])
        board._name = "in-process"
        return board

    def ask(self, call: Call[T], /) -> T:
        """The answer to any call; the verbs are made of this."""
        return self._way.ask(call)

    def hear(self, interest: Interest[E], /) -> Subscription[E]:
        """The events of any interest; the verbs that subscribe are made of this."""
        sink: Subscription[E] = Subscription()
        feed = Feed(interest, sink)
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
    subscribe = heard(feeds.subscribe)
    subscribe_divergence = heard(feeds.subscribe_divergence)
    listen = heard(feeds.listen)

    def query(
        self,
        sparql: str,
        *,
        model: str = "myself",
        accept: str | None = None,
        inferred: bool = True,
        at: At = None,
    ) -> Answer:
        """What a SPARQL query finds; with `accept`, a media type, its text as it comes."""
        return self.ask(calls.query(model, sparql, accept=accept, inferred=inferred, at=at))

    def update_sparql(self, sparql: str, *, model: str = "myself") -> dict[str, Delta]:
        """Carries out a SPARQL update, all of it or nothing; what it did to each model."""
        return self.ask(calls.update_sparql(model, sparql))

    def publish(
        self,
        model: str,
        poses: Mapping[str, Any],
        t: float | str | None = None,
        source: str | None = None,
    ) -> None:
        """Publishes where things are: `{"ball": {"pose": [x, y, z]}}`, None for what is gone.

        What bears a source is withdrawn when this board is lost.
        """
        says = {"op": "publish", "topic": "poses", "model": model, "t": t, "poses": dict(poses)}
        if source is not None:
            says["source"] = source
        self._way.say(says)

    def stage(self, shows: Mapping[str, Any], source: str, *, will: bool = True) -> None:
        """Shows how things look, or what is being told, by name; None for what is gone.

        What a source shows is withdrawn when this board is lost, unless nobody has a `will` for
        that source here; and shown again when it is back.
        """
        for says in stage_commands(source, shows, will):
            self._way.say(says)

    def provide(self, predicates: Iterable[str], function: Provider) -> None:
        """Has the facts of some predicates computed by a function, when they are asked for.

        It is given an `Ask` and gives statements; it has a second, and is called in a thread.
        """
        self._way.provide([predicates] if isinstance(predicates, str) else predicates, function)

    def will(self, source: str) -> None:
        """Has the facts of a source withdrawn from all models when this board is lost or closed."""
        self._way.will(source)

    def on_line(self, watcher: LineWatcher) -> None:
        """Has a function called with the name of the board, at once and on each new line to it.

        A line is made anew when it broke, after subscriptions, wills and what is provided are said
        again. When the name is another one, it is another board: what was told before is not there.
        It is called in a thread of its own. A board in-process has one line and one name.
        """
        self._way.on_line(watcher)

    def close(self) -> None:
        """Ends what was begun here: subscriptions end, and nothing more is answered."""
        self._way.close()

    def __getitem__(self, model: str) -> Model:
        return Model(self, model)

    def __setitem__(self, name: str, model: Model) -> None:
        """For `kb["sally"] += [...]`, which sets what it has changed."""
        if not isinstance(model, Model) or model.id != name or model.board is not self:
            raise TypeError("a model can't be set; add to it, or revise it")

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
