"""Mixed load on one server: players that each do one kind of thing, at a steady pace, for minutes.

The pace is set, so that what lives at once is the same all the time: what then grows is a leak.
Names are new every time, as those of a robot's actions are.
"""

import asyncio
import json
import random
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

__all__ = ["ADMIN", "READER", "TOKENS", "Load"]

ADMIN: Final = "admin-admin-admin-admin"
READER: Final = "reader-reader-reader"
TOKENS: Final = f"""
[[tokens]]
name = "robot"
token = "{ADMIN}"
role = "admin"

[[tokens]]
name = "screen"
token = "{READER}"
role = "read"
models = ["sally", "myself"]
"""
_JSON: Final = {"accept": "application/sparql-results+json"}
_COSTLY: Final = (
    "SELECT * { GRAPH ?x { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l } } ORDER BY ?f ?c LIMIT 1"
)
_MODELS: Final = ("myself", "sally", "anne")
_LIFE: Final = 2.0
"""Seconds that a fact lives."""
_PACE: Final = 0.05
_BATCH: Final = 5
_MANY: Final = 500
_PATIENCE: Final = 30.0


class _Line:
    """One websocket that sends commands and awaits answers; received events are counted."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket: Final = socket
        self.newest = 0
        self._numbers: Final = count(1)

    async def do(self, op: str, **fields: Any) -> dict[str, Any]:
        """The answer to a command, which is to succeed."""
        name = fields.pop("id", f"c{next(self._numbers)}")
        await self.socket.send(json.dumps({"id": name, "op": op, **fields}))
        while "event" in (said := await self.hear()):
            continue
        assert said.get("ok"), (op, fields, said)
        return said

    async def hear(self) -> dict[str, Any]:
        async with asyncio.timeout(_PATIENCE):
            said: dict[str, Any] = json.loads(await self.socket.recv())
        self.newest = max(self.newest, said.get("seq", 0))
        return said

    async def hear_for(self, seconds: float) -> None:
        """Reads all frames for some seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    await self.hear()


class Load:
    """All players of one server; `seconds` between two costly queries."""

    def __init__(self, url: str, costly_seconds: float) -> None:
        self.writes = 0
        self.done: Final[dict[str, int]] = {}
        self._costly: Final = costly_seconds
        self._events: Final = url.replace("http", "ws", 1) + "/events"
        self._chance: Final = random.Random(7)
        self._numbers: Final = count(1)
        self._recent: Final[deque[int]] = deque(maxlen=200)
        limits = httpx.Limits(max_connections=50, max_keepalive_connections=20)
        self._web: Final = httpx.AsyncClient(
            base_url=url, headers=_bearer(ADMIN), timeout=_PATIENCE, limits=limits
        )

    async def metrics(self) -> str:
        return (await self._web.get("/metrics")).text

    async def fill(self, names: int) -> None:
        """Mentions so many objects that every bounded cache of names is full."""
        async with self._line() as line:
            for _ in range(0, names, _MANY):
                add = [f"{self._new('thing')} isNear door" for _ in range(_MANY)]
                await line.do("revise", model="myself", add=add, ttl=_LIFE / 2)
                self.writes += len(add)

    async def play(self, until: asyncio.Event) -> None:
        """Plays until `until` is set; a wrong answer is an error."""
        for model in _MODELS[1:]:
            (await self._web.put(f"/models/{model}")).raise_for_status()
        await self._revise("myself", ["box isOn table", "hall isNear door"], ttl=None)
        players: tuple[tuple[Callable[[], Awaitable[None]], float], ...] = (
            *((self._write_on, 0.0) for _ in range(2)),
            *((self._ask, _PACE) for _ in range(2)),
            (self._sparql, 4 * _PACE),
            (self._update_sparql, 10 * _PACE),
            (self._past, 4 * _PACE),
            *((self._come_and_go, _PACE) for _ in range(6)),
            (self._stream, _PACE),
            (self._be_slow, _PACE),
            (self._make_and_delete, 2 * _PACE),
            (self._publish, _PACE),
            (self._provide, _PACE),
            (self._be_wrong, 4 * _PACE),
            (self._costly_query, self._costly),
        )
        try:
            async with asyncio.TaskGroup() as group:
                for act, pause in players:
                    group.create_task(self._again_and_again(act, pause, until))
        finally:
            await self._web.aclose()

    async def _again_and_again(
        self, act: Callable[[], Awaitable[None]], pause: float, until: asyncio.Event
    ) -> None:
        name = act.__name__.strip("_")
        while not until.is_set():
            await act()
            self.done[name] = self.done.get(name, 0) + 1
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await until.wait()

    async def _write_on(self) -> None:
        """Short lives, a batch at a time, over one websocket."""
        async with self._line() as line:
            for _ in range(100):
                add = [f"{self._new('thing')} isIn box" for _ in range(_BATCH)]
                says = {"model": self._model(), "add": add, "ttl": _LIFE, "source": "eye"}
                self._recent.append((await line.do("revise", **says))["seq"])
                self.writes += len(add)
                await asyncio.sleep(_PACE)

    async def _ask(self) -> None:
        """Runs `find` and `check` with a token that may only read."""
        asked = {"patterns": ["?o isIn box", "box isOn table"], "limit": 100}
        path, reader = "/models/myself", _bearer(READER)
        found = await self._web.post(f"{path}/find", json=asked, headers=reader)
        assert found.is_success, found.text
        checked = await self._web.post(f"{path}/check", json={"patterns": ["box isOn table"]})
        assert checked.json() == {"holds": True}
        facts = await self._web.get(f"{path}/facts", params={"p": "isIn", "limit": 50})
        assert facts.is_success, facts.text

    async def _sparql(self) -> None:
        query = "SELECT ?o { ?o oro:isIn ?b . ?b oro:isOn oro:table }"
        found = await self._web.get("/sparql", params={"query": query}, headers=_JSON)
        assert found.is_success or _is_busy(found), found.text

    async def _update_sparql(self) -> None:
        name = self._new("cup")
        facts = f"{{ oro:{name} oro:isOn oro:table }}"
        for update in (f"INSERT DATA {facts}", f"DELETE DATA {facts}"):
            done = await self._web.post("/update", data={"update": update})
            assert done.is_success or _is_busy(done), done.text
        await self._revise("myself", [], retract=[f"{name} isOn table"])

    async def _past(self) -> None:
        """History, and questions about a moment of some time ago."""
        lines = await self._web.get("/models/sally/history", params={"p": "isIn", "o": "basket"})
        assert lines.is_success or lines.status_code == 410, lines.text  # dropped while being read
        if self._recent:
            at = {"at": str(self._recent[0])}
            asked = {"patterns": ["?o isIn box"], "limit": 10}
            found = await self._web.post("/models/myself/find", json=asked, params=at)
            assert found.is_success or found.status_code == 410, found.text

    async def _come_and_go(self) -> None:
        """Subscribes in one way or another, hears a while, and is cut or leaves."""
        async with self._line() as line:
            asked: dict[str, Any] = {"model": self._model(), "patterns": ["?o isIn ?where"]}
            await line.do("subscribe", id="s", **asked, on="both", snapshot=True)
            await line.do("subscribe", id="one", **asked, once=True)
            await line.do(
                "subscribe", id="new", model="myself", patterns=[f"?a sees {self._new('x')}"]
            )
            await line.do("subscribe_divergence", id="d", **{**asked, "from": "sally"})
            await line.hear_for(self._chance.uniform(0.1, 1.0))
            await line.do("ping")
            if self._recent:
                await line.do("subscribe", id="back", **asked, after=self._recent[-1])
            if self._chance.random() < 0.5:
                line.socket.transport.abort()

    async def _stream(self) -> None:
        """The same over plain HTTP."""
        params = {"pattern": "?o isIn ?where", "snapshot": "true"}
        async with self._web.stream("GET", "/models/sally/events", params=params) as stream:
            assert stream.is_success
            heard = 0
            async for _ in stream.aiter_lines():
                heard += 1
                if heard > 100:
                    return

    async def _be_slow(self) -> None:
        """Subscribes, and reads nothing until it is cut, or for some seconds."""
        async with self._line(max_queue=1) as line:
            for n in range(5):
                asked = {"model": "myself", "patterns": ["?o isIn ?where"], "on": "both"}
                await line.do("subscribe", id=f"s{n}", **asked, snapshot=True)
            line.socket.transport.pause_reading()
            await asyncio.sleep(self._chance.uniform(1.0, 3.0))
            line.socket.transport.abort()

    async def _make_and_delete(self) -> None:
        """A mind that comes with its agent, is written to and heard of, and goes."""
        name = self._new("mind")
        await self._revise("myself", [f"{name} a Human"], ttl=_LIFE)
        async with self._line() as line:
            asked = {"model": name, "patterns": ["?o isIn ?where"], "on": "both"}
            await line.do("subscribe", id="s", **asked)
            await self._revise(name, ["ball isIn basket"], ttl=_LIFE)
            (await self._web.put(f"/models/{name}.anne")).raise_for_status()
            await line.hear()
            (await self._web.delete(f"/models/{name}")).raise_for_status()

    async def _publish(self) -> None:
        """Poses of things that are new each time, heard and taken away."""
        async with self._line() as line:
            name = self._new("thing")
            said = {"topic": "poses", "model": "myself"}
            await line.do("listen", **said)
            for n in range(10):
                await line.do("publish", **said, poses={name: {"pose": [n, 0, 0]}})
            await line.do("publish", **said, poses={name: None})

    async def _provide(self) -> None:
        """Provides a predicate, then disconnects with a declared will."""
        async with self._line() as line, self._line() as asker:
            predicate, source = self._new("isFar"), self._new("arm")
            await line.do("provide", predicates=[predicate])
            await line.do("will", source=source)
            await line.do("revise", model="anne", add=[f"{source} isNear door"], source=source)
            asked = {"model": "myself", "patterns": [f"?o {predicate} ?p"]}
            finding = asyncio.create_task(asker.do("find", **asked))
            ask = await line.hear()
            await line.do("told", ask=ask["ask"], facts=[f"a {predicate} b"])
            assert (await finding)["bindings"] == [{"o": "a", "p": "b"}]

    async def _be_wrong(self) -> None:
        """Sends requests that are refused, which must leave nothing behind."""
        bad = await self._web.post("/models/myself/revise", json={"add": ["?x isIn box"]})
        gone = await self._web.get(f"/models/{self._new('nobody')}/facts")
        other = await self._web.get("/models/anne/facts", headers=_bearer(READER))
        nobody = await self._web.get("/models", headers=_bearer(self._new("wrong-wrong-wrong")))
        assert [a.status_code for a in (bad, gone, other, nobody)] == [400, 404, 403, 401]
        ticket = (await self._web.post("/ticket")).json()["ticket"]
        assert (await self._web.get("/models", params={"ticket": ticket})).is_success

    async def _costly_query(self) -> None:
        """A question that a worker does not survive."""
        refused = await self._web.get("/sparql", params={"query": _COSTLY})
        assert refused.status_code == 503, refused.text

    async def _revise(self, model: str, add: list[str], **more: Any) -> None:
        body = {"add": add, **more}
        told = await self._web.post(f"/models/{model}/revise", json=body)
        assert told.is_success, told.text
        self.writes += len(add)

    def _model(self) -> str:
        return self._chance.choice(_MODELS)

    def _new(self, kind: str) -> str:
        return f"{kind}_{next(self._numbers)}"

    @asynccontextmanager
    async def _line(self, **more: Any) -> AsyncIterator[_Line]:
        """A websocket of an admin, which may be cut by then."""
        says: dict[str, Any] = {"additional_headers": _bearer(ADMIN), "compression": None}
        async with connect(self._events, **says, **more) as socket:
            with suppress(ConnectionClosed):
                yield _Line(socket)


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _is_busy(answer: httpx.Response) -> bool:
    """Whether all workers are being replaced just now."""
    return answer.status_code == 503
