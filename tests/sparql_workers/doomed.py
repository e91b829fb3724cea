"""A board with two workers, both in an endless query, that waits to be killed."""

import asyncio

from kb_server.sparql.protocol import SparqlQuery
from tests.sparql_workers.pools import furnished, run, running

_ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


async def _wait() -> None:
    async with running(furnished()) as pool:
        asked = [asyncio.create_task(pool.query(SparqlQuery(_ENDLESS))) for _ in range(2)]
        await asyncio.wait(asked, timeout=0)
        print(*pool.pids, flush=True)
        await asyncio.gather(*asked)


if __name__ == "__main__":
    run(_wait())
