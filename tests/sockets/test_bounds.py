"""What a client may not do, or not for ever: resume too far back, listen too slowly, be dead."""

import asyncio
import json
import os
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from kb_server import Blackboard
from tests.service.servers import Server, Servers
from tests.sockets.desks import Clock, Visit, desk_of
from tests.sockets.lines import line_to

BUSY = "from kb_server.service.writing import writer; writer._UPKEEP = 0.05"
"""The journal is looked after all the time."""


def started(servers: Servers, folder: Path, settings: str, before: str = "") -> Server:
    """A server with these settings."""
    file = folder / "settings.toml"
    file.write_text(settings)
    return servers.made("--no-dl", "--settings", str(file)).start(before=before)


def test_what_the_journal_has_dropped_can_not_be_resumed(servers: Servers, tmp_path: Path) -> None:
    """An `after` before what is kept is too old, on sockets and streams; a later one is not."""
    server = started(servers, tmp_path, "[journal]\nsize = 1\nsegment = 20\nsnapshot = 100\n", BUSY)
    asked: dict[str, Any] = {"model": "myself", "patterns": ["?x isIn box"]}
    with line_to(server.events_url) as line:
        for n in range(5_000):
            newest = line.do("revise", model="myself", add=[f"x{n} isIn box"])["seq"]
            if n % 50 == 0:
                answer = line.ask("subscribe", id=f"s{n}", **asked, after=0)
                if "error" in answer:
                    break
                line.do("unsubscribe", sub=f"s{n}")
                line.told()
        assert answer["error"]["code"] == "too_old"
        assert answer["error"]["detail"]["oldest"] > 1
        line.do("subscribe", id="late", **asked, after=newest - 1)
        assert [event["seq"] for event in line.told()] == [newest]
    params: dict[str, str | int] = {"pattern": "?x isIn box", "after": 0}
    refused = httpx.get(f"{server.url}/models/myself/events", params=params)
    assert (refused.status_code, refused.json()["error"]["code"]) == (410, "too_old")


def test_history_says_whether_anything_is_dropped(servers: Servers, tmp_path: Path) -> None:
    """History from the beginning says whether that is kept, and one from what isn't is refused."""
    server = started(servers, tmp_path, "[journal]\nsize = 1\nsegment = 20\nsnapshot = 100\n", BUSY)
    url, seen = f"{server.url}/models/myself/history", []
    with httpx.Client() as web, line_to(server.events_url) as line:
        for n in range(5_000):
            line.do("revise", model="myself", add=[f"x{n} isIn box"])
            if n % 50 == 0:
                seen.append(web.get(url, params={"p": "isIn"}).json())
                if not seen[-1]["complete"]:
                    break
        first, last = seen[0], seen[-1]
        assert (first["complete"], first["history"][0]["seq"]) == (True, 1)
        assert (last["complete"], last["history"][0]["seq"] > 1) == (False, True)
        old = web.get(url, params={"p": "isIn", "since": 1})
        assert (old.status_code, old.json()["error"]["code"]) == (410, "too_old")
        since = old.json()["error"]["detail"]["oldest"]
        kept = web.get(url, params={"p": "isIn", "since": max(since, n)})
        assert kept.json()["complete"] is True
    with Blackboard(server.url) as kb:
        assert kb.history("myself", p="isIn").complete is False
        assert kb.history("myself", p="isIn", since=max(since, n)).complete is True


def test_a_gap_that_is_too_large_is_not_resumed(servers: Servers, tmp_path: Path) -> None:
    """When more fitting facts have changed than may be told again, it is too costly."""
    server = started(servers, tmp_path, "[service]\nresume_facts = 10\n")
    with line_to(server.events_url) as line:
        for n in range(11):
            line.do("revise", model="myself", add=[f"x{n} isIn box", f"y{n} isNear door"])
        asked: dict[str, Any] = {"model": "myself", "patterns": ["?x isIn box"]}
        assert line.refused("subscribe", id="s", **asked, after=0) == "too_costly"
        line.do("subscribe", id="s", **asked, after=1)
        assert len(line.told()) == 10
        line.do("subscribe", id="all", **asked, snapshot=True)
        assert len(line.told()) == 12


async def slowly_heard() -> list[dict[str, Any]]:
    async with desk_of("", Clock()) as desk:
        slow, publisher = Visit(desk), Visit(desk)
        said = {"topic": "poses", "model": "myself"}
        await slow.say("listen", "l", **said)
        for n in range(1_000):
            poses = {"ball": {"pose": [n, 0, 0]}, f"cup{n % 3}": {"pose": [0, n, 0]}}
            await publisher.say("publish", **said, t=float(n), poses=poses)
        heard = await slow.heard()
        await publisher.say("publish", **said, t=1e6, poses={"ball": None})
        return [*heard, *await slow.heard()]


def test_a_slow_listener_is_told_the_newest_of_each_thing() -> None:
    """A thousand publications that nobody reads are one frame, and then it goes on."""
    frames = asyncio.run(slowly_heard())[1:]
    assert [frame["t"] for frame in frames] == [999.0, 1e6]
    poses = {name: pose["pose"] for name, pose in frames[0]["poses"].items()}
    assert poses == {
        "ball": [999.0, 0.0, 0.0],
        "cup0": [0.0, 999.0, 0.0],
        "cup1": [0.0, 997.0, 0.0],
        "cup2": [0.0, 998.0, 0.0],
    }
    assert frames[1]["poses"] == {"ball": None}


class Mute:
    """A websocket by hand, that answers no ping."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        self.line = socket.create_connection((place.hostname, place.port), timeout=20)
        self.line.sendall(
            f"GET /events HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        assert b"101" in self.line.recv(4_096)

    def say(self, **fields: Any) -> None:
        text = json.dumps(fields).encode()
        assert len(text) < 126
        mask = os.urandom(4)
        hidden = bytes(byte ^ mask[n % 4] for n, byte in enumerate(text))
        self.line.sendall(bytes((0x81, 0x80 | len(text))) + mask + hidden)


def test_a_peer_that_answers_no_ping_is_dropped(servers: Servers, tmp_path: Path) -> None:
    """Who is silent when it is asked for a sign of life is lost, and its will is done."""
    server = started(servers, tmp_path, "[service]\nping_seconds = 0.3\nwill_seconds = 0.1\n")
    with line_to(server.events_url) as watcher:
        asked = {"model": "myself", "patterns": ["ball isIn box"], "on": "both"}
        watcher.do("subscribe", id="s", **asked)
        mute = Mute(server.url)
        mute.say(op="will", source="mute")
        mute.say(id=1, op="revise", model="myself", add=["ball isIn box"], source="mute")
        assert [event["event"] for event in watcher.events(2)] == ["appear", "disappear"]
        while mute.line.recv(65_536):
            continue
        mute.line.close()
        assert watcher.do("ping")


def test_streams_count_as_connections(servers: Servers, tmp_path: Path) -> None:
    """Past the number of connections a stream and a socket are both busy, until one goes."""
    server = started(servers, tmp_path, "[service]\nconnections = 2\n")
    url, params = f"{server.url}/models/myself/events", {"pattern": "?x isIn box"}
    with httpx.stream("GET", url, params=params) as first:
        assert first.status_code == 200
        with httpx.stream("GET", url, params=params) as second:
            assert second.status_code == 200
            third = httpx.get(url, params=params)
            assert (third.status_code, third.json()["error"]["code"]) == (503, "busy")
            with pytest.raises(InvalidStatus) as refused, line_to(server.events_url):
                pass
            assert refused.value.response.status_code == 503
        while httpx.get(f"{server.url}/models").status_code == 503:
            continue  # until the server has seen that the second went
        with line_to(server.events_url) as line:
            assert line.do("ping")
