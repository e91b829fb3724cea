"""Terms written under other prefixes: a journal outlives the ontology that named its terms.

Each row says under which table of prefixes it was written. One written under another than today's
is translated as it is read: through the IRI, so that a term never comes to mean another thing. The
road not taken is to write IRIs: it makes a journal three times as large for what happens once.
"""

import sqlite3
import sys
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from kb_server.core.models.delta import Delta
from kb_server.core.terms.literals import SHORT, is_literal, normal_literal, split_literal
from kb_server.core.terms.terms import Names, is_blank
from kb_server.journal.codec import Spell, decode
from kb_server.journal.database import Database
from kb_server.journal.errors import JournalDamaged
from kb_server.journal.rows import NamesRow, SegmentRow, TailRow, put

__all__ = ["Fingerprints", "Spelling", "tables_of"]

_REMEMBERED: Final = 65_536
_MASK: Final = 2**62 - 1


class Spelling:
    """The tables of prefixes that a journal has been written under; `now` is today's."""

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
        """What terms written under a table of prefixes are called today."""
        spell = self._spellers.get(number)
        if spell is None:
            raise JournalDamaged(f"the journal's table of prefixes {number} is missing")
        return spell

    def tail(self, row: TailRow) -> Delta:
        """The delta of a row."""
        return decode(row.checked().body, self.speller(row.names))

    def segment(self, row: SegmentRow, after: int, until: int, *needles: bytes) -> list[Delta]:
        """The deltas of a segment in a range; with needles, those in whose line all of them are."""
        spell = self.speller(row.names)
        lines = row.lines()[max(0, after + 1 - row.first) : max(0, until + 1 - row.first)]
        if row.names == self.now:
            lines = [line for line in lines if all(n in line for n in needles)]
        return [decode(line, spell) for line in lines]


class Fingerprints:
    """Numbers for what facts mention, the same under any prefixes, to find them by.

    Two may share one by chance; whoever looks something up compares the terms as well.
    """

    def __init__(self, names: Names) -> None:
        self._names: Final = names
        self._of_term: Final = lru_cache(maxsize=_REMEMBERED)(self._hashed)
        self._of_model: Final = lru_cache(maxsize=1_024)(_number)

    def of(self, model: str, place: int, term: str) -> int:
        """Of a term in a place (0, 1, 2) of a model's facts."""
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
    """All tables of prefixes, by number; JournalDamaged when one is not as it was written."""
    try:
        rows = connection.execute("SELECT * FROM names ORDER BY id").fetchall()
    except sqlite3.OperationalError as reason:  # it is no text
        raise JournalDamaged(
            f"the journal's tables of prefixes can't be read: {reason}"
        ) from reason
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
