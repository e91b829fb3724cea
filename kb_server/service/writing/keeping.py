"""What the board made goes to the journal: written first, then safe from a power cut.

What is written outlives the server, so those who follow the journal are told of it at once; what
is answered has to be safe too, so whoever waits for that waits for the disk. All that has come
together meanwhile is written in one commit.

A thread does it, so that a slow disk holds nobody up. But to hand a commit to a thread and to hear
of its end takes longer than a fast disk takes for it: where the latest small ones were quick, a
lone one is written in the loop, after all who are ready now have made their changes. A slow one
sends the next ones to the thread.

When the journal can't be written nothing more may be changed: what was made and could not be kept
is tried again every second.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from kb_server.core.models.delta import Delta
from kb_server.errors import JournalError, JournalFailed, ReadOnly, Stopping
from kb_server.host import Host
from kb_server.journal.state import Entry

__all__ = ["Keeper"]

_log: Final = logging.getLogger(__name__)
_RETRY: Final = 1.0
_FEW: Final = 200
"""So many facts at most are written in the loop."""
_LONE: Final = 4
"""And so many changes: where more come together, a thread writes them while others are made."""
_QUICK: Final = 0.002
"""So many seconds at most it may take there."""
_SLOW: Final = 0.016
"""What it is thought to take before it is known."""
_FORGETTING: Final = 8
"""About so many quick ones after a slow one, the next is thought to be quick again."""
Waiters = list["asyncio.Future[None]"]


class Keeper:
    """The one who writes the journal of a board.

    `written` is called in the loop with the newest `seq` that the journal has, `recovered` when
    it can be written again. Neither may raise.
    """

    def __init__(
        self, host: Host, written: Callable[[int], None], recovered: Callable[[], None]
    ) -> None:
        self.failure: JournalError | None = _refusal(host)
        self.whole: int | None = None
        """How many entries of what is unkept may be written, while a change is being made."""
        self._host: Final = host
        self._written: Final = written
        self._recovered: Final = recovered
        self._thread: Final = ThreadPoolExecutor(1, "journal")
        self._waiting: Waiters = []
        self._unsafe: Waiters | None = None
        """Those whose changes are written and not yet safe; None when all is that is written."""
        self._work: Final = asyncio.Event()
        self._is_called = False
        self._is_busy = False
        self._writing: Final = _Pace()
        self._securing: Final = _Pace()

    @property
    def depth(self) -> int:
        """How many entries the journal has still to be given."""
        return len(self._host.unkept)

    def kept(self) -> "asyncio.Future[None]":
        """What is done when all that has been changed so far is safe."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.failure is None and (self._has_work() or self._is_at_it()):
            self._waiting.append(done)
            self.call()
        else:
            done.set_result(None)
        return done

    def call(self) -> None:
        """Has the journal written as soon as all who are ready now have made their changes."""
        if not self._is_called:
            self._is_called = True
            asyncio.get_running_loop().call_soon(self._keep)

    async def keep_on(self) -> None:
        """Writes what is not written in the loop, for ever."""
        if self.failure is not None:
            self._work.set()
        while True:
            await self._work.wait()
            self._work.clear()
            self._is_busy = True
            try:
                await self._keep_in_thread()
            except JournalError as failure:
                await self._fail(failure)
            finally:
                self._is_busy = False

    async def stop(self) -> None:
        """Ends the thread; who still waits is refused. To be called when nothing changes."""
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)
        self._refuse(Stopping("the board went down before this was kept"))

    def _has_work(self) -> bool:
        return bool(self._host.unkept or self._waiting)

    def _is_at_it(self) -> bool:
        return self._is_busy or self._unsafe is not None

    def _keep(self) -> None:
        """Writes here, where that is quick, or leaves it to the thread.

        What fails is tried again by the thread, and told by it.
        """
        self._is_called = False
        if self._unsafe is not None:
            return  # who makes that safe looks again
        entries = self._host.unkept[:]
        if not self._is_quick(entries):
            self._work.set()
            return
        try:
            self._write(entries)
        except Exception:
            self._writing.is_doubted()
            self._work.set()
            return
        self._unsafe, self._waiting = self._waiting, []
        self._have_written(entries)
        if self._securing.is_quick:
            asyncio.get_running_loop().call_soon(self._secure_here)
        else:
            self._work.set()

    def _is_quick(self, entries: list[Entry]) -> bool:
        """Whether nobody notices when these are written in the loop."""
        is_called = self._is_busy or self._work.is_set()
        is_at_rest = not is_called and self.whole is None and self.failure is None
        is_due = is_at_rest and self._writing.is_quick and bool(entries)
        return is_due and _is_small(entries) and self._host.journal.is_free

    def _secure_here(self) -> None:
        """Makes safe what was written here; those who are told of it have been."""
        try:
            self._secure()
        except Exception:
            self._securing.is_doubted()
            self._work.set()
            return
        self._succeed()

    async def _keep_in_thread(self) -> None:
        if self._unsafe is None:
            entries = self._host.unkept[: self.whole]  # all, or up to a change that is being made
            self._unsafe, self._waiting = self._waiting, []
            if entries:
                await self._by_thread(lambda: self._write(entries))
                self._have_written(entries)
        await self._by_thread(self._secure)
        self._succeed()

    async def _by_thread(self, act: Callable[[], None]) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, act)
        except JournalError:
            raise
        except Exception as reason:  # whoever waits must be told, whatever it is
            _log.exception("the journal failed in a way that it should not")
            raise JournalFailed(f"the journal failed: {type(reason).__name__}") from reason

    def _write(self, entries: list[Entry]) -> None:
        """Writes some entries, in whatever thread, and notes how long it took if they are few."""
        begin = time.perf_counter()
        self._host.journal.append(entries)
        if len(entries) <= _LONE:
            self._writing.took(time.perf_counter() - begin)

    def _secure(self) -> None:
        begin = time.perf_counter()
        self._host.journal.secure()
        self._securing.took(time.perf_counter() - begin)

    def _have_written(self, entries: list[Entry]) -> None:
        del self._host.unkept[: len(entries)]
        if self.whole is not None:
            self.whole -= len(entries)
        self._written(entries[-1].seq)

    def _succeed(self) -> None:
        """All that is written is safe: answers those who waited, and looks for more."""
        done, self._unsafe = self._unsafe or [], None
        if self.failure is not None:
            _log.warning("the journal can be written again")
            self.failure = None
            self._recovered()
        for each in done:
            if not each.done():
                each.set_result(None)
        if self._has_work() and self.whole is None:
            self.call()

    async def _fail(self, failure: JournalError) -> None:
        """The board is read-only until the journal can be written; who waited is told so."""
        if self.failure is None:
            _log.error("the journal can't be written, nothing is changed: %s", failure.message)
        self.failure = failure
        self._refuse(
            ReadOnly(
                "the change is made but can't be kept now; it will be as soon as the journal can "
                f"be written: {failure.message}"
            ),
        )
        await asyncio.sleep(_RETRY)
        self._work.set()

    def _refuse(self, reason: Exception) -> None:
        told, self._waiting, self._unsafe = [*(self._unsafe or []), *self._waiting], [], None
        for each in told:
            if not each.done():
                each.set_exception(reason)


def _refusal(host: Host) -> JournalError | None:
    """Why a journal that has just been opened can't be written, if that is so."""
    try:
        host.journal.secure()
    except JournalError as failure:
        _log.error("the journal can't be written, nothing is changed: %s", failure.message)
        return failure
    return None


class _Pace:
    """How long something takes of late; one that is slow counts for a while."""

    def __init__(self) -> None:
        self._seconds = _SLOW

    @property
    def is_quick(self) -> bool:
        return self._seconds <= _QUICK

    def took(self, seconds: float) -> None:
        self._seconds = max(seconds, self._seconds + (seconds - self._seconds) / _FORGETTING)

    def is_doubted(self) -> None:
        self._seconds = _SLOW


def _is_small(entries: list[Entry]) -> bool:
    """Whether some entries are few, and hold few facts."""
    if len(entries) > _LONE:
        return False
    deltas = [entry for entry in entries if isinstance(entry, Delta)]
    facts = (
        len(d.became_true) + len(d.ceased) + len(d.asserted) + len(d.withdrawn) for d in deltas
    )
    return sum(facts) <= _FEW
