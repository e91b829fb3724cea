"""Tokens: who may do what, in which models; and that no secret is ever logged."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from kb_server.errors import BadRequest
from kb_server.service.access import read_tokens
from tests.service.servers import Server, Servers, started_servers

TOKENS = """
[[tokens]]
name = "robot"
token = "robot-robot-robot-robot"
role = "admin"

[[tokens]]
name = "camera"
token = "camera-camera-camera"
role = "write"
models = ["sally"]

[[tokens]]
name = "screen"
token = "screen-screen-screen"
role = "read"
models = ["sally"]
"""
ROBOT, CAMERA, SCREEN = "robot-robot-robot-robot", "camera-camera-camera", "screen-screen-screen"
FACT: dict[str, object] = {"add": ["ball isIn box"]}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with tokens, and the model of Sally on it."""
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "tokens.toml").write_text(TOKENS)
    with started_servers(folder) as servers:
        server = servers.start("--tokens", str(folder / "tokens.toml"), "--verbose")
        assert ask(server, ROBOT, "PUT", "/models/sally").status_code == 201
        yield server


def ask(server: Server, token: str, method: str, path: str, **more: object) -> httpx.Response:
    headers = {"authorization": f"Bearer {token}"}
    return httpx.request(method, server.url + path, headers=headers, json=more or None)


@pytest.mark.parametrize(
    ("token", "method", "path", "status"),
    [
        (ROBOT, "GET", "/models/myself/facts", 200),
        (ROBOT, "GET", "/metrics", 200),
        (CAMERA, "GET", "/models/sally/facts", 200),
        (CAMERA, "GET", "/models/myself/facts", 403),
        (CAMERA, "GET", "/models/myself/history", 403),
        (CAMERA, "GET", "/models/myself/consistency", 403),
        (CAMERA, "GET", "/models/myself/about/ball", 403),
        (CAMERA, "GET", "/models/myself/lookup?label=ball", 403),
        (CAMERA, "GET", "/models/sally/divergence", 403),
        (CAMERA, "GET", "/models/sally/divergence?from=sally", 200),
        (CAMERA, "PUT", "/models/sally.anne", 201),
        (CAMERA, "PUT", "/models/sallyanne", 403),
        (CAMERA, "PUT", "/models/anne.sally", 403),
        (CAMERA, "DELETE", "/models/sally.anne", 204),
        (SCREEN, "GET", "/models/sally/facts", 200),
        (SCREEN, "PUT", "/models/sally.tom", 403),
        (SCREEN, "DELETE", "/models/sally", 403),
        ("none", "GET", "/models", 401),
        ("x" * 20, "GET", "/models", 401),
        ("ä" * 20, "GET", "/models", 401),
    ],
)
def test_a_token_reaches_so_far(
    guarded: Server, token: str, method: str, path: str, status: int
) -> None:
    """A token is good for its role in its models and those that lie in them, and for no more."""
    headers = {b"authorization": f"Bearer {token}".encode()}
    answer = httpx.request(method, guarded.url + path, headers=headers)
    assert answer.status_code == status, answer.text


@pytest.mark.parametrize("call", ["find", "check", "explain", "compare", "discriminate", "clarify"])
def test_every_question_asks_for_the_model(guarded: Server, call: str) -> None:
    """No question about another model is answered, whatever its form."""
    bodies: dict[str, dict[str, object]] = {
        "find": {"patterns": ["?s ?p ?o"]},
        "check": {"patterns": ["?s ?p ?o"]},
        "explain": {"fact": "ball isIn box"},
        "compare": {"a": "ball", "b": "box"},
        "discriminate": {"candidates": ["ball", "box"]},
        "clarify": {"patterns": ["?o a Ball"], "variable": "?o"},
    }
    answer = ask(guarded, CAMERA, "POST", f"/models/myself/{call}", **bodies[call])
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")


def test_only_writers_write(guarded: Server) -> None:
    """Who may only read can't revise; who may write can, in its models."""
    path = "/models/sally/revise"
    assert ask(guarded, SCREEN, "POST", path, **FACT).status_code == 403
    assert ask(guarded, CAMERA, "POST", path, **FACT).status_code == 200
    assert ask(guarded, CAMERA, "POST", "/models/myself/revise", **FACT).status_code == 403


def test_the_list_has_only_what_is_ones_own(guarded: Server) -> None:
    """Models that a token does not reach are not even listed."""
    listed = ask(guarded, SCREEN, "GET", "/models").json()["models"]
    assert [model["id"] for model in listed] == ["sally"]


def test_health_needs_no_token(guarded: Server) -> None:
    """Whoever watches the server may ask whether it is well."""
    assert httpx.get(f"{guarded.url}/health").status_code == 200


def test_a_token_is_asked_for(guarded: Server) -> None:
    """Without a token the answer says how to send one."""
    answer = httpx.get(f"{guarded.url}/models")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "Authorization" in answer.json()["error"]["message"]


def test_a_ticket_is_good_once(guarded: Server) -> None:
    """A ticket stands for its owner's token, once, in the address."""
    ticket = ask(guarded, SCREEN, "POST", "/ticket").json()["ticket"]
    params = {"ticket": ticket}
    path = f"{guarded.url}/models/sally/facts"
    assert httpx.get(path, params=params).status_code == 200
    assert httpx.get(path, params=params).status_code == 401
    other = ask(guarded, SCREEN, "POST", "/ticket").json()["ticket"]
    away = httpx.get(f"{guarded.url}/models/myself/facts", params={"ticket": other})
    assert away.status_code == 403


def test_a_ticket_makes_no_ticket(guarded: Server) -> None:
    """A pass ends by itself: only a token gives another one."""
    given = ask(guarded, SCREEN, "POST", "/ticket")
    assert given.headers["cache-control"] == "no-store"
    params = {"ticket": given.json()["ticket"]}
    assert httpx.post(f"{guarded.url}/ticket", params=params).status_code == 401


def test_a_refused_handshake_is_no_mistake_of_ours(guarded: Server) -> None:
    """Who is not let in is told so, and fills no log with errors."""
    for _ in range(3):
        with pytest.raises(InvalidStatus) as refused:
            connect(guarded.events_url)
        assert refused.value.response.status_code == 401
    assert "handshake" not in guarded.log


def test_no_secret_is_logged(guarded: Server) -> None:
    """Neither a token nor a ticket is in the log, wherever it was sent."""
    ticket = ask(guarded, ROBOT, "POST", "/ticket").json()["ticket"]
    httpx.get(f"{guarded.url}/models", params={"ticket": ticket})
    httpx.get(f"{guarded.url}/nowhere", params={"ticket": ticket}, headers={"authorization": ROBOT})
    httpx.get(f"{guarded.url}/models", headers={"sec-websocket-protocol": f"bearer.{CAMERA}"})
    assert "/nowhere" in guarded.log
    for secret in (ticket, ROBOT, CAMERA, SCREEN):
        assert secret not in guarded.log


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"\[\[tokens\]\]"),
        ("tokens = 3", r"\[\[tokens\]\]"),
        ("[[tokens", "can't be read"),
        ('[[tokens]]\nname = "x"\ntoken = "short"\nrole = "read"', "at least 16"),
        ('[[tokens]]\nname = "x"\ntoken = "0123456789abcdef"\nrole = "king"', "the role"),
        ('[[tokens]]\ntoken = "0123456789abcdef"\nrole = "read"', "no name"),
        ('[[tokens]]\nname = "x"\ncolor = "red"', "only the fields"),
        (TOKENS + TOKENS, "the same"),
        ('[[tokens]]\nname = "x"\ntoken = ""\nrole = "read"', "at least 16"),
        ('[[tokens]]\nname = "x"\ntoken = "ünïcödé-ünïcödé-ünïcödé"\nrole = "read"', "ASCII"),
        ('[[tokens]]\nname = "x"\ntoken = "0123456789abcdef ghi"\nrole = "read"', "ASCII"),
    ],
)
def test_a_bad_token_file_is_named(tmp_path: Path, text: str, said: str) -> None:
    """A token file that is wrong is refused with what is wrong, and without the token."""
    file = tmp_path / "tokens.toml"
    file.write_text(text)
    with pytest.raises(BadRequest, match=said) as refusal:
        read_tokens(file)
    assert "0123456789abcdef" not in refusal.value.message


def test_beyond_this_machine_only_with_tokens(servers: Servers, tmp_path: Path) -> None:
    """A server that others reach has tokens, and answers to its addresses as numbers."""
    file = tmp_path / "tokens.toml"
    file.write_text(TOKENS)
    server = servers.start("--host", "0.0.0.0", "--tokens", str(file), keeps=False)
    url = server.url.replace("0.0.0.0", "127.0.0.1")
    headers = {"authorization": f"Bearer {ROBOT}"}
    assert httpx.get(f"{url}/models", headers=headers).status_code == 200
    for host, status in (("10.0.0.1:80", 200), ("evil.example", 403), ("[::1]:80", 200)):
        assert httpx.get(f"{url}/models", headers={**headers, "host": host}).status_code == status
