"""The verbs: what each asks of a board, and how its answer is read. This is all that they are.

A call is a value. One transport makes HTTP of it, another asks the board in-process; the verbs of
`Blackboard`, of its models and of their asynchronous twins are made from the functions here.
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
"""Some of them; one text stands for itself."""
At = int | str | datetime | None
"""A moment: a `seq`, an ISO time, or a time with its zone; None is now."""
T = TypeVar("T")
RESULTS: Final = "application/sparql-results+json"
_PAGE: Final = 1_000
_ACCEPTED: Final = f"{RESULTS}, text/turtle;q=0.9"


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """What to ask: the operation, how HTTP says it, and how to read what comes back.

    What `changes` something is not sent twice. `text` is the body of SPARQL, of type `media`.
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
    """Some statements as JSON has them; one text is one statement.

    >>> texts("ball isIn box"), texts([("ball", "isIn", "box")])
    (['ball isIn box'], [['ball', 'isIn', 'box']])
    """
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, Mapping):
        raise BadRequest(f"a list of statements is expected, not {given!r:.80}")
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
    """Changes a model in one step: first `retract`, then `update`, then `add`."""
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
    """Asserts statements; with `ttl` they last so many seconds."""
    return revise(
        model, add=statements, memory=memory, ttl=ttl, if_consistent=if_consistent, source=source
    )


def retract(model: str, *patterns: Text) -> Call[Delta]:
    """Withdraws assertions; a `?x` or `*` is a wildcard."""
    return revise(model, retract=patterns)


def update(
    model: str,
    *statements: Text,
    memory: str = LONG_TERM,
    ttl: float | None = None,
    if_consistent: bool = False,
    source: str | None = None,
) -> Call[Delta]:
    """Asserts statements; the old values of functional properties go in the same step."""
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
    """The bindings under which all patterns hold, each once: `[{"o": "book1"}]`."""
    body: dict[str, Any] = {"patterns": texts(patterns)}
    if select is not None:
        body["select"] = [select] if isinstance(select, str) else list(select)
    if limit is not None:
        body["limit"] = limit
    return _on("find", model, lambda reply: list(reply.says["bindings"]), body, _at(at))


def check(model: str, *patterns: Text, at: At = None) -> Call[bool]:
    """Whether the patterns hold together."""
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
    """The facts of a model, common sense left out, in the order of their texts."""
    query = {**_said(s=s, p=p, o=o, source=source, kind=kind), "limit": _PAGE, **_at(at)}
    return _on("facts", model, lambda reply: Page.read(reply.says), None, query)


def page_after(page: Call[Page], cursor: str) -> Call[Page]:
    """What asks for the page after one."""
    return replace(page, query={**page.query, "cursor": cursor})


def about(model: str, entity: str) -> Call[Portrait]:
    """All that a model holds about one thing."""
    path = f"{_path(model)}/about/{quote(entity, safe='')}"
    read = Portrait.read
    return Call("about", "GET", path, lambda reply: read(reply.says), model)


def lookup(model: str, label: str) -> Call[list[Match]]:
    """What people call so, best first."""
    return _on(
        "lookup",
        model,
        lambda reply: [Match(**each) for each in reply.says["matches"]],
        None,
        {"label": _must_be_text("label", label)},
    )


def explain(model: str, fact: Text) -> Call[Proof]:
    """Why a fact holds: the ways in which it follows, down to what was told."""
    return _on("explain", model, lambda reply: Proof.read(reply.says), {"fact": _text(fact)})


def consistency(model: str, engine: Literal["rules", "dl"] = "rules") -> Call[Consistency]:
    """Whether a model contradicts itself, and whom to blame."""
    asked = {"engine": _must_be_text("engine", engine)}
    return _on("consistency", model, lambda reply: Consistency.read(reply.says), None, asked)


def compare(model: str, a: str, b: str) -> Call[Comparison]:
    """What two things have in common, and what tells them apart."""
    return _on("compare", model, lambda reply: Comparison.read(reply.says), {"a": a, "b": b})


def discriminate(model: str, *candidates: str) -> Call[Discriminant]:
    """The property that best tells some things apart."""
    body = {"candidates": list(candidates)}
    return _on("discriminate", model, lambda reply: Discriminant.read(reply.says), body)


def clarify(model: str, *patterns: Text, variable: str) -> Call[Clarification]:
    """What a partial description may mean, and what to ask next."""
    body = {"patterns": texts(patterns), "variable": variable}
    return _on("clarify", model, lambda reply: Clarification.read(reply.says), body)


def divergence(model: str, other: str = "myself", *, at: At = None) -> Call[Divergence]:
    """The facts on which two models differ, common sense aside."""
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
    """What happened to facts, oldest first, within a `seq` ceased first; and whether it is all."""
    query = _said(s=s, p=p, o=o, since=_moment(since), until=_moment(until))
    return _on(
        "history",
        model,
        lambda reply: History.read(reply.says),
        None,
        query,
    )


def poses(model: str, *, at: At = None) -> Call[Poses]:
    """The geometry behind the facts, as it was published."""
    return _on("poses", model, lambda reply: Poses.read(reply.says), None, _at(at))


def staged(source: str | None = None) -> Call[dict[str, dict[str, Any]]]:
    """How things look and what is being told, by source and name."""
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
    """What a SPARQL query finds; with `accept`, a media type, its text as it comes."""
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
    """Carries out a SPARQL update, all of it or nothing; what it did to each model."""
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
    """The models there are."""
    return Call(
        "models", "GET", "/models", lambda reply: [ModelInfo(**m) for m in reply.says["models"]]
    )


def create(model: str) -> Call[bool]:
    """Makes a model; False when it was there. Its parent must be."""
    path = f"/models/{check_name(model)}"
    return Call("create", "PUT", path, lambda reply: reply.status == 201, model, changes=True)


def delete(model: str) -> Call[None]:
    """Takes a model away, with those that lie in it."""
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
    """A name that a model can have; any other is that of none, and no part of an address."""
    try:
        return check_name(model)
    except BadModelName:
        raise UnknownModel(f"there is no model {model[:80]!r}", model=model[:80]) from None


def _said(**fields: str | None) -> dict[str, Any]:
    given = {name: value for name, value in fields.items() if value is not None}
    return {name: _must_be_text(name, value) for name, value in given.items()}


def _must_be_text(name: str, given: str) -> str:
    """What goes into an address or stands as a body; there anything else would be read as text."""
    if not isinstance(given, str):
        raise BadRequest(f"{name}: must be text, not {given!r:.80}", field=name)
    return given


def _at(at: At) -> dict[str, str]:
    said = _moment(at)
    return {} if said is None else {"at": said}


def _moment(at: At) -> str | None:
    if isinstance(at, datetime):
        if at.tzinfo is None:
            raise BadRequest("a time has a zone: datetime.now(UTC), say", field="at")
        return at.astimezone(UTC).isoformat()
    return None if at is None else str(at)


def _text(given: Any) -> object:
    return list(given) if isinstance(given, tuple) else given
