"""Standard input as a source of percepts: one frame a line, from a pipe or a file.

An invalid line is logged and skipped. No frame is dropped: a writer that is faster than the
reasoner blocks on the pipe.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Mapping
from typing import Final

from spatial_reasoner.errors import FrameError
from spatial_reasoner.percepts.feed import Feed, message
from spatial_reasoner.scene.fields import fields
from spatial_reasoner.scene.scene_text import LARGEST
from spatial_reasoner.sources.protocol import Surroundings, spot

__all__ = ["Stdin", "chunk_of", "make"]

_log: Final = logging.getLogger(__name__)
_CHUNK: Final = 65_536
"""Bytes read at once."""


class Stdin:
    """The lines of a file descriptor, by default standard input."""

    name: Final = "stdin"

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor: Final = descriptor

    async def run(self, feed: Feed) -> None:
        number = 0
        async for line in _lines(self._descriptor):
            number += 1
            if not line.strip():
                continue
            try:
                frame = feed.read(message(line))
            except FrameError as error:
                _log.warning("%s, line %d: %s", self.name, number, error)
                continue
            await feed.put(frame)


def make(settings: Mapping[str, object], _: Surroundings) -> Stdin:
    """Makes the source; it has no settings."""
    fields(spot("stdin"), settings, ())
    return Stdin()


async def _lines(descriptor: int) -> AsyncIterator[bytes]:
    """The lines as they arrive; a line that is too long is cut after the limit, and is then
    refused."""
    rest = b""
    while chunk := await chunk_of(descriptor):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line
        rest = rest[: LARGEST + 1]
    if rest:
        yield rest


async def chunk_of(descriptor: int) -> bytes:
    """Waits for bytes and returns them; returns none at the end of the input."""
    loop = asyncio.get_running_loop()
    ready = loop.create_future()
    try:
        loop.add_reader(descriptor, _set, ready)
    except PermissionError:  # a plain file, which is always ready
        await asyncio.sleep(0)
        return os.read(descriptor, _CHUNK)
    try:
        await ready
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, _CHUNK)


def _set(ready: "asyncio.Future[None]") -> None:
    if not ready.done():
        ready.set_result(None)
