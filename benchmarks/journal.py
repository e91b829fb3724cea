"""Benchmarks of the journal: the cost of writing, and the time of a restart."""

import gc
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.measures import Figure, Measure
from benchmarks.scenes import board_with, common_sense, facts_of_a_room
from kb_server.core.models.board import Board, BoardSettings
from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.revision import Revision
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.journal.boards import board_at, restore
from kb_server.journal.protocol import AtSeq, JournalSettings
from kb_server.journal.sqlite import SqliteJournal, open_journal

__all__ = ["MEASURES", "appending", "past", "starting", "sustained"]

_ROWS: Final = 1_000_000
_LIVE: Final = 20_000
_BATCH: Final = 1_000
_NOTHING: Final = CommonSense([])
_SAFE: Final = JournalSettings()
_QUICK: Final = JournalSettings(durability="off")


def starting() -> list[Figure]:
    """A start after a million deltas, against loading the facts that hold."""
    common = common_sense()
    facts = facts_of_a_room(_LIVE, common)
    with tempfile.TemporaryDirectory() as folder:
        size = _written(Path(folder), common, facts)
        gc.collect()
        load = min(_timed(lambda: board_with(facts, common)) for _ in range(3))
        ours = min(_timed(lambda: _started(Path(folder), common)) for _ in range(3))
    name = "start with 1 000 000 journal rows and 20 000 live facts"
    ratio = ours / load
    against = f"{_shown(load)} to load the facts; journal of {size >> 20} MB"
    return [Figure(name, _shown(ours), against, ratio, "≤ 3×", ratio <= 3)]


def past() -> list[Figure]:
    """A query about the past, against loading the facts that held then."""
    common = common_sense()
    facts = facts_of_a_room(_LIVE, common)
    with tempfile.TemporaryDirectory() as folder:
        _written(Path(folder), common, facts, 50_000)
        journal = open_journal(Path(folder), common.names, _QUICK)
        load = _timed(lambda: board_with(facts, common))
        moments = (AtSeq(n) for n in (9_999, 25_000, 49_000))
        ours = statistics.median(
            [_timed(partial(board_at, journal, common, moment)) for moment in moments]
        )
        asked = statistics.median(_asked(journal) for _ in range(5))
        journal.close()
    return [_board_of_the_past(ours, load), _history(asked)]


def _board_of_the_past(ours: float, load: float) -> Figure:
    against = f"{_shown(load)} to load the facts"
    name = "the board at a past moment, 20 000 facts"
    return Figure(name, _shown(ours), against, ours / load, "≤ 1×", ours <= load)


def _history(asked: float) -> Figure:
    name = "history of one object in 50 000 deltas"
    return Figure(name, _shown(asked), "100 ms", asked / 0.1, "≤ 1×", asked <= 0.1)


def appending() -> list[Figure]:
    """One delta stored safely, against one SQLite commit of as many bytes."""
    with tempfile.TemporaryDirectory() as folder:
        journal = open_journal(Path(folder) / "ours", Names(), _SAFE)
        bare = _bare(Path(folder) / "bare.sqlite")
        ours, floor = [], []
        for delta in _moves(["thing5"], 0, 1_000):
            ours.append(_timed(partial(_safe, journal, delta)))
            floor.append(_timed(lambda: _commit(bare, b"x" * 300)))
        journal.close()
        bare.close()
    one, other = statistics.median(ours), statistics.median(floor)
    ratio = one / other
    name = "one delta stored in the journal"
    return [
        Figure(name, _shown(one), f"bare commit {_shown(other)}", ratio, "≤ 1.5×", ratio <= 1.5)
    ]


def sustained() -> list[Figure]:
    """Facts a second in batches of twenty, reasoned on and stored, against one commit a batch."""
    common = common_sense()
    facts = facts_of_a_room(_LIVE, common)
    batches = [tuple(facts[i : i + 20]) for i in range(0, len(facts), 20)]
    with tempfile.TemporaryDirectory() as folder:
        bare = _bare(Path(folder) / "bare.sqlite")
        floor = _timed(lambda: _asserted(Board(common), batches, partial(_commit_as_large, bare)))
        bare.close()
        journal = open_journal(Path(folder) / "ours", common.names, _SAFE)
        board = Board(common)
        restore(board, journal, 0.0)
        ours = _timed(lambda: _asserted(board, batches, partial(_kept, journal)))
        journal.close()
    rates = [f"{len(facts) / seconds:,.0f} facts/s".replace(",", " ") for seconds in (ours, floor)]
    name = "facts added and stored in batches of 20, one thread"
    against = f"{rates[1]} with bare commits"
    return [Figure(name, rates[0], against, ours / floor, "≤ 1.5×", ours <= 1.5 * floor)]


MEASURES: Final[tuple[Measure, ...]] = (appending, sustained, past, starting)


def _asserted(
    board: Board, batches: Sequence[tuple[Statement, ...]], keep: Callable[[ModelDelta], None]
) -> None:
    for i, batch in enumerate(batches):
        delta = board.revise("myself", Revision(add=batch), float(i))
        if delta is not None:
            keep(delta)


def _safe(journal: SqliteJournal, delta: ModelDelta) -> None:
    journal.append([delta])
    journal.secure()


def _kept(journal: SqliteJournal, delta: ModelDelta) -> None:
    _safe(journal, delta)
    if delta.seq % 100 == 0:
        journal.maintain(delta.t)


def _commit_as_large(connection: sqlite3.Connection, delta: ModelDelta) -> None:
    """Commits as many bytes as the facts of a delta have."""
    _commit(connection, b"x" * sum(len(term) for fact in delta.became_true for term in fact))


def _written(folder: Path, common: CommonSense, facts: list[Statement], rows: int = _ROWS) -> int:
    """Writes a journal with a number of deltas: the facts, then objects that move to and fro."""
    journal = open_journal(folder, common.names, _QUICK)
    board = Board(common, BoardSettings(derivations=10_000_000))
    restore(board, journal, 0.0)
    first = board.revise("myself", Revision(add=tuple(facts)), 0.0)
    assert first is not None
    journal.append([first])
    things = [s for s, p, _ in facts if p == "isOn"]
    for start in range(1, rows, _BATCH):
        journal.append(list(_moves(things, start, min(_BATCH, rows - start))))
        journal.maintain(float(start))
    size = journal.health().bytes_used
    journal.close()
    return size


def _moves(things: Sequence[str], after: int, count: int) -> Iterator[ModelDelta]:
    """Deltas as a spatial reasoner makes them: an object is seen, and then it is not."""
    maker = Board(_NOTHING)
    for i in range(after, after + count):
        thing = things[(after + (i - after) // 2) % len(things)]
        fact = (thing, "isMoving", "true")
        if i % 2 == after % 2:
            delta = maker.revise("myself", Revision(add=(fact,)), float(i))
        else:
            delta = maker.revise("myself", Revision(retract=(fact,)), float(i))
        assert delta is not None
        yield ModelDelta(
            i + 1,
            delta.model,
            delta.t,
            delta.became_true,
            delta.ceased,
            delta.asserted,
            delta.withdrawn,
            "spatial",
            float(i),
        )


def _started(folder: Path, common: CommonSense) -> None:
    journal = open_journal(folder, common.names, _SAFE)
    board = Board(common)
    restore(board, journal, 1e9)
    board.expire(1e9)
    assert board.seq == _ROWS
    journal.close()


def _asked(journal: SqliteJournal) -> float:
    return _timed(lambda: list(journal.history("myself", "thing77", "isMoving")))


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, body BLOB)")
    return connection


def _commit(connection: sqlite3.Connection, body: bytes) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO row (body) VALUES (?)", (body,))
    connection.execute("COMMIT")


def _timed(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def _shown(seconds: float) -> str:
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
