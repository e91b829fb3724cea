"""An event loop in its own thread, for the asynchronous part of a blocking client."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, Final, TypeVar

from kb_server.client.calls.errors import Closed

__all__ = ["Background"]

T = TypeVar("T")


class Background:
    """An event loop that starts with its first task and runs until it is closed."""

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
        """Runs a coroutine in the loop and returns its result; Closed if the loop ends before."""
        with self._lock:
            if self._is_closed:
                work.close()
                raise Closed("this board is closed")
            try:
                future = asyncio.run_coroutine_threadsafe(work, self._begun())
            except BaseException:  # Ctrl-C: a coroutine that is never awaited warns
                work.close()
                raise
        try:
            return future.result()
        except CancelledError:
            raise Closed("this board was closed before the answer came") from None
        except BaseException:
            future.cancel()
            raise

    def soon(self, act: Callable[[], object]) -> None:
        """Schedules a call in the loop without waiting; does nothing once this is closed."""
        with self._lock:
            if not self._is_closed:
                self._begun().call_soon_threadsafe(act)

    def close(self) -> None:
        """Ends the loop and its thread; unfinished tasks are cancelled."""
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
