"""Knowledge of the ontology about classes and things, queried from a board and cached.

Nothing else in this package knows the properties of classes. The road not taken is to read the
ontology's files here: classes made at run time, and facts asserted on the board, would be ignored.
"""

from collections.abc import Collection
from typing import Final, Protocol

from kb_server import BadStatement, Blackboard
from ontology import vocabulary as v

__all__ = ["BoardKnowledge", "Knowledge"]


class Knowledge(Protocol):
    """The knowledge that a scene takes from the ontology.

    Names are those of the board: `Tube`, or `my:Tube` in an ontology with its own prefix.
    """

    def is_class(self, name: str) -> bool:
        """Whether a class with this name exists."""

    def is_a(self, name: str, above: str) -> bool:
        """Whether a class is equal to another one or its subclass."""

    def classes(self) -> Collection[str]:
        """The names of all classes without a prefix, sorted."""

    def kinds(self, thing: str) -> Collection[str]:
        """The most specific classes of a thing, sorted."""

    def value(self, thing: str, relation: str) -> str | None:
        """The value of a thing's relation, such as its weight; None unless there is exactly one."""


class BoardKnowledge:
    """The knowledge of a board, from the robot's model; every answer is cached.

    Later changes on the board are not noticed; they need a new object of this class.

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
        except BadStatement:  # the prefix is not declared by any ontology
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
        """The bindings of ?x without a prefix, sorted."""
        if pattern not in self._found:
            found = {row["x"] for row in self._board.find(v.MYSELF, pattern)}
            self._found[pattern] = tuple(sorted(x for x in found if ":" not in x))
        return self._found[pattern]
