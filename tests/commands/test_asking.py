"""`find` and `query`: tables for people, JSON and CSV for programs, and failures in one line."""

import csv
import io
import json
from pathlib import Path
from typing import Final

import pytest

from tests.commands.program import Program

FACTS = """
@prefix : <http://kb.openrobots.org#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:book1 a :Book ; :isOn :table ; rdfs:label "[red] \\"one\\"" .
:book2 a :Book ; :isIn :box .
"""


@pytest.fixture(autouse=True)
def library(program: Program) -> None:
    """A model with two books."""
    program("import", "-", "--format", "turtle", "--model", "library", stdin=FACTS)


def test_find_as_table(program: Program) -> None:
    """`find` prints a table whose columns are the variables, in the order of the line."""
    lines = program("find", "?o a Book", "?o isOn ?where", "--model", "library").stdout.splitlines()
    assert lines[1].split() == ["┃", "o", "┃", "where", "┃"]
    assert lines[3].split() == ["│", "book1", "│", "table", "│"]
    assert "1 row" in lines[-1]


def test_find_as_data(program: Program) -> None:
    """With `--json` and `--csv` it prints data, texts as they are, brackets and quotes included."""
    asked = ("find", "book1 rdfs:label ?l", "book1 a ?c", "--model", "library")
    chosen = ("--select", "?l", "--limit", "1")
    label = '"[red] \\"one\\""'
    assert json.loads(program(*asked, *chosen, "--json").stdout) == {"bindings": [{"l": label}]}
    rows = list(csv.reader(io.StringIO(program(*asked, *chosen, "--csv").stdout)))
    assert rows == [["l"], [label]]
    assert label in program(*asked, *chosen).stdout


def test_a_terminal_obeys_nothing_that_is_on_the_board(program: Program) -> None:
    """What would command a terminal is shown as it is written; JSON escapes it by itself."""
    told = 'INSERT DATA { oro:trap oro:says "a\\u001b[2J\\u202eb" }'
    assert program("query", "--update", told, "--model", "library").stdout
    asked = ("find", "trap says ?what", "--model", "library")
    for shown in (program(*asked).stdout, program(*asked, "--json").stdout):
        assert "\x1b" not in shown
    assert "\\x1b[2J\\u202e" in program(*asked).stdout


def test_find_without_variables(program: Program) -> None:
    """Without variables `find` says yes or no; with some and no answer, that there are no rows."""
    assert program("find", "book1 isOn table", "--model", "library").stdout == "yes\n"
    assert program("find", "book2 isOn table", "--model", "library").stdout == "no\n"
    csv_lines = program("find", "book1 isOn table", "--model", "library", "--csv").stdout
    assert csv_lines == "yes\n"
    assert "0 rows" in program("find", "?x isOn nothing", "--model", "library").stdout


def test_find_in_the_past(program: Program) -> None:
    """`--at` asks the past."""
    program("find", "book1 isOn table", "--model", "library", "--at", "9999999", status=2)
    models = json.loads(program("find", "?x a Book", "--model", "library", "--json").stdout)
    assert len(models["bindings"]) == 2


def test_query_as_table_and_data(program: Program, tmp_path: Path) -> None:
    """`query` takes its text from the line, from stdin or a file, and prints what is asked for."""
    text = "SELECT ?o ?w { ?o a oro:Book ; oro:isAt ?w } ORDER BY ?o"
    file = tmp_path / "query.rq"
    file.write_text(text)
    model = ("--model", "library")
    table = program("query", text, *model).stdout
    assert "│ book1 │ table │" in table
    assert program("query", "-", *model, stdin=text).stdout == table
    assert program("query", "-f", str(file), *model).stdout == table
    rows = program("query", text, *model, "--csv").stdout.splitlines()
    assert rows[0] == "o,w"
    assert len(rows) == 3
    found = json.loads(program("query", text, *model, "--json").stdout)
    assert found["head"]["vars"] == ["o", "w"]
    assert program("query", text, *model, "--no-inferred", "--csv").stdout.splitlines() == ["o,w"]


def test_query_of_other_kinds(program: Program) -> None:
    """ASK says yes or no, CONSTRUCT prints a graph in the format asked for."""
    assert program("query", "ASK { ?x a oro:Book }", "--model", "library").stdout == "yes\n"
    graph = "CONSTRUCT { <urn:s> <urn:p> 1 } WHERE {}"
    assert "<urn:s> <urn:p> 1" in program("query", graph).stdout
    assert "rdf:RDF" in program("query", graph, "--format", "rdfxml").stdout
    assert json.loads(program("query", graph, "--json").stdout)


def test_query_updates(program: Program) -> None:
    """With `--update` a change is made, and what it did is said."""
    text = "INSERT DATA { oro:pen oro:isIn oro:cup }"
    said = program("query", "--update", text, "--model", "library").stdout
    assert said.startswith("library: ")
    assert program("find", "pen isAt cup", "--model", "library").stdout == "yes\n"
    undo = text.replace("INSERT", "DELETE")
    told = program("query", "--update", undo, "--model", "library", "--json").stdout
    (delta,) = json.loads(told)["deltas"]
    assert delta.keys() == {"model", "seq", "became_true", "ceased"}
    assert "pen isAt cup" in delta["ceased"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("find", "only two"), 2, "only two"),
        (("find", "?x isIn ?y", "--model", "nobody"), 1, "nobody"),
        (("query", "SELECT"), 2, "syntax error in line 1, column 7: expected"),
        (("query",), 2, "one query"),
        (("query", "-f", "/dev/null"), 1, "syntax error in line 1, column 1"),
        (("query", "-"), 1, "stdin"),
        (("query", "-f", "no such file"), 1, "no such file can't be read: No such file or"),
        (("find", "?x isIn ?y", "--kb", "http://127.0.0.1:9"), 1, "http://127.0.0.1:9"),
        (("watch", "?x isIn ?y", "--kb", "http://127.0.0.1:9"), 1, "http://127.0.0.1:9"),
        (("find", "?x isIn ?y", "--kb", "no address"), 2, "no address"),
        (("find", "?x isIn ?y", "--token-file", "no such file"), 1, "token"),
        (("find", "?x isIn ?y", "--token-file", "/dev/null"), 1, "a token must be visible"),
        (("import", "no such file.ttl"), 1, "can't be read"),
        (("import", "what.bin"), 2, "--format"),
        (("import", "-"), 2, "the format of stdin is unknown"),
        (("export", "--model", "a", "--model", "b", "--format", "turtle"), 2, "trig"),
    ],
)
def test_failures_are_one_line(
    program: Program, words: tuple[str, ...], status: int, said: str
) -> None:
    """What fails says so in one line, with status 2 for a wrong line and 1 for all else."""
    done = program(*words, status=status)
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"mindboard {words[0]}: ")
    assert said in line


@pytest.mark.parametrize("command", ["find", "query", "watch", "export", "import"])
def test_help(program: Program, command: str) -> None:
    """Every command has help, with an example."""
    assert "example: mindboard" in program(command, "--help").stdout


OUTPUTS: Final = (
    ("find", "?o a Book", "--model", "library"),
    ("find", "?o a Book", "--model", "library", "--json"),
    ("find", "book1 isOn table", "--model", "library"),
    ("query", "SELECT * { ?s ?p ?o } LIMIT 3"),
    ("query", "SELECT * { ?s ?p ?o } LIMIT 3", "--csv"),
    ("export", "--model", "library"),
)


@pytest.mark.parametrize("words", OUTPUTS)
@pytest.mark.parametrize("line", ['"$@" >&-', '"$@" | true; exit ${PIPESTATUS[0]}'])
def test_output_that_nobody_reads(program: Program, line: str, words: tuple[str, ...]) -> None:
    """Where the output is closed, or its reader has gone, a command ends quietly with 0."""
    done = program.in_shell(line, *words)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "words",
    [
        *OUTPUTS,
        ("export", "--model", "library", "-o", "/dev/full"),
        ("watch", "?o a Book", "--model", "library", "--snapshot", "--json"),
    ],
)
def test_output_that_can_not_be_written(program: Program, words: tuple[str, ...]) -> None:
    """Where the output finds no room a command fails in one line."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        failed = program(*words, stdout=full, status=1)
    assert failed.stderr.count("\n") == 1
    assert "can't be written" in failed.stderr
