"""A busy board for the live page: fifty objects and five minds, 25 frames a second.

The board, the reasoner and the camera run in their own processes, as they do for a user. The
camera repeats its frames to and fro for as long as the block lasts.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final

from websockets.asyncio.client import connect

from benchmarks.places import RATE, Place, frames, place
from spatial_reasoner.percepts.frame_file import written

__all__ = ["busy_board", "watched"]

_THINGS: Final = 50
_MINDS: Final = 5
_PERIOD: Final = 60.0
"""Seconds of frames that are made before, and sent again and again with later times."""


@contextmanager
def busy_board() -> Iterator[str]:
    """The address of a board to which the percepts of a busy room are sent."""
    room = place(_THINGS, _MINDS)
    lines = [written(frame) for frame in frames(room, _PERIOD)]
    with watched(room) as (board, eyes):
        over = threading.Event()
        camera = threading.Thread(target=lambda: asyncio.run(_watch(eyes, lines, over)))
        camera.start()
        try:
            yield board
        finally:
            over.set()
            camera.join()


@contextmanager
def watched(room: Place) -> Iterator[tuple[str, str]]:
    """The addresses of a board and of its spatial reasoner for a room."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "room.json"
        file.write_text(json.dumps(room.document))
        with (
            _running("serve", "--no-dl", "--data", f"{folder}/board") as board,
            _running("perceive", str(file), "--kb", board) as eyes,
        ):
            yield board, eyes


async def _watch(eyes: str, lines: list[dict[str, object]], over: threading.Event) -> None:
    """Sends frames at their pace until stopped; forwards, then backwards."""
    around = [*lines, *reversed(lines)]
    begun = time.monotonic()
    async with connect(eyes) as socket:
        for number in count():
            if over.is_set():
                return
            await asyncio.sleep(max(0.0, begun + number / RATE - time.monotonic()))
            said = {**around[number % len(around)], "t": round(number / RATE, 6)}
            await socket.send(json.dumps(said))


@contextmanager
def _running(command: str, *words: str) -> Iterator[str]:
    """Runs a command of the program on a free port, and returns the address that it prints."""
    line = [sys.executable, "-m", "kb_server", command, *words, "--port", "0"]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split(" at ")[1].split()[0]
    finally:
        process.terminate()
        process.communicate()
