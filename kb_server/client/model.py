"""One model of a board: the board's methods without the model's name, and Python operators."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol, Self

from kb_server.client.calls import calls
from kb_server.client.calls.calls import Text, Texts
from kb_server.client.calls.values import Fact, Row
from kb_server.client.streams import event_streams
from kb_server.client.streams.verbs import Asker, Subscribable, asked, heard, of_model, paged

__all__ = ["Model"]


class BoardVerbs(Asker, Subscribable, Protocol):
    """The part of a board that its models use."""


class Model:
    """The model of one agent: the facts that this agent believes.

    >>> from kb_server import Blackboard
    >>> with Blackboard.local() as kb:
    ...     sally = kb["sally"]
    ...     made = sally.create()
    ...     sally += ["ball isIn basket", "basket isOn table"]
    ...     sally -= ["basket isOn *"]
    ...     "ball isIn basket" in sally, sally["?o isIn basket"], sally["?o isIn ?b", "?o a Ball"]
    (True, [{'o': 'ball'}], [])
    """

    def __init__(self, board: BoardVerbs, id: str) -> None:
        self.board: Final = board
        self.id: Final = id

    revise = of_model(asked(calls.revise))
    add = of_model(asked(calls.add))
    retract = of_model(asked(calls.retract))
    update = of_model(asked(calls.update))
    find = of_model(asked(calls.find))
    check = of_model(asked(calls.check))
    about = of_model(asked(calls.about))
    lookup = of_model(asked(calls.lookup))
    explain = of_model(asked(calls.explain))
    consistency = of_model(asked(calls.consistency))
    compare = of_model(asked(calls.compare))
    discriminate = of_model(asked(calls.discriminate))
    clarify = of_model(asked(calls.clarify))
    divergence = of_model(asked(calls.divergence))
    history = of_model(asked(calls.history))
    poses = of_model(asked(calls.poses))
    query = of_model(asked(calls.query))
    update_sparql = of_model(asked(calls.update_sparql))
    create = of_model(asked(calls.create))
    delete = of_model(asked(calls.delete))
    facts = of_model(paged(calls.facts))
    subscribe = of_model(heard(event_streams.subscribe))
    subscribe_divergence = of_model(heard(event_streams.subscribe_divergence))
    listen = of_model(heard(event_streams.listen))

    def __iadd__(self, statements: Texts) -> Self:
        self.revise(add=_statements(statements))
        return self

    def __isub__(self, patterns: Texts) -> Self:
        self.revise(retract=_statements(patterns))
        return self

    def __contains__(self, pattern: Text) -> bool:
        return self.check(pattern)

    def __getitem__(self, patterns: Text) -> list[Row]:
        return self.find(*patterns_in(patterns))

    def __iter__(self) -> Iterator[Fact]:
        return self.facts()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and other.board is self.board and other.id == self.id

    def __hash__(self) -> int:
        return hash((id(self.board), self.id))

    def __repr__(self) -> str:
        return f"<model {self.id!r}>"


def patterns_in(key: Text) -> Iterable[Text]:
    """The patterns given in brackets: one or several; three bare terms are one pattern.

    >>> list(patterns_in("?o isIn box")), list(patterns_in(("?o", "isIn", "box")))
    (['?o isIn box'], [('?o', 'isIn', 'box')])
    >>> list(patterns_in(("?o a Book", "?o isOn table")))
    ['?o a Book', '?o isOn table']
    """
    if isinstance(key, str) or not isinstance(key, Sequence):
        return [key]
    if len(key) == 3 and all(isinstance(term, str) and _is_term(term) for term in key):
        return [tuple(key)]
    return key


def _statements(statements: Texts) -> Texts:
    """Statements; a tuple of three terms is one statement, as in brackets."""
    return list(patterns_in(statements)) if isinstance(statements, tuple) else statements


def _is_term(text: str) -> bool:
    return text.startswith('"') or len(text.split()) == 1
