"""The one writer: turns, cancellation, a journal that fails, and stopping."""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.revision import read_revision
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.errors import JournalFailed, ReadOnly, Stopping
from kb_server.host import Host
from kb_server.journal.sqlite import SqliteJournal
from kb_server.journal.state import Entry
from kb_server.service.desk.revising import weight_of
from kb_server.service.writing.board_lock import BoardLock
from kb_server.service.writing.writer import BoardWriter
from tests.models.boards import Request

LARGE = 1_000_000


class Clock:
    """A clock that is set by hand."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def run(story: Callable[[BoardWriter], Awaitable[None]], folder: Path | None = None) -> None:
    """Plays a story with a writer of its own, which is stopped in the end."""

    async def play() -> None:
        host = Host(CommonSense([]), folder, clock=Clock())
        writer = BoardWriter(host, 1_000)
        writer.start()
        try:
            await asyncio.wait_for(story(writer), 20)
        finally:
            await writer.stop()
            host.journal.close()

    asyncio.run(play())


def add(writer: BoardWriter, fact: str, **more: Any) -> Callable[[], ModelDelta | None]:
    revision = read_revision(writer.host.names, add=[fact], **more)
    return lambda: writer.host.revise("myself", revision)


def holds(writer: BoardWriter, *fact: str) -> bool:
    return tuple(fact) in writer.host.board.model("myself").facts()


def journal_of(writer: BoardWriter) -> SqliteJournal:
    assert isinstance(writer.host.journal, SqliteJournal)
    return writer.host.journal


def test_who_is_cancelled_waits_for_its_thread() -> None:
    """Nobody gets a turn while the thread of a cancelled change is still at the board."""

    async def story(writer: BoardWriter) -> None:
        begun, go_on = threading.Event(), threading.Event()

        def slow() -> None:
            begun.set()
            go_on.wait(10)
            add(writer, "a p b")()

        change = asyncio.create_task(writer.change(slow, LARGE))
        await asyncio.to_thread(begun.wait, 10)
        change.cancel()
        other = asyncio.create_task(writer.change(add(writer, "c p d")))
        await asyncio.sleep(0)
        change.cancel()
        assert not change.done()
        assert not other.done()
        go_on.set()
        delta = await other
        with pytest.raises(asyncio.CancelledError):
            await change
        assert delta is not None
        assert delta.seq == 2
        assert holds(writer, "a", "p", "b")

    run(story)


def test_who_is_cancelled_in_the_queue_keeps_nobody_waiting() -> None:
    """Those behind somebody who gives up get their turn."""

    async def story(writer: BoardWriter) -> None:
        async with writer.board_lock.short():
            waiting = [
                asyncio.create_task(writer.change(add(writer, f"a p b{n}"))) for n in (1, 2, 3)
            ]
            await asyncio.sleep(0)
            waiting[0].cancel()
        waiting[1].cancel()
        done = await asyncio.gather(*waiting, return_exceptions=True)
        assert isinstance(done[0], asyncio.CancelledError)
        assert holds(writer, "a", "p", "b3")
        assert not writer.board_lock.taken

    run(story)


def test_changes_go_before_long_reads_but_not_for_ever() -> None:
    """A long read lets a hundred changes pass, and no more."""

    async def story() -> None:
        turns = BoardLock()
        order: list[str] = []

        async def take(name: str) -> None:
            async with turns.long() if name == "long" else turns.short():
                order.append(name)

        async with turns.short():
            names = ["long", *["short"] * 150]
            tasks = [asyncio.create_task(take(name)) for name in names]
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        assert order.index("long") == 100
        assert not turns.taken

    asyncio.run(story())


def test_a_question_does_not_wait_for_a_long_read() -> None:
    """Who reads for a moment need not wait for who reads for a while, and changes wait for both."""

    async def story(writer: BoardWriter) -> None:
        begun, go_on = threading.Event(), threading.Event()

        def slow() -> bool:
            begun.set()
            return go_on.wait(10)

        reading = asyncio.create_task(writer.read_long(slow))
        await asyncio.to_thread(begun.wait, 10)
        change = asyncio.create_task(writer.change(add(writer, "a p b")))
        assert not await writer.read(lambda: holds(writer, "a", "p", "b"))
        assert not change.done()
        go_on.set()
        assert await reading
        await change

    run(story)


def test_a_large_change_is_kept_whole_or_not_at_all() -> None:
    """What a change in a thread has made is not given to the journal before it is done."""

    async def story(writer: BoardWriter) -> None:
        half, go_on = threading.Event(), threading.Event()

        def slow() -> None:
            add(writer, "a p b")()
            half.set()
            go_on.wait(10)
            add(writer, "c p d")()

        change = asyncio.create_task(writer.change(slow, LARGE))
        await asyncio.to_thread(half.wait, 10)
        await writer.kept()
        assert writer.host.journal.last_seq == 0
        go_on.set()
        await change
        assert writer.host.journal.last_seq == 2

    run(story)


def writers_of(writer: BoardWriter, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The threads that the journal is written by from now on."""
    threads: list[int] = []
    append = writer.host.journal.append

    def noted(entries: Sequence[Entry]) -> None:
        threads.append(threading.get_ident())
        append(entries)

    monkeypatch.setattr(writer.host.journal, "append", noted)
    return threads


@pytest.mark.parametrize(("quick", "here"), [(float("inf"), True), (0.0, False)])
def test_a_lone_change_is_kept_where_it_is_made_if_that_is_quick(
    monkeypatch: pytest.MonkeyPatch, quick: float, here: bool
) -> None:
    """While commits are quick the loop writes the journal itself; else a thread does."""
    monkeypatch.setattr("kb_server.service.writing.journal_writer._QUICK", quick)

    async def story(writer: BoardWriter) -> None:
        threads = writers_of(writer, monkeypatch)
        for n in range(3):
            await writer.change(add(writer, f"a p b{n}"))
            assert writer.host.journal.last_seq == n + 1
        assert [thread == threading.get_ident() for thread in threads] == [here] * 3

    run(story)


def test_changes_that_come_together_are_kept_together_by_a_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where many changes are ready, one commit keeps them, and the loop goes on meanwhile."""
    monkeypatch.setattr("kb_server.service.writing.journal_writer._QUICK", float("inf"))

    async def story(writer: BoardWriter) -> None:
        threads = writers_of(writer, monkeypatch)
        await asyncio.gather(*(writer.change(add(writer, f"a p b{n}")) for n in range(20)))
        assert len(threads) == 1
        assert threads[0] != threading.get_ident()
        assert writer.host.journal.last_seq == 20

    run(story)


def test_nobody_in_the_loop_waits_for_who_packs_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a thread has the journal for itself, a change waits for it and the loop goes on."""
    monkeypatch.setattr("kb_server.service.writing.journal_writer._QUICK", float("inf"))

    async def story(writer: BoardWriter) -> None:
        held, go_on = threading.Event(), threading.Event()

        def hold() -> None:
            with journal_of(writer).db.write():
                held.set()
                go_on.wait(10)

        packing = asyncio.create_task(asyncio.to_thread(hold))
        await asyncio.to_thread(held.wait, 10)
        change = asyncio.create_task(writer.change(add(writer, "a p b")))
        await asyncio.to_thread(bool)
        assert not change.done()
        go_on.set()
        await packing
        await change
        assert writer.host.journal.last_seq == 1

    run(story, tmp_path)


async def fill(writer: BoardWriter) -> None:
    """Changes and changes, until no more can be kept."""
    for n in range(10_000):
        await writer.change(add(writer, f"a p b{n}"))


@pytest.mark.parametrize("quick", [float("inf"), 0.0])
def test_a_full_disk_makes_the_board_read_only_until_there_is_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: float
) -> None:
    """While the journal can't be written reads go on and changes are refused; then all is kept."""
    monkeypatch.setattr("kb_server.service.writing.journal_writer._QUICK", quick)

    async def story(writer: BoardWriter) -> None:
        await writer.change(add(writer, "a p b"))
        journal_of(writer).db.limit_pages(1)
        with pytest.raises(ReadOnly, match="made but can't be stored"):
            await fill(writer)
        with pytest.raises(ReadOnly, match="nothing can be changed"):
            await writer.change(add(writer, "c p d"))
        assert await writer.read(lambda: holds(writer, "a", "p", "b"))
        assert not holds(writer, "c", "p", "d")
        kept = writer.host.board.seq
        again = asyncio.Event()
        released: list[int] = []
        writer.notifications.on_stored.extend((released.append, lambda _seq: again.set()))
        journal_of(writer).db.limit_pages(10**6)
        await again.wait()
        assert released == [kept]
        while writer.failure is not None:
            await asyncio.to_thread(bool)
        assert await writer.change(add(writer, "c p d")) is not None

    run(story, tmp_path / "board")


@pytest.mark.parametrize("quick", [float("inf"), 0.0])
def test_events_go_when_a_change_is_written_and_answers_when_it_is_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: float
) -> None:
    """Who follows hears of a change before the disk is asked to make it safe; who waits, after."""
    monkeypatch.setattr("kb_server.service.writing.journal_writer._QUICK", quick)

    async def story(writer: BoardWriter) -> None:
        order: list[str] = []
        secure = writer.host.journal.secure

        def noted() -> None:
            order.append("secured")
            secure()

        monkeypatch.setattr(writer.host.journal, "secure", noted)
        writer.notifications.on_stored.append(lambda seq: order.append(f"told of {seq}"))
        for n in (1, 2):
            await writer.change(add(writer, f"a p b{n}"))
            order.append("answered")
        assert order == [
            "told of 1", "secured", "answered", "told of 2", "secured", "answered"
        ]  # fmt: skip

    run(story, tmp_path / "board")


@pytest.mark.parametrize("quick", [float("inf"), 0.0])
def test_a_disk_that_refuses_to_sync_makes_the_board_read_only_until_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: float
) -> None:
    """A change that is written but not safe is refused as one that is not written, and kept."""
    monkeypatch.setattr("kb_server.service.writing.journal_writer._QUICK", quick)
    monkeypatch.setattr("kb_server.service.writing.journal_writer._RETRY", 0.01)
    is_broken = True
    sync = os.fdatasync

    def breaking(file: int) -> None:
        if is_broken:
            raise OSError("the disk is gone")
        sync(file)

    monkeypatch.setattr("os.fdatasync", breaking)

    async def story(writer: BoardWriter) -> None:
        nonlocal is_broken
        with pytest.raises(ReadOnly, match="the disk is gone"):
            await writer.change(add(writer, "a p b"))
        with pytest.raises(ReadOnly, match="nothing can be changed"):
            await writer.change(add(writer, "c p d"))
        is_broken = False
        while writer.failure is not None:
            await asyncio.to_thread(bool)
        await writer.change(add(writer, "c p d"))
        assert [delta.seq for delta in writer.host.journal.deltas(0)] == [1, 2]

    run(story, tmp_path / "board")


def test_a_journal_that_breaks_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the journal raises, those who wait for it are told."""

    async def story(writer: BoardWriter) -> None:
        def broken(_entries: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(writer.host.journal, "append", broken)
        with pytest.raises(ReadOnly):
            await writer.change(add(writer, "a p b"))
        assert isinstance(writer.failure, JournalFailed)

    run(story)


def test_a_follower_that_fails_harms_nobody() -> None:
    """A change is answered and told to the others when one who follows fails."""

    async def story(writer: BoardWriter) -> None:
        told: list[int] = []

        def fail(_delta: ModelDelta) -> None:
            raise ZeroDivisionError

        writer.notifications.on_change.extend((fail, lambda delta: told.append(delta.seq)))
        await writer.change(add(writer, "a p b"))
        assert told == [1]

    run(story)


def test_what_ends_ends_by_itself() -> None:
    """A life that is over is withdrawn when its time has come, without any other change."""

    async def story(writer: BoardWriter) -> None:
        ended = asyncio.Event()
        writer.notifications.on_change.append(lambda delta: ended.set() if delta.ceased else None)
        await writer.change(add(writer, "a p b", ttl=0.01))
        Clock.now += 1
        try:
            await ended.wait()
            assert not holds(writer, "a", "p", "b")
        finally:
            Clock.now -= 1

    run(story)


def test_who_comes_when_it_stops_is_refused() -> None:
    """Changes that were asked for are made before the board goes down, later ones refused."""

    async def story(writer: BoardWriter) -> None:
        before = [asyncio.create_task(writer.change(add(writer, f"a p b{n}"))) for n in range(20)]
        await asyncio.sleep(0)
        await writer.stop()
        assert all(delta is not None for delta in await asyncio.gather(*before))
        with pytest.raises(Stopping):
            await writer.change(add(writer, "c p d"))

    run(story)


@pytest.mark.parametrize(
    ("said", "is_heavy"),
    [
        ({"add": ["ball isIn box"], "retract": ["ball isIn *"]}, False),
        ({"add": ["ball a Ball"]}, False),
        ({"retract": ["* isIn box"]}, True),
        ({"add": ["isIn a owl:TransitiveProperty"]}, True),
        ({"add": ["Cat rdfs:subClassOf Animal"]}, True),
        ({"retract": ["tom owl:sameAs thomas"]}, True),
    ],
)
def test_few_words_may_be_much_work(said: Request, is_heavy: bool) -> None:
    """A sweeping retraction or an axiom is made in a thread, however short it is."""
    names = CommonSense([]).names
    assert (weight_of(read_revision(names, **said)) > 1_000) == is_heavy


def test_a_journal_that_grows_fast_is_looked_after_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """When much is written the upkeep does not wait for its time."""
    maintain, times = SqliteJournal.maintain, asyncio.Queue[int]()

    async def story(writer: BoardWriter) -> None:
        journal, loop = journal_of(writer), asyncio.get_running_loop()

        def noted(journal: SqliteJournal, now: float) -> None:
            maintain(journal, now)
            loop.call_soon_threadsafe(times.put_nowait, journal.last_seq)

        monkeypatch.setattr(SqliteJournal, "maintain", noted)
        for count in (1, 2):
            for n in range(journal.settings.segment):
                await writer.make(add(writer, f"thing{count}-{n} isIn box"))
            await writer.kept()
            while await times.get() < count * journal.settings.segment:
                continue

    run(story)
