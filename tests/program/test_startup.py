"""What the program imports before it knows what to do."""

import os
import subprocess
import sys
from typing import Final

import pytest

_HEAVY: Final = frozenset(
    (
        *("fastapi", "httpx", "numba", "numpy", "owlready2", "pybullet", "pydantic", "pyoxigraph"),
        *("rdflib", "rich", "scipy", "starlette", "trimesh", "uvicorn", "websockets", "yaml", "PIL"),
        *("kb_server.client.blackboard", "kb_server.core.reasoner", "kb_server.service.app"),
        *("demos.story", "spatial_reasoner.tick", "spatial_reasoner.scene"),
    )
)
_CODE: Final = """
import sys
from kb_server.__main__ import main
try:
    main()
except SystemExit:
    pass
finally:
    print("imported:", *sys.modules, file=sys.stderr)
"""
_COMMANDS: Final = (
    *("demo", "export", "find", "import", "perceive", "query", "replay", "serve", "watch"),
)


def imported(*words: str) -> set[str]:
    """The modules that a process has imported at the end of a command line."""
    done = subprocess.run(
        [sys.executable, "-c", _CODE, *words], capture_output=True, text=True, check=False
    )
    return set(done.stderr.rpartition("imported:")[2].split())


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--help",),
        ("--version",),
        ("--wrong",),
        ("wrong",),
        *((command, "--help") for command in _COMMANDS),
        *((command, "--wrong") for command in _COMMANDS),
        ("serve", "--port", "none"),
        ("perceive", "room.yaml", "--sight", "none"),
        ("export", "--format", "none"),
        ("demo", "sally-anne", "--speed", "none"),
    ],
)
def test_help_and_usage_errors_import_nothing_heavy(words: tuple[str, ...]) -> None:
    """Help, the version and a line that makes no sense need none of the libraries that do work."""
    modules = imported(*words)
    assert "kb_server.program" in modules
    assert not modules & _HEAVY


def test_every_command_is_tried() -> None:
    """The commands above are those of the program."""
    listed = subprocess.run(
        [sys.executable, "-m", "kb_server", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "80"},
    ).stdout
    rows = listed.partition("commands:")[2].splitlines()
    assert [row.split()[0] for row in rows if row[:4] == "    " and row[4] != " "] == [
        "COMMAND" if not _COMMANDS else each for each in _COMMANDS
    ]
