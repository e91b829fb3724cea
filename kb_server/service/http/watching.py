"""What those who run the board ask: is it well, how much does it do; and passes for browsers."""

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
    """Whether the board is ready, and if not, why, and which; nobody needs a token to ask."""
    why, host = call.desk.waiting_for, call.desk.host
    seq = call.desk.hub.subscribing.told_until
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
    """What the board does and how much, in the text format of Prometheus."""
    call.require("read")
    return Response(await call.metrics.text(), media_type=CONTENT_TYPE_LATEST)


@router.post("/ticket", dependencies=[Depends(no_body)], responses=documented(_TICKET))
async def ticket(call: Calling) -> Response:
    """A pass for one request, as `?ticket=`, within half a minute: for browsers.

    It may do what its owner may.
    """
    call.require("read")
    issued = answer({"ticket": call.tickets.issue(call.access), "seconds": 30})
    issued.headers["cache-control"] = "no-store"
    return issued
