"""The record of frozen behaviour: it is the same every time, and its comparison finds a line."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.frozen.__main__ import main
from tests.frozen.comparison import differences
from tests.frozen.index import file_of, write_index, written
from tests.frozen.recordings import ROWS, Lines
from tests.frozen.stage import Stage

_SHORT = "minds/in-bins"


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """The stage of all these tests."""
    with closing(Stage("auto")) as made:
        yield made


def test_a_play_is_recorded_the_same_twice(stage: Stage, tmp_path: Path) -> None:
    """Two records of one play have facts, agree in every line, and no recording differs."""
    one, other = (ROWS[_SHORT].lines(stage) for _ in range(2))
    assert one == other
    assert any("ball isIn bucket" in line for line in one[f"{_SHORT}/played"])
    assert main(["compare", *folders(tmp_path, one, other)]) == 0


def test_a_changed_line_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line of one recording differs: exit status 1, and the name and the line are printed."""
    same, before, after = ["ball isOn table"], ["one", "ball isIn box"], ["one", "ball isIn vat"]
    both = folders(tmp_path, {"a/b": same, "c/d": before}, {"a/b": same, "c/d": after})
    assert main(["compare", *both]) == 1
    printed = capsys.readouterr().out
    assert printed.splitlines()[:3] == ["c/d: line 2", "  - ball isIn box", "  + ball isIn vat"]
    assert "a/b" not in printed


def test_a_missing_recording_is_found(tmp_path: Path) -> None:
    """A recording or a last line that only one folder has is a difference."""
    one, other = map(Path, folders(tmp_path, {"a": ["x"], "b": ["x", "y"]}, {"b": ["x"]}))
    assert [*differences(one, other)] == [f"a: only in {one}", "b: line 2\n  - y\n  + "]


def folders(tmp_path: Path, *records: Lines) -> list[str]:
    """Folders of some records."""
    made = [tmp_path / str(number) for number, _ in enumerate(records)]
    for folder, record in zip(made, records, strict=True):
        write_index(folder, [written(folder, name, lines) for name, lines in record.items()])
        assert all(file_of(folder, name).exists() for name in record)
    return [str(folder) for folder in made]
