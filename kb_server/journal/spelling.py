"""Terms written under other prefixes: a journal outlives the ontology that named its terms.

Each row names the table of prefixes under which it was written. If that is not the present table,
the row's terms are translated through their IRIs when it is read, so no term changes its meaning.
The road not taken is to store IRIs: it makes a journal three times as large, for a rare event.
"""

import sqlite3
import sys
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from kb_server.core.models.delta import ModelDelta
from kb_server.core.terms.literals import SHORT, is_literal, normal_literal, split_literal
from kb_server.core.terms.terms import Names, is_blank
from kb_server.errors import Damaged
from kb_server.journal.codec import Spell, decode
from kb_server.journal.database import Database
from kb_server.journal.rows import NamesRow, SegmentRow, TailRow, put

__all__ = ["Fingerprints", "Spelling", "tables_of"]

_REMEMBERED: Final = 65_536
"""Terms in each cache."""
_MASK: Final = 2**62 - 1
"""Keeps a hash within SQLite's signed integers."""


class Spelling:
    """The tables of prefixes under which a journal was written; `now` is the present one."""

    def __init__(self, db: Database, names: Names) -> None:
        self.fingerprints: Final = Fingerprints(names)
        today = dict(names.prefixes)
        with db.read() as connection:
            tables = tables_of(connection)
        known = [number for number, table in tables.items() if table == today]
        self.now: Final = known[0] if known else max(tables, default=0) + 1
        if not known:
            with db.write() as connection:
                put(connection, "names", [NamesRow.of(self.now, today)])
        self._spellers: Final = {
            n: _speller(t, names) for n, t in {**tables, self.now: today}.items()
        }

    def speller(self, number: int) -> Spell:
        """Return the function that maps terms of an old table of prefixes to present names."""
        spell = self._spellers.get(number)
        if spell is None:
            raise Damaged(f"the journal's table of prefixes {number} is missing")
        return spell

    def tail(self, row: TailRow) -> ModelDelta:
        """Return the delta of a row; Damaged if its checksum is wrong."""
        return decode(row.checked().body, self.speller(row.names))

    def segment(self, row: SegmentRow, after: int, until: int, *needles: bytes) -> list[ModelDelta]:
        """Return the deltas of a segment in a range.

        With needles, lines that do not contain them all are left out, if the terms of the segment
        are written under the present prefixes.
        """
        spell = self.speller(row.names)
        lines = row.lines()[max(0, after + 1 - row.first) : max(0, until + 1 - row.first)]
        if row.names == self.now:
            lines = [line for line in lines if all(n in line for n in needles)]
        return [decode(line, spell) for line in lines]


class Fingerprints:
    """Hashes of the terms that facts mention, independent of prefixes; the keys of postings.

    Two terms may collide, so a search compares the terms themselves as well.
    """

    def __init__(self, names: Names) -> None:
        self._names: Final = names
        self._of_term: Final = lru_cache(maxsize=_REMEMBERED)(self._hashed)
        self._of_model: Final = lru_cache(maxsize=1_024)(_number)

    def of(self, model: str, place: int, term: str) -> int:
        """Return the hash of a term at a place (0, 1 or 2) of a model's facts."""
        number = self._of_term(term) if len(term) <= SHORT else self._hashed(term)
        return (self._of_model(model) ^ (number * (2 * place + 3))) & _MASK

    def of_model(self, model: str) -> int:
        return self._of_model(model) & _MASK

    def _hashed(self, term: str) -> int:
        if is_blank(term):
            return _number(term)
        if is_literal(term):
            text, datatype, language = split_literal(term)
            return _number(f"{self._names.iri(datatype)} {language} {text}")
        return _number(f"<{self._names.iri(term)}>")


def tables_of(connection: sqlite3.Connection) -> dict[int, Mapping[str, str]]:
    """Return all tables of prefixes by number; Damaged if one has a wrong checksum."""
    try:
        rows = connection.execute("SELECT * FROM names ORDER BY id").fetchall()
    except sqlite3.OperationalError as reason:  # the column holds bytes that are no text
        raise Damaged(f"the journal's tables of prefixes can't be read: {reason}") from reason
    return {row[0]: NamesRow(*row).table() for row in rows}


def _speller(then: Mapping[str, str], names: Names) -> Spell:
    if dict(then) == dict(names.prefixes):
        return sys.intern
    old = Names(then)
    short = lru_cache(maxsize=_REMEMBERED)(lambda term: _renamed(term, old, names))
    return lambda term: short(term) if len(term) <= SHORT else _renamed(term, old, names)


def _renamed(term: str, old: Names, new: Names) -> str:
    if is_blank(term):
        return sys.intern(term)
    if not is_literal(term):
        return new.of_iri(old.iri(term))
    text, datatype, language = split_literal(term)
    return sys.intern(normal_literal(text, new.of_iri(old.iri(datatype)), language))


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
