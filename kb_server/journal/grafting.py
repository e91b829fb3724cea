"""A journal whose first page is lost is read with the first page of a new one.

SQLite reads nothing of a file without its first page, which has the schema and where each table
begins. The tables of a journal are made at once, and none was ever added but at the end, so they
begin where those of a new one do. Whatever should be found there in error is seen by the checksums
of the rows.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from kb_server.journal.database import UNREADABLE, connect, has_tables

__all__ = ["graft"]

_BLANK: Final = "journal.blank"
_PAGES: Final = slice(28, 32)
"""Where the first page says how many there are; 0 has SQLite look at the file."""
_FREE: Final = slice(32, 40)
"""Where it names the pages that are free; they need not be known to read the others."""


def graft(copy: Path) -> bool:
    """Gives a copy of a journal a first page if it has none; whether it had none."""
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
