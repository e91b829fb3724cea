"""The SQLite file under a journal: its tables, and the connections that write and read.

| table | content |
|---|---|
| `tail` | the newest deltas, a row each: a commit writes a page or two |
| `segment` | older deltas, a thousand packed into a row, a tenth of the size |
| `posting` | the inverted index: which segments mention a term |
| `posted` | for each segment the number and the checksum of its postings |
| `snapshot_part` | the lines of snapshots |
| `snapshot` | the heads of snapshots; a snapshot is valid once its head is written |
| `model` | the creation and deletion of models |
| `names` | the tables of prefixes under which terms were written |

The road not taken is a row and three indexes for each fact: each commit would write a dozen pages,
the file would be ten times as large, and the check at the start would take too long.
"""

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Final

from kb_server.errors import Damaged, JournalFailed
from kb_server.journal.protocol import Durability

__all__ = ["POSTED", "UNREADABLE", "Database", "connect", "failure", "has_tables", "is_full"]

_log: Final = logging.getLogger(__name__)

_FORMAT: Final = 1
_MEMORY: Final = ":memory:"

_TABLES: Final = """
CREATE TABLE names (id INTEGER PRIMARY KEY, prefixes TEXT NOT NULL);
CREATE TABLE tail (
    seq INTEGER PRIMARY KEY, t REAL NOT NULL, names INTEGER NOT NULL,
    body BLOB NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE segment (
    first INTEGER PRIMARY KEY, last INTEGER NOT NULL, t REAL NOT NULL, end REAL NOT NULL,
    names INTEGER NOT NULL, crc INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE posting (
    key INTEGER NOT NULL, first INTEGER NOT NULL, PRIMARY KEY (key, first)) WITHOUT ROWID;
CREATE TABLE model (
    id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, t REAL NOT NULL, name TEXT NOT NULL,
    made INTEGER NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE snapshot (
    id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, t REAL NOT NULL, records INTEGER NOT NULL,
    names INTEGER NOT NULL, parts INTEGER NOT NULL, facts INTEGER NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE snapshot_part (
    snapshot INTEGER NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (snapshot, part));
"""
POSTED: Final = """
CREATE TABLE posted (
    first INTEGER PRIMARY KEY, many INTEGER NOT NULL, seal INTEGER NOT NULL)"""
"""The last of the tables; a journal of the first versions lacks it."""
_SCHEMA: Final = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rootpage"
_FULL: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_Connections = tuple[sqlite3.Connection, sqlite3.Connection, sqlite3.Connection]
UNREADABLE: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""The errors that a damaged page causes; SQLite may quote bytes of it that are no text."""
_BAD: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def connect(
    path: str, durability: Durability = "full", is_alone: bool = False
) -> sqlite3.Connection:
    """Return a connection to a journal's file; the tables are created if they are missing.

    A connection that `is_alone` can read even on a full disk: several connections share an index of
    the write-ahead log, which is a file.
    """
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    try:
        if is_alone:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        return _prepared(connection, path, durability)
    except BaseException:
        connection.close()
        raise


def _prepared(
    connection: sqlite3.Connection, path: str, durability: Durability
) -> sqlite3.Connection:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {durability.upper()}")
    connection.execute("PRAGMA cache_size = -16384")
    connection.execute("PRAGMA temp_store = MEMORY")
    if version == 0:
        connection.executescript(f"BEGIN;{_TABLES}{POSTED};PRAGMA user_version = {_FORMAT};COMMIT;")
    elif version != _FORMAT:
        raise Damaged(
            f"{path} is a journal of format {version}; this program reads format {_FORMAT}",
            format=version,
        )
    return connection


def has_tables(connection: sqlite3.Connection) -> bool:
    """Whether the schema of a file is that of a journal; an old file may lack the last table."""
    with closing(sqlite3.connect(_MEMORY)) as blank:
        blank.executescript(f"{_TABLES}{POSTED};")
        expected = blank.execute(_SCHEMA).fetchall()
    return connection.execute(_SCHEMA).fetchall() in (expected, expected[:-1])


class Database:
    """The database of a journal: one writer at a time, readers beside it, a transaction a block.

    With durability `full`, the changes of a `write` survive a power cut once it has returned, those
    of a `quick_write` once `secure` has returned. `secure` syncs the write-ahead log as SQLite
    would, only later. A power cut may tear the log between two commits that are not synced, which
    looks like damage. Therefore every write first syncs the one before.

    If the disk is full when it is opened, one connection serves all purposes, so that reading
    works; `secure` and every write fail until there is space.
    """

    def __init__(self, path: Path | None, durability: Durability) -> None:
        where = _MEMORY if path is None else str(path)
        self.path: Final = path
        try:
            made = _connections(where, durability)
        except sqlite3.Error as reason:
            raise failure(reason, where) from reason
        self._writing, self._quick, self._reading = made
        is_alone = self._reading is self._writing
        self._write_lock: Final = threading.RLock()
        self._read_lock: Final = self._write_lock if is_alone else threading.RLock()
        self._log: int | None = None
        self._is_safe = not is_alone or path is None
        self._is_tried = self._is_safe
        self._is_doubted = False

    def write(self) -> AbstractContextManager[sqlite3.Connection]:
        """Commit all changes of the block, or none and raise JournalFailed."""
        return self._writing_with(self._writing)

    def quick_write(self) -> AbstractContextManager[sqlite3.Connection]:
        """As `write`, but the changes survive a power cut only once `secure` has returned."""
        return self._writing_with(self._quick)

    def secure(self) -> None:
        """Sync the changes of `quick_write` to the disk; JournalFailed if the disk refuses."""
        if self._is_safe:
            return
        try:
            self._sync()
        except (OSError, sqlite3.Error) as reason:
            self._is_doubted = True
            raise JournalFailed(f"the journal {self.path}: the disk refuses: {reason}") from reason
        self._is_safe, self._is_doubted = True, False

    def _sync(self) -> None:
        """Sync the write-ahead log.

        - After a failed sync its content is first copied to the main file by a checkpoint: a disk
          reports an error once and then drops the pages that it could not write.
        - If the disk was full when the journal was opened, a small write tests for space.
        """
        if not self._is_tried:
            with self._write_lock:
                self._writing.execute(f"PRAGMA user_version = {_FORMAT}")
            self._is_tried = True
            return
        if self._is_doubted:
            with self._write_lock:
                self._writing.execute("PRAGMA wal_checkpoint(FULL)").fetchall()
        if self._log is None:
            self._log = os.open(f"{self.path}-wal", os.O_RDONLY)
        os.fdatasync(self._log)

    @contextmanager
    def _writing_with(self, connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
        with self._write_lock:
            self.secure()
            self._is_safe = connection is self._writing
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException as reason:
                _roll_back(connection)
                if isinstance(reason, sqlite3.Error):
                    raise failure(reason, str(self.path or _MEMORY)) from reason
                raise

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Read within one transaction, so that the block sees one state of the database."""
        with self._read_lock:
            inside = self._reading.in_transaction
            try:
                if not inside:
                    self._reading.execute("BEGIN")
                yield self._reading
            except sqlite3.Error as reason:
                raise failure(reason, str(self.path or _MEMORY)) from reason
            finally:
                if not inside and self._reading.in_transaction:
                    self._reading.execute("ROLLBACK")

    def is_free(self) -> bool:
        """Whether a write could start now without waiting."""
        free = self._write_lock.acquire(blocking=False)
        if free:
            self._write_lock.release()
        return free

    def limit_pages(self, pages: int) -> None:
        """Limit the file to a number of pages, to simulate a full disk."""
        with self._write_lock:
            for connection in {self._writing, self._quick}:
                connection.execute(f"PRAGMA max_page_count = {pages}")

    def used(self) -> int:
        """Return the bytes in use, without free pages."""
        with self.read() as connection:
            pages, free, size = (
                connection.execute(f"PRAGMA {what}").fetchone()[0]
                for what in ("page_count", "freelist_count", "page_size")
            )
        return int((pages - free) * size)

    def shrink(self, pages: int) -> None:
        """Return up to `pages` free pages to the disk."""
        with self._write_lock:
            try:
                self._writing.execute(f"PRAGMA incremental_vacuum({pages})").fetchall()
            except sqlite3.Error as reason:
                raise failure(reason, str(self.path or _MEMORY)) from reason

    def close(self) -> None:
        with self._write_lock, self._read_lock:
            for connection in {self._reading, self._quick, self._writing}:
                connection.close()
            if self._log is not None:
                os.close(self._log)
                self._log = None


def _connections(where: str, durability: Durability) -> _Connections:
    """Return the connections for `write`, `quick_write` and `read`.

    All three are the same for a database in memory and on a full disk.
    """
    writing = _first(where, durability)
    if where == _MEMORY or _is_exclusive(writing):
        return writing, writing, writing
    made = [writing]
    try:
        made.append(connect(where, "normal") if durability == "full" else writing)
        made.append(connect(where, durability))
    except BaseException:
        for connection in made:
            connection.close()
        raise
    return made[0], made[1], made[2]


def _first(where: str, durability: Durability) -> sqlite3.Connection:
    try:
        return connect(where, durability)
    except sqlite3.OperationalError as reason:
        if not is_full(reason) or not os.path.getsize(where):
            raise
    connection = connect(where, durability, is_alone=True)
    _log.warning("no space is left for the journal %s: it is read-only until there is", where)
    return connection


def _is_exclusive(connection: sqlite3.Connection) -> bool:
    (mode,) = connection.execute("PRAGMA locking_mode").fetchone()
    return bool(mode == "exclusive")


def _roll_back(connection: sqlite3.Connection) -> None:
    try:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    except sqlite3.Error:
        return


def is_full(reason: sqlite3.Error) -> bool:
    """Whether the disk may be full: SQLite does not always know why it can't write."""
    return getattr(reason, "sqlite_errorcode", 0) & 0xFF in _FULL


def failure(reason: sqlite3.Error, where: str) -> JournalFailed | Damaged:
    """Return the journal's error for an error of SQLite: damage, or a failure to write or open."""
    code = getattr(reason, "sqlite_errorcode", 0) & 0xFF
    if code in _BAD:
        return Damaged(f"the journal {where} is damaged: {reason}", folder=where)
    is_refused = is_full(reason) or code == sqlite3.SQLITE_READONLY
    why = "there is no space or no right to write" if is_refused else "it can't be used"
    return JournalFailed(f"the journal {where}: {why}: {reason}", folder=where)
