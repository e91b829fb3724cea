"""The connections of a journal's file: what is safe from a power cut, and when."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kb_server.errors import JournalFailed
from kb_server.journal.database import Database
from kb_server.journal.protocol import Durability


def noted_syncs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The syncs of the log that are asked for from now on."""
    sync, syncs = os.fdatasync, list[int]()

    def noted(file: int) -> None:
        syncs.append(file)
        sync(file)

    monkeypatch.setattr("os.fdatasync", noted)
    return syncs


def write(db: Database, number: int) -> None:
    with db.quick_write() as connection:
        connection.execute("INSERT INTO names VALUES (?, '')", (number,))


@pytest.mark.parametrize(("durability", "count"), [("full", 1), ("normal", 0), ("off", 0)])
def test_what_is_written_is_synced_once_and_only_if_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, durability: Durability, count: int
) -> None:
    """Full durability syncs each quick write once, when it is secured; the others never."""
    syncs = noted_syncs(monkeypatch)
    db = Database(tmp_path / "file", durability)
    write(db, 1)
    assert not syncs
    db.secure()
    db.secure()
    assert len(syncs) == count
    db.close()


def follow_by_quick(db: Database) -> None:
    write(db, 2)


def follow_by_write(db: Database) -> None:
    with db.write() as connection:
        connection.execute("INSERT INTO names VALUES (2, '')")


@pytest.mark.parametrize("follow", [follow_by_quick, follow_by_write])
def test_no_two_writes_are_ever_unsafe_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, follow: Callable[[Database], None]
) -> None:
    """What comes after a quick write makes that safe before it writes itself."""
    db = Database(tmp_path / "file", "full")
    write(db, 1)
    size, sizes = os.path.getsize(tmp_path / "file-wal"), list[int]()
    monkeypatch.setattr("os.fdatasync", lambda _: sizes.append(log_size(tmp_path)))
    follow(db)
    assert sizes == [size]
    db.close()


def log_size(folder: Path) -> int:
    return os.path.getsize(folder / "file-wal")


def test_what_the_disk_refused_to_sync_is_written_elsewhere_before_it_is_called_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a sync that failed the next one moves what was written into the file itself."""
    db = Database(tmp_path / "file", "full")
    write(db, 77_777)
    before = (tmp_path / "file").read_bytes()

    def refuse(_: int) -> None:
        raise OSError("refused")

    with monkeypatch.context() as broken:
        broken.setattr("os.fdatasync", refuse)
        for _ in range(2):
            with pytest.raises(JournalFailed, match="refused"):
                db.secure()
    db.secure()
    assert (tmp_path / "file").read_bytes() != before
    db.close()
