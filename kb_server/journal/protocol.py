"""What a journal promises, whoever keeps it: one file here, a replicated log elsewhere.

Writing is for one writer at a time and reading for any thread at any time; both block, so they are
called from a thread. A reader sees what `append` has returned for, and never half of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol

from kb_server.core.models.delta import Delta
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
    "JournalSettings",
    "Moment",
    "Place",
]

Durability = Literal["full", "normal", "off"]

DURABILITIES: Final[dict[Durability, str]] = {
    "full": "nothing that was answered is lost, whatever fails but the disk itself",
    "normal": "a power cut may lose the last changes, whole ones; a crash of the board none",
    "off": "a power cut may lose changes and damage the journal; a crash of the board none",
}
"""What may be lost under each; a kill of the process loses nothing under any."""


@dataclass(frozen=True, slots=True)
class JournalSettings:
    """How safe, how often packed and snapshotted, and how much is kept.

    What is dropped goes up to a snapshot, so that the state at the oldest moment kept is known.
    """

    durability: Durability = "full"
    """What may be lost in a power cut: `full` nothing, `normal` the last changes, `off` more."""
    age: float | None = None
    """Seconds; history before is dropped."""
    size: int | None = 2**32
    """Bytes; where the journal has more, the oldest history is dropped."""
    segment: int = 1_000
    """Deltas that are packed together."""
    snapshot: int = 10_000
    """Deltas between two snapshots, or `segment` where those are much of what is kept."""


@dataclass(frozen=True, slots=True)
class AtSeq:
    """After all deltas up to this one."""

    seq: int


@dataclass(frozen=True, slots=True)
class AtTime:
    """After all that happened up to this time, by the board's clock."""

    t: float


Moment = AtSeq | AtTime


class Place(NamedTuple):
    """How far a journal has come: its last delta, and how many records of models."""

    seq: int
    records: int


@dataclass(frozen=True, slots=True)
class Happened:
    """One line of history: that a fact became true or ceased."""

    seq: int
    t: float
    source_t: float | None
    op: Literal["became_true", "ceased"]
    fact: Statement
    source: str | None


@dataclass(frozen=True, slots=True)
class Health:
    """How large a journal is, and how far back it reaches."""

    oldest_seq: int
    last_seq: int
    snapshots: tuple[int, ...]
    bytes_used: int


class Journal(Protocol):
    """Every delta in order."""

    @property
    def last_seq(self) -> int:
        """The newest delta that is kept; 0 when there is none."""

    @property
    def last_t(self) -> float:
        """The latest time that is kept; the clock of the board must not fall behind it."""

    @property
    def oldest_seq(self) -> int:
        """The oldest delta that `deltas` can still give; `last_seq` + 1 when there is none."""

    @property
    def is_free(self) -> bool:
        """Whether `append` would not have to wait for what another thread does here."""

    @property
    def is_due(self) -> bool:
        """Whether so much was appended since the last `maintain` that another should come soon."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Keeps some entries as one: all when it returns, none when it raises.

        A crash of the board takes nothing of them, and after `secure` no power cut does. Entries
        come without gaps. JournalFailed when they can't be written (the disk is full or
        read-only); then the same entries are to be handed in again, alone or before others, and
        are kept once when there is space.
        """

    def secure(self) -> None:
        """Makes what was appended as safe as the settings ask; JournalFailed when it can't be."""

    def deltas(
        self, after_seq: int, until_seq: int | None = None, model: str | None = None
    ) -> Iterator[Delta]:
        """The deltas after one, in order, read as they are asked for.

        TooOld when `after_seq` lies before what is kept, or comes to while it is read.
        """

    def history(
        self,
        model: str,
        s: str | None = None,
        p: str | None = None,
        o: str | None = None,
        *,
        since: Moment | None = None,
        until: Moment | None = None,
    ) -> Iterator[Happened]:
        """What happened to facts of a model, oldest first, within a seq ceased first.

        Both ends are included. Without `since` it begins with the oldest that is kept; TooOld
        when `since` lies before that, or comes to while it is read.
        """

    def place_at(self, moment: Moment) -> Place:
        """Where a moment is: BadRequest for a delta to come, TooOld for what is dropped.

        Whether a time is still to come only its asker can know.
        """

    def save_snapshot(self, state: State) -> None:
        """Keeps a state, from which to fold on."""

    def load(self) -> tuple[State, Iterator[Entry]] | None:
        """The newest snapshot and what came after it; None of a journal that is new."""

    def state_at(self, place: Place, models: Sequence[str] | None = None) -> State:
        """What the models held at a place; with `models`, the facts of those alone."""

    def maintain(self, now: float) -> None:
        """Packs, makes a snapshot when one is due, and drops what retention does not keep.

        To be called now and then, and soon when it `is_due`, in a thread; appending and reading
        go on meanwhile.
        """

    def health(self) -> Health: ...

    def close(self) -> None: ...
