"""The laws of what is dropped: whoever asks gets all of it or is told that it is too old."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.models.delta import ModelDelta
from kb_server.errors import TooOld
from kb_server.journal.boards import board_at
from kb_server.journal.protocol import AtSeq, AtTime, Happened, JournalSettings, PointInTime
from kb_server.journal.sqlite import SqliteJournal
from tests.journal.boards import Kept, everything, house, in_folder, in_memory
from tests.journal.test_laws import LAW

MODELS = ("myself", "sally")
SETTINGS = st.builds(
    JournalSettings,
    durability=st.just("off"),
    age=st.sampled_from((None, 3.0, 20.0)),
    size=st.sampled_from((None, 1, 80_000)),
    segment=st.integers(1, 7),
    snapshot=st.integers(1, 12),
)
STEPS = st.lists(
    st.one_of(
        st.integers(1, 9), st.sampled_from(("upkeep", "upkeep", "snapshot", "reopen")), SETTINGS
    ),
    min_size=4,
    max_size=14,
)
Step = int | str | JournalSettings
Line = tuple[int, str, tuple[str, str, str]]


class Life:
    """A board whose journal is looked after, and opened again, as told; `was` is each past."""

    def __init__(self, opened: Callable[[JournalSettings], SqliteJournal]) -> None:
        self.opened = opened
        self.settings = JournalSettings(durability="off", segment=3, snapshot=4, size=1)
        self.kept = Kept(opened(self.settings))
        self.kept.create("sally")
        self.deltas: list[ModelDelta] = []
        self.was = [everything(self.kept.board)]

    def live(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if isinstance(step, int):
                self.write(step)
            elif step == "upkeep":
                self.kept.journal.maintain(self.kept.journal.last_t)
            elif step == "snapshot":
                self.kept.journal.snapshot()
            else:
                self.reopen(step if isinstance(step, JournalSettings) else self.settings)

    def write(self, count: int) -> None:
        for _ in range(count):
            seq = self.kept.board.seq
            fact, model = f"ball{seq % 3} isIn box{seq}", MODELS[seq % 5 == 0]
            self.deltas.append(self.kept.revise(fact, retract=[f"ball{seq % 3} * *"], model=model))
            self.was.append(everything(self.kept.board))

    def reopen(self, settings: JournalSettings) -> None:
        self.settings = settings
        self.kept = Kept(self.opened(settings))
        assert everything(self.kept.board) == self.was[-1]


def check(life: Life) -> None:
    """All that can be asked for, from every delta on, by number and by time."""
    journal, deltas = life.kept.journal, life.deltas
    for n in range(len(deltas) + 1):
        rest = deltas[n:]
        whole(deltas_of(journal), AtSeq(n), rest)
        for model in MODELS:
            mine = [delta for delta in rest if delta.model == model]
            whole(deltas_of(journal, model), AtSeq(n), mine)
            check_history(journal, model, n, deltas)
        for moment in (AtSeq(n), AtTime(n + 0.5)):
            whole(lambda at: everything(board_at(journal, house(), at)), moment, life.was[n])


def deltas_of(
    journal: SqliteJournal, model: str | None = None
) -> Callable[[PointInTime], list[ModelDelta]]:
    def ask(after: PointInTime) -> list[ModelDelta]:
        assert isinstance(after, AtSeq)
        return list(journal.deltas(after.seq, None, model))

    return ask


def check_history(journal: SqliteJournal, model: str, n: int, deltas: list[ModelDelta]) -> None:
    """From a moment on, until one, and of one thing."""
    lines = [line for delta in deltas if delta.model == model for line in lines_of(delta)]
    since = [line for line in lines if line[0] >= n]
    of_one = [line for line in since if line[2][0] == "ball1"]
    oldest = journal.oldest_seq
    until = [line for line in lines if oldest <= line[0] <= n]

    def ask(
        begin: PointInTime | None, end: PointInTime | None = None, s: str | None = None
    ) -> list[Line]:
        return list(map(told, journal.history(model, s, since=begin, until=end)))

    for moment in (AtSeq(n), AtTime(float(n))):
        whole(ask, moment, since)
        whole(lambda begin: ask(begin, s="ball1"), moment, of_one)
        whole(lambda end: ask(None, end), moment, until)


def whole(ask: Callable[[PointInTime], object], moment: PointInTime, expected: object) -> None:
    """What is asked for is all there, or too old; then the error says from where it is there."""
    try:
        found = ask(moment)
    except TooOld as reason:
        refusal = reason
    else:
        assert found == expected
        return
    oldest = refusal.detail["oldest"]
    assert isinstance(oldest, int)
    assert str(oldest) in refusal.message
    assert not isinstance(moment, AtSeq) or moment.seq < oldest
    ask(AtSeq(oldest))


def told(line: Happened) -> Line:
    return (line.seq, line.op, line.fact)


def lines_of(delta: ModelDelta) -> list[Line]:
    gone = [(delta.seq, "ceased", fact) for fact in delta.ceased]
    return [*gone, *((delta.seq, "became_true", fact) for fact in delta.became_true)]


def same_file() -> Callable[[JournalSettings], SqliteJournal]:
    """Opens what one journal in memory keeps, again and again."""
    first = in_memory()
    return lambda settings: SqliteJournal(first.db, house().names, settings)


@LAW
@given(STEPS)
def test_all_of_it_or_too_old(steps: list[Step]) -> None:
    """Whatever was packed, kept and dropped, and opened again, nothing is left out in silence."""
    life = Life(same_file())
    life.live(steps)
    check(life)
    life.reopen(life.settings)
    check(life)
    life.kept.journal.close()


def test_a_folder_is_no_different(tmp_path: Path) -> None:
    """The same holds of files that are closed and opened."""
    opened: list[SqliteJournal] = []

    def again(settings: JournalSettings) -> SqliteJournal:
        for journal in opened:
            journal.close()
        opened.append(in_folder(tmp_path, settings))
        return opened[-1]

    life = Life(again)
    life.live([10, "upkeep", 9, "upkeep", 7, "snapshot", 4, "upkeep", "reopen", 5])
    assert life.kept.journal.oldest_seq > 1
    check(life)
    life.kept.journal.close()


def test_a_snapshot_within_the_tail_hides_nothing() -> None:
    """Where all segments are dropped, what is not packed yet is told from its first delta on."""
    life = Life(same_file())
    settings = JournalSettings(durability="off", segment=10, snapshot=24, size=None)
    life.live([settings, 25, "upkeep", replace(settings, size=1), "upkeep"])
    journal = life.kept.journal
    assert (journal.oldest_seq, journal.health().snapshots) == (21, (25,))
    assert list(journal.deltas(20, model="myself")) == [
        d for d in life.deltas[20:] if d.model == "myself"
    ]
    assert {line.seq for line in journal.history("myself", since=AtSeq(21))} == {22, 23, 24, 25}
    with pytest.raises(TooOld, match="from delta 25 on") as refusal:
        journal.place_at(AtSeq(24))
    assert refusal.value.detail == {"oldest": 25}
    assert journal.place_at(AtSeq(25)).seq == 25
    journal.close()


def test_a_size_is_kept_long_before_a_snapshot_is_due() -> None:
    """Looked after when it is due, a journal stays near its size, and doesn't drop all it has."""
    settings = JournalSettings(durability="off", segment=50, snapshot=100_000, size=120_000)
    kept = Kept(in_memory(settings))
    upkeeps, most, lengths = 0, 0, list[int]()
    for _ in range(4_000):
        kept.move(1)
        if kept.journal.is_due:
            kept.journal.maintain(kept.journal.last_t)
            upkeeps += 1
            assert not kept.journal.is_due
            lengths.append(kept.journal.last_seq - kept.journal.oldest_seq)
        most = max(most, kept.journal.health().bytes_used)
    assert upkeeps == 80
    assert most <= 150_000
    assert min(lengths[-40:]) > max(lengths) / 3
    assert kept.journal.oldest_seq > 1_000
    assert everything(Kept(kept.journal).board) == everything(kept.board)
    kept.journal.close()
