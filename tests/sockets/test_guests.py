"""Wills, poses and providers: what sockets do for each other."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service.servers import Server, Servers, started_servers
from tests.sockets.lines import Line, line_to

SETTINGS = "[service]\nwill_seconds = 0.3\nposes_kept = 4\n"


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where wills are soon done, and few poses are kept."""
    folder = tmp_path_factory.mktemp("hasty")
    (folder / "settings.toml").write_text(SETTINGS)
    with started_servers(folder) as servers:
        yield servers.start("--no-dl", "--settings", str(folder / "settings.toml"))


def test_a_will_is_done_when_the_socket_is_lost(hasty: Server) -> None:
    """What a lost source said is withdrawn from every model, one delta each, and no other fact."""
    with line_to(hasty.events_url) as watcher:
        httpx.put(f"{hasty.url}/models/sally")
        for model in ("myself", "sally"):
            asked = {"model": model, "patterns": ["?x isIn will_box"], "on": "disappear"}
            watcher.do("subscribe", id=model, **asked)
        with line_to(hasty.events_url) as spatial:
            spatial.send(op="will", source="spatial")
            assert spatial.frame() == {"id": None, "ok": True}
            for model in ("myself", "sally"):
                facts = ["a isIn will_box", "b isIn will_box"]
                spatial.do("revise", model=model, add=facts, source="spatial")
            spatial.do("revise", model="myself", add=["c isIn will_box"], source="other")
        told = watcher.events(4)
        assert sorted((e["sub"], e["bindings"]["x"]) for e in told) == [
            *(("myself", "a"), ("myself", "b"), ("sally", "a"), ("sally", "b"))
        ]
        assert len({e["seq"] for e in told}) == 2
        asked = {"model": "myself", "patterns": ["?x isIn will_box"]}
        assert watcher.do("find", **asked)["bindings"] == [{"x": "c"}]


def test_one_who_is_back_in_time_keeps_its_facts(hasty: Server) -> None:
    """Who declares the same will again soon is not lost, and another's will is done meanwhile."""
    with line_to(hasty.events_url) as watcher:
        asked = {"model": "myself", "patterns": ["?x isOn will_shelf"], "on": "disappear"}
        watcher.do("subscribe", id="s", **asked)
        with line_to(hasty.events_url) as first:
            first.do("will", source="camera")
            first.do("revise", model="myself", add=["a isOn will_shelf"], source="camera")
        with line_to(hasty.events_url) as back:
            back.do("will", source="camera")
            with line_to(hasty.events_url) as gone:
                gone.do("will", source="gripper")
                gone.do("revise", model="myself", add=["b isOn will_shelf"], source="gripper")
            assert watcher.event()["bindings"] == {"x": "b"}
            assert back.do("check", model="myself", patterns=["a isOn will_shelf"])["holds"]
            assert watcher.is_silent()


def test_a_will_waits_for_all_who_speak_for_a_source(hasty: Server) -> None:
    """Of two sockets with one will the first may close; the facts of their source stay."""
    with line_to(hasty.events_url) as watcher, line_to(hasty.events_url) as stays:
        asked = {"model": "myself", "patterns": ["?x isOn will_desk"], "on": "disappear"}
        watcher.do("subscribe", id="s", **asked)
        stays.do("will", source="arm")
        for source, thing in (("arm", "a"), ("wrist", "b")):
            with line_to(hasty.events_url) as leaves:
                leaves.do("will", source=source)
                leaves.do("revise", model="myself", add=[f"{thing} isOn will_desk"], source=source)
        assert watcher.event()["bindings"] == {"x": "b"}
        assert stays.do("check", model="myself", patterns=["a isOn will_desk"])["holds"]


def test_poses_are_told_and_can_be_asked_for(shared: Server, line: Line, mind: str) -> None:
    """What is published is heard by who listens, and answered to who asks; null takes it away."""
    ball = {"pose": [1.0, 2.0, 3.0], "perceived_pose": None, "seen": True}
    line.do("listen", topic="poses", model=mind)
    with line_to(shared.events_url) as publisher:
        said = {"topic": "poses", "model": mind}
        publisher.do("publish", **said, t=1.5, poses={"ball": {"pose": [1, 2, 3], "seen": True}})
        event = line.event()
        assert event == {"event": "poses", "model": mind, "t": 1.5, "poses": {"ball": ball}}
        url = f"{shared.url}/models/{mind}/poses"
        assert httpx.get(url).json() == {"t": 1.5, "poses": {"ball": ball}}
        publisher.do("publish", **said, t=1.6, poses={"ball": None, "cup": {"pose": [0] * 6 + [1]}})
        assert line.event()["poses"]["ball"] is None
        assert list(httpx.get(url).json()["poses"]) == ["cup"]
        line.do("unlisten", topic="poses", model=mind)
        publisher.do("publish", **said, t=1.7, poses={"ball": {"pose": [0, 0, 0]}})
    assert line.is_silent()
    assert httpx.get(f"{shared.url}/models/nobody/poses").status_code == 404


def test_poses_of_the_past_are_answered_as_far_as_they_are_kept(hasty: Server) -> None:
    """`at` a delta gives the poses of then, before what is kept 410, and of the future 400."""
    url = f"{hasty.url}/models/myself/poses"
    with line_to(hasty.events_url) as line:
        seqs = []
        for i in range(4):
            poses = {"ball": {"pose": [i, 0, 0]}}
            line.do("publish", topic="poses", model="myself", t=float(i), poses=poses)
            told = line.do("revise", model="myself", add=[f"p{i} isNear pose_{i}"])
            seqs.append(told["seq"])
    then = [httpx.get(url, params={"at": seq}) for seq in seqs]
    assert [r.status_code for r in then] == [410, 200, 200, 200]
    assert [r.json()["t"] for r in then[1:]] == [1.0, 2.0, 3.0]
    assert then[2].json()["poses"]["ball"]["pose"] == [2.0, 0.0, 0.0]
    assert then[0].json()["error"]["code"] == "too_old"
    assert httpx.get(url, params={"at": seqs[-1] + 1_000}).status_code == 400


class Provider(threading.Thread):
    """A process of its own that computes what is asked of it, until its line is closed."""

    def __init__(self, line: Line, facts: dict[str, list[str]]) -> None:
        super().__init__(daemon=True)
        self.line, self.facts = line, facts
        self.asked: list[dict[str, Any]] = []
        line.do("provide", predicates=list(facts))

    def run(self) -> None:
        while (ask := self.line.event())["event"] == "ask":
            self.asked.append(ask)
            self.line.do("told", ask=ask["ask"], facts=self.facts[ask["predicate"]])
            if len(self.asked) == 3:
                return


def test_what_is_computed_is_united_with_what_is_stored(
    shared: Server, line: Line, mind: str
) -> None:
    """A question that mentions an offered predicate is put to its provider, and joined."""
    line.do("revise", model=mind, add=["cup isLeftmost shelf", "cup a Cup"])
    with line_to(shared.events_url) as other:
        provider = Provider(other, {"isLeftmost": ["ball isLeftmost shelf"]})
        provider.start()
        asked = {"model": mind, "patterns": ["?x isLeftmost shelf"]}
        found = line.do("find", **asked)["bindings"]
        assert sorted(row["x"] for row in found) == ["ball", "cup"]
        ask = provider.asked[0]
        assert (ask["model"], ask["predicate"]) == (mind, "isLeftmost")
        assert (ask["subject"], ask["object"]) == (None, "shelf")
        url = f"{shared.url}/models/{mind}/check"
        told = httpx.post(url, json={"patterns": ["ball isLeftmost shelf"]})
        assert told.json() == {"holds": True}
        joined = line.do("find", model=mind, patterns=["?x isLeftmost ?y", "?x a Cup"])
        assert joined["bindings"] == [{"x": "cup", "y": "shelf"}]
        provider.join(10)
    assert line.do("find", **asked)["bindings"] == [{"x": "cup"}]


def test_a_provider_that_does_not_tell_is_not_waited_for(
    shared: Server, line: Line, mind: str
) -> None:
    """After a second the question is answered 504; so it is at once when the provider goes."""
    url = f"{shared.url}/models/{mind}/find"
    with line_to(shared.events_url) as silent:
        silent.do("provide", predicates=["isSilent"])
        answer = httpx.post(url, json={"patterns": ["?x isSilent ?y"]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (504, "provider_timeout")
        assert silent.event()["event"] == "ask"
        line.send(id="f", op="find", model=mind, patterns=["?x isSilent ?y"])
        silent.event()
    assert line.frame()["error"]["code"] == "provider_timeout"


def test_what_was_not_asked_for_is_refused(shared: Server, line: Line, mind: str) -> None:
    """A told fact that does not fit the question is an error, and the question stays open."""
    with line_to(shared.events_url) as provider:
        provider.do("provide", predicates=["isOdd"])
        line.send(id="f", op="find", model=mind, patterns=["seven isOdd ?y"])
        ask = provider.event()["ask"]
        for facts in (["eight isOdd yes"], ["seven isEven no"], ["seven isOdd"]):
            assert provider.refused("told", ask=ask, facts=facts).startswith("bad_")
        assert line.refused("told", ask=ask, facts=[]) == "bad_request"
        provider.do("told", ask=ask, facts=["seven isOdd yes"])
        assert provider.refused("told", ask=ask, facts=[]) == "bad_request"
    assert line.frame()["bindings"] == [{"y": "yes"}]


def test_too_much_that_is_told_ends_the_question(servers: Servers, tmp_path: Path) -> None:
    """More than is allowed is refused to both, the provider and who asks, without waiting."""
    settings = tmp_path / "settings.toml"
    settings.write_text("[service]\ntold_facts = 3\nprovider_seconds = 3600.0\n")
    server = servers.start("--settings", str(settings), keeps=False)
    with line_to(server.events_url) as provider, line_to(server.events_url) as asker:
        provider.do("provide", predicates=["isMany"])
        asker.send(id="f", op="find", model="myself", patterns=["?x isMany ?y"])
        facts = [f"x{n} isMany y" for n in range(4)]
        assert provider.refused("told", ask=provider.event()["ask"], facts=facts) == "too_large"
        refused = asker.frame()["error"]
    assert (refused["code"], refused["detail"]) == ("too_large", {"allowed": 3})


def test_a_provider_may_ask_about_what_it_provides(line: Line, mind: str) -> None:
    """A socket that waits for its own question can tell what it is asked."""
    line.do("provide", predicates=["isOwn"])
    line.send(id="f", op="find", model=mind, patterns=["?x isOwn ?y"])
    ask = line.event()["ask"]
    line.do("told", ask=ask, facts=["a isOwn b"])
    assert line.frame()["bindings"] == [{"x": "a", "y": "b"}]
    line.do("provide", predicates=[])
