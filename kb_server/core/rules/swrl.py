"""SWRL rules, read from their RDF form as rule instances."""

from typing import Final

from kb_server.core.facts.facts import FactView
from kb_server.core.facts.lists import read_list
from kb_server.core.rules.checks import SWRL_CHECKS
from kb_server.core.rules.instances import Instance, Origin, build
from kb_server.core.terms.literals import split_literal
from kb_server.core.terms.statements import Pattern, Statement
from ontology.vocabulary import (
    DIFFERENT_FROM,
    FIRST,
    LABEL,
    OWL_NOTHING,
    REST,
    SAME_AS,
    SWRL_ARGUMENT1,
    SWRL_ARGUMENT2,
    SWRL_ARGUMENTS,
    SWRL_BODY,
    SWRL_BUILTIN,
    SWRL_BUILTIN_ATOM,
    SWRL_CLASS_ATOM,
    SWRL_CLASS_PREDICATE,
    SWRL_DATA_RANGE,
    SWRL_DATA_RANGE_ATOM,
    SWRL_DATAVALUED_PROPERTY_ATOM,
    SWRL_DIFFERENT_INDIVIDUALS_ATOM,
    SWRL_HEAD,
    SWRL_IMP,
    SWRL_INDIVIDUAL_PROPERTY_ATOM,
    SWRL_PROPERTY_PREDICATE,
    SWRL_SAME_INDIVIDUAL_ATOM,
    SWRL_VARIABLE,
    TYPE,
)

__all__ = ["SWRL_CLASSES", "SWRL_PARTS", "read_rule", "rules_above"]

_ATOM_PARTS: Final = (
    SWRL_CLASS_PREDICATE,
    SWRL_PROPERTY_PREDICATE,
    SWRL_DATA_RANGE,
    SWRL_BUILTIN,
    SWRL_ARGUMENTS,
    SWRL_ARGUMENT1,
    SWRL_ARGUMENT2,
)
SWRL_PARTS: Final = frozenset((SWRL_BODY, SWRL_HEAD, *_ATOM_PARTS))
_WHOLE: Final = (SWRL_BODY, SWRL_HEAD)
_UPWARDS: Final = (FIRST, REST, SWRL_ARGUMENTS, SWRL_ARGUMENT1, SWRL_ARGUMENT2)
"""The properties to climb: from a part of an atom to the atom, and on to the head of its list."""
_KINDS: Final = frozenset(
    (
        SWRL_CLASS_ATOM,
        SWRL_DATA_RANGE_ATOM,
        SWRL_INDIVIDUAL_PROPERTY_ATOM,
        SWRL_DATAVALUED_PROPERTY_ATOM,
        SWRL_SAME_INDIVIDUAL_ATOM,
        SWRL_DIFFERENT_INDIVIDUALS_ATOM,
        SWRL_BUILTIN_ATOM,
    )
)
SWRL_CLASSES: Final = _KINDS | {SWRL_IMP, SWRL_VARIABLE}
_PAIRS: Final = {
    SWRL_SAME_INDIVIDUAL_ATOM: SAME_AS,
    SWRL_DIFFERENT_INDIVIDUALS_ATOM: DIFFERENT_FROM,
}


def rules_above(statement: Statement, view: FactView, seen: set[str]) -> list[str]:
    """Return the rules (swrl:Imp) that contain a statement; nodes `seen` before are skipped."""
    s, p, o = statement
    if p not in _UPWARDS and not (p == TYPE and o in SWRL_CLASSES) and p not in SWRL_PARTS:
        return []
    found, nodes = [s] if p in _WHOLE or o == SWRL_IMP else [], [s]
    for node in nodes:
        if node not in seen:
            seen.add(node)
            nodes += [parent for w in _UPWARDS for parent, _, _ in view.match(None, w, node)]
            found += [rule for w in _WHOLE for rule, _, _ in view.match(None, w, node)]
    return list(dict.fromkeys(found))


class _Unreadable(Exception):
    """A part of the rule is missing, or of an unsupported kind."""


def read_rule(node: str, view: FactView) -> list[Instance]:
    """Return the instances of a rule, one for each head atom; none if it can't be read."""
    reader = _Reader(node, view)
    try:
        reader.take(node, TYPE, SWRL_IMP)
        body = reader.atoms(reader.one(node, SWRL_BODY))
        heads = reader.atoms(reader.one(node, SWRL_HEAD))
    except _Unreadable:
        return []
    labels = sorted(o for _, _, o in view.match(node, LABEL, None))
    name = f"swrl: {split_literal(labels[0])[0]}" if labels else f"swrl:{node}"
    origin = Origin.of(reader.axioms)
    made = [build(name, body, None if _never(h) else h, origin, view) for h in heads]
    return [instance for instance in made if instance is not None]


def _never(head: Pattern) -> bool:
    return head[1:] == (TYPE, OWL_NOTHING)


class _Reader:
    def __init__(self, node: str, view: FactView) -> None:
        self._node: Final = node
        self._view: Final = view
        self._variables: Final[dict[str, str]] = {}
        self.axioms: Final[list[Statement]] = []

    def take(self, s: str, p: str, o: str) -> None:
        if not self._view.holds((s, p, o)):
            raise _Unreadable
        self.axioms.append((s, p, o))

    def one(self, s: str, p: str) -> str:
        """Return the only object of a property, and note the statement as an axiom of the rule."""
        found = self._view.match(s, p, None)
        if len(found) != 1:
            raise _Unreadable
        self.axioms.append(found[0])
        return found[0][2]

    def atoms(self, head: str) -> list[Pattern]:
        read = read_list(head, self._view)
        if read is None:
            raise _Unreadable
        self.axioms.extend(read.axioms)
        return [self._atom(member) for member in read.members]

    def _atom(self, node: str) -> Pattern:
        kinds = [o for _, _, o in self._view.match(node, TYPE, None) if o in _KINDS]
        self.axioms.extend((node, TYPE, kind) for kind in kinds)
        if SWRL_BUILTIN_ATOM in kinds:
            return self._comparison(node)
        first = self._term(self.one(node, SWRL_ARGUMENT1))
        if SWRL_CLASS_ATOM in kinds:
            return (first, TYPE, self.one(node, SWRL_CLASS_PREDICATE))
        if SWRL_DATA_RANGE_ATOM in kinds:
            return (first, TYPE, self.one(node, SWRL_DATA_RANGE))
        second = self._term(self.one(node, SWRL_ARGUMENT2))
        for kind, predicate in _PAIRS.items():
            if kind in kinds:
                return (first, predicate, second)
        if not kinds:
            raise _Unreadable
        return (first, self.one(node, SWRL_PROPERTY_PREDICATE), second)

    def _comparison(self, node: str) -> Pattern:
        word = SWRL_CHECKS.get(self.one(node, SWRL_BUILTIN))
        read = read_list(self.one(node, SWRL_ARGUMENTS), self._view)
        if word is None or read is None or len(read.members) != 2:
            raise _Unreadable
        self.axioms.extend(read.axioms)
        return (self._term(read.members[0]), word, self._term(read.members[1]))

    def _term(self, node: str) -> str:
        """Return the pattern variable of a SWRL variable, or the term itself."""
        if self._view.holds((node, TYPE, SWRL_VARIABLE)):
            self.axioms.append((node, TYPE, SWRL_VARIABLE))
            return self._variables.setdefault(node, f"?v{len(self._variables) + 1}")
        return node
