"""A token file from end to end: by the client, and by the command line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kb_server import Blackboard, Forbidden, Unauthorized
from tests.commands.program import Program
from tests.service.servers import Server, started_servers

_PATIENCE = 10.0
TOKENS = {
    "reader": ("read", '["sally"]'),
    "writer": ("write", '["sally"]'),
    "admin": ("admin", None),
}


def token(name: str) -> str:
    return f"{name}-{name}-{name}-{name}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the token file of the server is, and a file with each token for the command line."""
    folder = tmp_path_factory.mktemp("tokens")
    rows = []
    for name, (role, models) in TOKENS.items():
        (folder / name).write_text(f"{token(name)}\n")
        rows.append(f'[[tokens]]\nname = "{name}"\ntoken = "{token(name)}"\nrole = "{role}"')
        rows += [f"models = {models}"] if models else []
    (folder / "tokens.toml").write_text("\n".join(rows))
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with started_servers(folder) as servers:
        made = servers.start("--no-dl", "--tokens", str(folder / "tokens.toml"))
        with Blackboard(made.url, token=token("admin")) as kb:
            kb.create("sally")
            kb.add("sally", "ball isIn box")
        yield made


def board(server: Server, name: str) -> Blackboard:
    return Blackboard(server.url, token=token(name))


def test_who_may_read(server: Server) -> None:
    """It asks and listens in its models, and neither elsewhere nor more."""
    with board(server, "reader") as kb, board(server, "admin") as admin:
        assert kb.check("sally", "ball isIn box")
        assert [model.id for model in kb.models()] == ["sally"]
        with kb.subscribe("sally", "cup isIn ?where") as events:
            admin.add("sally", "cup isIn sink")
            assert events.next(_PATIENCE).bindings == {"where": "sink"}
        for refused in (
            lambda: kb.add("sally", "ball isIn cup"),
            lambda: kb.find("myself", "?a isIn ?b"),
            lambda: kb.subscribe("myself", "?a isIn ?b"),
            lambda: kb.subscribe_divergence("sally", "?a isIn ?b"),
            lambda: kb.publish("sally", {}),
            lambda: kb.provide(["isFar"], lambda _: []),
            lambda: kb.will("reader"),
            lambda: kb.delete("sally"),
        ):
            with pytest.raises(Forbidden):
                refused()


def test_who_may_write(server: Server) -> None:
    """It changes its models and those within them, and no others."""
    with board(server, "writer") as kb:
        assert kb.create("sally.anne")
        assert kb.add("sally.anne", "ball isIn cup").seq
        kb.publish("sally", {"ball": {"pose": [0, 0, 1]}})
        assert kb.poses("sally").poses["ball"].pose == (0, 0, 1)
        kb.delete("sally.anne")
        for model in ("myself", "anne"):
            with pytest.raises(Forbidden):
                kb.add(model, "ball isIn cup")
        with pytest.raises(Forbidden):
            kb.create("anne")


def test_who_may_do_anything(server: Server) -> None:
    """An administrator reaches all models, made or to be made."""
    with board(server, "admin") as kb:
        assert kb.create("tom")
        kb.add("myself", "ball isIn box")
        with kb.subscribe_divergence("tom", "?o isIn ?where") as events:
            kb.add("tom", "ball isIn cup")
            assert events.next(_PATIENCE).kind == "diverge"
        kb.delete("tom")


@pytest.mark.parametrize("wrong", [None, "nobody-nobody-nobody"])
def test_who_is_not_known(server: Server, wrong: str | None) -> None:
    """Without a token, or with a wrong one, nothing is answered on either line."""
    with Blackboard(server.url, token=wrong) as kb:
        with pytest.raises(Unauthorized):
            kb.models()
        with pytest.raises(Unauthorized):
            kb.subscribe("sally", "?a isIn ?b")


def test_on_the_command_line(server: Server, folder: Path) -> None:
    """A token in a file lets in as far as its role and models go, and is never printed."""
    program = Program(server.url)
    reader, writer = (("--token-file", str(folder / name)) for name in ("reader", "writer"))
    sally = ("--model", "sally")
    facts = folder / "facts.ttl"
    facts.write_text("@prefix oro: <http://kb.openrobots.org#> . oro:plate oro:isIn oro:box .")
    done = [
        program("find", "?o isIn box", *sally, *reader, "--json"),
        program("find", "?o isIn box", *reader, status=1),
        program("find", "?o isIn box", *sally, status=1),
        program("import", str(facts), *sally, *reader, status=1),
        program("import", str(facts), *sally, *writer),
        program("import", str(facts), *writer, status=1),
        program("query", "SELECT ?o { ?o oro:isIn oro:box }", *sally, *reader, "--json"),
    ]
    assert "ball" in done[0].stdout
    assert "plate" in done[6].stdout
    for each in done:
        assert token("reader") not in each.stdout + each.stderr
        assert token("writer") not in each.stdout + each.stderr
    with program.running("watch", "?o isIn sink", *sally, *reader, "--snapshot") as running:
        assert "cup" in running.line() + running.line()
    assert token("reader") not in server.log
