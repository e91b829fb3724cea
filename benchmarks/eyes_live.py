"""From a percept to its event: a camera, the reasoner, the board and a listener as processes."""

import asyncio
import json
import statistics
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.busy import watched
from benchmarks.measures import Figure, Measure
from benchmarks.places import RATE, Place, frames, place
from spatial_reasoner.percepts.frame_file import written
from spatial_reasoner.tolerances.tolerances import Tolerances

__all__ = ["MEASURES"]

_MOVES: Final = 40
_BETWEEN: Final = 12
"""Frames between two moves: half a second."""
_BALL: Final = "ball0_2"
_SUBSCRIBE: Final = {
    "id": "s",
    "op": "subscribe",
    "model": "myself",
    "patterns": [f"{_BALL} isOn ?table"],
}


@dataclass(frozen=True, slots=True)
class _Move:
    """The seconds of a move: until its frame was processed, and until its fact was received; of the
    second, the parts before and after the board had it."""

    taken: float
    heard: float
    told: float
    sent: float


def eyes_event() -> list[Figure]:
    """From a percept on one socket to its event on another, without the debounce."""
    line, moves = asyncio.run(_waits())
    spare = [move.heard - Tolerances().debounce for move in moves]
    taken, told, sent = (
        1000 * statistics.median(getattr(move, stage) for move in moves)
        for stage in ("taken", "told", "sent")
    )
    stages = (
        f"connection {line * 1000:.1f} ms, reasoning {taken - line * 1000:.1f} ms, "
        f"writing to the board {told - taken:.1f} ms, event {sent:.1f} ms, waiting for frames: rest"
    )
    late = statistics.quantiles(spare, n=20)[-1]
    target = 2 / RATE
    shown = f"{late * 1000:.0f} ms"
    name = "percept to event without the debounce, 95th percentile"
    return [Figure(name, shown, stages, late / target, f"≤ {target * 1000:.0f} ms", late <= target)]


MEASURES: Final[tuple[Measure, ...]] = (eyes_event,)


async def _waits() -> tuple[float, list[_Move]]:
    """The round-trip times of a connection, and the times of each move of a ball."""
    room = place(50, 3)
    with watched(room) as (board, eyes):
        async with connect(eyes) as camera, connect(f"ws{board[4:]}/events") as subscriber:
            await subscriber.send(json.dumps(_SUBSCRIBE))
            await subscriber.recv()
            return await _line(camera), await _moves(room, camera, subscriber)


async def _line(socket: ClientConnection) -> float:
    """The round-trip time of the connection, in seconds."""
    takes = []
    for _ in range(50):
        start = time.time()
        await (await socket.ping())
        takes.append(time.time() - start)
    return statistics.median(takes)


async def _moves(
    room: Place, camera: ClientConnection, subscriber: ClientConnection
) -> list[_Move]:
    """Sends frames at their pace; every half second a ball is on another table."""
    pace, found = time.time(), []
    starts: list[float] = []
    hearing = asyncio.create_task(_heard(subscriber))
    for number, frame in enumerate(frames(room, (_MOVES + 1) * _BETWEEN / RATE)):
        turn, since = divmod(number, _BETWEEN)
        await asyncio.sleep(pace + number / RATE - time.time())
        starts.append(time.time())
        await camera.send(json.dumps({"id": number, **_with_ball(written(frame), room, turn % 2)}))
        answer = json.loads(await camera.recv())
        assert answer.get("ok"), answer
        if since == 0:
            moved, taken = starts[-1], time.time() - starts[-1]
        if since == _BETWEEN - 1:
            if turn:  # in the first one everything is new
                then, made = await hearing
                last = max(start for start in starts if start < made)
                found.append(_Move(taken, then - moved, made - last, then - made))
            hearing = asyncio.create_task(_heard(subscriber))
    hearing.cancel()
    return found


async def _heard(subscriber: ClientConnection) -> tuple[float, float]:
    """The time at which the next event came, and the time at which the board made it."""
    event = json.loads(await subscriber.recv())
    return time.time(), datetime.fromisoformat(event["t"]).timestamp()


def _with_ball(said: dict[str, Any], room: Place, table: int) -> dict[str, Any]:
    """A frame in which the ball is on one of two tables."""
    x, y, z = room.things[_BALL][:3].tolist()
    y += 0.15 + float(room.things[f"table{table}"][1] - room.things["table0"][1])
    return {**said, "objects": {**said["objects"], _BALL: [x, y, z]}}
