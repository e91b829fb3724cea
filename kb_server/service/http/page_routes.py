"""The live page: the files of the package folder `kb_server/page`, at `/` and `/page/…`.

Every client may read them, since they contain no facts: the page requests those as all clients
do, with a token where one is needed. No path leads out of the folder, since a file name is matched
against a pattern of plain names.

The road not taken: Starlette's StaticFiles behind its GZipMiddleware, which would compress a
megabyte of script in the event loop at each visit, while all robots wait. Here each file is read
and compressed once, in a thread, and cached while it is unchanged on the disk.
"""

import asyncio
import gzip
import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response

from kb_server.errors import NotFound

__all__ = ["FOLDER", "router"]

FOLDER: Final = Path(__file__).resolve().parents[2] / "page"

router: Final = APIRouter(include_in_schema=False)

_INDEX: Final = "index.html"
_NAME: Final = re.compile(r"(?:vendor/)?[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", re.ASCII)
_UTF8: Final = "; charset=utf-8"
_MEDIA: Final[Mapping[str, str]] = {
    "": f"text/plain{_UTF8}",
    ".css": f"text/css{_UTF8}",
    ".html": f"text/html{_UTF8}",
    ".js": f"text/javascript{_UTF8}",
    ".json": "application/json",
    ".md": f"text/plain{_UTF8}",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
"""The served file types, by suffix; no others are served."""
_PACKED: Final = "gzip"
_POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "style-src 'self'",
        "connect-src 'self' ws: wss:",
        "frame-ancestors 'none'",
    )
)
_HEADERS: Final[Mapping[str, str]] = {
    "cache-control": "no-cache",  # cached, but checked at each visit
    "content-security-policy": _POLICY,
    "referrer-policy": "no-referrer",
    "vary": "accept-encoding",
    "x-content-type-options": "nosniff",
}

_State = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it is sent; `packed` is None if compression does not shorten it."""

    media: str
    plain: bytes
    packed: bytes | None
    mark: str

    def answer(self, accepted: str, known: str) -> Response:
        """The file in an accepted coding, or 304 if the browser has it already."""
        packed = self.packed if _takes_packed(accepted) else None
        headers = {**_HEADERS, "etag": f'"{self.mark}{"" if packed is None else "-gz"}"'}
        if _is_among(headers["etag"], known):
            return Response(status_code=304, headers=headers)
        if packed is not None:
            headers["content-encoding"] = _PACKED
        return Response(packed or self.plain, headers=headers, media_type=self.media)


_kept: Final[dict[str, tuple[_State, _File]]] = {}
"""The cached files, each with its state on the disk when it was read."""


@router.get("/")
async def index(request: Request) -> Response:
    """The page; its scripts read the query string."""
    return await _answer(request, _INDEX)


@router.get("/page/{name:path}")
async def asset(request: Request, name: str) -> Response:
    """One file of the page."""
    return await _answer(request, name)


async def _answer(request: Request, name: str) -> Response:
    found = await _file(name)
    if found is None:
        raise NotFound(f"there is nothing at {request.url.path[:200]}")
    headers = request.headers
    return found.answer(headers.get("accept-encoding", ""), headers.get("if-none-match", ""))


async def _file(name: str) -> _File | None:
    """The file with a name, as it is on the disk; None if there is none to serve."""
    if _NAME.fullmatch(name) is None or Path(name).suffix not in _MEDIA:
        return None
    path = FOLDER / name
    state = _state(path)
    if state is None:
        return None
    known = _kept.get(name)
    if known is None or known[0] != state:
        known = (state, await asyncio.to_thread(_read, path))
        _kept[name] = known
    return known[1]


def _state(path: Path) -> _State | None:
    """Time, size and inode, which change with the file; None if it is no file."""
    if not path.is_file():
        return None
    found = os.stat(path)
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _read(path: Path) -> _File:
    plain = path.read_bytes()
    packed = gzip.compress(plain, mtime=0)
    mark = hashlib.sha256(plain).hexdigest()[:24]
    return _File(_MEDIA[path.suffix], plain, packed if len(packed) < len(plain) else None, mark)


def _takes_packed(accepted: str) -> bool:
    """Whether Accept-Encoding allows gzip, by name or by a star, with a weight above 0."""
    weights: dict[str, str] = {}
    for each in accepted.lower().split(","):
        coding, _, weight = each.partition(";")
        weights[coding.strip()] = weight.replace(" ", "").removeprefix("q=")
    weight = weights.get(_PACKED, weights.get("*", "0"))
    return weight.strip("0.") != "" or weight == ""


def _is_among(mark: str, known: str) -> bool:
    """Whether If-None-Match names this ETag; weak ones match too (RFC 9110, 13.1.2)."""
    marks = {each.strip().removeprefix("W/") for each in known.split(",")}
    return mark in marks or "*" in marks
