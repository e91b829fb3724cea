"""Faults on trial: each is made in a copy of the tree, in which tests run until one fails.

1.  The tree is copied once, and a few tests of the copy run: they compile the numerical loops.
2.  Each fault gets a copy of that, of hard links, in which one file is replaced.
3.  The tests that are named with the fault run, then those of its room, each until one fails.
4.  All tests that failed run again without any fault. A test that fails there, too, is left out
    from then on, and the faults that it seemed to catch are tried again.

The road not taken: to patch and restore one copy. The compiled and cached code of a patched file
would have to be restored as well, and two faults could not be tried at once.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.quick.faults import NOTHING, ROOT, Fault, make

__all__ = ["SELECTION", "Trials", "Verdict"]

SELECTION: Final = "tests/quick/selection.txt"
_LEFT_OUT: Final = shutil.ignore_patterns(
    ".git", ".venv", ".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache"
)
_FIRST: Final = "tests/quick/test_faults.py"
_LONGEST: Final = 1500.0
"""Seconds that one run of tests may take; one that takes longer hangs by the fault."""
_PATIENCE: Final = "--timeout=600"
"""Seconds that one test may take: a busy machine is no fault."""
_NO_TESTS: Final = 5


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a fault: the test that caught it, or NOTHING, and the seconds that it took."""

    fault: Fault
    caught_by: str
    seconds: float

    @property
    def is_caught(self) -> bool:
        return self.caught_by != NOTHING


@dataclass(frozen=True, slots=True)
class _Run:
    """The status of a run of tests, and the tests that failed in it; None if it hung."""

    status: int | None
    failed: Sequence[str]


class Trials:
    """Tries faults, with all tests of their rooms or with the quick ones alone."""

    def __init__(self, folder: Path, is_quick: bool, processes: int) -> None:
        self._folder: Final = folder
        self._is_quick: Final = is_quick
        self._options: Final = ("-n", str(processes)) if processes > 1 else ()
        self._plain: Final = folder / "plain"
        self._broken: Final[set[str]] = set()
        """The tests that fail without a fault."""

    def begin(self) -> None:
        """Copies the tree; RuntimeError if its tests can't run."""
        shutil.copytree(ROOT, self._plain, ignore=_LEFT_OUT)
        run = self._run(self._plain, (_FIRST,), "first")
        if run.status != 0:
            raise RuntimeError(f"without a fault: {' '.join(run.failed) or run.status}")

    def try_out(self, fault: Fault) -> Verdict:
        """Makes a fault and looks for a test that fails; StaleFault if it can't be made."""
        began, root = time.monotonic(), self._folder / fault.id
        text = make(fault, self._plain)
        shutil.copytree(self._plain, root, copy_function=os.link)
        try:
            (root / fault.file).unlink()
            (root / fault.file).write_text(text, "utf-8")
            stages = ("quick",) if self._is_quick else ("likely", "room")
            found = (self._caught_by(fault, root, stage) for stage in stages)
            caught_by = next((each for each in found if each != NOTHING), NOTHING)
        finally:
            shutil.rmtree(root, ignore_errors=True)
        return Verdict(fault, caught_by, time.monotonic() - began)

    def unfounded(self, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """Those verdicts whose test fails without the fault, too; it is left out from now on."""
        tests = sorted({verdict.caught_by for verdict in verdicts if "::" in verdict.caught_by})
        failed = self._run(self._plain, tests, "confirmed", stops=False).failed if tests else ()
        self._broken.update(failed)
        return [verdict for verdict in verdicts if verdict.caught_by in self._broken]

    def _caught_by(self, fault: Fault, root: Path, stage: str) -> str:
        tests = {"quick": selected(), "likely": fault.tests, "room": fault.folders}[stage]
        run = self._run(root, tests, fault.id)
        if run.status in (0, _NO_TESTS):
            return NOTHING
        if run.status is None:
            return "tests that do not end"
        return run.failed[0] if run.failed else "the start of pytest"

    def _run(self, root: Path, tests: Sequence[str], name: str, stops: bool = True) -> _Run:
        """Runs tests in a copy of the tree, until one fails if it `stops` there."""
        cache = self._folder / f"{name}.cache"
        shutil.rmtree(cache, ignore_errors=True)
        command = [sys.executable, "-m", "pytest", "-q", _PATIENCE, "-o", f"cache_dir={cache}"]
        command += [
            *(["-x"] if stops else []),
            *self._options,
            *(f"--deselect={test}" for test in self._broken),
            *tests,
        ]
        with (self._folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command,
                cwd=root,
                env={**os.environ, "PYTHONPATH": str(root)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                status: int | None = process.wait(_LONGEST)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        failures = cache / "v" / "cache" / "lastfailed"
        return _Run(status, list(json.loads(failures.read_text())) if failures.exists() else ())


def selected() -> list[str]:
    """The tests that `make quick` runs."""
    lines = (ROOT / SELECTION).read_text("utf-8").splitlines()
    return [test for line in lines if (test := line.partition("#")[0].strip())]
