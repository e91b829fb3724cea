"""Journals of the first versions, whose index of the history had no checksums."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from kb_server.errors import Damaged, TooOld
from kb_server.journal.folder import FILE
from kb_server.journal.protocol import AtSeq, JournalSettings
from tests.journal.boards import SMALL, Kept, everything, in_folder

DROPPED = JournalSettings(durability="off", segment=3, snapshot=4, size=1)


def lived(folder: Path, settings: JournalSettings) -> Kept:
    """A journal as an older version left it, after thirty-four deltas."""
    kept = Kept(in_folder(folder, settings))
    kept.create("sally")
    for _ in range(8):
        kept.move(4)
        kept.journal.maintain(kept.journal.last_t)
    kept.move(2)
    kept.journal.close()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute("DROP TABLE posted")
    return kept


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.INFO):
        yield caplog


def test_an_older_journal_is_brought_up_to_date(
    tmp_path: Path, said: pytest.LogCaptureFixture
) -> None:
    """It says so once, keeps no copy, speaks of no damage, and has all its history."""
    kept = lived(tmp_path, SMALL)
    for log in ("of an older version", ""):
        again = Kept(in_folder(tmp_path))
        assert everything(again.board) == everything(kept.board)
        told = again.journal.history("myself", "tom", "isIn")
        assert {line.seq for line in told} == set(range(1, 35))
        again.journal.close()
        assert log in said.text
        assert bool(said.text) == bool(log)
        assert "damage" not in said.text
        said.clear()
    assert not list(tmp_path.glob(f"{FILE}.damaged-*"))


def test_an_older_journal_whose_past_is_dropped(tmp_path: Path) -> None:
    """It opens as it was, and who asks for what was dropped is told that it is too old."""
    kept = lived(tmp_path, DROPPED)
    again = Kept(in_folder(tmp_path, DROPPED))
    assert everything(again.board) == everything(kept.board)
    oldest = again.journal.oldest_seq
    assert oldest > 1
    kept_lines = {line.seq for line in again.journal.history("myself", "tom", "isIn")}
    assert kept_lines == set(range(oldest, 35))
    with pytest.raises(TooOld):
        list(again.journal.history("myself", "tom", "isIn", since=AtSeq(1)))
    with pytest.raises(TooOld):
        list(again.journal.deltas(0))
    again.journal.close()


def test_damage_is_damage_in_an_older_journal_too(tmp_path: Path) -> None:
    """Where its middle can't be read the start stops, and nothing is changed."""
    lived(tmp_path, SMALL)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as connection:
        connection.execute("UPDATE segment SET body = x'78' WHERE first = 4")
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(Damaged, match="deltas 4 to 6"):
        in_folder(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before
