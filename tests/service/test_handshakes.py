"""Handshakes of websockets that are refused: as other requests, with the one body and a line."""

import base64
import json
import socket

import httpx
import pytest

from tests.service.servers import Servers

KEY = base64.b64encode(bytes(16)).decode()
UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}


def answer_to(port: int, path: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of what is answered to a request, sent as it is."""
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", *(f"{n}: {v}" for n, v in headers.items())]
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode())
        head, _, body = line.makefile("rb").read().partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    found = dict(each.lower().split(": ", 1) for each in rest)
    return int(first.split()[1]), found, body


@pytest.mark.parametrize(
    ("path", "key", "status", "code", "said"),
    [
        ("/nowhere", KEY, 404, "not_found", "but at /events"),
        ("/models/myself/events", KEY, 404, "not_found", "but at /events"),
        ("/events?x=1", KEY, 400, "bad_request", "unknown parameter 'x'"),
        ("/events", "short", 400, "bad_request", "Sec-WebSocket-Key"),
        ("/events", None, 400, "bad_request", "Sec-WebSocket-Key"),
    ],
)
def test_a_refused_handshake(
    servers: Servers, path: str, key: str | None, status: int, code: str, said: str
) -> None:
    """What can't become a websocket is answered in the one shape, with a name that the log has."""
    server = servers.start("--verbose", keeps=False)
    with_key = {} if key is None else {"Sec-WebSocket-Key": key}
    found, headers, body = answer_to(server.port, path, {**UPGRADE, **with_key})
    error = json.loads(body)["error"]
    assert (found, error["code"], headers["content-type"]) == (status, code, "application/json")
    assert said in error["message"]
    server.stop()
    (line,) = [each for each in server.log.splitlines() if headers["x-request-id"] in each]
    assert f"SOCKET {path.partition('?')[0]} {status}" in line
    assert "without completing" not in server.log


def test_a_page_in_place_of_a_websocket(board: httpx.Client) -> None:
    """Who asks for the websocket as for a page is told what it is, and by its headers too."""
    answer = board.get("/events")
    assert (answer.status_code, answer.headers["upgrade"]) == (426, "websocket")
    assert answer.json()["error"]["code"] == "upgrade_required"
    assert answer.headers["x-request-id"]


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_body_that_is_not_taken(board: httpx.Client, sally: str, method: str) -> None:
    """What is sent with the making or the end of a model is refused, for nobody reads it."""
    answer = board.request(method, sally, json={"ttl": 5})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
    assert board.put(sally, json={}).status_code == 200
