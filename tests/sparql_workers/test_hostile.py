"""Hostile questions are stopped within their time and memory while others are served."""

import asyncio
from pathlib import Path

import pytest

from kb_server.sparql.pool import SparqlPool
from kb_server.sparql.protocol import SparqlQuery, SparqlUpdate
from kb_server.sparql.settings import SparqlSettings
from tests.sparql_workers.pools import CHEAP, code_of, furnished, run, running
from tests.sparql_workers.test_limits import _MONSTERS

_SECONDS = 1.0
_COSTLY = {
    "cross product": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "order by": "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?f ?a",
    "distinct": "SELECT DISTINCT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "regex": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f "
    "FILTER(REGEX(CONCAT(STR(?a), STR(?d)), '(([a-z])+.)+[A-Z]([a-z])+$')) }",
    "huge regex": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i "
    "FILTER(REGEX(STR(?a), '((a{100}){100}){100}')) }",
    "path": "SELECT (COUNT(*) AS ?n) { ?a (!oro:p|^(!oro:q))* ?b . ?c (!oro:p|^(!oro:q))* ?d }",
    "texts": "SELECT (GROUP_CONCAT(CONCAT(STR(?a), STR(?d))) AS ?n) "
    "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "answer": "SELECT * { ?a ?b ?c . ?d ?e ?f }",
    "planning": "ASK {" + " ?s ?p ?o ." * 120 + " ?a ?b ?c }",
}
_BOMB = (
    "SELECT (COUNT(*) AS ?n) { SELECT DISTINCT ?a ?c ?d ?f ?g { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } }"
)


async def served_meanwhile(pool: SparqlPool, task: "asyncio.Task[str]") -> int:
    """How often another client was answered while something went on, and still does."""
    served = 0
    while not task.done():
        assert b"true" in (await pool.query(SparqlQuery(CHEAP), client="other")).body
        served += not task.done()
    return served


@pytest.mark.parametrize("kind", _COSTLY)
def test_costly_questions_are_stopped_while_others_are_served(kind: str) -> None:
    """A costly question ends in its time, nobody waits for it to end, and the pool heals."""

    async def story() -> None:
        settings = SparqlSettings(time_limit=_SECONDS, memory_mb=512)
        async with running(furnished(), settings) as pool:
            costly = asyncio.create_task(
                code_of(pool.query(SparqlQuery(_COSTLY[kind]), client="hostile"))
            )
            served = await served_meanwhile(pool, costly)
            assert await costly in ("too_costly", "" if kind == "planning" else "too_costly")
            assert served or not pool.counters.timeouts
            await pool.healed()
            assert pool.ready == 2

    run(story())


@pytest.mark.parametrize("monster", _MONSTERS)
def test_monsters_are_refused_at_once(monster: str) -> None:
    """What is too large for the engine is refused as such, and no worker dies or dwells on it."""

    async def story() -> None:
        async with running(furnished(), SparqlSettings(workers=1)) as pool:
            assert await code_of(pool.query(SparqlQuery(_MONSTERS[monster]))) == "query_too_large"
            assert (pool.counters.restarts, pool.counters.timeouts) == (0, 0)

    run(story())


def test_a_memory_bomb_stays_within_its_limit() -> None:
    """A question that takes all memory ends with an error, having taken no more than allowed."""

    async def story() -> None:
        async with running(furnished(), SparqlSettings(memory_mb=400, time_limit=30.0)) as pool:
            pids, peak = pool.pids, 0
            bomb = asyncio.create_task(code_of(pool.query(SparqlQuery(_BOMB), client="bomb")))
            while not bomb.done():
                await pool.query(SparqlQuery(CHEAP), client="other")
                peak = max(peak, *map(_megabytes, pids))
            assert await bomb == "too_costly"
            assert peak <= 400
            assert pool.counters.crashes == 1
            assert pool.counters.timeouts == 0

    run(story())


def _megabytes(pid: int) -> int:
    """The address space of a process."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * 4 // 1024
    except (FileNotFoundError, ProcessLookupError):
        return 0


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://127.0.0.1:8765/> { ?s ?p ?o } }",
        "SELECT * { SERVICE SILENT <http://localhost/> { ?s ?p ?o } }",
        "SELECT * FROM <http://127.0.0.1:8765/> { ?s ?p ?o }",
        "SELECT * FROM NAMED <file:///etc/passwd> { GRAPH ?g { ?s ?p ?o } }",
    ],
)
def test_nothing_reaches_outside(text: str) -> None:
    """SERVICE and graphs outside the store are refused."""

    async def story() -> None:
        async with running(furnished(), SparqlSettings(workers=1)) as pool:
            assert await code_of(pool.query(SparqlQuery(text))) == "refused"
            assert (
                await code_of(pool.update(SparqlUpdate("LOAD <http://127.0.0.1:8765/>")))
                == "refused"
            )

    run(story())


def test_a_worker_can_open_nothing() -> None:
    """Even were a reach outside let through, the worker has no descriptor left to open."""

    async def story() -> None:
        async with running(furnished(), SparqlSettings(workers=1)) as pool:
            lines = Path(f"/proc/{pool.pids[0]}/limits").read_text().splitlines()
            most = next(int(line.split()[3]) for line in lines if line.startswith("Max open files"))
            used = len(list(Path(f"/proc/{pool.pids[0]}/fd").iterdir()))
            assert most <= used

    run(story())
