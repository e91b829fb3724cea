"""What is mentioned in which segment: by this the history is found, so it must not lie.

A `posting` that is lost would leave lines out of the history in silence. So for each segment a row
of `posted` says how many postings it has, and their seal: a sum, so that at the start all of them
are compared in one pass within SQLite, a tenth of a second for a million deltas. Postings are there
before their segment is and longer than it: readers pass over those that lead nowhere.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Final

from kb_server.core.models.delta import Delta
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
"""So many at once, lest a large delta that is packed keep the next one waiting."""
_PRIME: Final = 2**31 - 1

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


def keys_of(deltas: Iterable[Delta], fingerprints: Fingerprints) -> set[int]:
    """What is mentioned: each model, and each term of what became true or ceased in it."""
    keys: set[int] = set()
    mentions: set[tuple[str, int, str]] = set()
    for delta in deltas:
        keys.add(fingerprints.of_model(delta.model))
        mentions.update(_mentions(delta))
    return keys | {fingerprints.of(*mention) for mention in mentions}


def rows_of(segment: SegmentRow, keys: set[int]) -> Iterator[list[_Row]]:
    """The postings of a segment, some at a time."""
    rows = [(key, segment.first) for key in sorted(keys)]
    for start in range(0, len(rows), _MANY):
        yield rows[start : start + _MANY]


def post(connection: sqlite3.Connection, rows: list[_Row]) -> None:
    connection.executemany(_POST, rows)


def unpost(connection: sqlite3.Connection, rows: list[_Row]) -> None:
    connection.executemany(_UNPOST, rows)


def put_segment(connection: sqlite3.Connection, segment: SegmentRow, keys: set[int]) -> None:
    """Keeps a segment whose postings are there, and what these must be."""
    put(connection, "segment", [segment])
    seal_segment(connection, segment, keys)


def seal_segment(connection: sqlite3.Connection, segment: SegmentRow, keys: set[int]) -> None:
    """Says what the postings of a segment must be."""
    put(connection, "posted", [(segment.first, len(keys), _seal(segment.first, keys))])


def take_segment(connection: sqlite3.Connection, segment: SegmentRow) -> None:
    """Drops a segment; its postings may follow."""
    for table in ("segment", "posted"):
        connection.execute(f"DELETE FROM {table} WHERE first = ?", (segment.first,))


def fits(connection: sqlite3.Connection) -> bool:
    """Whether the postings of all segments are there, as they were written, and no other."""
    try:
        (unsaid,) = connection.execute(_UNSAID).fetchone()
        said, found = (connection.execute(asked).fetchone() for asked in (_SAID, _FOUND))
    except UNREADABLE:
        return False
    return bool(unsaid == 0 and said == found)


def clear(connection: sqlite3.Connection) -> None:
    """Drops the postings of no segment, which a kill in the middle of upkeep leaves behind."""
    connection.execute(f"DELETE FROM posting WHERE NOT {_SPAN}")


def _seal(first: int, keys: set[int]) -> int:
    place = first % _PRIME + 1
    return sum(((k & _PRIME) + 1) * ((k >> 31) + 1) % _PRIME * place % _PRIME for k in keys)


def _mentions(delta: Delta) -> Iterator[tuple[str, int, str]]:
    for fact in (*delta.became_true, *delta.ceased):
        for place, term in enumerate(fact):
            yield (delta.model, place, term)
