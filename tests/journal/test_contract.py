"""What every journal promises, tried on each there is."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kb_server.core.terms.statements import write
from kb_server.errors import BadRequest, JournalFailed, TooOld
from kb_server.journal.boards import PastBoards, board_at
from kb_server.journal.protocol import AtSeq, AtTime, Journal, JournalPosition, JournalSettings
from kb_server.journal.sqlite import SqliteJournal
from kb_server.journal.state import ModelRecord
from tests.journal.boards import SMALL, Kept, everything, house, in_folder, in_memory

WANTED = (
    (None, None, None),
    ("ball1", None, None),
    (None, "isIn", None),
    (None, None, "box2"),
    ("ball0", "isAt", "box3"),
    (None, "isOn", "nowhere"),
)
Make = Callable[[JournalSettings], SqliteJournal]


@pytest.fixture(params=["folder", "memory"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    made: list[SqliteJournal] = []

    def one(settings: JournalSettings) -> SqliteJournal:
        in_one = request.param == "folder"
        made.append(in_folder(tmp_path, settings) if in_one else in_memory(settings))
        return made[-1]

    yield one
    for journal in made:
        journal.close()


@pytest.fixture
def kept(make: Make) -> Kept:
    return Kept(make(SMALL))


def test_a_journal_keeps_its_protocol(make: Make) -> None:
    """The journal of SQLite is a journal."""
    journal: Journal = make(SMALL)
    assert (journal.last_seq, journal.oldest_seq) == (0, 1)


def test_deltas_come_back_as_they_were(kept: Kept) -> None:
    """What is read is what was appended, in order, packed or not."""
    kept.revise("tom a Cat", 'tom rdfs:label "a \\"cat\\" ☃"@en', source="eyes", t=0.25)
    kept.revise("tom isIn box", ttl=4.0)
    kept.revise("sally a Agent")
    kept.move(5)
    assert list(kept.journal.deltas(0)) == kept.deltas
    kept.journal.maintain(0.0)
    assert list(kept.journal.deltas(0)) == kept.deltas
    assert list(kept.journal.deltas(4, 6)) == kept.deltas[4:6]
    assert list(kept.journal.deltas(8)) == []


def test_deltas_of_one_model(kept: Kept) -> None:
    """Those of one model are the ones asked for, wherever they lie."""
    kept.create("sally")
    for i in range(12):
        kept.revise(f"ball{i} isIn box", model=("myself", "sally", "sally")[i % 3])
        kept.journal.maintain(0.0)
    wanted = [d for d in kept.deltas if d.model == "myself"]
    assert list(kept.journal.deltas(0, model="myself")) == wanted
    assert list(kept.journal.deltas(4, 9, "myself")) == [d for d in wanted if 4 < d.seq <= 9]


def test_an_append_is_all_or_nothing(kept: Kept) -> None:
    """A gap is refused, and nothing that came with it is kept."""
    first = kept.revise("tom a Cat")
    with pytest.raises(JournalFailed, match="out of order"):
        kept.journal.append([first])
    assert kept.journal.last_seq == 1


def test_history_says_what_happened(kept: Kept) -> None:
    """Oldest first, and within a delta what ceased comes first."""
    kept.revise("tom isIn box", source="eyes", t=0.5)
    kept.revise("tom isIn bag", retract=["tom isIn *"], now=7.0)
    told = kept.journal.history("myself", "tom", "isIn")
    assert [(h.seq, h.t, h.source_t, h.op, write(h.fact), h.source) for h in told] == [
        (1, 1.0, 0.5, "became_true", "tom isIn box", "eyes"),
        (2, 7.0, None, "ceased", "tom isIn box", None),
        (2, 7.0, None, "became_true", "tom isIn bag", None),
    ]


def test_history_is_found_by_any_term(kept: Kept) -> None:
    """Whatever is asked for, it is what a search of all deltas finds."""
    kept.create("sally")
    for i in range(20):
        kept.revise(f"ball{i % 3} isIn box{i % 4}", retract=["ball0 isIn *"], source=f"s{i}")
        kept.revise(f"ball{i} isOn box{i % 4}", model="sally")
        kept.journal.maintain(0.0)
    for wanted in WANTED:
        found = [(h.seq, h.op, h.fact) for h in kept.journal.history("myself", *wanted)]
        assert found == [
            (d.seq, op, fact)
            for d in kept.deltas
            if d.model == "myself"
            for op, facts in (("ceased", d.ceased), ("became_true", d.became_true))
            for fact in facts
            if all(w in (None, term) for w, term in zip(wanted, fact, strict=True))
        ]


def test_history_from_one_moment_to_another(kept: Kept) -> None:
    """Both ends are included, by number and by time."""
    kept.move(9)
    kept.journal.maintain(0.0)
    ask = kept.journal.history
    seqs = {h.seq for h in ask("myself", "tom", since=AtSeq(3), until=AtSeq(5))}
    assert seqs == {h.seq for h in ask("myself", since=AtTime(3.0), until=AtTime(5.5))} == {3, 4, 5}


@pytest.mark.parametrize("packed", [False, True])
def test_the_past_is_as_it_was(kept: Kept, packed: bool) -> None:
    """After each delta the state at it, by number and by time, is what the board was then."""
    was = [everything(kept.board)]
    for step in range(14):
        if step == 4:
            kept.revise("sally a Agent")
        else:
            kept.move(1)
        was.append(everything(kept.board))
        if packed:
            kept.journal.maintain(0.0)
    past = PastBoards(kept.journal, house())
    for seq, then in enumerate(was):
        assert everything(past.at(AtSeq(seq))) == then
        assert everything(past.at(AtTime(seq + 0.5))) == then
    assert past.at(AtSeq(7)) is past.at(AtTime(7.0))


def test_the_past_of_one_model(kept: Kept) -> None:
    """The facts of the others are left out, but that they exist is known."""
    kept.create("sally")
    kept.revise("tom isIn box")
    kept.revise("tom isIn bag", model="sally")
    board = board_at(kept.journal, house(), AtSeq(2), ("sally",))
    assert [(m.id, m.asserted, m.seq) for m in board.models()] == [
        ("myself", 0, 1),
        ("sally", 1, 2),
    ]


def test_models_come_and_go(kept: Kept) -> None:
    """A model made by hand or by a fact, and one deleted with all in it, are so in the past."""
    kept.create("sally")
    kept.create("sally.anne")
    kept.revise("bob a Agent")
    kept.delete("sally")
    kept.revise("tom a Cat")
    names = {n: [m.id for m in board_at(kept.journal, house(), AtSeq(n)).models()] for n in (1, 2)}
    assert names == {1: ["myself", "bob"], 2: ["myself", "bob"]}
    assert everything(Kept(kept.journal).board) == everything(kept.board)


def test_the_future_is_refused(kept: Kept) -> None:
    """A delta that is still to come is a bad request."""
    kept.move(2)
    with pytest.raises(BadRequest):
        kept.journal.place_at(AtSeq(3))


def test_retention_by_age(make: Make) -> None:
    """What is older than allowed is too old for whoever asks, and the rest is as it was."""
    kept = Kept(make(JournalSettings(durability="off", segment=3, snapshot=5, age=10.0)))
    for _ in range(40):
        kept.move(1)
        kept.journal.maintain(float(kept.board.seq))
    oldest = kept.journal.oldest_seq
    assert 20 < oldest <= 31
    assert list(kept.journal.deltas(oldest - 1)) == kept.deltas[oldest - 1 :]
    for ask in (
        lambda: list(kept.journal.deltas(oldest - 2)),
        lambda: list(kept.journal.deltas(oldest - 2, model="myself")),
        lambda: list(kept.journal.history("myself", since=AtSeq(oldest - 1))),
        lambda: list(kept.journal.history("myself", since=AtTime(5.0))),
        lambda: kept.journal.place_at(AtSeq(5)),
        lambda: kept.journal.state_at(JournalPosition(5, 0)),
    ):
        with pytest.raises(TooOld):
            ask()
    assert everything(board_at(kept.journal, house(), AtSeq(40))) == everything(kept.board)
    assert everything(Kept(kept.journal).board) == everything(kept.board)


def test_retention_by_size(make: Make) -> None:
    """A journal does not grow beyond what it may, however long it runs."""
    settings = JournalSettings(durability="off", segment=20, snapshot=50, size=120_000)
    kept = Kept(make(settings))
    for _ in range(60):
        kept.revise(*(f"thing{kept.board.seq}-{i} isIn box" for i in range(20)), ttl=3.0)
        kept.move(20)
        kept.expire(float(kept.board.seq))
        kept.journal.maintain(float(kept.board.seq))
    health = kept.journal.health()
    assert health.oldest_seq > 100
    assert health.bytes_used <= 150_000
    assert everything(Kept(kept.journal).board) == everything(kept.board)


def test_a_reader_overtaken_by_retention_is_told(make: Make) -> None:
    """Reading on in what was dropped meanwhile is too old, never a gap."""
    kept = Kept(make(JournalSettings(durability="off", segment=3, snapshot=5, age=1.0)))
    kept.move(30)
    reader = kept.journal.deltas(0)
    assert next(reader).seq == 1
    kept.journal.maintain(100.0)
    kept.move(30)
    kept.journal.maintain(100.0)
    with pytest.raises(TooOld):
        list(reader)


def test_packing_is_seen_by_nobody(kept: Kept) -> None:
    """A reader that began before the tail was packed goes on without gap or repetition."""
    kept.move(11)
    reader = kept.journal.deltas(0)
    told = [next(reader)]
    kept.journal.maintain(0.0)
    assert told + list(reader) == kept.deltas


def test_many_deltas_at_one_instant(kept: Kept) -> None:
    """A time means after all of its deltas, and history from or until it has each of them."""
    for t in (1.0, 2.0, 2.0, 2.0, 2.0, 3.0):
        kept.revise(f"ball isOn spot{kept.board.seq}", now=t)
        kept.journal.maintain(0.0)
    places = [kept.journal.place_at(AtTime(t)).seq for t in (0.5, 1.0, 2.0, 2.5, 9.0)]
    assert places == [0, 1, 5, 5, 6]
    ask = kept.journal.history
    then = ask("myself", p="isOn", since=AtTime(2.0), until=AtTime(2.0))
    assert [h.seq for h in then] == [2, 3, 4, 5]
    assert [h.seq for h in ask("myself", p="isOn", since=AtTime(2.5))] == [6]


def test_a_clock_that_is_set_back(make: Make) -> None:
    """A delta keeps the time that it says, and a time is found as if the clock had stood still."""
    kept = Kept(make(SMALL))
    for t in (10.0, 20.0, 5.0, 6.0, 30.0):
        kept.revise(f"ball isOn spot{kept.board.seq}", now=t)
        kept.journal.maintain(0.0)
    assert [d.t for d in kept.journal.deltas(0)] == [10.0, 20.0, 5.0, 6.0, 30.0]
    assert [kept.journal.place_at(AtTime(t)).seq for t in (7.0, 15.0, 20.0, 29.0)] == [0, 1, 4, 4]
    assert kept.journal.last_t == 30.0


def test_a_model_is_there_from_when_it_was_made(kept: Kept) -> None:
    """Between two deltas models come and go by time, and a board kept of before does not stay."""
    past = PastBoards(kept.journal, house())
    kept.revise("tom a Cat", now=1.0)
    assert [m.id for m in past.at(AtSeq(1)).models()] == ["myself"]
    kept.create("ann", now=4.0)
    kept.delete("ann", now=6.0)
    kept.create("bob", now=8.0)
    names = [[m.id for m in past.at(AtTime(t)).models()] for t in (3.9, 4.0, 6.0, 8.0)]
    assert names == [["myself"], ["myself", "ann"], ["myself"], ["myself", "bob"]]
    assert [m.id for m in past.at(AtSeq(1)).models()] == ["myself", "bob"]
    assert kept.journal.last_t == 8.0


def test_a_record_has_its_place(kept: Kept) -> None:
    """A record of a model follows the delta that it names, and no other."""
    kept.move(2)
    for seq in (1, 3):
        with pytest.raises(JournalFailed, match="out of order"):
            kept.journal.append([ModelRecord(seq, "ann", True, 9.0)])
    kept.create("ann")
    assert [m.id for m in Kept(kept.journal).board.models()] == ["myself", "ann"]


def test_the_past_of_a_model_that_is_gone(kept: Kept) -> None:
    """A model deleted, and made again with other facts, was then what it was then."""
    kept.create("sally")
    kept.revise("tom a Cat", model="sally", now=1.0)
    kept.delete("sally", now=2.0)
    kept.create("sally", now=3.0)
    kept.revise("rex a Dog", model="sally", now=4.0)
    facts = [
        {write(f) for f in board_at(kept.journal, house(), AtSeq(n)).model("sally").facts()}
        for n in (1, 2, 3)
    ]
    assert facts == [{"tom a Cat", "tom a Animal"}, set(), {"rex a Dog", "rex a Animal"}]


def test_whatever_can_be_said_comes_back(make: Make) -> None:
    """Blank nodes, IRIs, unicode, quotes, newlines and long texts are kept as they are."""
    kept = Kept(make(SMALL))
    said = [
        "_:b0 isOn _:b.1",
        "<http://example.org/%C3%A4#x> <urn:isOn> cyc:Thing",
        r'ball says "two\nlines\tand \\ \"quotes\""',
        'ball says "☃ 𝔘 \u0000 {}"@de-AT'.format("x" * 60_000),
        'ball says "\u2028 [1, 2]"^^<http://example.org/odd>',
        "ball weighs -1.50e-3",
    ]
    for statement in said:
        kept.revise(statement, source="a\n☃", t=0.1)
        kept.journal.maintain(0.0)
    assert list(kept.journal.deltas(0)) == kept.deltas
    for delta in kept.deltas:
        for fact in delta.became_true:
            assert [h.seq for h in kept.journal.history("myself", *fact)] == [delta.seq]
    assert everything(Kept(kept.journal).board) == everything(kept.board)


def test_a_quiet_board_forgets_by_age(make: Make) -> None:
    """What is too old goes even where little happens, within a quarter more of the age."""
    kept = Kept(make(JournalSettings(durability="off", age=100.0)))
    for day in range(40):
        kept.revise(f"day{day} isOn board", now=day * 10.0)
        kept.journal.maintain(day * 10.0)
    oldest = next(iter(kept.journal.deltas(kept.journal.oldest_seq - 1)))
    assert 390.0 - 140.0 <= oldest.t <= 390.0 - 100.0
    with pytest.raises(TooOld):
        kept.journal.place_at(AtTime(200.0))


def test_readers_beside_the_writer(make: Make) -> None:
    """While one thread writes and one tidies up, every past that is read is one that was."""
    kept = Kept(make(JournalSettings(durability="off", segment=5, snapshot=20, age=60.0)))
    kept.move(20)
    done = threading.Event()

    def tidy() -> int:
        times = 0
        while not done.is_set():
            kept.journal.maintain(kept.journal.last_t)
            times += 1
        return times

    def read() -> int:
        times = 0
        while not done.is_set() or not times:
            times += is_right(kept.journal)
        return times

    with ThreadPoolExecutor(4) as pool:
        tidying, *reading = [pool.submit(tidy), *(pool.submit(read) for _ in range(3))]
        try:
            kept.move(400)
        finally:
            done.set()
        assert tidying.result() > 0
        assert all(each.result() > 0 for each in reading)


def is_right(journal: SqliteJournal) -> bool:
    """Whether tom is where he must be after some delta; False when that has become too old."""
    seq = journal.last_seq - 15
    try:
        state = journal.state_at(journal.place_at(AtSeq(seq)))
        told = [h.seq for h in journal.history("myself", "tom", "isIn", since=AtSeq(seq))]
    except TooOld:
        return False
    held = [fact for fact in state.models["myself"].since if fact[1] == "isIn"]
    assert held == [("tom", "isIn", f"room{(seq - 1) % 4}")]
    assert sorted(set(told)) == list(range(seq, told[-1] + 1))
    return True
