"""What the ontology knows about classes and things: asked of a board, once each.

Nothing else in the room knows what a table can do. The road not taken is to read the ontology's
files here: then classes made at run time, and what people told the board, would not count.
"""

from collections.abc import Collection
from typing import Final, Protocol

from kb_server import BadStatement, Blackboard
from ontology import vocabulary as v

__all__ = ["BoardKnowledge", "Knowledge"]


class Knowledge(Protocol):
    """What a scene takes from the ontology instead of saying it itself.

    Names are as the board has them: `Tube`, or `my:Tube` of an ontology with a prefix of its own.
    """

    def is_class(self, name: str) -> bool:
        """Whether a class of this name is known."""

    def is_a(self, name: str, above: str) -> bool:
        """Whether a class is another one, or below it."""

    def classes(self) -> Collection[str]:
        """The names of all classes that need no prefix, in order."""

    def kinds(self, thing: str) -> Collection[str]:
        """The most specific of the classes that a thing is known to belong to, in order."""

    def value(self, thing: str, relation: str) -> str | None:
        """What a thing is known to have, such as its weight; None unless there is just one."""


class BoardKnowledge:
    """The knowledge of a board, its robot's model; every answer is kept.

    It never looks twice: what changes on the board after it was asked needs a new one.

    >>> from kb_server import Blackboard
    >>> with Blackboard.local() as kb:
    ...     knowledge = BoardKnowledge(kb)
    ...     knowledge.is_a("Table", "Support"), knowledge.is_a("Ball", "Support")
    (True, False)
    """

    def __init__(self, board: Blackboard) -> None:
        self._board: Final = board
        self._checked: Final[dict[str, bool]] = {}
        self._found: Final[dict[str, tuple[str, ...]]] = {}

    def is_class(self, name: str) -> bool:
        try:
            return self._check(f"{name} {v.TYPE} {v.OWL_CLASS}")
        except BadStatement:  # a prefix that no ontology has declared
            return False

    def is_a(self, name: str, above: str) -> bool:
        return name == above or self._check(f"{name} {v.SUB_CLASS_OF} {above}")

    def classes(self) -> Collection[str]:
        return self._find(f"?x {v.TYPE} {v.OWL_CLASS}")

    def kinds(self, thing: str) -> Collection[str]:
        found = self._find(f"{thing} {v.TYPE} ?x")
        known = [each for each in found if self.is_a(each, v.SPATIAL_THING)]
        return tuple(a for a in known if not any(self._is_below(b, a) for b in known))

    def value(self, thing: str, relation: str) -> str | None:
        found = self._find(f"{thing} {relation} ?x")
        return found[0] if len(found) == 1 else None

    def _is_below(self, one: str, other: str) -> bool:
        return self.is_a(one, other) and not self.is_a(other, one)

    def _check(self, statement: str) -> bool:
        if statement not in self._checked:
            self._checked[statement] = self._board.check(v.MYSELF, statement)
        return self._checked[statement]

    def _find(self, pattern: str) -> tuple[str, ...]:
        """What stands for ?x, in order: our own names, without prefix."""
        if pattern not in self._found:
            found = {row["x"] for row in self._board.find(v.MYSELF, pattern)}
            self._found[pattern] = tuple(sorted(x for x in found if ":" not in x))
        return self._found[pattern]
