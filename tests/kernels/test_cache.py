"""Files of machine code: whole or not at all, and not for ever."""

import os
import time
from pathlib import Path

import pytest

from spatial_reasoner.kernels import cache as kernel_cache
from spatial_reasoner.kernels.cache import load, prune, save


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one folder that is written."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def age(file: Path, seconds: float) -> None:
    """Lets a file have been used so long ago."""
    then = time.time() - seconds
    os.utime(file, (then, then))


def test_code_is_found_under_its_digest_alone(folder: Path) -> None:
    """Code that was stored is loaded; under another digest or name there is none."""
    save("turn", "d1", b"code")
    assert load("turn", "d1") == b"code"
    assert load("turn", "d2") is None
    assert load("roll", "d1") is None
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("left", [b"", b"short", b"x" * 32, b"x" * 60])
def test_a_torn_file_is_none(folder: Path, left: bytes) -> None:
    """A file that is cut, empty or something else is as if it weren't there, until it is stored."""
    save("turn", "d1", b"code" * 5)
    next(folder.iterdir()).write_bytes(left)
    assert load("turn", "d1") is None
    save("turn", "d1", b"code" * 5)
    assert load("turn", "d1") == b"code" * 5


def test_old_versions_are_removed(folder: Path) -> None:
    """Of each kernel the four versions stay that were used last, whenever they were stored."""
    for number in range(6):
        save("turn", f"d{number}", b"code")
        save("roll", f"d{number % 2}", b"code")
        age(folder / f"turn-d{number}.kernel", 100 - number)
    load("turn", "d0")
    prune()
    left = sorted(file.name for file in folder.iterdir())
    turns = [f"turn-d{number}.kernel" for number in (0, 3, 4, 5)]
    assert left == ["roll-d0.kernel", "roll-d1.kernel", *turns]


def test_what_is_long_unused_is_removed(folder: Path) -> None:
    """Kernels that are unused for a month go, and so do files that a kill left half written."""
    save("turn", "d1", b"code")
    save("roll", "d1", b"code")
    half = folder / "turn-d2.kernel.abc-new"
    half.write_bytes(b"co")
    other = folder / "someone_elses.txt"
    other.touch()
    for file in (folder / "roll-d1.kernel", half, other):
        age(file, 31 * 86400)
    prune()
    assert sorted(folder.iterdir()) == [other, folder / "turn-d1.kernel"]


def test_the_first_folder_that_can_be_written_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be stored in one folder is stored in the next one, and found there."""
    (tmp_path / "file").touch()
    folders = [tmp_path / "file" / "below", tmp_path / "second"]
    monkeypatch.setattr(kernel_cache, "folders", lambda: folders)
    save("turn", "d1", b"code")
    assert [file.name for file in folders[1].iterdir()] == ["turn-d1.kernel"]
    assert load("turn", "d1") == b"code"


def test_where_nothing_can_be_written_nothing_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a folder that can be written, nothing is stored or found, and nothing is raised."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(kernel_cache, "folders", lambda: [tmp_path / "file" / "below"])
    save("turn", "d1", b"code")
    prune()
    assert load("turn", "d1") is None


def test_a_user_without_a_home_has_the_folder_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where no home is known, the folder beside the program is the only one."""
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", _homeless)
    assert kernel_cache.folders() == (Path(kernel_cache.__file__).parent / "__pycache__",)


def _homeless() -> Path:
    raise RuntimeError("Could not determine home directory.")
