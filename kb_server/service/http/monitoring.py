"""Routes for operators: health and metrics; and tickets for browsers."""

from typing import Final

from fastapi import APIRouter, Depends, Response
from prometheus_client import CONTENT_TYPE_LATEST

from kb_server.service.http.calls import Calling, answer, documented, no_body

__all__ = ["router"]

router: Final = APIRouter(tags=["running it"])
_BOARD: Final = "5ac7a3b2f1d94e0c8f6b7a9d3e2c1b00"
_WELL: Final = {"ready": True, "why": None, "seq": 17, "board": _BOARD}
_ILL: Final = {**_WELL, "ready": False, "why": "no SPARQL worker is ready"}
_TICKET: Final = {"ticket": "Zm9vYmFy", "seconds": 30}


@router.get(
    "/health",
    responses=documented(_WELL)
    | {503: {"description": "not ready", "content": {"application/json": {"example": _ILL}}}},
)
async def health(call: Calling) -> Response:
    """Whether the board is ready, the reason if it is not, and its identity; needs no token."""
    why, host = call.desk.waiting_for, call.desk.host
    seq = call.desk.hub.subscribing.delivered_until
    found = {"ready": why is None, "why": why, "seq": seq, "board": host.identity}
    return answer(found, 200 if why is None else 503)


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {
            "description": "figures for Prometheus",
            "content": {"text/plain": {"example": "mindboard_models 1.0\n"}},
        },
    },
)
async def metrics(call: Calling) -> Response:
    """The figures of the board, in the text format of Prometheus."""
    call.require("read")
    return Response(await call.metrics.text(), media_type=CONTENT_TYPE_LATEST)


@router.post("/ticket", dependencies=[Depends(no_body)], responses=documented(_TICKET))
async def ticket(call: Calling) -> Response:
    """A pass for one request within 30 s, sent as `?ticket=`: for browsers.

    It has the access rights of the token that requests it.
    """
    call.require("read")
    issued = answer({"ticket": call.tickets.issue(call.access), "seconds": 30})
    issued.headers["cache-control"] = "no-store"
    return issued
