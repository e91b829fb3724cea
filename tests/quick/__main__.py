"""Tries the faults of the list: `python -m tests.quick`, or `make faults`.

It fails if a fault is not caught that was when that was last recorded; with --quick, if fewer than
three faults of a room, or of all that it has, are caught.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.quick.faults import NOTHING, Fault, read_faults, record
from tests.quick.trials import Trials, Verdict

_ENOUGH: Final = 3
"""The faults of each room that the quick tests must catch."""


def main(words: Sequence[str] | None = None) -> int:
    """Tries faults, prints a line for each and a summary; returns the exit status."""
    args = _parser().parse_args(words)
    faults = [each for each in read_faults() if not args.only or each.id in args.only]
    with TemporaryDirectory(prefix="faults-", dir=args.folder) as folder:
        trials = Trials(Path(folder), args.quick, args.processes)
        trials.begin()
        verdicts = list(_tried(trials, faults, args.at_once))
    if args.record:
        record({verdict.fault.id: verdict.caught_by for verdict in verdicts})
    missed = _too_few(verdicts) if args.quick else _lost(verdicts)
    caught = sum(verdict.is_caught for verdict in verdicts)
    print(f"{caught} of {len(verdicts)} faults are caught")
    for each in missed:
        print(f"FAILED {each}")
    return 1 if missed else 0


def _tried(trials: Trials, faults: Sequence[Fault], at_once: int) -> Iterator[Verdict]:
    """The verdicts on faults; a test that fails anyway is left out, and its faults tried again."""
    with ThreadPoolExecutor(at_once) as pool:
        while faults:
            verdicts = list(pool.map(lambda fault: _shown(trials.try_out(fault)), faults))
            unfounded = trials.unfounded(verdicts)
            yield from (verdict for verdict in verdicts if verdict not in unfounded)
            faults = [verdict.fault for verdict in unfounded]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.quick", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="FAULT", help="these faults alone, by id")
    parser.add_argument("--quick", action="store_true", help="run the tests of make quick alone")
    parser.add_argument("--record", action="store_true", help="write caught_by into the list")
    parser.add_argument("--processes", type=int, default=1, help="that run the tests of a fault")
    parser.add_argument("--at-once", type=int, default=2, help="faults that are tried at once")
    parser.add_argument("--folder", type=Path, help="where the copies are made, on one disk")
    return parser


def _shown(verdict: Verdict) -> Verdict:
    fault = verdict.fault
    print(
        f"{fault.room:<9}{fault.id:<28}{verdict.seconds:>6.0f} s  {verdict.caught_by}", flush=True
    )
    return verdict


def _lost(verdicts: Sequence[Verdict]) -> list[str]:
    """The faults that are not caught any more."""
    lost = [each for each in verdicts if not each.is_caught and _was_caught(each.fault)]
    return [f"{each.fault.id} was caught by {each.fault.caught_by}" for each in lost]


def _was_caught(fault: Fault) -> bool:
    return fault.caught_by not in (None, NOTHING)


def _too_few(verdicts: Sequence[Verdict]) -> list[str]:
    """The rooms of which too few faults are caught."""
    rooms = {verdict.fault.room: [0, 0] for verdict in verdicts}
    for verdict in verdicts:
        rooms[verdict.fault.room][0] += verdict.is_caught
        rooms[verdict.fault.room][1] += 1
    return [
        f"{room}: {caught} of {tried} faults are caught"
        for room, (caught, tried) in rooms.items()
        if caught < min(_ENOUGH, tried)
    ]


if __name__ == "__main__":
    sys.exit(main())
