"""The history of a model's facts, found by the terms that they mention.

1. The postings name the segments that mention all the terms asked for.
2. Within those segments, and in the tail, the lines without all the terms are skipped.
3. The remaining deltas are decoded, and their facts compared with the pattern.
"""

from collections.abc import Iterator
from typing import Final

from kb_server.core.models.delta import ModelDelta
from kb_server.core.terms.statements import Statement
from kb_server.journal.codec import needle
from kb_server.journal.database import Database
from kb_server.journal.protocol import Happened, PointInTime
from kb_server.journal.reading import Reader, reach
from kb_server.journal.rows import SegmentRow
from kb_server.journal.spelling import Spelling

__all__ = ["Historian"]

_NEXT: Final = "SELECT min(first) FROM posting WHERE key = ? AND first > ?"
_Places = tuple[str | None, str | None, str | None]


class Historian:
    """Reads the history from the segments that mention all the terms asked for, and the tail."""

    def __init__(self, db: Database, spelling: Spelling, reader: Reader) -> None:
        self._db: Final = db
        self._spelling: Final = spelling
        self._reader: Final = reader

    def history(
        self, model: str, wanted: _Places, since: PointInTime | None, until: PointInTime | None
    ) -> Iterator[Happened]:
        """Yield what happened to matching facts from one moment to another, both included."""
        bounds = self._reader.bounds()
        first = bounds.oldest if since is None else self._reader.first_since(since)
        end = bounds.last if until is None else self._reader.last_at(until)
        deltas = self.deltas(model, first - 1, end, wanted)
        return (line for delta in deltas for line in _lines(delta) if _fits(line.fact, wanted))

    def deltas(
        self, model: str, after: int, end: int, wanted: _Places = (None, None, None)
    ) -> Iterator[ModelDelta]:
        """Yield the deltas of a model in a range, at least those that mention the wanted terms."""
        needles = [needle(term) for term in (model, *wanted) if term is not None]
        packed = self._reader.bounds().packed
        for segment in self._segments(model, after, min(end, packed), wanted):
            for delta in self._spelling.segment(
                segment, max(after, segment.first - 1), end, *needles
            ):
                if delta.model == model:
                    yield delta
        for delta in self._reader.deltas(max(after, packed), end, needles):
            if delta.model == model:
                yield delta

    def _segments(self, model: str, after: int, end: int, wanted: _Places) -> Iterator[SegmentRow]:
        """Yield the segments in a range that mention all the wanted terms."""
        marks = self._spelling.fingerprints
        keys = [marks.of(model, i, term) for i, term in enumerate(wanted) if term is not None]
        position = after + 1
        while position <= end:
            segment = self._next(keys or [marks.of_model(model)], position)
            if segment is None or segment.first > end:
                return
            yield segment
            position = segment.last + 1

    def _next(self, keys: list[int], position: int) -> SegmentRow | None:
        """Return the first segment from a position on that has each of the keys.

        A leapfrog join: each key in turn moves to its first segment at or after the present one,
        until all keys agree.
        """
        with self._db.read() as connection:
            reach(connection, position)
            asked = "SELECT coalesce(max(first), 0) FROM segment WHERE first <= ?"
            (at,) = connection.execute(asked, (position,)).fetchone()
            agreed, i = 0, 0
            while agreed < len(keys):
                (found,) = connection.execute(_NEXT, (keys[i], at - 1)).fetchone()
                if found is None:
                    return None
                agreed = agreed + 1 if found == at else 1
                at, i = found, (i + 1) % len(keys)
            row = connection.execute("SELECT * FROM segment WHERE first = ?", (at,)).fetchone()
        # A posting without a segment belongs to deltas being packed, which are still in the tail.
        return SegmentRow(*row) if row else None


def _lines(delta: ModelDelta) -> Iterator[Happened]:
    about = (delta.seq, delta.t, delta.source_t)
    for fact in delta.ceased:
        yield Happened(*about, "ceased", fact, delta.source)
    for fact in delta.became_true:
        yield Happened(*about, "became_true", fact, delta.source)


def _fits(fact: Statement, wanted: _Places) -> bool:
    return all(want is None or want == term for want, term in zip(wanted, fact, strict=True))
