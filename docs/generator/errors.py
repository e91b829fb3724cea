"""The codes of refusals: status, class, fields of `detail`, and the files that raise each.

Files and fields are read from the calls of the error classes in the code of `kb_server`.
"""

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import kb_server
from docs.generator.markdown import code, table
from kb_server import ConnectionFailed
from kb_server.errors import ERRORS

__all__ = ["page"]

_INTRODUCTION: Final = """\
Every refusal is `{"error": {"code", "message", "detail"}}`, over HTTP with the status of its code,
on a websocket under the command's `id`. The client raises the class; each is a `BoardError`. An
error has some of the listed fields in `detail`; those with no field have an empty object.
"""
_RAISED: Final = """\
## Where each is raised

For those who change the board, or look for the reason of a refusal. A folder stands for its files
if there are more than five.
"""
_FEW: Final = 5
_DEEPEST: Final = 4
"""Sub-classes of sub-classes that are followed."""
_CODE: Final = Path(kb_server.__file__).parent


@dataclass
class _Uses:
    """The files that raise an error, and the fields of `detail` that they give it."""

    files: set[Path] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)

    @property
    def places(self) -> list[str]:
        many = len(self.files) > _FEW
        return sorted({str(each.parent if many else each) for each in self.files})


def page() -> str:
    """All codes, their places in the code, and the failures of a connection."""
    uses = _uses(_CODE)
    kinds = [(each, kind, uses[kind.__name__]) for each, kind in sorted(ERRORS.items())]
    codes = [
        (
            code(each),
            str(kind.status),
            code(kind.__name__),
            inspect.cleandoc(kind.__doc__ or ""),
            _listed(sorted(found.fields)),
        )
        for each, kind, found in kinds
    ]
    return "\n".join(
        [
            _INTRODUCTION,
            table(("code", "status", "in Python", "what it means", "fields of `detail`"), codes),
            "## When no answer comes\n",
            table(("in Python", "what it means"), _silences()),
            _RAISED,
            table(("code", "raised in"), ((code(c), _listed(f.places)) for c, _, f in kinds)),
        ]
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(code, names))


def _uses(folder: Path) -> dict[str, _Uses]:
    """The uses of each error class, by the name of the class; a sub-class counts as its base."""
    trees = {file: ast.parse(file.read_text("utf-8")) for file in sorted(folder.rglob("*.py"))}
    codes = {kind.__name__ for kind in ERRORS.values()}
    base = {name: above for tree in trees.values() for name, above in _bases(tree)}
    found: dict[str, _Uses] = defaultdict(_Uses)
    for file, tree in trees.items():
        for used, fields in _raised(tree):
            name = used
            for _ in range(_DEEPEST):
                name = name if name in codes else base.get(name, name)
            found[name].files.add(file.relative_to(folder.parent))
            found[name].fields.update(fields)
    return found


def _bases(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The classes of a module that have one base, with its name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and len(node.bases) == 1:
            above = node.bases[0]
            if isinstance(above, ast.Name) and above.id != node.name:
                yield node.name, above.id


def _raised(tree: ast.AST) -> Iterator[tuple[str, list[str]]]:
    """The classes that are called, with the names of the keywords, and those in dictionaries."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, [each.arg for each in node.keywords if each.arg is not None]
        elif isinstance(node, ast.Dict):
            yield from ((each.id, []) for each in node.values if isinstance(each, ast.Name))


def _silences() -> list[tuple[str, str]]:
    public = [getattr(kb_server, name) for name in sorted(dir(kb_server))]
    return [
        (code(each.__name__), inspect.cleandoc(each.__doc__ or ""))
        for each in public
        if isinstance(each, type) and issubclass(each, ConnectionFailed)
    ]
