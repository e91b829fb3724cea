"""Rule instances: a row of the rules with the terms of some axioms put in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from kb_server.core.datatypes import DataRange, read_range
from kb_server.core.errors import TooCostly
from kb_server.core.facts import View
from kb_server.core.lists import ListRead
from kb_server.core.literals import comparable, is_literal, same_value, value
from kb_server.core.matching import Binding, fill
from kb_server.core.rules import CHECKS, SYNTAX, Members, Row
from kb_server.core.statements import Pattern, Statement, variables
from kb_server.core.terms import is_blank
from ontology.vocabulary import TYPE

__all__ = ["COMPARISONS", "Instance", "instances_of", "passes"]

_THING: Final = "owl:Thing"
_LONGEST: Final = 150
"""The facts that a rule may join: more could not be matched in one go."""


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """A rule over facts. `axioms` are the statements it stems from, its premises of all time."""

    rule: str
    body: tuple[Pattern, ...]
    checks: tuple[Pattern, ...]
    head: Pattern | None
    axioms: tuple[Statement, ...]
    covered: bool = False
    level: int = 0
    ranges: Mapping[str, DataRange] = field(default_factory=dict)

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two instances the same one."""
        return (self.rule, self.body, self.checks, self.head, self.axioms)

    def allows(self, binding: Binding) -> bool:
        """Whether a binding of the body passes all the checks."""
        return all(passes(check, binding, self.ranges) for check in self.checks)

    def mentions(self, term: str) -> bool:
        atoms = (*self.body, *self.checks, *((self.head,) if self.head else ()))
        return any(term in atom for atom in atoms)

    def substituted(self, old: str, new: str) -> "Instance":
        """The same rule with one term in another's place."""
        swap = {old: new}
        return replace(
            self,
            body=tuple(fill(atom, swap) for atom in self.body),
            checks=tuple(fill(atom, swap) for atom in self.checks),
            head=fill(self.head, swap) if self.head else None,
        )


def passes(check: Pattern, binding: Binding, ranges: Mapping[str, DataRange]) -> bool:
    """Whether a comparison holds under a binding."""
    left, word, right = check
    first, second = binding.get(left, left), binding.get(right, right)
    if word in ("inside", "outside"):
        return ranges[right](first) is (word == "inside")
    return COMPARISONS[word](first, second)


def _individuals(a: str, b: str) -> bool:
    return a != b and not is_literal(a) and not is_literal(b)


def _unequal(a: str, b: str) -> bool:
    """One a literal, and the other not the same value: they can't be one thing."""
    return (
        a < b
        and (is_literal(a) or is_literal(b))
        and not (is_literal(a) and is_literal(b) and same_value(a, b))
    )


def _ordered(compare: Callable[[object, object], bool]) -> Callable[[str, str], bool]:
    def check(a: str, b: str) -> bool:
        pair = comparable(a, b) if is_literal(a) and is_literal(b) else None
        return pair is not None and compare(*pair)

    return check


def _equal(a: str, b: str) -> bool:
    return a == b or (is_literal(a) and is_literal(b) and same_value(a, b))


def _counts(a: str, b: str) -> bool:
    return is_literal(a) and not isinstance(value(a), bool) and value(a) == value(b)


COMPARISONS: Final[dict[str, Callable[[str, str], bool]]] = {
    "!=": lambda a, b: a != b,
    "individuals": _individuals,
    "unequal": _unequal,
    "counts": _counts,
    "equal": _equal,
    "notEqual": lambda a, b: not _equal(a, b),
    "lessThan": _ordered(lambda a, b: a < b),  # type: ignore[operator]  # made comparable before
    "lessThanOrEqual": _ordered(lambda a, b: a <= b),  # type: ignore[operator]
    "greaterThan": _ordered(lambda a, b: a > b),  # type: ignore[operator]
    "greaterThanOrEqual": _ordered(lambda a, b: a >= b),  # type: ignore[operator]
}


def instances_of(
    row: Row, binding: Binding, axioms: tuple[Statement, ...], read: ListRead | None, view: View
) -> Iterator[Instance]:
    """The instances that a row makes of axioms which fit its schema under a binding."""
    members = read.members if read else ()
    stem = axioms + (read.axioms if read else ())
    for more, body, head in _spread(row, members):
        full = {**binding, **more}
        filled_head = fill(head, full) if head else None
        made = _made(row, [fill(a, full) for a in body], filled_head, stem, view)
        if made is not None:
            yield made


def _spread(
    row: Row, members: tuple[str, ...]
) -> Iterable[tuple[dict[str, str], tuple[Pattern, ...], Pattern | None]]:
    """How the members of a list enter a row: bindings, body and head, one for each instance."""
    match row.members:
        case Members.NONE:
            return [({}, row.body, row.head)]
        case Members.EACH:
            return [({"?i": m}, row.body, row.head) for m in members]
        case Members.PAIRS:
            return [({"?i": a, "?j": b}, row.body, row.head) for a, b in combinations(members, 2)]
        case Members.ALL:
            body = tuple(fill(a, {"?i": m}) for m in members for a in row.body)
            return [({}, body, row.head)] if members else []
        case Members.CHAIN:
            steps = ["?first", *(f"?step{i}" for i in range(1, len(members))), "?last"]
            path = tuple((steps[i], m, steps[i + 1]) for i, m in enumerate(members))
            return [({}, path, row.head)] if members else []
        case Members.KEY:
            shared = tuple(
                atom
                for i, m in enumerate(members)
                for atom in (("?x", m, f"?z{i}"), ("?y", m, f"?z{i}"))
            )
            return [({}, (*row.body, *shared), row.head)] if members else []


def _made(
    row: Row,
    atoms: list[Pattern],
    head: Pattern | None,
    axioms: tuple[Statement, ...],
    view: View,
) -> Instance | None:
    return build(row.name, atoms, head, axioms, view, row.covered)


def build(
    rule: str,
    atoms: list[Pattern],
    head: Pattern | None,
    axioms: tuple[Statement, ...],
    view: View,
    covered: bool = False,
) -> Instance | None:
    """An instance in working form: datatypes become checks, inverses of no name are turned.

    None when it could only conclude what it starts from, or what every individual is.
    """
    if len(atoms) > _LONGEST:
        raise TooCostly(f"an axiom has {len(atoms)} parts; {_LONGEST} are allowed")
    ranges: dict[str, DataRange] = {}
    stem = list(axioms)
    body: list[Pattern] = []
    checks: list[Pattern] = []
    for atom in atoms:
        if atom[1] in CHECKS or atom[1] in COMPARISONS:
            checks.append(atom)
            continue
        turned = _turned(atom, view, stem)
        if _is_check(turned, ranges, stem, view):
            checks.append((turned[0], "inside", turned[2]))
        elif turned not in body:
            body.append(turned)
    body = [atom for atom in body if not _is_everything(atom) or len(body) == 1]
    if head is not None:
        head = _turned(head, view, stem)
        if _is_check(head, ranges, stem, view):
            checks.append((head[0], "outside", head[2]))
            head = None
        elif (
            head in body
            or head[1] in SYNTAX
            or (head[1] == TYPE and head[2] == _THING)
            or not _can_relate(head)
        ):
            return None
    if not set(variables([*checks, *([head] if head else [])])) <= set(variables(body)):
        return None
    unique = tuple(dict.fromkeys(stem))
    return Instance(rule, tuple(body), tuple(checks), head, unique, covered, 0, ranges)


def _is_everything(atom: Pattern) -> bool:
    """Whether an atom asks for what is so of every individual."""
    return atom[1] == TYPE and atom[2] == _THING


def _can_relate(head: Pattern) -> bool:
    return not is_blank(head[1]) and not is_literal(head[1]) and not is_literal(head[0])


def _turned(atom: Pattern, view: View, stem: list[Statement]) -> Pattern:
    """An atom over an inverse that has no name, turned round to the property that has one."""
    if is_blank(atom[1]):
        for axiom in view.match(atom[1], "owl:inverseOf", None):
            stem.append(axiom)
            return (atom[2], axiom[2], atom[0])
    return atom


def _is_check(
    atom: Pattern, ranges: dict[str, DataRange], stem: list[Statement], view: View
) -> bool:
    """Whether an atom asks for membership of a datatype; if so, that datatype is read."""
    if atom[1] != TYPE or atom[2][0] == "?":
        return False
    read = read_range(atom[2], view)
    if read is None:
        return False
    ranges[atom[2]] = read[0]
    stem += read[1]
    return True
