"""`replay`, `perceive` and `serve --scene` as processes: from the line to the exit status."""

import json
import re
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from subprocess import PIPE, CompletedProcess
from typing import IO, Any, Final

import pytest
import yaml
from websockets.sync.client import connect

from kb_server import Blackboard
from tests.forked import Forked, run_forked
from tests.live.rooms import ROOM, line
from tests.service.servers import Server

SALLY: Final = [1.2, 0.0, 1.4, 0.0, 0.0, 1.0, 0.0]
QUICK: Final = ("--sight", "tiny")
SECONDS: Final = 60.0
ON_TABLE: Final = "ball isOn table"


@pytest.fixture
def scene_file(tmp_path: Path) -> Path:
    """The room as a file; of its people only Sally is known to be somewhere."""
    file = tmp_path / "room.yaml"
    file.write_text(yaml.safe_dump({**ROOM, "depth": 1}))
    return file


def lines(count: int, first: int = 0) -> list[str]:
    """A ball lies on the table, is away for a second, and lies there again."""
    return [
        line(number / 25, *(["mug"] if 20 <= number % 60 < 50 else ["ball", "mug"]), sally=SALLY)
        for number in range(first, first + count)
    ]


@pytest.fixture
def frames_file(tmp_path: Path) -> Path:
    file = tmp_path / "frames.jsonl"
    file.write_text("".join(f"{each}\n" for each in lines(80)))
    return file


def done(*words: object, stdin: str = "", status: int = 0) -> CompletedProcess[str]:
    """A command at its end, which must have that status, and no traceback."""
    found = run_forked([*map(str, words)], text=stdin, timeout=SECONDS)
    assert found.returncode == status, found.stderr
    assert "Traceback" not in found.stderr
    return found


class Living:
    """A command that goes on, and what it prints."""

    def __init__(self, process: Forked) -> None:
        self.process: Final = process
        self.said: Final[Queue[str]] = Queue()
        self.logged: Final[Queue[str]] = Queue()
        for stream, queue in ((process.stdout, self.said), (process.stderr, self.logged)):
            threading.Thread(target=_read, args=(stream, queue), daemon=True).start()

    def line(self) -> str:
        return self.said.get(timeout=SECONDS)

    def address(self) -> str:
        """Where it takes frames, once it says that it is ready."""
        found = re.search(r"perceive is ready at (ws://\S+)$", self.line())
        assert found is not None
        return found[1]

    def ended(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


def _read(stream: IO[str], queue: "Queue[str]") -> None:
    for each in stream:
        queue.put(each.rstrip("\n"))
    queue.put("")


@contextmanager
def living(*words: object) -> Iterator[Living]:
    """A command that is ended with the block."""
    with Forked([*map(str, words)], stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        try:
            yield Living(process)
        finally:
            process.kill()


def send(url: str, frames: Sequence[str], token: str | None = None) -> None:
    """Sends frames, each when the one before was taken."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    with connect(url, additional_headers=headers, proxy=None) as camera:
        for each in frames:
            camera.send(json.dumps({"id": 1, **json.loads(each)}))
            assert json.loads(camera.recv(timeout=SECONDS)) == {"id": 1, "ok": True}


def until(url: str, pattern: str, on: Any = "appear", token: str | None = None) -> None:
    """Waits until something holds, or no longer does."""
    with (
        Blackboard(url, token) as kb,
        kb.subscribe("myself", pattern, on=on, snapshot=on == "appear") as events,
    ):
        if on == "disappear" and not kb.check("myself", pattern):
            return
        while events.next(SECONDS).kind != on:
            pass


def held(url: str, source: str = "spatial", token: str | None = None) -> set[str]:
    """What every model holds of a source."""
    with Blackboard(url, token) as kb:
        return {
            f"{info.id}: {fact.fact}"
            for info in kb.models()
            for fact in kb.facts(info.id, source=source, kind="asserted")
        }


def folded(facts: str) -> set[str]:
    """What holds after all the deltas of a replay, as `held` tells it."""
    holds: set[str] = set()
    for each in map(json.loads, facts.splitlines()):
        holds -= {f"{each['model']}: {fact}" for fact in each["retract"]}
        holds |= {f"{each['model']}: {fact}" for fact in each["add"]}
    return holds


def lasting(facts: set[str]) -> set[str]:
    return {fact for fact in facts if "ActiveConcept" not in fact}


def test_a_replay_prints_its_facts(scene_file: Path, frames_file: Path, tmp_path: Path) -> None:
    """The lines of a replay go to stdout, or to a file, or to both, and are the same each time."""
    printed = done("replay", scene_file, frames_file, *QUICK).stdout
    told = [json.loads(each) for each in printed.splitlines()]
    assert all(list(each) == ["t", "model", "add", "retract"] for each in told)
    assert [each["t"] for each in told] == sorted(each["t"] for each in told)
    assert ON_TABLE in told[0]["add"]
    assert {each["model"] for each in told} == {"myself", "sally"}
    out = tmp_path / "facts.jsonl"
    found = done("replay", scene_file, frames_file, "--out", out, *QUICK)
    assert out.read_text() == printed
    assert found.stdout == ""
    assert "80 frames" in found.stderr
    again = done("replay", scene_file, "-", "--out", out, "--json", *QUICK,
                 stdin=frames_file.read_text())  # fmt: skip
    assert again.stdout == out.read_text() == printed


def test_a_replay_says_what_is_wrong(scene_file: Path, frames_file: Path, tmp_path: Path) -> None:
    """A wrong line is named by number and field, a wrong scene by entity and field, in one line."""
    with frames_file.open("a") as file:
        file.write('\n{"t": 9, "source": "x", "objects": {"ball": [0, 0]}}\n')
    found = done("replay", scene_file, frames_file, *QUICK, status=1)
    assert "line 82: objects.ball: " in found.stderr
    assert len(found.stdout.splitlines()) > 2
    bad = tmp_path / "bad.yaml"
    bad.write_text("entities: {ball: {class: Ball, shape: {sphere: -1}}}")
    found = done("replay", bad, frames_file, status=1)
    assert "mindboard replay: entities.ball.shape.sphere: " in found.stderr
    assert found.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("replay",),
        ("replay", "{scene}"),
        ("replay", "{scene}", "{frames}", "--speed", "slow"),
        ("replay", "{scene}", "{frames}", "--kb", "http://127.0.0.1:9", "--source", ""),
        ("perceive", "{scene}", "--host", "0.0.0.0"),
        ("perceive", "{scene}", "--port", "70000"),
    ],
)
def test_a_line_that_makes_no_sense_ends_with_2(
    words: tuple[str, ...], scene_file: Path, frames_file: Path
) -> None:
    """Bad usage is told on stderr, with nothing on stdout and the exit status 2."""
    line = [word.format(scene=scene_file, frames=frames_file) for word in words]
    assert done(*line, status=2).stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "{scene}", "nowhere.jsonl"),
        ("replay", "nowhere.yaml", "{frames}"),
        ("replay", "{scene}", "{frames}", "--out", "no/such/folder/x"),
        ("replay", "{scene}", "{frames}", "--render", "{frames}/x"),
        ("replay", "{scene}", "{frames}", "--token-file", "nowhere"),
        ("perceive", "nowhere.yaml", "--kb", "http://127.0.0.1:9"),
        ("perceive", "{scene}", "--tokens", "nowhere.toml"),
        ("serve", "--scene", "nowhere.yaml", "--data", ":memory:"),
    ],
)
def test_a_file_that_can_not_be_used_is_a_failure(
    words: tuple[str, ...], scene_file: Path, frames_file: Path
) -> None:
    """A file that is not there, or can't be written, is a failure that is told in its last line."""
    line = [word.format(scene=scene_file, frames=frames_file) for word in words]
    failed = done(*line, status=1)
    assert failed.stdout == ""
    assert failed.stderr.splitlines()[-1].startswith(f"mindboard {words[0]}: ")


def test_no_board_is_a_failure(scene_file: Path, frames_file: Path) -> None:
    """Without the board that was asked for, both commands fail with 1 and say so in one line."""
    for words in (("replay", scene_file, frames_file), ("perceive", scene_file, "--port", "0")):
        found = done(*words, "--kb", "http://127.0.0.1:9", status=1)
        assert "http://127.0.0.1:9: no board answers at this address" in found.stderr
        assert found.stdout == ""


def test_a_replay_tells_a_board(server: Server, scene_file: Path, frames_file: Path) -> None:
    """With --kb the board holds at the end what the lines say, and nothing is withdrawn."""
    words = ("replay", scene_file, frames_file, "--kb", server.url, "--source", "film", *QUICK)
    printed = done(*words).stdout
    assert lasting(held(server.url, "film")) == lasting(folded(printed))
    done(*words)
    assert lasting(held(server.url, "film")) == lasting(folded(printed))
    with Blackboard(server.url) as kb:
        assert kb.poses("myself").poses["ball"].seen is not None
        for info in kb.models():
            left = [fact.fact for fact in kb.facts(info.id, source="film", kind="asserted")]
            if left:
                kb.retract(info.id, *left)


def test_frames_on_the_socket_become_facts_until_it_ends(
    server: Server, scene_file: Path, tmp_path: Path
) -> None:
    """Live facts are those of a replay of the record, and are withdrawn at SIGTERM, in seconds."""
    record = tmp_path / "record.jsonl"
    words = ("perceive", scene_file, "--kb", server.url, "--port", "0", "--record", record)
    with living(*words, *QUICK) as eyes:
        url = eyes.address()
        send(url, lines(70))
        until(server.url, ON_TABLE)
        replay = done("replay", scene_file, record, *QUICK).stdout
        until_equal(server.url, lasting(folded(replay)))
        assert eyes.ended(signal.SIGTERM) == 0
    assert held(server.url) == set()
    assert record.read_text().count("\n") == 70


def until_equal(url: str, wanted: set[str]) -> None:
    """Waits until the board holds of us just what is wanted."""
    with Blackboard(url) as kb, kb.subscribe("myself", "?s ?p ?o", on="both") as events:
        while lasting(held(url)) != wanted:
            events.next(SECONDS)


def test_killed_eyes_leave_nothing(server: Server, scene_file: Path) -> None:
    """Eyes that are killed have their facts withdrawn by their will."""
    with living("perceive", scene_file, "--kb", server.url, "--port", "0", *QUICK) as eyes:
        send(eyes.address(), lines(5))
        until(server.url, ON_TABLE)
        eyes.ended(signal.SIGKILL)
        until(server.url, ON_TABLE, on="disappear")


def test_eyes_that_are_started_again_take_over(server: Server, scene_file: Path) -> None:
    """What killed eyes left is theirs who come after: nothing is doubled, nothing ceases."""
    words = ("perceive", scene_file, "--kb", server.url, "--port", "0", *QUICK)
    with living(*words) as eyes:
        send(eyes.address(), lines(5))
        until(server.url, ON_TABLE)
        eyes.ended(signal.SIGKILL)
    with living(*words) as eyes, Blackboard(server.url) as kb:
        url = eyes.address()
        before = len(kb.history("myself", s="ball", p="isOn"))
        send(url, lines(5))
        until(server.url, ON_TABLE)
        assert len(kb.history("myself", s="ball", p="isOn")) == before
        assert eyes.ended(signal.SIGINT) == 0
        assert held(server.url) == set()


def test_stdin_ends_it(server: Server, scene_file: Path, tmp_path: Path) -> None:
    """With --stdin alone it takes all lines and ends with them; the record is what came in."""
    record = tmp_path / "record.jsonl"
    words = ("perceive", scene_file, "--kb", server.url, "--stdin", "--record", record, *QUICK)
    found = done(*words, stdin="".join(f"{each}\n" for each in lines(30)))
    assert found.stdout == "mindboard perceive is ready for stdin\n"
    assert held(server.url) == set()
    frames = tmp_path / "frames.jsonl"
    frames.write_text("".join(f"{each}\n" for each in lines(30)))
    replays = [done("replay", scene_file, file, *QUICK).stdout for file in (frames, record)]
    assert replays[0] == replays[1] != ""


def test_more_sources_by_their_names(server: Server, scene_file: Path, frames_file: Path) -> None:
    """--percepts adds sources with settings; one that is wrong is bad usage."""
    words = ("perceive", scene_file, "--kb", server.url, *QUICK)
    given = json.dumps({"file": str(frames_file), "speed": "max"})
    found = done(*words, "--percepts", f"recorded:{given}", "--percepts", "gripper")
    assert found.stdout == "mindboard perceive is ready for frames.jsonl, gripper\n"
    for wrong in ("gripper:{", "griper"):
        assert "--percepts" in done(*words, "--percepts", wrong, status=2).stderr


def test_a_port_that_is_taken_is_a_failure(server: Server, scene_file: Path) -> None:
    """Who wants the board's own port is told that it can't be had."""
    words = ("perceive", scene_file, "--kb", server.url, "--port", server.port, *QUICK)
    assert f"can't listen on 127.0.0.1:{server.port}" in done(*words, status=1).stderr


def test_a_board_with_eyes(scene_file: Path, tmp_path: Path) -> None:
    """`serve --scene` runs `perceive` beside the board, with its tokens, and ends it first."""
    tokens = tmp_path / "tokens.toml"
    secret = "of-the-robot-0123456789"
    tokens.write_text(f'[[tokens]]\nname = "robot"\ntoken = "{secret}"\nrole = "write"\n')
    words = ("serve", "--port", "0", "--data", tmp_path / "data", "--no-dl")
    with living(*words, "--scene", scene_file, "--tokens", tokens) as board:
        url = board.line().split(" ready at ")[1].split(" ")[0]
        send(board.address(), lines(5), secret)
        until(url, ON_TABLE, token=secret)
        assert board.ended(signal.SIGTERM) == 0
    with living(*words) as board:
        url = board.line().split(" ready at ")[1].split(" ")[0]
        with Blackboard(url) as kb:
            assert not kb.check("myself", ON_TABLE)
            assert [each.op for each in kb.history("myself", s="ball", p="isOn")] == [
                "became_true",
                "ceased",
            ]


def test_a_board_that_is_killed_takes_its_eyes_along(scene_file: Path) -> None:
    """When the board is killed, its eyes end too: nobody holds its output any more."""
    words = ("serve", "--port", "0", "--data", ":memory:", "--no-dl", "--scene", scene_file)
    with living(*words) as board:
        board.line()
        board.address()
        board.ended(signal.SIGKILL)
        assert board.line() == ""
