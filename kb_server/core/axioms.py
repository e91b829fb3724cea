"""Axioms: which statements are some, and the rule instances that follow when one appears.

A row's schema is matched around the new statement. Axioms that are trees (lists, SWRL rules,
datatypes) are matched from their root, found by climbing from whichever part came last.
"""

from collections.abc import Iterator
from typing import Final

from kb_server.core.facts import View
from kb_server.core.instances import Instance, instances_of, passes
from kb_server.core.lists import FIRST, REST, heads_above, read_list
from kb_server.core.matching import Budget, bind, solve
from kb_server.core.rules import CHECKS, ROWS, Row
from kb_server.core.statements import Pattern, Statement
from kb_server.core.swrl import SWRL_PARTS, read_rule, rules_above
from kb_server.core.terms import is_blank
from ontology.vocabulary import TYPE

__all__ = ["AXIOM_CLASSES", "AXIOM_PREDICATES", "RULES_OF_ALL", "instances_from", "is_axiom"]

_Trigger = tuple[Row, Pattern]

RULES_OF_ALL: Final = tuple(row for row in ROWS if not row.schema)
"""The rows that need no axiom: their one instance is always there."""


def _triggers() -> tuple[dict[str, list[_Trigger]], dict[str, list[_Trigger]]]:
    by_predicate: dict[str, list[_Trigger]] = {}
    by_class: dict[str, list[_Trigger]] = {}
    for row in ROWS:
        for atom in row.schema:
            if atom[1] == TYPE:
                by_class.setdefault(atom[2], []).append((row, atom))
            elif atom[1] not in CHECKS:
                by_predicate.setdefault(atom[1], []).append((row, atom))
    return by_predicate, by_class


_BY_PREDICATE, _BY_CLASS = _triggers()
_LIST_AXIOMS: Final = tuple({row.list_axiom[1]: None for row in ROWS if row.list_axiom})
_DATATYPE_PARTS: Final = frozenset(
    ("owl:onDatatype", "owl:withRestrictions", "owl:datatypeComplementOf")
)
AXIOM_PREDICATES: Final = frozenset(_BY_PREDICATE) | {FIRST, REST} | SWRL_PARTS | _DATATYPE_PARTS
AXIOM_CLASSES: Final = frozenset(_BY_CLASS) | {"rdfs:Datatype", "swrl:Imp"}


def is_axiom(statement: Statement) -> bool:
    """Whether a statement can be part of an axiom, so that rule instances may hang on it."""
    _, p, o = statement
    return o in AXIOM_CLASSES if p == TYPE else p in AXIOM_PREDICATES


def instances_from(statement: Statement, view: View, budget: Budget) -> Iterator[Instance]:
    """The rule instances of all axioms that this statement is part of."""
    for part in (statement, *_roots(statement, view)):
        _, p, o = part
        triggers = _BY_CLASS.get(o, ()) if p == TYPE else _BY_PREDICATE.get(p, ())
        for row, atom in triggers:
            yield from _matches(row, atom, part, view, budget)
    for node in rules_above(statement, view):
        yield from read_rule(node, view)


def _roots(statement: Statement, view: View) -> list[Statement]:
    """The axioms whose list or datatype the statement is a part of."""
    s, p, o = statement
    if p in (FIRST, REST):
        heads = heads_above(s, view)
        axioms = [a for h in heads for word in _LIST_AXIOMS for a in view.match(None, word, h)]
        data = [a for h in heads for a in view.match(None, "owl:withRestrictions", h)]
        return axioms + [root for a in data for root in _roots(a, view)]
    if p == "owl:inverseOf" and is_blank(s):
        return _mentioning(s, view)
    if p in _DATATYPE_PARTS or (p == TYPE and o == "rdfs:Datatype"):
        return [a for a in view.match(None, None, s) if is_axiom(a)]
    return []


def _mentioning(node: str, view: View) -> list[Statement]:
    """The axioms with a node in them, in a list or by itself."""
    found = [a for a in view.match(node, None, None) if is_axiom(a)]
    for axiom in view.match(None, None, node):
        found += _roots(axiom, view) if axiom[1] == FIRST else [axiom] * is_axiom(axiom)
    return found


def _matches(
    row: Row, atom: Pattern, statement: Statement, view: View, budget: Budget
) -> Iterator[Instance]:
    start = bind(atom, statement, {})
    if start is None:
        return
    rest = [a for a in row.schema if a != atom and a[1] not in CHECKS]
    checks = [a for a in row.schema if a[1] in CHECKS]
    for binding in list(solve(rest, view, start, budget)):
        if not all(passes(check, binding, {}) for check in checks):
            continue
        axioms = tuple(
            (binding.get(s, s), p, binding.get(o, o)) for s, p, o in row.schema if p not in CHECKS
        )
        read = read_list(binding["?list"], view) if row.list_axiom else None
        if read is not None or row.list_axiom is None:
            budget.spend(1 + (len(read.members) if read else 0))
            yield from instances_of(row, binding, axioms, read, view)
