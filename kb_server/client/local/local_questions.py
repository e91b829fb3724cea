"""Questions to a board in this process: from a call to the JSON that HTTP would answer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import unquote

from kb_server.answering import questions
from kb_server.answering.questions import BoardQuestion, Search
from kb_server.client.calls.calls import Call
from kb_server.client.calls.values import Reply
from kb_server.consistency import consistency_by_dl
from kb_server.core.questions.listing import FactQuery
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.dl.engine import DLEngine
from kb_server.errors import BadRequest
from kb_server.host import Host
from kb_server.wire.answers import JSON, delta_in, history_in, models_in
from kb_server.wire.requests import (
    CheckRequest,
    ClarifyRequest,
    CompareRequest,
    DiscriminateRequest,
    ExplainRequest,
    FindRequest,
    RequestBody,
    ReviseRequest,
    read_request,
)

__all__ = ["CHANGES", "QUESTIONS", "SEARCHES", "Asked", "found"]

A = TypeVar("A")
R = TypeVar("R", bound=RequestBody)
Asked = Call[Any]


def found(host: Host, call: Asked, search: Search, computed: Sequence[Statement] = ()) -> JSON:
    """The answer to a question by patterns; `computed` holds the facts of providers."""
    board = host.at(call.query.get("at"), (call.model,))
    return search.answer(search.rows(board, board.budget(), computed))


def _posted(kind: type[R], ask: Callable[[Names, str, R], A]) -> Callable[[Names, Asked], A]:
    """A question whose parameters come in a body."""
    return lambda names, call: ask(names, call.model, read_request(kind, call.body))


def _asked(question: Callable[[Names, Asked], BoardQuestion]) -> Callable[[Host, Asked], JSON]:
    """Answers a question on the board as it is, or as it was at the call's `at`."""

    def answer(host: Host, call: Asked) -> JSON:
        asked = question(host.names, call)
        board = host.at(call.query.get("at"), asked.models)
        return asked.answer(board, board.budget())

    return answer


def _models(host: Host, _call: Asked) -> JSON:
    return models_in(host.board.models(), host.board.seq)


def _about(names: Names, call: Asked) -> BoardQuestion:
    return questions.about(names, call.model, unquote(call.path.rpartition("/")[2]))


def _facts(names: Names, call: Asked) -> BoardQuestion:
    query = call.query
    s, p, o, source, cursor = map(query.get, ("s", "p", "o", "source", "cursor"))
    asked = FactQuery(s, p, o, source, query["kind"], query["limit"], cursor)
    return questions.facts(names, call.model, asked)


def _lookup(_names: Names, call: Asked) -> BoardQuestion:
    return questions.lookup(call.model, call.query["label"])


def _divergence(_names: Names, call: Asked) -> BoardQuestion:
    return questions.divergence(call.model, call.query["from"])


def _consistency(host: Host, call: Asked) -> JSON:
    engine = call.query["engine"]
    if engine not in ("rules", "dl"):
        raise BadRequest(f"engine is rules or dl, not {engine!r:.80}", field="engine")
    if engine == "dl":
        return questions.verdict_in(consistency_by_dl(host.board, call.model, DLEngine()))
    return questions.consistency(call.model).answer(host.board, host.board.budget())


def _history(host: Host, call: Asked) -> JSON:
    host.board.model(call.model)
    s, p, o, since, until = map(call.query.get, ("s", "p", "o", "since", "until"))
    place = questions.read_place(host.names, s, p, o)
    lines = list(host.history(call.model, *place, since, until))
    return history_in(lines, host.has_all(since))


def _revise(host: Host, call: Asked) -> Reply:
    revision = read_request(ReviseRequest, call.body).revision(host.names)
    return Reply(200, delta_in(host.revise(call.model, revision), host.board.seq))


def _create(host: Host, call: Asked) -> Reply:
    return Reply(201 if host.create(call.model) else 200, {"id": call.model})


def _delete(host: Host, call: Asked) -> Reply:
    host.delete(call.model)
    return Reply(204, None)


SEARCHES: Final[Mapping[str, Callable[[Names, Asked], Search]]] = {
    "check": _posted(CheckRequest, questions.check),
    "find": _posted(FindRequest, questions.find),
}
"""Questions by patterns, answered by `found`."""

QUESTIONS: Final[Mapping[str, Callable[[Host, Asked], JSON]]] = {
    "about": _asked(_about),
    "clarify": _asked(_posted(ClarifyRequest, questions.clarify)),
    "compare": _asked(_posted(CompareRequest, questions.compare)),
    "consistency": _consistency,
    "discriminate": _asked(_posted(DiscriminateRequest, questions.discriminate)),
    "divergence": _asked(_divergence),
    "explain": _asked(_posted(ExplainRequest, questions.explain)),
    "facts": _asked(_facts),
    "history": _history,
    "lookup": _asked(_lookup),
    "models": _models,
}
"""All other questions."""

CHANGES: Final[Mapping[str, Callable[[Host, Asked], Reply]]] = {
    "create": _create,
    "delete": _delete,
    "revise": _revise,
}
"""Calls that change the board."""
