"""The calls of the contract over HTTP: what each answers, field by field."""

from typing import Any

import httpx
import pytest

FACT_FIELDS = {"fact", "kind", "memory", "expires", "since", "source"}


def post(board: httpx.Client, path: str, **body: Any) -> Any:
    answer = board.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def get(board: httpx.Client, path: str, **params: Any) -> Any:
    answer = board.get(path, params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_revision_tells_what_it_did(board: httpx.Client, sally: str) -> None:
    """A revision answers with its number and what became true and ceased, inferences included."""
    told = post(board, f"{sally}/revise", add=["ball isIn basket"])
    assert set(told) == {"seq", "became_true", "ceased"}
    assert {"ball isIn basket", "basket contains ball"} <= set(told["became_true"])
    moved = post(board, f"{sally}/revise", retract=["ball isIn *"], add=[["ball", "isIn", "box"]])
    assert moved["seq"] == told["seq"] + 1
    assert "basket contains ball" in moved["ceased"]
    assert post(board, f"{sally}/revise") == {"seq": moved["seq"], "became_true": [], "ceased": []}


def test_an_update_replaces_the_value_of_a_functional_property(
    board: httpx.Client, sally: str
) -> None:
    """An update puts the old value of a functional property out in the same delta."""
    post(board, f"{sally}/revise", add=["hasWeight a owl:FunctionalProperty", "ball hasWeight 1"])
    changed = post(board, f"{sally}/revise", update=["ball hasWeight 2"])
    assert "ball hasWeight 1" in changed["ceased"]
    assert "ball hasWeight 2" in changed["became_true"]


def test_a_contradiction_is_refused_when_asked_to(board: httpx.Client, sally: str) -> None:
    """With `if_consistent` a contradiction is 409, explained, and nothing has changed."""
    post(board, f"{sally}/revise", add=["anna a Human"])
    refused = board.post(f"{sally}/revise", json={"add": ["anna a Table"], "if_consistent": True})
    assert refused.status_code == 409
    error = refused.json()["error"]
    assert error["code"] == "inconsistent"
    assert set(error["detail"]["conflicts"][0]) == {"rule", "facts", "message"}
    assert not post(board, f"{sally}/check", patterns=["anna a Table"])["holds"]


def test_models_come_and_go(board: httpx.Client) -> None:
    """PUT makes a model, once; it is listed with its figures; DELETE takes those in it along."""
    assert board.put("/models/mona").status_code == 201
    assert board.put("/models/mona").status_code == 200
    assert board.put("/models/mona.anne").status_code == 201
    listed = {m["id"]: m for m in get(board, "/models")["models"]}
    assert set(listed["mona.anne"]) == {"id", "parent", "asserted", "inferred", "seq"}
    assert listed["mona.anne"]["parent"] == "mona"
    gone = board.delete("/models/mona")
    assert (gone.status_code, gone.content) == (204, b"")
    assert not {"mona", "mona.anne"} & {m["id"] for m in get(board, "/models")["models"]}


def test_an_agent_that_appears_has_a_model(board: httpx.Client) -> None:
    """Whoever turns out to be an agent in the robot's model has one when the revision answers."""
    post(board, "/models/myself/revise", add=["tom a Human"], ttl=60)
    assert "tom" in {m["id"] for m in get(board, "/models")["models"]}
    assert not post(board, "/models/tom/check", patterns=["tom a Human"])["holds"]
    board.delete("/models/tom")


def test_find_and_check(board: httpx.Client, sally: str) -> None:
    """Bindings come once each, under the names asked for; without variables it is yes or no."""
    post(board, f"{sally}/revise", add=["b1 a Book", "b2 a Book", "b1 isOn table", "b2 isOn bed"])
    asked = {"patterns": ["?o a Book", "?o isOn table"], "select": ["?o"], "limit": 100}
    assert post(board, f"{sally}/find", **asked) == {"bindings": [{"o": "b1"}]}
    assert len(post(board, f"{sally}/find", patterns=["?o a Book"], limit=1)["bindings"]) == 1
    assert post(board, f"{sally}/find", patterns=["b1 isOn table"]) == {"bindings": [{}]}
    assert post(board, f"{sally}/find", patterns=["b1 isOn bed"]) == {"bindings": []}
    assert post(board, f"{sally}/check", patterns=["b1 isOn *"]) == {"holds": True}


def test_a_question_too_large_for_the_board_is_answered_by_a_worker(
    board: httpx.Client, sally: str
) -> None:
    """A question of many steps is answered all the same, and sees the newest change."""
    things = [f"thing{n} isIn box{n % 7}" for n in range(300)]
    post(board, f"{sally}/revise", add=things)
    asked = ["?a isIn ?box", "?b isIn ?box", "?c isIn ?box", "?c isIn box3", "?c isNextTo last"]
    assert post(board, f"{sally}/find", patterns=asked) == {"bindings": []}
    post(board, f"{sally}/revise", add=["thing3 isNextTo last"])
    found = post(board, f"{sally}/find", patterns=asked, select=["?c"])
    assert found == {"bindings": [{"c": "thing3"}]}


def test_facts_page_by_page(board: httpx.Client, sally: str) -> None:
    """Facts are listed with kind, life and source, and `next` leads through all of them once."""
    post(board, f"{sally}/revise", add=["ball isIn box"], source="spatial", memory="episodic")
    whole = get(board, f"{sally}/facts")
    assert whole["next"] is None
    assert all(set(fact) == FACT_FIELDS for fact in whole["facts"])
    told = get(board, f"{sally}/facts", kind="asserted", source="spatial", p="isIn")["facts"]
    assert [(f["fact"], f["memory"]) for f in told] == [("ball isIn box", "episodic")]
    assert told[0]["expires"].endswith("Z")
    assert told[0]["since"].endswith("Z")
    pages: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = get(board, f"{sally}/facts", limit=2, **cursor)
        pages += [fact["fact"] for fact in page["facts"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert sorted(pages) == sorted(fact["fact"] for fact in whole["facts"])


def test_many_rows_are_written_like_few(board: httpx.Client, sally: str) -> None:
    """An answer of thousands of rows has the shape of any other, and nothing is missing."""
    post(board, f"{sally}/revise", add=[f"thing{n} isIn box" for n in range(1_500)])
    rows = post(board, f"{sally}/find", patterns=["?o isIn box"])
    assert rows == {"bindings": rows["bindings"]}
    assert {row["o"] for row in rows["bindings"]} == {f"thing{n}" for n in range(1_500)}
    page = get(board, f"{sally}/facts", limit=2_000)
    assert (len(page["facts"]), set(page)) == (2_000, {"facts", "next"})
    lines = get(board, f"{sally}/history", p="isIn")
    assert (len(lines["history"]), set(lines)) == (1_500, {"history", "complete"})
    assert lines["complete"] is True


@pytest.mark.parametrize(
    "name",
    ["ball", "oro:ball", "%3Chttp%3A%2F%2Fkb.openrobots.org%23ball%3E"],
)
def test_about_one_thing(board: httpx.Client, sally: str, name: str) -> None:
    """A thing is told about under any of its names."""
    post(board, f"{sally}/revise", add=["ball isIn box", "ball a Ball"])
    told = get(board, f"{sally}/about/{name}")
    fields = {"id", "label", "direct_types", "types", "as_subject", "as_object"}
    assert set(told) == fields
    assert told["id"] == "ball"
    assert told["direct_types"] == ["Ball"]
    assert "box contains ball" in told["as_object"]


def test_about_a_name_with_slashes_and_other_letters(board: httpx.Client, sally: str) -> None:
    """An IRI with slashes and letters of other languages is a name like any other."""
    iri = "<http://example.org/käse/regal>"
    post(board, f"{sally}/revise", add=[[iri, "isIn", "box"]])
    path = "%3Chttp%3A%2F%2Fexample.org%2Fk%C3%A4se%2Fregal%3E"
    assert get(board, f"{sally}/about/{path}")["id"] == iri


def test_lookup(board: httpx.Client, sally: str) -> None:
    """A name is looked up whatever its case, and its kind is told."""
    matches = get(board, f"{sally}/lookup", label="HUMAN")["matches"]
    assert matches[0] | {"label": ""} == {"id": "Human", "kind": "class", "label": ""}


def test_explain(board: httpx.Client, sally: str) -> None:
    """An inferred fact is explained down to what was told; one that does not hold is 404."""
    post(board, f"{sally}/revise", add=["ball isIn box"])
    told = post(board, f"{sally}/explain", fact="box contains ball")
    assert (told["fact"], told["kind"]) == ("box contains ball", "inferred")
    way = told["because"][0]
    assert way["rule"] == "prp-inv2"
    assert "ball isIn box" in {premise["fact"] for premise in way["premises"]}
    missing = board.post(f"{sally}/explain", json={"fact": "box contains cat"})
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "does_not_hold")


@pytest.mark.parametrize("engine", ["rules", "dl"])
def test_consistency(board: httpx.Client, sally: str, engine: str) -> None:
    """Either engine finds a contradiction and blames what was asserted."""
    assert get(board, f"{sally}/consistency", engine=engine) == {
        "consistent": True,
        "conflicts": [],
    }
    post(board, f"{sally}/revise", add=["anna a Human", "anna a Table"])
    found = get(board, f"{sally}/consistency", engine=engine)
    assert not found["consistent"]
    assert set(found["conflicts"][0]) == {"rule", "facts", "message"}
    assert {"anna a Human", "anna a Table"} == set(found["conflicts"][0]["facts"])


def test_likeness(board: httpx.Client, sally: str) -> None:
    """Two things are compared, several told apart, and a partial description clarified."""
    cups = ["cup1 a Cup", "cup2 a Cup", "cup1 hasColor red", "cup2 hasColor blue"]
    post(board, f"{sally}/revise", add=cups)
    told = post(board, f"{sally}/compare", a="cup1", b="cup2")
    assert set(told) == {
        "common_ancestors",
        "first_different_ancestors",
        "similarities",
        "differences",
    }
    best = {
        "property": "hasColor",
        "values": {"cup1": ["red"], "cup2": ["blue"]},
        "complete": True,
    }
    assert post(board, f"{sally}/discriminate", candidates=["cup1", "cup2"]) == best
    clear = post(board, f"{sally}/clarify", patterns=["?o a Cup"], variable="?o")
    assert clear == {"candidates": ["cup1", "cup2"], "discriminant": best}
    assert post(board, f"{sally}/discriminate", candidates=["cup1"]) == {"property": None}


def test_divergence(board: httpx.Client, sally: str) -> None:
    """Two models differ by what only one of them holds."""
    post(board, f"{sally}/revise", add=["ball isIn basket"])
    told = get(board, f"{sally}/divergence")
    assert "ball isIn basket" in told["only_here"]
    assert set(told) == {"only_here", "only_there"}
    other = sally.rpartition("/")[2]
    assert get(board, f"{sally}/divergence", **{"from": other}) == {
        "only_here": [],
        "only_there": [],
    }


def test_history_of_anything(board: httpx.Client, sally: str) -> None:
    """A star in a place of the history, or of the facts, stands for any term."""
    post(board, f"{sally}/revise", add=["ball isIn box"])
    for path in ("history", "facts"):
        assert get(board, f"{sally}/{path}", s="*", o="*") == get(board, f"{sally}/{path}")


def test_history_and_the_past(board: httpx.Client, sally: str) -> None:
    """History tells what came and went, and `at` asks the board as it was, by number or time."""
    first = post(board, f"{sally}/revise", add=["ball isIn basket"], source="eye", t=12.5)["seq"]
    post(board, f"{sally}/revise", retract=["ball isIn *"], add=["ball isIn box"])
    lines = get(board, f"{sally}/history", s="ball", p="isIn")["history"]
    assert [(line["op"], line["fact"]) for line in lines] == [
        ("became_true", "ball isIn basket"),
        ("ceased", "ball isIn basket"),
        ("became_true", "ball isIn box"),
    ]
    assert set(lines[0]) == {"seq", "t", "source_t", "op", "fact", "source"}
    assert (lines[0]["seq"], lines[0]["source_t"], lines[0]["source"]) == (first, 12.5, "eye")
    asked = {"patterns": ["ball isIn ?where"]}
    for moment in (first, lines[0]["t"]):
        then = board.post(f"{sally}/find", params={"at": moment}, json=asked).json()
        assert then == {"bindings": [{"where": "basket"}]}
        assert board.post(
            f"{sally}/check", params={"at": moment}, json={"patterns": ["basket contains ball"]}
        ).json() == {"holds": True}
        facts = get(board, f"{sally}/facts", at=moment, kind="asserted")["facts"]
        assert [fact["fact"] for fact in facts] == ["ball isIn basket"]
        only_here = get(board, f"{sally}/divergence", at=moment)["only_here"]
        assert "ball isIn basket" in only_here
    assert [line["seq"] for line in get(board, f"{sally}/history", until=first)["history"]] == (
        [first] * len(get(board, f"{sally}/history", until=first)["history"])
    )


@pytest.mark.parametrize("at", ["999999999", "2999-01-01T00:00:00Z", "soon", ""])
def test_the_future_can_not_be_asked(board: httpx.Client, sally: str, at: str) -> None:
    """A moment to come, or none at all, is a bad request."""
    answer = board.get(f"{sally}/facts", params={"at": at})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


def test_health_and_metrics(board: httpx.Client, sally: str) -> None:
    """The server says that it is ready, and counts what it does in the format of Prometheus."""
    assert set(get(board, "/health")) == {"ready", "why", "seq", "board"}
    post(board, f"{sally}/revise", add=["ball isIn box"])
    told = board.get("/metrics")
    assert told.headers["content-type"].startswith("text/plain")
    figures = dict(
        line.rsplit(" ", 1) for line in told.text.splitlines() if not line.startswith("#")
    )
    assert float(figures["mindboard_writes_total"]) > 0
    assert float(figures["mindboard_inference_seconds_count"]) > 0
    assert float(figures["mindboard_sparql_workers_ready"]) > 0
    assert float(figures['mindboard_requests_total{status="200"}']) > 0
    assert figures["mindboard_ready"] == "1.0"
