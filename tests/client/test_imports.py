"""What comes along with the client."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import kb_server
from tests.service.servers import Server

_SERVERS = ("fastapi", "starlette", "uvicorn")
_NEVER = (
    *("pyoxigraph", "rdflib", "owlready2", "numpy", "scipy", "numba", "trimesh", "pybullet"),
    *("kb_server.client.local.local", "kb_server.core.reasoning.reasoner"),
    *("kb_server.host", "spatial_reasoner"),
)
"""What only a board in this process needs, or the eyes."""


def loaded(statement: str) -> set[str]:
    """The modules that a process of its own has after a statement, and no threads but its first."""
    program = f"{statement}\nimport sys, threading\nassert threading.active_count() == 1\n"
    program += "print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_client_comes_without_a_server() -> None:
    """All public names can be had without any library that serves, and nothing is started."""
    names = loaded("from kb_server import *")
    assert "kb_server.client.blackboard" in names
    assert not names & set(_SERVERS)


def test_the_package_alone_comes_with_nothing() -> None:
    """Nothing of the board is imported before a name is asked for."""
    names = loaded("import kb_server")
    assert {name for name in names if name.startswith("kb_server")} == {"kb_server"}


def test_a_first_question_loads_no_board(server: Server) -> None:
    """Who asks a running board loads the client, and none of what only the board itself needs."""
    asked = f"from kb_server import Blackboard; Blackboard({server.url!r}).find('myself', '?x a A')"
    names = loaded(asked)
    assert "kb_server.client.transport.network" in names
    assert not names & {*_NEVER, *_SERVERS}


def test_an_error_comes_without_a_transport() -> None:
    """Who only names an error or a value loads neither of the libraries that reach a board."""
    names = loaded("from kb_server import BoardError, Delta")
    assert not names & {"httpx", "websockets", "pydantic", *_NEVER}


def test_a_part_of_the_board_comes_without_the_client() -> None:
    """Who needs a part of the board, as a SPARQL worker does, loads no client."""
    names = loaded("import kb_server.sparql.worker")
    assert not names & {"httpx", "websockets", "kb_server.client", *_SERVERS}


def test_the_public_names_are_sorted_and_complete() -> None:
    """A star brings what each module of the client offers to the public, in order."""
    offered: dict[str, object] = {}
    exec("from kb_server import *", {}, offered)
    assert list(offered) == sorted(offered)
    assert {"Answer", "AsyncModel", "BadGraph", "Blackboard", "Event", "Subscription"} <= {*offered}
    assert all(getattr(kb_server, name) is offered[name] for name in offered)
    assert {*offered} <= {*dir(kb_server)}


def test_type_checkers_are_given_the_same_names() -> None:
    """The modules whose names are found are those whose stars type checkers follow."""
    tree = ast.parse(Path(kb_server.__file__).read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    starred = [str(node.module) for node in imports if node.names[0].name == "*"]
    offered: dict[str, object] = {}
    exec("from kb_server import *", {}, offered)
    assert {*offered} == {name for each in starred for name in import_module(each).__all__}


def test_nothing_else_is_public() -> None:
    """What is not offered is not there, nor do type checkers believe that it is."""
    with pytest.raises(AttributeError, match="Sink"):
        kb_server.Sink  # type: ignore[attr-defined]  # noqa: B018


def test_type_checkers_see_the_names_from_outside(tmp_path: Path) -> None:
    """In a program of somebody else's, a type checker knows what is there and what is not."""
    program = tmp_path / "theirs.py"
    program.write_text(
        "from kb_server import Blackboard, Blackbored\n"
        "with Blackboard() as kb:\n"
        "    kb.check('myself', 'ball isIn box').nothing\n"
    )
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", program.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.stdout.count("error:") == 2, checked.stdout
    assert '"kb_server" has no attribute "Blackbored"' in checked.stdout
    assert '"bool" has no attribute "nothing"' in checked.stdout
