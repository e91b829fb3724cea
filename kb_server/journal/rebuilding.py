"""Rebuilding a journal's file from the intact part of a damaged one.

1. The intact part is copied to a new file.
2. The new file is renamed to mark it complete.
3. The old file is renamed and kept; the new one takes its name.

If the process is killed in between, the folder holds the old file or the complete new one.
"""

import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from kb_server.core.models.agents import ROBOT
from kb_server.core.terms.terms import Names
from kb_server.journal.codec import decode
from kb_server.journal.database import POSTED, connect
from kb_server.journal.folder import FILE
from kb_server.journal.identity import forget_identity
from kb_server.journal.postings import keys_of, post, put_segment, rows_of, seal_segment
from kb_server.journal.rows import SegmentRow, SnapshotRow, TailRow, put
from kb_server.journal.snapshots import bodies_of, written
from kb_server.journal.spelling import Fingerprints, tables_of
from kb_server.journal.state import BEGINNING, ModelState, State
from kb_server.journal.survey import SEGMENTS, TAIL, IntactPart, each, records_within

__all__ = [
    "WAL",
    "beside",
    "finish_swap",
    "index_sealed",
    "rebuild",
    "remove",
    "seal_index",
    "size_of",
    "swap",
]

WAL: Final = "-wal"
_SHARED: Final = "-shm"
_NEW: Final = "journal.mending"
_READY: Final = "journal.mended"


def index_sealed(connection: sqlite3.Connection) -> bool:
    """Whether the index of the history has checksums; the first versions wrote none."""
    asked = "SELECT count(*) FROM sqlite_schema WHERE name = 'posted'"
    return bool(connection.execute(asked).fetchone()[0])


def seal_index(connection: sqlite3.Connection) -> None:
    """Rebuild the index of an older version with checksums, in one transaction."""
    tables = tables_of(connection)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(POSTED)
    connection.execute("DELETE FROM posting")
    for segment in each(connection, SEGMENTS, []):
        keys = _keys(segment, tables)
        for rows in rows_of(segment, keys):
            post(connection, rows)
        seal_segment(connection, segment, keys)
    connection.execute("COMMIT")


def rebuild(old: sqlite3.Connection, folder: Path, part: IntactPart) -> None:
    """Write a new file with a part of an old journal."""
    remove(folder / _NEW)
    with closing(connect(str(folder / _NEW))) as new:
        new.execute("BEGIN")
        put(new, "names", old.execute("SELECT * FROM names"))
        _copy_deltas(old, new, part)
        _copy_states(old, new, part)
        new.execute("COMMIT")
        new.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _copy_deltas(old: sqlite3.Connection, new: sqlite3.Connection, part: IntactPart) -> None:
    tables = tables_of(old)
    for segment in each(old, SEGMENTS, []):
        if part.first <= segment.first and segment.last <= part.end:
            keys = _keys(segment, tables)
            for rows in rows_of(segment, keys):
                post(new, rows)
            put_segment(new, segment, keys)
        elif part.first <= segment.first <= part.end:
            put(new, "tail", _unpacked(segment, part.end))
    put(new, "tail", (row for row in each(old, TAIL, []) if part.first <= row.seq <= part.end))


def _unpacked(segment: SegmentRow, end: int) -> Iterator[TailRow]:
    """Yield the deltas of a segment up to `end`, as rows of the tail."""
    t = segment.t
    for seq, line in zip(range(segment.first, end + 1), segment.lines(), strict=False):
        t = max(t, float(decode(line).t))
        yield TailRow.of(seq, t, segment.names, line)


def _copy_states(old: sqlite3.Connection, new: sqlite3.Connection, part: IntactPart) -> None:
    dropped = part.heads[0].records if part.heads else 0
    put(new, "model", records_within(old, dropped, part.end))
    if not part.heads:
        _begin(new, min(tables_of(old)))
    for head in part.heads:
        bodies = enumerate(bodies_of(old, head))
        put(new, "snapshot_part", ((head.id, i, body) for i, body in bodies))
    put(new, "snapshot", part.heads)


def _begin(new: sqlite3.Connection, names: int) -> None:
    """Write the snapshot that every journal begins with: an empty model of the robot."""
    bodies = list(written(State(models={ROBOT: ModelState()})))
    put(new, "snapshot_part", ((1, i, body) for i, body in enumerate(bodies)))
    crc = zlib.crc32(b"".join(bodies))
    put(new, "snapshot", [SnapshotRow.of((1, 0, BEGINNING, 0, names), len(bodies), 0, crc)])


def _keys(segment: SegmentRow, tables: Mapping[int, Mapping[str, str]]) -> set[int]:
    names = Names(tables[segment.names])
    return keys_of(map(decode, segment.lines()), Fingerprints(names))


def swap(folder: Path, is_same: bool = False) -> Path:
    """Put the new file in the place of the old one; return the name under which that is kept.

    If it is killed, the next start completes it. Unless the content `is_same`, deltas are lost and
    later ones reuse their numbers, so the board gets a new identity.
    """
    if not is_same:
        forget_identity(folder)
    (folder / _NEW).rename(folder / _READY)
    return _swapped(folder)


def finish_swap(folder: Path) -> None:
    """Complete a swap that was killed, if there is one."""
    if (folder / _READY).exists():
        _swapped(folder)


def _swapped(folder: Path) -> Path:
    file = folder / FILE
    number = 1 + sum(1 for _ in folder.glob(f"{FILE}.damaged-*[0-9]"))
    kept = folder / f"{FILE}.damaged-{number}"
    if beside(file, WAL).exists():
        beside(file, WAL).rename(beside(kept, WAL))
    beside(file, _SHARED).unlink(missing_ok=True)
    if file.exists():
        file.rename(kept)
    (folder / _READY).rename(file)
    return kept


def beside(file: Path, suffix: str) -> Path:
    """Return the path of a file that SQLite keeps beside another."""
    return file.with_name(file.name + suffix)


def size_of(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def remove(file: Path) -> None:
    """Delete a database file and the files that SQLite keeps beside it."""
    for suffix in ("", WAL, _SHARED):
        beside(file, suffix).unlink(missing_ok=True)
