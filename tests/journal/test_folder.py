"""The folder: one server has it, and its disk may be full."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.errors import JournalError, JournalFailed, Locked
from kb_server.journal.protocol import DURABILITIES, Durability, JournalSettings
from kb_server.journal.sqlite import SqliteJournal, open_journal
from tests.events.boards import HOUSE
from tests.journal import writer
from tests.journal.boards import SMALL, Kept, everything, in_folder


def test_a_folder_has_one_journal(tmp_path: Path) -> None:
    """A second one in the same process is refused, by an error that names the folder."""
    first = in_folder(tmp_path)
    with pytest.raises(Locked, match=str(tmp_path)) as caught:
        in_folder(tmp_path / "." / "")
    assert caught.value.code == "locked"
    first.close()
    second = in_folder(tmp_path)
    first.close()
    with pytest.raises(Locked):
        in_folder(tmp_path)
    second.close()


def test_another_process_has_the_folder(tmp_path: Path) -> None:
    """As long as another process lives it has the folder, and the error says which."""
    command = [sys.executable, "-m", writer.__name__, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        with pytest.raises(Locked, match=f"process {child.pid}"):
            in_folder(tmp_path)
        child.kill()
    in_folder(tmp_path).close()


def test_a_forked_child_does_not_hold_the_folder(tmp_path: Path) -> None:
    """A worker forked from the server does not keep the folder when the server has let it go."""
    journal = in_folder(tmp_path)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(write)
        os.read(read, 1)
        os._exit(0)
    journal.close()
    in_folder(tmp_path).close()
    os.close(write)
    os.close(read)
    assert os.waitpid(child, 0)[1] == 0


def test_a_full_disk(tmp_path: Path) -> None:
    """A change that does not fit is not there at all, and fits once there is space."""
    kept = Kept(in_folder(tmp_path))
    kept.move(3)
    kept.journal.db.limit_pages(1)
    big = kept.asked([f"thing{i} isIn box" for i in range(2_000)])
    delta = kept.board.revise("myself", big, 9.0)
    small = kept.board.revise("myself", kept.asked(["tom a Cat"]), 10.0)
    assert delta is not None
    assert small is not None
    for _ in range(3):
        with pytest.raises(JournalFailed) as caught:
            kept.keep([delta, small])
        assert caught.value.code == "journal_failed"
        assert kept.journal.last_seq == 3
        assert [d.seq for d in kept.journal.deltas(0)] == [1, 2, 3]
    kept.journal.db.limit_pages(1_000_000)
    kept.keep([delta, small])
    assert list(kept.journal.deltas(0)) == kept.deltas
    kept.journal.close()
    again = Kept(in_folder(tmp_path))
    assert everything(again.board) == everything(kept.board)
    again.journal.close()


def test_a_folder_that_can_not_be_made(tmp_path: Path) -> None:
    """A path that leads through a file is an error of the journal."""
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match=r"folder can't be used: Not a directory$"):
        in_folder(tmp_path / "file" / "folder")


@pytest.mark.parametrize("durability", DURABILITIES)
def test_every_durability_keeps(tmp_path: Path, durability: Durability) -> None:
    """Whatever is risked for speed, a journal that is closed is whole."""
    settings = JournalSettings(durability=durability)
    kept = Kept(in_folder(tmp_path, settings))
    kept.move(4)
    kept.journal.close()
    again = Kept(in_folder(tmp_path, settings))
    assert everything(again.board) == everything(kept.board)
    again.journal.close()


PREFIXES = "@prefix ex: <http://example.org/> .\n", "@prefix zoo: <http://example.org/> .\n"


def test_terms_outlive_their_prefixes(tmp_path: Path) -> None:
    """Under other prefixes the same things have other names, in facts, past and history alike."""
    one, other = (CommonSense([HOUSE + prefix]) for prefix in PREFIXES)
    kept = Kept(in_folder_of(tmp_path, one), one)
    kept.revise("ex:tom isIn ex:box", 'tom says "3"^^ex:grade', "bob isIn sack")
    kept.move(5)
    kept.journal.maintain(0.0)
    kept.revise("ex:ann isIn ex:box")
    kept.journal.close()
    again = Kept(in_folder_of(tmp_path, other), other)
    facts = {f for f, _ in again.board.model("myself").assertions.items()}
    assert {("zoo:tom", "isIn", "zoo:box"), ("tom", "says", '"3"^^zoo:grade')} <= facts
    for packed in (False, True):
        told = again.journal.history("myself", None, "isIn", "zoo:box")
        assert [h.fact[0] for h in told] == ["zoo:tom", "zoo:ann"]
        again.revise(f"zoo:cat{packed} a Cat")
        again.move(5)
        again.journal.maintain(0.0)
    again.journal.close()
    back = Kept(in_folder_of(tmp_path, one), one)
    assert ("ex:catTrue", "rdf:type", "Animal") in back.board.model("myself").facts()
    back.journal.close()


def in_folder_of(folder: Path, common: CommonSense) -> SqliteJournal:
    return open_journal(folder, common.names, SMALL)


def test_another_ontology_is_a_delta(tmp_path: Path) -> None:
    """What follows now and did not then became true, and who folds the deltas stays right."""
    kept = Kept(in_folder(tmp_path))
    kept.revise("tom a Cat")
    kept.journal.close()
    other = CommonSense(
        [HOUSE.replace(":Cat rdfs:subClassOf :Animal", ":Cat rdfs:subClassOf :Pet")]
    )
    again = Kept(in_folder_of(tmp_path, other), other, 8.0)
    (drift,) = again.drift
    assert drift.became_true == (("tom", "rdf:type", "Pet"),)
    assert drift.ceased == (("tom", "rdf:type", "Animal"),)
    assert (drift.seq, drift.t, drift.asserted, drift.withdrawn) == (2, 8.0, {}, ())
    assert Kept(again.journal, other).drift == []
    again.journal.close()


FULL = """
import resource, sys
from pathlib import Path
from kb_server.errors import JournalFailed
from tests.journal.boards import Kept, in_folder

resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
kept = Kept(in_folder(Path(sys.argv[1])))
journal = kept.journal
delta = kept.board.revise("myself", kept.asked(["tom a Cat"]), 99.0)
told = [len(list(journal.deltas(0))), len(list(journal.history("myself", "tom", "isIn")))]
for act in (journal.secure, lambda: journal.append([delta]), lambda: journal.maintain(99.0)):
    try:
        act()
    except JournalFailed:
        told.append("refused")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
journal.secure()
journal.append([delta])
journal.secure()
journal.maintain(99.0)
told.append(journal.last_seq)
print(*told)
journal.close()
"""


@pytest.mark.parametrize("ends", ["closed", "killed"])
def test_a_journal_on_a_full_disk_is_read(tmp_path: Path, ends: str) -> None:
    """It is opened, read, written to as soon as there is space, and then as safe as any."""
    folder = tmp_path / "one"
    kept = Kept(in_folder(folder, replace(SMALL, durability="full")))
    kept.move(7)
    if ends == "killed":
        folder = Path(shutil.copytree(folder, tmp_path / "other"))
    kept.journal.close()
    told = run_python(FULL, str(folder))
    assert told.split() == ["7", "13", "refused", "refused", "refused", "8"]
    again = Kept(in_folder(folder))
    assert again.board.model("myself").kind(("tom", "rdf:type", "Cat"))
    assert len(list(again.journal.deltas(0))) == 8
    again.journal.close()


def run_python(program: str, *words: str) -> str:
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_nothing_is_begun_on_a_full_disk(tmp_path: Path) -> None:
    """A new journal that has no space is an error that says so, and is no journal afterwards."""
    program = FULL.replace("kept = Kept(", "in_folder(Path(sys.argv[1]))\nkept = Kept(")
    command = [sys.executable, "-c", program, str(tmp_path / "new")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert "there is no space" in done.stderr.splitlines()[-1]
    in_folder(tmp_path / "new").close()
