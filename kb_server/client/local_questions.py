"""Every question to a board in-process, answered as HTTP answers it: from its call to JSON."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar
from urllib.parse import unquote

from pydantic import ValidationError

from kb_server.client.calls import Call
from kb_server.client.values import Reply
from kb_server.consistency import consistency_by_dl, consistency_by_rules
from kb_server.core.blackboard import Blackboard
from kb_server.core.discrimination import clarify, discriminate
from kb_server.core.errors import BadRequest
from kb_server.core.facts import FactIndex, ViewOfBoth
from kb_server.core.listing import list_facts
from kb_server.core.portrait import about, lookup
from kb_server.core.proofs import explain
from kb_server.core.query import Row, find
from kb_server.core.similarity import compare
from kb_server.core.statements import Pattern, Statement, read_pattern, read_statement
from kb_server.core.terms import is_variable
from kb_server.dl.engine import DLEngine
from kb_server.host import Host
from kb_server.wire.answers import (
    about_in,
    bindings_in,
    comparison_in,
    consistency_in,
    delta_in,
    discriminant_in,
    divergence_in,
    facts_in,
    history_in,
    matches_in,
    models_in,
    proof_in,
)
from kb_server.wire.requests import (
    CheckRequest,
    ClarifyRequest,
    CompareRequest,
    DiscriminateRequest,
    ExplainRequest,
    FindRequest,
    Request,
    ReviseRequest,
)

__all__ = ["CHANGES", "QUESTIONS", "Asked", "asked_patterns"]

R = TypeVar("R", bound=Request)
Asked = Call[Any]
Told = Sequence[Statement]


def _read(kind: type[R], call: Asked) -> R:
    """The body of a call, checked as HTTP checks it."""
    try:
        return kind.model_validate(call.body)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        message = f"{field}: {first['msg']}" if field else first["msg"]
        raise BadRequest(message[:500], field=field[:100]) from None


def asked_patterns(host: Host, call: Asked) -> list[Pattern]:
    """The patterns of a `find` or `check`."""
    kind: type[FindRequest | CheckRequest] = FindRequest if call.op == "find" else CheckRequest
    return [read_pattern(text, host.names) for text in _read(kind, call).patterns]


def _place(host: Host, query: Mapping[str, Any]) -> tuple[str | None, str | None, str | None]:
    given = [query.get("s") or "?s", query.get("p") or "?p", query.get("o") or "?o"]
    s, p, o = (None if is_variable(term) else term for term in read_pattern(given, host.names))
    return s, p, o


def _then(host: Host, call: Asked, *others: str) -> Blackboard:
    return host.at(call.query.get("at"), (call.model, *others))


def _rows(
    host: Host, call: Asked, told: Told, select: Sequence[str] | None, limit: int | None
) -> list[Row]:
    board = _then(host, call)
    view = board.model(call.model).view
    more = FactIndex()
    for fact in told:
        if not view.holds(fact):
            more.add(fact)
    patterns = asked_patterns(host, call)
    seen = ViewOfBoth(more, view) if told else view
    return find(patterns, seen, board.budget(), select, limit)


def _find(host: Host, call: Asked, told: Told) -> Any:
    body = _read(FindRequest, call)
    return bindings_in(_rows(host, call, told, body.select, body.limit))


def _check(host: Host, call: Asked, told: Told) -> Any:
    return {"holds": bool(_rows(host, call, told, [], None))}


def _models(host: Host, _call: Asked, _told: Told) -> Any:
    return models_in(host.board.models())


def _facts(host: Host, call: Asked, _told: Told) -> Any:
    query = call.query
    s, p, o = _place(host, query)
    model = _then(host, call).model(call.model)
    page = list_facts(
        model,
        s,
        p,
        o,
        source=query.get("source"),
        kind=query["kind"],
        limit=query["limit"],
        cursor=query.get("cursor"),
    )
    return facts_in(page)


def _about(host: Host, call: Asked, _told: Told) -> Any:
    term = host.names.term(unquote(call.path.rpartition("/")[2]))
    return about_in(about(term, host.board.model(call.model).view, host.board.budget()))


def _lookup(host: Host, call: Asked, _told: Told) -> Any:
    view = host.board.model(call.model).view
    return matches_in(lookup(call.query["label"], view, host.board.budget()))


def _explain(host: Host, call: Asked, _told: Told) -> Any:
    fact = read_statement(_read(ExplainRequest, call).fact, host.names)
    return proof_in(explain(host.board.model(call.model), fact, host.board.budget()))


def _consistency(host: Host, call: Asked, _told: Told) -> Any:
    engine = call.query["engine"]
    if engine not in ("rules", "dl"):
        raise BadRequest(f"engine is rules or dl, not {engine!r:.80}", field="engine")
    if engine == "rules":
        verdict = consistency_by_rules(host.board, call.model)
    else:
        verdict = consistency_by_dl(host.board, call.model, DLEngine())
    return consistency_in(verdict.consistent, verdict.conflicts, verdict.warnings)


def _compare(host: Host, call: Asked, _told: Told) -> Any:
    body, term = _read(CompareRequest, call), host.names.term
    view = host.board.model(call.model).view
    return comparison_in(compare(term(body.a), term(body.b), view, host.board.budget()))


def _discriminate(host: Host, call: Asked, _told: Told) -> Any:
    candidates = [host.names.term(each) for each in _read(DiscriminateRequest, call).candidates]
    view = host.board.model(call.model).view
    return discriminant_in(discriminate(candidates, view, host.board.budget()))


def _clarify(host: Host, call: Asked, _told: Told) -> Any:
    body = _read(ClarifyRequest, call)
    patterns = [read_pattern(text, host.names) for text in body.patterns]
    view = host.board.model(call.model).view
    candidates, best = clarify(patterns, body.variable, view, host.board.budget())
    return {"candidates": list(candidates), "discriminant": discriminant_in(best)}


def _divergence(host: Host, call: Asked, _told: Told) -> Any:
    other = call.query["from"]
    return divergence_in(_then(host, call, other).divergence(call.model, other))


def _history(host: Host, call: Asked, _told: Told) -> Any:
    host.board.model(call.model)
    query = call.query
    s, p, o = _place(host, query)
    return history_in(host.history(call.model, s, p, o, query.get("since"), query.get("until")))


def _revise(host: Host, call: Asked) -> Reply:
    revision = _read(ReviseRequest, call).revision(host.names)
    return Reply(200, delta_in(host.revise(call.model, revision), host.board.seq))


def _create(host: Host, call: Asked) -> Reply:
    return Reply(201 if host.create(call.model) else 200, {"id": call.model})


def _delete(host: Host, call: Asked) -> Reply:
    host.delete(call.model)
    return Reply(204, None)


class _Question(Protocol):
    def __call__(self, host: Host, call: Asked, told: Told, /) -> Any: ...


QUESTIONS: Final[Mapping[str, _Question]] = {
    "about": _about,
    "check": _check,
    "clarify": _clarify,
    "compare": _compare,
    "consistency": _consistency,
    "discriminate": _discriminate,
    "divergence": _divergence,
    "explain": _explain,
    "facts": _facts,
    "find": _find,
    "history": _history,
    "lookup": _lookup,
    "models": _models,
}
"""What only reads; the last argument is what providers told for this question."""

CHANGES: Final[Mapping[str, Callable[[Host, Asked], Reply]]] = {
    "create": _create,
    "delete": _delete,
    "revise": _revise,
}
"""What changes the board."""
