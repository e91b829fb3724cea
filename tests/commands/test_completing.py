"""What a Tab completes, with a board and without."""

from pathlib import Path

import pytest

from kb_server import Blackboard
from tests.commands.program import Program
from tests.service.servers import Server, Servers

NOWHERE = "http://127.0.0.1:9"


def completions(line: str) -> set[str]:
    """What argcomplete is told for a line where no board is."""
    return Program(NOWHERE).completions(line)


def test_commands_and_options_are_completed() -> None:
    """The program tells a shell the commands and options that fit."""
    assert completions("mindboard fi") == {"find"}
    assert {"--model", "--json"} <= completions("mindboard find --")


def test_demonstrations_are_completed() -> None:
    """The names of stories are completed."""
    assert completions("mindboard demo s") == {"sally-anne", "smarties"}


@pytest.mark.parametrize("command", ["replay", "perceive"])
def test_names_of_tolerances_are_completed(command: str) -> None:
    """After `--tolerance` the names that fit are completed, up to the value."""
    assert completions(f"mindboard {command} --tolerance nea") == {"near=", "nearer="}


@pytest.mark.parametrize("command", ["find x", "watch x", "query x", "export", "import x"])
def test_models_of_a_running_board_are_completed(server: Server, command: str) -> None:
    """`--model` is completed by the models of the board that the line or the environment names."""
    with Blackboard(server.url) as kb:
        kb.create("tabbed")
    assert Program(server.url).completions(f"mindboard {command} --model tab") == {"tabbed"}
    line = f"mindboard {command} --kb {server.url} --model tab"
    assert completions(line) == {"tabbed"}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("find '?o a Boo", "?o a Book"),
        ("find 'ball isIn box' '?o a Boo", "?o a Book"),
        ("watch --model myself '?o a Boo", "?o a Book"),
        ("find x '?o  rdf:type cyc:EnduringThing-L", "?o  rdf:type cyc:EnduringThing-Localized"),
        ("query 'SELECT * { ?o a oro:Boo", "SELECT * { ?o a oro:Book"),
    ],
)
def test_classes_of_a_running_board_are_completed(server: Server, line: str, found: str) -> None:
    """Where a class stands in a pattern or a query, those that the board knows are completed."""
    assert Program(server.url).completions(f"mindboard {line}") == {found}


def test_classes_of_one_model_are_completed(server: Server) -> None:
    """A class that only one model knows is completed where the line names that model."""
    with Blackboard(server.url) as kb:
        kb.create("namer")
        kb.revise("namer", add=["Tabulator a owl:Class"])
    program = Program(server.url)
    assert program.completions("mindboard find --model namer '?o a Tabu") == {"?o a Tabulator"}
    assert program.completions("mindboard find --model myself '?o a Tabu") == set()


@pytest.mark.parametrize("line", ["find '?o isIn Bo", "find 'Bo", "find '?o a", "query 'ASK { Bo"])
def test_what_is_no_class_is_left_alone(server: Server, line: str) -> None:
    """Nothing is completed where no class stands."""
    assert Program(server.url).completions(f"mindboard {line}") == set()


@pytest.mark.parametrize("url", [NOWHERE, "nowhere", "ftp://127.0.0.1", "http://[", ""])
@pytest.mark.parametrize("line", ["find x --model ", "find '?o a "])
def test_without_a_board_nothing_is_completed(url: str, line: str) -> None:
    """A board that is not there, or an address that is none, completes nothing, silently."""
    assert Program(url).completions(f"mindboard {line}") == set()


def test_a_token_is_shown(servers: Servers, tmp_path: Path) -> None:
    """The token of the line is shown to the board, which answers nothing without one."""
    tokens = tmp_path / "tokens.toml"
    tokens.write_text('[[tokens]]\nname = "i"\ntoken = "0123456789abcdef"\nrole = "admin"\n')
    mine = tmp_path / "mine"
    mine.write_text("0123456789abcdef\n")
    program = Program(servers.start("--tokens", str(tokens)).url)
    assert program.completions("mindboard find x --model ") == set()
    assert program.completions("mindboard find x --token-file nowhere --model ") == set()
    shown = f"mindboard find x --token-file {mine} --model "
    assert program.completions(shown) == {"myself"}
