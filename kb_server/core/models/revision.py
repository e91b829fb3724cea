"""Revision: turns a request into the assertions to withdraw and to make."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack

from kb_server.core.facts.matching import bind
from kb_server.core.models.lifespans import LONG_TERM, Assertion, lifespan, renewed
from kb_server.core.terms.literals import is_literal, same_value
from kb_server.core.terms.statements import (
    Pattern,
    Statement,
    nameless,
    read_pattern,
    read_statement,
    write,
)
from kb_server.core.terms.terms import Names, is_variable, shown
from kb_server.errors import BadRequest

if TYPE_CHECKING:  # clients import this module and must not import the reasoner
    from kb_server.core.models.model import BeliefModel

__all__ = ["Plan", "Revision", "RevisionText", "plan", "read_revision"]


_FARTHEST: Final = 1e15
"""Seconds of the farthest source time, before or after 1970."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A requested change of one model, one step: first retract, then update, then add."""

    retract: tuple[Pattern, ...] = ()
    update: tuple[Statement, ...] = ()
    add: tuple[Statement, ...] = ()
    memory: str = LONG_TERM
    ttl: float | None = None
    if_consistent: bool = False
    source: str | None = None
    t: float | None = None


class RevisionText(TypedDict, total=False):
    """A revision whose statements and patterns are not yet read; the defaults are those above."""

    retract: Iterable[object]
    update: Iterable[object]
    add: Iterable[object]
    memory: str
    ttl: float | None
    if_consistent: bool
    source: str | None
    t: float | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The assertions to withdraw, and the assertions to make or renew in their final form."""

    withdrawn: tuple[Statement, ...]
    asserted: Mapping[Statement, Assertion]


def read_revision(names: Names, **asked: Unpack[RevisionText]) -> Revision:
    """Read a revision from texts; BadStatement or BadRequest if one is wrong.

    >>> read_revision(Names(), add=["ball isIn box"]).add
    (('ball', 'isIn', 'box'),)
    """
    retract, update, add = asked.get("retract", ()), asked.get("update", ()), asked.get("add", ())
    for name, given in (("retract", retract), ("update", update), ("add", add)):
        single = isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable)
        _expect(not single, name, "a list of statements", given)
    memory, source, t = asked.get("memory", LONG_TERM), asked.get("source"), asked.get("t")
    is_careful = asked.get("if_consistent", False)
    _expect(isinstance(memory, str), "memory", "a name", memory)
    _expect(isinstance(is_careful, bool), "if_consistent", "true or false", is_careful)
    _expect(source is None or isinstance(source, str), "source", "a text", source)
    _expect(t is None or _is_number(t), "t", "a finite number of seconds", t)
    read: dict[str, Any] = {
        **asked,
        "retract": tuple(read_pattern(s, names) for s in retract),
        "update": tuple(read_statement(s, names) for s in update),
        "add": tuple(read_statement(s, names) for s in add),
    }
    return Revision(**read)


def _expect(is_so: bool, name: str, expected: str, given: object) -> None:
    if not is_so:
        raise BadRequest(f"{name} must be {expected}, not {shown(repr(given))}", field=name)


def _is_number(given: object) -> bool:
    return (
        isinstance(given, int | float)
        and not isinstance(given, bool)
        and -_FARTHEST <= given <= _FARTHEST
    )


def plan(
    model: "BeliefModel", revision: Revision, now: float, memories: Mapping[str, float]
) -> Plan:
    """Return the effect of a revision on a model's assertions; change nothing."""
    life = lifespan(revision.memory, revision.ttl, memories)
    fresh = Assertion(revision.memory, now + life, now, revision.source, revision.t)
    withdrawn = dict.fromkeys(f for p in revision.retract for f in _matching(model, p))
    asserting = dict.fromkeys((*revision.update, *revision.add))
    withdrawn |= dict.fromkeys(_replaced(model, revision.update))
    asserted = {f: _remade(model, f, fresh, f in withdrawn) for f in asserting}
    changed = {f: a for f, a in asserted.items() if model.assertions.get(f) != a}
    return Plan(tuple(f for f in withdrawn if f not in asserting), changed)


def _remade(model: "BeliefModel", fact: Statement, fresh: Assertion, withdrawn: bool) -> Assertion:
    """Return an assertion made again; one withdrawn in the same step starts a new lifespan."""
    old = model.assertions.get(fact)
    if old is None:
        return fresh
    if withdrawn:
        return Assertion(fresh.memory, fresh.expires, old.since, fresh.source, fresh.source_t)
    return renewed(old, fresh)


def _matching(model: "BeliefModel", pattern: Pattern) -> Iterable[Statement]:
    """Return the assertions that match a pattern; a repeated variable must match equal terms."""
    (pattern,) = nameless((pattern,))
    s, p, o = (None if is_variable(term) else term for term in pattern)
    if s is not None and p is not None and o is not None:
        return [pattern] if pattern in model.assertions else []
    found = (f for f in model.reasoner.index.match(s, p, o) if f in model.assertions)
    return [f for f in (*found, *model.restated) if bind(pattern, f, {}) is not None]


def _replaced(model: "BeliefModel", updates: Iterable[Statement]) -> Iterable[Statement]:
    """Yield the assertions that updates of functional properties replace.

    BadRequest if the updates give one functional property two values.
    """
    chosen: dict[tuple[str, str], Statement] = {}
    for fact in dict.fromkeys(said for update in updates for said in model.both_ways(update)):
        s, p, o = fact
        names = (s, *model.other_names(s))
        for q in model.functional_above(p):
            other = chosen.setdefault((min(names), q), fact)
            if other[2] != o and not _one_value(other[2], o):
                raise BadRequest(
                    f"{write(other)!r} and {write(fact)!r} are two values of one functional "
                    f"property; an update may set only one",
                    statements=[write(other), write(fact)],
                )
            held = (old for name in names for old in model.view.match(name, q, None))
            for old in held:
                yield from (f for f in model.asserted_as(old) if o not in (f[0], f[2]))


def _one_value(a: str, b: str) -> bool:
    return is_literal(a) and is_literal(b) and same_value(a, b)
