"""The page over HTTP: which files are served, how they are packed and kept, and to whom."""

import asyncio
import http.client
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI, Request, Response

from kb_server.errors import NotFound
from kb_server.service.http import page_routes
from kb_server.service.http.page_routes import FOLDER
from tests.service.servers import Server, started_servers

TOKEN = "robot-robot-robot-robot"
OUT = [
    "/page/../models",
    "/page/../service/gate.py",
    "/page/..%2fservice%2fgate.py",
    "/page/%2e%2e/service/gate.py",
    "/page/%2e%2e%2fservice%2fgate.py",
    "/page/%252e%252e%252fservice%252fgate.py",
    "/page/..%5cservice%5cgate.py",
    "/page/vendor/../../service/gate.py",
    "/page/vendor/..%2f..%2fpy.typed",
    "/page/%2fetc%2fpasswd",
    "/page//etc/passwd",
    "/page/index.html%00.js",
    "/page/index.html/",
    "/page/.",
    "/page/..",
    "/page/",
    "/page/vendor",
    "/page/vendor/",
    "/page/./index.html",
    "/page/nothing.js",
    "/page/%c0%ae%c0%ae/py.typed",
]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that wants tokens."""
    folder = tmp_path_factory.mktemp("page")
    rows = f'[[tokens]]\nname = "robot"\ntoken = "{TOKEN}"\nrole = "admin"\n'
    (folder / "tokens.toml").write_text(rows)
    with started_servers(folder) as servers:
        yield servers.start("--tokens", str(folder / "tokens.toml"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of another page, which the routes serve for this test."""
    monkeypatch.setattr(page_routes, "FOLDER", tmp_path)
    monkeypatch.setattr(page_routes, "_kept", {})
    return tmp_path


def ask(path: str, accepted: str = "") -> httpx.Response:
    """What the routes answer by themselves, without a server."""
    app = FastAPI()
    app.include_router(page_routes.router)
    app.add_exception_handler(NotFound, _missing)

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://board") as client:
            return await client.get(path, headers={"accept-encoding": accepted})

    return asyncio.run(asked())


async def _missing(_request: Request, _error: Exception) -> Response:
    return Response(status_code=404)


def raw(server: Server, path: str) -> tuple[int, bytes]:
    """The answer to a path that is sent as it stands, which a client would straighten first."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        line.putrequest("GET", path, skip_accept_encoding=True)
        line.endheaders()
        answer = line.getresponse()
        return answer.status, answer.read()
    finally:
        line.close()


def test_the_page_is_at_the_root(board: httpx.Client) -> None:
    """`/` and its own name give the same page, which no other site may frame or feed."""
    found = board.get("/")
    assert found.status_code == 200
    assert found.content == (FOLDER / "index.html").read_bytes()
    assert found.headers["content-type"] == "text/html; charset=utf-8"
    assert found.headers["x-content-type-options"] == "nosniff"
    policy = found.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert board.get("/page/index.html").content == found.content


def test_what_is_asked_behind_a_question_mark_is_the_pages(board: httpx.Client) -> None:
    """An address may say what the page is to show; that is read by its scripts alone."""
    assert board.get("/", params={"model": "sally", "at": "17"}).status_code == 200


def test_every_file_of_the_page_is_served(board: httpx.Client) -> None:
    """Each file of the folder comes as it is, under a media type of its own."""
    names = [path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()]
    assert "index.html" in names
    for name in names:
        found = board.get(f"/page/{name}")
        assert found.status_code == 200, name
        assert found.content == (FOLDER / name).read_bytes(), name
        media = {"js": "text/javascript", "css": "text/css", "html": "text/html"}
        wanted = media.get(name.rpartition(".")[2], "")
        assert found.headers["content-type"].startswith(wanted), name


def test_only_the_head_is_sent_when_asked(board: httpx.Client) -> None:
    """HEAD answers as GET would, without a body; another method is refused by name."""
    found = board.head("/")
    assert (found.status_code, found.content) == (200, b"")
    assert int(found.headers["content-length"]) > 0
    refused = board.post("/")
    assert refused.status_code == 405
    assert refused.headers["allow"] == "GET, HEAD, OPTIONS"


def test_a_file_that_is_known_is_not_sent_again(board: httpx.Client) -> None:
    """Who has a file is told that it is the same, by its mark among others, weak, or a star."""
    mark = board.get("/").headers["etag"]
    for known in (mark, f'"other", W/{mark}', "*"):
        again = board.get("/", headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b""), known
        assert again.headers["etag"] == mark
    assert board.get("/", headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        ("gzip", True),
        ("br, gzip;q=0.5", True),
        ("*", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
    ],
)
def test_a_file_is_packed_for_who_takes_it(folder: Path, accepted: str, is_packed: bool) -> None:
    """Text goes out packed to those who can unpack it, under a mark of its own, and else plain."""
    text = "export const much = 1;\n" * 100
    (folder / "much.js").write_text(text)
    found = ask("/page/much.js", accepted)
    assert found.text == text
    assert ("content-encoding" in found.headers) is is_packed
    assert found.headers["etag"].endswith('-gz"') is is_packed
    assert found.headers["vary"] == "accept-encoding"


def test_what_packing_makes_no_shorter_is_sent_as_it_is(folder: Path) -> None:
    """A picture, say, which is packed already."""
    (folder / "dot.png").write_bytes(b"\x89PNG")
    found = ask("/page/dot.png", "gzip")
    assert found.content == b"\x89PNG"
    assert found.headers["content-type"] == "image/png"
    assert "content-encoding" not in found.headers


def test_a_file_that_changes_is_read_again(folder: Path) -> None:
    """Who works on the page sees what he wrote, and its mark is another."""
    (folder / "one.js").write_text("1")
    before = ask("/page/one.js")
    (folder / "one.js").write_text("2 and more")
    after = ask("/page/one.js")
    assert (before.text, after.text) == ("1", "2 and more")
    assert before.headers["etag"] != after.headers["etag"]


def test_a_file_of_another_kind_is_none_of_the_page(folder: Path) -> None:
    """Only what a page is made of is served, and nothing hidden or deeper."""
    (folder / "vendor" / "deep").mkdir(parents=True)
    for name in ("secret.py", ".hidden.js", "vendor/deep/some.js"):
        (folder / name).write_text("1")
        assert ask(f"/page/{name}").status_code == 404, name
    (folder / "vendor" / "some.js").write_text("1")
    assert ask("/page/vendor/some.js").status_code == 200


@pytest.mark.parametrize("path", OUT)
def test_no_path_leads_out(shared: Server, path: str) -> None:
    """However it is spelt, what is no file of the page is not there."""
    status, body = raw(shared, path)
    assert status == 404
    assert b'"not_found"' in body


def test_the_page_needs_no_token_and_all_else_does(guarded: Server) -> None:
    """The files hold no knowledge, so they are open; what they would show is not."""
    assert httpx.get(f"{guarded.url}/").status_code == 200
    assert httpx.get(f"{guarded.url}/page/index.html").status_code == 200
    assert httpx.get(f"{guarded.url}/page/nothing.js").status_code == 404
    for path in ("/models", "/stage", "/pages", "/page", "//", "/openapi.json", "/./health"):
        assert raw(guarded, path)[0] == 401, path


def test_the_pages_own_scripts_are_let_in(guarded: Server) -> None:
    """What its own page asks bears its address as Origin, and passes; another site's does not."""
    token = {"authorization": f"Bearer {TOKEN}"}
    for origin, status in ((guarded.url, 200), ("http://evil.example", 403), ("null", 403)):
        headers = {**token, "origin": origin}
        assert httpx.get(f"{guarded.url}/models", headers=headers).status_code == status, origin
        page = httpx.get(f"{guarded.url}/page/index.html", headers={"origin": origin})
        assert page.status_code == status, origin
