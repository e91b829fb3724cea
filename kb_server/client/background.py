"""An event loop in a thread of its own, for what a blocking board has going on beside."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from kb_server.client.errors import Closed

__all__ = ["Background"]

T = TypeVar("T")


class Background:
    """A loop that begins with the first thing to run in it, and ends when it is closed."""

    def __init__(self, name: str) -> None:
        self._name: Final = name
        self._lock: Final = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False

    @property
    def has_begun(self) -> bool:
        return self._loop is not None

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop, running."""
        with self._lock:
            if self._is_closed:
                raise Closed("this board is closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=_run, args=(self._loop,), name=self._name, daemon=True
                )
                self._thread.start()
            return self._loop

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Carries something out over there, and waits for it."""
        try:
            future = asyncio.run_coroutine_threadsafe(work, self.loop)
        except BaseException as reason:  # Ctrl-C too: what is never awaited is warned of
            work.close()
            if isinstance(reason, Closed | RuntimeError):
                raise Closed("this board is closed") from None
            raise
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Ends the loop and its thread; what is not done in it is cancelled."""
        with self._lock:
            self._is_closed = True
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(loop.stop)
        if thread is not threading.current_thread():
            thread.join()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        loop.close()
