"""An event loop in a thread of its own, for what a blocking board has going on beside."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, Final, TypeVar

from kb_server.client.calls.errors import Closed

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

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Carries something out over there, and waits for it; Closed when it can't be finished."""
        with self._lock:
            if self._is_closed:
                work.close()
                raise Closed("this board is closed")
            try:
                future = asyncio.run_coroutine_threadsafe(work, self._begun())
            except BaseException:  # Ctrl-C: what is never awaited is warned of
                work.close()
                raise
        try:
            return future.result()
        except CancelledError:
            raise Closed("this board was closed meanwhile") from None
        except BaseException:
            future.cancel()
            raise

    def soon(self, act: Callable[[], object]) -> None:
        """Has something done over there, and does not wait; it is not once this is closed."""
        with self._lock:
            if not self._is_closed:
                self._begun().call_soon_threadsafe(act)

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

    def _begun(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(
                target=_run, args=(self._loop,), name=self._name, daemon=True
            )
            self._thread.start()
        return self._loop


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
