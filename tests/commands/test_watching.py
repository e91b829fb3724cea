"""`watch`: events as they happen, over lost connections, until Ctrl-C."""

import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from tests.commands.program import Program, Running
from tests.service.servers import Server, Servers


def told(running: Running) -> Mapping[str, Any]:
    """The next event, as data."""
    found: Mapping[str, Any] = json.loads(running.line())
    return found


def revise(server: Server, model: str, **body: list[str]) -> None:
    httpx.post(f"{server.url}/models/{model}/revise", json=body).raise_for_status()


def test_events_of_several_models(server: Server, program: Program) -> None:
    """Events of all models named come as they happen, after what holds already; Ctrl-C is 0."""
    for model in ("wim", "xia"):
        httpx.put(f"{server.url}/models/{model}").raise_for_status()
    revise(server, "wim", add=["ball isIn box"])
    words = ("watch", "?o isIn ?p", "--model", "wim", "--model", "xia", "--on", "both")
    with program.running(*words, "--snapshot", "--json") as running:
        first = [told(running) for _ in range(3)]
        assert sorted((e["model"], e["event"]) for e in first) == [
            ("wim", "appear"),
            ("wim", "snapshot_end"),
            ("xia", "snapshot_end"),
        ]
        revise(server, "xia", add=["ball isIn bag"])
        event = told(running)
        assert (event["model"], event["event"]) == ("xia", "appear")
        assert event["bindings"] == {"o": "ball", "p": "bag"}
        revise(server, "wim", retract=["ball isIn *"])
        assert told(running)["event"] == "disappear"
        assert running.interrupted() == 0


def test_lines_for_people(server: Server, program: Program) -> None:
    """Without `--json` an event is a line that says when, who and what."""
    httpx.put(f"{server.url}/models/yan").raise_for_status()
    revise(server, "yan", add=["ball isIn box"])
    with program.running("watch", "?o isIn ?p", "--model", "yan", "--snapshot") as running:
        assert "yan + o=ball p=box" in running.line()
        assert "end of the snapshot" in running.line()


def test_once_ends_by_itself(server: Server, program: Program) -> None:
    """With `--once` the program ends with the first event, and rows of the start do not count."""
    httpx.put(f"{server.url}/models/zoe").raise_for_status()
    revise(server, "zoe", add=["ball isIn box"])
    words = ("watch", "?o isIn ?p", "--model", "zoe", "--once", "--snapshot", "--json")
    with program.running(*words) as running:
        assert told(running)["snapshot"]
        assert told(running)["event"] == "snapshot_end"
        revise(server, "zoe", add=["cup isIn sink"])
        assert told(running)["bindings"] == {"o": "cup", "p": "sink"}
        assert running.process.wait(30) == 0


@pytest.mark.parametrize("line", ['"$@" | head -1; exit ${PIPESTATUS[0]}', '"$@" >&-'])
def test_it_ends_with_its_reader(server: Server, program: Program, line: str) -> None:
    """When nobody reads its output any more it ends with 0, though nothing happens."""
    httpx.put(f"{server.url}/models/zora").raise_for_status()
    watched = ("watch", "?o isIn ?p", "--model", "zora", "--snapshot")
    done = program.in_shell(line, *watched)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_lost_connection_loses_nothing(servers: Servers) -> None:
    """When the server is killed and comes back, what happened since is shown, each once."""
    server = servers.start()
    with Program(server.url).running("watch", "?o isIn ?p", "--snapshot", "--json") as running:
        assert told(running)["event"] == "snapshot_end"
        revise(server, "myself", add=["ball isIn box"])
        assert told(running)["bindings"]["o"] == "ball"
        server.kill()
        server.start()
        revise(server, "myself", add=["cup isIn sink"])
        assert told(running)["bindings"]["o"] == "cup"
        assert running.interrupted() == 0
