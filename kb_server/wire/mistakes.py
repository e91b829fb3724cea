"""Readable messages for invalid requests: which field is wrong, and what would be right.

pydantic reports every failed member of a union under internal names (`add.0.str: Input should be a
valid string`). Therefore the type of each field carries a `Expected` with a description of a right
value; a test checks that every field has one. pydantic finds the wrong field, and this module
writes the message.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

__all__ = ["Expected", "Mistake", "mistake_in", "mistake_in_parameter", "mistake_of", "wanted_of"]

_SHOWN: Final = 80
"""Characters of a given value that a message shows."""
_LONGEST: Final = 500
"""Characters of a message."""
_KEY: Final = "[key]"
_SAID_BY_ITSELF: Final = ("unknown_field", "no_text")
_HALF: Final = "string_unicode"
_MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class Expected:
    """The description of a right value: `whole` of the field, `each` of one item in it.

    `inside` is the model of the items if they are objects.
    """

    whole: str
    each: str = ""
    inside: type[BaseModel] | None = None


class Mistake(NamedTuple):
    """The message, and the wrong field with its place, such as `patterns[0]`."""

    message: str
    field: str


class _Place(NamedTuple):
    """A place in a request, the value given there, and the description of a right value."""

    path: str
    given: object
    must: str


def mistake_in(kind: type[BaseModel], said: object, errors: Sequence[Mapping[str, Any]]) -> Mistake:
    """Return the first mistake in a request body, from pydantic's list of errors."""
    first = errors[0]
    if not isinstance(said, dict):
        fields = ", ".join(alias for alias, _ in _fields(kind))
        return Mistake(_must("the body", said, f"a JSON object with the fields {fields}"), "")
    place = _place(kind, said, list(first["loc"]))
    if first["type"] in _SAID_BY_ITSELF:
        return _said_by_itself(place.path, first)
    return Mistake(_reason(first, place)[:_LONGEST], place.path[:100])


def mistake_of(kind: type[BaseModel], said: object, error: ValidationError) -> Mistake:
    """Return the first mistake in a request body, from pydantic's exception."""
    return mistake_in(kind, said, error.errors(include_url=False, include_input=False))


def mistake_in_parameter(error: Mapping[str, Any]) -> Mistake:
    """Return the mistake in a query parameter, whose types are simple."""
    name, about = str(error["loc"][-1]), error.get("ctx", {})
    must = {
        "int_parsing": "a whole number",
        "int_parsing_size": "a whole number",
        "bool_parsing": "true or false",
        "literal_error": f"one of {about.get('expected')}",
        "greater_than_equal": f"a whole number of at least {about.get('ge')}",
        "less_than_equal": f"a whole number of at most {about.get('le')}",
    }.get(error["type"], "text")
    if error["type"] == "missing":
        return Mistake(f"{name} is missing: this call needs ?{name}=", name[:100])
    return Mistake(_must(name, error["input"], must)[:_LONGEST], name[:100])


def wanted_of(field: FieldInfo) -> Expected | None:
    """Return the description of a field's right value, if it has one."""
    return next((each for each in field.metadata if isinstance(each, Expected)), None)


def _fields(kind: type[BaseModel]) -> list[tuple[str, FieldInfo]]:
    return [(field.alias or name, field) for name, field in kind.model_fields.items()]


def _place(kind: type[BaseModel], said: Mapping[str, Any], loc: list[str | int]) -> _Place:
    """Follow pydantic's location as far as it leads into the request."""
    field = dict(_fields(kind)).get(str(loc[0])) if loc else None
    wanted = wanted_of(field) if field else None
    if field is None or wanted is None:
        return _Place("", said, "")
    path, given = str(loc[0]), said.get(str(loc[0]), _MISSING)
    if not wanted.each or len(loc) < 2 or _KEY in loc:
        return _Place(path, given, wanted.whole)
    return _item(wanted, path, given, loc[1:])


def _item(wanted: Expected, path: str, given: object, loc: list[str | int]) -> _Place:
    key = loc[0]
    if isinstance(given, list) and isinstance(key, int) and key < len(given):
        return _Place(f"{path}[{key}]", given[key], wanted.each)
    if not isinstance(given, dict) or key not in given:
        return _Place(path, given, wanted.whole)
    inner, here = given[key], f"{path}.{str(key)[:_SHOWN]}"
    if wanted.inside is None or not isinstance(inner, dict):
        return _Place(here, inner, wanted.each)
    deeper = _place(wanted.inside, inner, loc[1:])
    return deeper._replace(path=f"{here}.{deeper.path}" if deeper.path else here)


def _said_by_itself(path: str, error: Mapping[str, Any]) -> Mistake:
    """Return the mistake that one of our own checks found; its message names the field."""
    field = ".".join(filter(None, (path, error["ctx"]["field"])))
    return Mistake(f"{path}: {error['msg']}"[:_LONGEST].removeprefix(": "), field[:100])


def _reason(error: Mapping[str, Any], place: _Place) -> str:
    if error["type"] == _HALF:
        return f"{place.path}: a text holds half a character, as \\ud800"
    if place.given is _MISSING:
        return f"{place.path} is missing: it must be {place.must}"
    return _must(place.path, place.given, place.must)


def _must(path: str, given: object, must: str) -> str:
    return f"{path} must be {must}, not {_shown(given)}"


def _shown(given: object) -> str:
    """Return a short text of a given value; lists and objects are only summarised."""
    if isinstance(given, list):
        return f"a list of {len(given)}"
    if isinstance(given, dict):
        return "an object"
    if isinstance(given, int) and given.bit_length() > 2**10:
        return "a number as long as that"
    text = json.dumps(given, default=str)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
