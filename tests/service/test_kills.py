"""The kill story: SIGKILL in the middle of the work, again and again, and nothing answered is lost.

Who listens resumes after each kill, some by the words of `docs/events.md`, some by the client; at
the end each has heard what the history tells, event by event, once.

`KILLS=50` plays it fifty times (`make kill-story`); the suite has a short form.
"""

import os
import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from kb_server import Blackboard, Subscription, TimedOut
from kb_server import Event as Told
from tests.service.servers import Server, Servers
from tests.sockets.lines import Frame, Line, line_to

KILLS: Final = int(os.environ.get("KILLS", "8"))
WRITERS: Final = 3
PATTERN: Final = ["left isIn ?a", "right isIn ?a"]
Heard = tuple[int, str, str]
"""The number of a delta, whether the binding appeared or disappeared, and the box."""


@dataclass
class Diary:
    """What one writer has tried, and what it was answered: the number of each delta."""

    model: str
    tried: int = 0
    answered: dict[int, int] = field(default_factory=dict)

    def write_on(self, server: Server, wrote: threading.Semaphore) -> None:
        """Moves two things together, step by step, until the server is gone."""
        with httpx.Client(base_url=server.url, timeout=30) as client:
            while True:
                self.tried += 1
                body = {
                    "retract": ["left isIn *", "right isIn *"],
                    "add": [f"left isIn box{self.tried}", f"right isIn box{self.tried}"],
                }
                try:
                    answer = client.post(f"/models/{self.model}/revise", json=body)
                except httpx.TransportError:
                    return
                assert answer.status_code == 200, answer.text
                self.answered[self.tried] = answer.json()["seq"]
                wrote.release()

    def check(self, client: httpx.Client) -> None:
        """Both things are in one box: the last one answered, or one on its way then."""
        asked = {"patterns": ["left isIn ?a", "right isIn ?b"]}
        rows = client.post(f"/models/{self.model}/find", json=asked).json()["bindings"]
        last = max(self.answered, default=0)
        assert len(rows) == 1 or last == 0 == len(rows)
        assert all(row["a"] == row["b"] for row in rows)
        possible = {f"box{step}" for step in range(last, self.tried + 1)}
        assert all(row["a"] in possible for row in rows)

    def check_history(self, client: httpx.Client) -> None:
        """Every step that was answered is in the history, under the number that was answered."""
        happened = {(line["fact"], line["seq"]) for line in self.history(client)}
        for step, seq in self.answered.items():
            assert (f"left isIn box{step}", seq) in happened
            assert (f"right isIn box{step}", seq) in happened

    def history(self, client: httpx.Client) -> list[dict[str, Any]]:
        return [line for line in self.lines(client) if line["op"] == "became_true"]

    def lines(self, client: httpx.Client) -> list[dict[str, Any]]:
        answer = client.get(f"/models/{self.model}/history", params={"p": "isIn"}).json()
        found: list[dict[str, Any]] = answer["history"]
        return found

    def events(self, client: httpx.Client) -> list[Heard]:
        """What whoever listens to both things is to hear, by the history of one of them."""
        kinds = {"became_true": "appear", "ceased": "disappear"}
        return [
            (line["seq"], kinds[line["op"]], line["fact"].split()[2])
            for line in self.lines(client)
            if line["fact"].startswith("left ")
        ]


class Listener:
    """One who resumes as the page says: after the delta before the newest it has heard of."""

    def __init__(self, model: str) -> None:
        self.heard: Final[list[Heard]] = []
        self._model: Final = model
        self._last = 0
        self._of_last: Final[set[Heard]] = set()

    def listen_on(self, server: Server) -> None:
        """Resumes, and hears until the server is gone, which may be at any moment."""
        with suppress(ConnectionClosed, OSError), line_to(server.events_url) as line:
            self._resume(line)
            while True:
                self._take(line.event())

    def listen_again(self, server: Server) -> None:
        """Resumes once more, and hears what has happened so far."""
        with line_to(server.events_url) as line:
            self._resume(line)
            for event in line.told():
                self._take(event)

    def _resume(self, line: Line) -> None:
        asked = {"model": self._model, "patterns": PATTERN, "on": "both"}
        line.do("subscribe", id="s", **asked, after=max(0, self._last - 1))

    def _take(self, frame: Frame) -> None:
        event = (frame["seq"], frame["event"], frame["bindings"]["a"])
        if event[0] == self._last and event in self._of_last:
            return
        if event[0] != self._last:
            self._last = event[0]
            self._of_last.clear()
        self._of_last.add(event)
        self.heard.append(event)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def test_what_was_answered_survives_every_kill(servers: Servers, stack: ExitStack) -> None:
    """After each kill all that was answered is there, none by half; each event is heard once."""
    server = servers.start("--no-dl")
    diaries = [Diary(f"mind{n}") for n in range(WRITERS)]
    listeners = [Listener(diary.model) for diary in diaries]
    for diary in diaries:
        httpx.put(f"{server.url}/models/{diary.model}")
    kb = stack.enter_context(Blackboard(server.url))
    streams = [kb.subscribe(diary.model, *PATTERN, on="both") for diary in diaries]
    moments = random.Random(7)
    for _ in range(KILLS):
        play(server, diaries, listeners, moments)
        with httpx.Client(base_url=server.url) as client:
            newest = client.get("/health").json()["seq"]
            assert newest >= max(seq for diary in diaries for seq in diary.answered.values())
            for diary in diaries:
                diary.check(client)
    with httpx.Client(base_url=server.url) as client:
        seqs = set()
        for diary, listener, stream in zip(diaries, listeners, streams, strict=True):
            diary.check_history(client)
            seqs |= {line["seq"] for line in diary.history(client)}
            events = diary.events(client)
            listener.listen_again(server)
            assert listener.heard == events
            assert all_of(stream, len(events)) == events
    assert seqs == set(range(1, newest + 1))


def play(
    server: Server, diaries: list[Diary], listeners: list[Listener], moments: random.Random
) -> None:
    """Writes from all sides, a kill at a random moment after some of them, and a new start."""
    wrote = threading.Semaphore(0)
    busy = [threading.Thread(target=d.write_on, args=(server, wrote)) for d in diaries]
    busy += [threading.Thread(target=each.listen_on, args=(server,)) for each in listeners]
    for each in busy:
        each.start()
    for _ in range(moments.randrange(1, 120)):
        assert wrote.acquire(timeout=30)
    threading.Event().wait(moments.uniform(0, 0.005))
    server.kill()
    for each in busy:
        each.join()
    server.start()


def all_of(stream: Subscription[Told], number: int) -> list[Heard]:
    """So many events, and that there are no more."""
    told = [stream.next(30) for _ in range(number)]
    with pytest.raises(TimedOut):
        stream.next(0.2)
    return [(event.seq, event.kind, event.bindings["a"]) for event in told]
