"""A revision of the repository, recorded by its own copy of this tool.

The revision is checked out into a folder of its own. The entry points of its `pyproject.toml` are
written there as well, as those that are installed may name modules that this revision lacks.
"""

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

__all__ = ["record_revision"]

_ROOT: Final = Path(__file__).parents[2]


def record_revision(revision: str, folder: Path, options: Sequence[str]) -> None:
    """Records a revision into a folder; CalledProcessError if that fails."""
    with _checked_out(revision) as tree:
        subprocess.run(
            [sys.executable, "-m", "tests.frozen", "record", str(folder.resolve()), *options],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree)},
            check=True,
        )


@contextmanager
def _checked_out(revision: str) -> Iterator[Path]:
    """The files of a revision, removed with the block."""
    with TemporaryDirectory() as scratch:
        tree = Path(scratch) / "tree"
        _git("worktree", "add", "--quiet", "--detach", str(tree), revision)
        try:
            _describe(tree)
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _describe(tree: Path) -> None:
    """Writes what an installation would know of the revision: its version and entry points."""
    project = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    name, version = project["name"], project["version"]
    info = tree / f"{name}-{version}.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (info / "METADATA").write_text(head, "utf-8")
    groups = {"console_scripts": project.get("scripts", {}), **project.get("entry-points", {})}
    lines: list[str] = []
    for group, rows in groups.items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in rows.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")


def _git(*words: str) -> None:
    subprocess.run(["git", "-C", str(_ROOT), *words], check=True)
