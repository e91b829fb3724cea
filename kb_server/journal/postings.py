"""The inverted index of the history: a posting says that a segment mentions a term.

A lost posting would silently leave lines out of the history. Therefore each segment has a row of
`posted` with the number of its postings and their seal. The seal is a sum, so that one pass within
SQLite checks all postings at the start: a tenth of a second for a million deltas.

Postings are written before their segment and deleted after it. So there may be postings without a
segment; readers skip them.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Final

from kb_server.core.models.delta import ModelDelta
from kb_server.journal.database import UNREADABLE
from kb_server.journal.rows import SegmentRow, put
from kb_server.journal.spelling import Fingerprints

__all__ = [
    "clear",
    "fits",
    "keys_of",
    "post",
    "put_segment",
    "rows_of",
    "seal_segment",
    "take_segment",
    "unpost",
]

_POST: Final = "INSERT OR IGNORE INTO posting VALUES (?, ?)"
_UNPOST: Final = "DELETE FROM posting WHERE key = ? AND first = ?"
_MANY: Final = 5_000
"""Postings written in one transaction: a bound on how long a commit waits for packing."""
_PRIME: Final = 2**31 - 1
"""The modulus of the seal: products of two residues fit into SQLite's 64-bit integers."""

_SPAN: Final = """
first BETWEEN (SELECT coalesce(min(first), 1) FROM segment)
AND (SELECT coalesce(max(first), 0) FROM segment)"""
_FOUND: Final = f"""
SELECT count(*), coalesce(sum(
    ((key & {_PRIME}) + 1) * ((key >> 31) + 1) % {_PRIME} * (first % {_PRIME} + 1) % {_PRIME}
), 0) FROM posting WHERE {_SPAN}"""
_SAID: Final = "SELECT coalesce(sum(many), 0), coalesce(sum(seal), 0) FROM posted"
_UNSAID: Final = """
SELECT (SELECT count(*) FROM segment WHERE first NOT IN (SELECT first FROM posted))
+ (SELECT count(*) FROM posted WHERE first NOT IN (SELECT first FROM segment))"""
_Row = tuple[int, int]


def keys_of(deltas: Iterable[ModelDelta], fingerprints: Fingerprints) -> set[int]:
    """Return the keys of some deltas: of each model, and each term of its changed facts."""
    keys: set[int] = set()
    mentions: set[tuple[str, int, str]] = set()
    for delta in deltas:
        keys.add(fingerprints.of_model(delta.model))
        mentions.update(_mentions(delta))
    return keys | {fingerprints.of(*mention) for mention in mentions}


def rows_of(segment: SegmentRow, keys: set[int]) -> Iterator[list[_Row]]:
    """Yield the postings of a segment in batches."""
    rows = [(key, segment.first) for key in sorted(keys)]
    for start in range(0, len(rows), _MANY):
        yield rows[start : start + _MANY]


def post(connection: sqlite3.Connection, rows: list[_Row]) -> None:
    connection.executemany(_POST, rows)


def unpost(connection: sqlite3.Connection, rows: list[_Row]) -> None:
    connection.executemany(_UNPOST, rows)


def put_segment(connection: sqlite3.Connection, segment: SegmentRow, keys: set[int]) -> None:
    """Store a segment whose postings are written, and their number and seal."""
    put(connection, "segment", [segment])
    seal_segment(connection, segment, keys)


def seal_segment(connection: sqlite3.Connection, segment: SegmentRow, keys: set[int]) -> None:
    """Store the number and the seal of a segment's postings."""
    put(connection, "posted", [(segment.first, len(keys), _seal(segment.first, keys))])


def take_segment(connection: sqlite3.Connection, segment: SegmentRow) -> None:
    """Delete a segment; its postings may be deleted later."""
    for table in ("segment", "posted"):
        connection.execute(f"DELETE FROM {table} WHERE first = ?", (segment.first,))


def fits(connection: sqlite3.Connection) -> bool:
    """Whether the postings match the segments: none missing, changed or in excess."""
    try:
        (unsaid,) = connection.execute(_UNSAID).fetchone()
        said, found = (connection.execute(asked).fetchone() for asked in (_SAID, _FOUND))
    except UNREADABLE:
        return False
    return bool(unsaid == 0 and said == found)


def clear(connection: sqlite3.Connection) -> None:
    """Delete the postings outside all segments, which a kill during upkeep leaves behind."""
    connection.execute(f"DELETE FROM posting WHERE NOT {_SPAN}")


def _seal(first: int, keys: set[int]) -> int:
    place = first % _PRIME + 1
    return sum(((k & _PRIME) + 1) * ((k >> 31) + 1) % _PRIME * place % _PRIME for k in keys)


def _mentions(delta: ModelDelta) -> Iterator[tuple[str, int, str]]:
    for fact in (*delta.became_true, *delta.ceased):
        for place, term in enumerate(fact):
            yield (delta.model, place, term)
