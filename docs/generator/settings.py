"""The settings of a server: a table for each part of its file."""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Final

from docs.generator.markdown import code, prose, table
from kb_server.service.settings_file import ServerSettings

__all__ = ["page"]

_INTRODUCTION: Final = """\
`mindboard serve --settings FILE` reads them from a TOML file, a table for each section here. What
is left out has its default; what is not known is refused. [service.md](../service.md) shows a file.
"""


def page() -> str:
    """Every setting with its default, and what they are for."""
    return "\n".join([_INTRODUCTION, *_sections("", ServerSettings())])


def _sections(name: str, settings: Any) -> Iterator[str]:
    inner = [each for each in fields(settings) if is_dataclass(getattr(settings, each.name))]
    rows = [(code(each.name), _default(each, settings)) for each in fields(settings)]
    nested = {code(each.name) for each in inner}
    if name:
        yield f"## [{name}]\n"
        yield f"{prose(type(settings).__doc__)}\n"
        yield table(("setting", "default"), [row for row in rows if row[0] not in nested])
    for each in inner:
        inside = f"{name}.{each.name}" if name else each.name
        yield from _sections(inside, getattr(settings, each.name))


def _default(field: Field[Any], settings: object) -> str:
    value = getattr(settings, field.name) if field.default is MISSING else field.default
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_written(each)}" for name, each in value.items())
    return _written(value)


def _written(value: object) -> str:
    if value is None:
        return "no limit"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,}".replace(",", "\u202f").removesuffix(".0")
    return code(value)
