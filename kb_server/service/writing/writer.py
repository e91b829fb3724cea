"""The one who changes the board, and who answers only when the journal has the change.

Changes happen one after the other; what they leave for the journal the keeper writes. As soon as
it is written the events go out, and when it is safe from a power cut too the answers.

A large change is made in a thread of its own, in its turn, so that pings and other sockets are
served meanwhile; what it leaves goes to the journal when it is whole. A small one is made in the
loop: to hand it to a thread would take several times as long as it does itself.

Whoever is cancelled while a thread works for it waits for the end of that work: nobody else may
touch the board before.

When the journal can't be written the board is read-only: nothing more is changed, and what is
answered says so.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from kb_server.core.models.delta import Delta
from kb_server.errors import JournalError, ReadOnly, Stopping
from kb_server.host import Host
from kb_server.service.writing.keeping import Keeper
from kb_server.service.writing.notifications import Notifications, notify
from kb_server.service.writing.turns import Turns

__all__ = ["Writer"]

_log: Final = logging.getLogger(__name__)
_UPKEEP: Final = 30.0
_FIRST_UPKEEP: Final = 2.0
"""Soon after the start: a board that is often started again must not keep all for ever."""
_FARTHEST: Final = 3600.0
_BESIDE: Final = 4
"""Threads that read the past or large bodies; each may be at it for the time of a query."""
_T = TypeVar("_T")


class Writer:
    """Changes and reads of one board, from one event loop.

    `notifications` are its listeners; `notifications.py` says who is notified, and when.
    """

    def __init__(self, host: Host, large: int) -> None:
        self.host: Final = host
        self.notifications: Final = Notifications()
        self.changes = 0
        self.turns: Final = Turns()
        self._large: Final = large
        self._board: Final = ThreadPoolExecutor(1, "board")
        self._beside: Final = ThreadPoolExecutor(_BESIDE, "beside")
        self._made: Final[list[Delta]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._due = float("inf")
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._stopping = False
        self._much: Final = asyncio.Event()
        self._keeper: Final = Keeper(host, self._written, lambda: self._run(self._expire()))
        host.board.on_delta.append(self._made.append)

    def start(self) -> None:
        """Begins to keep, to expire and to look after the journal."""
        self._run(self._keeper.keep_on())
        self._run(self._look_after())
        self._run(self._expire())

    async def stop(self) -> None:
        """Finishes what was accepted; nothing is changed any more."""
        self._stopping = True
        if self._timer is not None:
            self._timer.cancel()
        async with self.turns.short():
            pass  # whoever is at it has ended
        if self.failure is None:
            await self.kept()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for pool in (self._beside, self._board):
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)
        await self._keeper.stop()

    @property
    def failure(self) -> JournalError | None:
        """Why nothing can be changed now, if that is so."""
        return self._keeper.failure

    @property
    def depth(self) -> int:
        """How many entries the journal has still to be given."""
        return self._keeper.depth

    async def change(self, act: Callable[[], _T], size: int = 0) -> _T:
        """Makes a change and gives its result once it is kept; `size` is that of its request."""
        result, kept = await self.make(act, size)
        await kept
        return result

    async def make(self, act: Callable[[], _T], size: int = 0) -> "tuple[_T, asyncio.Future[None]]":
        """Makes a change; gives its result, and what is done when the journal has it."""
        self._may_change()
        async with self.turns.short():
            self._may_change()
            result = await self._made_by(act, size)
        self.changes += 1
        return result, self.keeping()

    async def change_with(self, act: Callable[[], Awaitable[_T]]) -> _T:
        """A change that must wait for others while nothing else may change."""
        self._may_change()
        async with self.turns.short():
            self._may_change()
            try:
                result = await act()
            finally:
                self._pass_on()
        self.changes += 1
        await self.kept()
        return result

    async def read(self, act: Callable[[], _T]) -> _T:
        """Reads the board between two changes; what is read is kept when this returns."""
        result = await self.between(act)
        await self.kept()
        return result

    async def between(self, act: Callable[[], _T]) -> _T:
        """Does something between two changes; what it sees need not be kept yet."""
        if self.turns.taken and not self.turns.is_reading:
            async with self.turns.short():
                return act()
        return act()

    def soon(self, act: Callable[[], None]) -> None:
        """Does something between two changes: now, or as soon as the one under way is made."""
        if self.turns.taken:
            self._run(self.between(act))
        else:
            act()

    async def read_long(self, act: Callable[[], _T]) -> _T:
        """Reads in a thread what may take a while; changes wait, all else goes on."""
        async with self.turns.long():
            result = await self.in_thread(act)
        await self.kept()
        return result

    async def aside(self, act: Callable[[], _T]) -> _T:
        """What a thread finds that does not look at the board; nobody waits for a turn."""
        return await asyncio.get_running_loop().run_in_executor(self._beside, act)

    async def kept(self) -> None:
        """Waits until the journal has all that has been changed so far."""
        await self.keeping()

    def keeping(self) -> "asyncio.Future[None]":
        """What is done when the journal has all that has been changed so far."""
        return self._keeper.kept()

    def _may_change(self) -> None:
        if self._stopping:
            raise Stopping("the board is going down")
        if self.failure is not None:
            raise ReadOnly(f"nothing can be changed now: {self.failure.message}")

    async def _made_by(self, act: Callable[[], _T], size: int) -> _T:
        """Makes a change, here or in a thread, and passes on what it made."""
        begin = time.perf_counter()
        try:
            if size <= self._large:
                return act()
            self._keeper.whole = len(self.host.unkept)
            return await self.in_thread(act)
        finally:
            self._keeper.whole = None
            took = time.perf_counter() - begin
            self._pass_on()
            notify(self.notifications.on_timed, took)

    async def in_thread(self, act: Callable[[], _T]) -> _T:
        """What a thread finds; when this ends, for whatever reason, so has the thread's work."""
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
        """Notifies of the deltas of a whole change, and sees what is due next."""
        made = self._made[:]
        self._made.clear()
        for delta in made:
            notify(self.notifications.on_change, delta)
        if self.host.unkept:
            self._keeper.call()
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
        """Ends the lives that are over."""
        async with self.turns.short():
            self._due = float("inf")
            if self.failure is None and not self._stopping:
                await self._made_by(self.host.expire, self.host.board.ending)

    def _written(self, seq: int) -> None:
        notify(self.notifications.on_stored, seq)
        if self.host.journal.is_due:
            self._much.set()

    async def _look_after(self) -> None:
        """Has the journal looked after now and then, and as soon as much is written."""
        pause = _FIRST_UPKEEP
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._much.wait(), pause)
            self._much.clear()
            pause = _UPKEEP
            try:
                await self.aside(lambda: self.host.journal.maintain(self.host.now()))
            except JournalError as failure:
                _log.warning("the journal can't be packed now: %s", failure.message)

    def _run(self, work: "Awaitable[None]") -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a task of the writer failed", exc_info=task.exception())
