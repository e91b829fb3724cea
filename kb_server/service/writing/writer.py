"""The writer: all changes of the board pass through it, and are answered once they are stored.

1. A change waits for its turn, and is made.
2. The keeper writes it to the journal; then its events are sent.
3. When it is safe from a power failure, it is answered.

A large change runs in a thread, in its turn, so that pings and other sockets are served meanwhile.
A small one runs in the loop, since passing it to a thread would take several times as long as the
change itself. A request that is cancelled while a thread works for it waits for the end of that
work, since no one else may change the board before.

While the journal can't be written the board is read-only: changes are refused with that reason.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from kb_server.core.models.delta import ModelDelta
from kb_server.errors import JournalError, ReadOnly, Stopping
from kb_server.host import Host
from kb_server.service.writing.board_lock import BoardLock
from kb_server.service.writing.journal_writer import JournalWriter
from kb_server.service.writing.notifications import Notifications, notify

__all__ = ["BoardWriter"]

_log: Final = logging.getLogger(__name__)
_UPKEEP: Final = 30.0
_FIRST_UPKEEP: Final = 2.0
"""Seconds; soon after the start, so that retention also works on a board that restarts often."""
_FARTHEST: Final = 3600.0
_BESIDE: Final = 4
"""Threads that read the past or large bodies; each is bounded by the time of a query."""
_T = TypeVar("_T")


class BoardWriter:
    """Changes and reads of one board, from one event loop.

    `notifications` are its listeners; `notifications.py` lists them in their order.
    """

    def __init__(self, host: Host, large: int) -> None:
        self.host: Final = host
        self.notifications: Final = Notifications()
        self.changes = 0
        self.board_lock: Final = BoardLock()
        self._large: Final = large
        self._board: Final = ThreadPoolExecutor(1, "board")
        self._beside: Final = ThreadPoolExecutor(_BESIDE, "beside")
        self._made: Final[list[ModelDelta]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._due = float("inf")
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._stopping = False
        self._much: Final = asyncio.Event()
        self._journal_writer: Final = JournalWriter(
            host, self._written, lambda: self._run(self._expire())
        )
        host.board.on_delta.append(self._made.append)

    def start(self) -> None:
        """Starts the keeper, expiry and the maintenance of the journal."""
        self._run(self._journal_writer.keep_on())
        self._run(self._look_after())
        self._run(self._expire())

    async def stop(self) -> None:
        """Finishes accepted changes; later ones are refused."""
        self._stopping = True
        if self._timer is not None:
            self._timer.cancel()
        async with self.board_lock.short():
            pass  # waits for the present holder of the turn
        if self.failure is None:
            await self.kept()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for pool in (self._beside, self._board):
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)
        await self._journal_writer.stop()

    @property
    def failure(self) -> JournalError | None:
        """Why nothing can be changed now, or None."""
        return self._journal_writer.failure

    @property
    def depth(self) -> int:
        """The number of entries that are not yet written to the journal."""
        return self._journal_writer.depth

    async def change(self, act: Callable[[], _T], size: int = 0) -> _T:
        """Makes a change and returns its result once it is stored; `size` estimates its work."""
        result, kept = await self.make(act, size)
        await kept
        return result

    async def make(self, act: Callable[[], _T], size: int = 0) -> "tuple[_T, asyncio.Future[None]]":
        """Makes a change; returns its result and a future, done when the journal has stored it."""
        self._may_change()
        async with self.board_lock.short():
            self._may_change()
            result = await self._made_by(act, size)
        self.changes += 1
        return result, self.keeping()

    async def change_with(self, act: Callable[[], Awaitable[_T]]) -> _T:
        """Makes a change by a coroutine, during which no other change is made."""
        self._may_change()
        async with self.board_lock.short():
            self._may_change()
            try:
                result = await act()
            finally:
                self._pass_on()
        self.changes += 1
        await self.kept()
        return result

    async def read(self, act: Callable[[], _T]) -> _T:
        """Reads the board between two changes; returns once the journal has stored that state."""
        result = await self.between(act)
        await self.kept()
        return result

    async def between(self, act: Callable[[], _T]) -> _T:
        """Calls `act` between two changes; the state that it sees need not be stored yet."""
        if self.board_lock.taken and not self.board_lock.is_reading:
            async with self.board_lock.short():
                return act()
        return act()

    def soon(self, act: Callable[[], None]) -> None:
        """Schedules `act` between two changes: at once, or after the present change."""
        if self.board_lock.taken:
            self._run(self.between(act))
        else:
            act()

    async def read_long(self, act: Callable[[], _T]) -> _T:
        """Reads in a thread; changes wait meanwhile, other work goes on."""
        async with self.board_lock.long():
            result = await self.in_thread(act)
        await self.kept()
        return result

    async def aside(self, act: Callable[[], _T]) -> _T:
        """Calls `act` in a thread without a turn; it must not read the board."""
        return await asyncio.get_running_loop().run_in_executor(self._beside, act)

    async def kept(self) -> None:
        """Waits until the journal has stored all changes made so far."""
        await self.keeping()

    def keeping(self) -> "asyncio.Future[None]":
        """A future that is done when the journal has stored all changes made so far."""
        return self._journal_writer.kept()

    def _may_change(self) -> None:
        if self._stopping:
            raise Stopping("the board is shutting down")
        if self.failure is not None:
            raise ReadOnly(f"nothing can be changed now: {self.failure.message}")

    async def _made_by(self, act: Callable[[], _T], size: int) -> _T:
        """Makes a change, in the loop or in a thread, and notifies the listeners."""
        begin = time.perf_counter()
        try:
            if size <= self._large:
                return act()
            self._journal_writer.whole = len(self.host.unkept)
            return await self.in_thread(act)
        finally:
            self._journal_writer.whole = None
            took = time.perf_counter() - begin
            self._pass_on()
            notify(self.notifications.on_timed, took)

    async def in_thread(self, act: Callable[[], _T]) -> _T:
        """Calls `act` in a thread; returns after the thread's work, even if it is cancelled."""
        work = asyncio.get_running_loop().run_in_executor(self._board, act)
        cancelled: asyncio.CancelledError | None = None
        while not work.done():
            try:
                await asyncio.wait((work,))
            except asyncio.CancelledError as reason:
                cancelled = reason
        if cancelled is not None:
            work.exception()
            raise cancelled
        return work.result()

    def _pass_on(self) -> None:
        """Notifies the listeners of the deltas of a change, and schedules the next expiry."""
        made = self._made[:]
        self._made.clear()
        for delta in made:
            notify(self.notifications.on_change, delta)
        if self.host.unkept:
            self._journal_writer.call()
        self._schedule()

    def _schedule(self) -> None:
        due = self.host.board.next_due()
        if due == self._due or self._stopping:
            return
        self._due = due
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if due < float("inf"):
            delay = min(max(0.0, due - self.host.now()), _FARTHEST)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(delay, lambda: self._run(self._expire()))

    async def _expire(self) -> None:
        """Retracts the assertions whose lifespans are over."""
        async with self.board_lock.short():
            self._due = float("inf")
            if self.failure is None and not self._stopping:
                await self._made_by(self.host.expire, self.host.board.ending)

    def _written(self, seq: int) -> None:
        notify(self.notifications.on_stored, seq)
        if self.host.journal.is_due:
            self._much.set()

    async def _look_after(self) -> None:
        """Maintains the journal every 30 s, and as soon as much is written."""
        pause = _FIRST_UPKEEP
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._much.wait(), pause)
            self._much.clear()
            pause = _UPKEEP
            try:
                await self.aside(lambda: self.host.journal.maintain(self.host.now()))
            except JournalError as failure:
                _log.warning("the journal can't be maintained now: %s", failure.message)

    def _run(self, work: "Awaitable[None]") -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a task of the writer failed", exc_info=task.exception())
