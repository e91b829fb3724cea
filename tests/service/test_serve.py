"""`mindboard serve` as a process: how it starts, how it refuses to, and how it ends."""

import contextlib
import json
import os
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from kb_server.service.server.settings_file import ServerSettings, read_settings
from tests.service.servers import Server, Servers


def refused(*words: str) -> tuple[int, str]:
    """The status and the one line of a server that does not start."""
    command = [sys.executable, "-m", "kb_server", "serve", "--port", "0", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert done.stdout == ""
    assert done.stderr.startswith("mindboard serve: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.returncode, done.stderr


def revise(server: Server, model: str = "myself", **body: object) -> httpx.Response:
    return httpx.post(f"{server.url}/models/{model}/revise", json=body)


def holds(server: Server, *patterns: str, model: str = "myself") -> bool:
    asked = httpx.post(f"{server.url}/models/{model}/check", json={"patterns": patterns})
    return bool(asked.json()["holds"])


def test_what_was_answered_is_there_after_a_kill(servers: Servers) -> None:
    """A server that is killed has, when it is started again, all that it answered."""
    server = servers.start()
    assert revise(server, add=["ball isIn box"]).json()["seq"] == 1
    server.kill()
    server.start()
    assert holds(server, "box contains ball")
    assert revise(server, add=["ball isIn cup"]).json()["seq"] == 2


def test_models_survive(servers: Servers) -> None:
    """Models that were made are there after a restart, and those deleted are not."""
    server = servers.start()
    for name in ("anne", "sally", "sally.anne"):
        httpx.put(f"{server.url}/models/{name}")
    revise(server, "sally.anne", add=["ball isIn box"])
    revise(server, "anne", add=["ball isIn cup"])
    httpx.delete(f"{server.url}/models/anne")
    server.kill()
    server.start()
    listed = [model["id"] for model in httpx.get(f"{server.url}/models").json()["models"]]
    assert sorted(listed) == ["myself", "sally", "sally.anne"]
    assert holds(server, "box contains ball", model="sally.anne")


def test_lives_go_on_while_the_server_is_down(servers: Servers) -> None:
    """What ended while the server was down is gone when it answers, and history says so."""
    server = servers.start()
    revise(server, add=["ball isIn box"], ttl=1.5)
    revise(server, add=["ball isIn cup"], ttl=3_600)
    server.kill()
    end = time.time() + 1.5
    server.start()
    while time.time() < end:
        httpx.get(f"{server.url}/health")
    assert not holds(server, "ball isIn box")
    assert holds(server, "ball isIn cup")
    history = httpx.get(f"{server.url}/models/myself/history", params={"p": "isIn"}).json()
    assert history["history"][-1]["op"] == "ceased"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_end_it_ends_in_order(servers: Servers, number: signal.Signals) -> None:
    """SIGTERM and Ctrl-C end a server with status 0 and nothing to complain of."""
    server = servers.start()
    revise(server, add=["ball isIn box"])
    assert server.stop(number) == 0
    assert server.log == ""


def test_told_twice_to_end_it_ends_at_once(servers: Servers) -> None:
    """A second signal ends a server that finishes a request, with status 0 and no trace."""
    server = servers.start()
    revise(server, add=["ball isIn box"])
    head = b"POST /models/myself/revise HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
        line.sendall(head)
        os.kill(server.pid, signal.SIGTERM)
        while is_listening(server):
            pass
        assert server.stop() == 0
    assert "Traceback" not in server.log
    server.start()
    assert holds(server, "ball isIn box")


def is_listening(server: Server) -> bool:
    """Whether a server takes who comes in."""
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=10).close()
    except ConnectionError:
        return False
    return True


def test_what_can_not_be_finished_is_told_so(servers: Servers) -> None:
    """A request that is not done in the time to say goodbye is answered in the one error body."""
    server = servers.start("--no-dl")
    revise(server, add=[f"a{n} isNextTo b{n}" for n in range(300)])
    wild = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    answers: list[httpx.Response] = []

    def ask() -> None:
        answers.append(httpx.get(f"{server.url}/sparql", params={"query": wild}, timeout=30))

    asking = threading.Thread(target=ask)
    asking.start()
    while "mindboard_sparql_queries_total 1.0" not in httpx.get(f"{server.url}/metrics").text:
        pass
    assert server.stop() == 0
    asking.join()
    assert answers[0].status_code == 503
    assert answers[0].json()["error"]["code"] in {"stopping", "busy", "too_costly"}
    assert "Traceback" not in server.log


def test_it_finishes_what_was_accepted(servers: Servers) -> None:
    """Changes under way when SIGTERM comes are answered or refused, and those answered are kept."""
    server = servers.start()
    answered: list[str] = []
    first = threading.Event()

    def write(name: int) -> None:
        with httpx.Client(base_url=server.url) as client:
            for n in range(10_000):
                fact = f"thing{name} isNextTo t{n}"
                try:
                    answer = client.post("/models/myself/revise", json={"add": [fact]})
                except httpx.TransportError:
                    return
                if answer.status_code == 200:
                    answered.append(fact)
                    first.set()

    writers = [threading.Thread(target=write, args=(name,)) for name in range(4)]
    for writer in writers:
        writer.start()
    first.wait(10)
    assert server.stop() == 0
    for writer in writers:
        writer.join()
    server.start()
    assert all(holds(server, fact) for fact in answered[-20:])
    assert server.log == ""


def test_nobody_waits_for_java(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start with an ontology that Pellet has not seen doesn't wait for it, nor does the end."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    server = servers.start(keeps=False)
    assert not list(tmp_path.glob("cache/**/*.json"))
    asked = threading.Thread(target=ask_pellet, args=(server,))
    asked.start()
    assert server.stop() == 0
    asked.join()
    assert "Traceback" not in server.log


def ask_pellet(server: Server) -> None:
    """Asks what takes seconds of a server that may go down meanwhile."""
    with contextlib.suppress(httpx.TransportError):
        httpx.get(f"{server.url}/models/myself/consistency?engine=dl", timeout=30)


def test_without_a_command_it_serves(servers: Servers) -> None:
    """`python -m kb_server --port …` is the same as `mindboard serve --port …`."""
    server = servers.made(keeps=False)
    server.start(command=())
    assert httpx.get(f"{server.url}/health").status_code == 200


def test_the_settings_that_are_shown_are_taken(tmp_path: Path) -> None:
    """The settings file in the docs is one, and shows what holds anyhow."""
    page = Path(__file__).parents[2] / "docs" / "service.md"
    (shown,) = re.findall(r"```toml\n(\[service\].*?)```", page.read_text(), re.DOTALL)
    file = tmp_path / "settings.toml"
    file.write_text(shown.replace("age = 2592000", ""))
    assert read_settings(file) == ServerSettings()


def test_the_port_is_taken() -> None:
    """A port in use is said in one line, with the way out, and nothing is touched."""
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = other.getsockname()[1]
        status, said = refused("--port", str(port), "--data", ":memory:")
    assert status == 1
    assert f"127.0.0.1:{port}" in said
    assert "--port" in said


def test_the_folder_is_taken(servers: Servers) -> None:
    """A second server on one folder is refused, and told who has it."""
    server = servers.start()
    status, said = refused("--data", str(server.folder))
    assert status == 1
    assert str(server.pid) in said


def test_a_damaged_journal(servers: Servers) -> None:
    """Damage in the middle of a journal stops the start with the ways out, and one is an option."""
    server = servers.start()
    for n in range(3):
        revise(server, add=[f"ball isIn box{n}"])
    server.stop()
    with closing(sqlite3.connect(server.folder / "journal.sqlite")) as journal:
        journal.execute("UPDATE tail SET body = 'x' WHERE seq = 2")
        journal.commit()
    status, said = refused("--data", str(server.folder))
    assert status == 1
    assert "damaged" in said
    assert "`--after-damage cut` goes back to the board after delta 1;" in said
    assert [line[0] for line in exported(server.folder)] == [1, 3]
    server.start("--after-damage", "cut")
    assert holds(server, "ball isIn box0")
    assert not holds(server, "ball isIn box2")


def exported(folder: Path) -> list[list[object]]:
    """What the command line writes down of a journal."""
    command = [sys.executable, "-m", "kb_server", "serve", "--after-damage", "export"]
    done = subprocess.run(
        [*command, "--data", str(folder)], capture_output=True, text=True, check=True, timeout=30
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_journal_whose_only_snapshot_is_damaged(servers: Servers) -> None:
    """The way out that the start advises leads to the board, all of it."""
    server = servers.start()
    revise(server, add=["ball isIn box"])
    server.kill()
    with closing(sqlite3.connect(server.folder / "journal.sqlite")) as journal:
        journal.execute("UPDATE snapshot_part SET body = x'00'")
        journal.commit()
    status, said = refused("--data", str(server.folder))
    assert status == 1
    assert "`--after-damage cut` goes back to the board after delta 1;" in said
    assert "forget" not in said
    server.start("--after-damage", "cut")
    assert holds(server, "ball isIn box")


def test_nothing_is_written_down_of_a_journal_that_is_in_use(servers: Servers) -> None:
    """Who wants to export what a server is at, or what is not there, is told so."""
    server = servers.start()
    status, said = refused("--after-damage", "export", "--data", str(server.folder))
    assert status == 1
    assert str(server.pid) in said
    status, said = refused("--after-damage", "export", "--data", str(server.folder / "none"))
    assert status == 1
    assert "is missing" in said


def test_a_full_disk_at_the_start(servers: Servers) -> None:
    """The board is read-only and says so, answers questions, and goes on when there is space."""
    server = servers.start()
    revise(server, add=["ball isIn box"])
    server.stop()
    server.start(before=FULL)
    assert (
        httpx.get(f"{server.url}/health").json()["why"].startswith("the journal can't be written")
    )
    assert holds(server, "ball isIn box")
    refusal = revise(server, add=["ball isIn bag"])
    assert (refusal.status_code, refusal.json()["error"]["code"]) == (503, "read_only")
    assert not holds(server, "ball isIn bag")
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    while revise(server, add=["ball isIn bag"]).status_code == 503:
        continue
    assert server.stop() == 0
    server.start()
    assert holds(server, "ball isIn bag")


FULL = "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (0, r.RLIM_INFINITY))"


def test_a_full_disk_takes_nothing_that_was_not_made(servers: Servers) -> None:
    """A server that is stopped on a full disk, with all it has made kept, has lost nothing."""
    server = servers.start()
    revise(server, add=["ball isIn box"])
    server.stop()
    server.start(before=FULL)
    assert revise(server, add=["ball isIn bag"]).status_code == 503
    assert server.stop() == 0


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    """A data folder that can't be one is refused."""
    (tmp_path / "file").write_text("")
    status, said = refused("--data", str(tmp_path / "file"))
    assert status == 1
    assert "can't be used" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--host", "0.0.0.0"), "--tokens"),
        (("--host", "::"), "--tokens"),
    ],
)
def test_bad_usage(words: tuple[str, ...], said: str) -> None:
    """What the command line can't mean is refused with status 2 before anything is opened."""
    status, line = refused(*words, "--data", ":memory:")
    assert status == 2
    assert said in line


@pytest.mark.parametrize("option", ["--tokens", "--settings"])
@pytest.mark.parametrize("bytes_", [None, b"", b"[[tokens", b"\xff\xfe"])
def test_files_that_can_not_be_read(tmp_path: Path, option: str, bytes_: bytes | None) -> None:
    """A file that is not there, or is no TOML, ends the start with status 1 and one line."""
    file = tmp_path / "file.toml"
    if bytes_ is not None:
        file.write_bytes(bytes_)
    if bytes_ != b"" or option == "--tokens":
        status, line = refused(option, str(file), "--data", ":memory:")
        assert status == 1
        assert str(file) in line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[service]\nbody_byte = 3", "unknown setting 'body_byte'; known: head_bytes"),
        ("[servis]", "unknown setting 'servis'"),
        ('[service]\nseconds = "ten"', "seconds must be a positive"),
        ("[service]\nstatements = 0", "can't be 0"),
        ("[service]\nstatements = 1.5", "positive int"),
        ('[journal]\ndurability = "some"', "full, normal, off"),
        ("[sparql.limits]\nnesting = -1", "nesting must be a positive"),
        ("service = 3", "a table"),
    ],
)
def test_bad_settings(tmp_path: Path, text: str, said: str) -> None:
    """A setting that is not known, or can't be so, is named."""
    file = tmp_path / "settings.toml"
    file.write_text(text)
    status, line = refused("--settings", str(file), "--data", ":memory:")
    assert status == 1
    assert said in line


def test_settings_hold(servers: Servers, tmp_path: Path) -> None:
    """A settings file sets bounds, lifetimes and durability."""
    file = tmp_path / "settings.toml"
    file.write_text(
        "[service]\nbody_bytes = 200\nstatements = 2\n[journal]\ndurability = 'normal'\n"
        "[board.memories]\nblink = 0.1\n[sparql]\nworkers = 1\n[sparql.limits]\nunion = 3\n"
    )
    server = servers.start("--settings", str(file))
    assert revise(server, add=["a isIn b"], memory="blink").status_code == 200
    assert revise(server, add=["a isIn b"] * 3).status_code == 413
    assert revise(server, add=["a isIn b" + "b" * 300]).status_code == 413
    figures = httpx.get(f"{server.url}/metrics").text
    assert "mindboard_sparql_workers_ready 1.0" in figures


def test_logs_for_a_machine(servers: Servers) -> None:
    """With `--log json` each line of the log is an object."""
    server = servers.start("--log", "json", "--verbose", keeps=False)
    httpx.get(f"{server.url}/nowhere")
    server.stop()
    lines = [json.loads(line) for line in server.log.splitlines()]
    assert any("GET /nowhere 404" in line["message"] for line in lines)
    assert all(set(line) >= {"t", "level", "logger", "message"} for line in lines)


def test_the_disk_is_full(servers: Servers) -> None:
    """A server whose journal can't grow refuses changes, answers questions, and says so."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, 1 << 19))"
    server = servers.made()
    server.start(before=limit)
    answer = revise(server, add=["ball isIn box"])
    n = 0
    while answer.status_code == 200:
        n += 1
        answer = revise(server, add=[f"ball{n} isIn box{i}" for i in range(300)])
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "read_only")
    assert holds(server, "ball isIn box")
    well = httpx.get(f"{server.url}/health")
    assert well.status_code == 503
    assert "journal" in well.json()["why"]
    stream = httpx.get(f"{server.url}/models/myself/events?pattern=?x isIn box&snapshot=true")
    assert (stream.status_code, stream.json()["error"]["code"]) == (503, "read_only")
    models = httpx.get(f"{server.url}/models").json()["models"]
    assert max(m["seq"] for m in models) == well.json()["seq"] == n
    figures = httpx.get(f"{server.url}/metrics").text
    assert "mindboard_read_only 1.0" in figures
    assert f"mindboard_seq {float(n)}" in figures
    assert server.stop() == 1
    assert "1 changes are lost, none of which was answered" in server.log
    server.start()
    assert holds(server, "ball isIn box")
    assert all(holds(server, f"ball{n - 1} isIn box{i}") for i in (0, 299))
    assert revise(server, add=["ball isIn cup"]).status_code == 200
