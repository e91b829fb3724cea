"""The methods of the Python client and the values that it returns, with their docstrings.

Signatures are read from the source and not by `inspect`, which expands the aliases `Texts` and
`At`, and does so differently in each version of Python.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any, Final

import kb_server
from docs.generator.markdown import fenced, prose
from kb_server import Blackboard
from kb_server.client.calls import calls

__all__ = ["page"]

_INTRODUCTION: Final = """\
Every method is called on a `Blackboard`, with the model's name first, or on `kb[model]` without it.
An `AsyncBlackboard` has the same methods, to be awaited. [client.md](../client.md) explains them.
"""
_GIVEN: Final = ("Text", "Texts", "At")


def page() -> str:
    """The methods with their signatures, and the values."""
    verbs = [_section(name, getattr(Blackboard, name)) for name in _verbs(Blackboard)]
    return "\n".join(
        [
            _INTRODUCTION,
            "## What is given\n",
            fenced("\n".join(_aliases()), "python"),
            "## A board\n",
            f"{prose(Blackboard.__doc__)}\n",
            *[_section("Blackboard", Blackboard.__init__), _section("local", Blackboard.local)],
            "## Verbs\n",
            *verbs,
            "## Values\n",
            *[_value(each) for each in _values()],
        ]
    )


def _verbs(board: type) -> list[str]:
    """The public methods, in the order of the class."""
    return [
        name for name, what in vars(board).items() if name[0] != "_" and inspect.isfunction(what)
    ]


def _section(name: str, verb: Any) -> str:
    written = _parsed(inspect.unwrap(verb))
    given = ast.unparse(_plain(written.args, inspect.unwrap(verb).__globals__))
    answer = _answer(written.returns, name)
    shown = fenced(f"{name}({given}){answer}", "python")
    description = f"\n{prose(verb.__doc__)}\n" if verb.__doc__ else ""
    return f"### {name}\n\n{shown}{description}"


def _parsed(function: Any) -> ast.FunctionDef:
    [node] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef)
    return node


def _plain(args: ast.arguments, names: Mapping[str, Any]) -> ast.arguments:
    """Arguments without `self`, and with the values of named defaults."""
    args.args = [*args.posonlyargs, *args.args]
    args.posonlyargs = []
    args.args = [each for each in args.args if each.arg not in ("self", "cls")]
    args.defaults = [_value_of(each, names) for each in args.defaults]
    args.kw_defaults = [each and _value_of(each, names) for each in args.kw_defaults]
    return args


def _value_of(default: ast.expr, names: Mapping[str, Any]) -> ast.expr:
    return ast.Constant(names[default.id]) if isinstance(default, ast.Name) else default


def _answer(returns: ast.expr | None, name: str) -> str:
    """The return type: the answer of a call, or the events of a subscription."""
    if returns is None or name == "Blackboard":
        return ""
    if isinstance(returns, ast.Subscript) and isinstance(returns.value, ast.Name):
        inside = ast.unparse(returns.slice)
        found = {"Call": inside, "Interest": f"Subscription[{inside}]"}.get(returns.value.id)
        if found is not None:
            return f" -> {found.replace('Page', 'Iterator[Fact]')}"
    return f" -> {ast.unparse(returns)}"


def _aliases() -> Iterator[str]:
    for node in ast.parse(inspect.getsource(calls)).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in _GIVEN:
            yield ast.unparse(node)


def _values() -> list[type]:
    public = [getattr(kb_server, name) for name in sorted(dir(kb_server))]
    return [each for each in public if isinstance(each, type) and is_dataclass(each)]


def _value(kind: type) -> str:
    [node] = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(node, ast.ClassDef)
    fields = "\n".join(ast.unparse(each) for each in node.body if isinstance(each, ast.AnnAssign))
    fields = fields.replace("_Texts", "tuple[str, ...]")
    return f"### {kind.__name__}\n\n{prose(kind.__doc__)}\n\n{fenced(fields, 'python')}"
