"""The reference says what the code says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.generator import errors, markdown
from docs.generator.pages import FOLDER, pages
from docs.generator.settings import meanings
from kb_server.errors import ERRORS
from kb_server.loading import load_common_sense
from kb_server.service.server.settings_file import ServerSettings, read_settings
from kb_server.sparql.settings import Counters, SparqlSettings


def test_the_reference_is_what_the_code_makes() -> None:
    """Each file of the reference is as `make reference` writes it, and there is no other."""
    written = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.md")}
    made = pages()
    assert written.keys() == made.keys()
    for name, text in made.items():
        assert written[name] == text, f"docs/reference/{name} is old: say `make reference`"


def test_every_code_is_raised_somewhere() -> None:
    """The page of errors names, for each code, the files or folders that raise it."""
    rows = errors.page().partition("| code | raised in |")[2].splitlines()[2:]
    raised = dict(row.strip("| ").split(" | ") for row in rows if row)
    assert {each.strip("`") for each in raised} == ERRORS.keys()
    assert all(
        Path(place.strip(" `")).exists() for each in raised.values() for place in each.split(",")
    )


def test_the_commands_are_the_same_in_any_terminal() -> None:
    """Neither the width of the terminal nor the user's settings change what is said of them."""
    odd = {"COLUMNS": "30", "XDG_DATA_HOME": "/elsewhere", "MINDBOARD_URL": "http://a.b:1"}
    said = subprocess.run(
        [sys.executable, "-c", "from docs.generator.commands import page; print(page(), end='')"],
        env={**os.environ, **odd},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert (FOLDER / "commands.md").read_text("utf-8").endswith(said)


def test_every_command_has_an_example() -> None:
    """The help of each command ends with an example of it."""
    page = (FOLDER / "commands.md").read_text("utf-8")
    sections = re.findall(r"^## (mindboard \w+)$(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert len(sections) > 8
    assert [command for command, said in sections if f"\nexample: {command} " not in said] == []


def test_the_defaults_can_be_pasted(tmp_path: Path) -> None:
    """The defaults as the reference shows them are a settings file, and say what holds anyway."""
    page = (FOLDER / "settings.md").read_text("utf-8")
    lines = re.findall(r"^## (\[.*\])$|^\| `(\w+)` \| `(.*?)` \|", page, re.MULTILINE)
    file = tmp_path / "settings.toml"
    file.write_text("\n".join(head or f"{name} = {value}" for head, name, value in lines))
    assert read_settings(file) == ServerSettings()


def test_settings_are_explained_below_each() -> None:
    """What stands below a field is its meaning; what stands elsewhere is none."""
    assert meanings(SparqlSettings)["workers"] == "Worker processes."
    assert set(meanings(Counters)) == set()


@pytest.mark.parametrize(
    ("docstring", "shown"),
    [
        ("One.\n\n    >>> two\n    2\n", "One."),
        ("One\n    line.\n\n    Two.", "One\nline.\n\nTwo."),
        (None, ""),
    ],
)
def test_prose_leaves_examples_out(docstring: str | None, shown: str) -> None:
    """Of a docstring the reference shows the prose, without indentation."""
    assert markdown.prose(docstring) == shown


def test_the_pages_count_the_ontology() -> None:
    """The pages state how many statements, rule instances and classes the ontology has."""
    common = load_common_sense().common
    statements = f"{len(common.statements):,}".replace(",", " ")
    instances = len(common.reasoner.rules.instances)
    explained = Path("docs/explanation.md").read_text("utf-8")
    counted = f"The {statements} statements of the shipped ontology make {instances} instances"
    assert counted in explained
    tables = (FOLDER / "ontology.md").read_text("utf-8").split("\n| class |")[1:]
    classes = sum(len(each.partition("\n\n")[0].splitlines()) - 2 for each in tables)
    assert f"| {classes} classes " in Path("docs/README.md").read_text("utf-8")
