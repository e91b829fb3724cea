"""The OpenAPI document: it says enough to use the board, and the board keeps to it."""

import contextlib
import json
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis import GenerationMode
from schemathesis.core.result import Ok

from tests.service.servers import Servers
from tests.trials import law


@pytest.fixture(scope="module")
def document(board: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = board.get("/openapi.json").json()
    return found


def test_every_call_has_an_example(document: dict[str, Any]) -> None:
    """Each operation says what it is for, shows an answer, an error, and a body if it takes one."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation["description"], where
            shown = str(operation["responses"])
            assert "example" in shown or "204" in operation["responses"], where
            if "requestBody" in operation:
                assert bodies(document, operation), where


def test_the_examples_of_bodies_are_answered(board: httpx.Client, document: dict[str, Any]) -> None:
    """Every body that is shown as an example is one that the board takes."""
    board.put("/models/shown")
    told = ["ball isIn box", "cup1 a Cup", "cup2 a Cup"]
    board.post("/models/shown/revise", json={"add": told})
    for path, operations in document["paths"].items():
        if "requestBody" in operations.get("post", {}):
            for media, example in bodies(document, operations["post"]):
                answer = board.post(
                    path.replace("{model}", "shown"),
                    params={"model": "shown"} if path == "/update" else None,
                    content=written(media, example),
                    headers={"content-type": media},
                )
                assert answer.is_success, (path, answer.text)
    board.delete("/models/shown")


def bodies(document: dict[str, Any], operation: dict[str, Any]) -> list[tuple[str, Any]]:
    """The bodies that are shown as examples of an operation, each with its media type."""
    found: list[tuple[str, Any]] = []
    for media, said in operation["requestBody"]["content"].items():
        name = said["schema"].get("$ref", "").rpartition("/")[2]
        shown = (
            document["components"]["schemas"][name]["examples"] if name else [said.get("example")]
        )
        found += [(media, example) for example in shown if example is not None]
    return found


def written(media: str, example: Any) -> str:
    """A body as it is sent."""
    if media == "application/x-www-form-urlencoded":
        return urlencode(example)
    return example if isinstance(example, str) else json.dumps(example)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_nothing_that_is_sent_breaks_it(servers: Servers, mode: GenerationMode) -> None:
    """Whatever is made up after the document, right or wrong, no call ends in a mistake of ours."""
    server = servers.start(keeps=False)
    document = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    for found in document.get_all_operations():
        assert isinstance(found, Ok)
        attack(found.ok().as_strategy(generation_mode=mode))
    assert server.log == ""
    assert server.stop() == 0


def attack(cases: SearchStrategy[schemathesis.Case[Any]]) -> None:
    """Sends some requests of one operation, the same ones each time."""

    @settings(law(12), phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(case=cases)
    def send(case: schemathesis.Case[Any]) -> None:
        answer = case.call(timeout=20)
        assert answer.status_code < 500 or answer.status_code == 503, answer.text
        if answer.status_code >= 400:
            assert set(answer.json()["error"]) == {"code", "message", "detail"}

    with contextlib.suppress(Unsatisfiable):  # where nothing can be wrong
        send()
