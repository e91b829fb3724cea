"""The poses of a model over HTTP."""

import asyncio
from typing import Final

from fastapi import APIRouter, Depends, Response

from kb_server.service.http.calls import (
    AtParameter,
    Calling,
    answer,
    documented,
    only_known_parameters,
)
from kb_server.service.http.routes import ModelPath

__all__ = ["router"]

router: Final = APIRouter(tags=["models"], dependencies=[Depends(only_known_parameters)])

_BALL: Final = {"pose": [0.1, 0, 0.8], "perceived_pose": [0.1, 0, 0.8], "seen": 0.04}


@router.get("/models/{model}/poses", responses=documented({"t": 0.04, "poses": {"ball": _BALL}}))
async def poses(call: Calling, model: ModelPath, at: AtParameter = None) -> Response:
    """The poses of the objects in a model, as published."""
    call.require("read", model)
    known = call.desk.hub.poses
    if at is None:
        return answer(known.now(model))
    await call.desk.writer.kept()
    return answer(known.at(model, await asyncio.to_thread(call.desk.host.time_of, at)))
