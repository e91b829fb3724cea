"""The kill story: SIGKILL in the middle of the work, again and again, and nothing answered is lost.

`KILLS=50` plays it fifty times (`make kill-story`); the suite has a short form.
"""

import os
import random
import threading
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from tests.service.servers import Server, Servers

KILLS: Final = int(os.environ.get("KILLS", "8"))
WRITERS: Final = 3


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
        answer = client.get(f"/models/{self.model}/history", params={"p": "isIn"}).json()
        return [line for line in answer["history"] if line["op"] == "became_true"]


def test_what_was_answered_survives_every_kill(servers: Servers) -> None:
    """After each kill all that was answered is there, nothing is there by half, and seq goes on."""
    server = servers.start()
    diaries = [Diary(f"mind{n}") for n in range(WRITERS)]
    for diary in diaries:
        httpx.put(f"{server.url}/models/{diary.model}")
    moments = random.Random(7)
    for _ in range(KILLS):
        play(server, diaries, moments.randrange(1, 120))
        with httpx.Client(base_url=server.url) as client:
            newest = client.get("/health").json()["seq"]
            assert newest >= max(seq for diary in diaries for seq in diary.answered.values())
            for diary in diaries:
                diary.check(client)
    with httpx.Client(base_url=server.url) as client:
        seqs = set()
        for diary in diaries:
            diary.check_history(client)
            seqs |= {line["seq"] for line in diary.history(client)}
    assert seqs == set(range(1, newest + 1))


def play(server: Server, diaries: list[Diary], writes: int) -> None:
    """Writes from all sides, a kill after so many of them, and a new start."""
    wrote = threading.Semaphore(0)
    writers = [threading.Thread(target=d.write_on, args=(server, wrote)) for d in diaries]
    for writer in writers:
        writer.start()
    for _ in range(writes):
        assert wrote.acquire(timeout=30)
    server.kill()
    for writer in writers:
        writer.join()
    server.start()
