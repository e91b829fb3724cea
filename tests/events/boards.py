"""Boards for stories: a few lines of Turtle, somebody who listens, and requests as text."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from kb_server.core.events.events import Events, On, SubscriptionEvent
from kb_server.core.models.board import Board, BoardSettings
from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.revision import read_revision
from kb_server.core.questions.query import Row, find
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.statements import Pattern, read_pattern
from ontology import files

__all__ = ["HOUSE", "Told", "common_sense", "in_house"]

HOUSE: Final = """
@prefix : <http://kb.openrobots.org#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Cat rdfs:subClassOf :Animal .
:Dog rdfs:subClassOf :Animal .
:isOn rdfs:subPropertyOf :isAt .
:isIn rdfs:subPropertyOf :isAt .
:touches a owl:SymmetricProperty .
:isPartOf a owl:TransitiveProperty .
:contains owl:inverseOf :isIn .
:hasWeight a owl:FunctionalProperty .
:Noisy owl:equivalentClass [ owl:onProperty :makes ; owl:someValuesFrom owl:Thing ] .
[ owl:onProperty :hums ; owl:someValuesFrom owl:Thing ] rdfs:label "what hums" .
"""


@cache
def _common(*texts: str) -> CommonSense:
    return CommonSense(texts)


def common_sense() -> CommonSense:
    """The shipped ontology."""
    return _common(*(path.read_text("utf-8") for path in files()))


class Told:
    """A board, and all its events as short texts such as `+s1 x=ball`."""

    def __init__(self, common: CommonSense, settings: BoardSettings | None = None) -> None:
        self.board: Final = Board(common, settings)
        self.heard: Final[list[SubscriptionEvent]] = []
        self.deltas: Final[list[ModelDelta]] = []
        self.events: Final = Events(self.board, self.heard.append)
        self.board.on_delta.append(self.deltas.append)

    def read(self, *texts: str) -> list[Pattern]:
        return [read_pattern(text, self.board.names) for text in texts]

    def subscribe(self, sub: str, *texts: str, on: On = "both", once: bool = False) -> None:
        """Waits for patterns in the model `myself`."""
        self.events.subscribe(sub, "myself", self.read(*texts), on, once)

    def revise(
        self,
        *add: str,
        retract: Iterable[str] = (),
        update: Iterable[str] = (),
        model: str = "myself",
        now: float = 0.0,
        ttl: float | None = None,
        memory: str = "long_term",
        source: str | None = None,
        t: float | None = None,
    ) -> ModelDelta | None:
        asked = read_revision(
            self.board.names,
            add=add,
            retract=retract,
            update=update,
            ttl=ttl,
            memory=memory,
            source=source,
            t=t,
        )
        return self.board.revise(model, asked, now)

    def news(self) -> list[str]:
        """The events since the last call."""
        heard = [_short(event) for event in self.heard]
        self.heard.clear()
        return heard

    def holds(self, *texts: str, model: str = "myself") -> bool:
        return bool(self.find(*texts, model=model))

    def find(self, *texts: str, model: str = "myself") -> list[Row]:
        return find(self.read(*texts), self.board.model(model).view, self.board.budget())


_MARKS: Final = {"appear": "+", "disappear": "-", "error": "!", "diverge": "<>", "converge": "="}


def _short(event: SubscriptionEvent) -> str:
    sides = (("", (event.bindings,)), ("here:", event.only_here), ("there:", event.only_there))
    rows = [
        side + ",".join(f"{name}={value}" for name, value in row.items())
        for side, found in sides
        for row in sorted(found, key=lambda row: sorted(row.items()))
    ]
    return " ".join((_MARKS[event.kind] + event.sub, *filter(None, rows)))


def in_house(settings: BoardSettings | None = None) -> Told:
    """A board over the small ontology above."""
    return Told(_common(HOUSE), settings)
