"""The application: all routes behind one gate, served by one desk."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Match

from kb_server.errors import BadRequest, BoardError, MethodNotAllowed, NotFound, Unsupported
from kb_server.service.access import Tokens
from kb_server.service.desk.desk import Desk
from kb_server.service.desk.metrics import Metrics
from kb_server.service.desk.reading import Reading
from kb_server.service.desk.updating import Updating
from kb_server.service.http import monitoring, page_routes, pose_routes, routes, stage_routes
from kb_server.service.http.gate import RequestGate, Tickets, answer_of
from kb_server.service.sockets import server_sent_events as streams
from kb_server.service.sockets import sockets
from kb_server.service.sparql_http import graph_routes, sparql_routes
from kb_server.wire.mistakes import Mistake, mistake_in, mistake_in_parameter

__all__ = ["create_app"]

_BY_STATUS: Final[dict[int, type[BoardError]]] = {
    404: NotFound,
    405: MethodNotAllowed,
    415: Unsupported,
}
_ROUTERS: Final = (
    sparql_routes.router,
    graph_routes.router,
    routes.router,
    monitoring.router,
    pose_routes.router,
    stage_routes.router,
    streams.router,
    page_routes.router,
    sockets.router,
)


def create_app(
    desk: Desk, tokens: Tokens | None = None, hosts: Sequence[str] | None = ()
) -> FastAPI:
    """The application of a desk, which it starts and stops."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await desk.start()
        yield
        await desk.stop()

    app = FastAPI(
        title="Mindboard",
        description="What a robot knows, and what it thinks each person believes.",
        lifespan=lifespan,
        docs_url=None,  # it loads scripts from the internet, which a robot may lack
        redoc_url=None,
        redirect_slashes=False,
        strict_content_type=False,
    )
    tickets = Tickets()
    app.state.desk = desk
    app.state.reading = Reading(desk)
    app.state.updating = Updating(desk)
    app.state.metrics = Metrics(desk)
    app.state.tickets = tickets
    app.add_middleware(
        RequestGate,
        settings=desk.settings,
        tokens=tokens,
        hosts=hosts,
        tickets=tickets,
        answered=desk.answered,
    )
    for each in _ROUTERS:
        app.include_router(each)
    app.add_exception_handler(BoardError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    return app


async def _refused(_request: Request, error: Any) -> Response:
    return _response(error)


async def _invalid(request: Request, error: Any) -> Response:
    """The answer to a request that the types of its route refuse."""
    errors = error.errors()
    first = errors[0]
    if first["type"] == "json_invalid":
        why = first["ctx"]["error"]
        return _response(BadRequest(f"the body is not JSON: {why} at {first['loc'][-1]}"))
    media = request.headers.get("content-type", "")
    if first["loc"] == ("body",) and media and "json" not in media:
        return _response(Unsupported(f"the body must be application/json, not {media[:80]}"))
    if first["loc"][:1] != ("body",):
        message, field = mistake_in_parameter(first)
    elif error.body is None:
        message, field = "the body is missing: it must be a JSON object", ""
    else:
        message, field = _mistake_in_body(request.scope["route"], error)
    return _response(BadRequest(message, field=field))


def _mistake_in_body(route: APIRoute, error: RequestValidationError) -> Mistake:
    assert route.body_field is not None
    kind = cast(type[BaseModel], route.body_field.field_info.annotation)
    return mistake_in(kind, error.body, [{**e, "loc": e["loc"][1:]} for e in error.errors()])


async def _http(request: Request, error: Any) -> Response:
    """The answer to a request that the framework refuses: its path, its method or its body."""
    if error.status_code != 405:
        messages = {
            400: f"the body can't be read: {_unread(request, error.__cause__)}",
            404: f"there is nothing at {request.url.path[:200]}",
        }
        kind = _BY_STATUS.get(error.status_code, BadRequest)
        return _response(kind(messages.get(error.status_code, str(error.detail))))
    allowed = ", ".join(_methods_at(request))
    if request.method == "OPTIONS":
        return Response(status_code=204, headers={"Allow": allowed})
    response = _response(MethodNotAllowed(f"{request.method} is not allowed here, but {allowed}"))
    response.headers["Allow"] = allowed
    return response


def _unread(request: Request, reason: BaseException | None) -> str:
    """Why a body can't be read as JSON, if that is known."""
    if request.headers.get("content-encoding", "identity") != "identity":
        return "it must be sent without Content-Encoding"
    if isinstance(reason, RecursionError):
        return "it is nested too deeply"
    if isinstance(reason, UnicodeDecodeError):
        return "it is not UTF-8"
    is_number = isinstance(reason, ValueError)
    return "a number in it has too many digits" if is_number else "it is malformed"


def _methods_at(request: Request) -> list[str]:
    """All methods at a path, since each route knows only its own."""
    routes = [route for each in _ROUTERS for route in each.routes if isinstance(route, APIRoute)]
    here = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    found = {method for route in here for method in route.methods or ()}
    return sorted(found | {"OPTIONS"} | ({"HEAD"} if "GET" in found else set()))


def _response(error: BoardError) -> Response:
    status, body = answer_of(error)
    return Response(body, status, media_type="application/json")
