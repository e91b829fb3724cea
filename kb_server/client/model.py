"""One model of a board, with the verbs of the board, and read and changed as people write it."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, Protocol, Self, TypeVar

from kb_server.client import calls
from kb_server.client.binding import asked_in
from kb_server.client.calls import At, Call, Text, Texts
from kb_server.client.events import DivergenceEvent, Event, PosesEvent
from kb_server.client.streams import Subscription
from kb_server.client.values import Fact, Row

__all__ = ["Model"]

T = TypeVar("T")


class Board(Protocol):
    """What a model needs of the board that it is one of."""

    def ask(self, call: Call[T], /) -> T: ...

    def facts(
        self,
        model: str,
        *,
        s: str | None = None,
        p: str | None = None,
        o: str | None = None,
        source: str | None = None,
        kind: Literal["asserted", "inferred", "all"] = "all",
        at: At = None,
    ) -> Iterator[Fact]: ...

    def subscribe(
        self,
        model: str,
        *patterns: Text,
        on: Literal["appear", "disappear", "both"] = "appear",
        once: bool = False,
        snapshot: bool = False,
        after: int | None = None,
    ) -> Subscription[Event]: ...

    def subscribe_divergence(
        self, model: str, *patterns: Text, other: str = "myself"
    ) -> Subscription[DivergenceEvent]: ...

    def listen(self, model: str) -> Subscription[PosesEvent]: ...


class Model:
    """What one agent believes.

    >>> from kb_server import Blackboard
    >>> with Blackboard.local() as kb:
    ...     sally = kb["sally"]
    ...     made = sally.create()
    ...     sally += ["ball isIn basket", "basket isOn table"]
    ...     sally -= ["basket isOn *"]
    ...     "ball isIn basket" in sally, sally["?o isIn basket"], sally["?o isIn ?b", "?o a Ball"]
    (True, [{'o': 'ball'}], [])
    """

    def __init__(self, board: Board, id: str) -> None:
        self.board: Final = board
        self.id: Final = id

    revise = asked_in(calls.revise)
    add = asked_in(calls.add)
    retract = asked_in(calls.retract)
    update = asked_in(calls.update)
    find = asked_in(calls.find)
    check = asked_in(calls.check)
    about = asked_in(calls.about)
    lookup = asked_in(calls.lookup)
    explain = asked_in(calls.explain)
    consistency = asked_in(calls.consistency)
    compare = asked_in(calls.compare)
    discriminate = asked_in(calls.discriminate)
    clarify = asked_in(calls.clarify)
    divergence = asked_in(calls.divergence)
    history = asked_in(calls.history)
    poses = asked_in(calls.poses)
    query = asked_in(calls.query)
    update_sparql = asked_in(calls.update_sparql)
    create = asked_in(calls.create)
    delete = asked_in(calls.delete)

    def facts(
        self,
        *,
        s: str | None = None,
        p: str | None = None,
        o: str | None = None,
        source: str | None = None,
        kind: Literal["asserted", "inferred", "all"] = "all",
        at: At = None,
    ) -> Iterator[Fact]:
        """Its facts, common sense left out, in the order of their texts."""
        return self.board.facts(self.id, s=s, p=p, o=o, source=source, kind=kind, at=at)

    def subscribe(
        self,
        *patterns: Text,
        on: Literal["appear", "disappear", "both"] = "appear",
        once: bool = False,
        snapshot: bool = False,
        after: int | None = None,
    ) -> Subscription[Event]:
        """The bindings of the patterns as they come and go."""
        return self.board.subscribe(
            self.id, *patterns, on=on, once=once, snapshot=snapshot, after=after
        )

    def subscribe_divergence(
        self, *patterns: Text, other: str = "myself"
    ) -> Subscription[DivergenceEvent]:
        """Where this model and another begin and cease to differ on the patterns."""
        return self.board.subscribe_divergence(self.id, *patterns, other=other)

    def listen(self) -> Subscription[PosesEvent]:
        """Where things are in this model, as it is published."""
        return self.board.listen(self.id)

    def __iadd__(self, statements: Texts) -> Self:
        self.revise(add=statements)
        return self

    def __isub__(self, patterns: Texts) -> Self:
        self.revise(retract=patterns)
        return self

    def __contains__(self, pattern: Text) -> bool:
        return self.check(pattern)

    def __getitem__(self, patterns: Text) -> list[Row]:
        return self.find(*patterns_in(patterns))

    def __iter__(self) -> Iterator[Fact]:
        return self.facts()

    def __repr__(self) -> str:
        return f"<model {self.id!r}>"


def patterns_in(key: Text) -> Iterable[Text]:
    """What stands in brackets: one pattern, or several; three bare terms are one.

    >>> list(patterns_in("?o isIn box")), list(patterns_in(("?o", "isIn", "box")))
    (['?o isIn box'], [('?o', 'isIn', 'box')])
    >>> list(patterns_in(("?o a Book", "?o isOn table")))
    ['?o a Book', '?o isOn table']
    """
    if isinstance(key, str):
        return [key]
    if len(key) == 3 and all(isinstance(term, str) and _is_term(term) for term in key):
        return [tuple(key)]
    return key


def _is_term(text: str) -> bool:
    return text.startswith('"') or len(text.split()) == 1
