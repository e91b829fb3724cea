"""SWRL rules, read from their RDF form into rule instances."""

from typing import Final

from kb_server.core.facts import View
from kb_server.core.instances import COMPARISONS, Instance, build
from kb_server.core.lists import FIRST, REST, read_list
from kb_server.core.statements import Pattern, Statement
from ontology.vocabulary import TYPE

__all__ = ["SWRL_CLASSES", "SWRL_PARTS", "read_rule", "rules_above"]

_BUILT_INS: Final = "http://www.w3.org/2003/11/swrlb#"
_BODY: Final = "swrl:body"
_HEAD: Final = "swrl:head"
_FIRST_ARGUMENT: Final = "swrl:argument1"
_SECOND_ARGUMENT: Final = "swrl:argument2"
_ATOM_PARTS: Final = (
    "swrl:classPredicate",
    "swrl:propertyPredicate",
    "swrl:dataRange",
    "swrl:builtin",
    "swrl:arguments",
    _FIRST_ARGUMENT,
    _SECOND_ARGUMENT,
)
SWRL_PARTS: Final = frozenset((_BODY, _HEAD, *_ATOM_PARTS))
_WHOLE: Final = (_BODY, _HEAD)
_UPWARDS: Final = (FIRST, REST, "swrl:arguments", _FIRST_ARGUMENT, _SECOND_ARGUMENT)
"""From a part of an atom to the atom, and from there through the list to its head."""
_KINDS: Final = frozenset(
    (
        "swrl:ClassAtom",
        "swrl:DataRangeAtom",
        "swrl:IndividualPropertyAtom",
        "swrl:DatavaluedPropertyAtom",
        "swrl:SameIndividualAtom",
        "swrl:DifferentIndividualsAtom",
        "swrl:BuiltinAtom",
    )
)
SWRL_CLASSES: Final = _KINDS | {"swrl:Imp", "swrl:Variable"}
_PAIRS: Final = {
    "swrl:SameIndividualAtom": "owl:sameAs",
    "swrl:DifferentIndividualsAtom": "owl:differentFrom",
}


def rules_above(statement: Statement, view: View, seen: set[str]) -> list[str]:
    """The rules (swrl:Imp) that a statement is a part of, but for those above what was seen."""
    s, p, o = statement
    if p not in _UPWARDS and not (p == TYPE and o in SWRL_CLASSES) and p not in SWRL_PARTS:
        return []
    found, nodes = [s] if p in _WHOLE or o == "swrl:Imp" else [], [s]
    for node in nodes:
        if node not in seen:
            seen.add(node)
            nodes += [parent for w in _UPWARDS for parent, _, _ in view.match(None, w, node)]
            found += [rule for w in _WHOLE for rule, _, _ in view.match(None, w, node)]
    return list(dict.fromkeys(found))


class _Unreadable(Exception):
    """A part of the rule is missing, or of a kind that no rule here can have."""


def read_rule(node: str, view: View) -> list[Instance]:
    """The instances of one rule, one for each head atom; none while a part is missing."""
    reader = _Reader(node, view)
    try:
        reader.take(node, TYPE, "swrl:Imp")
        body = reader.atoms(reader.one(node, _BODY))
        heads = reader.atoms(reader.one(node, _HEAD))
    except _Unreadable:
        return []
    name, axioms = f"swrl:{node}", tuple(reader.axioms)
    made = [build(name, body, None if _never(h) else h, axioms, view) for h in heads]
    return [instance for instance in made if instance is not None]


def _never(head: Pattern) -> bool:
    return head[1:] == (TYPE, "owl:Nothing")


class _Reader:
    def __init__(self, node: str, view: View) -> None:
        self._node: Final = node
        self._view: Final = view
        self._variables: Final[dict[str, str]] = {}
        self.axioms: Final[list[Statement]] = []

    def take(self, s: str, p: str, o: str) -> None:
        if not self._view.holds((s, p, o)):
            raise _Unreadable
        self.axioms.append((s, p, o))

    def one(self, s: str, p: str) -> str:
        """The only object of a property, taken as an axiom of the rule."""
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
        if "swrl:BuiltinAtom" in kinds:
            return self._comparison(node)
        first = self._term(self.one(node, _FIRST_ARGUMENT))
        if "swrl:ClassAtom" in kinds:
            return (first, TYPE, self.one(node, "swrl:classPredicate"))
        if "swrl:DataRangeAtom" in kinds:
            return (first, TYPE, self.one(node, "swrl:dataRange"))
        second = self._term(self.one(node, _SECOND_ARGUMENT))
        for kind, predicate in _PAIRS.items():
            if kind in kinds:
                return (first, predicate, second)
        if not kinds:
            raise _Unreadable
        return (first, self.one(node, "swrl:propertyPredicate"), second)

    def _comparison(self, node: str) -> Pattern:
        name = self.one(node, "swrl:builtin")
        word = name.removeprefix("<").removesuffix(">").removeprefix(_BUILT_INS)
        word = word.removeprefix("swrlb:")
        read = read_list(self.one(node, "swrl:arguments"), self._view)
        if word not in COMPARISONS or read is None or len(read.members) != 2:
            raise _Unreadable
        self.axioms.extend(read.axioms)
        return (self._term(read.members[0]), word, self._term(read.members[1]))

    def _term(self, node: str) -> str:
        """A variable of the rule, or the term itself."""
        if self._view.holds((node, TYPE, "swrl:Variable")):
            self.axioms.append((node, TYPE, "swrl:Variable"))
            return self._variables.setdefault(node, f"?v{len(self._variables) + 1}")
        return node
