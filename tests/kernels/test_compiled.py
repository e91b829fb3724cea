"""Compiled loops of a program that is changed, started twice at once, and has its files torn."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

SIZES: Final = "BALL = 0.5\n"
SHAPES: Final = """
from spatial_reasoner.kernels.compiled import compiled
from sizes import BALL

@compiled("f8(f8)")
def grown(number):
    return number + BALL
"""
PROGRAM: Final = """
from spatial_reasoner.kernels.compiled import compiled, prepare
from shapes import grown

@compiled("f8(f8)")
def twice(number):
    return 2 * grown(number)

prepare()
print(twice(1.0), sum(twice.stats.cache_misses.values()))
"""


class Program:
    """A program of three files, and the folder of its compiled loops."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self.cache: Final = folder / "cache"
        self.change("sizes", SIZES)
        self.change("shapes", SHAPES)
        self.change("program", PROGRAM)

    def change(self, module: str, text: str) -> None:
        """Writes one of its files."""
        (self._folder / f"{module}.py").write_text(text)

    def start(self) -> "subprocess.Popen[str]":
        """Starts it."""
        own = {"NUMBA_CACHE_DIR": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1"}
        line = [sys.executable, "-c", "import program"]
        environment = {**os.environ, **own}
        return subprocess.Popen(
            line, cwd=self._folder, env=environment, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def run(self) -> tuple[float, int]:
        """What it computes, and how many loops of the file of its own it had to compile."""
        return result(self.start())


def result(process: "subprocess.Popen[str]") -> tuple[float, int]:
    """What a process printed when it ended well."""
    output, _ = process.communicate(timeout=240)
    assert process.returncode == 0
    number, misses = output.split()
    return float(number), int(misses)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program, never run."""
    return Program(tmp_path)


@pytest.mark.timeout(300)
def test_what_changes_in_another_file_is_seen(program: Program) -> None:
    """A loop follows a constant and a callee of other files; what was compiled once is loaded."""
    assert program.run() == (3.0, 1)
    program.change("sizes", "BALL = 2.5\n")
    assert program.run() == (7.0, 1)
    program.change("shapes", SHAPES.replace("number + BALL", "number - BALL"))
    assert program.run() == (-3.0, 1)
    program.change("sizes", SIZES)
    program.change("shapes", "\n" + SHAPES)
    assert program.run() == (3.0, 0)


@pytest.mark.timeout(300)
def test_processes_that_start_at_once_all_are_right(program: Program) -> None:
    """Two processes on an empty folder are right, and one after them with every file torn."""
    started = [program.start() for _ in range(2)]
    assert {result(each)[0] for each in started} == {3.0}
    files = list(program.cache.iterdir())
    assert len(files) == 2
    for file in files:
        os.truncate(file, file.stat().st_size // 2)
    assert program.run() == (3.0, 1)
