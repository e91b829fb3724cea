"""Small requests, as the tests put them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import httpx

__all__ = ["JSON", "MODEL", "asked", "code", "revise", "rows", "update"]

MODEL: Final = "http://kb.openrobots.org/model/"
JSON: Final = "application/sparql-results+json"


def revise(web: httpx.Client, model: str = "myself", **body: object) -> dict[str, Any]:
    """Changes a model."""
    answered = web.post(f"/models/{model}/revise", json=body)
    assert answered.status_code == 200, answered.text
    found: dict[str, Any] = answered.json()
    return found


def asked(web: httpx.Client, query: str, **says: str | Sequence[str]) -> httpx.Response:
    """The answer to a query by GET."""
    return web.get("/sparql", params={"query": query, **says}, headers={"accept": JSON})


def rows(web: httpx.Client, query: str, **says: str | Sequence[str]) -> list[Mapping[str, str]]:
    """The rows of an answer, each value as it is written; IRIs by what follows the namespace."""
    answered = asked(web, query, **says)
    assert answered.status_code == 200, answered.text
    found = answered.json()["results"]["bindings"]
    return [{name: _short(term["value"]) for name, term in row.items()} for row in found]


def _short(value: str) -> str:
    return value.rpartition("#")[2] if value.startswith("http://kb") else value


def update(web: httpx.Client, text: str, **says: str | Sequence[str]) -> httpx.Response:
    """The answer to an update as the body itself."""
    headers = {"content-type": "application/sparql-update"}
    return web.post("/update", content=text.encode(), params=says, headers=headers)


def code(answered: httpx.Response) -> str:
    """The code of an error body."""
    found = answered.json()["error"]
    assert {"code", "message", "detail"} <= found.keys()
    return str(found["code"])
