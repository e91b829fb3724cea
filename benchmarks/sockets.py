"""Benchmarks of the websocket, each against a bare relay on the same server, in one run."""

import asyncio
import gc
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, TypeVar

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.measures import Figure, Measure

__all__ = ["MEASURES"]

_FACTS: Final = 20_000
_SUBSCRIPTIONS: Final = 100
_CROWD: Final = 1_000
_ROUNDS: Final = 10
_EACH: Final = 100
_BATCH: Final = 20
_BATCHES: Final = 1_000
_WINDOW: Final = 50
_T = TypeVar("_T")
_Pair = tuple[ClientConnection, ClientConnection]


def socket_event() -> list[Figure]:
    """From a change by one client to its event at another, alone and among a thousand clients."""
    with _board() as board, _relay() as relay:
        ours, theirs = _run(_latencies(board, relay, 0))
        crowded, _ = _run(_latencies(board, relay, _CROWD))
    middle, floor = _median(ours), _median(theirs)
    return [
        _within("inferred event at another client, median", middle, floor, "a relay", 3),
        _within(
            "inferred event at another client, 99th percentile",
            _tail(ours),
            _tail(theirs),
            "a relay's",
            5,
        ),
        _within(
            "inferred event with 1 000 subscribers connected",
            _median(crowded),
            middle,
            "without",
            1.5,
        ),
    ]


def socket_fan_out() -> list[Figure]:
    """The time until 1 000 subscribers have one event."""
    with _board() as board, _relay() as relay:
        ours, theirs = _run(_fan_outs(board, relay))
    return [_within("one event to 1 000 subscribers", ours, theirs, "a bare loop", 2)]


def socket_writes() -> list[Figure]:
    """Facts a second over one socket, in stored batches of twenty."""
    with _board() as board:
        rate = _run(_writes(board))
    ratio = rate / 20_000
    shown = f"{rate:,.0f} facts/s".replace(",", " ")
    name = "writes over one websocket, batches of 20"
    return [Figure(name, shown, "20 000 facts/s", ratio, "≥ 1", ratio >= 1)]


MEASURES: Final[tuple[Measure, ...]] = (socket_event, socket_fan_out, socket_writes)


async def _latencies(board: str, relay: str, crowd: int) -> list[list[float]]:
    """The seconds from a change to its event, and those of a relay's frames, in alternation."""
    async with _line(board) as writer, _line(board) as subscriber, _crowd(board, crowd) as others:
        await _filled(writer)
        for i in range(_SUBSCRIPTIONS - 1):
            await _say(subscriber, "subscribe", id=i, patterns=[f"?x isNear q{i}"])
        await _say(subscriber, "subscribe", id="s", patterns=["?x a Animal"])
        for i, other in enumerate(others):
            await _say(other, "subscribe", id="s", patterns=[f"?x isNear r{i}"])
        async with _line(relay) as one, _line(relay) as other:
            return await _turns((writer, subscriber), (one, other))


async def _turns(board: _Pair, relay: _Pair) -> list[list[float]]:
    """The board's seconds first."""
    pairs = (board, relay)
    found: list[list[float]] = [[] for _ in pairs]
    stamp = time.time_ns()

    async def passed(pair: _Pair, i: int) -> None:
        await _send(pair[0], "revise", id=i, add=[f"tom{stamp}_{i} a Cat"])
        await pair[1].recv()

    gc.collect()
    gc.disable()
    try:
        for turn in range(_ROUNDS):
            for pair, seconds in zip(pairs, found, strict=True):
                for i in range(turn * _EACH, (turn + 1) * _EACH):
                    seconds.append(await _timed(passed(pair, i)))
                    if pair is board:
                        await pair[0].recv()
    finally:
        gc.enable()
    return found


async def _fan_outs(board: str, relay: str) -> tuple[float, float]:
    """The median seconds until all clients have one frame."""
    found = []
    for url in (board, relay):
        async with _line(url) as writer, _crowd(url, _CROWD) as crowd:
            if url == board:
                for other in crowd:
                    await _say(other, "subscribe", id="s", patterns=["?x isNear fan"])
            rounds = []
            for i in range(_ROUNDS):
                heard = asyncio.gather(*(other.recv() for other in crowd))
                await asyncio.sleep(0)
                start = time.perf_counter()
                await _send(writer, "revise", id=i, add=[f"f{i} isNear fan"])
                await heard
                rounds.append(time.perf_counter() - start)
                if url == board:
                    await writer.recv()
            found.append(statistics.median(rounds))
    return found[0], found[1]


async def _writes(url: str) -> float:
    async with _line(url) as line:
        await _filled(line)

        async def written(i: int) -> None:
            add = [f"w{i} isNear v{n}" for n in range(_BATCH)]
            await _send(line, "revise", id=i, add=add)

        start = time.perf_counter()
        for i in range(_BATCHES + _WINDOW):
            if i < _BATCHES:
                await written(i)
            if i >= _WINDOW:
                answer = json.loads(await line.recv())
                assert answer.get("ok"), answer
        return _BATCHES * _BATCH / (time.perf_counter() - start)


async def _filled(line: ClientConnection) -> None:
    """Asserts twenty thousand facts, and a class definition to infer with."""
    await _say(line, "revise", id=0, add=["Cat rdfs:subClassOf Animal"])
    for n in range(0, _FACTS, 1_000):
        add = [f"o{i} isNear p{i % 50}" for i in range(n, n + 1_000)]
        await _say(line, "revise", id=0, add=add)


async def _send(line: ClientConnection, op: str, **fields: Any) -> None:
    await line.send(json.dumps({"op": op, "model": "myself", **fields}))


async def _say(line: ClientConnection, op: str, **fields: Any) -> None:
    await _send(line, op, **fields)
    answer = json.loads(await line.recv())
    assert answer.get("ok"), answer


async def _timed(act: Coroutine[Any, Any, None]) -> float:
    start = time.perf_counter()
    await act
    return time.perf_counter() - start


@asynccontextmanager
async def _line(url: str) -> AsyncIterator[ClientConnection]:
    async with connect(url, compression=None, max_size=None, ping_interval=None) as line:
        yield line


@asynccontextmanager
async def _crowd(url: str, size: int) -> AsyncIterator[list[ClientConnection]]:
    """Opens a number of connections."""
    lines: list[ClientConnection] = []
    try:
        for _ in range(size):
            lines.append(await connect(url, compression=None, ping_interval=None))
        yield lines
    finally:
        for line in lines:
            line.transport.abort()
        await asyncio.gather(*(line.wait_closed() for line in lines))


@contextmanager
def _board() -> Iterator[str]:
    """Runs a server with a journal in its own folder."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("-m", "kb_server", "serve", "--port", "0", "--data", folder, "--no-dl")
        process = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split("ready at ")[1].split()[0]
            yield address.replace("http", "ws", 1) + "/events"
        finally:
            process.terminate()
            process.communicate()


@contextmanager
def _relay() -> Iterator[str]:
    """Runs the relay in its own process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "benchmarks.relay", str(port)])
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"ws://127.0.0.1:{port}/events"
    finally:
        process.terminate()
        process.wait()


def _run(act: Coroutine[Any, Any, _T]) -> _T:
    return asyncio.run(act)


def _median(seconds: list[float]) -> float:
    return statistics.median(seconds)


def _tail(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=100)[-1]


def _within(name: str, ours: float, floor: float, of: str, target: float) -> Figure:
    ratio = ours / floor
    shown = f"{floor * 1000:.2f} ms, {of}"
    return Figure(name, f"{ours * 1000:.2f} ms", shown, ratio, f"≤ {target:g}×", ratio <= target)
