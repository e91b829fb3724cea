"""The stage on sockets: who attends is told, who is lost takes what it showed with it."""

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from kb_server.errors import TooLarge
from tests.service.servers import Server, started_servers
from tests.sockets.desks import Clock, Visit, desk_of
from tests.sockets.lines import Line, line_to

TOKENS = """
[[tokens]]
name = "boss"
token = "boss-boss-boss-boss"
role = "admin"

[[tokens]]
name = "eye"
token = "read-read-read-read"
role = "read"
models = ["sally"]

[[tokens]]
name = "hand"
token = "hand-hand-hand-hand"
role = "write"
models = ["sally"]
"""
SETTINGS = "[service]\nwill_seconds = 0.3\nstage_bytes = 300000\nstage_names = 10\n"
MESH = {"vertices": [[i / 7, 0.1, -0.2] for i in range(4_000)]}


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with tokens and a small stage, which soon misses who is gone."""
    folder = tmp_path_factory.mktemp("hasty")
    (folder / "settings.toml").write_text(SETTINGS)
    (folder / "tokens.toml").write_text(TOKENS)
    files = ("--tokens", str(folder / "tokens.toml"), "--settings", str(folder / "settings.toml"))
    with started_servers(folder) as servers:
        yield servers.start("--no-dl", *files)


@pytest.fixture
def watcher(hasty: Server) -> Iterator[Line]:
    """One who attends, and has heard of what there was."""
    with line_to(hasty.events_url, **bearer("boss")) as line:
        line.do("attend")
        assert line.event()["event"] == "models"
        line.told()
        yield line


def bearer(name: str) -> dict[str, Any]:
    token = {"boss": "boss", "eye": "read", "hand": "hand"}[name]
    return {"additional_headers": {"Authorization": "Bearer " + "-".join([token] * 4)}}


def shown(server: Server, source: str) -> Any:
    options = {"params": {"source": source}, "headers": bearer("boss")["additional_headers"]}
    return httpx.get(f"{server.url}/stage", **options).json()["stage"]


def staged(source: str, **shows: Any) -> dict[str, Any]:
    return {"event": "stage", "source": source, "shows": shows}


def test_who_attends_is_told_all_and_then_what_changes(hasty: Server, watcher: Line) -> None:
    """What is shown comes at once, then each change as it is made; and it can be asked for."""
    with line_to(hasty.events_url, **bearer("boss")) as robot:
        robot.do("stage", source="told", shows={"ball": {"n": 1}, "cup": {"n": 2}})
        assert watcher.event() == staged("told", ball={"n": 1}, cup={"n": 2})
        assert shown(hasty, "told") == {"told": {"ball": {"n": 1}, "cup": {"n": 2}}}
        with line_to(hasty.events_url, **bearer("boss")) as late:
            assert late.do("attend").keys() == {"id", "ok"}
            assert late.event()["event"] == "models"
            assert late.event() == staged("told", ball={"n": 1}, cup={"n": 2})
        robot.do("stage", source="told", shows={"ball": None, "cup": {"n": 3}, "none": None})
        assert watcher.event() == staged("told", ball=None, cup={"n": 3}, none=None)
        robot.do("stage", source="told", shows={})
        assert watcher.is_silent()
        watcher.do("unattend")
        assert watcher.refused("unattend") == "bad_request"
        robot.do("stage", source="told", shows={"cup": None})
        assert watcher.is_silent()


def test_what_a_lost_source_showed_is_withdrawn(hasty: Server, watcher: Line) -> None:
    """So are the poses it published, as they were at its last time; no others, and no facts."""
    poses = {name: {"pose": [1, 0, 0]} for name in ("ball", "cup")}
    said = {"topic": "poses", "model": "myself"}
    with line_to(hasty.events_url, **bearer("boss")) as other:
        other.do("publish", **said, t=3.0, poses={"box": {"pose": [0, 0, 0]}})
        with line_to(hasty.events_url, **bearer("boss")) as spatial:
            spatial.do("stage", source="lost", shows={"ball": {"n": 1}})
            spatial.do("publish", **said, t=4.0, poses=poses, source="lost")
            spatial.do("revise", model="myself", add=["ball isIn box"], source="lost")
            other.do("publish", **said, t=5.0, poses={"cup": {"pose": [2, 0, 0]}})
        assert watcher.event() == staged("lost", ball={"n": 1})
        assert watcher.event() == staged("lost", ball=None)
        other.do("listen", **said)
        found = httpx.get(
            f"{hasty.url}/models/myself/poses", headers=bearer("boss")["additional_headers"]
        ).json()
        assert (found["t"], set(found["poses"])) == (5.0, {"box", "cup"})
        assert other.do("check", model="myself", patterns=["ball isIn box"])["holds"]
    assert shown(hasty, "lost") == {}


def test_who_is_back_in_time_keeps_what_it_showed(hasty: Server, watcher: Line) -> None:
    """Whoever speaks for the source again soon, by a stage or by poses, keeps all of it there."""
    with line_to(hasty.events_url, **bearer("boss")) as first:
        first.do("stage", source="back", shows={"ball": {"n": 1}})
    with line_to(hasty.events_url, **bearer("boss")) as again:
        again.do("publish", topic="poses", model="myself", poses={}, source="back")
        with line_to(hasty.events_url, **bearer("boss")) as gone:
            gone.do("stage", source="gone", shows={"cup": {"n": 2}})
        told = watcher.events(3)
        assert told[-1] == staged("gone", cup=None)
        assert shown(hasty, "back") == {"back": {"ball": {"n": 1}}}
        again.do("stage", source="back", shows={"ball": None})


def test_what_is_staged_for_good_stays(hasty: Server, watcher: Line) -> None:
    """Who stages without a will may go; who speaks for the source later takes it along."""
    with line_to(hasty.events_url, **bearer("boss")) as replay:
        replay.do("stage", source="good", will=False, shows={"ball": {"n": 1}, "cup": {}})
    with line_to(hasty.events_url, **bearer("boss")) as live:
        live.do("stage", source="lived", shows={"box": {}})
    first = {"ball": {"n": 1}, "cup": {}}
    assert watcher.events(3) == [
        staged("good", **first), staged("lived", box={}), staged("lived", box=None)
    ]  # fmt: skip
    assert shown(hasty, "good") == {"good": first}
    with line_to(hasty.events_url, **bearer("boss")) as live:
        live.do("stage", source="good", shows={"cup": None})
    assert watcher.events(2) == [staged("good", cup=None), staged("good", ball=None)]
    assert shown(hasty, "good") == {}


@pytest.mark.parametrize("hidden", [False, True])
def test_a_frame_for_the_stage_is_bounded(hasty: Server, hidden: bool) -> None:
    """A large one is not taken, and refused under its id; one of another command may be larger."""
    op = r"\u0073tage" if hidden else "stage"
    much = '{"n":"' + "x" * 512 * 2**10 + '"}'
    with line_to(hasty.events_url, **bearer("boss")) as line:
        answer = line.raw(f'{{"id":"m1","op":"{op}","source":"s","shows":{{"x":{much}}}}}')
        assert answer["id"] == "m1"
        assert answer["error"]["code"] == "too_large"
        assert answer["error"]["detail"] == {"allowed": 512 * 2**10}
        later = line.raw(f'{{"op":"{op}","source":"s","shows":{{"x":{much}}},"id":"m2"}}')
        assert later["id"] == ("m2" if hidden else None)
        assert line.refused("find", model="myself", patterns=["x" * 600_000]) == "bad_statement"
        assert line.do("ping")["ok"]
    assert shown(hasty, "s") == {}


def test_what_is_too_much_is_neither_read_nor_written(hasty: Server) -> None:
    """Of a frame that is too large, or has too many names, nobody waits to hear mistakes."""
    with line_to(hasty.events_url, **bearer("boss")) as line:
        answer = line.raw('{"id": 7, "op" : "stage", "shows": {"x": ' + "{" * 512 * 2**10)
        assert (answer["id"], answer["error"]["code"]) == (7, "too_large")
        many = ",".join(f'"n{i}":{{"n":1e999}}' for i in range(11))
        answer = line.raw(f'{{"id":8,"op":"stage","source":"s","shows":{{{many}}}}}')
        assert (answer["id"], answer["error"]["code"]) == (8, "too_large")
        line.do("stage", source="s", shows={f"n{i}": None for i in range(11)})


def test_the_stage_is_bounded(hasty: Server) -> None:
    """Too many bytes or names are refused, all of the frame; what takes less room always fits."""
    with line_to(hasty.events_url, **bearer("boss")) as line:
        line.do("stage", source="much", shows={"a": MESH, "b": MESH})
        assert line.refused("stage", source="much", shows={"c": MESH, "d": {}}) == "too_large"
        assert sorted(shown(hasty, "much")["much"]) == ["a", "b"]
        line.do("stage", source="much", shows={"a": None, "c": MESH})
        many: dict[str, Any] = {f"n{i}": {} for i in range(9)}
        assert line.refused("stage", source="many", shows=many) == "too_large"
        assert shown(hasty, "many") == {}
        line.do("stage", source="much", shows={"b": None, "c": None})
        assert line.refused("stage", source="s", shows={"x": {"n": "1e999"}, "": {}}) == (
            "bad_request"
        )
        wrong = '{"id":1,"op":"stage","source":"s","shows":{"x":{"n":[1e999]}}}'
        error = line.raw(wrong)["error"]
        assert (error["code"], error["detail"]["field"]) == ("bad_request", "shows.x")
        line.do("stage", source="s", shows={"x": {"to": "Infinity"}})
        line.do("stage", source="s", shows={"x": None})


def test_tokens_on_the_stage(hasty: Server) -> None:
    """Any token may attend, and hears of its own models; to stage, one must write everywhere."""
    with line_to(hasty.events_url, **bearer("boss")) as boss:
        boss.do("revise", model="myself", add=["sally a Human", "anne a Human"])
        with line_to(hasty.events_url, **bearer("eye")) as eye:
            eye.do("attend")
            assert eye.event() == {"event": "models", "models": ["sally"]}
            assert eye.refused("stage", source="eye", shows={}) == "forbidden"
            boss.do("stage", source="boss", shows={"ball": {}})
            assert eye.event() == staged("boss", ball={})
            boss.do("stage", source="boss", shows={"ball": None})
        with line_to(hasty.events_url, **bearer("hand")) as hand:
            assert hand.refused("stage", source="hand", shows={}) == "forbidden"
            hand.do("publish", topic="poses", model="sally", poses={}, source="hand")
    url = f"{hasty.url}/stage"
    assert httpx.get(url).status_code == 401
    assert httpx.get(url, headers=bearer("eye")["additional_headers"]).status_code == 200
    refused = httpx.get(url, headers=bearer("eye")["additional_headers"], params={"sauce": "x"})
    assert refused.status_code == 400


def test_who_reaches_no_model_is_told_so(hasty: Server) -> None:
    """The list of models comes first, also when it is empty."""
    boss = bearer("boss")["additional_headers"]
    httpx.delete(f"{hasty.url}/models/sally", headers=boss)
    with line_to(hasty.events_url, **bearer("eye")) as eye:
        eye.do("attend")
        assert eye.event() == {"event": "models", "models": []}


def test_models_are_told_as_they_come_and_go(shared: Server) -> None:
    """A model that is made, by itself or by name, is told of, and so is one that is deleted."""
    with line_to(shared.events_url) as line, line_to(shared.events_url) as robot:
        line.do("attend")
        first = line.event()
        assert first["event"] == "models"
        robot.do("revise", model="myself", add=["attended a Human"])
        assert line.event()["models"] == [*first["models"], "attended"]
        httpx.put(f"{shared.url}/models/attended.in").raise_for_status()
        assert line.event()["models"] == [*first["models"], "attended", "attended.in"]
        robot.do("revise", model="myself", add=["attended isNear box"])
        assert line.is_silent()
        httpx.delete(f"{shared.url}/models/attended").raise_for_status()
        assert line.event()["models"] == first["models"]


def test_a_slow_reader_is_told_the_newest() -> None:
    """However often a name changes meanwhile, one frame waits, with its newest value."""

    async def staged_often() -> None:
        async with desk_of("", Clock()) as desk:
            robot, slow = Visit(desk), Visit(desk)
            await slow.say("attend")
            await slow.heard()
            for n in range(1_000):
                await robot.say("stage", source="s", shows={"ball": {"n": n}, f"x{n % 2}": {}})
            assert len(slow.socket_client.outbox) == 1
            assert await slow.heard() == [staged("s", ball={"n": 999}, x0={}, x1={})]
            await robot.say("stage", source="s", shows={"ball": {"n": 1}, "x0": {"n": 1}})
            await robot.say("stage", source="s", shows={"ball": None})
            await robot.say("stage", source="t", shows={"cup": {}})
            assert await slow.heard() == [
                staged("s", ball=None, x0={"n": 1}),
                staged("t", cup={}),
            ]

    asyncio.run(staged_often())


def test_much_goes_out_in_several_frames() -> None:
    """What a source shows at first is cut where it is much, and nothing of it is left out."""

    async def attended() -> None:
        async with desk_of("", Clock()) as desk:
            robot, late = Visit(desk), Visit(desk)
            await robot.say("stage", source="s", shows={f"x{n}": MESH for n in range(30)})
            await late.say("attend")
            frames = [each for each in await late.heard() if each.get("event") == "stage"]
            assert len(frames) > 1
            assert {name for frame in frames for name in frame["shows"]} == {
                f"x{n}" for n in range(30)
            }
            assert frames[0]["shows"]["x0"] == MESH

    asyncio.run(attended())


def test_others_have_their_turn_between_two_large_looks() -> None:
    """Many meshes in one frame are taken one by one, so that nobody waits for all of them."""

    async def staged_much() -> int:
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        async with desk_of("", Clock()) as desk:
            robot = Visit(desk)
            counting = asyncio.create_task(count())
            await robot.say("stage", source="s", shows={f"x{n}": MESH for n in range(20)})
            counting.cancel()
        return turns

    assert asyncio.run(staged_much()) >= 20


def test_no_socket_speaks_for_too_many_sources() -> None:
    """The sources of one socket are bounded, as its wills are."""

    async def shown_by_many() -> None:
        async with desk_of("", Clock(), wills_each=2) as desk:
            robot = Visit(desk)
            for source in ("a", "b", "a"):
                await robot.say("stage", source=source, shows={})
            assert isinstance(await robot.refused("stage", source="c", shows={}), TooLarge)

    asyncio.run(shown_by_many())
