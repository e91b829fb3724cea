"""A program that writes a journal until it is killed, and prints each seq once that is kept."""

import sys
from pathlib import Path

from tests.journal.boards import Kept, in_folder

__all__ = ["BATCH"]

BATCH = 4


def main(folder: Path) -> None:
    kept = Kept(in_folder(folder))
    while True:
        made = []
        for i in range(BATCH):
            seq = kept.board.seq
            request = kept.asked([f"ball{seq % 9} isIn box{seq}"], [f"ball{seq % 9} isIn *"])
            delta = kept.board.revise("myself", request, float(seq + i))
            assert delta is not None
            made.append(delta)
        kept.keep(made)
        print(kept.board.seq, flush=True)
        if kept.board.seq % 3 == 0:
            kept.journal.maintain(float(kept.board.seq))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
