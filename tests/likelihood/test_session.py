"""How likely something is, asked of a real board: in SPARQL, by find and by check, of any mind."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from typing import Final

import pytest

from kb_server import AsyncBlackboard, Blackboard, ProviderTimeout
from spatial_reasoner.board.publisher import Publisher
from spatial_reasoner.percepts.frame_file import read_frame
from spatial_reasoner.scene.knowledge import BoardKnowledge
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.sight.ray_sight import RaySight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from tests.likelihood.rooms import TOP, doubted, scene_with
from tests.service.servers import Server, started_servers

BALL: Final = "ball_isIn_box"
BY_PARTS: Final = (
    "SELECT ?p { ?f rdf:subject oro:ball ; rdf:predicate oro:isIn ; rdf:object oro:box ;"
    " oro:hasProbability ?p }"
)
BY_STATEMENT: Final = "SELECT ?p { << oro:ball oro:isIn oro:box >> oro:hasProbability ?p }"
OVER_THE_WALL: Final = (0.12, 0.0, TOP + 0.4)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One board for all of these tests."""
    with started_servers(tmp_path_factory.mktemp("likelihood")) as made:
        yield made.start("--no-dl", keeps=False)


@pytest.fixture(scope="module")
def scene() -> Scene:
    """A ball and a box."""
    with Blackboard.local() as kb:
        return scene_with(BoardKnowledge(kb), "ball", "box")


@pytest.fixture(scope="module")
def reasoner(scene: Scene) -> Iterator[SpatialReasoner]:
    """The robot is not sure about the ball over the wall of the box; Sally is, of both."""
    sight = RaySight()
    with closing(sight), closing(SpatialReasoner(scene, sight)) as made:
        things = {"ball": list(OVER_THE_WALL), "box": [0, 0, TOP + 0.15]}
        people = {"sally": {"head": [1.2, 0, 1.4, 0, 0, 1, 0]}}
        for step in range(8):
            says = {"t": step / 25, "source": "camera", "objects": things, "agents": people}
            made.tick(read_frame(says, scene))
        made.finish()
        doubted(made.mind("myself"), "ball", (0.05, 0.01, 0.01, 0.0))
        for thing in ("ball", "box"):
            doubted(made.mind("sally"), thing, (0.0, 0.0, 0.0, 0.0))
        asyncio.run(made.likely("myself", ("ball", "isIn", "box")))  # starts its processes
        yield made


@asynccontextmanager
async def session(url: str, reasoner: SpatialReasoner) -> AsyncIterator[AsyncBlackboard]:
    """Somebody who asks a board that the reasoner tells."""
    async with asyncio.timeout(60), AsyncBlackboard(url) as own, AsyncBlackboard(url) as kb:
        publisher = Publisher(own, reasoner)
        await publisher.begin()
        publisher.take(())
        await publisher.settle()
        yield kb
        await publisher.withdraw()


async def shares(kb: AsyncBlackboard, query: str, model: str = "myself") -> list[float]:
    """The probabilities that a query finds."""
    answer = await kb.query(query, model=model)
    return [number(row["p"]) for row in answer.rows]


def about(share: float) -> object:
    """A share, but for draws that there was no time for."""
    return pytest.approx(share, abs=0.2)


def number(term: object) -> float:
    """The number that a literal is."""
    return float(str(term).split('"')[1])


def test_in_sparql(server: Server, reasoner: SpatialReasoner) -> None:
    """A statement is annotated with how likely it is: by its parts, and as RDF 1.2 has it."""

    async def main() -> None:
        async with session(server.url, reasoner) as kb:
            [share] = await shares(kb, BY_PARTS)
            assert 0.2 < share < 0.8
            assert await shares(kb, BY_STATEMENT) == [about(share)]
            anywhere = "SELECT ?p { << oro:ball oro:isOn ?where >> oro:hasProbability ?p }"
            assert sum(await shares(kb, anywhere)) <= 1.0
            likely = "ASK { << ?x oro:isIn oro:box >> oro:hasProbability ?p FILTER (?p > 0.2) }"
            assert (await kb.query(likely)).holds

    asyncio.run(main())


def test_by_find_and_check(server: Server, reasoner: SpatialReasoner) -> None:
    """The same number is found by patterns, by the statement's name or by its parts."""

    async def main() -> None:
        async with session(server.url, reasoner) as kb:
            [share] = await shares(kb, BY_PARTS)
            [named] = await kb.find("myself", f"{BALL} hasProbability ?p")
            parts = ["?f rdf:subject ball", "?f rdf:predicate isIn", "?f rdf:object box"]
            [found] = await kb.find("myself", *parts, "?f hasProbability ?p")
            assert found["f"] == BALL
            assert [number(found["p"]), number(named["p"])] == [about(share)] * 2
            assert not await kb.check("myself", f"{BALL} hasProbability 0.0001")
            assert await kb.check("myself", f"{BALL} rdf:subject ball")
            assert not await kb.check("myself", f"{BALL} rdf:subject box")
            assert not await kb.check("myself", "ghost_isIn_box hasProbability ?p")

    asyncio.run(main())


def test_in_another_mind(server: Server, reasoner: SpatialReasoner) -> None:
    """Each model has its own shares: to who is sure a fact is true or it is not."""

    async def main() -> None:
        async with session(server.url, reasoner) as kb:
            [sallys] = await shares(kb, BY_STATEMENT, "sally")
            assert sallys in (0.0, 1.0)
            both = (
                "SELECT ?p { GRAPH ?g { << oro:ball oro:isIn oro:box >> oro:hasProbability ?p } }"
                " ORDER BY ?g"
            )
            [robots] = await shares(kb, BY_STATEMENT)
            assert await shares(kb, both) == [about(robots), sallys]

    asyncio.run(main())


def test_nothing_is_kept_of_it(server: Server, reasoner: SpatialReasoner) -> None:
    """What is told of statements is no fact: nobody is told of it later, and it makes nothing."""

    async def main() -> None:
        async with session(server.url, reasoner) as kb:
            before = [m.seq for m in await kb.models()]
            await shares(kb, BY_PARTS)
            assert [m.seq for m in await kb.models()] == before
            kept = [f.fact async for f in kb.facts("myself")]
            assert not any("hasProbability" in fact or BALL in fact for fact in kept)

    asyncio.run(main())


def test_without_anybody_who_knows(server: Server) -> None:
    """A board that nobody tells has no such statement."""

    async def main() -> None:
        async with AsyncBlackboard(server.url) as kb:
            assert await shares(kb, BY_STATEMENT) == []
            assert await kb.find("myself", f"{BALL} hasProbability ?p") == []

    asyncio.run(main())


def test_when_it_takes_too_long(
    server: Server, reasoner: SpatialReasoner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has no time to find out says so to the asker, and nothing wrong."""

    async def late(*_: object) -> list[str]:
        raise TimeoutError("nothing was found out")

    async def main() -> None:
        monkeypatch.setattr(reasoner, "weighed", late)
        async with session(server.url, reasoner) as kb:
            with pytest.raises(ProviderTimeout):
                await kb.query(BY_STATEMENT)

    asyncio.run(main())
