"""The rule instances in force, indexed by their patterns, and the derivations that they make.

- Forward: `triggered` finds the instances with a body atom that a fact matches, and what follows.
- Backward: `ways` finds the instances whose head a fact matches, and the premises that hold.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from kb_server.core.facts.facts import FactIndex, FactView
from kb_server.core.facts.matching import Binding, Budget, bind, fill, solve
from kb_server.core.rules.instances import Instance
from kb_server.core.rules.rules import SYNTAX
from kb_server.core.terms.literals import is_literal
from kb_server.core.terms.statements import Pattern, Statement
from kb_server.core.terms.terms import is_iri
from ontology.vocabulary import (
    EQUIVALENT_CLASS,
    EQUIVALENT_PROPERTY,
    SAME_AS,
    SUB_CLASS_OF,
    SUB_PROPERTY_OF,
    TYPE,
)

__all__ = ["CLASH", "Derivation", "RuleTable", "clash", "derivations"]

CLASH: Final = "!clash"
"""The predicate of a contradiction, which is stored like an inference but is no fact."""

Derivation = tuple[Instance, Statement, tuple[Statement, ...]]
"""An instance, its conclusion, and the premises."""

_Make = Callable[[str, str], Statement | None]
_Rest = tuple[Instance, Pattern, tuple[Pattern, ...]]

_T = TypeVar("_T")

_REFLEXIVE: Final = frozenset(
    (
        SAME_AS,
        SUB_CLASS_OF,
        SUB_PROPERTY_OF,
        EQUIVALENT_CLASS,
        EQUIVALENT_PROPERTY,
    )
)


class _Entry:
    """The instances triggered by the facts of one predicate, or of one predicate and object.

    `linear` instances have a single premise; `joins` need further facts.
    """

    __slots__ = ("joins", "linear")

    def __init__(self) -> None:
        self.linear: Final[dict[Instance, _Make]] = {}
        self.joins: Final[dict[tuple[Instance, int], _Rest]] = {}

    def __bool__(self) -> bool:
        return bool(self.linear or self.joins)


class _Heads:
    """The instances that conclude facts of one predicate, or of one predicate and object.

    Instances with a single premise are indexed by that premise. So of a hundred rules that conclude
    `SpatialThing`, only those are examined whose premise holds for the thing.
    """

    __slots__ = ("as_object", "as_subject", "by_class", "others", "same_way", "turned")

    def __init__(self) -> None:
        self.by_class: Final[dict[str, dict[Instance, None]]] = {}
        self.as_subject: Final[dict[str, dict[Instance, None]]] = {}
        self.as_object: Final[dict[str, dict[Instance, None]]] = {}
        self.same_way: Final[dict[str, dict[Instance, None]]] = {}
        self.turned: Final[dict[str, dict[Instance, None]]] = {}
        self.others: Final[dict[Instance, None]] = {}

    def add(self, instance: Instance) -> None:
        group, key = self._group(instance)
        (self.others if group is None else group.setdefault(key, {}))[instance] = None

    def remove(self, instance: Instance) -> None:
        group, key = self._group(instance)
        if group is None:
            del self.others[instance]
            return
        del group[key][instance]
        if not group[key]:
            del group[key]

    def ways(self, fact: Statement, indexes: Sequence[FactIndex]) -> Iterator[Derivation]:
        """Yield the derivations of a fact from a single premise, by lookup instead of search."""
        for index in indexes:
            yield from self._from_subject(fact, index)
            if self.turned or self.as_object:
                yield from self._from_object(fact, index)

    def _from_subject(self, fact: Statement, index: FactIndex) -> Iterator[Derivation]:
        s, _, o = fact
        known = index.by_subject.get(s)
        if known is None:
            return
        if self.by_class and TYPE in known:
            for c in known[TYPE]:
                if c in self.by_class:
                    yield from _each(self.by_class[c], fact, (s, TYPE, c))
        for p, instances in self.same_way.items():
            if p in known and o in known[p]:
                yield from _each(instances, fact, (s, p, o))
        if self.as_subject:
            for p in [p for p in known if p in self.as_subject]:
                for thing in known[p]:
                    yield from _each(self.as_subject[p], fact, (s, p, thing))

    def _from_object(self, fact: Statement, index: FactIndex) -> Iterator[Derivation]:
        s, _, o = fact
        for p, instances in self.turned.items():
            if o in index.subjects(p, s):
                yield from _each(instances, fact, (o, p, s))
        for p, instances in self.as_object.items():
            for thing in index.subjects(p, s):
                yield from _each(instances, fact, (thing, p, s))

    def _group(self, instance: Instance) -> tuple[dict[str, dict[Instance, None]] | None, str]:
        head = instance.head
        if head is None or _linear(instance) is None or head[0][0] != "?":
            return None, ""
        s, p, o = instance.body[0]
        if o[0] != "?":
            of_class = p == TYPE and head[0] == s and head[2][0] != "?"
            return (self.by_class, o) if of_class else _ALONE
        if head[2][0] != "?":
            return (self.as_subject if head[0] == s else self.as_object), p
        return (self.same_way if head[0] == s else self.turned), p

    def __bool__(self) -> bool:
        groups = (self.by_class, self.as_subject, self.as_object, self.same_way, self.turned)
        return any(groups) or bool(self.others)


_ALONE: Final = (None, "")


def _each(
    instances: Iterable[Instance], fact: Statement, premise: Statement
) -> Iterator[Derivation]:
    premises = (premise,)
    for instance in instances:
        yield instance, fact, premises


class RuleTable:
    """Rule instances, found by the facts that trigger them and by their conclusions."""

    __slots__ = ("_heads", "_heads_to", "_triggers", "_triggers_to", "_wild", "instances")

    def __init__(self) -> None:
        self.instances: Final[dict[tuple[object, ...], Instance]] = {}
        self._triggers: Final[dict[str, _Entry]] = {}
        self._triggers_to: Final[dict[str, dict[str, _Entry]]] = {}
        self._wild: Final = _Entry()
        self._heads: Final[dict[str, _Heads]] = {}
        self._heads_to: Final[dict[str, dict[str, _Heads]]] = {}

    def add(self, instance: Instance) -> None:
        self.instances[instance.key] = instance
        if instance.makes_paths:
            return
        make = _linear(instance)
        if make is not None:
            self._entry(instance.body[0]).linear[instance] = make
        else:
            for i, atom in enumerate(instance.body):
                rest = instance.body[:i] + instance.body[i + 1 :]
                self._entry(atom).joins[(instance, i)] = (instance, atom, rest)
        if instance.head is not None:
            self._heads_of(instance.head).add(instance)

    def remove(self, instance: Instance) -> None:
        del self.instances[instance.key]
        if instance.makes_paths:
            return
        for i, atom in enumerate(instance.body):
            entry = self._entry(atom)
            entry.linear.pop(instance, None)
            entry.joins.pop((instance, i), None)
            if not entry:
                _prune(self._triggers, self._triggers_to, atom)
        if instance.head is not None:
            heads = self._heads_of(instance.head)
            heads.remove(instance)
            if not heads:
                _prune(self._heads, self._heads_to, instance.head)

    def triggered(
        self, fact: Statement, view: FactView, budget: Budget, out: list[Derivation]
    ) -> None:
        """Append to `out` all derivations with this fact as a premise."""
        _, p, o = fact
        entry = self._triggers.get(p)
        if entry is not None:
            _fire(entry, fact, view, budget, out)
        if p in self._triggers_to:
            entry = self._triggers_to[p].get(o)
            if entry is not None:
                _fire(entry, fact, view, budget, out)

    def triggered_by_any(
        self, fact: Statement, view: FactView, budget: Budget, out: list[Derivation]
    ) -> None:
        """Do the same for the rules with a variable predicate, which are those of equality."""
        _fire(self._wild, fact, view, budget, out)

    def ways(
        self, fact: Statement, indexes: Sequence[FactIndex], view: FactView, budget: Budget
    ) -> Iterator[Derivation]:
        """Yield every derivation of a fact by these rules from facts that hold."""
        _, p, o = fact
        to = self._heads_to.get(p)
        for heads in (to.get(o) if to else None, self._heads.get(p)):
            if heads is not None:
                for made in heads.ways(fact, indexes):
                    budget.spend(1)
                    yield made
                for instance in list(heads.others):
                    yield from derivations(instance, view, budget, fact)

    def ways_by_any(self, fact: Statement, view: FactView, budget: Budget) -> Iterator[Derivation]:
        heads = self._heads.get("?")
        for instance in list(heads.others) if heads is not None else ():
            yield from derivations(instance, view, budget, fact)

    def _entry(self, atom: Pattern) -> _Entry:
        _, p, o = atom
        if p[0] == "?":
            return self._wild
        if o[0] == "?":
            return self._triggers.setdefault(p, _Entry())
        return self._triggers_to.setdefault(p, {}).setdefault(o, _Entry())

    def _heads_of(self, head: Pattern) -> _Heads:
        _, p, o = head
        if p[0] == "?" or o[0] == "?":
            return self._heads.setdefault(p if p[0] != "?" else "?", _Heads())
        return self._heads_to.setdefault(p, {}).setdefault(o, _Heads())


def _prune(flat: dict[str, _T], nested: dict[str, dict[str, _T]], atom: Pattern) -> None:
    _, p, o = atom
    if p[0] == "?":
        flat.pop("?", None)
    elif o[0] == "?":
        flat.pop(p, None)
    elif p in nested:
        nested[p].pop(o, None)
        if not nested[p]:
            del nested[p]


def _fire(
    entry: _Entry, fact: Statement, view: FactView, budget: Budget, out: list[Derivation]
) -> None:
    s, _, o = fact
    premises = (fact,)
    for instance, make in entry.linear.items():
        head = make(s, o)
        if head is not None:
            out.append((instance, head, premises))
    for instance, atom, rest in entry.joins.values():
        start = bind(atom, fact, {})
        if start is not None:
            look = _one_more if len(rest) == 1 else solve
            for binding in look(rest, view, start, budget):
                if not instance.checks or instance.allows(binding):
                    made = _concluded(instance, binding, budget)
                    if made is not None:
                        out.append(made)


def _one_more(
    atoms: Sequence[Pattern], view: FactView, start: Binding, budget: Budget
) -> Iterator[dict[str, str]]:
    """Yield what `solve` finds for a single atom, faster; most joins have one atom left."""
    (atom,) = atoms
    s, p, o = fill(atom, start)
    found = view.match(
        None if s[0] == "?" else s, None if p[0] == "?" else p, None if o[0] == "?" else o
    )
    budget.spend(1 + len(found))
    for fact in found:
        binding = bind(atom, fact, start)
        if binding is not None:
            yield binding


def _concluded(instance: Instance, binding: dict[str, str], budget: Budget) -> Derivation | None:
    budget.spend(len(instance.body))
    premises = tuple([fill(atom, binding) for atom in instance.body])
    if instance.head is None:
        return instance, clash(instance, premises), premises
    head = fill(instance.head, binding)
    return (instance, head, premises) if _sound(head) else None


def derivations(
    instance: Instance, view: FactView, budget: Budget, head: Statement | None = None
) -> Iterator[Derivation]:
    """Yield all derivations by one instance; with `head`, only those that conclude it."""
    start: dict[str, str] | None = {}
    if head is not None:
        start = bind(instance.head, head, {}) if instance.head else None
    if start is None:
        return
    for binding in solve(instance.body, view, start, budget):
        if not instance.checks or instance.allows(binding):
            made = _concluded(instance, binding, budget)
            if made is not None:
                yield made


def clash(instance: Instance, premises: tuple[Statement, ...]) -> Statement:
    """Return the contradiction that an instance finds in some facts, as a statement."""
    facts = " . ".join(sorted(" ".join(fact) for fact in premises))
    axioms = " . ".join(" ".join(fact) for fact in instance.roots)
    return (instance.rule, CLASH, f"{facts} | {axioms}")


def _sound(head: Statement) -> bool:
    """Whether a conclusion can be stored: not reflexive, no syntax, no literal as its subject."""
    s, p, o = head
    return not ((s == o and p in _REFLEXIVE) or p in SYNTAX) and not is_literal(s) and is_iri(p)


def _linear(instance: Instance) -> _Make | None:
    """Return a function from the only premise to the conclusion; None for any other instance."""
    head = instance.head
    if len(instance.body) != 1 or instance.checks or head is None or head[1][0] == "?":
        return None
    s, p, o = instance.body[0]
    if p[0] == "?" or s[0] != "?" or s == o:
        return None
    return _copies(head, s, o)


def _copies(head: Pattern, s: str, o: str) -> _Make | None:
    a, q, b = head
    if q in _REFLEXIVE:
        return None
    if a == s and b == o:
        return lambda x, y: (x, q, y)
    if a == s and b[0] != "?":
        return lambda x, _: (x, q, b)
    if a == o and b == s:
        return lambda x, y: None if is_literal(y) else (y, q, x)
    if a == o and b[0] != "?":
        return lambda _, y: None if is_literal(y) else (y, q, b)
    if a[0] != "?" and b == s:
        return lambda x, _: (a, q, x)
    return None
