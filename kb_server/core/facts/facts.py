"""Facts indexed for matching: by subject and predicate, and by predicate and object.

The road not taken is a third index by object alone: a board has about a hundred predicates, and the
few questions that name neither subject nor predicate iterate over these.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Protocol

from kb_server.core.terms.statements import Statement, TermOrAny
from kb_server.core.terms.terms import HIDDEN

__all__ = ["FactIndex", "FactView", "ViewOfBoth", "VisibleView", "with_more"]

_NONE: Final[dict[str, None]] = {}
_EMPTY: Final[dict[str, dict[str, None]]] = {}
_MARK: Final = len(HIDDEN)


class FactView(Protocol):
    """Read access to facts: those that match a pattern, and an estimate of their number."""

    def match(self, s: TermOrAny, p: TermOrAny, o: TermOrAny) -> list[Statement]: ...

    def estimate(self, s: TermOrAny, p: TermOrAny, o: TermOrAny) -> int: ...

    def holds(self, statement: Statement) -> bool: ...


class FactIndex:
    """A set of facts, found by any of their terms (None leaves a place open).

    Its leaves are dictionaries without values instead of sets, because sets do not keep the order.
    """

    __slots__ = ("by_object", "by_subject")

    def __init__(self) -> None:
        self.by_subject: Final[dict[str, dict[str, dict[str, None]]]] = {}
        self.by_object: Final[dict[str, dict[str, dict[str, None]]]] = {}

    def add(self, statement: Statement) -> None:
        s, p, o = statement
        predicates = self.by_subject.get(s)
        if predicates is None:
            self.by_subject[s] = {p: {o: None}}
        elif p in predicates:
            predicates[p][o] = None
        else:
            predicates[p] = {o: None}
        objects = self.by_object.get(p)
        if objects is None:
            self.by_object[p] = {o: {s: None}}
        elif o in objects:
            objects[o][s] = None
        else:
            objects[o] = {s: None}

    def discard(self, statement: Statement) -> None:
        s, p, o = statement
        _discard(self.by_subject, s, p, o)
        _discard(self.by_object, p, o, s)

    def holds(self, statement: Statement) -> bool:
        s, p, o = statement
        predicates = self.by_subject.get(s)
        return predicates is not None and p in predicates and o in predicates[p]

    def objects(self, s: str, p: str) -> Mapping[str, None]:
        return self.by_subject.get(s, _EMPTY).get(p, _NONE)

    def subjects(self, p: str, o: str) -> Mapping[str, None]:
        return self.by_object.get(p, _EMPTY).get(o, _NONE)

    def match(self, s: TermOrAny, p: TermOrAny, o: TermOrAny) -> list[Statement]:
        """Return the matching facts as a new list, which later changes do not affect."""
        if s is not None:
            if p is not None:
                found = self.by_subject.get(s, _EMPTY).get(p, _NONE)
                if o is not None:
                    return [(s, p, o)] if o in found else []
                return [(s, p, x) for x in found]
            known = self.by_subject.get(s, _EMPTY)
            if o is not None:
                return [(s, q, o) for q, xs in known.items() if o in xs]
            return [(s, q, x) for q, xs in known.items() for x in xs]
        if p is None:
            return list(self._without_ends(o))
        if o is None:
            return [(x, p, y) for y, xs in self.by_object.get(p, _EMPTY).items() for x in xs]
        return [(x, p, o) for x in self.subjects(p, o)]

    def estimate(self, s: TermOrAny, p: TermOrAny, o: TermOrAny) -> int:
        """Return an estimate of the number of matching facts, in constant time."""
        if s is not None:
            if p is not None:
                return min(1, len(self.objects(s, p))) if o else len(self.objects(s, p))
            return 4 * len(self.by_subject.get(s, _EMPTY))
        if p is not None:
            return len(self.subjects(p, o)) if o else 2 * len(self.by_object.get(p, _EMPTY))
        return 2 * len(self.by_object) if o else 8 * len(self.by_subject)

    def _without_ends(self, o: TermOrAny) -> Iterator[Statement]:
        for p, objects in self.by_object.items():
            for y in objects if o is None else (o,):
                for x in objects.get(y, _NONE):
                    yield (x, p, y)


class ViewOfBoth:
    """The union of two disjoint sets of facts: a model's own facts and the common sense."""

    __slots__ = ("_other", "_own")

    def __init__(self, own: FactView, other: FactView) -> None:
        self._own: Final = own
        self._other: Final = other

    def match(self, s: TermOrAny, p: TermOrAny, o: TermOrAny) -> list[Statement]:
        return self._own.match(s, p, o) + self._other.match(s, p, o)

    def estimate(self, s: TermOrAny, p: TermOrAny, o: TermOrAny) -> int:
        return self._own.estimate(s, p, o) + self._other.estimate(s, p, o)

    def holds(self, statement: Statement) -> bool:
        return self._own.holds(statement) or self._other.holds(statement)


class VisibleView:
    """A view without the ontology's blank nodes, unless the pattern names one."""

    __slots__ = ("_all",)

    def __init__(self, everything: FactView) -> None:
        self._all: Final = everything

    def match(self, s: TermOrAny, p: TermOrAny, o: TermOrAny) -> list[Statement]:
        found = self._all.match(s, p, o)
        if o is None:
            found = [f for f in found if f[2][:_MARK] != HIDDEN]
        if s is None:
            found = [f for f in found if f[0][:_MARK] != HIDDEN]
        return found

    def estimate(self, s: TermOrAny, p: TermOrAny, o: TermOrAny) -> int:
        return self._all.estimate(s, p, o)

    def holds(self, statement: Statement) -> bool:
        return self._all.holds(statement)


def with_more(view: FactView, more: Iterable[Statement]) -> FactView:
    """Return a view extended by some facts; those that it has already are ignored."""
    added = FactIndex()
    for fact in more:
        if not view.holds(fact):
            added.add(fact)
    return ViewOfBoth(added, view) if added.by_subject else view


def _discard(
    index: dict[str, dict[str, dict[str, None]]], first: str, second: str, third: str
) -> None:
    inner = index.get(first, _EMPTY)
    leaf = inner.get(second)
    if leaf is None:
        return
    leaf.pop(third, None)
    if not leaf:
        del inner[second]
        if not inner:
            del index[first]
