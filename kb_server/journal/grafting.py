"""Reading a journal whose first page is lost, with the first page of a new journal.

SQLite can't read a file without its first page, which holds the schema and the root page of each
table. The tables of a journal are all created at once, and later versions add tables only at the
end. So their root pages are those of a new journal. If a page is misread all the same, the
checksums of the rows reveal it.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from kb_server.journal.database import UNREADABLE, connect, has_tables

__all__ = ["graft"]

_BLANK: Final = "journal.blank"
_PAGES: Final = slice(28, 32)
"""The bytes of the first page with the number of pages; 0 makes SQLite use the file's size."""
_FREE: Final = slice(32, 40)
"""The bytes with the list of free pages, which reading does not need."""


def graft(copy: Path) -> bool:
    """Give a copy of a journal a new first page if its own is unreadable; return whether it was."""
    blank = copy.with_name(_BLANK)
    _remove(blank)
    try:
        connect(str(blank)).close()
        if _has_tables(copy):
            return False
        page = bytearray(blank.read_bytes()[: _page_size(blank)])
    finally:
        _remove(blank)
    page[_PAGES], page[_FREE] = bytes(4), bytes(8)
    with copy.open("r+b") as file:
        file.write(page)
    return True


def _has_tables(file: Path) -> bool:
    try:
        with closing(sqlite3.connect(file)) as connection:
            return has_tables(connection)
    except UNREADABLE:
        return False


def _page_size(file: Path) -> int:
    size = int.from_bytes(file.read_bytes()[16:18])
    return 65_536 if size == 1 else size


def _remove(file: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
