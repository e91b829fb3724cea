"""Starts the worker processes: Python modules that run beside the board or the spatial reasoner.

This is the only place that starts such a process, so what a worker can reach is decided here: the
environment that its owner passes, the module search path, the standard streams and the sockets
that are listed. Each worker leads a session of its own, so that Ctrl-C in a terminal reaches only
its owner, and its owner can kill it with all that it started.

The owner chooses the environment. `only` suits a worker that needs little: it gets no tokens or
other secrets. `all_but` suits one that starts programs of other people.
"""

import os
import subprocess
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

__all__ = ["LEAST", "all_but", "only", "start_worker"]

_ROOT: Final = str(Path(__file__).resolve().parents[1])
LEAST: Final = ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "SYSTEMROOT")
"""The variables that any Python process may need; none of them holds a secret."""


def only(names: Iterable[str]) -> dict[str, str]:
    """The variables of this process's environment with these names, as far as they are set."""
    return {name: os.environ[name] for name in names if name in os.environ}


def all_but(names: Collection[str]) -> dict[str, str]:
    """The variables of this process's environment without those of these names."""
    return {name: text for name, text in os.environ.items() if name not in names}


def start_worker(
    module: str,
    *arguments: object,
    environment: dict[str, str],
    stdio: int = subprocess.DEVNULL,
    sockets: Collection[int] = (),
) -> "subprocess.Popen[bytes]":
    """Starts `python -m module arguments…` and returns the process; OSError if that fails.

    `stdio` is what all three standard streams are, as `subprocess` names it. `sockets` are the
    file descriptors that the worker inherits. The search path for modules is always that of this
    process, ours first.
    """
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, *map(str, arguments)],
        stdin=stdio,
        stdout=stdio,
        stderr=stdio,
        pass_fds=sockets,
        env=environment | {"PYTHONPATH": _search_path()},
        start_new_session=True,
    )


def _search_path() -> str:
    return os.pathsep.join([_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])])
