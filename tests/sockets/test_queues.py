"""The bound of all queues together: the fullest overflow, and nothing is lost."""

import asyncio
import json
import re
import resource
import socket
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect

from kb_server.core.models.revision import read_revision
from kb_server.service.desk.desk import Desk
from tests.service.servers import Server, Servers
from tests.soak.gauges import rss_of
from tests.sockets.desks import Clock, Visit, desk_of
from tests.sockets.lines import line_to

EMPTY = ""
TOTAL = 200_000


async def tell(desk: Desk, name: str, text: str) -> None:
    """A change of two facts, one of them as long as is said."""
    add = [f"{name} isIn box", f'{name} hasText "{text}"']
    revision = read_revision(desk.host.names, add=add)
    _, kept = await desk.writer.make(lambda: desk.host.revise("myself", revision))
    await kept


async def one_fuller_than_the_others() -> tuple[Any, Any, list[int]]:
    """What a full and a light reader are told, and how much waited in all after each change."""
    async with desk_of(EMPTY, Clock(), queue_bytes_total=TOTAL) as desk:
        full, light, sizes = Visit(desk), Visit(desk), []
        await full.say("subscribe", "f", model="myself", patterns=["?x hasText ?t"])
        await light.say("subscribe", "l", model="myself", patterns=["?x isIn box"])
        for n in range(100):
            await tell(desk, f"x{n}", "y" * 5_000)
            sizes.append(desk.hub.queues.bytes)
        told = await full.heard()
        after = told[-1]["resume_after"]
        again = {"model": "myself", "patterns": ["?x hasText ?t"], "after": after}
        resumed = asyncio.create_task(full.say("subscribe", "f", **again))
        told += await full.hears(100 - (len(told) - 2) + 1)
        await resumed
        light_told = await light.heard()
        full.socket_client.depart()
        light.socket_client.depart()
        assert desk.hub.queues.bytes == 0
        return told, light_told, sizes


def test_the_fullest_overflows_first() -> None:
    """Past the bound who has most waiting is told to resume, and loses and doubles nothing."""
    told, light, sizes = asyncio.run(one_fuller_than_the_others())
    assert max(sizes) <= TOTAL
    assert [f["event"] for f in light if "event" in f] == ["appear"] * 100
    assert sum(f.get("event") == "overflow" for f in told) == 1
    names = [f["bindings"]["x"] for f in told if "bindings" in f]
    assert names == [f"x{n}" for n in range(100)]


async def sent_in_part() -> list[dict[str, Any]]:
    """What one hears who has read a part of a delta when all else is taken from it."""
    async with desk_of(EMPTY, Clock(), queue_bytes_total=TOTAL) as desk:
        visit = Visit(desk)
        await visit.say("subscribe", "s", model="myself", patterns=["?x isIn box"])
        for batch in range(2):
            add = [f"x{batch}{n} isIn box" for n in range(3)]
            revision = read_revision(desk.host.names, add=add)
            _, kept = await desk.writer.make(partial(desk.host.revise, "myself", revision))
            await kept
        frames = await visit.hears(2)
        visit.socket_client.outbox.overflow()
        return frames + await visit.heard()


def test_of_a_delta_that_was_sent_in_part_the_rest_is_sent() -> None:
    """So that who resumes as it was told to hears nothing twice."""
    frames = asyncio.run(sent_in_part())[1:]
    assert [(f["event"], f.get("seq")) for f in frames[:3]] == [("appear", 1)] * 3
    assert frames[3:] == [{"event": "overflow", "sub": "s", "resume_after": 1}]


async def answers_that_nobody_reads() -> tuple[int, list[bool]]:
    """How much waits when every client asks for what it does not read, and who was cut."""
    async with desk_of(EMPTY, Clock(), queue_bytes_total=TOTAL) as desk:
        cut: list[bool] = []
        for n in range(20):
            await tell(desk, f"x{n}", "y" * 1_000)
        for _ in range(20):
            visit = Visit(desk)
            visit.socket_client.outbox.cut = partial(cut.append, True)
            await visit.say("find", model="myself", patterns=["?x hasText ?t"])
        return desk.hub.queues.bytes, cut


def test_answers_that_nobody_reads_are_bounded_too() -> None:
    """Where no event is left to take, the fullest sockets are cut off."""
    waiting, cut = asyncio.run(answers_that_nobody_reads())
    assert waiting <= TOTAL
    assert cut


def test_bytes_are_counted_as_bytes() -> None:
    """A text of other letters takes the bytes that it takes, not as many as it has letters."""

    async def waiting(letter: str) -> int:
        async with desk_of(EMPTY, Clock()) as desk:
            visit = Visit(desk)
            await visit.say("subscribe", "s", model="myself", patterns=["?x hasText ?t"])
            await tell(desk, "x", letter * 10_000)
            return desk.hub.queues.bytes

    assert asyncio.run(waiting("語")) > 20_000 > asyncio.run(waiting("a")) > 10_000


CROWD = 1_000
BOUND_MB = 32
SETTINGS = f"[service]\nqueue_bytes_total = {BOUND_MB * 2**20}\nstuck_seconds = 600.0\n"
BESIDE_MB = 150
"""What a thousand sockets may take beside: 64 KB each in the transport, and their own objects."""


async def stuck_crowd(server: Server) -> float:
    """The most memory (MB) that a server takes while a thousand subscribe and never read."""
    url = urlsplit(server.events_url)

    async def stuck(number: int) -> ClientConnection:
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        line.setblocking(False)
        await asyncio.get_running_loop().sock_connect(line, (url.hostname, url.port))
        one = await connect(
            server.events_url, sock=line, compression=None, ping_interval=None, max_queue=1
        )
        asked = {"model": "myself", "patterns": ["?x hasText ?t"]}
        await one.send(json.dumps({"id": f"s{number}", "op": "subscribe", **asked}))
        await one.recv()
        one.transport.pause_reading()
        return one

    crowd: list[ClientConnection] = []
    for start in range(0, CROWD, 100):
        crowd += await asyncio.gather(*(stuck(n) for n in range(start, start + 100)))
    most = 0.0
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as web:
        for n in range(60):
            add = [f'x{n} hasText "{"y" * 10_000}"']
            told = await web.post("/models/myself/revise", json={"add": add})
            assert told.is_success
            most = max(most, rss_of(server.pid))
    for one in crowd:
        one.transport.abort()
    return most


def test_a_thousand_who_never_read_take_bounded_memory(servers: Servers, tmp_path: Path) -> None:
    """However much is told to a thousand stuck sockets, the server's memory stays within bounds."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4_096)), hard))
    (tmp_path / "settings.toml").write_text(SETTINGS)
    server = servers.start("--no-dl", "--settings", str(tmp_path / "settings.toml"))
    before = rss_of(server.pid)
    assert asyncio.run(stuck_crowd(server)) - before < BOUND_MB + BESIDE_MB
    with line_to(server.events_url) as line:
        assert line.do("check", model="myself", patterns=["x1 hasText ?t"])["holds"]
    figures = httpx.get(f"{server.url}/metrics").text
    assert re.search(r"^mindboard_queued_bytes \S+$", figures, re.M)
