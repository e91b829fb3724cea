"""What a subscription tells, on sockets of a real server."""

from datetime import datetime
from typing import Any

import httpx

from tests.service.servers import Server
from tests.sockets.lines import Frame, Line, line_to


def short(event: Frame) -> tuple[Any, ...]:
    return event["event"], event["sub"], event["seq"], event["bindings"]


def test_an_inferred_binding_is_told(line: Line, mind: str) -> None:
    """A fact in, an inferred event out, with its delta, its time and its binding."""
    line.do("subscribe", id="s1", model=mind, patterns=["?h desires ?a", "?a a Action"])
    line.do("revise", model=mind, add=["sally desires give_1"])
    assert line.is_silent()
    seq = line.do("revise", model=mind, add=["give_1 a Give"])["seq"]
    event = line.event()
    assert short(event) == ("appear", "s1", seq, {"h": "sally", "a": "give_1"})
    assert set(event) == {"event", "sub", "seq", "t", "bindings"}
    assert datetime.fromisoformat(event["t"]).tzinfo is not None


def test_the_answer_of_a_change_comes_after_its_events(line: Line, mind: str) -> None:
    """By the time a revision has answered, the events that it causes are queued."""
    line.do("subscribe", id="s", model=mind, patterns=["?x isIn box"])
    line.send(id="r", op="revise", model=mind, add=["ball isIn box"])
    assert [line.frame().get("event"), line.frame().get("id")] == ["appear", "r"]


def test_snapshot_rows_come_first(line: Line, mind: str) -> None:
    """What holds comes as rows marked so, then their end with its delta, then what is new."""
    seq = line.do("revise", model=mind, add=["a isIn box", "b isIn box"])["seq"]
    line.send(id="s", op="subscribe", model=mind, patterns=["?x isIn box"], snapshot=True)
    frames = [line.frame() for _ in range(4)]
    assert frames[0].items() >= {"id": "s", "ok": True, "seq": seq}.items()
    assert {f["bindings"]["x"] for f in frames[1:3]} == {"a", "b"}
    assert all(f["event"] == "appear" and f["snapshot"] is True for f in frames[1:3])
    assert frames[3] == {"event": "snapshot_end", "sub": "s", "seq": seq}
    line.do("revise", model=mind, add=["c isIn box"])
    assert "snapshot" not in line.event()


def test_both_tells_disappear_before_appear(line: Line, mind: str) -> None:
    """Within one delta what ceased is told before what came."""
    line.do("revise", model=mind, add=["ball isIn box"])
    line.do("subscribe", id="s", model=mind, patterns=["ball isIn ?where"], on="both")
    line.do("revise", model=mind, retract=["ball isIn box"], add=["ball isIn bag"])
    told = [(e["event"], e["bindings"]["where"]) for e in line.events(2)]
    assert told == [("disappear", "box"), ("appear", "bag")]


def test_without_variables_the_truth_is_told(line: Line, mind: str) -> None:
    """A conjunction without variables comes and goes as an empty binding."""
    line.do("subscribe", id="s", model=mind, patterns=["ball isIn box"], on="both")
    line.do("revise", model=mind, add=["ball isIn box"])
    line.do("revise", model=mind, retract=["ball isIn box"])
    assert [(e["event"], e["bindings"]) for e in line.events(2)] == [
        ("appear", {}),
        ("disappear", {}),
    ]


def test_once_ends_after_its_first_event(line: Line, mind: str) -> None:
    """A one-shot tells one event, snapshot rows apart, and its id can be used again."""
    line.do("revise", model=mind, add=["a isIn box"])
    asked = {"model": mind, "patterns": ["?x isIn box"], "once": True}
    line.do("subscribe", id="s", **asked, snapshot=True)
    assert [e["event"] for e in line.events(2)] == ["appear", "snapshot_end"]
    line.do("revise", model=mind, add=["b isIn box", "c isIn box"])
    assert line.event()["event"] == "appear"
    line.do("revise", model=mind, add=["d isIn box"])
    assert line.is_silent()
    line.do("subscribe", id="s", **asked)


def test_ids_are_each_sockets_own(shared: Server, line: Line, mind: str) -> None:
    """An id is taken once on a socket, and is another subscription on another."""
    asked = {"id": "s", "model": mind, "patterns": ["?x isIn box"]}
    line.do("subscribe", **asked)
    assert line.refused("subscribe", **asked) == "bad_request"
    with line_to(shared.events_url) as other:
        other.do("subscribe", **asked)
        line.do("unsubscribe", sub="s")
        line.do("revise", model=mind, add=["ball isIn box"])
        assert other.event()["bindings"] == {"x": "ball"}
    assert line.is_silent()


def test_resuming_tells_what_happened_since(line: Line, mind: str) -> None:
    """After a number comes all that happened since, in order, and then what is new."""
    seqs = [line.do("revise", model=mind, add=[f"b{i} isIn box"])["seq"] for i in range(5)]
    line.do("subscribe", id="s", model=mind, patterns=["?x isIn box"], after=seqs[1])
    last = line.do("revise", model=mind, add=["b5 isIn box"])["seq"]
    assert [(e["seq"], e["bindings"]["x"]) for e in line.events(4)] == [
        *((seqs[i], f"b{i}") for i in (2, 3, 4)),
        (last, "b5"),
    ]
    assert line.is_silent()


def test_a_subscription_outlives_its_model(shared: Server, line: Line, mind: str) -> None:
    """A deleted model's bindings disappear, resumed or not, and it goes on in one made again."""
    seq = line.do("revise", model=mind, add=["ball isIn box"])["seq"]
    asked = {"model": mind, "patterns": ["?x isIn box"], "on": "both"}
    line.do("subscribe", id="live", **asked)
    httpx.delete(f"{shared.url}/models/{mind}").raise_for_status()
    assert line.event()["event"] == "disappear"
    line.do("subscribe", id="back", **asked, after=seq)
    assert short(line.event())[:2] == ("disappear", "back")
    httpx.put(f"{shared.url}/models/{mind}").raise_for_status()
    line.do("revise", model=mind, add=["cup isIn box"])
    assert {short(e)[:2] for e in line.events(2)} == {("appear", "live"), ("appear", "back")}


def test_divergence_is_told(shared: Server, line: Line, mind: str) -> None:
    """Two models begin and cease to differ, told as lists of bindings; it resumes too."""
    other = f"{mind}_other"
    httpx.put(f"{shared.url}/models/{other}").raise_for_status()
    asked = {"model": mind, "from": other, "patterns": ["?o isIn ?where"]}
    start = line.do("subscribe_divergence", id="d", **asked)["seq"]
    line.do("revise", model=other, add=["ball isIn basket"])
    line.do("revise", model=mind, add=["ball isIn basket"])
    row = {"o": "ball", "where": "basket"}
    told = [(e["event"], e["only_here"], e["only_there"]) for e in line.events(2)]
    assert told == [("diverge", [], [row]), ("converge", [], [row])]
    line.do("subscribe_divergence", id="again", **asked, after=start)
    assert [(e["event"], e["only_here"], e["only_there"]) for e in line.events(2)] == told


def test_a_stream_tells_the_same(shared: Server, line: Line, mind: str) -> None:
    """Server-Sent Events carry the same JSON, with ids to resume after on the same board."""
    name = httpx.get(f"{shared.url}/health").json()["board"]
    url = f"{shared.url}/models/{mind}/events"
    first = line.do("revise", model=mind, add=["a isIn box"])["seq"]
    params = {"pattern": "?x isIn box"}
    with httpx.stream("GET", url, params={**params, "snapshot": True}) as stream:
        lines = stream.iter_lines()
        assert [next(lines), next(lines)][0].startswith('data: {"event":"appear","sub":"stream"')
        assert next(lines) == f"id: {first}@{name}"
        seq = line.do("revise", model=mind, add=["b isIn box", "c isIn box"])["seq"]
        rest = [next(lines) for _ in range(7)]
    assert [text.partition(":")[0] for text in rest] == ["data", "", "data", "", "id", "data", ""]
    assert rest[4] == f"id: {seq}@{name}"
    for said in (str(first), f"{first}@{name}"):
        back = {"last-event-id": said}
        with httpx.stream("GET", url, params=params, headers=back) as stream:
            lines = stream.iter_lines()
            begun = [next(lines) for _ in range(2)]
            assert begun == [f"id: {first}@{name}", ""]  # nothing is told yet
            assert next(lines).startswith('data: {"event":"appear"')
    for said, more in ((f"{first}@another", {}), (f"{first}@another", {"board": name})):
        gone = httpx.get(url, params={**params, **more}, headers={"last-event-id": said})
        assert (gone.status_code, gone.json()["error"]["code"]) == (410, "too_old")
    for said in ("@x", "1@" + "x" * 300):
        assert httpx.get(url, params=params, headers={"last-event-id": said}).status_code == 400
    with httpx.stream("GET", url, params={**params, "board": name}, headers=back) as stream:
        assert stream.status_code == 200
    elsewhere = httpx.get(url, params={**params, "board": "another"}, headers=back)
    assert (elsewhere.status_code, elsewhere.json()["error"]["code"]) == (410, "too_old")
    assert httpx.get(url).status_code == 400
    assert httpx.get(url, params={**params, "snapshto": True}).status_code == 400
    assert httpx.get(f"{shared.url}/models/nobody/events", params=params).status_code == 404


def test_a_ping_says_up_to_where_all_is_told(line: Line, mind: str) -> None:
    """The answer to a ping has the number of a delta, and what was caused up to it came before."""
    line.do("subscribe", id="s", model=mind, patterns=["?x isIn box"])
    seq = line.do("revise", model=mind, add=["ball isIn box"])["seq"]
    line.send(id="p", op="ping")
    assert line.event()["seq"] == seq
    assert line.frame()["seq"] >= seq
