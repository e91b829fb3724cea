"""Before a journal is opened: is all of it there, and if not, is it only the end that is missing?

A damaged end is cut off: what is whole is copied to a new file, and the old one is kept beside it.
Damage with something whole behind it stops the start, for a state that leaves out its middle is a
wrong one. There are three ways out, and the error says what each would come to: `export_readable`
writes down all that can be read, `cut_at_damage` goes back to the last delta before the damage, and
`forget_before_damage` goes on from the first snapshot behind it. Where no snapshot leads up to what
is whole, they go back to the newest there is on that side; where none can be read, `cut_at_damage`
folds the deltas from the first one on. A file that has lost its first page is read all the same.
"""

import logging
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, TextIO

from kb_server.core.agents import ROBOT
from kb_server.core.terms import Names
from kb_server.journal.codec import decode
from kb_server.journal.database import connect, failure
from kb_server.journal.errors import JournalDamaged
from kb_server.journal.folder import FILE, FolderLock
from kb_server.journal.grafting import graft
from kb_server.journal.identity import forget_identity
from kb_server.journal.protocol import Durability
from kb_server.journal.rows import SegmentRow, SnapshotRow, put
from kb_server.journal.snapshots import bodies_of, written
from kb_server.journal.spelling import Fingerprints, tables_of
from kb_server.journal.state import BEGINNING, ModelState, State
from kb_server.journal.survey import (
    SEGMENTS,
    TAIL,
    Leftover,
    Part,
    Survey,
    each,
    leftover,
    survey,
)
from kb_server.journal.upkeep import keys_of, put_segment

__all__ = ["cut_at_damage", "export_readable", "forget_before_damage", "mend"]

_log: Final = logging.getLogger(__name__)
_BEGUN: Final = "begun"
_WAL: Final = "-wal"
_SHARED: Final = "-shm"
_PATIENT: Final = "journal.patient"
_NEW: Final = "journal.mending"
_READY: Final = "journal.mended"


def mend(folder: Path, durability: Durability = "full") -> None:
    """Makes a folder ready to be opened: JournalDamaged when it must not be."""
    file = folder / FILE
    if (folder / _READY).exists():
        _swapped(folder)
    if _is_missing(folder):
        raise _damaged(folder, "the file is missing or empty")
    rest = leftover(_beside(file, _WAL))
    if rest.commits > 1 and durability == "full":
        raise _damaged(folder, f"{rest.commits} changes in the write-ahead log can't be read")
    found = _inspected(file)
    if found is None or not found.is_sound:
        _mend(folder)
    elif rest.frames:
        _tell_of(rest, folder)
    (folder / _BEGUN).touch()


def export_readable(folder: Path, out: TextIO) -> int:
    """Writes every delta that can be read as a line of JSON; how many those are."""
    count = 0
    with _patient(folder) as (connection, _):
        wrong: list[str] = []
        for line in _lines(connection, wrong):
            out.write(line.decode() + "\n")
            count += 1
        for reason in wrong:
            _log.warning("left out: %s", reason)
    return count


def cut_at_damage(folder: Path) -> int:
    """Goes back to the last delta before the damage, and returns it; the old file is kept."""
    return _taken(folder, lambda found: found.before_damage).end


def forget_before_damage(folder: Path) -> int:
    """Keeps the state of today and what can be read behind the damage, and returns the oldest."""
    if leftover(_beside(folder / FILE, _WAL)).commits > 1:
        raise _damaged(folder, "nothing behind the damage in the write-ahead log can be read")
    return _taken(folder, lambda found: found.behind_damage).first


def _taken(folder: Path, choose: Callable[[Survey], Part | None]) -> Part:
    """A part takes the place of all; JournalDamaged when no state is to be had from it."""
    lock = FolderLock(folder)
    try:
        with _patient(lock.folder) as (connection, _):
            found = survey(connection, thorough=True)
            part = choose(found)
            if part is None:
                raise _damaged(folder, "no snapshot on that side of the damage can be read", found)
            _rebuild(connection, lock.folder, part)
        _swap(lock.folder)
        return part
    finally:
        lock.release()


def _mend(folder: Path) -> None:
    """Cuts off a damaged end; any other damage is JournalDamaged, and nothing is touched."""
    with _patient(folder) as (connection, is_grafted):
        found = survey(connection, thorough=True)
        part = found.before_damage
        why = "; ".join((*(["its first page is lost"] if is_grafted else []), *found.wrong[:3]))
        if part is None or is_grafted or not found.is_cut_short:
            raise _damaged(folder, why or "no snapshot can be read", found)
        _rebuild(connection, folder, part)
    kept = _swap(folder)
    _log.warning(
        "the end of the journal %s was damaged (%s): it now ends with delta %d; the damaged file "
        "is kept as %s",
        folder / FILE,
        why,
        part.end,
        kept.name,
    )


def _inspected(file: Path) -> Survey | None:
    """What a healthy file holds; None for one that SQLite can't read."""
    try:
        with closing(connect(str(file))) as connection:
            found = survey(connection)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return found
    except sqlite3.OperationalError as reason:
        raise failure(reason, str(file)) from reason
    except sqlite3.DatabaseError:
        return None


def _is_missing(folder: Path) -> bool:
    """Whether there was a journal here that had begun, and there is none now."""
    file = folder / FILE
    return (folder / _BEGUN).exists() and not _size(file)


@contextmanager
def _patient(folder: Path) -> Iterator[tuple[sqlite3.Connection, bool]]:
    """A copy of a journal to read what can be read of it, and whether it lacked its first page.

    A file too short is filled up.
    """
    file, copy = folder / FILE, folder / _PATIENT
    if not file.exists():
        raise JournalDamaged(
            f"the journal in {folder} is gone, and nothing can be mended from it; put it back, or "
            "start with another folder",
            folder=str(folder),
        )
    shutil.copyfile(file, copy)
    _fill_up(copy)
    if _beside(file, _WAL).exists():
        shutil.copyfile(_beside(file, _WAL), _beside(copy, _WAL))
    try:
        is_grafted = graft(copy)
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            yield connection, is_grafted
    except sqlite3.DatabaseError as reason:
        raise _damaged(folder, str(reason)) from reason
    finally:
        _remove(copy)


def _fill_up(copy: Path) -> None:
    """SQLite reads nothing of a file that is shorter than it says of itself."""
    with copy.open("r+b") as file:
        head = file.read(32)
        size = int.from_bytes(head[16:18]) if len(head) == 32 else 0
        whole = int.from_bytes(head[28:32]) * (65_536 if size == 1 else size)
        if whole > _size(copy) and whole <= 2 * _size(copy) + 2**26:
            file.truncate(whole)


def _rebuild(old: sqlite3.Connection, folder: Path, part: Part) -> None:
    """A new file of a part."""
    _remove(folder / _NEW)
    with closing(connect(str(folder / _NEW))) as new:
        new.execute("BEGIN")
        put(new, "names", old.execute("SELECT * FROM names"))
        _copy_deltas(old, new, part)
        _copy_states(old, new, part)
        new.execute("COMMIT")
        new.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _copy_deltas(old: sqlite3.Connection, new: sqlite3.Connection, part: Part) -> None:
    tables = tables_of(old)
    for segment in each(old, SEGMENTS, []):
        if part.first <= segment.first and segment.last <= part.end:
            put_segment(new, segment, _keys(segment, Names(tables[segment.names])))
    put(new, "tail", (row for row in each(old, TAIL, []) if part.first <= row.seq <= part.end))


def _copy_states(old: sqlite3.Connection, new: sqlite3.Connection, part: Part) -> None:
    asked = "SELECT * FROM model WHERE id > ? AND seq <= ? ORDER BY id"
    dropped = part.heads[0].records if part.heads else 0
    put(new, "model", old.execute(asked, (dropped, part.end)))
    if not part.heads:
        _begin(new, min(tables_of(old)))
    for head in part.heads:
        bodies = enumerate(bodies_of(old, head))
        put(new, "snapshot_part", ((head.id, i, body) for i, body in bodies))
    put(new, "snapshot", part.heads)


def _begin(new: sqlite3.Connection, names: int) -> None:
    """The snapshot that every journal begins with: the robot's mind, empty."""
    bodies = list(written(State(models={ROBOT: ModelState()})))
    put(new, "snapshot_part", ((1, i, body) for i, body in enumerate(bodies)))
    crc = zlib.crc32(b"".join(bodies))
    put(new, "snapshot", [SnapshotRow.of((1, 0, BEGINNING, 0, names), len(bodies), 0, crc)])


def _keys(segment: SegmentRow, names: Names) -> set[int]:
    return keys_of(map(decode, segment.lines()), Fingerprints(names))


def _swap(folder: Path) -> Path:
    """Puts the new file in the place of the old one, which is kept under a name of its own.

    Whenever it is killed, the next start goes on with it.
    """
    (folder / _NEW).rename(folder / _READY)
    return _swapped(folder)


def _swapped(folder: Path) -> Path:
    file = folder / FILE
    number = 1 + sum(1 for _ in folder.glob(f"{FILE}.damaged-*[0-9]"))
    kept = folder / f"{FILE}.damaged-{number}"
    if _beside(file, _WAL).exists():
        _beside(file, _WAL).rename(_beside(kept, _WAL))
    _beside(file, _SHARED).unlink(missing_ok=True)
    if file.exists():
        file.rename(kept)
    forget_identity(folder)
    (folder / _READY).rename(file)
    return kept


def _lines(connection: sqlite3.Connection, wrong: list[str]) -> Iterator[bytes]:
    for segment in each(connection, SEGMENTS, wrong):
        yield from segment.lines()
    for row in each(connection, TAIL, wrong):
        yield row.body


def _tell_of(rest: Leftover, folder: Path) -> None:
    what = "in the middle of a write that nobody was told of"
    if rest.commits > 1:
        what = f"with {rest.commits} changes that a power cut has torn; they are lost"
        forget_identity(folder)
    _log.warning("the journal %s ended %s: %d pages dropped", folder / FILE, what, rest.frames)


def _damaged(folder: Path, why: str, found: Survey | None = None) -> JournalDamaged:
    return JournalDamaged(
        f"the journal in {folder} is damaged, and not only at its end: {why}. Nothing was changed. "
        f"export_readable() writes down what can be read{_ways(found)}; or start with another "
        "folder",
        folder=str(folder),
    )


def _ways(found: Survey | None) -> str:
    """What the ways out would come to; all of them, where nobody has looked."""
    cut, forget = "cut_at_damage() goes back to before the damage", "forget_before_damage() keeps"
    if found is None:
        return f", {cut}, {forget} what is behind it"
    before, behind = found.before_damage, found.behind_damage
    told = [f"{cut}: the board as it was after delta {before.end}"] if before else []
    if behind:
        history = f"with its history from delta {behind.first} on"
        told.append(f"{forget} the newest: the board as it was after delta {behind.end}, {history}")
    return ", ".join(["", *told]) if told else "; no state of the board can be"


def _beside(file: Path, suffix: str) -> Path:
    return file.with_name(file.name + suffix)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _remove(file: Path) -> None:
    for suffix in ("", _WAL, _SHARED):
        _beside(file, suffix).unlink(missing_ok=True)
