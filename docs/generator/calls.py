"""The page of calls over HTTP, made from the OpenAPI document."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from docs.generator.markdown import code, fenced, prose, table
from kb_server.host import Host
from kb_server.loading import load_common_sense
from kb_server.service.desk.desk import Desk
from kb_server.service.server.app import create_app

__all__ = ["page"]

_INTRODUCTION: Final = """\
`/openapi.json` has the same for programs. Bodies are JSON unless another media type is named. `at`
is a `seq` or an ISO time, and reads the state of that moment. [errors](errors.md) lists the codes.
[service.md](../service.md) explains the calls, [sparql.md](../sparql.md) SPARQL.
"""


def page() -> str:
    """Every call with its parameters, its body and an example of its answer."""
    document = _document()
    sections = [
        _section(document, method, path, operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]
    return "\n".join([_INTRODUCTION, *sections])


def _document() -> dict[str, Any]:
    host = Host(load_common_sense().common, None)
    try:
        return create_app(Desk(host)).openapi()
    finally:
        host.close()


def _section(
    document: Mapping[str, Any], method: str, path: str, operation: Mapping[str, Any]
) -> str:
    said = [f"## {method.upper()} {path}\n", prose(operation.get("description", "")) + "\n"]
    said.append(table(("parameter", "in", "meaning"), map(_parameter, _parameters(operation))))
    said += _bodies(document, operation)
    said += [_answer(status, response) for status, response in operation["responses"].items()]
    return "\n".join(filter(None, said))


def _parameters(operation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [each for each in operation.get("parameters", []) if each["in"] != "path"]


def _parameter(said: Mapping[str, Any]) -> tuple[str, str, str]:
    schema = said["schema"]
    choices = _choices(schema)
    default = schema.get("default")
    parts = [
        said.get("description", ""),
        f"one of {', '.join(map(code, choices))}" if choices else "",
        f"default {code(json.dumps(default))}" if default is not None else "",
        "required" if said.get("required") else "",
    ]
    return code(said["name"]), said["in"], "; ".join(filter(None, parts))


def _choices(schema: Mapping[str, Any]) -> list[Any]:
    found: list[Any] = schema.get("enum", [])
    return found or [one for each in schema.get("anyOf", []) for one in each.get("enum", [])]


def _bodies(document: Mapping[str, Any], operation: Mapping[str, Any]) -> Iterator[str]:
    for media, said in operation.get("requestBody", {}).get("content", {}).items():
        name = said["schema"].get("$ref", "").rpartition("/")[2]
        schema = document["components"]["schemas"][name] if name else {}
        examples = schema.get("examples", [said.get("example")])
        yield f"Body, `{media}`:\n"
        fields = schema.get("properties", {})
        if fields:
            needed = schema.get("required", [])
            yield ", ".join(
                code(each) + (" (required)" if each in needed else "") for each in fields
            )
            yield ""
        yield from (_shown(each) for each in examples if each is not None)


def _answer(status: str, response: Mapping[str, Any]) -> str:
    if status[-2:] == "XX":
        return ""
    shown = [each["example"] for each in response.get("content", {}).values() if "example" in each]
    return f"Answer {status}:\n\n{_shown(shown[0])}" if shown else f"Answer {status}.\n"


def _shown(example: Any) -> str:
    if isinstance(example, str):
        return fenced(example)
    return fenced(json.dumps(example, ensure_ascii=False), "json")
