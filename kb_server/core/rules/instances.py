"""Rule instances: rows of the rules with the terms of axioms substituted."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from kb_server.core.facts.facts import FactView
from kb_server.core.facts.lists import ListRead
from kb_server.core.facts.matching import Binding, fill
from kb_server.core.rules.checks import AMONG, EQUAL, INSIDE, OUTSIDE, passes
from kb_server.core.rules.datatypes import DataRange, read_range
from kb_server.core.rules.rules import SYNTAX, Members, RuleRow, is_check
from kb_server.core.terms.literals import is_literal, is_number
from kb_server.core.terms.statements import Pattern, Statement, variables
from kb_server.core.terms.terms import is_blank
from kb_server.errors import TooCostly
from ontology.vocabulary import FIRST, INVERSE_OF, OWL_THING, REST, SAME_AS, TYPE

__all__ = ["Instance", "Origin", "TooLong", "build", "instances_of"]

_LONGEST: Final = 50
"""The most facts that one rule may join; the matcher recurses once for each."""


_LIST: Final = "the list"
_OF_AXIOMS: Final = ("rdf:", "rdfs:", "owl:", "swrl:")
"""The prefixes of axiom vocabulary, whose supports also change when axioms are covered."""


class TooLong(TooCostly):
    """An axiom joins more facts than one rule may."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The axioms from which an instance is made.

    `roots` are those without the cells of lists, which may be many and never stand alone.
    """

    axioms: tuple[Statement, ...]
    roots: tuple[Statement, ...]

    @classmethod
    def of(cls, axioms: Iterable[Statement]) -> "Origin":
        """Return the origin with these axioms, each once."""
        once = tuple(dict.fromkeys(axioms))
        return cls(once, tuple(a for a in once if a[1] != FIRST and a[1] != REST))


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """A rule over facts; `axioms` and `roots` are those of its origin."""

    rule: str
    body: tuple[Pattern, ...]
    checks: tuple[Pattern, ...]
    head: Pattern | None
    axioms: tuple[Statement, ...]
    roots: tuple[Statement, ...]
    covered: bool = False
    level: int = 0
    ranges: Mapping[str, DataRange] = field(default_factory=dict)
    makes_paths: bool = field(init=False)
    """Whether it is the transitivity of one property, which `paths` evaluates."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "makes_paths", not self.covered and _makes_paths(self))

    @property
    def key(self) -> tuple[object, ...]:
        """The identity of an instance: equal keys, equal instances."""
        return (self.rule, self.body, self.checks, self.head, *self.roots)

    def allows(self, binding: Binding) -> bool:
        """Whether a binding of the body passes all checks."""
        return all(passes(check, binding, self.ranges) for check in self.checks)

    def mentions(self, term: str) -> bool:
        atoms = (*self.body, *self.checks, *((self.head,) if self.head else ()))
        return any(term in atom for atom in atoms)

    def substituted(self, old: str, new: str) -> "Instance":
        """Return the same rule with one term replaced by another."""
        swap = {old: new}
        return replace(
            self,
            body=tuple(fill(atom, swap) for atom in self.body),
            checks=tuple(fill(atom, swap) for atom in self.checks),
            head=fill(self.head, swap) if self.head else None,
        )


def _makes_paths(instance: Instance) -> bool:
    if len(instance.body) != 2 or instance.checks:
        return False
    (x, p, y), (also_y, q, z) = instance.body
    same = y == also_y and p == q and p[0] != "?" and instance.head == (x, p, z)
    of_things = p == SAME_AS or not p.startswith(_OF_AXIOMS)
    return same and of_things and len({x, y, z}) == 3 and all(t[0] == "?" for t in (x, y, z))


def instances_of(
    row: RuleRow,
    binding: Binding,
    axioms: tuple[Statement, ...],
    read: ListRead | None,
    view: FactView,
) -> Iterator[Instance]:
    """Yield the instances of a row for axioms that match its schema under a binding."""
    members = read.members if read else ()
    origin = Origin.of(axioms + (read.axioms if read else ()))
    lists = {_LIST: frozenset(members).__contains__} if row.members is Members.AMONG else {}
    for more, body, head in _spread(row, members):
        full = {**binding, **more}
        filled_head = fill(head, full) if head else None
        atoms = [fill(a, full) for a in body]
        made = build(row.name, atoms, filled_head, origin, view, row.covered, lists)
        if made is not None:
            yield made


def _spread(
    row: RuleRow, members: tuple[str, ...]
) -> Iterable[tuple[dict[str, str], tuple[Pattern, ...], Pattern | None]]:
    """Return bindings, body and head of each instance of a row, by its use of the list members."""
    match row.members:
        case Members.NONE:
            return [({}, row.body, row.head)]
        case Members.EACH:
            return [({"?i": m}, row.body, row.head) for m in members]
        case Members.PAIRS:
            return [({"?i": a, "?j": b}, row.body, row.head) for a, b in combinations(members, 2)]
        case Members.AMONG:
            among = (("?i", AMONG, _LIST), ("?j", AMONG, _LIST), ("?i", "!before", "?j"))
            return [({}, (*row.body, *among), row.head)]
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


def build(
    rule: str,
    atoms: Iterable[Pattern],
    head: Pattern | None,
    origin: Origin,
    view: FactView,
    covered: bool = False,
    lists: Mapping[str, DataRange] | None = None,
) -> Instance | None:
    """Return an instance in working form; None if it could conclude nothing new.

    - Membership in a datatype becomes a check.
    - An atom over an anonymous inverse is turned round to the named property.

    There is no instance if the head is one of the premises, a membership in owl:Thing, or has a
    variable that the body does not bind. Raises TooLong.
    """
    work = _Building(view, dict(lists or {}))
    for atom in atoms:
        work.take(atom)
    if len(work.body) > _LONGEST:
        raise TooLong(f"an axiom has {len(work.body)} parts; {_LONGEST} are allowed")
    body = [a for a in work.body if not _is_everything(a)] or work.body
    if head is not None:
        head = work.conclude(head)
        if head is not None and (head in body or not _says_something(head)):
            return None
    if not set(variables([*work.checks, *([head] if head else [])])) <= set(variables(body)):
        return None
    if work.stem:
        origin = Origin.of((*origin.axioms, *work.stem))
    if head is not None and len(body) == 2 and body[0][0] == body[1][2] != head[0]:
        body.reverse()  # the two steps of a path, in walking order
    checks = tuple(work.checks)
    axioms, roots = origin.axioms, origin.roots
    return Instance(rule, tuple(body), checks, head, axioms, roots, covered, 0, work.ranges)


class _Building:
    """Sorts the atoms of an instance into facts to match and checks."""

    def __init__(self, view: FactView, ranges: dict[str, DataRange]) -> None:
        self._view: Final = view
        self.stem: Final[list[Statement]] = []
        self.ranges: Final = ranges
        self.body: Final[list[Pattern]] = []
        self.checks: Final[list[Pattern]] = []

    def take(self, atom: Pattern) -> None:
        if is_check(atom):
            self.checks.append(atom)
            return
        turned = self._turned(atom)
        if self._asks_of_data(turned):
            self.checks.append((turned[0], INSIDE, turned[2]))
            return
        if is_number(turned[2]):
            turned = self._by_value(turned)
        if turned not in self.body:
            self.body.append(turned)

    def _by_value(self, atom: Pattern) -> Pattern:
        """Return an atom that matches a number in every spelling, such as 3.0 for 3."""
        any_value = f"?number{len(self.checks)}"
        self.checks.append((any_value, EQUAL, atom[2]))
        return (atom[0], atom[1], any_value)

    def conclude(self, head: Pattern) -> Pattern | None:
        """Return the head; None if it asserts membership in a datatype, which becomes a check."""
        turned = self._turned(head)
        if self._asks_of_data(turned):
            self.checks.append((turned[0], OUTSIDE, turned[2]))
            return None
        return turned

    def _turned(self, atom: Pattern) -> Pattern:
        """Return an atom with an anonymous inverse property turned round to the named property."""
        if is_blank(atom[1]):
            for axiom in self._view.match(atom[1], INVERSE_OF, None):
                self.stem.append(axiom)
                return (atom[2], axiom[2], atom[0])
        return atom

    def _asks_of_data(self, atom: Pattern) -> bool:
        """Whether an atom is membership in a datatype; if so, read that datatype."""
        if atom[1] != TYPE or atom[2][0] == "?":
            return False
        read = read_range(atom[2], self._view)
        if read is None:
            return False
        self.ranges[atom[2]] = read[0]
        self.stem.extend(read[1])
        return True


def _is_everything(atom: Pattern) -> bool:
    """Whether an atom holds for every individual: membership in owl:Thing."""
    return atom[1] == TYPE and atom[2] == OWL_THING


def _says_something(head: Pattern) -> bool:
    """Whether a conclusion is worth storing: no syntax, no owl:Thing, no literal as subject."""
    s, p, _ = head
    if p in SYNTAX or _is_everything(head):
        return False
    return not is_blank(p) and not is_literal(p) and not is_literal(s)
