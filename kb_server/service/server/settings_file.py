"""All settings of a server, from one TOML file: a table for each part, a key for each setting.

    [service]
    body_bytes = 1048576
    [journal]
    durability = "normal"
    age = 2592000

An unknown name is an error, since a misspelt limit would have no effect.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, TypeVar, get_args, get_origin, get_type_hints

from kb_server.core.models.board import BoardSettings
from kb_server.core.terms.terms import shown
from kb_server.errors import BadRequest
from kb_server.journal.protocol import JournalSettings
from kb_server.service.settings import ServiceSettings
from kb_server.sparql.settings import SparqlSettings

__all__ = ["ServerSettings", "read_settings"]


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


_Settings = TypeVar("_Settings", bound=_Dataclass)
_MAY_BE_ZERO: Final = frozenset(("derivations_each",))


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of each part."""

    service: ServiceSettings = field(default_factory=ServiceSettings)
    journal: JournalSettings = field(default_factory=JournalSettings)
    sparql: SparqlSettings = field(default_factory=SparqlSettings)
    board: BoardSettings = field(default_factory=BoardSettings)


def read_settings(path: Path) -> ServerSettings:
    """Reads a settings file; BadRequest if it is invalid."""
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as reason:
        why = getattr(reason, "strerror", reason)
        raise BadRequest(f"the settings file {path} can't be read: {why}") from None
    return _filled(ServerSettings(), said, str(path))


def _filled(old: _Settings, said: Mapping[str, Any], where: str) -> _Settings:
    """A dataclass with the given values in place of its own."""
    kinds = get_type_hints(type(old))
    known = [each.name for each in fields(old)]
    for name in said:
        if name not in known:
            raise BadRequest(f"{where}: unknown setting {name!r}; known: {', '.join(known)}")
    changed = {
        name: _value(getattr(old, name), kinds[name], value, f"{where}: {name}")
        for name, value in said.items()
    }
    return replace(old, **changed)


def _value(old: object, kind: Any, value: object, where: str) -> object:
    if is_dataclass(old) and not isinstance(old, type):
        if not isinstance(value, dict):
            raise BadRequest(f"{where} must be a table, not {shown(repr(value))}")
        return _filled(old, value, where)
    if isinstance(old, Mapping):
        return _durations(old, value, where)
    allowed = get_args(kind)
    if allowed and isinstance(allowed[0], str):
        if value not in allowed:
            known = ", ".join(allowed)
            raise BadRequest(f"{where} must be one of {known}, not {shown(repr(value))}")
        return value
    return _number(kind, value, where)


def _durations(old: Mapping[str, float], value: object, where: str) -> Mapping[str, float]:
    """Named durations in seconds, added to the existing ones."""
    if not isinstance(value, dict):
        raise BadRequest(f"{where} must be a table of seconds, not {shown(repr(value))}")
    return {**old, **{name: float(_number(float, s, where)) for name, s in value.items()}}


def _number(kind: Any, value: object, where: str) -> float:
    kinds = get_args(kind) if get_origin(kind) else (kind,)
    wanted = (int, float) if float in kinds else (int,)
    if not isinstance(value, wanted) or isinstance(value, bool) or not value >= 0:
        names = " or ".join(each.__name__ for each in wanted)
        raise BadRequest(f"{where} must be a positive {names}, not {shown(repr(value))}")
    if value == 0 and where.rpartition(" ")[2] not in _MAY_BE_ZERO:
        raise BadRequest(f"{where} can't be 0")
    return value
