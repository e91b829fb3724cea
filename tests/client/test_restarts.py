"""Subscriptions over the end of their server: real processes, killed, and started again."""

import asyncio
import queue

import httpx
import pytest

from kb_server import AsyncBlackboard, Blackboard, EventsLost
from tests.service.servers import Server, Servers

_PATIENCE = 20.0


def test_a_server_that_is_killed_again_and_again(servers: Servers) -> None:
    """Over three kills every event is told once, in order, whoever is back first."""
    server = servers.start()
    told: list[str] = []
    with (
        Blackboard(server.url) as kb,
        kb.subscribe("myself", "?o isIn box", on="both") as events,
    ):
        for life in range(4):
            for number in range(5):
                kb.add("myself", f"x{life}{number} isIn box", f"y{life}{number} isIn box")
            told += [events.next(_PATIENCE).bindings["o"] for _ in range(3)]
            if life < 3:
                server.kill()
                server.start()
        told += [events.next(_PATIENCE).bindings["o"] for _ in range(4 * 7)]
    wanted = [{f"x{life}{n}", f"y{life}{n}"} for life in range(4) for n in range(5)]
    assert [set(told[i : i + 2]) for i in range(0, 40, 2)] == wanted


def test_minds_that_differ_while_nobody_is_there(servers: Servers) -> None:
    """A divergence that begins after a restart is told, also when it comes before the line."""
    server = servers.start()
    with Blackboard(server.url) as kb:
        kb.create("sally")
        with kb.subscribe_divergence("sally", "?o isIn ?where") as events:
            kb.add("sally", "ball isIn basket")
            assert events.next(_PATIENCE).kind == "diverge"
            server.kill()
            server.start()
            kb.add("myself", "ball isIn box")
            kb.add("myself", "ball isIn basket")
            there, ceased = events.next(_PATIENCE), events.next(_PATIENCE)
    assert there.only_there == ({"o": "ball", "where": "box"},)
    assert (ceased.kind, ceased.only_here) == ("converge", ({"o": "ball", "where": "basket"},))


def test_a_server_that_says_goodbye(servers: Servers) -> None:
    """It is the same for who awaits, and after a server that was told to stop."""
    server = servers.start()

    async def story() -> list[str]:
        async with (
            AsyncBlackboard(server.url) as kb,
            kb.subscribe("myself", "?o isIn box") as events,
        ):
            await kb.add("myself", "a1 isIn box")
            told = [(await events.next(_PATIENCE)).bindings["o"]]
            assert await asyncio.to_thread(server.stop) == 0
            await asyncio.to_thread(server.start)
            await kb.add("myself", "a2 isIn box")
            told.append((await events.next(_PATIENCE)).bindings["o"])
        assert not [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
        return told

    assert asyncio.run(story()) == ["a1", "a2"]


def test_a_will_over_a_lost_line(servers: Servers) -> None:
    """The facts of a source go when the board that spoke for it is closed, and stays away."""
    server = servers.start()
    with Blackboard(server.url) as kb:
        with Blackboard(server.url) as eyes:
            eyes.will("eyes")
            eyes.add("myself", "ball isIn box", source="eyes")
        with kb.subscribe("myself", "ball isIn box", on="disappear") as events:
            assert events.next(_PATIENCE).kind == "disappear"


def put_in_its_place(server: Server, other: Server) -> None:
    """Ends a server, and starts another at its address."""
    server.kill()
    other.url = server.url
    other.start()


@pytest.mark.parametrize("number", [0, 9], ids=["behind", "ahead"])
def test_another_board_at_the_address(servers: Servers, number: int) -> None:
    """Who resumes from a board that another one took the place of is told that events are lost."""
    server = servers.start()
    with Blackboard(server.url) as kb, kb.subscribe("myself", "?o isIn box") as events:
        for each in range(3):
            kb.add("myself", f"x{each} isIn box")
        assert [events.next(_PATIENCE).bindings["o"] for _ in range(3)] == ["x0", "x1", "x2"]
        server.kill()
        other = servers.start()
        for each in range(number):
            httpx.post(f"{other.url}/models/myself/revise", json={"add": [f"y{each} isIn box"]})
        other.kill()
        put_in_its_place(server, other)
        with pytest.raises(EventsLost, match="another board"):
            events.next(_PATIENCE)


def test_who_watches_the_line(servers: Servers) -> None:
    """The name of the board is told with each line: the same after a restart, else another."""
    server, other = servers.start(), servers.made()
    lines: queue.Queue[str] = queue.Queue()
    with Blackboard(server.url) as kb:
        kb.on_line(lines.put)
        first = lines.get(timeout=_PATIENCE)
        assert first == httpx.get(f"{server.url}/health").json()["board"]
        server.kill()
        server.start()
        assert lines.get(timeout=_PATIENCE) == first
        put_in_its_place(server, other)
        assert lines.get(timeout=_PATIENCE) not in ("", first)
        assert lines.empty()


def test_who_watches_the_line_may_tell_the_board_anew(servers: Servers) -> None:
    """When the line is told of, all that stands is said again, and the board may be changed."""
    server, other = servers.start(), servers.made()

    async def story() -> list[dict[str, str]]:
        told: asyncio.Queue[str] = asyncio.Queue()

        async def tell_anew(board: str) -> None:
            await kb.add("myself", "ball isIn box", source="eyes")
            await told.put(board)

        async with AsyncBlackboard(server.url) as kb:
            await kb.will("eyes")
            await kb.on_line(tell_anew)
            await told.get()
            await asyncio.to_thread(put_in_its_place, server, other)
            await told.get()
            return await kb.find("myself", "?o isIn box")

    assert asyncio.run(story()) == [{"o": "ball"}]
