"""The keeper: it writes changes to the journal and makes them safe from a power failure.

1. Written entries survive a crash of the server, so subscribers are notified at once.
2. An answer also requires that they survive a power failure, so it waits for the disk sync.
   All entries that have come together meanwhile are written in one commit.

A thread writes, so that a slow disk delays no client. Passing a commit to a thread and back takes
longer than a fast disk takes for the commit. Therefore, while the latest small commits were quick,
a lone small one is written in the loop, after all tasks that are ready have made their changes.
After a slow commit the thread writes again.

While the journal can't be written, the board is read-only, and the keeper tries again every
second to write the changes that were made before.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from kb_server.core.models.delta import ModelDelta
from kb_server.errors import JournalError, JournalFailed, ReadOnly, Stopping
from kb_server.host import Host
from kb_server.journal.state import Entry

__all__ = ["JournalWriter"]

_log: Final = logging.getLogger(__name__)
_RETRY: Final = 1.0
_FEW: Final = 200
"""Maximum number of facts in a commit that is written in the loop."""
_LONE: Final = 4
"""Maximum number of entries in such a commit; a thread writes more while others are made."""
_QUICK: Final = 0.002
"""Maximum expected seconds of a commit that is written in the loop."""
_SLOW: Final = 0.016
"""Expected seconds before the first measurement, and after a failure."""
_FORGETTING: Final = 8
"""Weight of the moving average: a slow commit counts for about this many quick ones."""
Waiters = list["asyncio.Future[None]"]


class JournalWriter:
    """Writes the journal of a board.

    `written` is called in the loop with the newest stored `seq`, `recovered` when the journal can
    be written again. Neither may raise.
    """

    def __init__(
        self, host: Host, written: Callable[[int], None], recovered: Callable[[], None]
    ) -> None:
        self.failure: JournalError | None = _refusal(host)
        self.whole: int | None = None
        """The number of entries that may be written while a large change is being made."""
        self._host: Final = host
        self._written: Final = written
        self._recovered: Final = recovered
        self._thread: Final = ThreadPoolExecutor(1, "journal")
        self._waiting: Waiters = []
        self._unsafe: Waiters | None = None
        """The futures of changes that are written and not yet safe; None if all are safe."""
        self._work: Final = asyncio.Event()
        self._is_called = False
        self._is_busy = False
        self._writing: Final = _Pace()
        self._securing: Final = _Pace()

    @property
    def depth(self) -> int:
        """The number of entries that are not yet written."""
        return len(self._host.unkept)

    def kept(self) -> "asyncio.Future[None]":
        """A future that is done when all changes made so far are safe."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.failure is None and (self._has_work() or self._is_at_it()):
            self._waiting.append(done)
            self.call()
        else:
            done.set_result(None)
        return done

    def call(self) -> None:
        """Schedules a write after all tasks that are ready now have made their changes."""
        if not self._is_called:
            self._is_called = True
            asyncio.get_running_loop().call_soon(self._keep)

    async def keep_on(self) -> None:
        """Writes all that is not written in the loop; runs until it is cancelled."""
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
        """Ends the thread and refuses those who still wait; called after the last change."""
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)
        self._refuse(Stopping("the board shut down before the change was stored"))

    def _has_work(self) -> bool:
        return bool(self._host.unkept or self._waiting)

    def _is_at_it(self) -> bool:
        return self._is_busy or self._unsafe is not None

    def _keep(self) -> None:
        """Writes in the loop if that is quick, else leaves it to the thread.

        After a failure the thread tries again, and reports it.
        """
        self._is_called = False
        if self._unsafe is not None:
            return  # it is called again when that is safe
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
        """Whether these entries can be written in the loop without a delay for other clients."""
        is_called = self._is_busy or self._work.is_set()
        is_at_rest = not is_called and self.whole is None and self.failure is None
        is_due = is_at_rest and self._writing.is_quick and bool(entries)
        return is_due and _is_small(entries) and self._host.journal.is_free

    def _secure_here(self) -> None:
        """Makes safe what was written in the loop, after subscribers were notified of it."""
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
        except Exception as reason:  # those who wait must get an error
            _log.exception("the journal failed unexpectedly")
            raise JournalFailed(f"the journal failed: {type(reason).__name__}") from reason

    def _write(self, entries: list[Entry]) -> None:
        """Writes entries, in any thread, and measures the time if they are few."""
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
        """Marks all written changes as safe, and schedules the next write if there is work."""
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
        """Makes the board read-only until the journal can be written; those who wait fail."""
        if self.failure is None:
            _log.error("the journal can't be written, so nothing may change: %s", failure.message)
        self.failure = failure
        self._refuse(
            ReadOnly(
                "the change is made but can't be stored now; it will be as soon as the journal can "
                f"be written: {failure.message}"
            ),
        )
        await asyncio.sleep(_RETRY)
        self._work.set()

    def _refuse(self, reason: Exception) -> None:
        refused, self._waiting, self._unsafe = [*(self._unsafe or []), *self._waiting], [], None
        for each in refused:
            if not each.done():
                each.set_exception(reason)


def _refusal(host: Host) -> JournalError | None:
    """The error of a journal that was just opened and can't be written, or None."""
    try:
        host.journal.secure()
    except JournalError as failure:
        _log.error("the journal can't be written, so nothing may change: %s", failure.message)
        return failure
    return None


class _Pace:
    """The recent duration of an operation: raised at once by a slow one, lowered slowly."""

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
    """Whether the entries are few and contain few facts."""
    if len(entries) > _LONE:
        return False
    deltas = [entry for entry in entries if isinstance(entry, ModelDelta)]
    facts = (
        len(d.became_true) + len(d.ceased) + len(d.asserted) + len(d.withdrawn) for d in deltas
    )
    return sum(facts) <= _FEW
