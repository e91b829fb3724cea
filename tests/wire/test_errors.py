"""The table of refusals: each code once, with the status that programs rely on."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kb_server import errors
from kb_server.errors import ERRORS, BoardError

ROOT = Path(errors.__file__).parent
GROUPS = {"BoardError", "DLError", "JournalError"}
NAMES = {kind.__name__ for kind in vars(errors).values() if isinstance(kind, type)}
STATUSES = {
    400: """bad_graph bad_model_name bad_query bad_request bad_statement query_too_large refused
        unknown_memory""",
    401: "unauthorized",
    403: "forbidden",
    404: "does_not_hold not_found unknown_graph unknown_model",
    405: "method_not_allowed",
    406: "not_acceptable",
    408: "too_slow",
    409: "inconsistent",
    410: "too_old",
    413: "too_large",
    415: "unsupported_media_type",
    426: "upgrade_required",
    500: "damaged dl_failed internal locked sparql_error",
    503: """busy dl_timeout journal_failed no_dl_engine read_only stopping too_costly""",
    504: "provider_timeout",
}
"""What clients in other languages rely on; no status or code may change."""


def trees() -> Iterator[tuple[str, ast.Module]]:
    """The source of each module of the board, parsed, by its path."""
    for file in ROOT.rglob("*.py"):
        yield file.relative_to(ROOT).as_posix(), ast.parse(file.read_text("utf-8"))


def below(kind: type[BoardError]) -> set[type[BoardError]]:
    """A class and all that derive from it, as far as they are imported."""
    return {kind}.union(*map(below, kind.__subclasses__()))


def test_no_code_or_status_changes() -> None:
    """Each code has the status that it always had."""
    expected = {code: status for status, codes in STATUSES.items() for code in codes.split()}
    assert {code: kind.status for code, kind in ERRORS.items()} == expected


def test_every_code_stands_once() -> None:
    """Each class of the table but the groups has a code of its own, a status and a sentence."""
    rows = [kind for kind in below(BoardError) if kind.__module__ == errors.__name__]
    own = [kind for kind in rows if kind.__name__ not in GROUPS]
    assert Counter(kind.code for kind in own) == dict.fromkeys(ERRORS, 1)
    assert all({"code", "status"} <= vars(kind).keys() for kind in own)
    assert all((kind.__doc__ or "").endswith(".") for kind in rows)


def test_no_other_file_gives_a_code() -> None:
    """No class of another file sets a code or a status, or bears the name of a refusal."""
    wrong = [
        f"{file} {node.name}"
        for file, tree in trees()
        for node in ast.walk(tree)
        if file != "errors.py" and isinstance(node, ast.ClassDef)
        if node.name in NAMES
        or any(ast.unparse(each).startswith(("code =", "status =")) for each in node.body)
    ]
    assert not wrong


def test_whatever_is_raised_stands_in_the_table() -> None:
    """Wherever the board raises a refusal, its class has a row; no group is raised."""
    raised = {
        node.func.id
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in NAMES
    }
    rows = {kind.__name__ for kind in ERRORS.values()}
    assert raised == rows == {*errors.__all__} - GROUPS
