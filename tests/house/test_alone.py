"""Test folders that have the machine to themselves, as their docstrings say."""

import ast
import os
import shlex
import subprocess

from tests.house.test_house import ROOT, sources


def test_marked_folders_run_after_the_others() -> None:
    """`make test` runs each folder that is marked, and no other, apart from the rest."""
    docstrings = {file: ast.get_docstring(tree) or "" for file, tree in sources().items()}
    marked = {
        file.removesuffix("/__init__.py")
        for file, said in docstrings.items()
        if file.startswith("tests/")
        if any(line.startswith("Runs alone: ") for line in said.split("\n"))
    }
    printed = subprocess.run(
        ["make", "--dry-run", "test", "ARGS="],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    together, apart = (shlex.split(line) for line in printed.splitlines() if " pytest" in line)
    assert marked
    assert {each.partition("=")[2] for each in together if each.startswith("--ignore=")} == marked
    assert {each for each in apart if each.startswith("tests")} == marked
