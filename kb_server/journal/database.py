"""The SQLite file under a journal: its tables, and the connections that write and read.

The newest deltas are rows of `tail`, one insert each: a commit writes a page or two. Later they
are packed into a row of `segment`, a thousand at a time, a tenth of the size; with each come
`posting`s, which say in what segments a term is mentioned, and a row of `posted`, which says what
these must be. Snapshots are lines in `snapshot_part`, valid once their row of `snapshot` is there.

The road not taken is a row and three indexes for each fact: it makes each commit write a dozen
pages, the file ten times as large, and a check of all of it at the start unaffordable.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Final

from kb_server.journal.errors import JournalDamaged, JournalFailed
from kb_server.journal.protocol import Durability

__all__ = ["UNREADABLE", "Database", "connect", "failure", "has_tables"]

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
CREATE TABLE posted (
    first INTEGER PRIMARY KEY, many INTEGER NOT NULL, seal INTEGER NOT NULL);
"""
_SCHEMA: Final = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rootpage"
_FULL: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
UNREADABLE: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What comes of a damaged page; SQLite may quote of it what is no text."""
_BAD: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def connect(path: str, durability: Durability = "full") -> sqlite3.Connection:
    """A connection to a journal's file, with its tables made where there are none."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    try:
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
        connection.executescript(f"BEGIN;{_TABLES}PRAGMA user_version = {_FORMAT};COMMIT;")
    elif version != _FORMAT:
        raise JournalDamaged(
            f"{path} is a journal of format {version}; this program reads format {_FORMAT}",
            format=version,
        )
    return connection


def has_tables(connection: sqlite3.Connection) -> bool:
    """Whether a file says what its tables are, as it was told; old ones may lack the last."""
    with closing(sqlite3.connect(_MEMORY)) as blank:
        blank.executescript(_TABLES)
        expected = blank.execute(_SCHEMA).fetchall()
    return connection.execute(_SCHEMA).fetchall() in (expected, expected[:-1])


class Database:
    """One writer at a time and readers beside it; each block is one transaction.

    With durability `full`, what a `write` commits is safe from a power cut when it returns, what a
    `quick_write` does when `secure` has. That syncs the write-ahead log just as SQLite would, but
    later. A log with two commits that are not safe could be torn between them, which looks like
    damage; so what comes next makes the one before safe.
    """

    def __init__(self, path: Path | None, durability: Durability) -> None:
        where = _MEMORY if path is None else str(path)
        self.path: Final = path
        try:
            self._writing: Final = connect(where, durability)
            self._quick: Final = (
                connect(where, "normal") if path and durability == "full" else self._writing
            )
            self._reading: Final = self._writing if path is None else connect(where, durability)
        except sqlite3.Error as reason:
            raise failure(reason, where) from reason
        self._write_lock: Final = threading.RLock()
        self._read_lock: Final = self._write_lock if path is None else threading.RLock()
        self._log: int | None = None
        self._is_safe = True
        self._is_doubted = False

    def write(self) -> AbstractContextManager[sqlite3.Connection]:
        """All of the block is kept, or (JournalFailed) nothing."""
        return self._writing_with(self._writing)

    def quick_write(self) -> AbstractContextManager[sqlite3.Connection]:
        """As `write`, but it is safe from a power cut only when `secure` returns."""
        return self._writing_with(self._quick)

    def secure(self) -> None:
        """Makes what was written quickly safe; JournalFailed when the disk refuses."""
        if self._is_safe:
            return
        try:
            self._sync()
        except (OSError, sqlite3.Error) as reason:
            self._is_doubted = True
            raise JournalFailed(f"the journal {self.path}: the disk refuses: {reason}") from reason
        self._is_safe, self._is_doubted = True, False

    def _sync(self) -> None:
        """Syncs the log; once that failed, what is in it is written elsewhere as well.

        For a disk reports an error once, and forgets what it could not write.
        """
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
        """All that the block reads is of one moment."""
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
        """Whether nobody is writing now, so that who would need not wait."""
        free = self._write_lock.acquire(blocking=False)
        if free:
            self._write_lock.release()
        return free

    def limit_pages(self, pages: int) -> None:
        """Lets the file grow to so many pages: a disk that is full, for who wants to try it."""
        with self._write_lock:
            for connection in {self._writing, self._quick}:
                connection.execute(f"PRAGMA max_page_count = {pages}")

    def used(self) -> int:
        """The bytes in use; what was dropped does not count."""
        with self.read() as connection:
            pages, free, size = (
                connection.execute(f"PRAGMA {what}").fetchone()[0]
                for what in ("page_count", "freelist_count", "page_size")
            )
        return int((pages - free) * size)

    def shrink(self, pages: int) -> None:
        """Gives some of the space that is free back to the disk."""
        with self._write_lock:
            self._writing.execute(f"PRAGMA incremental_vacuum({pages})").fetchall()

    def close(self) -> None:
        with self._write_lock, self._read_lock:
            for connection in {self._reading, self._quick, self._writing}:
                connection.close()
            if self._log is not None:
                os.close(self._log)
                self._log = None


def _roll_back(connection: sqlite3.Connection) -> None:
    try:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    except sqlite3.Error:
        return


def failure(reason: sqlite3.Error, where: str) -> JournalFailed | JournalDamaged:
    code = getattr(reason, "sqlite_errorcode", 0) & 0xFF
    if code in _BAD:
        return JournalDamaged(f"the journal {where} is damaged: {reason}", folder=where)
    why = "there is no space or no right to write" if code in _FULL else "it can't be used"
    return JournalFailed(f"the journal {where}: {why}: {reason}", folder=where)
