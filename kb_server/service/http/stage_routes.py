"""The stage over HTTP."""

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query, Response

from kb_server.service.http.calls import Calling, documented, only_known_parameters

__all__ = ["router"]

router: Final = APIRouter(tags=["models"], dependencies=[Depends(only_known_parameters)])

_BALL: Final = {"kind": "thing", "class": "Ball", "shape": {"sphere": 0.045}}


@router.get("/stage", responses=documented({"stage": {"spatial": {"ball": _BALL}}}))
async def stage(
    call: Calling,
    source: Annotated[str | None, Query(description="only values of this source")] = None,
) -> Response:
    """The values shown on the stage, by source and name."""
    call.require("read")
    return Response(call.desk.hub.stage.written(source), media_type="application/json")
