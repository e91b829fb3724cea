"""Benchmarks of the program's start: the CPU time of a process, imports included."""

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from benchmarks.figures import at_most, milliseconds
from benchmarks.measures import Figure, Measure

__all__ = ["MEASURES"]

_TARGET: Final = 0.35
"""Seconds: a completion or a usage error must appear at once."""
_TIMES: Final = 5
_TAB: Final = "mindboard demo s"
_PROGRAM: Final = "from kb_server.program import main; main()"


def startup() -> list[Figure]:
    """The help, a usage error and a completion, against an empty Python program."""
    tab = {"COMP_LINE": _TAB, "COMP_POINT": str(len(_TAB)), "_ARGCOMPLETE": "1"}
    tab["_ARGCOMPLETE_STDOUT_FILENAME"] = os.devnull
    beside = f"bare Python {milliseconds(_cpu_seconds('pass'))}"
    return [
        at_most(name, _cpu_seconds(_PROGRAM, words, more), _TARGET, beside)
        for name, words, more in (
            ("CPU time of `mindboard --help`", ("--help",), {}),
            ("CPU time of an unknown option", ("--unknown",), {}),
            ("CPU time of one completion", (), tab),
        )
    ]


MEASURES: Final[tuple[Measure, ...]] = (startup,)


def _cpu_seconds(
    code: str, words: Sequence[str] = (), more: Mapping[str, str] = MappingProxyType({})
) -> float:
    """The median user plus system time of a few processes that run the same code."""
    return statistics.median(_one_process(code, words, more) for _ in range(_TIMES))


def _one_process(code: str, words: Sequence[str], more: Mapping[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", code, *words],
        env={**os.environ, **more},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
