"""Reading YAML and JSON as plain data, without their surprises.

YAML is read with the core schema of version 1.2: `on`, `yes` and `no` are texts, `1e-3` is a
number, `010` is ten, and there are no dates. A repeated key is an error. Aliases are allowed, and
the size of the document is limited after they are expanded.
"""

import json
import math
import re
from typing import Any, Final

import yaml

from spatial_reasoner.errors import SceneError, shown

__all__ = ["LARGEST", "read_json", "read_yaml"]

LARGEST: Final = 2**20
"""Bytes of a scene file at most."""
_MOST_NODES: Final = 100_000
"""Nodes of a YAML document at most, after its aliases are expanded."""


def read_json(text: str) -> object:
    """The value of a JSON text; ValueError names what is wrong with it."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_finite)
    except RecursionError:
        raise ValueError("is nested too deeply") from None


def read_yaml(text: str) -> object:
    """The value of a YAML text of one document; SceneError names the line that is wrong."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _bounded(node)
        return loader.construct_document(node)
    except RecursionError:
        raise SceneError("", "is nested too deeply") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f"line {mark.line + 1}" if mark else ""
        raise SceneError(line, error.problem or str(error)) from None
    except (yaml.YAMLError, ValueError) as error:
        raise SceneError("", f"can't be read as YAML: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise ValueError(f"{shown(twice)} is given twice")
    return found


def _finite(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


class _Loader(yaml.SafeLoader):
    """A loader for plain data only, which refuses repeated keys."""

    # Its own dictionary, because otherwise the resolvers below would apply to every loader.
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        seen = set[tuple[str, str]]()
        for key, _ in node.value:
            named = (key.tag, str(key.value))
            if isinstance(key, yaml.ScalarNode) and named in seen:
                raise yaml.composer.ComposerError(
                    None, None, f"{shown(key.value)} is given twice", key.start_mark
                )
            seen.add(named)
        return node


def _bounded(root: yaml.Node) -> None:
    """Refuses a document that is too large, or infinite, once its aliases are expanded."""
    sizes: dict[int, float] = {}
    if _size(root, sizes) > _MOST_NODES:
        raise SceneError("", f"has more than {_MOST_NODES} values once its aliases are written out")


def _size(node: yaml.Node, sizes: dict[int, float]) -> float:
    """The number of nodes in a node; infinite if it contains itself."""
    if id(node) not in sizes:
        sizes[id(node)] = math.inf
        parts = [
            _size(part, sizes)
            for each in (node.value if isinstance(node, yaml.CollectionNode) else ())
            for part in (each if isinstance(each, tuple) else (each,))
        ]
        sizes[id(node)] = 1 + sum(parts)
    return sizes[id(node)]


def _whole(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    return int(loader.construct_scalar(node))


def _number(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> float:
    return float(loader.construct_scalar(node).replace(".inf", "inf").replace(".nan", "nan"))


def _truth(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> bool:
    return loader.construct_scalar(node) == "true"


_NUMBER: Final = r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.inf|\.nan"
for _tag, _pattern, _first in (
    ("null", r"~|null|", ["~", "n", ""]),
    ("bool", r"true|false", ["t", "f"]),
    ("int", r"[-+]?[0-9]+", [*"-+0123456789"]),
    ("float", _NUMBER, [*"-+.0123456789"]),
    ("merge", r"<<", ["<"]),
):
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_pattern})\\Z"), _first
    )
_Loader.add_constructor("tag:yaml.org,2002:int", _whole)
_Loader.add_constructor("tag:yaml.org,2002:float", _number)
_Loader.add_constructor("tag:yaml.org,2002:bool", _truth)
