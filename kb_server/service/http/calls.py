"""The parts of a request that a route uses, and helpers for its answer."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Final, get_origin

from fastapi import Depends, Query, Request
from fastapi.dependencies.models import Dependant
from fastapi.responses import Response
from fastapi.routing import APIRoute

from kb_server.errors import BadRequest
from kb_server.service.access import Access, Role
from kb_server.service.desk.desk import Desk
from kb_server.service.desk.metrics import Metrics
from kb_server.service.desk.reading import Reading
from kb_server.service.http.gate import ACCESS, TICKET, Tickets
from kb_server.wire.answers import JSON

__all__ = [
    "AtParameter",
    "Calling",
    "RouteCall",
    "answer",
    "answer_rows",
    "documented",
    "no_body",
    "only_known_parameters",
]

AtParameter = Annotated[
    str | None,
    Query(
        description="a moment of the past: a `seq`, or an ISO time",
        examples=["17", "2026-01-01T12:00:00Z"],
    ),
]
_MANY: Final = 1_000
_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""orjson would save a few of some 500 µs a request: not worth a dependency."""


class RouteCall:
    """The desk that serves a request, and the access rights of its sender."""

    __slots__ = ("access", "desk", "metrics", "names", "reading", "tickets")

    def __init__(self, request: Request) -> None:
        self.desk: Final[Desk] = request.app.state.desk
        self.names: Final = self.desk.host.names
        self.tickets: Final[Tickets] = request.app.state.tickets
        self.reading: Final[Reading] = request.app.state.reading
        self.metrics: Final[Metrics] = request.app.state.metrics
        self.access: Final[Access] = request.scope[ACCESS]

    def require(self, role: Role, *models: str) -> None:
        """Raises Forbidden unless the sender has this role in these models."""
        self.access.require(role, *models)


async def _call(request: Request) -> RouteCall:
    """A coroutine function, since FastAPI would run a plain function in a thread each time."""
    return RouteCall(request)


Calling = Annotated[RouteCall, Depends(_call)]


async def only_known_parameters(request: Request) -> None:
    """Refuses unknown parameters, since a misspelt `at` would be answered for the present.

    A repeated parameter is refused too, since its value is ambiguous.
    """
    route: APIRoute = request.scope["route"]
    parameters = dict(_query_parameters(route.dependant))
    known = {*parameters, TICKET}
    several = {name for name, is_list in parameters.items() if is_list}
    for name, times in Counter(name for name, _ in request.query_params.multi_items()).items():
        if times > 1 and name in known - several:
            raise BadRequest(f"{name} is given {times} times; give it once", field=name)
        if name not in known:
            listed = ", ".join(sorted(known - {TICKET})) or "none"
            raise BadRequest(f"unknown parameter {name[:80]!r}; known: {listed}", field=name[:80])


def _query_parameters(dependant: Dependant) -> Iterator[tuple[str, bool]]:
    """The query parameters of a route and of its dependencies, and whether each is a list."""
    for each in dependant.query_params:
        yield each.alias, get_origin(each.field_info.annotation) is list
    for part in dependant.dependencies:
        yield from _query_parameters(part)


async def no_body(request: Request) -> None:
    """Refuses a body for a change that takes none, since it would be ignored."""
    if (await request.body()).strip() not in (b"", b"{}"):
        raise BadRequest(f"{request.method} takes no body here")


def answer(value: object, status: int = 200) -> Response:
    return Response(_encode(value).encode(), status, media_type="application/json")


async def answer_rows(call: RouteCall, found: JSON, rows: str) -> Response:
    """An answer with rows; if they are many, a thread encodes them one by one.

    The encoder holds the interpreter until it is done, even in a thread: 60 MB at once take 1 s.
    """
    if len(found[rows]) <= _MANY:
        return answer(found)

    def written() -> bytes:
        rest = {name: value for name, value in found.items() if name != rows}
        listed = ",".join([_encode(row) for row in found[rows]])
        tail = "," + _encode(rest)[1:] if rest else "}"
        return f'{{"{rows}":[{listed}]{tail}'.encode()

    return Response(await call.desk.writer.aside(written), media_type="application/json")


def documented(example: Any, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: an example of its answer, and the error body."""
    error = {"error": {"code": "bad_statement", "message": "…", "detail": {}}}
    return {
        status: {"content": {"application/json": {"example": example}}},
        "4XX": {
            "description": "refused; nothing has changed",
            "content": {"application/json": {"example": error}},
        },
        "5XX": {
            "description": "too costly, read-only, busy or shutting down; nothing has changed",
            "content": {"application/json": {"example": error}},
        },
    }
