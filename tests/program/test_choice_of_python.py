"""Which Python `make` builds the environment with, and what it says where none will do."""

import importlib.util
import os
import shutil
import subprocess
import sysconfig
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOWNLOADING = "make: uv downloads Python 3.11\n"


def install(folder: Path, command: str, script: str) -> Path:
    """Makes a command of a shell script."""
    path = folder / command
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)
    return path


def install_python(folder: Path, command: str, version: str) -> Path:
    """Makes a command that answers as a Python of that version does."""
    return install(folder, command, f'case "$1" in -c) echo {version} ;; *) exit 1 ;; esac')


def find(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the choice where no commands are installed but those of a folder."""
    return subprocess.run(
        [ROOT / ".ci/find-python", *arguments],
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs make where no commands are installed but those of a folder."""
    command = shutil.which("make")
    assert command
    return subprocess.run(
        [command, "--no-print-directory", f"VENV={folder}/venv", *arguments],
        cwd=ROOT,
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def check() -> ModuleType:
    """The check of a Python, as a module."""
    spec = importlib.util.spec_from_file_location("check_python", ROOT / ".ci/check_python.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("installed", "chosen"),
    [
        ({"python3": "3.13", "python3.12": "3.12", "python3.11": "3.11"}, "python3.11"),
        ({"python3": "3.11", "python3.12": "3.12"}, "python3"),
        ({"python3": "3.13", "python3.12": "3.12"}, "python3"),
        ({"python3": "3.14", "python3.13": "3.13"}, "python3.13"),
        ({"python3": "3.10", "python3.12": "3.12"}, "python3.12"),
    ],
)
def test_3_11_comes_first(tmp_path: Path, installed: dict[str, str], chosen: str) -> None:
    """Python 3.11 is chosen before the system's own, and that before others."""
    for command, version in installed.items():
        install_python(tmp_path, command, version)
    found = find(tmp_path)
    assert (found.returncode, found.stdout, found.stderr) == (0, f"{chosen}\n", "")


def test_a_named_python_wins(tmp_path: Path) -> None:
    """The Python that is named is chosen, though 3.11 is installed."""
    install_python(tmp_path, "python3.11", "3.11")
    named = install_python(tmp_path, "mine", "3.13")
    assert find(tmp_path, str(named)).stdout == f"{named}\n"


def test_uv_comes_second(tmp_path: Path) -> None:
    """The Python 3.11 that uv has is chosen before the system's 3.13."""
    install_python(tmp_path, "python3", "3.13")
    kept = install_python(tmp_path, "kept", "3.11")
    install(tmp_path, "uv", f"echo {kept}")
    found = find(tmp_path)
    assert (found.stdout, found.stderr) == (f"{kept}\n", "")


def test_uv_downloads(tmp_path: Path) -> None:
    """The Python 3.11 that uv does not have yet is downloaded, with a line that says so."""
    install_python(tmp_path, "python3", "3.13")
    kept = install_python(tmp_path, "kept", "3.11")
    has = tmp_path / "has"
    install(
        tmp_path,
        "uv",
        f'case "$*" in *install*) : > {has} ;; *) [ -e {has} ] && echo {kept} ;; esac',
    )
    found = find(tmp_path)
    assert (found.stdout, found.stderr) == (f"{kept}\n", DOWNLOADING)


def test_uv_without_a_network(tmp_path: Path) -> None:
    """If uv cannot download, the system's 3.13 is chosen."""
    install_python(tmp_path, "python3", "3.13")
    install(tmp_path, "uv", "echo no network >&2; exit 2")
    found = find(tmp_path)
    failed = "make: uv could not download Python 3.11; another version is tried\n"
    assert (found.stdout, found.stderr) == ("python3\n", DOWNLOADING + failed)


@pytest.mark.parametrize("version", ["3.10", "3.14", "2.7"])
def test_other_versions_are_refused(tmp_path: Path, version: str) -> None:
    """A version that is too old or too new is named in one line, and `make` stops."""
    python = install_python(tmp_path, "python3", version)
    chosen, named = make(tmp_path, "setup"), make(tmp_path, f"PYTHON={python}", "setup")
    needed = "make: Python 3.11, 3.12 or 3.13 is needed; "
    assert chosen.stderr.startswith(f"{needed}python3 runs {version}: install one of these, ")
    assert named.stderr.startswith(f"{needed}PYTHON={python} runs {version}\n")
    for ended in (chosen, named):
        assert ended.returncode == 2
        assert len(ended.stderr.splitlines()) == 2, "the other is make's own"
    assert not (tmp_path / "venv").exists()


def test_no_python_at_all(tmp_path: Path) -> None:
    """Without any Python, one line says what to install."""
    ended = make(tmp_path, "setup")
    assert ended.returncode == 2
    assert ended.stderr.startswith("make: Python 3.11, 3.12 or 3.13 is needed; python3 runs none")


def test_missing_versions_of_the_quick_tests(tmp_path: Path) -> None:
    """`make pythons` says how to get each version that is missing, and fails without any."""
    ended = make(tmp_path, "pythons")
    assert ended.returncode == 2
    for version in ("3.12", "3.13"):
        assert f"make: Python {version} is missing: uv python install {version}" in ended.stderr


def test_quick_tests_under_a_version_that_is_installed(tmp_path: Path) -> None:
    """`make pythons` runs the quick tests in an environment of its own for each version."""
    install_python(tmp_path, "python3.13", "3.13")
    ended = make(tmp_path, "-n", "pythons")
    assert ended.returncode == 0, ended.stderr
    assert '.ci/find-python "python3.13"' in ended.stdout
    assert f"{tmp_path}/venv-3.13/bin/python -m pytest" in ended.stdout
    assert "make: Python 3.12 is missing" in ended.stderr


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_what_a_compilation_needs(
    version: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without a compiler and headers, one line names the packages to install."""
    module = check()
    monkeypatch.setattr(module, "VERSION", version)
    monkeypatch.setattr(module, "COMPILES", True)
    monkeypatch.setenv("CXX", str(tmp_path / "c++"))
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    assert module.main() == 1
    (line,) = capsys.readouterr().err.splitlines()
    packages = f"g++ python{version}-dev"
    assert line.endswith(
        f"needs a C++ compiler, Python's headers: on Debian, apt-get install {packages}"
    )


@pytest.mark.parametrize(("cores", "time"), [(1, "9 min on 1 core"), (4, "3 min on 4 cores")])
def test_a_compilation_is_announced(
    cores: int,
    time: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line says that PyBullet is compiled, and how many minutes it takes."""
    module = check()
    monkeypatch.setattr(module, "VERSION", "3.13")
    monkeypatch.setattr(module, "COMPILES", True)
    for variable in ("CC", "CXX"):
        monkeypatch.setenv(variable, str(install(tmp_path, "c++", "exit 0")))
    (tmp_path / "Python.h").touch()
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert module.main() == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        "make: PyBullet has no wheel for Python 3.13 here; pip compiles it once, "
        f"which takes about {time}"
    )


def test_a_wheel_needs_no_compiler(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where PyBullet has a wheel, no compiler is asked for and nothing is said."""
    module = check()
    monkeypatch.setattr(module, "COMPILES", False)
    monkeypatch.setenv("CXX", "missing")
    assert module.main() == 0
    assert capsys.readouterr().err == ""


def test_supported_versions_are_classified() -> None:
    """The package says that it runs under the versions of Python that `make` takes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    start = "Programming Language :: Python :: "
    named = [line.removeprefix(start) for line in project["classifiers"] if line.startswith(start)]
    assert named == ["3.11", "3.12", "3.13"]
