"""Calls over HTTP, blocking and asynchronous: the request, its answer, and the meaning of failures.

A question is repeated once if the connection broke before its answer came. A change is never
repeated, since it may have been made.
"""

import json
import re
import ssl
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, TypeVar

import httpx

from kb_server.client.calls.calls import Call
from kb_server.client.calls.errors import (
    Closed,
    ConnectionFailed,
    OutcomeUnknown,
    TimedOut,
    Unreachable,
    refusal,
)
from kb_server.client.calls.values import Reply
from kb_server.errors import BadRequest
from kb_server.wire.requests import REQUESTS, read_request

__all__ = ["AsyncHttp", "Http", "authorization"]

T = TypeVar("T")
_CONNECT: Final = 5.0
_TOKEN: Final = re.compile(r"[!-~]+")
_PORTS: Final = 65_535
_LIMITS: Final = httpx.Limits(
    max_connections=100, max_keepalive_connections=20, keepalive_expiry=4.0
)
"""The server closes connections that are idle for 5 s; the client drops them before, after 4 s."""
_NOT_SENT: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.UnsupportedProtocol,
    httpx.InvalidURL,
)
_encode: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def authorization(token: str | None) -> dict[str, str]:
    """The header with a token; a token never stands in a URL, since URLs are logged.

    BadRequest for a malformed token. The message omits its text, which may still be a secret.
    """
    if token is None:
        return {}
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        raise BadRequest("a token must be visible ASCII characters without spaces", field="token")
    return {"Authorization": f"Bearer {token}"}


class Http:
    """HTTP to a board, from any thread."""

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        self._client: Final = httpx.Client(**_settings(url, token, timeout))

    def ask(self, call: Call[T]) -> T:
        """Sends a call and returns its answer; raises BoardError or ConnectionFailed."""
        request = self._request(call)
        try:
            try:
                response = self._client.send(request)
            except httpx.TransportError as failure:
                _check_retry(call, failure)
                response = self._client.send(self._request(call))
        except (httpx.HTTPError, httpx.InvalidURL) as failure:
            raise _failed(call, failure) from failure
        return call.read(_reply(response))

    def close(self) -> None:
        self._client.close()

    def _request(self, call: Call[T]) -> httpx.Request:
        if self._client.is_closed:
            raise Closed("this board is closed")
        return self._client.build_request(call.method, call.path, **_parts(call))


class AsyncHttp:
    """HTTP to a board, from one event loop."""

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        self._client: Final = httpx.AsyncClient(**_settings(url, token, timeout))

    async def ask(self, call: Call[T]) -> T:
        """Sends a call and returns its answer; raises BoardError or ConnectionFailed."""
        request = self._request(call)
        try:
            try:
                response = await self._client.send(request)
            except httpx.TransportError as failure:
                _check_retry(call, failure)
                response = await self._client.send(self._request(call))
        except (httpx.HTTPError, httpx.InvalidURL) as failure:
            raise _failed(call, failure) from failure
        return call.read(_reply(response))

    async def close(self) -> None:
        await self._client.aclose()

    def _request(self, call: Call[T]) -> httpx.Request:
        if self._client.is_closed:
            raise Closed("this board is closed")
        return self._client.build_request(call.method, call.path, **_parts(call))


def _settings(url: str, token: str | None, timeout: float) -> dict[str, Any]:
    """Settings of both clients; proxies of the environment are ignored."""
    _check(url, timeout)
    return {
        "base_url": url,
        "headers": authorization(token),
        "timeout": httpx.Timeout(timeout, connect=min(_CONNECT, timeout)),
        "limits": _LIMITS,
        "trust_env": False,
        "verify": ssl.create_default_context() if url.startswith("https:") else False,
    }


def _check(url: object, timeout: object) -> None:
    """Checks the address and the timeout; BadRequest if one is invalid."""
    parts = None
    with suppress(httpx.InvalidURL):
        parts = httpx.URL(url) if isinstance(url, str) else None
    is_one = parts is not None and parts.scheme in ("http", "https") and bool(parts.host)
    if parts is None or not is_one or (parts.port or 0) > _PORTS:
        raise BadRequest(f"an address is like http://host:8765, not {url!r:.80}", field="url")
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0:
        message = f"timeout must be a number of seconds above 0, not {timeout!r:.80}"
        raise BadRequest(message, field="timeout")


def _parts(call: Call[Any]) -> dict[str, Any]:
    headers = {"Accept": call.accept}
    parts: dict[str, Any] = {"headers": headers, "params": call.query or None}
    try:
        if call.text is not None:
            headers["Content-Type"] = call.media
            parts["content"] = call.text.encode()
        elif call.body is not None:
            headers["Content-Type"] = "application/json"
            parts["content"] = _encode(call.body).encode()
    except (TypeError, ValueError) as reason:
        raise _unsayable(call, reason) from None
    return parts


def _unsayable(call: Call[Any], reason: Exception) -> BadRequest:
    """The error for a body that JSON can't represent; it names the field as the server would."""
    try:
        if call.op in REQUESTS:
            read_request(REQUESTS[call.op], call.body)
    except BadRequest as named:
        return named
    return BadRequest(f"this can't be written as JSON: {reason}"[:500])


def _check_retry(call: Call[Any], failure: httpx.TransportError) -> None:
    """Raises the failure unless the call may be repeated."""
    if call.changes or isinstance(failure, httpx.TimeoutException | httpx.UnsupportedProtocol):
        raise failure


def _failed(call: Call[Any], failure: Exception) -> ConnectionFailed:
    said = str(failure) or type(failure).__name__
    if isinstance(failure, _NOT_SENT):
        return Unreachable(f"no board answers at this address: {said}")
    if call.changes:
        return OutcomeUnknown(f"the change was sent, but no answer came: {said}")
    if isinstance(failure, httpx.TimeoutException):
        return TimedOut("no answer came in time; ask again or set a longer timeout")
    return ConnectionFailed(f"no answer came: {said}")


def _reply(response: httpx.Response) -> Reply:
    media = response.headers.get("content-type", "")
    says = _json(response) if media.startswith("application/json") else None
    if not response.is_success:
        raise refusal(says if isinstance(says, Mapping) else {"status": response.status_code})
    return Reply(response.status_code, says, media, response.content)


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as reason:
        raise ConnectionFailed(f"the answer is not JSON: {reason}") from reason
