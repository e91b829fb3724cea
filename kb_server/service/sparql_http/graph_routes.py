"""The Graph Store HTTP Protocol: reads, replaces, extends and deletes whole graphs.

`/graphs?graph=IRI` is any graph, `/graphs?default` the default graph of `model=`. The graph of a
model is its assertions: replacing them is one delta; deleting them leaves the model empty.
"""

import uuid
from typing import Any, Final
from urllib.parse import quote

import pyoxigraph as ox
from fastapi import APIRouter, Request
from fastapi.responses import Response

from kb_server.core.terms.statements import Statement
from kb_server.errors import BadRequest, BoardError, UnknownGraph, UnknownModel, Unsupported
from kb_server.service.desk.updating import Updating
from kb_server.service.http.calls import Calling, RouteCall, answer, documented
from kb_server.service.sparql_http.sparql_request import (
    Parameters,
    ProtocolOperation,
    media_type,
    parameters_of,
)
from kb_server.service.sparql_http.sparql_routes import (
    READING,
    asked_of_pool,
    client_of,
    model_in,
    parameter,
)
from kb_server.sparql.replica import COMMON_GRAPH, check_plain
from kb_server.sparql.result_formats import GRAPHS

__all__ = ["router"]

router: Final = APIRouter(tags=["graphs"])
_READ: Final = {name: media.type for media in GRAPHS for name in (media.type, *media.also)}
"""The format of each media type; `application/json` and the like mean the same as in Accept."""
_ALL: Final = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"

_TEXT: Final = "<http://kb.openrobots.org#ball> <http://kb.openrobots.org#isIn> <urn:box> ."
_NAMED: Final = (
    parameter("graph", "the IRI of a graph: a model's or any other"),
    parameter("default", "the default graph of `model`, instead of `graph`"),
    parameter("model", "the model of the default graph; `myself` if omitted"),
)
_SENT: Final = {
    "parameters": [*_NAMED],
    "requestBody": {
        "content": {
            "text/turtle": {"schema": {"type": "string"}, "example": _TEXT},
            **{media.type: {"schema": {"type": "string"}} for media in GRAPHS[1:]},
        },
        "required": True,
    },
}
_Responses = dict[int | str, dict[str, Any]]
_REFUSED: Final[_Responses] = {"4XX": documented(None)["4XX"]}
_MADE: Final[_Responses] = {201: {"description": "created"}, **_REFUSED}
_SHOWN: Final[_Responses] = {200: {"content": {"text/turtle": {"example": _TEXT}}}, **_REFUSED}
_NOTHING: Final = "CONSTRUCT {} WHERE {}"


class _Place:
    """The graph of a request, by its IRI: a model's, or one of plain storage."""

    def __init__(self, call: RouteCall, says: Parameters) -> None:
        graph, is_default = says.one("graph"), says.many("default")
        if (graph is None) == (not is_default):
            raise BadRequest("name the graph either by graph= or by default", field="graph")
        start = call.desk.host.names.prefixes["model"]
        self.is_default: Final = graph is None
        self.iri: Final = start + model_in(says) if graph is None else _absolute(graph)
        self.model: Final = self.iri.removeprefix(start) if self.iri.startswith(start) else None


def _absolute(graph: str) -> str:
    try:
        return ox.NamedNode(graph).value
    except ValueError:
        message = f"graph= must be an absolute IRI, not {graph[:80]!r}"
        raise BadRequest(message, field="graph") from None


@router.get(
    "/graphs",
    responses=_SHOWN,
    openapi_extra={"parameters": [*_NAMED, *READING]},
)
@router.head("/graphs", include_in_schema=False)
async def read_graph(call: Calling, request: Request) -> Response:
    """A graph, in the requested media type; `inferred` and `at` as for queries."""
    call.require("read")
    says = parameters_of(request)
    place = _Place(call, says)
    known = place.model is not None or place.iri == COMMON_GRAPH
    if not known and place.iri not in call.desk.graphs.held:
        raise _unknown(place)
    is_empty = not known and not call.desk.graphs.held[place.iri]
    asked = ProtocolOperation(
        _NOTHING if is_empty else _ALL, says, str(request.url.replace(query=""))
    )
    default = None if place.is_default or is_empty else [place.iri]
    found = await asked_of_pool(call, request, asked, default)
    body = b"" if request.method == "HEAD" else found.body
    response = Response(body, media_type=found.content_type)
    response.headers["content-length"] = str(len(found.body))
    return response


@router.put("/graphs", status_code=204, responses=_MADE, openapi_extra=_SENT)
async def replace_graph(call: Calling, request: Request) -> Response:
    """Replaces the facts of a graph; a missing model is created."""
    return await _written(call, request, replaces=True)


@router.post("/graphs", status_code=204, responses=_MADE, openapi_extra=_SENT)
async def add_to_graph(call: Calling, request: Request) -> Response:
    """Adds facts to a graph; without `graph` and `default`, creates one and returns its address."""
    if request.scope["query_string"]:
        return await _written(call, request, replaces=False)
    call.access.require_plain()
    graph = f"urn:uuid:{uuid.uuid4()}"
    facts = await _facts(call, request, graph)
    await _updating(request).put(graph, facts, replaces=False)
    where = str(request.url.replace(query=f"graph={quote(graph, safe=':')}"))
    response = answer({"graph": graph}, 201)
    response.headers["location"] = where
    return response


@router.delete(
    "/graphs", status_code=204, responses=_REFUSED, openapi_extra={"parameters": [*_NAMED]}
)
async def delete_graph(call: Calling, request: Request) -> Response:
    """Deletes a graph; a model stays, and its assertions are retracted."""
    place = _writable(call, request)
    if place.model is not None:
        call.desk.host.board.model(place.model)
        await _updating(request).put_model(place.model, [], replaces=True)
    elif not await _updating(request).drop(place.iri):
        raise _unknown(place)
    return Response(status_code=204)


async def _written(call: RouteCall, request: Request, replaces: bool) -> Response:
    place = _writable(call, request)
    if place.model is not None and not replaces:
        call.desk.host.board.model(place.model)
    facts = await _facts(call, request, place.iri)
    write = _updating(request)
    if place.model is not None:
        is_new = await write.put_model(place.model, facts, replaces)
    else:
        is_new = await write.put(place.iri, facts, replaces)
    return Response(status_code=201 if is_new else 204)


def _writable(call: RouteCall, request: Request) -> _Place:
    call.require("write")
    place = _Place(call, parameters_of(request))
    if place.model is None:
        check_plain(place.iri, call.desk.host.names)
        call.access.require_plain()
    else:
        call.require("write", place.model)
    return place


async def _facts(call: RouteCall, request: Request, base: str) -> list[Statement]:
    """The statements of a body, read in the format of its media type."""
    kind = media_type(request)
    if kind not in _READ:
        accepted = [media.type for media in GRAPHS]
        raise Unsupported(
            f"a graph must be sent as {', '.join(accepted)}, not as {kind[:80] or 'nothing named'}",
            accepted=accepted,
        )
    return await call.desk.pool.read_graph(
        await request.body(),
        _READ[kind],
        base,
        call.desk.settings.statements,
        client=client_of(call, request),
    )


def _updating(request: Request) -> Updating:
    found: Updating = request.app.state.updating
    return found


def _unknown(place: _Place) -> BoardError:
    if place.model is not None:
        return UnknownModel(f"there is no model {place.model[:80]!r}", model=place.model[:80])
    return UnknownGraph(f"there is no graph <{place.iri[:200]}>", graph=place.iri[:200])
