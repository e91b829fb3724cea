"""Files that are not as they were left: mended at the end, refused in the middle."""

import io
import json
import logging
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from kb_server.core.models.board import Board
from kb_server.errors import Damaged, TooOld
from kb_server.journal.boards import board_at
from kb_server.journal.folder import FILE
from kb_server.journal.identity import identity_of
from kb_server.journal.protocol import AtSeq, JournalPosition, JournalSettings
from kb_server.journal.recovery import cut_at_damage, export_readable, forget_before_damage
from kb_server.journal.state import State, models_of
from tests.journal.boards import SMALL, Kept, everything, house, in_folder

COUNT = 30
WIDE = JournalSettings(durability="off", segment=5, snapshot=1_000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A journal of thirty deltas, the first twenty-five packed, and closed."""
    kept = Kept(in_folder(tmp_path, WIDE))
    kept.move(28)
    kept.journal.maintain(0.0)
    kept.move(COUNT - 28)
    kept.journal.close()
    return tmp_path


def edit(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.execute(statement)


def opened(folder: Path, settings: JournalSettings = WIDE) -> Kept:
    journal = in_folder(folder, settings)
    try:
        return Kept(journal)
    except Damaged:
        journal.close()
        raise


@pytest.mark.parametrize(
    ("statement", "end"),
    [
        ("UPDATE tail SET body = x'00' WHERE seq = 30", 29),
        ("UPDATE tail SET t = t + 1 WHERE seq >= 28", 27),
        ("DELETE FROM tail WHERE seq = 30", 29),
    ],
)
def test_a_damaged_end_is_cut_off(
    folder: Path, statement: str, end: int, caplog: pytest.LogCaptureFixture
) -> None:
    """What is whole goes on, the damaged file is kept, and the log says so."""
    edit(folder, statement)
    with caplog.at_level(logging.WARNING):
        kept = opened(folder)
    assert kept.board.seq == kept.journal.last_seq == end
    assert [d.seq for d in kept.journal.deltas(0)] == list(range(1, end + 1))
    assert kept.journal.history("myself", "tom", "isIn", since=AtSeq(24))
    kept.move(3)
    kept.journal.close()
    if "DELETE" not in statement:
        assert f"now ends with delta {end}" in caplog.text
        assert list(folder.glob(f"{FILE}.damaged-1"))
    assert everything(opened_and_closed(folder).board) == everything(kept.board)


def opened_and_closed(folder: Path) -> Kept:
    kept = opened(folder)
    kept.journal.close()
    return kept


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE segment SET body = x'78' WHERE first = 6",
        "DELETE FROM segment WHERE first = 11",
        "UPDATE segment SET last = 9 WHERE first = 6",
        "UPDATE tail SET crc = crc + 1 WHERE seq = 27",
        "DELETE FROM tail WHERE seq = 28",
        "UPDATE snapshot SET crc = crc + 1",
    ],
)
def test_a_damaged_middle_stops_the_start(folder: Path, statement: str) -> None:
    """It is an error that names the folder and the ways out, and nothing is changed."""
    edit(folder, statement)
    before = (folder / FILE).read_bytes()
    with pytest.raises(Damaged) as caught:
        opened(folder)
    assert caught.value.code == "damaged"
    assert (folder / FILE).read_bytes() == before
    assert "--after-damage export" in caught.value.message
    assert str(folder) in caught.value.message


def test_the_ways_out_of_damage(folder: Path) -> None:
    """All that is readable can be written down, and the board can go back to before the damage."""
    edit(folder, "UPDATE segment SET body = x'78' WHERE first = 6")
    out = io.StringIO()
    assert export_readable(folder, out) == 25
    seqs = [json.loads(line)[0] for line in out.getvalue().splitlines()]
    assert seqs == [n for n in range(1, 31) if not 6 <= n <= 10]
    assert cut_at_damage(folder) == 5
    kept = opened(folder)
    assert kept.board.seq == 5
    assert [d.seq for d in kept.journal.deltas(0)] == [1, 2, 3, 4, 5]
    kept.journal.close()


def test_the_board_of_today_survives_damage_to_its_past(tmp_path: Path) -> None:
    """Where a snapshot lies behind the damage, only the history before it has to be forgotten."""
    kept = Kept(in_folder(tmp_path, SMALL))
    kept.create("ann", now=0.0)
    for _ in range(6):
        kept.move(4)
        kept.journal.maintain(0.0)
    kept.journal.close()
    edit(tmp_path, "UPDATE segment SET body = x'78' WHERE first = 4")
    edit(tmp_path, "UPDATE model SET crc = 0")
    with pytest.raises(Damaged, match=r"forget` .* with its history from delta 7 on"):
        opened(tmp_path)
    assert forget_before_damage(tmp_path) == 7
    again = opened(tmp_path)
    assert everything(again.board) == everything(kept.board)
    assert list(again.journal.deltas(6)) == kept.deltas[6:]
    with pytest.raises(TooOld):
        again.journal.place_at(AtSeq(6))
    again.journal.close()


def test_a_lost_beginning_leaves_what_was_before_it(folder: Path) -> None:
    """Without a snapshot that leads up to what is whole, `cut` alone goes back to the newest."""
    edit(folder, "DELETE FROM segment WHERE first = 1")
    with pytest.raises(Damaged, match="cut` goes back to the board after delta 0; ") as refusal:
        opened(folder)
    assert "forget" not in refusal.value.message  # it would lead to the same
    before = (folder / FILE).read_bytes()
    with pytest.raises(Damaged, match=r"leads further.*cut` goes back to .* delta 0; "):
        forget_before_damage(folder)
    assert (folder / FILE).read_bytes() == before
    assert export_readable(folder, io.StringIO()) == 25
    assert cut_at_damage(folder) == 0
    kept = opened(folder)
    assert (kept.board.seq, list(kept.journal.deltas(0))) == (0, [])
    kept.move(2)
    kept.journal.close()
    assert (folder / f"{FILE}.damaged-1").exists()
    assert opened_and_closed(folder).board.seq == 2


def test_a_lost_beginning_with_a_snapshot_behind_it(tmp_path: Path) -> None:
    """Where snapshots lie behind it, only the history before the first of them is lost."""
    kept = Kept(in_folder(tmp_path, SMALL))
    for _ in range(6):
        kept.move(4)
        kept.journal.maintain(0.0)
    kept.journal.close()
    edit(tmp_path, "DELETE FROM segment WHERE first = 1")
    with pytest.raises(Damaged, match=r"no deltas from 1 to 3.*after delta 24"):
        in_folder(tmp_path, SMALL)
    assert cut_at_damage(tmp_path) == 24
    again = opened(tmp_path)
    assert everything(again.board) == everything(kept.board)
    assert list(again.journal.deltas(3)) == kept.deltas[3:]
    again.journal.close()


def test_a_snapshot_between_two_gaps_is_a_way_out(tmp_path: Path) -> None:
    """The newest state that can be read is kept, though no delta before or behind it can."""
    kept = Kept(in_folder(tmp_path, SMALL))
    for _ in range(6):
        kept.move(4)
        kept.journal.maintain(0.0)
    was = {n: everything(board_at(kept.journal, house(), AtSeq(n))) for n in range(25)}
    newest, middle = kept.journal.health().snapshots[-1], kept.journal.health().snapshots[2]
    kept.journal.close()
    edit(tmp_path, f"DELETE FROM snapshot WHERE seq > {middle}")
    edit(tmp_path, f"UPDATE segment SET body = x'78' WHERE first <= {newest - 3}")
    assert cut_at_damage(tmp_path) == middle
    assert everything(opened_and_closed(tmp_path).board) == was[middle]


@pytest.mark.parametrize("lost", ["UPDATE snapshot SET crc = crc + 1", "DELETE FROM snapshot"])
def test_deltas_without_any_snapshot_are_folded_from_the_first(folder: Path, lost: str) -> None:
    """Where every delta is there, no snapshot is needed to go on, once that is asked for."""
    kept = opened(folder)
    kept.create("ann", now=40.0)
    kept.journal.close()
    edit(folder, lost)
    with pytest.raises(Damaged):
        opened(folder)
    assert cut_at_damage(folder) == COUNT
    again = opened_and_closed(folder)
    assert everything(again.board) == everything(kept.board)


def test_a_dropped_beginning_is_not_taken_for_the_first_delta(folder: Path) -> None:
    """Without a snapshot nothing is folded that begins in the middle, or lacks earlier models."""
    kept = opened(folder)
    kept.create("ann", now=40.0)
    kept.create("bob", now=40.0)
    kept.journal.close()
    edit(folder, "DELETE FROM snapshot")
    edit(folder, "DELETE FROM model WHERE id = 1")
    with pytest.raises(Damaged, match="no snapshot on that side"):
        cut_at_damage(folder)
    edit(folder, "DELETE FROM segment WHERE first = 1")
    with pytest.raises(Damaged, match=r"out: `--after-damage export` .* 25 deltas") as refusal:
        cut_at_damage(folder)
    assert not re.search("cut|forget", refusal.value.message)


@pytest.mark.parametrize("size", [16, 100, 4096])
def test_a_lost_head_is_mended_when_asked(folder: Path, size: int) -> None:
    """With its first page overwritten a journal isn't begun anew, nor lost: all behind is read."""
    kept = opened_and_closed(folder)
    data = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(bytes(range(1, 129)) * (size // 128) + b"x" * (size % 128))
    with (folder / FILE).open("ab") as file:
        file.write(data[size:])
    before = (folder / FILE).read_bytes()
    with pytest.raises(Damaged, match=rf"first page is lost.*after delta {COUNT}"):
        opened(folder)
    assert (folder / FILE).read_bytes() == before
    assert export_readable(folder, io.StringIO()) == COUNT
    assert cut_at_damage(folder) == COUNT
    again = opened(folder)
    assert everything(again.board) == everything(kept.board)
    assert [delta.seq for delta in again.journal.deltas(0)] == list(range(1, COUNT + 1))
    again.journal.close()
    assert not list(folder.glob("journal.blank*"))


def test_what_is_no_journal_at_all_has_no_way_out(folder: Path) -> None:
    """Where nothing can be read the error promises nothing."""
    (folder / FILE).write_bytes(b"nothing of it" * 10_000)
    with pytest.raises(Damaged, match="Ways out: start with another folder"):
        opened(folder)
    for way in (cut_at_damage, forget_before_damage):
        with pytest.raises(Damaged):
            way(folder)
    assert export_readable(folder, io.StringIO()) == 0


def test_a_damaged_record_of_a_model_stops_the_start(folder: Path) -> None:
    """That a model came or went is not forgotten in silence, and one can go back to before it."""
    kept = opened(folder)
    kept.create("ann", now=40.0)
    kept.move(2)
    kept.delete("ann", now=50.0)
    kept.journal.close()
    edit(folder, "UPDATE model SET crc = 0 WHERE id = 2")
    with pytest.raises(Damaged, match="record"):
        opened(folder)
    assert cut_at_damage(folder) == 30
    again = opened(folder)
    assert [m.id for m in again.board.models()] == ["myself", "ann"]
    again.journal.close()


@pytest.mark.parametrize("done", [0, 1])
def test_a_mending_that_was_killed_goes_on(folder: Path, done: int) -> None:
    """The new file was whole: the next start puts it in its place, wherever it was left."""
    shutil.copyfile(folder / FILE, folder / "journal.mended")
    if done:
        (folder / FILE).rename(folder / f"{FILE}.damaged-1")
    kept = opened(folder)
    assert kept.board.seq == COUNT
    assert (folder / f"{FILE}.damaged-1").exists()
    assert not (folder / "journal.mended").exists()
    kept.journal.close()


def torn(folder: Path) -> Iterator[int]:
    """Cuts the file shorter, a page at a time."""
    size = (folder / FILE).stat().st_size
    for pages in range(1, size // 4096):
        yield size - 4096 * pages


def test_a_file_cut_short_is_mended_or_refused(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Wherever it is cut, the board is one that was, or the start says that it is damaged."""
    whole = opened(folder)
    was = {n: everything(board_at(whole.journal, house(), AtSeq(n))) for n in range(COUNT + 1)}
    whole.journal.close()
    refused = 0
    for i, size in enumerate([*torn(folder), 100, 0]):
        copy = tmp_path_factory.mktemp(f"cut{i}")
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        with (copy / FILE).open("r+b") as file:
            file.truncate(size)
        try:
            kept = opened(copy)
        except Damaged:
            refused += 1
            continue
        assert everything(kept.board) == was[kept.board.seq]
        kept.journal.close()
    assert refused >= 2


def unclosed(folder: Path) -> tuple[Path, Path]:
    """A copy of a journal as a kill would leave it: much of it only in the write-ahead log."""
    kept = Kept(in_folder(folder / "live", WIDE))
    kept.move(20)
    copy = folder / "copy"
    shutil.copytree(folder / "live", copy)
    kept.journal.close()
    return copy, copy / f"{FILE}-wal"


def test_a_torn_log_is_mended(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The last write is torn: it is dropped, and the log says so."""
    copy, wal = unclosed(tmp_path)
    before = identity_of(copy)
    with wal.open("r+b") as file:
        file.truncate(wal.stat().st_size - 100)
    with caplog.at_level(logging.WARNING):
        kept = opened(copy)
    assert kept.board.seq == 19
    assert "in the middle of a write" in caplog.text
    assert not list(copy.glob("*damaged*"))
    assert identity_of(copy) == before
    kept.journal.close()


def test_a_last_change_that_can_not_be_read_may_be_lost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The end of the log is overwritten: that is said, the log is kept, the board is another."""
    copy, wal = unclosed(tmp_path)
    before = identity_of(copy)
    with wal.open("r+b") as file:
        file.seek(-100, io.SEEK_END)
        file.write(b"x" * 100)
    damaged = wal.read_bytes()
    with caplog.at_level(logging.WARNING):
        kept = opened(copy)
    assert kept.board.seq == 19
    assert "a change that may be lost: its end in the write-ahead log can't be read" in caplog.text
    assert "not yet acknowledged" not in caplog.text
    assert (copy / f"{FILE}-wal.damaged-1").read_bytes() == damaged
    assert identity_of(copy) != before
    kept.journal.close()


def test_a_whole_log_is_taken_in_silence(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """After a kill between writes nothing is lost and nothing is said."""
    copy, _ = unclosed(tmp_path)
    with caplog.at_level(logging.WARNING):
        kept = opened(copy)
    assert kept.board.seq == 20
    assert not caplog.text
    kept.journal.close()


def test_a_log_damaged_before_its_end_stops_the_start(tmp_path: Path) -> None:
    """Whole writes lie behind the damage: SQLite would leave them out and say nothing."""
    copy, wal = unclosed(tmp_path)
    data = bytearray(wal.read_bytes())
    data[len(data) // 2] ^= 0xFF
    wal.write_bytes(data)
    with pytest.raises(Damaged, match=r"write-ahead log .*cut") as refusal:
        opened(copy, replace(WIDE, durability="full"))
    assert "forget" not in refusal.value.message
    with pytest.raises(Damaged, match="write-ahead log"):
        forget_before_damage(copy)
    assert wal.read_bytes() == data
    assert cut_at_damage(copy) < 20
    opened(copy).journal.close()


def test_a_log_torn_by_a_power_cut_is_what_was_risked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the setting allows changes to be lost, those before the damage are taken and told."""
    copy, wal = unclosed(tmp_path)
    data = bytearray(wal.read_bytes())
    data[len(data) // 2] ^= 0xFF
    wal.write_bytes(data)
    with caplog.at_level(logging.WARNING):
        kept = opened(copy, replace(WIDE, durability="normal"))
    assert 0 < kept.board.seq < 20
    assert "that a power cut has torn; they are lost" in caplog.text
    kept.journal.close()


@pytest.mark.parametrize("spoil", [lambda file: file.unlink(), lambda file: file.write_bytes(b"")])
def test_a_lost_file_is_not_a_new_journal(folder: Path, spoil: Callable[[Path], None]) -> None:
    """A journal that had begun and is gone stops the start; nobody begins anew in silence."""
    spoil(folder / FILE)
    with pytest.raises(Damaged, match="missing or empty"):
        opened(folder)


def test_a_newer_format_is_refused(folder: Path) -> None:
    """A journal of another format is not touched."""
    edit(folder, "PRAGMA user_version = 7")
    with pytest.raises(Damaged, match="format 7"):
        opened(folder)


def test_a_damaged_snapshot_is_passed_over(tmp_path: Path) -> None:
    """The one before it and the deltas since give the same board."""
    kept = Kept(in_folder(tmp_path))
    for _ in range(5):
        kept.move(5)
        kept.journal.maintain(0.0)
    kept.journal.close()
    edit(tmp_path, "UPDATE snapshot SET crc = 1 WHERE seq = (SELECT max(seq) FROM snapshot)")
    again = Kept(in_folder(tmp_path))
    assert everything(again.board) == everything(kept.board)
    again.journal.close()


def flip(folder: Path, data: bytes, at: int = 10) -> None:
    """Changes a byte of what is somewhere in the file."""
    raw = bytearray((folder / FILE).read_bytes())
    raw[raw.index(data) + at] ^= 0xFF
    (folder / FILE).write_bytes(raw)


def rows(folder: Path, asked: str) -> list[tuple[int, ...]]:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        return connection.execute(asked).fetchall()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda key: f"UPDATE posting SET key = key + 1 WHERE key = {key}",
        lambda key: f"DELETE FROM posting WHERE key = {key}",
        lambda key: f"UPDATE posting SET first = first + 1 WHERE key = {key}",
        lambda key: f"INSERT INTO posting VALUES ({key}, 2)",
        lambda _: "DELETE FROM posting",
        lambda _: "UPDATE posted SET seal = 1 WHERE first = 6",
        lambda _: "DELETE FROM posted WHERE first = 6",
    ],
)
def test_a_damaged_index_is_made_anew(
    folder: Path, caplog: pytest.LogCaptureFixture, spoil: Callable[[int], str]
) -> None:
    """Whatever is wrong with it, the start sees it, says so once, and the history is whole."""
    (key, _), *_ = rows(folder, "SELECT * FROM posting WHERE first = 6")
    edit(folder, spoil(key))
    name = identity_of(folder)
    with caplog.at_level(logging.WARNING):
        kept = opened(folder)
    assert identity_of(folder) == name  # nothing is lost: it is the same board
    assert "(the index of its history)" in caplog.text
    found = kept.journal.history("myself", "tom", "isIn")
    assert [line.seq for line in found if line.op == "became_true"] == list(range(1, COUNT + 1))
    kept.journal.close()
    caplog.clear()
    assert everything(opened_and_closed(folder).board) == everything(kept.board)
    assert not caplog.text
    assert len(list(folder.glob(f"{FILE}.damaged-*"))) == 1


def test_any_byte_of_the_index_is_looked_at(folder: Path) -> None:
    """Of a posting, no byte can change without the history being made whole again."""
    (key, _), *_ = rows(folder, "SELECT * FROM posting WHERE first = 11")
    data = (folder / FILE).read_bytes()
    for i in range(8):
        (folder / FILE).write_bytes(data)
        flip(folder, key.to_bytes(8), i)
        kept = opened(folder)
        found = kept.journal.history("myself", "tom", "isIn")
        assert len({line.seq for line in found}) == COUNT
        kept.journal.close()


def test_what_a_kill_leaves_in_the_index_is_cleared_in_silence(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Postings of a segment that is dropped already, or is none yet, are no damage."""
    edit(folder, "INSERT INTO posting VALUES (1, 0), (2, 26)")
    with caplog.at_level(logging.WARNING):
        opened_and_closed(folder)
    assert not caplog.text
    assert not rows(folder, "SELECT * FROM posting WHERE first IN (0, 26)")


def test_a_damaged_body_of_the_only_snapshot_has_a_way_out(folder: Path) -> None:
    """The start says that all can be folded from the first delta, and that is so."""
    kept = opened_and_closed(folder)
    (body,) = rows(folder, "SELECT body FROM snapshot_part")[0]
    assert isinstance(body, bytes)
    flip(folder, body)
    with pytest.raises(Damaged, match=f"cut` goes back to the board after delta {COUNT};"):
        opened(folder)
    assert cut_at_damage(folder) == COUNT
    assert everything(opened_and_closed(folder).board) == everything(kept.board)


def test_a_cut_within_a_segment_keeps_what_is_before_it(tmp_path: Path) -> None:
    """Where the record of a model is lost, the deltas packed with it up to it are not."""
    kept = Kept(in_folder(tmp_path, WIDE))
    kept.move(8)
    kept.create("ann", now=9.0)
    then = everything(kept.board)
    kept.move(7)
    kept.create("bob", now=16.0)
    kept.journal.maintain(0.0)
    kept.journal.close()
    edit(tmp_path, "UPDATE model SET crc = 0 WHERE name = 'bob'")
    with pytest.raises(Damaged, match="cut` goes back to the board after delta 8;"):
        opened(tmp_path)
    assert cut_at_damage(tmp_path) == 8
    again = opened(tmp_path)
    assert everything(again.board) == then
    assert list(again.journal.deltas(0)) == kept.deltas[:8]
    again.journal.close()


@pytest.fixture(params=["wide", "dropped"])
def lived(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A journal that has never dropped anything, or one with models that came and went."""
    if request.param == "wide":
        return cast(Path, request.getfixturevalue("folder"))
    kept = Kept(in_folder(tmp_path, replace(SMALL, age=20.0)))
    for n in range(COUNT // 5):
        kept.create(f"ann{n}", now=kept.board.seq + 1.0)
        kept.move(5)
        if n % 2:
            kept.delete(f"ann{n - 1}", now=kept.board.seq + 1.0)
        kept.journal.maintain(kept.journal.last_t)
    kept.journal.close()
    return tmp_path


@pytest.mark.parametrize("seed", [*range(16), 335, 347, 416, 444, 475, 563, 736])
def test_any_damage_leaves_a_way(lived: Path, seed: int) -> None:
    """Wherever bytes change, the board is one that was, or each way that is offered leads on."""
    chance = random.Random(seed)
    was = pasts(lived)
    raw = bytearray((lived / FILE).read_bytes())
    for at in chance.choices(range(len(raw)), k=chance.choice((1, 8))):
        raw[at] ^= chance.randrange(1, 256)
    (lived / FILE).write_bytes(raw)
    try:
        opened(lived).journal.close()
    except Damaged as refusal:
        for way in re.findall("--after-damage (cut|forget|export)", refusal.message):
            take(lived, way, was)
    else:
        must_be_one_of(lived, was)


def pasts(folder: Path) -> dict[int, list[object]]:
    """The boards after each delta that is kept: models may come and go before the next."""
    kept = opened(folder)
    journal, was = kept.journal, dict[int, list[object]]()
    for seq in range(journal.health().snapshots[0], kept.board.seq + 1):
        place = journal.place_at(AtSeq(seq))
        first = journal.place_at(AtSeq(seq - 1)).records if was else place.records
        places = [JournalPosition(seq, records) for records in range(first, place.records + 1)]
        was[seq] = [boards_of(journal.state_at(each)) for each in places]
    journal.close()
    return was


def boards_of(state: State) -> object:
    board = Board(house())
    board.recall(state.seq, models_of(state))
    return everything(board)


def must_be_one_of(folder: Path, was: dict[int, list[object]]) -> None:
    """The board is one that was, and so is each of its past that can be told, and its history."""
    kept = opened(folder)
    last = kept.board.seq
    assert everything(kept.board) in was[last]
    told = {line.seq for line in kept.journal.history("myself", "tom", "isIn")}
    assert told == {d.seq for d in kept.journal.deltas(kept.journal.oldest_seq - 1)}
    assert told == set(range(kept.journal.oldest_seq, last + 1))
    for n in range(kept.journal.health().snapshots[0], last + 1):
        with suppress(Damaged):
            assert everything(board_at(kept.journal, house(), AtSeq(n))) in was[n]
    kept.journal.close()


def take(folder: Path, way: str, was: dict[int, list[object]]) -> None:
    """Takes a way out of a copy of a folder."""
    copy = folder.with_name(f"{folder.name}-{way}")
    shutil.copytree(folder, copy)
    if way == "export":
        assert export_readable(copy, io.StringIO())
        return
    {"cut": cut_at_damage, "forget": forget_before_damage}[way](copy)
    must_be_one_of(copy, was)
