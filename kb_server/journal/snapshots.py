"""Snapshots: the state after some delta, stored in parts, so that no write waits for a whole one.

Each part is written in its own transaction. A snapshot is valid once its head is written. Parts
that a crash leaves without a head are deleted when the next snapshot is saved.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from typing import Final

from kb_server.errors import Damaged, TooOld
from kb_server.journal.codec import decode_model, encode_model
from kb_server.journal.database import Database
from kb_server.journal.rows import SnapshotRow, crc_of, put
from kb_server.journal.spelling import Spelling
from kb_server.journal.state import ModelState, State

__all__ = ["Snapshots", "bodies_of", "heads_of", "is_whole", "written"]

_LEVEL: Final = 1
"""The level of zlib for snapshots: the fastest, because the board works meanwhile."""
_ORPHANS: Final = "DELETE FROM snapshot_part WHERE snapshot NOT IN (SELECT id FROM snapshot)"


class Snapshots:
    """The snapshots of a journal, oldest first."""

    def __init__(self, db: Database, spelling: Spelling) -> None:
        self._db: Final = db
        self._spelling: Final = spelling

    def heads(self) -> list[SnapshotRow]:
        with self._db.read() as connection:
            return heads_of(connection)

    def save(self, state: State) -> None:
        """Store a state as a snapshot."""
        with self._db.write() as connection:
            connection.execute(_ORPHANS)
            number = 1 + max((head.id for head in heads_of(connection)), default=0)
        crc = part = 0
        for body in written(state):
            crc = zlib.crc32(body, crc)
            with self._db.write() as connection:
                put(connection, "snapshot_part", [(number, part, body)])
            part += 1
        facts = sum(len(model.since) for model in state.models.values())
        said = (number, state.seq, float(state.t), state.records, self._spelling.now)
        with self._db.write() as connection:
            put(connection, "snapshot", [SnapshotRow.of(said, part, facts, crc)])

    def read(self, head: SnapshotRow, only: frozenset[str] | None = None) -> State:
        """Return the state of a snapshot, with the facts of the models `only`, or of all.

        Damaged if its checksum is wrong, TooOld if it has been dropped meanwhile.
        """
        with self._db.read() as connection:
            if head not in heads_of(connection):
                raise TooOld(f"the state after delta {head.seq} has been dropped", seq=head.seq)
            bodies = bodies_of(connection, head)
        if not is_whole(head, bodies):
            raise Damaged(f"the journal's snapshot at {head.seq} is damaged", seq=head.seq)
        spell = self._spelling.speller(head.names)
        models: dict[str, ModelState] = {}
        for body in bodies:
            decode_model(zlib.decompress(body), models, spell)
        if only is not None:
            for name in models.keys() - only:
                models[name] = ModelState(models[name].seq)
        return State(head.seq, head.t, head.records, models, only)


def heads_of(connection: sqlite3.Connection) -> list[SnapshotRow]:
    rows = connection.execute("SELECT * FROM snapshot ORDER BY seq, records, id").fetchall()
    return [SnapshotRow(*row) for row in rows]


def bodies_of(connection: sqlite3.Connection, head: SnapshotRow) -> list[bytes]:
    asked = "SELECT body FROM snapshot_part WHERE snapshot = ? ORDER BY part"
    return [body for (body,) in connection.execute(asked, (head.id,))]


def is_whole(head: SnapshotRow, bodies: list[bytes]) -> bool:
    """Whether a snapshot has all its parts and the right checksum."""
    crc = 0
    for body in bodies:
        crc = zlib.crc32(body, crc)
    return len(bodies) == head.parts and head.crc == crc ^ crc_of(b"", *head[:7])


def written(state: State) -> Iterator[bytes]:
    """Yield a state as the parts of a snapshot."""
    for name, model in state.models.items():
        for line in encode_model(name, model):
            yield zlib.compress(line.encode(), _LEVEL)
