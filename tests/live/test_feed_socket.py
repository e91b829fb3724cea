"""The websocket for frames: who is let in, what is answered, and what happens under load."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from spatial_reasoner.errors import SettingError
from spatial_reasoner.percepts.access import (
    AccessRefused,
    FrameAccess,
    Keys,
    is_loopback,
    read_keys,
)
from spatial_reasoner.percepts.feed import Feed
from spatial_reasoner.percepts.feed_socket import FrameSocket
from spatial_reasoner.scene.scene import Scene
from tests.live.rooms import line, said

TOKEN = "of-the-camera-0123456789"


@asynccontextmanager
async def listening(
    scene: Scene, gate: FrameAccess | None = None, most: int = 16
) -> AsyncIterator[Any]:
    """A feed, and the address at which it listens."""
    feed, door = Feed(scene, most), FrameSocket("127.0.0.1", 0, gate or FrameAccess())
    task = asyncio.create_task(door.run(feed))
    try:
        yield feed, door.url
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def answer(connection: ClientConnection) -> Any:
    return json.loads(await asyncio.wait_for(connection.recv(), 20))


async def refusal(url: str, headers: Mapping[str, str] | None = None, **more: Any) -> Any:
    """The status and the error that a handshake is refused with."""
    with pytest.raises(InvalidStatus) as refused:
        async with connect(url, additional_headers=headers, proxy=None, **more):
            raise AssertionError("let in")
    response = refused.value.response
    assert response.headers["Content-Type"] == "application/json"
    return response.status_code, json.loads(response.body)["error"]


def test_a_frame_goes_into_the_feed_and_is_answered_when_it_is_taken(scene: Scene) -> None:
    """A frame with an id is answered once, when it was taken; one without is not answered."""

    async def main() -> None:
        async with listening(scene) as (feed, url), connect(url, proxy=None) as camera:
            await camera.send(line(0.0, "ball"))
            await camera.send(json.dumps({"id": 7, **said(0.1, "mug")}))
            await camera.send(json.dumps({"id": "b", **said(0.2)}))
            first, second = await feed.take(), await feed.take()
            assert list(first.frame.objects) == ["ball"]
            assert (second.frame.t, list(second.frame.objects)) == (0.1, ["mug"])
            first.report()
            second.report()
            assert await answer(camera) == {"id": 7, "ok": True}
            (await feed.take()).report()
            assert await answer(camera) == {"id": "b", "ok": True}

    asyncio.run(main())


def test_the_answer_to_a_frame_that_is_late_says_by_how_much(scene: Scene) -> None:
    """Who is behind the newest time is told so, frame by frame, and is taken all the same."""

    async def main() -> None:
        async with listening(scene) as (feed, url), connect(url, proxy=None) as camera:
            await camera.send(json.dumps({"id": 7, **said(0.1, "mug")}))
            (await feed.take()).report(late=12.3)
            assert await answer(camera) == {"id": 7, "ok": True, "late": 12.3}

    asyncio.run(main())


@pytest.mark.parametrize(
    ("sent", "id", "where"),
    [
        (json.dumps({"id": 1, **said(0.0, "ball"), "t": None}), 1, "t"),
        (json.dumps({"id": "x", **said(0.0, "ball"), "objects": {"bal": []}}), "x", "objects.bal"),
        ('{"t": 0}', None, "source"),
        ("[]", None, ""),
        ("{", None, ""),
        (b"{}", None, ""),
        (json.dumps({"id": [1], **said(0.0)}), None, "id"),
        (json.dumps({"id": "i" * 300, **said(0.0)}), None, "id"),
    ],
)
def test_what_is_wrong_is_told_and_the_socket_lives_on(
    scene: Scene, sent: str | bytes, id: object, where: str
) -> None:
    """An error names the field under the frame's id, or under null, and the next frame is taken."""

    async def main() -> None:
        async with listening(scene) as (feed, url), connect(url, proxy=None) as camera:
            await camera.send(sent)
            found = await answer(camera)
            assert found.keys() == {"id", "error"}
            assert found["id"] == id
            assert found["error"]["code"] == "bad_frame"
            assert found["error"]["detail"]["where"] == where
            await camera.send(line(1.0))
            assert (await feed.take()).frame.t == 1.0

    asyncio.run(main())


def test_under_load_the_newest_frame_of_a_source_is_kept(scene: Scene) -> None:
    """Frames that nobody takes in time are answered as busy, all but the newest."""

    async def main() -> None:
        async with listening(scene, most=2) as (feed, url), connect(url, proxy=None) as camera:
            for number in range(40):
                await camera.send(json.dumps({"id": number, **said(float(number))}))
            codes: dict[int, str] = {}
            while len(codes) < 38:
                found = await answer(camera)
                codes[found["id"]] = found["error"]["code"]
            assert set(codes.values()) == {"busy"}
            newest = 0.0
            while newest < 39.0:
                waiting = await feed.take()
                assert waiting.frame.t > newest
                newest = waiting.frame.t
                waiting.report()
                found = await answer(camera)
                assert found == {"id": int(newest), "ok": True}

    asyncio.run(main())


def test_who_does_not_read_the_answers_is_not_read(scene: Scene) -> None:
    """What waits to be told to one who never reads is bounded: more of its frames are not read."""

    async def main() -> None:
        async with (
            listening(scene) as (_, url),
            connect(url, sock=narrow(url), max_queue=1) as deaf,
        ):
            wrong = json.dumps({"id": "i" * 200, "t": 0, "source": "x" * 200})
            assert 0 < await sent_until_held_up(deaf, wrong, 100_000) < 100_000
            deaf.transport.abort()

    asyncio.run(main())


def narrow(url: str) -> socket.socket:
    """A connection in which little is on its way."""
    made = socket.socket()
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        made.setsockopt(socket.SOL_SOCKET, option, 4096)
    address = urlsplit(url)
    made.connect((address.hostname, address.port))
    return made


async def sent_until_held_up(connection: ClientConnection, text: str, most: int) -> int:
    """How often a message could be sent before the other side held it up for half a second."""
    for number in range(most):
        try:
            await asyncio.wait_for(connection.send(text), 0.5)
        except TimeoutError:
            return number
    return most


def test_a_frame_beyond_the_bound_ends_the_connection(scene: Scene) -> None:
    """A message that is larger than a frame may be ends the connection with 1009."""

    async def main() -> None:
        async with listening(scene) as (_, url), connect(url, proxy=None) as camera:
            await camera.send(" " * 2**21)
            with pytest.raises(ConnectionClosed) as closed:
                await camera.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009

    asyncio.run(main())


def test_without_tokens_pages_and_other_names_are_refused(scene: Scene) -> None:
    """No page of another site may bring frames, nor who calls this machine by a strange name."""

    async def main() -> None:
        async with listening(scene) as (_, url):
            status, error = await refusal(url, origin="http://evil.example")
            assert (status, error["code"]) == (403, "forbidden")
            lured = url.replace("127.0.0.1", "evil.example")
            status, error = await refusal(lured, host="127.0.0.1")
            assert (status, error["code"]) == (403, "forbidden")
            status, error = await refusal(url, {"Host": "evil.example"})
            assert (status, error["code"]) == (400, "bad_request")
            status, error = await refusal(url.replace("frames", "elsewhere"))
            assert (status, error["code"]) == (404, "not_found")
            own: Any = url.replace("ws", "http").removesuffix("/frames")
            async with connect(url, origin=own, proxy=None):
                pass

    asyncio.run(main())


def test_a_plain_request_is_told_what_is_taken_here(scene: Scene) -> None:
    """Plain HTTP is answered with the one error body, too."""

    async def main() -> None:
        async with listening(scene) as (_, url):
            port = int(url.rpartition(":")[2].partition("/")[0])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /frames HTTP/1.1\r\nHost: localhost\r\n\r\n")
            told = await reader.read()
            assert told.startswith(b"HTTP/1.1 426 ")
            assert b'"code": "bad_request"' in told
            writer.close()
            await writer.wait_closed()

    asyncio.run(main())


def test_tokens_are_asked_for(scene: Scene) -> None:
    """With keys a token is needed, in the header or in the subprotocol as the board takes it."""

    async def main() -> None:
        async with listening(scene, FrameAccess(Keys.of(TOKEN))) as (_, url):
            for headers in (None, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}):
                status, error = await refusal(url, headers)
                assert (status, error["code"]) == (401, "unauthorized")
            async with connect(
                url, additional_headers={"Authorization": f"Bearer {TOKEN}"}, proxy=None
            ):
                pass
            protocols: Any = ["mindboard", f"bearer.{TOKEN}"]
            async with connect(url, subprotocols=protocols, proxy=None) as camera:
                assert camera.subprotocol == "mindboard"

    asyncio.run(main())


def test_too_many_connections_are_refused(scene: Scene) -> None:
    """Past the bound one is told how many are there, and who leaves makes room."""

    async def main() -> None:
        async with listening(scene) as (_, url):
            there = [await connect(url, proxy=None) for _ in range(64)]
            status, error = await refusal(url)
            assert (status, error["code"]) == (503, "busy")
            await there.pop().close()
            async with connect(url, proxy=None):
                pass
            for each in there:
                await each.close()

    asyncio.run(main())


def test_an_address_that_is_taken_is_an_error() -> None:
    """Who wants an address that another one listens on is told so at once."""
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(OSError, match="in use"):
        FrameSocket("127.0.0.1", other.getsockname()[1], FrameAccess())


def test_the_file_of_tokens_is_that_of_the_board(tmp_path: Path) -> None:
    """Of the board's tokens those may bring frames that may write in the robot's own model."""
    file = tmp_path / "tokens.toml"
    rows = [
        ("reader", "read", None),
        ("writer", "write", None),
        ("boss", "admin", None),
        ("guest", "write", ["sally"]),
        ("eyes", "write", ["myself", "sally"]),
    ]
    file.write_text("\n".join(row(*each) for each in rows))
    keys = read_keys(file)
    for name in ("writer", "boss", "eyes"):
        keys.check(f"token-of-{name}-0123456789")
    gate = FrameAccess(keys)
    for name, status in (("reader", 403), ("guest", 403), ("nobody", 401)):
        headers = {
            "host": ["127.0.0.1:1"],
            "authorization": [f"Bearer token-of-{name}-0123456789"],
        }
        with pytest.raises(AccessRefused, match="token") as refused:
            gate.check(headers)
        assert refused.value.status == status


def row(name: str, role: str, models: list[str] | None) -> str:
    reach = f"models = {json.dumps(models)}\n" if models else ""
    return (
        f'[[tokens]]\nname = "{name}"\ntoken = "token-of-{name}-0123456789"\nrole = "{role}"\n'
        f"{reach}"
    )


@pytest.mark.parametrize(
    "text",
    [
        "[[tokens]]\nname = 1\n",
        "tokens = 3",
        "x",
        "[[tokens]]\n",
        '[[tokens]]\nname = "x"\ntoken = ""\nrole = "write"',
    ],
)
def test_a_file_of_tokens_that_is_wrong_is_an_error(tmp_path: Path, text: str) -> None:
    """A file that has no tokens as the board has them is refused."""
    file = tmp_path / "tokens.toml"
    file.write_text(text)
    with pytest.raises(SettingError, match=r"tokens\.toml"):
        read_keys(file)


def test_this_machine_alone() -> None:
    """An address is this machine's alone, or not."""
    assert is_loopback("127.0.0.1")
    assert is_loopback("localhost")
    assert is_loopback("::1")
    assert not is_loopback("0.0.0.0")
    assert not is_loopback("robot.example")
