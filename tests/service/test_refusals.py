"""What is refused, and how: one error body, the right status, and never a traceback."""

import gzip
import json
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service.servers import Server, Servers


def error(answer: httpx.Response) -> dict[str, Any]:
    """The error of an answer, which has the one shape."""
    body = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "detail"}
    assert "Traceback" not in answer.text
    assert answer.headers["x-request-id"]
    found: dict[str, Any] = body["error"]
    return found


@pytest.mark.parametrize(
    ("body", "status", "code", "said"),
    [
        ({"tll": 3}, 400, "bad_request", "unknown field 'tll'; known: retract, add"),
        ({"add": ["ball isIn"]}, 400, "bad_statement", "three"),
        ({"add": ["?x isIn box"]}, 400, "bad_statement", "variable"),
        ({"add": ["ball isIn box"], "memory": "for ever"}, 400, "unknown_memory", "episodic"),
        ({"add": "ball isIn box"}, 400, "bad_request", "add"),
        ({"add": [1]}, 400, "bad_request", "add[0] must be text of three terms"),
        ({"add": [["a", "b"]]}, 400, "bad_request", "add[0] must be text of three terms"),
        ({"add": ["a b c"], "ttl": -1}, 400, "bad_request", "ttl"),
        ({"add": ["a b c"], "ttl": True}, 400, "bad_request", "ttl"),
        ({"add": ["a b c"], "ttl": 10**300}, 400, "bad_request", "ttl"),
        ({"add": ["a b c"], "t": "yesterday"}, 400, "bad_request", "t must be"),
        ({"add": ["a b c"], "source": 7}, 400, "bad_request", "source"),
        ({"add": ["a b c"], "source": "\ud800"}, 400, "bad_request", "source: a text holds"),
        ({"add": ["\ud800 b c"]}, 400, "bad_request", "add: a text holds half"),
        ({"add": ["a b c"], "source": "x" * 201}, 400, "bad_request", "at most 200"),
        ({"add": ["a b c"], "memory": "x" * 201}, 400, "bad_request", "at most 200"),
        ({"if_consistent": "yes"}, 400, "bad_request", "if_consistent"),
        ([], 400, "bad_request", "must be a JSON object with the fields retract, add"),
        (None, 400, "bad_request", "must be a JSON object"),
        ({"add": ["a b c"] * 100_001}, 413, "too_large", "100000"),
    ],
)
def test_a_bad_revision_is_named(
    board: httpx.Client, sally: str, body: object, status: int, code: str, said: str
) -> None:
    """What is wrong in a revision is said by field, and nothing has changed."""
    answer = board.post(f"{sally}/revise", content=json.dumps(body), headers=JSON)
    found = error(answer)
    assert (answer.status_code, found["code"]) == (status, code)
    assert said in found["message"]
    assert board.get(f"{sally}/facts").json()["facts"] == []


JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"add', "not JSON"),
        (b"", "the body is missing"),
        (b'{"add": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested"),
        (b'{"add": ["\xc3 isIn box"]}', "not UTF-8"),
        (b'{"ttl": NaN}', "ttl"),
        (b'{"ttl": 1e999}', "ttl"),
        (b'{"t": -Infinity}', "t must be a number"),
        (b'{"ttl": ' + b"9" * 5_000 + b"}", "too many digits"),
        (b'{"add": [' + b"1," * 1_000_000 + b"1]}", "add[0] must be text of three terms"),
    ],
)
def test_a_body_that_is_none(board: httpx.Client, sally: str, content: bytes, said: str) -> None:
    """A body that is not JSON, or not of this world, is a bad request in the one shape."""
    answer = board.post(f"{sally}/revise", content=content, headers=JSON)
    assert answer.status_code == 400
    assert said in error(answer)["message"]


def test_a_body_that_is_packed(board: httpx.Client, sally: str) -> None:
    """A body that is compressed is refused as such."""
    packed = gzip.compress(b'{"add": ["ball isIn box"]}')
    headers = {**JSON, "content-encoding": "gzip"}
    answer = board.post(f"{sally}/revise", content=packed, headers=headers)
    assert answer.status_code == 400
    assert "without Content-Encoding" in error(answer)["message"]


def test_a_variable_of_no_pattern(board: httpx.Client, sally: str) -> None:
    """What is to be made clear is a variable of the patterns."""
    asked = {"patterns": ["?o a Cup"], "variable": "?x"}
    answer = board.post(f"{sally}/clarify", json=asked)
    assert error(answer)["detail"] == {"field": "variable"}


@pytest.mark.parametrize(
    "call", ["revise", "find", "check", "explain", "compare", "discriminate", "clarify"]
)
def test_half_a_character_for_a_field(board: httpx.Client, sally: str, call: str) -> None:
    """A field whose name is no text is an unknown one, in every call."""
    answer = board.post(f"{sally}/{call}", content=b'{"\\ud800": 1}', headers=JSON)
    assert answer.status_code == 400
    assert error(answer)["message"].startswith("unknown field '\\ud800'; known: ")


def test_other_media(board: httpx.Client, sally: str) -> None:
    """A body that says that it is something else is not read."""
    answer = board.post(f"{sally}/revise", content=b"{}", headers={"content-type": "text/plain"})
    assert (answer.status_code, error(answer)["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("is_said", [True, False])
def test_a_body_too_large(board: httpx.Client, sally: str, is_said: bool) -> None:
    """A body beyond the bound is refused, whether its length is said or it comes in chunks."""
    body = b'{"add": [' + b" " * (20 * 2**20) + b"]}"
    parts = body if is_said else iter([body[: 2**20]] * 20)
    answer = board.post(f"{sally}/revise", content=parts, headers=JSON)
    assert (answer.status_code, error(answer)["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("facts?limit=1&limit=2", "limit is given 2 times; give it once"),
        ("facts?at=0&at=1", "at is given 2 times"),
        ("facts?cursor=zzz", "cursor must be the `next` of the previous page, not 'zzz'"),
        ("facts?limit=0", 'limit must be a whole number of at least 1, not "0"'),
        ("facts?limit=99999", "limit must be a whole number of at most 10000, not"),
        ("facts?limit=1e3", 'limit must be a whole number, not "1e3"'),
        ("facts?kind=some", "kind must be one of 'asserted', 'inferred' or 'all', not"),
        ("consistency?engine=magic", "engine must be one of 'rules' or 'dl', not \"magic\""),
        ("lookup", "label is missing: this call needs ?label="),
        ("events", "pattern is missing: this call needs ?pattern="),
        ("events?pattern=a+b+c&once=2", 'once must be true or false, not "2"'),
        ("events?pattern=a+b+c&after=-1", "after must be a whole number of at least 0"),
        ("events?pattern=a+b+c&board=" + "x" * 300, "board must"),
    ],
)
def test_a_wrong_parameter_is_named(board: httpx.Client, path: str, said: str) -> None:
    """A parameter of an address that is wrong is named, with what it must be."""
    answer = board.get(f"/models/myself/{path}")
    assert error(answer)["code"] == "bad_request"
    assert error(answer)["message"].startswith(said)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not_found"),
        ("GET", "/models/", 404, "not_found"),
        ("GET", "/docs", 404, "not_found"),
        ("POST", "/models", 405, "method_not_allowed"),
        ("GET", "/models/nobody/facts", 404, "unknown_model"),
        ("GET", "/models/nobody/consistency?engine=dl", 404, "unknown_model"),
        ("GET", "/models/nobody/history", 404, "unknown_model"),
        ("GET", "/models/myself/divergence?from=nobody", 404, "unknown_model"),
        ("DELETE", "/models/nobody", 404, "unknown_model"),
        ("PUT", "/models/nobody.anne", 404, "unknown_model"),
        ("PUT", "/models/a%20b", 400, "bad_model_name"),
        ("PUT", "/models/" + "x" * 5_000, 400, "bad_model_name"),
        ("DELETE", "/models/myself", 400, "bad_model_name"),
        ("GET", "/models/myself/facts?att=3", 400, "bad_request"),
        ("GET", "/models/myself/facts?limit=0", 400, "bad_request"),
        ("GET", "/models/myself/facts?limit=1e3", 400, "bad_request"),
        ("GET", "/models/myself/facts?kind=some", 400, "bad_request"),
        ("GET", "/models/myself/facts?p=%20", 400, "bad_statement"),
        ("GET", "/models/myself/consistency?engine=magic", 400, "bad_request"),
        ("GET", "/models/myself/lookup", 400, "bad_request"),
        ("GET", "/models/myself/about/%ff%fe", 400, "bad_statement"),
    ],
)
def test_a_call_that_can_not_be(
    board: httpx.Client, method: str, path: str, status: int, code: str
) -> None:
    """An address, a method or a parameter that is not there is refused and creates nothing."""
    answer = board.request(method, path)
    assert (answer.status_code, error(answer)["code"]) == (status, code)
    assert "nobody" not in board.get("/models").text


def test_methods_are_told(board: httpx.Client) -> None:
    """405 and OPTIONS name the methods of an address, and HEAD is GET without the body."""
    assert board.post("/models/anne").headers["allow"] == "DELETE, OPTIONS, PUT"
    options = board.options("/models")
    assert (options.status_code, options.headers["allow"]) == (204, "GET, HEAD, OPTIONS")
    head = board.head("/models")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(board.get("/models").content))


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "10.0.0.1:8765"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
    ],
)
def test_pages_of_others_are_kept_out(board: httpx.Client, headers: dict[str, str]) -> None:
    """A name that is not the board's, or a page of another site, is refused."""
    answer = board.get("/models", headers=headers)
    assert (answer.status_code, error(answer)["code"]) == (403, "forbidden")


def test_a_page_of_its_own_may_ask(shared: Server, board: httpx.Client) -> None:
    """A page that came from the board itself may use it."""
    assert board.get("/models", headers={"origin": shared.url}).status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"\x00\xff\xfe\r\n\r\n",
        b"GET /models HTTP/1.1\r\n\r\n",
        b"GET /\xc3\xa4 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /models/myself/revise HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"GET " + b"/" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    ],
)
def test_what_is_hardly_http(shared: Server, board: httpx.Client, sent: bytes) -> None:
    """Bytes that are no proper request are answered with the one error body, and others go on."""
    with socket.create_connection(("127.0.0.1", shared.port), timeout=10) as line:
        line.sendall(sent)
        said = b""
        while b"}}" not in said and (more := line.recv(1_000)):
            said += more
    assert said.startswith(b"HTTP/1.1 4"), said
    assert b'{"error": {"code": ' in said
    assert b"x-request-id: " in said.lower()
    assert b"Traceback" not in said
    assert board.get("/health").status_code == 200


def test_a_head_that_never_ends(servers: Servers, tmp_path: Path) -> None:
    """A client that is slow with its head, or sends none, loses its connection."""
    file = tmp_path / "settings.toml"
    file.write_text("[service]\nhead_seconds = 0.2\nbody_seconds = 0.2\n")
    server = servers.start("--settings", str(file), keeps=False)
    for sent in (b"", b"GET /models HTTP/1.1\r\nHost: loc"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
            line.sendall(sent)
            assert line.recv(1_000) == b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
        line.sendall(b"POST /models HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
        assert line.recv(1_000).startswith(b"HTTP/1.1 408 ")


def test_what_is_no_http_has_a_line_as_every_request(servers: Servers) -> None:
    """The log of a server tells of bytes that are no HTTP under the name in their answer."""
    server = servers.start("--verbose", keeps=False)
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
        line.sendall(b"\x00\xff\xfe\r\n\r\n")
        said = line.makefile("rb").read().decode()
    server.stop()
    id = said.lower().partition("x-request-id: ")[2].split()[0]
    assert [id in each for each in server.log.splitlines() if "no HTTP" in each] == [True]
    assert "Invalid" not in server.log


def test_more_connections_than_are_served(servers: Servers, tmp_path: Path) -> None:
    """Past the connections that may be open a request is busy, in the one shape and with a name."""
    file = tmp_path / "settings.toml"
    file.write_text("[service]\nconnections = 1\n")
    server = servers.start("--settings", str(file), keeps=False)
    with ExitStack() as idle:
        answer = httpx.get(f"{server.url}/models")
        while answer.status_code == 200:
            idle.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))
            answer = httpx.get(f"{server.url}/models")
        assert (answer.status_code, error(answer)["code"]) == (503, "busy")
        assert "connections are open" in error(answer)["message"]
        assert answer.headers["x-request-id"]


@pytest.mark.parametrize("steps", [2_000, 100_000])
def test_what_takes_more_steps_than_allowed(servers: Servers, tmp_path: Path, steps: int) -> None:
    """A question is too costly past the steps of the settings, wherever it is answered."""
    file = tmp_path / "settings.toml"
    file.write_text(f"[board]\nsteps = {steps}\n")
    server = servers.start("--settings", str(file), keeps=False)
    with httpx.Client(base_url=f"{server.url}/models/myself", timeout=30) as web:
        facts = [f"x{n} isIn y{n}" for n in range(200)]
        assert web.post("/revise", json={"add": facts}).is_success
        asked = {"patterns": ["?a isIn ?b", "?c isIn ?d"]}
        answer = web.post("/find", json=asked)
        assert (answer.status_code, error(answer)["code"]) == (503, "too_costly")
        assert error(answer)["detail"] == {"allowed": steps}
        assert len(web.post("/find", json={**asked, "limit": 20}).json()["bindings"]) == 20
        none = {"patterns": ["?a isIn ?b", "?c isIn ?d", "?a isNextTo ?d"]}
        assert web.post("/find", json=none).json() == {"bindings": []}


def test_no_more_at_once_than_allowed(servers: Servers, tmp_path: Path) -> None:
    """One request more than may be served at once is refused, in the one shape."""
    file = tmp_path / "settings.toml"
    file.write_text("[service]\nconnections = 1\n")
    server = servers.start("--settings", str(file), keeps=False)
    head = b"POST /models/myself/revise HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
        line.sendall(head + b"{")
        answer = httpx.get(f"{server.url}/models")
        while answer.status_code == 200:  # until the server has seen the other
            answer = httpx.get(f"{server.url}/models")
        assert (answer.status_code, error(answer)["code"]) == (503, "busy")
        line.sendall(b"}")
        assert line.recv(1_000).startswith(b"HTTP/1.1 200 ")
    assert httpx.get(f"{server.url}/models").status_code == 200


def test_who_asks_and_goes_away(shared: Server, board: httpx.Client, sally: str) -> None:
    """A client that leaves in the middle of its body keeps nobody waiting, and changes nothing."""
    head = f"POST {sally}/revise HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
    with socket.create_connection(("127.0.0.1", shared.port), timeout=10) as line:
        line.sendall(head.encode() + b'{"add": ["ball isIn')
    assert board.get(f"{sally}/facts").json()["facts"] == []
