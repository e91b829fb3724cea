"""The one who changes the board, and who answers only when the journal has the change.

Changes happen one after the other. What they leave for the journal is written all that has come
together at once; then the answers go out, and the events. A thread writes it, so that a slow disk
holds nobody up. But to hand a commit to a thread and to hear of its end takes longer than a fast
disk takes for it: where the latest small ones were quick, a lone one is written in the loop, after
all who are ready now have made their changes. A slow one sends the next ones to the thread.

A large change is made in a thread of its own, in its turn, so that pings and other sockets are
served meanwhile; what it leaves goes to the journal when it is whole. A small one is made in the
loop: to hand it to a thread would take several times as long as it does itself.

Whoever is cancelled while a thread works for it waits for the end of that work: nobody else may
touch the board before.

When the journal can't be written the board is read-only: what was made and could not be kept is
tried again every second, nothing more is changed, and what is answered says so.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from kb_server.core.delta import Delta
from kb_server.host import Host
from kb_server.journal.errors import JournalError, JournalFailed
from kb_server.journal.state import Entry
from kb_server.service.errors import ReadOnly, Stopping
from kb_server.service.turns import Turns

__all__ = ["Writer"]

_log: Final = logging.getLogger(__name__)
_RETRY: Final = 1.0
_UPKEEP: Final = 30.0
_FIRST_UPKEEP: Final = 2.0
"""Soon after the start: a board that is often started again must not keep all for ever."""
_FARTHEST: Final = 3600.0
_BESIDE: Final = 4
"""Threads that read the past or large bodies; each may be at it for the time of a query."""
_FEW: Final = 200
"""So many facts at most are written to the journal in the loop."""
_LONE: Final = 4
"""And so many changes: where more come together, a thread writes them while others are made."""
_QUICK: Final = 0.002
"""So many seconds at most such a commit may take."""
_SLOW: Final = 0.016
"""What a commit is thought to take before it is known."""
_FORGETTING: Final = 8
"""About so many quick commits after a slow one, they are thought to be quick again."""
_T = TypeVar("_T")


class Writer:
    """Changes and reads of one board, from one event loop.

    `fed` are called in the loop with each delta as soon as it is made, `released` with the newest
    `seq` that the journal has, `timed` with the seconds that each change took to make. None of
    them may raise; what one does is logged.
    """

    def __init__(self, host: Host, large: int) -> None:
        self.host: Final = host
        self.failure: JournalError | None = None
        self.fed: Final[list[Callable[[Delta], None]]] = []
        self.released: Final[list[Callable[[int], None]]] = []
        self.timed: Final[list[Callable[[float], None]]] = []
        self.changes = 0
        self.turns: Final = Turns()
        self._large: Final = large
        self._journal: Final = ThreadPoolExecutor(1, "journal")
        self._board: Final = ThreadPoolExecutor(1, "board")
        self._beside: Final = ThreadPoolExecutor(_BESIDE, "beside")
        self._made: Final[list[Delta]] = []
        self._whole: int | None = None
        self._waiting: list[asyncio.Future[None]] = []
        self._work: Final = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._is_keeping = False
        self._is_called = False
        self._pace = _SLOW
        self._due = float("inf")
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._stopping = False
        host.board.followers.append(self._made.append)

    def start(self) -> None:
        """Begins to keep, to expire and to look after the journal."""
        self._run(self._keep_on())
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
        for pool in (self._beside, self._board, self._journal):
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)
        self._refuse(self._waiting, Stopping("the board went down before this was kept"))

    @property
    def depth(self) -> int:
        """How many entries the journal has still to keep."""
        return len(self.host.unkept)

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
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.failure is None and (self.host.unkept or self._waiting or self._is_keeping):
            self._waiting.append(done)
            self._call()
        else:
            done.set_result(None)
        return done

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
            self._whole = len(self.host.unkept)
            return await self.in_thread(act)
        finally:
            self._whole = None
            took = time.perf_counter() - begin
            self._pass_on()
            self._tell(self.timed, took)

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
        """Gives the deltas of a change to who follows in the loop, and sees what is due next."""
        made = self._made[:]
        self._made.clear()
        for delta in made:
            self._tell(self.fed, delta)
        if self.host.unkept:
            self._call()
        self._schedule()

    def _tell(self, followers: list[Callable[[_T], None]], news: _T) -> None:
        for follow in followers:
            try:
                follow(news)
            except Exception:  # the board goes on, and so do the others
                _log.exception("a follower of the board failed")

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

    def _call(self) -> None:
        """Has the journal written as soon as all who are ready now have made their changes."""
        if not self._is_called:
            self._is_called = True
            asyncio.get_running_loop().call_soon(self._keep)

    def _keep(self) -> None:
        """Writes the journal here, where that is quick, or leaves it to the thread.

        What fails is handed in again by the thread, and told by it.
        """
        self._is_called = False
        entries = self.host.unkept[:]
        if not self._is_quick(entries):
            self._work.set()
            return
        waiting, self._waiting = self._waiting, []
        try:
            self._timed_append(entries)
        except Exception:
            self._waiting[:0] = waiting
            self._pace = _SLOW
            self._work.set()
            return
        del self.host.unkept[: len(entries)]
        self._succeed(entries[-1].seq, waiting)

    def _is_quick(self, entries: list[Entry]) -> bool:
        """Whether nobody notices when these are written in the loop."""
        is_at_rest = not self._is_keeping and self._whole is None and self.failure is None
        is_due = is_at_rest and self._pace <= _QUICK and bool(entries)
        return is_due and _is_small(entries) and self.host.journal.is_free

    def _timed_append(self, entries: list[Entry]) -> None:
        """Writes the journal, in whatever thread, and notes how long a small commit took."""
        begin = time.perf_counter()
        self.host.journal.append(entries)
        if _is_small(entries):
            took = time.perf_counter() - begin
            self._pace = max(took, self._pace + (took - self._pace) / _FORGETTING)

    async def _keep_on(self) -> None:
        while True:
            await self._work.wait()
            self._work.clear()
            waiting, self._waiting = self._waiting, []
            entries = self.host.unkept[: self._whole]  # all, or up to a change that is being made
            self._is_keeping = True
            try:
                await self._append(entries)
            except JournalError as failure:
                await self._fail(failure, waiting)
                continue
            finally:
                self._is_keeping = False
            del self.host.unkept[: len(entries)]
            if self._whole is not None:
                self._whole -= len(entries)
            elif self.host.unkept or self._waiting:
                self._work.set()
            self._succeed(entries[-1].seq if entries else 0, waiting)

    async def _append(self, entries: list[Entry]) -> None:
        if not entries:
            return
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._journal, self._timed_append, entries)
        except JournalError:
            raise
        except Exception as reason:  # whoever waits must be told, whatever it is
            _log.exception("the journal failed in a way that it should not")
            raise JournalFailed(f"the journal failed: {type(reason).__name__}") from reason

    def _succeed(self, seq: int, waiting: list[asyncio.Future[None]]) -> None:
        if self.failure is not None:
            _log.warning("the journal can be written again")
            self.failure = None
            self._run(self._expire())
        self._tell(self.released, seq)
        for done in waiting:
            if not done.done():
                done.set_result(None)

    async def _fail(self, failure: JournalError, waiting: list[asyncio.Future[None]]) -> None:
        """The board is read-only until the journal can be written; who waited is told so."""
        if self.failure is None:
            _log.error("the journal can't be written, nothing is changed: %s", failure.message)
        self.failure = failure
        told, self._waiting = [*waiting, *self._waiting], []
        self._refuse(
            told,
            ReadOnly(
                "the change is made but can't be kept now; it will be as soon as the journal can "
                f"be written: {failure.message}"
            ),
        )
        await asyncio.sleep(_RETRY)
        self._work.set()

    def _refuse(self, waiting: list[asyncio.Future[None]], reason: Exception) -> None:
        for done in waiting:
            if not done.done():
                done.set_exception(reason)

    async def _look_after(self) -> None:
        pause = _FIRST_UPKEEP
        while True:
            await asyncio.sleep(pause)
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


def _is_small(entries: list[Entry]) -> bool:
    """Whether some entries are few, and hold few facts."""
    if len(entries) > _LONE:
        return False
    deltas = [entry for entry in entries if isinstance(entry, Delta)]
    facts = (
        len(d.became_true) + len(d.ceased) + len(d.asserted) + len(d.withdrawn) for d in deltas
    )
    return sum(facts) <= _FEW
