"""`mindboard demo`: what it is told, what it leaves behind, and how it fails."""

import json
from pathlib import Path

import pytest

from demos.command import NAMES
from demos.repertoire import STORIES
from demos.story import Question, holds, lacks
from kb_server import Blackboard
from kb_server.program import FAILED, USAGE
from tests.demos.short import expecting, played
from tests.service.servers import Server

pytestmark = pytest.mark.usefixtures("short")


def test_the_stories_that_a_shell_completes_are_those_there_are() -> None:
    """The names that are known without the stories are those of the stories, in their order."""
    assert tuple(STORIES) == NAMES


def test_the_stories_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a name the stories are listed, each with its cases; as data with `--json`."""
    assert played() == played("--list") == 0
    listed = capsys.readouterr().out
    assert played("--json") == 0
    data = json.loads(capsys.readouterr().out)["demos"]
    assert [each["name"] for each in data] == [*STORIES, "short"]
    for story in STORIES.values():
        assert f"{story.name}: {story.title}\n" in listed
        assert all(case.about in listed for case in story.cases)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nothing"], "there is no demo 'nothing'; there are: sally-anne, "),
        (["sally-anne", "--case", "x"], "has no case 'x'; it has: false-belief, watching"),
        (["short", "--gif"], "--gif has no effect without --render DIR"),
        (["short", "--render", "x", "--render-minds", "max"], "the scene has no mind 'max'"),
        (["--case", "watching"], "--case has no effect without NAME"),
        (["short", "--kb", "http://127.0.0.1:9", "--port", "0"], "--port has no effect with --kb"),
    ],
)
def test_what_makes_no_sense_is_refused(
    words: list[str],
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A line that asks for what there isn't is bad usage; it says why, and begins nothing."""
    monkeypatch.setattr("demos.run.serving", None)
    assert played(*words) == USAGE
    said = capsys.readouterr()
    assert says in said.err
    assert "mindboard demo: " in said.err
    assert said.out == ""


@pytest.mark.parametrize("words", [["--speed", "0"], ["--speed", "fast"], ["--port", "70000"]])
def test_numbers_have_bounds(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A speed or a port that can't be is bad usage."""
    with pytest.raises(SystemExit) as end:
        played("short", *words)
    assert end.value.code == USAGE
    assert words[1] in capsys.readouterr().err


def test_a_board_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    """A board that can't be reached is told with its address before any page is."""
    for url, status in (("http://127.0.0.1:9", FAILED), ("nowhere", USAGE)):
        assert played("short", "--kb", url) == status
        said = capsys.readouterr()
        assert "mindboard demo: " in said.err
        assert url in said.err
        assert "The page" not in said.out + said.err


def test_a_board_that_lacks_the_ontology(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """A story with an ontology of its own tells how a board is served with it."""
    assert played("smarties", "--kb", server.url) == FAILED
    (file,) = STORIES["smarties"].files()
    assert f"mindboard serve --ontology {file}" in capsys.readouterr().err


def test_a_port_that_is_taken(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """A server that can't be started is a failure, with what it said itself."""
    assert played("short", "--port", str(server.port)) == FAILED
    err = capsys.readouterr().err
    assert "mindboard demo: the server did not start" in err
    assert str(server.port) in err


def test_the_story_is_told(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """Title, steps, minds side by side, questions, answers and reasons are told, in order."""
    assert played("short", "--kb", f"{server.url}/", "--source", "told") == 0
    told = capsys.readouterr().out
    at = -1
    for line in (
        f"The page: {server.url}/\n",
        "Sally and Anne",
        "1. A look",
        "Sally looks at a ball.",
        "ball on the table",
        "Where is it?",
        "→ on the table",
        "`ball isOn table` holds in sally since 0.",
        "Sally sees the ball now.",
        "→ no",
        "→ nothing that is known",
        "All expected beliefs hold.",
    ):
        assert line in told[at + 1 :], line
        at = told.index(line, at + 1)


@pytest.mark.parametrize(
    ("story", "says"),
    [
        (expecting(*holds("anne", "ball isIn box")), "`ball isIn box` does not hold in anne"),
        (expecting(*lacks("sally", "ball isOn table")), "`ball isOn table` holds in sally"),
        (
            expecting(questions=[Question("Where?", "sally", ("ball isOn ?o",), ("box",))]),
            "“Where?” is answered table, not box",
        ),
    ],
)
def test_what_does_not_come_out_fails(
    server: Server,
    story: object,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A belief or an answer that does not come out is told, and the exit status is 1."""
    monkeypatch.setattr("demos.run.STORIES", {"short": story})
    assert played("short", "--kb", server.url, "--source", "failing") == FAILED
    out = capsys.readouterr().out
    assert f"WRONG: {says}." in out
    assert f"Step 1: {says}." in out


def test_what_was_told_is_taken_back(server: Server) -> None:
    """On a board of somebody else's the facts end with the story; who believed them stays known."""
    with Blackboard(server.url) as kb:
        kb.add("myself", "cup isOn shelf", source="somebody")
        before = {each.id: each.asserted for each in kb.models()}
        assert played("short", "--kb", server.url, "--source", "guest", "--json") == 0
        after = {each.id: each.asserted for each in kb.models()}
        assert after.items() >= before.items()
        assert after["sally"] == 0
        assert kb.history("sally", s="ball", p="isOn")
        assert not {"demo", "guest"} & {*kb.staged()}


def test_a_name_that_is_taken_is_refused(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where somebody tells the board under that name the story is not played over it."""
    with Blackboard(server.url) as kb:
        kb.add("myself", "cup isOn shelf", source="taken")
        assert played("short", "--kb", server.url, "--source", "taken") == FAILED
        assert "asserts facts as taken on this board" in capsys.readouterr().err
        assert kb.check("myself", "cup isOn shelf")


def test_pictures_and_percepts_are_kept(server: Server, tmp_path: Path) -> None:
    """With `--render` there are pictures, and with `--record` the frames, 25 a second."""
    frames, pictures = tmp_path / "frames.jsonl", tmp_path / "pictures"
    words = ("--kb", server.url, "--source", "drawn", "--record", str(frames))
    assert played("short", *words, "--render", str(pictures), "--render-size", "480") == 0
    assert len(frames.read_text().splitlines()) == 20
    assert [*pictures.glob("*.png")]
