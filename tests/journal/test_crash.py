"""A journal whose writer is killed at any moment."""

import random
import signal
import subprocess
import sys
from pathlib import Path

from kb_server.journal.sqlite import open_journal
from kb_server.journal.state import ModelRecord
from tests.journal import writer
from tests.journal.boards import SMALL, Kept, everything, house, in_folder

KILLS = 20


def killed_after(folder: Path, answers: int) -> int:
    """Lets a child write until it has answered so often, kills it, and says what it answered."""
    command = [sys.executable, "-m", writer.__name__, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        last = 0
        for _ in range(answers):
            last = int(child.stdout.readline())
        child.send_signal(signal.SIGKILL)
        return max([last, *map(int, child.stdout.read().split("\n")[:-1])])


def test_a_kill_loses_nothing_and_halves_nothing(tmp_path: Path) -> None:
    """After each of twenty kills all that was answered is there, in whole batches, and folds."""
    chance = random.Random(7)
    for _ in range(KILLS):
        answered = killed_after(tmp_path, chance.randrange(1, 60))
        journal = open_journal(tmp_path, house().names, SMALL)
        assert journal.last_seq >= answered
        assert journal.last_seq % writer.BATCH == 0
        deltas = list(journal.deltas(0))
        assert [d.seq for d in deltas] == list(range(1, journal.last_seq + 1))
        kept = Kept(journal)
        assert kept.board.seq == journal.last_seq
        journal.close()


def test_what_was_kept_outlives_the_process(tmp_path: Path) -> None:
    """A board opened again is the one that was closed, lifetimes by the wall clock included."""
    kept = Kept(in_folder(tmp_path))
    kept.revise("tom isIn box", ttl=50.0)
    kept.move(12)
    kept.keep([ModelRecord(kept.board.seq, "ann", True, 13.0)])
    kept.board.create("ann")
    then = everything(kept.board)
    kept.journal.close()
    again = Kept(in_folder(tmp_path))
    assert everything(again.board) == then
    again.expire(60.0)
    assert not again.board.model("myself").kind(("tom", "isIn", "box"))
    again.journal.close()
