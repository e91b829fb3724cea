"""Whole lives: a real server, real sockets, a process that is killed."""

import asyncio
import json
import socket
import threading
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.service.servers import Server, Servers, started_servers
from tests.sockets.lines import Line, line_to


def test_a_fact_in_and_an_inferred_event_out(servers: Servers) -> None:
    """What one client tells, another hears the consequence of."""
    server = servers.start("--no-dl")
    with line_to(server.events_url) as robot, line_to(server.events_url) as watcher:
        watcher.do("subscribe", id="s1", model="myself", patterns=["?h desires ?a", "?a a Give"])
        robot.do("revise", model="myself", add=["Hand_over rdfs:subClassOf Give"])
        robot.do("revise", model="myself", add=["sally desires give_1", "give_1 a Hand_over"])
        assert watcher.event()["bindings"] == {"h": "sally", "a": "give_1"}


def test_a_hundred_writes_at_once_are_each_heard_once_in_order(shared: Server) -> None:
    """Writes that come faster than the journal commits are told one by one, none left out."""
    with line_to(shared.events_url) as writer, line_to(shared.events_url) as watcher:
        watcher.do("subscribe", id="s", model="myself", patterns=["?x isNear burst"])
        for i in range(100):
            writer.send(id=i, op="revise", model="myself", add=[f"w{i} isNear burst"])
        told = watcher.events(100)
        assert [e["bindings"]["x"] for e in told] == [f"w{i}" for i in range(100)]
        assert all(a["seq"] < b["seq"] for a, b in pairwise(told))
        answers = [writer.frame() for _ in range(100)]
        assert [a["id"] for a in answers] == list(range(100))
        assert watcher.is_silent()


def test_a_one_shot_waits_through_a_thousand_unrelated_writes(shared: Server) -> None:
    """However much else happens, it tells the one thing, once."""
    with line_to(shared.events_url) as writer, line_to(shared.events_url) as watcher:
        watcher.do("subscribe", id="s", model="myself", patterns=["?x isNear goal"], once=True)
        for i in range(1_000):
            writer.send(id=i, op="revise", model="myself", add=[f"u{i} isNear elsewhere"])
        for _ in range(1_000):
            assert writer.frame()["ok"]
        assert watcher.is_silent()
        writer.do("revise", model="myself", add=["ball isNear goal", "cup isNear goal"])
        assert watcher.event()["event"] == "appear"
        assert watcher.is_silent()


def test_an_expiry_is_heard_without_any_other_write(shared: Server) -> None:
    """A fact's end is told when it comes, though nobody does anything."""
    with line_to(shared.events_url) as line:
        asked = {"model": "myself", "patterns": ["?x isNear sunset"], "on": "disappear"}
        line.do("subscribe", id="s", **asked)
        line.do("revise", model="myself", add=["day isNear sunset"], ttl=0.2)
        assert line.event()["bindings"] == {"x": "day"}


SMALL = """
[service]
queue_events = 200
queue_bytes = 100000
subscriptions_each = 3
connections = 1100
frame_bytes = 100000
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with narrow bounds."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "settings.toml").write_text(SMALL)
    with started_servers(folder) as made:
        yield made.start("--no-dl", "--settings", str(folder / "settings.toml"))


def test_limits_are_answered_clearly(small: Server) -> None:
    """A subscription too many is an error; a frame too large ends its socket and no other."""
    with line_to(small.events_url) as line, line_to(small.events_url) as other:
        for i in range(3):
            line.do("subscribe", id=i, model="myself", patterns=["?x isNear here"])
        asked = {"id": 3, "model": "myself", "patterns": ["?x isNear here"]}
        assert line.refused("subscribe", **asked) == "too_large"
        line.do("unsubscribe", sub=0)
        line.do("subscribe", **asked)
        with pytest.raises(ConnectionClosed) as closed:
            other.raw(" " * 200_000)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        assert line.do("ping")


class Crowd:
    """Many who read, each on a socket of its own, and when each heard what."""

    def __init__(self, url: str, size: int) -> None:
        self.url, self.size = url, size
        self.sockets: list[ClientConnection] = []

    async def __aenter__(self) -> "Crowd":
        for start in range(0, self.size, 50):
            more = range(start, min(start + 50, self.size))
            opened = [connect(self.url, compression=None, ping_interval=None) for _ in more]
            self.sockets += await asyncio.gather(*opened)
        return self

    async def __aexit__(self, *_: object) -> None:
        for each in self.sockets:
            each.transport.abort()
        await asyncio.gather(*(each.wait_closed() for each in self.sockets))

    async def all_say(self, **fields: Any) -> None:
        for each in self.sockets:
            await each.send(json.dumps(fields))
        for each in self.sockets:
            assert json.loads(await each.recv())["ok"]

    async def all_hear(self, count: int) -> None:
        """Waits until all have heard so many events."""
        await asyncio.gather(*(self._hears(each, count) for each in self.sockets))

    async def _hears(self, one: ClientConnection, count: int) -> None:
        for _ in range(count):
            assert json.loads(await one.recv())["event"] == "appear"


async def say(line: ClientConnection, **fields: Any) -> dict[str, Any]:
    await line.send(json.dumps({"id": 1, **fields}))
    answer: dict[str, Any] = json.loads(await line.recv())
    return answer


async def crowded(url: str) -> list[dict[str, Any]]:
    """A thousand hear ten events, without and with one who does not read; what that one reads."""
    pattern = {"model": "myself", "patterns": ["?x isNear crowd"]}
    async with Crowd(url, 1_000) as crowd, connect(url, compression=None) as writer:
        await crowd.all_say(id="s", op="subscribe", **pattern)

        async def writes(name: str) -> None:
            for i in range(10):
                add = [f"{name}{i} isNear crowd"]
                assert (await say(writer, op="revise", model="myself", add=add))["ok"]

        await asyncio.gather(crowd.all_hear(10), writes("a"))
        async with connect(url, **options_of_a_slow_one(url)) as slow:
            long = {"model": "myself", "patterns": ["?x isNear ?far", "?x hasLabel ?text"]}
            await say(slow, op="subscribe", **{**long, "id": "slow"})
            assert slow.transport is not None
            slow.transport.pause_reading()
            for i in range(150):
                add = [f"l{i} isNear door"]
                add += [f'l{i} hasLabel "{i} {j} {"x" * 20_000}"' for j in range(3)]
                assert (await say(writer, op="revise", model="myself", add=add))["ok"]
            await asyncio.gather(crowd.all_hear(10), writes("b"))
            slow.transport.resume_reading()
            return await until_overflow(slow)


def options_of_a_slow_one(url: str) -> dict[str, Any]:
    """Small buffers, so that what is not read is soon felt at the other end."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8_192)
    line.connect((urlsplit(url).hostname, urlsplit(url).port))
    return {"sock": line, "compression": None, "ping_interval": None, "max_queue": 1}


async def until_overflow(line: ClientConnection) -> list[dict[str, Any]]:
    """All that is read up to the overflow, and then what comes when it is resumed."""
    frames: list[dict[str, Any]] = []
    while not frames or frames[-1]["event"] != "overflow":
        frames.append(json.loads(await line.recv()))
    overflow = frames.pop()
    again = {"id": "slow", "model": "myself", "patterns": ["?x isNear ?far", "?x hasLabel ?text"]}
    await line.send(json.dumps({"op": "subscribe", "after": overflow["resume_after"], **again}))
    assert json.loads(await line.recv())["ok"]
    while len(frames) < 450:
        frames.append(json.loads(await line.recv()))
    return frames


def test_who_never_reads_slows_nobody_and_can_resume(small: Server) -> None:
    """A thousand hear all before one of them reads; that one resumes, and loses nothing."""
    frames = asyncio.run(crowded(small.events_url))
    assert Counter(f["event"] for f in frames) == {"appear": 450}
    assert len({f["bindings"]["text"] for f in frames}) == 450
    assert [f["seq"] for f in frames] == sorted(f["seq"] for f in frames)


def test_who_stays_stuck_is_cut_off(servers: Servers, tmp_path: Path) -> None:
    """A socket that has read nothing for the time set is closed, and its will is done."""
    (tmp_path / "hasty.toml").write_text("[service]\nstuck_seconds = 1.0\nwill_seconds = 0.1\n")
    server = servers.start("--no-dl", "--settings", str(tmp_path / "hasty.toml"))
    with line_to(server.events_url, max_queue=1) as stuck, line_to(server.events_url) as writer:
        stuck.do("subscribe", id="s", model="myself", patterns=["?x isNear stuck", "?x hasText ?t"])
        stuck.do("will", source="stuck")
        text = "x" * 4_000
        gone = {"model": "myself", "patterns": ["t0 isNear stuck"], "on": "disappear"}
        writer.do("subscribe", id="gone", **gone)
        for i in range(1_500):
            add = [f"t{i} isNear stuck", f't{i} hasText "{text}"']
            writer.do("revise", model="myself", add=add, source="stuck")
        assert writer.event()["sub"] == "gone"
        assert len(heard_on(stuck)) < 1_500


def test_sockets_and_streams_are_told_goodbye(servers: Servers) -> None:
    """A server that is told to end closes its sockets as going away, and ends in time."""
    server = servers.start("--no-dl")
    with line_to(server.events_url) as line:
        line.send(id="r", op="revise", model="myself", add=["ball isIn box"])
        assert line.frame()["id"] == "r"
        with httpx.stream(
            "GET", f"{server.url}/models/myself/events", params={"pattern": "?x isIn box"}
        ) as stream:
            texts = stream.iter_lines()
            assert next(texts).startswith("id: ")
            ended = threading.Thread(target=server.stop)
            ended.start()
            assert [text for text in texts if text] == []
        with pytest.raises(ConnectionClosed) as closed:
            line.frame()
        ended.join()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1001


def test_who_does_not_go_in_time_is_cut(servers: Servers, tmp_path: Path) -> None:
    """A socket that reads nothing holds the end up for as long as a goodbye may take."""
    (tmp_path / "hasty.toml").write_text("[service]\ngoodbye_seconds = 0.5\n")
    server = servers.start("--no-dl", "--settings", str(tmp_path / "hasty.toml"))
    with (
        line_to(server.events_url, max_queue=1, close_timeout=0) as stuck,
        line_to(server.events_url) as writer,
    ):
        stuck.do("subscribe", id="s", model="myself", patterns=["?x isNear stuck", "?x hasText ?t"])
        for i in range(1_500):
            add = [f"t{i} isNear stuck", f't{i} hasText "{"x" * 4_000}"']
            writer.do("revise", model="myself", add=add)
        assert server.stop() == 0
    assert server.log.count("did not close in time") == 1
    assert "Traceback" not in server.log


def test_killed_and_resumed_every_event_is_seen_once(servers: Servers) -> None:
    """Whenever the server is killed, who resumes has seen what each answered change brought."""
    server = servers.start("--no-dl")
    seen: list[tuple[int, str]] = []
    answered: list[str] = []
    after = 0
    for life in range(4):
        if life:
            server.start("--no-dl")
        with line_to(server.events_url) as watcher, line_to(server.events_url) as writer:
            answer = watcher.do(
                "subscribe", id="s", model="myself", patterns=["?x isNear end"], after=after
            )
            seen += [whole(watcher.event()) for _ in range(len(answered) - len(seen))]
            killer = threading.Timer(0.05 + 0.05 * life, server.kill)
            killer.start()
            answered += write_on(writer, life)
            killer.join()
            seen += heard_on(watcher)
        after = max(answer["seq"], *(seq for seq, _ in seen))
    server.start("--no-dl")
    with line_to(server.events_url) as watcher:
        watcher.do("subscribe", id="s", model="myself", patterns=["?x isNear end"], after=after)
        asked = {"model": "myself", "patterns": ["?x isNear end"]}
        kept = [row["x"] for row in watcher.do("find", **asked)["bindings"]]
        seen += [whole(watcher.event()) for _ in range(len(kept) - len(seen))]
        assert watcher.is_silent()
    assert sorted(x for _, x in seen) == sorted(kept)
    assert set(answered) <= set(kept)
    assert [seq for seq, _ in seen] == sorted(seq for seq, _ in seen)


def whole(event: dict[str, Any]) -> tuple[int, str]:
    return event["seq"], event["bindings"]["x"]


def write_on(line: Line, life: int) -> list[str]:
    """Writes until the server is gone; what was answered."""
    answered = []
    for i in range(10**6):
        try:
            line.do("revise", model="myself", add=[f"x{life}_{i} isNear end"])
        except (ConnectionClosed, TimeoutError):
            break
        answered.append(f"x{life}_{i}")
    return answered


def heard_on(line: Line) -> list[tuple[int, str]]:
    """What has arrived before the line broke."""
    heard = []
    try:
        while True:
            heard.append(whole(line.event()))
    except ConnectionClosed:
        return heard
