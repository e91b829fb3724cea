"""The check of a journal before it is opened, and the recovery of a damaged one.

| damage | what happens |
|---|---|
| none | the journal is opened |
| at the end only | the intact part is copied to a new file, the old file is kept |
| in the index of the history only | the index is rebuilt in a new file, the old file is kept |
| anywhere else | Damaged: a state folded without its middle would be wrong |

Damaged lists which of three ways out are possible, and where each leads:

- `export_readable` writes all readable deltas to a text file.
- `cut_at_damage` goes back to the last delta before the damage.
- `forget_before_damage` goes on from the first snapshot after the damage.

If no snapshot leads up to the intact deltas, the latter two go back to the newest snapshot on their
side of the damage. If no snapshot can be read, `cut_at_damage` folds the deltas from the first one
on. A file without its first page is read by `grafting`.
"""

import filecmp
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, TextIO

from kb_server.errors import Damaged
from kb_server.journal.database import UNREADABLE, connect, failure, has_tables, is_full
from kb_server.journal.folder import FILE, FolderLock
from kb_server.journal.grafting import graft
from kb_server.journal.identity import forget_identity
from kb_server.journal.postings import clear
from kb_server.journal.protocol import Durability
from kb_server.journal.rebuilding import (
    WAL,
    beside,
    finish_swap,
    index_sealed,
    rebuild,
    remove,
    seal_index,
    size_of,
    swap,
)
from kb_server.journal.survey import (
    SEGMENTS,
    TAIL,
    IntactPart,
    Leftover,
    Survey,
    each,
    leftover,
    survey,
)

__all__ = ["cut_at_damage", "export_readable", "forget_before_damage", "mend"]

_log: Final = logging.getLogger(__name__)
_BEGUN: Final = "begun"
_PATIENT: Final = "journal.patient"
_NO_STATE: Final = "no snapshot on that side of the damage can be read, or none leads further"


def mend(folder: Path, durability: Durability = "full") -> None:
    """Check a folder, and mend it if that loses only its end; else raise Damaged."""
    file = folder / FILE
    finish_swap(folder)
    if _is_missing(folder):
        raise _damaged(folder, "the file is missing or empty")
    rest = leftover(beside(file, WAL))
    if rest.commits > 1 and durability == "full":
        raise _torn(folder, f"{rest.commits} changes in the write-ahead log can't be read")
    kept = _kept_log(folder) if rest.is_doubtful else None
    found = _inspected(file)
    if found is None or not found.is_sound or not found.is_indexed:
        _mend(folder, is_same=found is not None and found.is_sound)
    if rest.frames:
        _tell_of(rest, folder, kept)
    (folder / _BEGUN).touch()


def export_readable(folder: Path, out: TextIO) -> int:
    """Write every readable delta as a line of JSON (see `codec`); return their number."""
    count, wrong = 0, list[str]()
    with _held(folder), _patient(folder) as (connection, _):
        for line in _lines(connection, wrong):
            out.write(line.decode() + "\n")
            count += 1
    for reason in wrong:
        _log.warning("unreadable, so left out: %s", reason)
    return count


def cut_at_damage(folder: Path) -> int:
    """Go back to the last delta before the damage, and return it; the old file is kept."""
    return _taken(folder, lambda found: found.before_damage).end


def forget_before_damage(folder: Path) -> int:
    """Keep the newest state and the deltas after the damage; return the oldest of these."""
    if leftover(beside(folder / FILE, WAL)).commits > 1:
        raise _torn(folder, "nothing behind the damage in the write-ahead log can be read")
    return _taken(folder, _worth_forgetting).first


def _taken(folder: Path, choose: Callable[[Survey], IntactPart | None]) -> IntactPart:
    """Replace the journal by the chosen part of it; Damaged if that has no state."""
    with _held(folder):
        with _patient(folder) as (connection, _):
            found = survey(connection, thorough=True)
            part = choose(found)
            if part is None:
                raise _damaged(folder, _NO_STATE, found)
            rebuild(connection, folder, part)
        swap(folder)
    return part


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Lock the folder during the block, so that no server uses it."""
    lock = FolderLock(folder)
    try:
        yield
    finally:
        lock.release()


def _mend(folder: Path, is_same: bool) -> None:
    """Cut off a damaged end; or only rebuild the index, if all else `is_same`.

    Any other damage raises Damaged and changes nothing.
    """
    with _patient(folder) as (connection, is_grafted):
        found = survey(connection, thorough=True)
        part = found.behind_damage if found.is_sound else found.before_damage
        why = _why(found, is_grafted)
        if part is None or is_grafted or not (found.is_sound or found.is_cut_short):
            raise _damaged(folder, why, found)
        rebuild(connection, folder, part)
    kept = swap(folder, is_same)
    _log.warning(
        "the journal %s was damaged (%s): it is mended and now ends with delta %d; the damaged "
        "file is kept as %s",
        folder / FILE,
        why,
        part.end,
        kept.name,
    )


def _why(found: Survey, is_grafted: bool) -> str:
    """Describe the damage in a few words."""
    index = [] if found.is_indexed else ["the index of its history"]
    head = ["its first page is lost"] if is_grafted else []
    return "; ".join((*head, *found.wrong[:3])) or "; ".join(index) or "a part of it is missing"


def _inspected(file: Path) -> Survey | None:
    """Survey a file; None if SQLite can't read it."""
    try:
        with closing(connect(str(file), is_alone=True)) as connection:
            if not has_tables(connection):
                return None
            if not index_sealed(connection):
                _modernise(connection, file)
            found = survey(connection)
            _tidy(connection, found)
            return found
    except sqlite3.OperationalError as reason:
        if _is_of_the_file(reason, file):
            return None
        raise failure(reason, str(file)) from reason
    except UNREADABLE:
        return None


def _modernise(connection: sqlite3.Connection, file: Path) -> None:
    """Rebuild the index of an older version with checksums, if all deltas are intact."""
    if survey(connection).is_sound:
        _log.info("the journal %s is of an older version: rebuilding its index", file)
        seal_index(connection)


def _tidy(connection: sqlite3.Connection, found: Survey) -> None:
    """Delete what a kill left behind; on a full disk it is left to a later start."""
    try:
        if found.is_sound and found.is_indexed:
            clear(connection)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.OperationalError as reason:
        if not is_full(reason):
            raise


def _is_of_the_file(reason: sqlite3.OperationalError, file: Path) -> bool:
    """Whether SQLite refuses the file because of its content, such as an unknown format."""
    # There is no code if a text column holds bytes that are no text.
    code = getattr(reason, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    is_read_only = code == sqlite3.SQLITE_READONLY and os.access(file, os.W_OK)
    return code == sqlite3.SQLITE_ERROR or is_read_only


def _is_missing(folder: Path) -> bool:
    """Whether a journal was begun in this folder and its file is gone."""
    file = folder / FILE
    return (folder / _BEGUN).exists() and not size_of(file)


@contextmanager
def _patient(folder: Path) -> Iterator[tuple[sqlite3.Connection, bool]]:
    """Open a copy of a damaged journal; give also whether its first page was lost.

    A file that is too short is filled up with zeros.
    """
    file, copy = folder / FILE, folder / _PATIENT
    if not file.exists():
        raise Damaged(
            f"the journal in {folder} is missing, so nothing can be recovered; put the file back, "
            "or start with another folder",
            folder=str(folder),
        )
    shutil.copyfile(file, copy)
    _fill_up(copy)
    if beside(file, WAL).exists():
        shutil.copyfile(beside(file, WAL), beside(copy, WAL))
    try:
        is_grafted = graft(copy)
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            yield connection, is_grafted
    except UNREADABLE as reason:
        raise _damaged(folder, str(reason)) from reason
    finally:
        remove(copy)


def _fill_up(copy: Path) -> None:
    """Extend a file to the size in its header: SQLite refuses a shorter file."""
    with copy.open("r+b") as file:
        head = file.read(32)
        size = int.from_bytes(head[16:18]) if len(head) == 32 else 0
        whole = int.from_bytes(head[28:32]) * (65_536 if size == 1 else size)
        if whole > size_of(copy) and whole <= 2 * size_of(copy) + 2**26:
            file.truncate(whole)


def _lines(connection: sqlite3.Connection, wrong: list[str]) -> Iterator[bytes]:
    for segment in each(connection, SEGMENTS, wrong):
        yield from segment.lines()
    for row in each(connection, TAIL, wrong):
        yield row.body


def _tell_of(rest: Leftover, folder: Path, kept: Path | None) -> None:
    what, beside = "in the middle of a write that was not yet acknowledged", ""
    if rest.is_doubtful:
        what = "with a change that may be lost: its end in the write-ahead log can't be read"
        if rest.commits > 1:
            what = f"with {rest.commits} changes that a power cut has torn; they are lost"
        beside = f"; the log is kept as {kept.name}" if kept else ""
        forget_identity(folder)
    _log.warning(
        "the journal %s ended %s: %d pages dropped%s", folder / FILE, what, rest.frames, beside
    )


def _kept_log(folder: Path) -> Path | None:
    """Copy the log under a new name, unless an equal copy exists; None if there is no space."""
    log = beside(folder / FILE, WAL)
    copies = sorted(folder.glob(f"{log.name}.damaged-*"))
    for copy in copies:
        if filecmp.cmp(log, copy, shallow=False):
            return copy
    kept = log.with_name(f"{log.name}.damaged-{len(copies) + 1}")
    try:
        return Path(shutil.copyfile(log, kept))
    except OSError as reason:
        _log.warning("the damaged write-ahead log can't be kept: %s", reason)
        kept.unlink(missing_ok=True)
        return None


def _torn(folder: Path, why: str) -> Damaged:
    """Return the error for a torn write-ahead log: the changes after the damage are lost."""
    with _patient(folder) as (connection, _):
        return _damaged(folder, why, survey(connection, thorough=True), is_torn=True)


def _damaged(folder: Path, why: str, found: Survey | None = None, is_torn: bool = False) -> Damaged:
    ways = "".join(f"{way}; " for way in _ways(found, is_torn)) if found else ""
    return Damaged(
        f"the journal in {folder} is damaged, and not only at its end: {why}. Nothing was changed. "
        f"Ways out: {ways}start with another folder (docs/journal.md, Damage)",
        folder=str(folder),
    )


def _ways(found: Survey, is_torn: bool) -> Iterator[str]:
    """Yield the possible ways out, each with the state to which it leads."""
    before, behind = found.before_damage, None if is_torn else _worth_forgetting(found)
    if before:
        yield f"`--after-damage cut` goes back to the board after delta {before.end}"
    if behind:
        on = f"goes on with the board after delta {behind.end}"
        yield f"`--after-damage forget` {on}, with its history from delta {behind.first} on"
    if found.count:
        yield f"`--after-damage export` writes down the {found.count} deltas that can be read"


def _worth_forgetting(found: Survey) -> IntactPart | None:
    """Return the part after the damage, unless the part before it reaches a delta as late."""
    before, behind = found.before_damage, found.behind_damage
    is_worth = before is None or behind is None or found.is_sound or behind.end > before.end
    return behind if is_worth else None
