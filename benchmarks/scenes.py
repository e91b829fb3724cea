"""Facts of synthetic rooms of any size, as a robot would assert them."""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Final

import ontology
from kb_server.core.models.board import Board
from kb_server.core.models.revision import Revision
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.statements import Statement, read_statement

__all__ = ["board_with", "common_sense", "facts_of_a_room", "moves"]

_CLASSES: Final = ("Ball", "Cup", "Book", "Mug", "Cube", "Can", "VideoTape", "Glass")
_COLOURS: Final = ("red", "green", "blue", "yellow", "black", "white")
_PER_SUPPORT: Final = 20


def common_sense() -> CommonSense:
    """The shipped ontology with its entailments."""
    return CommonSense([path.read_text() for path in ontology.files()])


def facts_of_a_room(count: int, common: CommonSense) -> list[Statement]:
    """A number of facts: objects of all kinds on tables, with colours, seen or not."""
    stream = _stream(random.Random(1))
    return [read_statement(text, common.names) for text in islice(stream, count)]


def board_with(
    facts: list[Statement], common: CommonSense, models: tuple[str, ...] = ("myself",)
) -> Board:
    """A board with these facts in each of some models."""
    board = Board(common)
    for model in models:
        board.create(model)
        board.revise(model, Revision(add=tuple(facts)), 0.0)
    return board


def moves(facts: list[Statement], count: int, turn: int) -> tuple[list[Statement], list[Statement]]:
    """A change of the scene: a number of objects move; the facts to retract and to add."""
    on = [f for f in facts if f[1] == "isOn"]
    out = [on[(turn * count + k) % len(on)] for k in range(count)]
    return out, [(s, p, f"table{(int(o[5:]) + 1) % (len(on) // _PER_SUPPORT)}") for s, p, o in out]


def _stream(chance: random.Random) -> Iterator[str]:
    i = 0
    while True:
        support = f"table{i // _PER_SUPPORT}"
        if i % _PER_SUPPORT == 0:
            yield f"{support} a Table"
        thing = f"thing{i}"
        yield f"{thing} a {chance.choice(_CLASSES)}"
        yield f"{thing} isOn {support}"
        yield f"{thing} hasColor {chance.choice(_COLOURS)}"
        yield f"{thing} isInFieldOfView {chance.choice(('true', 'false'))}"
        if i % _PER_SUPPORT:
            yield f"{thing} isNextTo thing{i - 1}"
        i += 1
