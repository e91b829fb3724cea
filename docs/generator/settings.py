"""The page of a server's settings: a table for each section of the file."""

import ast
import inspect
import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from itertools import pairwise
from typing import Any, Final

from docs.generator.markdown import code, prose, table
from kb_server.service.server.settings_file import ServerSettings

__all__ = ["meanings", "page"]

_INTRODUCTION: Final = """\
`mindboard serve --settings FILE` reads them from a TOML file with a table for each section below.
An omitted setting has its default; an unknown one is refused. [service.md](../service.md) has an
example.
"""


def page() -> str:
    """Every setting with its default, and its meaning from the docstring below it."""
    return "\n".join([_INTRODUCTION, *_sections("", ServerSettings())])


def _sections(name: str, settings: Any) -> Iterator[str]:
    inner = [each for each in fields(settings) if is_dataclass(getattr(settings, each.name))]
    said = meanings(type(settings))
    rows = [
        (code(each.name), _default(each, settings), said[each.name])
        for each in fields(settings)
        if each not in inner
    ]
    if name:
        yield f"## [{name}]\n"
        yield f"{prose(type(settings).__doc__)}\n"
        yield table(("setting", "default", "what it is"), rows)
    for each in inner:
        inside = f"{name}.{each.name}" if name else each.name
        yield from _sections(inside, getattr(settings, each.name))


def meanings(settings: type) -> dict[str, str]:
    """The docstring below each field of a dataclass, by the field's name."""
    (body,) = ast.parse(inspect.cleandoc(inspect.getsource(settings))).body
    assert isinstance(body, ast.ClassDef)
    return {
        field.target.id: str(below.value.value)
        for field, below in pairwise(body.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
    }


def _default(field: Field[Any], settings: object) -> str:
    value = getattr(settings, field.name) if field.default is MISSING else field.default
    return "no limit" if value is None else code(_in_toml(value))


def _in_toml(value: object) -> str:
    """A value in TOML."""
    if isinstance(value, Mapping):
        inside = (f"{name} = {_in_toml(each)}" for name, each in value.items())
        return f"{{ {', '.join(inside)} }}"
    if isinstance(value, int | float):
        return f"{value:_}".removesuffix(".0")
    return json.dumps(value)
