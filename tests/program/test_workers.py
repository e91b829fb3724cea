"""What a worker process inherits of the process that starts it."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kb_server.dl import engine
from kb_server.sparql import process
from kb_server.workers import LEAST, all_but, only, start_worker
from spatial_reasoner.likelihood import workers

_SHOWING = """\
import json, os, sys
print(json.dumps({"environment": dict(os.environ), "arguments": sys.argv[1:],
                  "search": sys.path[:3], "session": os.getsid(0) == os.getpid()}))
"""
_LIKELIHOOD = {*LEAST, "HOME", "TMPDIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"}
_SECRETS = ("MINDBOARD_TOKEN", "MINDBOARD_TOKEN_FILE", "AWS_SECRET_ACCESS_KEY")


class _Started(Exception):
    """A worker was to be started; `environment` is what it would have got."""

    def __init__(self, environment: dict[str, str]) -> None:
        super().__init__()
        self.environment = environment


@pytest.fixture(autouse=True)
def _known_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in (*_LIKELIHOOD, *_SECRETS, "PYTHONWARNINGS", "CLASSPATH", "EDITOR"):
        monkeypatch.setenv(name, os.environ.get(name, "set"))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "showing.py").write_text(_SHOWING)


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker starts; who would start one fails with the worker's environment."""

    def stop(*_: object, environment: dict[str, str], **__: object) -> None:
        raise _Started(environment)

    for module in (engine, process, workers):
        monkeypatch.setattr(module, "start_worker", stop)


def shown(environment: dict[str, str], *arguments: object) -> dict[str, Any]:
    """What a worker sees that was started with an environment and arguments."""
    worker = start_worker("showing", *arguments, environment=environment, stdio=subprocess.PIPE)
    with worker:
        printed, errors = worker.communicate(timeout=60)
    assert worker.returncode == 0, errors.decode()
    found: dict[str, Any] = json.loads(printed)
    return found


def test_a_worker_gets_the_environment_that_it_is_given(tmp_path: Path) -> None:
    """A worker has the variables passed, the search path with ours first, and nothing more."""
    seen = shown(only(["PATH"]), 7, "words")
    root = str(Path(__file__).resolve().parents[2])
    assert seen["environment"].pop("PYTHONPATH") == f"{root}{os.pathsep}{tmp_path}"
    # The interpreter itself may set LC_CTYPE, where there is no locale.
    assert {**seen["environment"], "LC_CTYPE": ""} == {"PATH": os.environ["PATH"], "LC_CTYPE": ""}
    assert seen["arguments"] == ["7", "words"]
    assert seen["search"][:2] == [root, str(tmp_path)]
    assert seen["session"]


def test_only_what_is_set_is_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that this process's environment lacks is left out, and so is every other name."""
    monkeypatch.delenv("TZ")
    assert only(["TZ", "LANG"]) == {"LANG": os.environ["LANG"]}
    assert all_but(["LANG"]).keys() == os.environ.keys() - {"LANG"}


@pytest.mark.usefixtures("stopped")
def test_a_sparql_worker_gets_no_more_than_it_needs() -> None:
    """A SPARQL worker gets the least that Python needs, and no secret."""
    with pytest.raises(_Started) as started:
        process._started(0)
    assert started.value.environment.keys() == set(LEAST)


@pytest.mark.usefixtures("stopped")
def test_a_likelihood_worker_gets_folders_as_well() -> None:
    """A likelihood worker also gets the folders where it caches, and no secret."""
    with pytest.raises(_Started) as started:
        workers._Process()
    assert started.value.environment.keys() == _LIKELIHOOD


@pytest.mark.usefixtures("stopped")
def test_a_dl_worker_gets_all_but_what_meddles() -> None:
    """The DL worker gets this environment without Java's options and Python's warnings."""
    with pytest.raises(_Started) as started:
        engine.DLEngine(java="java")._run(b"", 1.0)
    meddlers = {"CLASSPATH", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"}
    assert started.value.environment.keys() == os.environ.keys() - meddlers - {"PYTHONWARNINGS"}
