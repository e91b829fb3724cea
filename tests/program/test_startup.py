"""What the program imports before it knows what to do."""

import os
import subprocess
import sys
from importlib.metadata import entry_points
from typing import Final

import pytest

from kb_server.program import GROUP

_HEAVY: Final = frozenset(
    (
        *("fastapi", "httpx", "numba", "numpy", "owlready2", "pybullet", "pydantic", "pyoxigraph"),
        *("rdflib", "rich", "scipy", "starlette", "trimesh", "uvicorn", "websockets", "yaml"),
        *("kb_server.client.blackboard", "kb_server.core.reasoning.reasoner"),
        "kb_server.service.server.app",
        *("demos.story", "spatial_reasoner.tick.reasoner", "spatial_reasoner.scene.scene"),
    )
)
_CODE: Final = """
import os, sys
os._exit = sys.exit  # so a completion ends
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


def imported(*words: str, **environment: str) -> set[str]:
    """The modules that a process has imported at the end of a command line."""
    done = subprocess.run(
        [sys.executable, "-c", _CODE, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
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
        ("perceive", "room.yaml", "--tolerance", "released=0.01"),
        ("replay", "room.yaml", "frames.jsonl", "--tolerance", "horizon=0.08"),
        ("export", "--format", "none"),
        ("demo", "sally-anne", "--speed", "none"),
    ],
)
def test_help_and_usage_errors_import_nothing_heavy(words: tuple[str, ...]) -> None:
    """Help, the version and a line that makes no sense need none of the libraries that do work."""
    modules = imported(*words)
    assert "kb_server.program" in modules
    assert not modules & _HEAVY


@pytest.mark.parametrize(
    "line",
    [
        "mindboard ",
        "mindboard demo s",
        "mindboard serve --",
        "mindboard find --kb http://127.0.0.1:9 --model ",
        "mindboard find --kb http://127.0.0.1:9 '?x a ",
        "mindboard replay --sight ",
        "mindboard replay --tolerance ",
    ],
)
def test_a_completion_imports_nothing_heavy(line: str) -> None:
    """A Tab needs none of the libraries that do work, with or without a question to a board."""
    asked = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE": "1"}
    modules = imported(_ARGCOMPLETE_STDOUT_FILENAME="/dev/null", **asked)
    assert "argcomplete.finders" in modules
    assert not modules & _HEAVY


def test_every_command_is_tried() -> None:
    """The commands above are those of the program."""
    assert {each.name for each in entry_points(group=GROUP)} == {*_COMMANDS}
