"""The routes of models over HTTP: each reads its request, asks the desk, and answers."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Path, Query, Response

from kb_server.answering import questions
from kb_server.core.questions.listing import FactQuery
from kb_server.service.desk.revising import revised
from kb_server.service.http.calls import (
    AtParameter,
    Calling,
    answer,
    answer_rows,
    documented,
    no_body,
    only_known_parameters,
)
from kb_server.wire.requests import (
    CheckRequest,
    ClarifyRequest,
    CompareRequest,
    DiscriminateRequest,
    ExplainRequest,
    FindRequest,
    ReviseRequest,
)

__all__ = ["router"]

router: Final = APIRouter(tags=["models"], dependencies=[Depends(only_known_parameters)])
ModelPath = Annotated[str, Path(description="a model's id", examples=["myself", "sally.anne"])]
TermQuery = Annotated[str | None, Query(description="a term; any if omitted")]

_MODEL: Final = {"id": "sally", "parent": None, "asserted": 1, "inferred": 4, "seq": 17}
_FACT: Final = {
    "fact": "ball isIn box",
    "kind": "asserted",
    "memory": "long_term",
    "expires": None,
    "since": "2026-01-01T12:00:00.000000Z",
    "source": "spatial",
}
_DISCRIMINANT: Final = {
    "property": "hasColor",
    "values": {"cup1": ["red"], "cup2": ["blue"]},
    "complete": True,
}


@router.get("/models", responses=documented({"models": [_MODEL]}))
async def list_models(call: Calling) -> Response:
    """The models that the sender may read."""
    call.require("read")
    found = await call.reading.models()
    return answer({"models": [m for m in found["models"] if call.access.reaches(m["id"])]})


@router.put(
    "/models/{model}",
    dependencies=[Depends(no_body)],
    responses={201: {"description": "created"}, **documented({"id": "x"})},
)
async def make_model(call: Calling, model: ModelPath) -> Response:
    """Creates a model; 200 if it existed."""
    call.require("write", model)
    made = await call.desk.writer.change(lambda: call.desk.host.create(model))
    return answer({"id": model}, 201 if made else 200)


@router.delete(
    "/models/{model}",
    dependencies=[Depends(no_body)],
    status_code=204,
    responses={"4XX": documented(None)["4XX"]},
)
async def delete_model(call: Calling, model: ModelPath) -> Response:
    """Deletes a model and all models nested in it."""
    call.require("write", model)
    host = call.desk.host
    doomed = [m for m in host.board.models() if m.id == model or m.id.startswith(f"{model}.")]
    await call.desk.writer.change(lambda: host.delete(model), sum(m.asserted for m in doomed))
    return Response(status_code=204)


@router.post(
    "/models/{model}/revise",
    responses=documented({"seq": 17, "became_true": ["ball isIn box"], "ceased": []}),
)
async def revise(call: Calling, model: ModelPath, body: ReviseRequest) -> Response:
    """Changes a model by one atomic delta: first `retract`, then `update`, then `add`."""
    call.require("write", model)
    return answer(await revised(call.desk, model, body))


@router.post("/models/{model}/find", responses=documented({"bindings": [{"o": "book1"}]}))
async def find(
    call: Calling, model: ModelPath, body: FindRequest, at: AtParameter = None
) -> Response:
    """The distinct bindings of the patterns; `[{}]` or `[]` if no variable is named."""
    call.require("read", model)
    return await answer_rows(
        call, await call.reading.search(questions.find(call.names, model, body), at), "bindings"
    )


@router.post("/models/{model}/check", responses=documented({"holds": True}))
async def check(
    call: Calling, model: ModelPath, body: CheckRequest, at: AtParameter = None
) -> Response:
    """Whether the conjunction of the patterns holds."""
    call.require("read", model)
    return answer(await call.reading.search(questions.check(call.names, model, body), at))


@dataclass(frozen=True, slots=True)
class _PastFactQuery(FactQuery):
    """The query parameters of `facts`."""

    s: TermQuery = None
    p: TermQuery = None
    o: TermQuery = None
    source: Annotated[str | None, Query(description="only facts of this source")] = None
    kind: Literal["asserted", "inferred", "all"] = "all"
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1_000
    cursor: Annotated[str | None, Query(description="the `next` of the previous page")] = None
    at: AtParameter = None


@router.get("/models/{model}/facts", responses=documented({"facts": [_FACT], "next": None}))
async def facts(
    call: Calling, model: ModelPath, asked: Annotated[_PastFactQuery, Depends()]
) -> Response:
    """The facts of a model, page by page, without the common-sense ontology."""
    call.require("read", model)
    question = questions.facts(call.names, model, asked)
    return await answer_rows(call, await call.reading.answer(question, asked.at), "facts")


@router.get("/models/{model}/about/{entity:path}", responses=documented({"id": "ball"}))
async def about(call: Calling, model: ModelPath, entity: str) -> Response:
    """The label, the types and all facts of one entity in a model."""
    call.require("read", model)
    return answer(await call.reading.answer(questions.about(call.names, model, entity)))


@router.get(
    "/models/{model}/lookup",
    responses=documented({"matches": [{"id": "Cup", "kind": "class", "label": "cup"}]}),
)
async def lookup(call: Calling, model: ModelPath, label: str) -> Response:
    """The classes, properties and individuals with this name or label, best match first."""
    call.require("read", model)
    return answer(await call.reading.answer(questions.lookup(model, label)))


@router.post(
    "/models/{model}/explain",
    responses=documented({"fact": "ball isAt box", "kind": "inferred", "because": []}),
)
async def explain(call: Calling, model: ModelPath, body: ExplainRequest) -> Response:
    """Why a fact holds: its derivations, down to asserted facts."""
    call.require("read", model)
    return answer(await call.reading.answer(questions.explain(call.names, model, body)))


@router.get(
    "/models/{model}/consistency", responses=documented({"consistent": True, "conflicts": []})
)
async def consistency(
    call: Calling, model: ModelPath, engine: Literal["rules", "dl"] = "rules"
) -> Response:
    """Whether a model is consistent, and which assertions contradict each other."""
    call.require("read", model)
    if engine == "dl":
        return answer(await call.reading.consistency_by_dl(model))
    return answer(await call.reading.answer(questions.consistency(model)))


@router.post("/models/{model}/compare", responses=documented({"common_ancestors": ["Cup"]}))
async def compare(call: Calling, model: ModelPath, body: CompareRequest) -> Response:
    """The classes and values that two individuals share, and those in which they differ."""
    call.require("read", model)
    return answer(await call.reading.answer(questions.compare(call.names, model, body)))


@router.post("/models/{model}/discriminate", responses=documented(_DISCRIMINANT))
async def discriminate(call: Calling, model: ModelPath, body: DiscriminateRequest) -> Response:
    """The property whose values best distinguish the candidates."""
    call.require("read", model)
    return answer(await call.reading.answer(questions.discriminate(call.names, model, body)))


@router.post(
    "/models/{model}/clarify",
    responses=documented({"candidates": ["cup1", "cup2"], "discriminant": _DISCRIMINANT}),
)
async def clarify(call: Calling, model: ModelPath, body: ClarifyRequest) -> Response:
    """The individuals that fit a partial description, and the property to ask for next."""
    call.require("read", model)
    return answer(await call.reading.answer(questions.clarify(call.names, model, body)))


@router.get(
    "/models/{model}/divergence",
    responses=documented({"only_here": ["ball isIn basket"], "only_there": ["ball isIn box"]}),
)
async def divergence(
    call: Calling,
    model: ModelPath,
    other: Annotated[str, Query(alias="from", description="the model to compare with")] = "myself",
    at: AtParameter = None,
) -> Response:
    """The facts on which two models differ."""
    call.require("read", model, other)
    return answer(await call.reading.answer(questions.divergence(model, other), at))


@router.get("/models/{model}/history", responses=documented({"history": [], "complete": True}))
async def history(
    call: Calling,
    model: ModelPath,
    s: TermQuery = None,
    p: TermQuery = None,
    o: TermQuery = None,
    since: AtParameter = None,
    until: AtParameter = None,
) -> Response:
    """The facts that became true or ceased, oldest first.

    `complete` is false if older lines were dropped by retention or lost to damage. With a `since`
    of that period the request is refused instead.
    """
    call.require("read", model)
    found = await call.reading.history(model, s, p, o, since, until)
    return await answer_rows(call, found, "history")
