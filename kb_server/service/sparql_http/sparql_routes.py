"""The SPARQL 1.1 Protocol: `/sparql` for queries, `/update` for updates.

A worker evaluates the text. This module reads the protocol's parameters, checks the access rights
and finds the moment that the query refers to.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import Response

from kb_server.core.models.agents import ROBOT
from kb_server.core.models.board import Board
from kb_server.core.terms.statements import Statement
from kb_server.errors import TooLarge
from kb_server.service.access import ANYBODY
from kb_server.service.desk.updating import RequestedUpdate, Updating
from kb_server.service.http.calls import Calling, RouteCall, answer, documented
from kb_server.service.sparql_http.service_description import description
from kb_server.service.sparql_http.sparql_request import (
    Parameters,
    ProtocolOperation,
    read_operation,
)
from kb_server.sparql.dataset import may_read_default
from kb_server.sparql.mentions import MOST_MODELS, mentioned_models, wanted_in
from kb_server.sparql.protocol import SparqlQuery, WorkerAnswer
from kb_server.sparql.replica_frames import holdings_of
from kb_server.wire.answers import statements_in

__all__ = ["READING", "asked_of_pool", "client_of", "model_in", "parameter", "router"]

router: Final = APIRouter(tags=["sparql"])


def parameter(name: str, description: str, several: bool = False) -> dict[str, Any]:
    """A parameter in OpenAPI; `sparql_request` reads it, and detects a repetition."""
    text: dict[str, Any] = {"type": "string"}
    schema = {"type": "array", "items": text} if several else text
    return {"name": name, "in": "query", "description": description, "schema": schema}


READING: Final = (
    parameter("inferred", "false leaves out inferred facts"),
    parameter("at", "a moment of the past: a `seq`, or an ISO time"),
)
_DATASET: Final = (
    parameter("default-graph-uri", "a graph of the default graph", several=True),
    parameter("named-graph-uri", "a graph that GRAPH may read", several=True),
    parameter("model", "the model of the default graph; `myself` if omitted"),
    *READING,
)
_USING: Final = (
    parameter("using-graph-uri", "a graph of the default graph of WHERE", several=True),
    parameter("using-named-graph-uri", "a graph that GRAPH in WHERE may read", several=True),
    parameter("model", "the model whose graph is used where none is named"),
)
_UPDATED: Final = {
    "seq": 18,
    "deltas": [{"model": "sally", "seq": 18, "became_true": ["ball isIn box"], "ceased": []}],
}


def _bodies(name: str, example: str) -> dict[str, Any]:
    form = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    content = {
        "application/x-www-form-urlencoded": {"schema": form, "example": {name: example}},
        f"application/sparql-{name}": {"schema": {"type": "string"}, "example": example},
    }
    return {"requestBody": {"content": content, "required": True}}


_QUERY: Final = "SELECT ?o { ?o a oro:Book ; oro:isOn oro:table }"
_GET: Final = {"parameters": [parameter("query", "a SPARQL query"), *_DATASET]}
_POST: Final = {"parameters": [*_DATASET], **_bodies("query", _QUERY)}
_UPDATE: Final = {
    "parameters": [*_USING],
    **_bodies("update", "INSERT DATA { oro:ball oro:isIn oro:box }"),
}
_ROWS: Final = documented({"head": {"vars": ["o"]}, "results": {"bindings": []}})


@router.get("/sparql", responses=_ROWS, openapi_extra=_GET)
async def query_by_get(call: Calling, request: Request) -> Response:
    """Answers a SPARQL query; without parameters, the service description."""
    if not request.scope["query_string"]:
        return _description(call, request)
    return await _query(call, request)


@router.post("/sparql", responses=_ROWS, openapi_extra=_POST)
async def query_by_post(call: Calling, request: Request) -> Response:
    """Answers a SPARQL query, sent in a form or as the body itself."""
    return await _query(call, request)


@router.post("/update", responses=documented(_UPDATED), openapi_extra=_UPDATE)
async def update(call: Calling, request: Request) -> Response:
    """Makes a SPARQL update: one delta for each model, all of them or none."""
    call.require("write")
    asked = await read_operation(request, "update", "query")
    model = model_in(asked.says)
    if asked.says.one("model"):
        call.require("read", model)
    call.desk.host.board.model(model)
    updating: Updating = request.app.state.updating
    deltas = await updating.update(_wanted(call, request, asked, model))
    made = [
        {
            "model": delta.model,
            "seq": delta.seq,
            "became_true": statements_in(delta.became_true),
            "ceased": statements_in(delta.ceased),
        }
        for delta in deltas
    ]
    newest = deltas[-1].seq if deltas else call.desk.host.board.seq
    return answer({"seq": newest, "deltas": made})


def _wanted(
    call: RouteCall, request: Request, asked: ProtocolOperation, model: str
) -> RequestedUpdate:
    return RequestedUpdate(
        asked.text,
        model,
        asked.base,
        asked.says.many("using-graph-uri"),
        asked.says.many("using-named-graph-uri"),
        call.access,
        client_of(call, request),
    )


async def _query(call: RouteCall, request: Request) -> Response:
    asked = await read_operation(request, "query", "update")
    default = asked.says.many("default-graph-uri") or None
    named = asked.says.many("named-graph-uri") or None
    found = await asked_of_pool(call, request, asked, default, named)
    return Response(found.body, media_type=found.content_type)


async def asked_of_pool(
    call: RouteCall,
    request: Request,
    asked: ProtocolOperation,
    default: Sequence[str] | None,
    named: Sequence[str] | None = None,
) -> WorkerAnswer:
    """The answer to a query, once the journal has stored the state that it reads."""
    desk, model = call.desk, model_in(asked.says)
    models = _models(call, asked.says, default, named)
    board = await _board(call, asked, models)
    is_past = board is not desk.host.board
    past = await asyncio.to_thread(holdings_of, board) if is_past else None
    is_limited = bool(default or named)
    reads_model = is_limited or may_read_default(asked.text)
    read = [m for m in models if reads_model or m != model]
    computed = None if is_past else await _computed(call, read, asked.text, is_limited)
    reach = call.access.models
    found = await desk.pool.query(
        SparqlQuery(
            asked.text,
            model,
            asked.says.truth("inferred", True),
            default,
            named,
            asked.base,
            None if reach is None else sorted(reach),
        ),
        accept=",".join(request.headers.getlist("accept")),
        client=client_of(call, request),
        computed=computed,
        past=past,
        at_least=0 if past else desk.host.board.seq,
    )
    await desk.writer.kept()
    return found


def model_in(says: Parameters) -> str:
    return says.one("model") or ROBOT


def client_of(call: RouteCall, request: Request) -> str:
    """The client of a request: its token's name, or its connection if there are no tokens."""
    peer = request.client
    if call.access.name != ANYBODY.name or peer is None:
        return call.access.name
    return f"{peer.host}:{peer.port}"


def _models(
    call: RouteCall, says: Parameters, default: Sequence[str] | None, named: Sequence[str] | None
) -> list[str]:
    """The models that a request names; Forbidden for one that the client may not read.

    If a dataset is given, the graph of `model` is not read. If `model` is omitted and `myself` is
    forbidden for this client, the worker decides whether the query reads it.
    """
    start = call.desk.host.names.prefixes["model"]
    model = model_in(says)
    meant = [start + model] if says.one("model") or call.access.reaches(model) else []
    graphs = [*(default or ()), *(named or ())] or meant
    models = [graph.removeprefix(start) for graph in graphs if graph.startswith(start)]
    call.require("read", *models)
    return models


async def _board(call: RouteCall, asked: ProtocolOperation, models: Sequence[str]) -> Board:
    """The board at the requested moment; UnknownModel if one of the models is missing there.

    A past board contains only these models, unless the text may read others.
    """
    host, at = call.desk.host, asked.says.one("at")
    board = host.board
    if at is not None:
        signs = ("GRAPH", "FROM", "\\U")
        alone = not any(sign in asked.text.upper() for sign in signs)
        await call.desk.writer.kept()
        board = await asyncio.to_thread(host.at, at, tuple(models) if alone and models else None)
    for model in models:
        board.model(model)
    return board


async def _computed(
    call: RouteCall, models: Sequence[str], text: str, is_limited: bool
) -> dict[str, list[Statement]] | None:
    """The facts of providers for the predicates of a query, in all models that it may read.

    These are `models` and, unless it `is_limited` to their graphs, the models it mentions.
    """
    desk, names = call.desk, call.desk.host.names
    providers = desk.hub.providers
    wanted = wanted_in(text, providers.offered, names)
    if not wanted:
        return None
    reached = [m.id for m in desk.host.board.models() if call.access.reaches(m.id)]
    there = [] if is_limited else reached
    asked = list(dict.fromkeys((*models, *mentioned_models(text, there, names))))
    if len(asked) > MOST_MODELS:
        message = f"providers would be asked of {len(asked)} models; {MOST_MODELS} are allowed"
        raise TooLarge(message, allowed=MOST_MODELS)
    computed = await asyncio.gather(*(providers.asked(m, wanted) for m in asked))
    return dict(zip(asked, computed, strict=True))


def _description(call: RouteCall, request: Request) -> Response:
    call.require("read")
    desk = call.desk
    start = desk.host.names.prefixes["model"]
    models = [m.id for m in desk.host.board.models() if call.access.reaches(m.id)]
    graphs = [*(start + model for model in models), *desk.graphs.held]
    accept = ",".join(request.headers.getlist("accept"))
    kind, text = description(str(request.url), graphs, accept)
    return Response(text, media_type=kind)
