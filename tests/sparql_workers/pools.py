"""Pools of workers over small boards, for the tests to ask and to harm."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from kb_server.core.models.board import Board
from kb_server.errors import BoardError
from kb_server.sparql.pool import SparqlPool
from kb_server.sparql.protocol import SparqlQuery
from kb_server.sparql.replica_frames import BoardContents, holdings_of
from kb_server.sparql.settings import SparqlSettings
from tests.models.boards import revise, shipped

__all__ = [
    "CHEAP",
    "COUNT",
    "code_of",
    "counted",
    "furnished",
    "handles",
    "pool_of",
    "run",
    "running",
]

CHEAP = "ASK { oro:ball oro:isIn oro:box }"
COUNT = "SELECT (COUNT(*) AS ?n) { GRAPH model:myself { ?s ?p ?o } }"


def run(test: Coroutine[Any, Any, None]) -> None:
    """Runs a test's coroutine, for a minute at most."""

    async def bounded() -> None:
        async with asyncio.timeout(100):
            await test

    asyncio.run(bounded())


def furnished() -> Board:
    """A board where a few things are somewhere, for two minds."""
    board = shipped()
    revise(board, add=["ball isIn box", "sally a Human", "mug isOn table", 'mug rdfs:label "é\\""'])
    revise(board, "sally", add=["ball isIn basket"])
    return board


def pool_of(board: Board, settings: SparqlSettings | None = None) -> SparqlPool:
    """A pool over a board, not started."""

    async def holdings() -> BoardContents:
        return holdings_of(board)

    return SparqlPool(board.common, holdings, settings)


@asynccontextmanager
async def running(
    board: Board, settings: SparqlSettings | None = None
) -> AsyncIterator[SparqlPool]:
    """A pool that follows a board, all its workers ready."""
    pool = pool_of(board, settings)
    await pool.start()
    board.on_delta.append(pool.feed)
    try:
        await pool.healed()
        yield pool
    finally:
        board.on_delta.remove(pool.feed)
        await pool.stop()


async def code_of(asked: Coroutine[Any, Any, object]) -> str:
    """The code that something is refused with; '' if it is answered."""
    try:
        await asked
    except BoardError as reason:
        return reason.code
    return ""


async def counted(pool: SparqlPool, query: str = COUNT) -> int:
    """The one number that a query answers with."""
    answer = await pool.query(SparqlQuery(query), accept="text/csv")
    return int(answer.body.split()[1])


def handles() -> Mapping[str, int]:
    """The numbers of open descriptors and of children of this process."""
    task = Path("/proc/self/task")
    children = [(t / "children").read_text().split() for t in task.iterdir()]
    return {
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "children": sum(map(len, children)),
    }
