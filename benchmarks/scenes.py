"""Facts of made-up rooms, as a robot would assert them, of any size."""

import random
from collections.abc import Iterator
from typing import Final

import ontology
from kb_server.core.commonsense import CommonSense
from kb_server.core.statements import Statement, read_statement
from kb_server.core.terms import Names

__all__ = ["common_sense", "facts_of_a_room", "moves", "read"]

_CLASSES: Final = ("Ball", "Cup", "Book", "Mug", "Cube", "Can", "VideoTape", "Glass")
_COLOURS: Final = ("red", "green", "blue", "yellow", "black", "white")
_PER_SUPPORT: Final = 20


def common_sense() -> CommonSense:
    """The shipped ontology, closed."""
    return CommonSense([path.read_text() for path in ontology.files()])


def facts_of_a_room(count: int, names: Names) -> list[Statement]:
    """That many facts: things of all kinds on tables, with colours, and seen or reached."""
    stream = _stream(random.Random(1))
    return [read_statement(next(stream), names) for _ in range(count)]


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


def moves(facts: list[Statement], count: int, turn: int) -> tuple[list[Statement], list[Statement]]:
    """A tick of the scene: so many things leave their place for another; out, and in."""
    on = [f for f in facts if f[1] == "isOn"]
    chosen = [on[(turn * count * 7 + k * 13) % len(on)] for k in range(count)]
    out = list(dict.fromkeys(chosen))
    tables = sorted({f[2] for f in on})
    return out, [(s, p, tables[(tables.index(o) + 1) % len(tables)]) for s, p, o in out]


def read(texts: list[str], names: Names) -> list[Statement]:
    return [read_statement(text, names) for text in texts]
