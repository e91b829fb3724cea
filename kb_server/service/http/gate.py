"""The gate: the checks that every request passes before its route, and its log line.

1. Host and Origin are checked, so that no web page can act on behalf of its reader.
2. The token is read.
3. The body is read, with limits in bytes and seconds.
4. Errors become the one error body.
5. One line is logged. It has the raw path without the query, which may contain a ticket.

HEAD is treated as GET; the server omits the body.
"""

import asyncio
import json
import logging
import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kb_server.errors import (
    BadRequest,
    BoardError,
    Busy,
    Forbidden,
    Internal,
    Stopping,
    TooLarge,
    TooSlow,
    Unauthorized,
)
from kb_server.service.access import ANYBODY, Access, Tokens
from kb_server.service.settings import ServiceSettings
from kb_server.wire.errors import error_body

__all__ = [
    "ACCESS",
    "PROTOCOL",
    "TICKET",
    "RequestGate",
    "Tickets",
    "answer_of",
    "log_line",
    "new_id",
    "refusing",
]

ACCESS: Final = "mindboard.access"
"""The key of the sender's access rights in the scope."""
PROTOCOL: Final = "mindboard"
"""The websocket subprotocol; a browser, which can't set headers, adds `bearer.TOKEN` to it."""

TICKET: Final = "ticket"
"""The query parameter that carries a ticket."""

_log: Final = logging.getLogger("mindboard.requests")
_LOCAL: Final = frozenset(("localhost", "127.0.0.1", "::1"))
_ANY: Final = frozenset(("0.0.0.0", "::"))
_OPEN: Final = frozenset(("/", "/health"))
_OPEN_BELOW: Final = "/page/"
"""The page's files contain no facts; the page requests those with a token, as all clients do."""
_ISSUE: Final = "/ticket"
_BEARER: Final = "bearer."
_TICKET_SECONDS: Final = 30.0
_MOST_TICKETS: Final = 10_000


def answer_of(error: BoardError) -> tuple[int, bytes]:
    """The status and the body of an error."""
    body = error_body(error.code, error.message, error.detail)
    return error.status, json.dumps(body, ensure_ascii=False).encode()


def refusing(error: BoardError) -> ASGIApp:
    """An application that answers every request with an error, as the gate would."""

    async def refused(scope: Scope, _receive: Receive, send: Send) -> None:
        visit = _Visit(scope, send)
        await visit.refuse(error)
        visit.log()

    return refused


def new_id() -> str:
    """A new id of a request, for the log."""
    return secrets.token_hex(4)


def log_line(method: str, asked: str, status: int, took: float, id: str) -> None:
    """Logs the line of one request; `took` is in seconds."""
    level = logging.WARNING if status >= 500 else logging.DEBUG
    _log.log(level, "%s %s %s %.1f ms %s", method, asked, status, took * 1000, id)


class Tickets:
    """One-use passes for a browser's SSE, which can send neither a header nor a subprotocol."""

    def __init__(self) -> None:
        self._open: Final[dict[str, tuple[float, Access]]] = {}

    def issue(self, access: Access) -> str:
        """A new ticket, valid once and for 30 s."""
        now = time.monotonic()
        for ticket in [t for t, (end, _) in self._open.items() if end < now]:
            del self._open[ticket]
        if len(self._open) >= _MOST_TICKETS:
            raise BadRequest("too many tickets are open; each ends after 30 s")
        ticket = secrets.token_urlsafe(24)
        self._open[ticket] = (now + _TICKET_SECONDS, access)
        return ticket

    def redeem(self, ticket: str) -> Access:
        end, access = self._open.pop(ticket, (0.0, ANYBODY))
        if end < time.monotonic():
            raise Unauthorized("this ticket is used, too old or unknown; get a new one")
        return access


class RequestGate:
    """Middleware around the whole service; `hosts` are the host names it answers to (None: all).

    If `hosts` contains the address that stands for all addresses, every numeric address is
    accepted, since an attack by DNS rebinding needs a name.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: ServiceSettings | None = None,
        tokens: Tokens | None = None,
        hosts: Sequence[str] | None = (),
        tickets: Tickets | None = None,
        answered: Counter[int] | None = None,
    ) -> None:
        self._app: Final = app
        self._settings: Final = settings or ServiceSettings()
        self._tokens: Final = tokens
        self._hosts: Final = None if hosts is None else _LOCAL | {name.lower() for name in hosts}
        self._tickets: Final = tickets or Tickets()
        self._answered: Final[Counter[int]] = Counter() if answered is None else answered
        self._inside = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        visit = _Visit(scope, send)
        self._inside += 1
        try:
            headers = _headers(scope)
            self._check_host(headers)
            _check_origin(headers)
            access = self._access(scope, headers)
            self._check_room()
            if scope["type"] == "http":
                receive = await self._body(receive, headers)
            method = "GET" if scope.get("method") == "HEAD" else scope.get("method")
            await self._app({**scope, ACCESS: access, "method": method}, receive, visit.send)
        except BoardError as error:
            await visit.refuse(error)
        except asyncio.CancelledError:  # raised only when the time to finish is over
            await visit.refuse(Stopping("the board is shutting down"))
        except Exception:
            _log.exception("request %s failed", visit.id)
            await visit.refuse(
                Internal("this is a bug of the board; its log has the details", request=visit.id)
            )
        finally:
            self._inside -= 1
            self._answered[visit.status] += 1
            visit.log()

    def _check_room(self) -> None:
        most = self._settings.connections
        if self._inside > most:
            raise Busy(f"{most} requests and sockets are open; no more fit", reason="connections")

    async def _body(self, receive: Receive, headers: Mapping[str, str]) -> Receive:
        seconds = self._settings.body_seconds
        try:
            async with asyncio.timeout(seconds):
                return await _whole(receive, headers, self._settings.body_bytes)
        except TimeoutError:
            raise TooSlow(f"the body did not arrive within {seconds:g} s") from None

    def _check_host(self, headers: Mapping[str, str]) -> None:
        name = _name_of(headers.get("host", ""))
        if self._hosts is None or name in self._hosts:
            return
        if self._hosts.isdisjoint(_ANY) or not _is_number(name):
            raise Forbidden(f"this board does not answer to the name {name[:80]!r}", host=name[:80])

    def _access(self, scope: Scope, headers: Mapping[str, str]) -> Access:
        if self._tokens is None or _is_open(scope["path"]):
            return ANYBODY
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return self._tokens.access(token.strip())
        for protocol in headers.get("sec-websocket-protocol", "").split(","):
            if protocol.strip().startswith(_BEARER):
                return self._tokens.access(protocol.strip().removeprefix(_BEARER))
        tickets = parse_qs(scope["query_string"].decode("latin-1")).get(TICKET)
        if tickets and scope["path"] != _ISSUE:  # otherwise a ticket could be renewed for ever
            return self._tickets.redeem(tickets[0])
        raise Unauthorized("a token is needed: Authorization: Bearer TOKEN")


class _Visit:
    """One request: its id, its status and its duration, for the log and for errors."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.id: Final = new_id()
        self._scope: Final = scope
        self._send: Final = send
        self._start: Final = time.perf_counter()
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            self.status = message["status"]
            if self.status >= 400:
                name = (b"x-request-id", self.id.encode())
                message = {**message, "headers": [*message.get("headers", ()), name]}
        elif message["type"] == "websocket.accept":
            self.status = 101
        await self._send(message)

    async def refuse(self, error: BoardError) -> None:
        """Answers with an error, unless an answer has begun, which the server then cuts off."""
        if self.status:
            return
        status, body = answer_of(error)
        kind = "http.response"
        if self._scope["type"] == "websocket":
            if "websocket.http.response" not in self._scope.get("extensions", {}):
                await self._send({"type": "websocket.close", "code": 1008, "reason": error.code})
                return
            kind = "websocket.http.response"
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        if status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        await self.send({"type": f"{kind}.start", "status": status, "headers": headers})
        await self.send({"type": f"{kind}.body", "body": body})

    def log(self) -> None:
        took = time.perf_counter() - self._start
        asked = self._scope["path"][:200].encode("unicode_escape").decode()
        log_line(self._scope.get("method", "SOCKET"), asked, self.status, took, self.id)


def _check_origin(headers: Mapping[str, str]) -> None:
    """Refuses requests from pages of other sites; programs send no Origin."""
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != headers.get("host"):
        raise Forbidden("pages of other sites may not use this board", origin=origin[:200])


def _is_open(path: str) -> bool:
    """Whether a path needs no token."""
    return path in _OPEN or path.startswith(_OPEN_BELOW)


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _headers(scope: Scope) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        text = value.decode("latin-1")
        found[key] = f"{found[key]},{text}" if key in found else text
    return found


def _name_of(host: str) -> str:
    """The name in a Host header, without the port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


async def _whole(receive: Receive, headers: Mapping[str, str], most: int) -> Receive:
    """Reads the body, which is then received at once; TooLarge as soon as its size is known."""
    said = headers.get("content-length", "0")
    if said.isdigit() and int(said) > most:
        raise TooLarge(f"a body has at most {most} bytes, not {said[:20]}", allowed=most)
    if said == "0" and "transfer-encoding" not in headers:
        return receive
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return _once(message, receive)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise TooLarge(f"a body has at most {most} bytes", allowed=most)
        if not message.get("more_body", False):
            return _once({"type": "http.request", "body": b"".join(parts)}, receive)


def _once(first: Message, rest: Receive) -> Receive:
    """Receives one message, then the rest."""
    waiting = [first]

    async def receive() -> Message:
        return waiting.pop() if waiting else await rest()

    return receive
