"""Which board a folder keeps."""

from pathlib import Path

import pytest

from kb_server.host import Host
from kb_server.journal.identity import identity_of
from kb_server.journal.recovery import cut_at_damage
from tests.journal.boards import Kept, house, in_folder


def test_a_folder_keeps_its_name(tmp_path: Path) -> None:
    """A board has the same name each time it is opened, and no other has it."""
    names = []
    for folder in (tmp_path / "a", tmp_path / "a", tmp_path / "b", None, None):
        host = Host(house(), folder)
        names.append(host.identity)
        host.close()
    assert names[0] == names[1]
    assert len({*names}) == 4


def test_a_journal_that_is_cut_back_is_another_board(tmp_path: Path) -> None:
    """Where numbers will be given anew the name is another one."""
    kept = Kept(in_folder(tmp_path))
    kept.move(4)
    kept.journal.close()
    before = identity_of(tmp_path)
    cut_at_damage(tmp_path)
    assert identity_of(tmp_path) != before


@pytest.mark.parametrize("left", [b"", b"\xff"], ids=["empty", "broken"])
def test_a_name_that_is_lost_is_drawn_anew(tmp_path: Path, left: bytes) -> None:
    """A folder whose name can't be read is another board, and starts."""
    before = identity_of(tmp_path)
    (tmp_path / "board").write_bytes(left)
    assert identity_of(tmp_path) not in ("", before)
