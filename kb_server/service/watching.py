"""What those who run the board ask: is it well, how much does it do; and passes for browsers."""

from typing import Final

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST

from kb_server.service.calls import Calling, answer, documented

__all__ = ["router"]

router: Final = APIRouter(tags=["running it"])
_WELL: Final = {"ready": True, "why": None, "seq": 17}
_ILL: Final = {"ready": False, "why": "no SPARQL worker is ready", "seq": 17}
_TICKET: Final = {"ticket": "Zm9vYmFy", "seconds": 30}


@router.get(
    "/health",
    responses=documented(_WELL)
    | {503: {"description": "not ready", "content": {"application/json": {"example": _ILL}}}},
)
async def health(call: Calling) -> Response:
    """Whether the board is ready, and if not, why; nobody needs a token to ask."""
    why = call.desk.waiting_for
    found = {"ready": why is None, "why": why, "seq": call.desk.host.board.seq}
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


@router.post("/ticket", responses=documented(_TICKET))
async def ticket(call: Calling) -> Response:
    """A pass for one request, as `?ticket=`, within half a minute: for browsers.

    It may do what its owner may.
    """
    call.require("read")
    issued = answer({"ticket": call.tickets.issue(call.access), "seconds": 30})
    issued.headers["cache-control"] = "no-store"
    return issued
