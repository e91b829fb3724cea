"""Decides who may send frames, by host name, origin and token.

The rules and the file of tokens are the same as at the board. Percepts change what the robot itself
believes, so a token needs the right to write in the model `myself`. Without tokens only this
machine may send frames. Pages of other sites are refused in any case: a browser would send their
frames in its user's name.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from kb_server import BoardError
from kb_server.tokens import TokenRow, read_token_file
from ontology import vocabulary as v
from spatial_reasoner.errors import SettingError, SpatialError

__all__ = ["PROTOCOL", "AccessRefused", "FrameAccess", "Keys", "is_loopback", "read_keys"]

PROTOCOL: Final = "mindboard"
"""The subprotocol. A browser can't set headers, so it adds `bearer.TOKEN` to it."""
_BEARER: Final = "bearer."
_LOCAL: Final = frozenset(("localhost", "127.0.0.1", "::1"))
_ANY: Final = frozenset(("0.0.0.0", "::"))
_MAY_BRING: Final = frozenset(("write", "admin"))


class AccessRefused(SpatialError):
    """A request is refused; `status` is the HTTP status."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status: Final = status
        self.code = code


@dataclass(frozen=True, slots=True)
class Keys:
    """Hashes of tokens, and whether each may send frames. The tokens themselves are not stored."""

    by_hash: Mapping[bytes, bool] = field(repr=False)

    @classmethod
    def of(cls, *tokens: str) -> "Keys":
        """Keys of tokens that may all send frames."""
        return cls({_hash(token): True for token in tokens})

    def check(self, token: str) -> None:
        """Raises AccessRefused unless the token is known and may send frames."""
        hashed = _hash(token)
        found = [may for known, may in self.by_hash.items() if hmac.compare_digest(known, hashed)]
        if not found:
            raise AccessRefused(401, "unauthorized", "this token is not known here")
        if not found[0]:
            raise AccessRefused(
                403, "forbidden", "this token may not change what the robot believes"
            )


def read_keys(path: Path) -> Keys:
    """Reads the tokens of a file in the format of `mindboard serve --tokens`."""
    try:
        return Keys({_hash(row.token): _may_bring(row) for row in read_token_file(path)})
    except BoardError as refusal:
        raise SettingError(refusal.message) from None


class FrameAccess:
    """Admits requests or raises AccessRefused; `hosts` are its names besides the local ones."""

    def __init__(self, keys: Keys | None = None, hosts: Iterable[str] = ()) -> None:
        self._keys: Final = keys
        self._hosts: Final = _LOCAL | {host.lower() for host in hosts}

    def check(self, headers: Mapping[str, Collection[str]]) -> None:
        """Raises AccessRefused unless a request with these headers (in lower case) is admitted."""
        host = _only(headers, "host")
        self._check_host(host)
        origin = _only(headers, "origin")
        if origin and origin.partition("://")[2] != host:
            raise AccessRefused(403, "forbidden", "pages of other sites may not send frames")
        if self._keys is not None:
            self._keys.check(_token(headers))

    def _check_host(self, host: str) -> None:
        name = _name_of(host)
        is_number = not self._hosts.isdisjoint(_ANY) and _is_number(name)
        if name not in self._hosts and not is_number:
            raise AccessRefused(
                403, "forbidden", f"{name[:80]!r} is not a host name of this server"
            )


def is_loopback(host: str) -> bool:
    """Whether an address is reachable only from this machine."""
    return ip_address(host).is_loopback if _is_number(host) else host == "localhost"


def _may_bring(row: TokenRow) -> bool:
    reaches = row.models is None or v.MYSELF in row.models
    return row.role in _MAY_BRING and reaches


def _token(headers: Mapping[str, Collection[str]]) -> str:
    kind, _, token = _only(headers, "authorization").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    for offered in headers.get("sec-websocket-protocol", ()):
        for protocol in offered.split(","):
            if protocol.strip().startswith(_BEARER):
                return protocol.strip().removeprefix(_BEARER)
    raise AccessRefused(401, "unauthorized", "a token is needed: Authorization: Bearer TOKEN")


def _only(headers: Mapping[str, Collection[str]], name: str) -> str:
    """The value of a header; raises AccessRefused if the header is repeated.

    Of two values, the check might read one and the server the other.
    """
    values = [*headers.get(name, ())]
    if len(values) > 1:
        raise AccessRefused(400, "bad_request", f"the header {name} occurs more than once")
    return values[0] if values else ""


def _name_of(host: str) -> str:
    """The name in a Host header, without the port."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return name.lower()


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
