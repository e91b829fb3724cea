"""The protocol of a journal, for any storage: one SQLite file here, a replicated log elsewhere.

One thread writes at a time; any thread may read at any time. Both block, so the service calls them
from threads. A reader sees every `append` that has returned, and never a part of one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol

from kb_server.core.models.delta import ModelDelta
from kb_server.core.terms.statements import Statement
from kb_server.journal.state import Entry, State

__all__ = [
    "DURABILITIES",
    "AtSeq",
    "AtTime",
    "Durability",
    "Happened",
    "Health",
    "Journal",
    "JournalPosition",
    "JournalSettings",
    "PointInTime",
]

Durability = Literal["full", "normal", "off"]

DURABILITIES: Final[dict[Durability, str]] = {
    "full": "nothing that was answered is lost, whatever fails but the disk itself",
    "normal": "a power cut may lose the last changes, whole ones; a crash of the board none",
    "off": "a power cut may lose changes and damage the journal; a crash of the board none",
}
"""The possible losses under each; a killed process loses nothing under any."""


@dataclass(frozen=True, slots=True)
class JournalSettings:
    """Durability, packing, snapshots and retention.

    Retention always drops up to a snapshot, so that the state at the oldest moment kept is known.
    """

    durability: Durability = "full"
    """Loss in a power failure: `full` none, `normal` the last changes, `off` more."""
    age: float | None = None
    """Seconds; older history is dropped."""
    size: int | None = 2**32
    """Bytes; if the journal is larger, its oldest history is dropped."""
    segment: int = 1_000
    """Deltas packed into one segment."""
    snapshot: int = 10_000
    """Deltas between two snapshots; `segment` if these deltas take a quarter of `size`."""


@dataclass(frozen=True, slots=True)
class AtSeq:
    """The moment after all deltas up to this one."""

    seq: int


@dataclass(frozen=True, slots=True)
class AtTime:
    """The moment after all changes up to this time, by the board's clock."""

    t: float


PointInTime = AtSeq | AtTime


class JournalPosition(NamedTuple):
    """A position in a journal: its last delta, and its number of model records."""

    seq: int
    records: int


@dataclass(frozen=True, slots=True)
class Happened:
    """One line of history: a fact became true or ceased."""

    seq: int
    t: float
    source_t: float | None
    op: Literal["became_true", "ceased"]
    fact: Statement
    source: str | None


@dataclass(frozen=True, slots=True)
class Health:
    """The size of a journal, and how far back it reaches."""

    oldest_seq: int
    last_seq: int
    snapshots: tuple[int, ...]
    bytes_used: int


class Journal(Protocol):
    """All deltas of a board in order, with snapshots of its state."""

    @property
    def last_seq(self) -> int:
        """The `seq` of the newest stored delta; 0 if there is none."""

    @property
    def last_t(self) -> float:
        """The latest stored time; the clock of the board must not fall behind it."""

    @property
    def oldest_seq(self) -> int:
        """The `seq` of the oldest delta that `deltas` can read; `last_seq` + 1 if none."""

    @property
    def is_free(self) -> bool:
        """Whether `append` could write now without waiting for another thread."""

    @property
    def is_due(self) -> bool:
        """Whether a segment's worth was appended since the last `maintain`, so that it is due."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Store some entries as one transaction: all if it returns, none if it raises.

        Stored entries survive a crash of the board, and after `secure` also a power cut. Their
        numbers must have no gaps. JournalFailed if they can't be written (the disk is full or
        read-only). Then append the same entries again, alone or before others; each entry is
        stored once, even if the failed call did store it.
        """

    def secure(self) -> None:
        """Sync the appended entries as `durability` demands; JournalFailed if the disk refuses."""

    def deltas(
        self, after_seq: int, until_seq: int | None = None, model: str | None = None
    ) -> Iterator[ModelDelta]:
        """Yield the deltas after one, in order, reading them page by page.

        TooOld if the deltas after `after_seq` are dropped, before or during the reading.
        """

    def history(
        self,
        model: str,
        s: str | None = None,
        p: str | None = None,
        o: str | None = None,
        *,
        since: PointInTime | None = None,
        until: PointInTime | None = None,
    ) -> Iterator[Happened]:
        """Yield what happened to a model's facts, oldest first, within a seq ceased first.

        Both ends are included. Without `since` it begins with the oldest stored delta. TooOld if
        the history from `since` on is dropped, before or during the reading.
        """

    def place_at(self, moment: PointInTime) -> JournalPosition:
        """Return the position of a moment.

        BadRequest if it is a future delta, TooOld if it is dropped. A future time is not refused,
        because the journal has no clock: the caller must check it.
        """

    def save_snapshot(self, state: State) -> None:
        """Store a state as a snapshot, from which later deltas are folded."""

    def load(self) -> tuple[State, Iterator[Entry]] | None:
        """Return the newest snapshot and the entries after it; None for a new journal."""

    def state_at(self, place: JournalPosition, models: Sequence[str] | None = None) -> State:
        """Return the state of the models at a position; `models` limits whose facts are read."""

    def maintain(self, now: float) -> None:
        """Pack deltas, save a snapshot if one is due, and drop what retention does not keep.

        Call it regularly in a thread, and soon if `is_due`; appending and reading go on meanwhile.
        """

    def health(self) -> Health: ...

    def close(self) -> None: ...
