"""Plain graphs: facts that are stored and not reasoned on, in the same folder as the journal.

They have no deltas and no history, so a small SQLite file of their own stores them. One SPARQL
update may change both models and plain graphs, and must be stored wholly or not at all:

1. The change of the graphs is *staged* under the number of the first delta of the same update, or
   of the last delta before it.
2. The journal appends the deltas.
3. The staged change is carried out. If the server is killed before, the next start carries it out
   if the journal has that delta, and drops it if not.
"""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kb_server.core.terms.rdf import Translator
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.errors import Damaged, JournalFailed

__all__ = ["FILE", "GraphChange", "PlainGraphs"]

FILE: Final = "graphs.sqlite"
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS graph (iri TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fact (
    graph TEXT, s TEXT, p TEXT, o TEXT, PRIMARY KEY (graph, s, p, o)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS staged (
    id INTEGER PRIMARY KEY, first INTEGER, act TEXT, graph TEXT, s TEXT, p TEXT, o TEXT);
"""
_ACTS: Final = {
    "make": "INSERT OR IGNORE INTO graph VALUES (:graph)",
    "add": "INSERT OR IGNORE INTO fact VALUES (:graph, :s, :p, :o)",
    "remove": "DELETE FROM fact WHERE graph = :graph AND s = :s AND p = :p AND o = :o",
    "drop": "DELETE FROM graph WHERE iri = :graph",
}
_STAGE: Final = (
    "INSERT INTO staged (first, act, graph, s, p, o) VALUES (:first, :act, :graph, :s, :p, :o)"
)
_Row = dict[str, str | int | None]


@dataclass(frozen=True, slots=True)
class GraphChange:
    """The facts that a graph gains and loses; the graph exists afterwards unless it `ends`."""

    add: tuple[Statement, ...] = ()
    remove: tuple[Statement, ...] = ()
    ends: bool = False


class PlainGraphs:
    """The content of the graphs, in memory and in a file; without a folder, in memory only.

    `made` computes a change and `take_over` shows it to readers; both run in one thread. The other
    methods write the file and may run in another thread. `version` counts the calls of `take_over`.
    """

    def __init__(self, folder: Path | None, names: Names, last_seq: int) -> None:
        self.held: Final[dict[str, dict[Statement, None]]] = {}
        self.version = 0
        self.waits = False
        """Whether a staged change waits for the journal."""
        self._terms: Final = Translator(names)
        self._guard: Final = threading.Lock()
        place = ":memory:" if folder is None else str(folder / FILE)
        self._file: Final = sqlite3.connect(place, check_same_thread=False, isolation_level=None)
        with _readable(place):
            self._file.execute("PRAGMA locking_mode = EXCLUSIVE")  # so a full disk can be read
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.executescript(_TABLES)
            self.settle(last_seq)
            self.forget(last_seq + 1)
            self._load()

    @property
    def size(self) -> int:
        """The number of facts in all graphs."""
        return sum(map(len, self.held.values()))

    def made(
        self, graph: str, add: Iterable[Statement], remove: Iterable[Statement]
    ) -> GraphChange:
        """Return the net change: the facts to add that are new, those to remove that exist."""
        held, adding = self.held.get(graph, {}), dict.fromkeys(add)
        going = dict.fromkeys(f for f in remove if f in held and f not in adding)
        return GraphChange(tuple(f for f in adding if f not in held), tuple(going))

    def take_over(self, changes: Mapping[str, GraphChange]) -> None:
        """Make changes visible to readers."""
        self.version += 1
        for graph, change in changes.items():
            held = self.held.setdefault(graph, {})
            for fact in change.remove:
                held.pop(fact, None)
            held.update(dict.fromkeys(change.add))
            if change.ends:
                del self.held[graph]

    def store(self, changes: Mapping[str, GraphChange], first: int, kept: int) -> None:
        """Stage changes, all of them or none (JournalFailed).

        They are carried out once the journal has the delta `first`; it has those up to `kept`.
        """
        with self._guard, _whole(self._file):
            rows = ({**row, "first": first} for row in self._rows(changes))
            self._file.executemany(_STAGE, rows)
            self._settle(kept)

    def settle(self, kept: int) -> None:
        """Carry out the staged changes whose deltas the journal has: those up to `kept`."""
        with self._guard, _whole(self._file):
            self._settle(kept)

    def forget(self, first: int) -> None:
        """Drop the changes staged for deltas from `first` on, which the journal will not get."""
        with self._guard, _whole(self._file):
            self._file.execute("DELETE FROM staged WHERE first >= ?", (first,))

    def close(self) -> None:
        self._file.close()

    def _rows(self, changes: Mapping[str, GraphChange]) -> Iterator[_Row]:
        for graph, change in changes.items():
            parts = (("remove", change.remove), ("make", [None]), ("add", change.add))
            ends = (("drop", [None]),) if change.ends else ()
            for act, facts in (*parts, *ends):
                for fact in facts:
                    yield self._row(act, graph, fact)

    def _row(self, act: str, graph: str, fact: Statement | None) -> _Row:
        s, p, o = map(str, map(self._terms.to_ox, fact)) if fact else (None, None, None)
        return {"act": act, "graph": graph, "s": s, "p": p, "o": o}

    def _settle(self, kept: int) -> None:
        columns = ("act", "graph", "s", "p", "o")
        wanted = "SELECT act, graph, s, p, o FROM staged WHERE first <= ? ORDER BY id"
        for values in self._file.execute(wanted, (kept,)).fetchall():
            row = dict(zip(columns, values, strict=True))
            self._file.execute(_ACTS[row["act"]], row)
        self._file.execute("DELETE FROM staged WHERE first <= ?", (kept,))
        self.waits = self._file.execute("SELECT 1 FROM staged LIMIT 1").fetchone() is not None

    def _load(self) -> None:
        read = self._terms.from_ox
        for (graph,) in self._file.execute("SELECT iri FROM graph ORDER BY iri"):
            lines = self._file.execute("SELECT s, p, o FROM fact WHERE graph = ?", (graph,))
            text = "".join(f"{s} {p} {o} .\n" for s, p, o in lines)
            found = ox.parse(text, format=ox.RdfFormat.N_TRIPLES)
            self.held[graph] = {
                (read(q.subject), read(q.predicate), read(q.object)): None for q in found
            }


@contextmanager
def _whole(file: sqlite3.Connection) -> Iterator[None]:
    """Run the block in one transaction; an error of SQLite rolls it back as JournalFailed."""
    with _failing():
        file.execute("BEGIN IMMEDIATE")
        try:
            yield
            file.execute("COMMIT")
        except BaseException:
            if file.in_transaction:
                file.execute("ROLLBACK")
            raise


@contextmanager
def _readable(place: str) -> Iterator[None]:
    """Raise Damaged if the block can't read the file; its message names the way out."""
    try:
        yield
    except (sqlite3.DatabaseError, JournalFailed, ValueError, SyntaxError, TypeError) as reason:
        cause = reason.__cause__ if isinstance(reason, JournalFailed) else reason
        if isinstance(cause, sqlite3.OperationalError):
            raise JournalFailed(f"the plain graphs can't be kept: {cause}") from reason
        raise Damaged(
            f"the plain graphs in {place} can't be read: {cause}; move the file away to start the "
            "board without them",
            file=place,
        ) from reason


@contextmanager
def _failing() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as reason:
        raise JournalFailed(f"the plain graphs can't be kept: {reason}") from reason
