"""The rules of the house: which room may import which, and how a file is laid out.

A rule reads the source, not the running program, so it holds for code that no test reaches.
"""

import ast
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Each room, and the rooms it may import beside itself. A module belongs to the longest name here
# that is its own or its package's; `kb_server` is the public names only, and any module of it
# that is in no other room breaks the rule.
BOARD = {"ontology", "kb_server.core", "kb_server.errors"}
EDGES = {"kb_server.loading", "kb_server.consistency", "kb_server.dl"}
KEEPERS = {"kb_server.journal", "kb_server.sparql"}
HOSTED = {"kb_server.host", "kb_server.wire"}
NAMES = {"ontology", "kb_server", "kb_server.program", "kb_server.stdio", "kb_server.tokens"}
ROOMS = {
    "ontology": set[str](),
    "kb_server.errors": set[str](),
    "kb_server.core": {"ontology", "kb_server.errors"},
    "kb_server.wire": {*BOARD, "kb_server.journal"},
    "kb_server.workers": set[str](),
    "kb_server.dl": {"ontology", "kb_server.errors", "kb_server.workers"},
    "kb_server.loading": {*BOARD, "kb_server.dl"},
    "kb_server.consistency": {*BOARD, "kb_server.dl"},
    "kb_server.journal": BOARD,
    "kb_server.sparql": {*BOARD, "kb_server.workers"},
    "kb_server.host": {*BOARD, "kb_server.journal", "kb_server.wire"},
    "kb_server.answering": {
        *BOARD,
        *("kb_server.consistency", "kb_server.journal", "kb_server.wire"),
    },
    "kb_server.service": {
        *(*BOARD, *EDGES, *KEEPERS, *HOSTED),
        *("kb_server", "kb_server.answering"),
        *("kb_server.program", "kb_server.stdio", "kb_server.tokens"),
    },
    "kb_server.client": {*BOARD, *EDGES, *KEEPERS, *HOSTED, "kb_server", "kb_server.answering"},
    "kb_server.commands": {
        *(*BOARD, *HOSTED),
        *("kb_server", "kb_server.program", "kb_server.stdio"),
        *("kb_server.client", "kb_server.sparql"),
    },
    "kb_server": {*BOARD, "kb_server.client"},
    "kb_server.stdio": set[str](),
    "kb_server.tokens": BOARD,
    "kb_server.program": {"kb_server.stdio"},
    "kb_server.__main__": {"kb_server.program"},
    "spatial_reasoner": {*NAMES, "kb_server.workers"},
    "dialogue": NAMES,
    "planner_bridge": {*NAMES, "planner_bridge.imagination"},
    "planner_bridge.imagination": {*NAMES, "planner_bridge", "spatial_reasoner"},
}
OURS = {room.partition(".")[0] for room in ROOMS}

# A library, and how the path of every file begins that may import it.
_BULLET = ("spatial_reasoner/dynamics/bullet", "benchmarks/plain_bullet")
DOORS = {
    "numba": ("spatial_reasoner/kernels/compiled.py",),
    "pybullet": _BULLET,
    "pybullet_data": _BULLET,
}

# The public names of classes and types that stand in several files, and why.
DOUBLED = {"Pose": "users of the client read a record; the spatial reasoner computes with arrays"}

_MOST_PARAMETERS: int = 7
# Functions with more: people call the first three by keywords, and `unseen.py` simulates a step.
LONG_SIGNATURES = {
    "kb_server/client/calls/calls.py": ("revise",),
    "spatial_reasoner/sources/camera.py": ("__init__",),
    "spatial_reasoner/sources/gripper.py": ("__init__",),
    "spatial_reasoner/belief/unseen.py": ("move", "_go_on", "_simulate"),
}

PURE = ("kb_server/core/", "kb_server/answering/")
# The files that may start a process that runs on beside ours, and what starts one.
STARTERS = {"kb_server/workers.py", "kb_server/service/server/companion.py"}
STARTS = re.compile(
    r"subprocess\.(Popen|\*)|os\.(fork(pty)?|popen|posix_spawnp?|spawn\w+)|pty\.(fork|spawn)"
    r"|asyncio\.(subprocess\.)?create_subprocess_\w+|.*\.subprocess_(exec|shell)"
    r"|multiprocessing\.(?!connection\.).*|concurrent\.futures\.(process\.)?ProcessPoolExecutor"
)
WORLDLY_MODULES = {
    *("asyncio", "os", "random", "secrets", "shutil", "socket", "subprocess"),
    *("tempfile", "threading", "time", "uuid"),
}
WORLDLY_CALLS = re.compile(
    r"print|input|(.*\.)?(open|(read|write)_(text|bytes)|(date|datetime)\.(now|utcnow|today))"
)

DRAWER = re.compile(r"_?(utils?|commons?|helpers?|misc|managers?)")
SKIPPED = re.compile(r"\.(?!ci$|github$).*|__pycache__|build|dist|.*\.egg-info")
ELSEWHERE = re.compile(
    r"(?<![\w.})*-])/(?:home|work|root|Users)/"
    r"|pypi\.org|pythonhosted\.org|registry\.npmjs|deb\.debian\.org|index[-_]url"
)


@cache
def files() -> tuple[str, ...]:
    """Every file of the repository, by its path from the root; `.git` is a file in a worktree."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not SKIPPED.fullmatch(name)]
        found += [
            (Path(folder) / name).relative_to(ROOT).as_posix() for name in names if name != ".git"
        ]
    return tuple(sorted(found))


@cache
def sources() -> dict[str, ast.Module]:
    """Every Python file of the repository, parsed."""
    return {f: ast.parse((ROOT / f).read_text("utf-8"), f) for f in files() if f.endswith(".py")}


@cache
def modules() -> dict[str, str]:
    """The file of each module of the rooms, by the module's name."""
    inside = [file for file in sources() if file.partition("/")[0] in OURS]
    return {f[:-3].replace("/", ".").removesuffix(".__init__"): f for f in inside}


def imports(file: str) -> Iterator[str]:
    """The modules that a file imports, wherever in it: `a.b` for `from a import b`, if a module."""
    package = file.rpartition("/")[0].replace("/", ".")
    for node in ast.walk(sources()[file]):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names = [f"{base}.{name.name}" for name in node.names]
            yield from {name if name in modules() else base for name in names}


def room(module: str) -> str:
    """The room of a module."""
    parts = module.split(".")
    return next(r for n in range(len(parts), 0, -1) if (r := ".".join(parts[:n])) in ROOMS)


def test_rooms_import_only_what_the_table_allows() -> None:
    """A room imports only itself and the rooms that the table grants it."""
    wrong = [
        f"{module} imports {other}"
        for module, file in modules().items()
        for other in imports(file)
        if other.partition(".")[0] in OURS
        and room(other) not in ROOMS[room(module)] | {room(module)}
    ]
    assert not wrong


def test_only_the_vocabulary_names_the_w3c() -> None:
    """No other file of ours has an IRI of the W3C in its code; in docstrings they explain."""
    named = [
        f"{file}:{node.lineno}"
        for file in modules().values()
        if file != "ontology/vocabulary.py"
        for node in ast.walk(sources()[file])
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if "http://www.w3.org/" in node.value and "\n" not in node.value
    ]
    assert not named


def test_every_module_of_the_board_has_a_room() -> None:
    """Only the public names live in `kb_server` itself; all else in it has a row of its own."""
    assert {module for module in modules() if room(module) == "kb_server"} <= {"kb_server"}


def test_no_import_cycles() -> None:
    """No module of ours imports itself, by whatever detour."""
    graph = {m: modules().keys() & set(imports(f)) for m, f in modules().items()}
    assert len([*TopologicalSorter(graph).static_order()]) == len(graph)


def test_each_guarded_library_has_one_door() -> None:
    """A library behind a door is imported by its files alone."""
    wrong = [
        f"{file} imports {name}"
        for file in sources()
        for name in imports(file)
        if not file.startswith(DOORS.get(name.partition(".")[0], (file,)))
    ]
    assert not wrong


def test_no_public_class_name_stands_in_two_files() -> None:
    """A class or type has a name of its own in all the rooms, except for those that are listed."""
    places: dict[str, set[str]] = {}
    for file in modules().values():
        for name in class_names(sources()[file].body):
            places.setdefault(name, set()).add(file)
    assert {name for name, found in places.items() if len(found) > 1} == DOUBLED.keys()


def class_names(body: Iterable[ast.AST]) -> Iterator[str]:
    """The public classes and names of types that statements define, also those within blocks."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            defined = [node.name]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            defined = []
        else:
            defined = [
                each.id
                for each in ast.iter_child_nodes(node)
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            ]
            yield from class_names(ast.iter_child_nodes(node))
        yield from (each for each in defined if each[0].isupper() and not each.isupper())


def test_array_types_stand_in_one_file() -> None:
    """`NDArray` is imported by the file that names the types of arrays, and nowhere else."""
    importers = {
        file
        for file, source in sources().items()
        for node in ast.walk(source)
        if isinstance(node, ast.ImportFrom) and "NDArray" in {name.name for name in node.names}
    }
    assert importers == {"spatial_reasoner/geometry/arrays.py"}


def test_no_function_has_many_parameters() -> None:
    """A function has at most seven parameters; a compiled loop may have more, all of them flat."""
    wrong = [
        f"{file}: {node.name} has {number}"
        for file in modules().values()
        for node in ast.walk(sources()[file])
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (number := parameters(node)) > _MOST_PARAMETERS
        if not any("compiled" in ast.unparse(each) for each in node.decorator_list)
        if node.name not in LONG_SIGNATURES.get(file, ())
    ]
    assert not wrong


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The number of parameters that callers pass."""
    each = function.args
    named = [*each.posonlyargs, *each.args, *each.kwonlyargs]
    is_bound = bool(named) and named[0].arg in ("self", "cls")
    return len(named) + (each.vararg is not None) + (each.kwarg is not None) - is_bound


def test_processes_are_started_in_few_places() -> None:
    """Outside of annotations, only the doors for it name what starts a process beside ours."""
    named = {file for file in modules().values() if any(map(STARTS.fullmatch, whole_names(file)))}
    assert named == STARTERS


def whole_names(file: str) -> Iterator[str]:
    """The names that a file imports or uses outside of annotations, whole: `a.b` for `from a`."""
    tree = sources()[file]
    meant: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            meant |= {each.asname: each.name for each in node.names if each.asname}
        elif isinstance(node, ast.ImportFrom):
            meant |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    yield from meant.values()
    for node in outside_annotations(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            first, dot, rest = ast.unparse(node).partition(".")
            yield meant.get(first, first) + dot + rest


def outside_annotations(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all nodes in it, without those of annotations."""
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST):
                    yield from outside_annotations(each)


def test_compiled_loops_stand_below_those_that_they_call() -> None:
    """A loop calls compiled loops of its file that stand above it, which are compiled first."""
    wrong = [
        f"{file}:{call.lineno} {loop.name} calls {call.func.id}"
        for file, tree in sources().items()
        for loops in [[n for n in tree.body if isinstance(n, ast.FunctionDef) and is_compiled(n)]]
        for place, loop in enumerate(loops)
        for call in ast.walk(loop)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id in {later.name for later in loops[place + 1 :]}
    ]
    assert not wrong


def is_compiled(function: ast.FunctionDef) -> bool:
    """Whether a function is compiled by our own door to the compiler."""
    return any("compiled" in ast.unparse(each) for each in function.decorator_list)


def test_imports_stand_at_the_top() -> None:
    """Every import is a statement of its module itself, or one for type checkers."""
    wrong = [
        f"{file}:{node.lineno}"
        for file, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and node not in top(tree)
    ]
    assert not wrong


def top(tree: ast.Module) -> list[ast.stmt]:
    """The statements of a module itself, those for type checkers, and those within a block."""
    typing = [n for n in tree.body if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.dump(n.test)]
    blocks = [n for n in tree.body if isinstance(n, ast.With)]
    within: list[ast.If | ast.With] = [*typing, *blocks]
    return tree.body + [each for node in within for each in node.body]


def test_all_is_sorted() -> None:
    """A module's `__all__`, where it has one, is sorted: CONSTANTS, then Classes, then the rest."""
    wrong = [
        file
        for file, tree in sources().items()
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        if (names := ast.literal_eval(node.value)) != sorted(names, key=kind_and_name)
    ]
    assert not wrong


def kind_and_name(name: str) -> tuple[bool, bool, str]:
    """What `__all__` is sorted by, as ruff sorts it."""
    return not name.isupper(), not name[0].isupper(), name


def test_every_test_says_what_is_true() -> None:
    """Every test has a docstring of one sentence."""
    wrong = [
        f"{file}:{node.lineno} {node.name}"
        for file, tree in sources().items()
        if file.startswith("tests/")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not one_sentence(ast.get_docstring(node) or "")
    ]
    assert not wrong


def one_sentence(text: str) -> bool:
    """Whether a text is one sentence: it ends in a full stop, and no other begins inside it."""
    return text.endswith(".") and not re.search(r"[.!?]\s+[A-Z]|\n\n", text)


def test_no_drawers() -> None:
    """No file or folder is named after nothing in particular."""
    assert not [f for f in files() if any(DRAWER.fullmatch(p.split(".")[0]) for p in f.split("/"))]


def test_pure_files_reach_for_nothing() -> None:
    """A pure file neither reads a clock, draws a number, waits, opens nor prints."""
    pure = [file for file in sources() if file.startswith(PURE)]
    reached = [
        f"{file} imports {name}"
        for file in pure
        for name in imports(file)
        if name.partition(".")[0] in WORLDLY_MODULES
    ]
    called = [
        f"{file}:{node.lineno} {ast.unparse(node)}"
        for file in pure
        for node in ast.walk(sources()[file])
        if isinstance(node, ast.Await | ast.AsyncFunctionDef)
        or (isinstance(node, ast.Call) and WORLDLY_CALLS.fullmatch(ast.unparse(node.func)))
    ]
    assert not reached + called


def test_files_stay_short() -> None:
    """No file outside the tests is longer than 400 lines."""
    lengths = {f: (ROOT / f).read_text("utf-8").count("\n") for f in sources()}
    assert not {f: n for f, n in lengths.items() if n > 400 and not f.startswith("tests/")}


def test_nothing_names_a_machine() -> None:
    """No file names somebody's home folder or the address of a package registry."""
    assert not [
        f"{file}:{number}"
        for file in files()
        for number, line in enumerate((ROOT / file).read_text("utf-8", "replace").split("\n"), 1)
        if ELSEWHERE.search(line)
    ]


def test_lock_is_plain_and_complete() -> None:
    """The lock names one exact version a line, for at least what `pyproject.toml` asks for."""
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = project["dependencies"] + project["optional-dependencies"]["dev"]
    asked_names = {plain(re.split(r"[^\w-]", name)[0]) for name in asked}
    assert asked_names <= {plain(line.partition("==")[0]) for line in lines}


def plain(name: str) -> str:
    """A distribution's name as the index compares it."""
    return name.lower().replace("_", "-")
