"""The calls of the client: for each method, its request to a board and how its answer is read.

A call is a value. One transport sends it over HTTP, another one asks the board in this process.
The methods of `Blackboard`, `Model` and their asynchronous versions are made from these functions.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, Generic, Literal, TypeVar
from urllib.parse import quote

from kb_server.client.calls.values import (
    Answer,
    Clarification,
    Comparison,
    Consistency,
    Delta,
    Discriminant,
    Divergence,
    History,
    Match,
    ModelInfo,
    Page,
    Portrait,
    Poses,
    Proof,
    Reply,
    Row,
)
from kb_server.core.models.agents import check_name
from kb_server.core.models.lifespans import LONG_TERM
from kb_server.errors import BadModelName, BadRequest, UnknownModel

__all__ = ["At", "Call", "Text", "Texts", "texts"]

Text = str | Sequence[str]
"""A statement or a pattern: a text of three terms, or three texts."""
Texts = str | Iterable[Text]
"""Several statements or patterns; a single text is one of them."""
At = int | str | datetime | None
"""A moment: the `seq` of a delta, an ISO time, or a datetime with a time zone; None is now."""
T = TypeVar("T")
RESULTS: Final = "application/sparql-results+json"
_PAGE: Final = 1_000
_ACCEPTED: Final = f"{RESULTS}, text/turtle;q=0.9"


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A request to a board: its operation, its form in HTTP, and the reader of its answer.

    A call that `changes` the board is never repeated. `text` is a SPARQL body of type `media`.
    """

    op: str
    method: str
    path: str
    read: Callable[[Reply], T]
    model: str = ""
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    changes: bool = False
    text: str | None = None
    media: str = ""
    accept: str = "application/json"


def texts(given: Texts) -> list[object]:
    """Statements or patterns in their JSON form; a single text is one statement.

    >>> texts("ball isIn box"), texts([("ball", "isIn", "box")])
    (['ball isIn box'], [['ball', 'isIn', 'box']])
    """
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, Mapping):
        raise BadRequest(f"statements must be text or a list of statements, not {given!r:.80}")
    return [_text(each) for each in given]


def revise(
    model: str,
    *,
    add: Texts = (),
    retract: Texts = (),
    update: Texts = (),
    memory: str = LONG_TERM,
    ttl: float | None = None,
    if_consistent: bool = False,
    source: str | None = None,
    t: float | str | None = None,
) -> Call[Delta]:
    """Changes a model by one atomic delta: first `retract`, then `update`, then `add`.

    `memory` names a lifespan (`short_term` 10 s, `episodic` 300 s, `long_term` unlimited); `ttl` in
    seconds overrides it. `source` names the source of the facts, and `t` is the source's time. With
    `if_consistent` a change that causes a contradiction raises Inconsistent. A refused change,
    for example by BadStatement or UnknownModel, has no effect.
    """
    body = {
        "retract": texts(retract),
        "update": texts(update),
        "add": texts(add),
        "memory": memory,
        "ttl": ttl,
        "if_consistent": if_consistent,
        "source": source,
        "t": t,
    }
    return _on("revise", model, lambda reply: Delta.read(reply.says), body, changes=True)


def add(
    model: str,
    *statements: Text,
    memory: str = LONG_TERM,
    ttl: float | None = None,
    if_consistent: bool = False,
    source: str | None = None,
) -> Call[Delta]:
    """Asserts statements; the keywords are those of `revise`.

    A second value of a functional property is a conflict; `update` replaces the first one.
    """
    return revise(
        model, add=statements, memory=memory, ttl=ttl, if_consistent=if_consistent, source=source
    )


def retract(model: str, *patterns: Text) -> Call[Delta]:
    """Retracts assertions; `?x` and `*` are wildcards, and a pattern may match none."""
    return revise(model, retract=patterns)


def update(
    model: str,
    *statements: Text,
    memory: str = LONG_TERM,
    ttl: float | None = None,
    if_consistent: bool = False,
    source: str | None = None,
) -> Call[Delta]:
    """Asserts statements and retracts the old values of functional properties in the same delta."""
    return revise(
        model, update=statements, memory=memory, ttl=ttl, if_consistent=if_consistent, source=source
    )


def find(
    model: str,
    *patterns: Text,
    select: Sequence[str] | None = None,
    limit: int | None = None,
    at: At = None,
) -> Call[list[Row]]:
    """The distinct bindings under which all patterns hold: `[{"o": "book1"}]`.

    `select` names the variables to return, and `limit` bounds the number of rows. Patterns without
    variables give `[{}]` if they hold, else `[]`. `at` asks about the past.
    """
    body: dict[str, Any] = {"patterns": texts(patterns)}
    if select is not None:
        body["select"] = [select] if isinstance(select, str) else list(select)
    if limit is not None:
        body["limit"] = limit
    return _on("find", model, lambda reply: list(reply.says["bindings"]), body, _at(at))


def check(model: str, *patterns: Text, at: At = None) -> Call[bool]:
    """Whether the conjunction of the patterns holds; `at` asks about the past."""
    body = {"patterns": texts(patterns)}
    return _on("check", model, lambda reply: bool(reply.says["holds"]), body, _at(at))


def facts(
    model: str,
    *,
    s: str | None = None,
    p: str | None = None,
    o: str | None = None,
    source: str | None = None,
    kind: Literal["asserted", "inferred", "all"] = "all",
    at: At = None,
) -> Call[Page]:
    """Iterates over the facts of a model without the common-sense ontology, sorted by their texts.

    `s`, `p` and `o` select by subject, predicate and object, `source` by the asserting source.
    """
    query = {**_said(s=s, p=p, o=o, source=source, kind=kind), "limit": _PAGE, **_at(at)}
    return _on("facts", model, lambda reply: Page.read(reply.says), None, query)


def page_after(page: Call[Page], cursor: str) -> Call[Page]:
    """The call for the page after this one."""
    return replace(page, query={**page.query, "cursor": cursor})


def about(model: str, entity: str) -> Call[Portrait]:
    """The label, the types and all facts of one entity in a model."""
    path = f"{_path(model)}/about/{quote(entity, safe='')}"
    read = Portrait.read
    return Call("about", "GET", path, lambda reply: read(reply.says), model)


def lookup(model: str, label: str) -> Call[list[Match]]:
    """The classes, properties and individuals with this name or label, best match first."""
    return _on(
        "lookup",
        model,
        lambda reply: [Match(**each) for each in reply.says["matches"]],
        None,
        {"label": _must_be_text("label", label)},
    )


def explain(model: str, fact: Text) -> Call[Proof]:
    """Why a fact holds: its derivations, down to asserted facts; DoesNotHold if it does not."""
    return _on("explain", model, lambda reply: Proof.read(reply.says), {"fact": _text(fact)})


def consistency(model: str, engine: Literal["rules", "dl"] = "rules") -> Call[Consistency]:
    """Whether a model is consistent, and which assertions contradict each other.

    `rules` answers by the board's own rules; `dl` asks Pellet, and raises NoDLEngine without it.
    """
    asked = {"engine": _must_be_text("engine", engine)}
    return _on("consistency", model, lambda reply: Consistency.read(reply.says), None, asked)


def compare(model: str, a: str, b: str) -> Call[Comparison]:
    """The classes and values that two individuals share, and those in which they differ."""
    return _on("compare", model, lambda reply: Comparison.read(reply.says), {"a": a, "b": b})


def discriminate(model: str, *candidates: str) -> Call[Discriminant]:
    """The property whose values best distinguish the candidates; None if no property does."""
    body = {"candidates": list(candidates)}
    return _on("discriminate", model, lambda reply: Discriminant.read(reply.says), body)


def clarify(model: str, *patterns: Text, variable: str) -> Call[Clarification]:
    """The individuals that `variable` may stand for, and the property to ask for next."""
    body = {"patterns": texts(patterns), "variable": variable}
    return _on("clarify", model, lambda reply: Clarification.read(reply.says), body)


def divergence(model: str, other: str = "myself", *, at: At = None) -> Call[Divergence]:
    """The facts on which two models differ, without the common-sense ontology."""
    query = {"from": _must_be_text("from", other), **_at(at)}
    return _on("divergence", model, lambda reply: Divergence.read(reply.says), None, query)


def history(
    model: str,
    *,
    s: str | None = None,
    p: str | None = None,
    o: str | None = None,
    since: At = None,
    until: At = None,
) -> Call[History]:
    """The facts that became true or ceased, oldest first; within one `seq`, ceased first.

    `since` and `until` bound the period. `complete` of the result is false if the journal no longer
    has all of it; a `since` that retention has dropped raises TooOld.
    """
    query = _said(s=s, p=p, o=o, since=_moment(since), until=_moment(until))
    return _on("history", model, lambda reply: History.read(reply.says), None, query)


def poses(model: str, *, at: At = None) -> Call[Poses]:
    """The poses of the objects in a model, as published; TooOld if `at` is no longer stored."""
    return _on("poses", model, lambda reply: Poses.read(reply.says), None, _at(at))


def staged(source: str | None = None) -> Call[dict[str, dict[str, Any]]]:
    """The values shown on the stage, by source and name."""
    query = _said(source=source)
    return Call("staged", "GET", "/stage", lambda reply: dict(reply.says["stage"]), query=query)


def query(
    model: str,
    sparql: str,
    *,
    accept: str | None = None,
    inferred: bool = True,
    at: At = None,
) -> Call[Answer]:
    """Answers a SPARQL query; with a media type in `accept`, the answer is its unread text.

    `model` is the default graph; `inferred=False` leaves out inferred facts. Raises BadQuery for
    invalid SPARQL, and TooCostly past the time allowed.
    """
    asked = {"model": _known(model), "inferred": str(inferred).lower(), **_at(at)}
    return Call(
        "query",
        "POST",
        "/sparql",
        lambda reply: Answer.read(reply, plain=accept is not None),
        model,
        asked,
        text=_must_be_text("query", sparql),
        media="application/sparql-query",
        accept=_ACCEPTED if accept is None else _must_be_text("accept", accept),
    )


def update_sparql(model: str, sparql: str) -> Call[dict[str, Delta]]:
    """Carries out a SPARQL update, whole or not at all; returns one delta for each model.

    Raises BadQuery for invalid SPARQL, and Refused for LOAD, SERVICE and the like.
    """
    return Call(
        "update_sparql",
        "POST",
        "/update",
        lambda reply: {each["model"]: Delta.read(each) for each in reply.says["deltas"]},
        model,
        {"model": _known(model)},
        text=_must_be_text("update", sparql),
        media="application/sparql-update",
        changes=True,
    )


def models() -> Call[list[ModelInfo]]:
    """All models of the board."""
    return Call(
        "models", "GET", "/models", lambda reply: [ModelInfo(**m) for m in reply.says["models"]]
    )


def create(model: str) -> Call[bool]:
    """Creates a model and returns True; False if it existed. UnknownModel without its parent."""
    path = f"/models/{check_name(model)}"
    return Call("create", "PUT", path, lambda reply: reply.status == 201, model, changes=True)


def delete(model: str) -> Call[None]:
    """Deletes a model and all models nested in it; `myself` can't be deleted (BadModelName)."""
    return Call("delete", "DELETE", _path(model), lambda _reply: None, model, changes=True)


def _on(
    op: str,
    model: str,
    read: Callable[[Reply], T],
    body: Mapping[str, Any] | None,
    query: Mapping[str, Any] | None = None,
    changes: bool = False,
) -> Call[T]:
    method = "GET" if body is None else "POST"
    path = f"{_path(model)}/{op}"
    return Call(op, method, path, read, model, query or {}, body, changes)


def _path(model: str) -> str:
    return f"/models/{_known(model)}"


def _known(model: str) -> str:
    """A well-formed model name; any other name is an unknown model and must not enter a URL."""
    try:
        return check_name(model)
    except BadModelName:
        raise UnknownModel(f"there is no model {model[:80]!r}", model=model[:80]) from None


def _said(**fields: str | None) -> dict[str, Any]:
    given = {name: value for name, value in fields.items() if value is not None}
    return {name: _must_be_text(name, value) for name, value in given.items()}


def _must_be_text(name: str, given: str) -> str:
    """Checks a value that goes into a URL or a body as text; any other type is a BadRequest."""
    if not isinstance(given, str):
        raise BadRequest(f"{name} must be text, not {given!r:.80}", field=name)
    return given


def _at(at: At) -> dict[str, str]:
    said = _moment(at)
    return {} if said is None else {"at": said}


def _moment(at: At) -> str | None:
    if isinstance(at, datetime):
        if at.tzinfo is None:
            raise BadRequest("a datetime needs a time zone, as in datetime.now(UTC)", field="at")
        return at.astimezone(UTC).isoformat()
    return None if at is None else str(at)


def _text(given: Any) -> object:
    return list(given) if isinstance(given, tuple) else given
