"""Ten minutes of the page of a busy board: does its use of memory grow? `make page-soak`."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from statistics import median
from typing import Final

from benchmarks.busy import busy_board
from benchmarks.page import metrics_of, shown_page

_WARM_UP: Final = 40.0
_EVERY: Final = 20.0
_MB: Final = 2**20
_BOUNDS: Final[dict[str, tuple[Callable[[float], float], float]]] = {
    "JSHeapUsedSize": (lambda v: v / _MB, 2.0),
    "Nodes": (float, 300.0),
    "JSEventListeners": (float, 40.0),
}
"""The metrics that may grow by at most a tenth: conversion, and growth that is always allowed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and reports; returns 0 if nothing has grown, else 1."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page_soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0, help="how long (default: 600)")
    rows = list(_readings(parser.parse_args(arguments).seconds))
    grown = [name for name in _BOUNDS if _has_grown(name, [row[name] for row in rows])]
    print(f"grown: {', '.join(grown)}" if grown else "nothing has grown")
    return 1 if grown else 0


def _readings(seconds: float) -> Iterator[dict[str, float]]:
    """The metrics of the page after a garbage collection, printed as they come."""
    print("  ".join(["seconds", *_BOUNDS]), flush=True)
    with busy_board() as url, shown_page(url) as (_, session):
        time.sleep(_WARM_UP)
        begun = time.monotonic()
        for number in count(1):
            session.send("HeapProfiler.collectGarbage")
            found = metrics_of(session)
            row = {name: shown(found[name]) for name, (shown, _) in _BOUNDS.items()}
            passed = time.monotonic() - begun
            print("  ".join(f"{n:.1f}" for n in (passed, *row.values())), flush=True)
            yield row
            if passed >= seconds:
                return
            time.sleep(max(0.0, begun + number * _EVERY - time.monotonic()))


def _has_grown(name: str, values: Sequence[float]) -> bool:
    """Whether the median of the last third exceeds that of the first by more than is allowed."""
    part = max(1, len(values) // 3)
    before, after = median(values[:part]), median(values[-part:])
    return after - before > max(_BOUNDS[name][1], 0.1 * before)


if __name__ == "__main__":
    sys.exit(main())
