"""Axioms: the statements that form them, and the rule instances that a new axiom yields.

1. If the new statement is part of a tree (a list, a SWRL rule, a datatype), climb to its roots.
2. Match the schema of each row of the rules around the statement and the roots.
3. For each match make the instances of that row.
"""

from collections.abc import Iterator
from typing import Final

from kb_server.core.facts.facts import FactView
from kb_server.core.facts.lists import heads_above, read_list
from kb_server.core.facts.matching import Budget, bind, solve
from kb_server.core.rules.checks import passes
from kb_server.core.rules.datatypes import DEEPEST, FACETS, is_datatype
from kb_server.core.rules.instances import Instance, TooLong, instances_of
from kb_server.core.rules.rules import CHECK, ROWS, RuleRow, is_check
from kb_server.core.rules.swrl import SWRL_CLASSES, SWRL_PARTS, read_rule, rules_above
from kb_server.core.terms.statements import Pattern, Statement
from kb_server.core.terms.terms import is_blank
from ontology.vocabulary import (
    DATATYPE_COMPLEMENT_OF,
    EQUIVALENT_CLASS,
    FIRST,
    INTERSECTION_OF,
    INVERSE_OF,
    ON_DATATYPE,
    ONE_OF,
    RDFS_DATATYPE,
    REST,
    SWRL_IMP,
    TYPE,
    UNION_OF,
    WITH_RESTRICTIONS,
)

__all__ = [
    "AXIOM_CLASSES",
    "AXIOM_PREDICATES",
    "RULES_OF_ALL",
    "AxiomReader",
    "is_axiom",
    "is_part",
]

_Trigger = tuple[RuleRow, Pattern]

RULES_OF_ALL: Final = tuple(row for row in ROWS if not row.schema)
"""The rows without a schema: each has one instance, which is always in force."""


def _triggers() -> tuple[dict[str, list[_Trigger]], dict[str, list[_Trigger]]]:
    by_predicate: dict[str, list[_Trigger]] = {}
    by_class: dict[str, list[_Trigger]] = {}
    for row in ROWS:
        for atom in row.schema:
            if atom[1] == TYPE:
                by_class.setdefault(atom[2], []).append((row, atom))
            elif not is_check(atom):
                by_predicate.setdefault(atom[1], []).append((row, atom))
    return by_predicate, by_class


_BY_PREDICATE, _BY_CLASS = _triggers()
_LIST_AXIOMS: Final = tuple({row.list_axiom[1]: None for row in ROWS if row.list_axiom})
_DATATYPE_PARTS: Final = frozenset((ON_DATATYPE, WITH_RESTRICTIONS, DATATYPE_COMPLEMENT_OF))
_PARTS: Final = _DATATYPE_PARTS | FACETS | SWRL_PARTS | {FIRST, REST}
_ALSO_OF_DATATYPES: Final = frozenset((ONE_OF, UNION_OF, INTERSECTION_OF, EQUIVALENT_CLASS))
AXIOM_PREDICATES: Final = (
    frozenset(_BY_PREDICATE) | {FIRST, REST} | SWRL_PARTS | _DATATYPE_PARTS | FACETS
)
AXIOM_CLASSES: Final = frozenset(_BY_CLASS) | SWRL_CLASSES | {RDFS_DATATYPE}


def is_axiom(statement: Statement) -> bool:
    """Whether a statement can be part of an axiom, so that rule instances may depend on it."""
    _, p, o = statement
    return o in AXIOM_CLASSES if p == TYPE else p in AXIOM_PREDICATES


def is_part(statement: Statement) -> bool:
    """Whether a statement can be an inner part of an axiom that is a tree."""
    s, p, o = statement
    if p == TYPE:
        return o in SWRL_CLASSES or o == RDFS_DATATYPE
    return p in _PARTS or (p == INVERSE_OF and is_blank(s)) or p in _ALSO_OF_DATATYPES


class AxiomReader:
    """Reads the rule instances of axioms, each axiom once; for one change of the facts.

    All asserted statements of the change must be in the view before the first is read. So a tree is
    complete, or incomplete, whichever of its parts is read first.
    """

    def __init__(self, view: FactView, budget: Budget, lenient: bool = False) -> None:
        """A `lenient` reader skips axioms that are too long: a withdrawal is never refused."""
        self._view: Final = view
        self._lenient: Final = lenient
        self._budget: Final = budget
        self._read: Final[set[Statement]] = set()
        self._climbed: Final[set[str]] = set()
        self._mentioned: Final[set[str]] = set()
        self._depth = 0
        self._seen: Final[set[str]] = set()

    def instances(self, statement: Statement) -> Iterator[Instance]:
        """Yield the rule instances of all axioms of which a statement is part."""
        for part in (statement, *self.roots(statement)):
            if part not in self._read:
                self._read.add(part)
                yield from self._readable(part)

    def roots(self, statement: Statement) -> list[Statement]:
        """Return the root statements of the trees that contain a statement, each only once."""
        if not is_part(statement):
            return []
        rules = rules_above(statement, self._view, self._seen)
        return [*self._roots(statement), *((rule, TYPE, SWRL_IMP) for rule in rules)]

    def _readable(self, part: Statement) -> Iterator[Instance]:
        try:
            yield from self._of(part)
        except TooLong:
            if not self._lenient:
                raise

    def _of(self, part: Statement) -> Iterator[Instance]:
        s, p, o = part
        if p == TYPE and o == SWRL_IMP:
            yield from read_rule(s, self._view)
        triggers = _BY_CLASS.get(o, ()) if p == TYPE else _BY_PREDICATE.get(p, ())
        for row, atom in triggers:
            yield from _matches(row, atom, part, self._view, self._budget)

    def _roots(self, statement: Statement) -> list[Statement]:
        """Return the axioms whose list, datatype or anonymous inverse contains the statement."""
        s, p, _ = statement
        if p in (FIRST, REST):
            heads = heads_above(s, self._view, self._climbed)
            words = (*_LIST_AXIOMS, WITH_RESTRICTIONS, ONE_OF)
            axioms = [a for h in heads for word in words for a in self._view.match(None, word, h)]
            return axioms + [root for a in axioms for root in self._of_datatype(a)]
        if p in FACETS or (p == INVERSE_OF and is_blank(s)):
            return self._mentioning(s)
        return self._of_datatype(statement)

    def _of_datatype(self, statement: Statement) -> list[Statement]:
        """Return the axioms that mention a datatype which a statement helps to define."""
        s, p, o = statement
        defines = p in _DATATYPE_PARTS or (p == TYPE and o == RDFS_DATATYPE)
        if defines or (p in _ALSO_OF_DATATYPES and is_datatype(s, self._view)):
            return [*self._mentioning(s), *self._mentioning(o)]
        return []

    def _mentioning(self, node: str) -> list[Statement]:
        """Return the axioms that mention a node: directly, in a list, or in a datatype."""
        if node in self._mentioned or self._depth == DEEPEST:
            return []
        self._mentioned.add(node)
        self._depth += 1
        found = [a for a in self._view.match(node, None, None) if is_axiom(a)]
        for axiom in self._view.match(None, None, node):
            if is_axiom(axiom):
                found += [axiom, *self._roots(axiom)]
        self._depth -= 1
        return found


def _matches(
    row: RuleRow, atom: Pattern, statement: Statement, view: FactView, budget: Budget
) -> Iterator[Instance]:
    start = bind(atom, statement, {})
    if start is None:
        return
    rest = [a for a in row.schema if a != atom and not is_check(a)]
    checks = [a for a in row.schema if is_check(a)]
    for binding in list(solve(rest, view, start, budget)):
        if not all(passes(check, binding, {}) for check in checks):
            continue
        axioms = tuple(
            (binding.get(s, s), p, binding.get(o, o)) for s, p, o in row.schema if p[0] != CHECK
        )
        read = read_list(binding["?list"], view) if row.list_axiom else None
        if read is not None or row.list_axiom is None:
            budget.spend(1 + (len(read.members) if read else 0))
            yield from instances_of(row, binding, axioms, read, view)
