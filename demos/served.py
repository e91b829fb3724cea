"""A board server for a demonstration: a process that ends with the demonstration.

Its standard input is a pipe from this process, which closes even if this process is killed; then
the server ends. It runs in a session of its own, so that Ctrl-C reaches only this process, which
then ends the server in order.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from kb_server.program import CommandFailed

__all__ = ["serving"]

_READY: Final = re.compile(r"ready at (http://\S+)")
_GOODBYE: Final = 10.0
"""Seconds that the server has to shut down."""


@contextmanager
def serving(port: int = 0, ontology: Sequence[Path] = ()) -> Iterator[str]:
    """The address of a server that stores nothing on disk, with additional ontology files.

    Raises CommandFailed, with the last line of its log, if it can't be started.
    """
    words = ["--port", str(port), "--data", ":memory:", "--no-dl", "--lifeline"]
    words += [word for file in ontology for word in ("--ontology", str(file))]
    with tempfile.TemporaryFile() as said, _begun(words, said) as process:
        yield _address(process, said)


@contextmanager
def _begun(words: Sequence[str], said: IO[bytes]) -> Iterator["subprocess.Popen[str]"]:
    """The process, ended at the end of the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "kb_server", "serve", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=said,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.communicate(timeout=_GOODBYE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _address(process: "subprocess.Popen[str]", said: IO[bytes]) -> str:
    """The address that the server reports as ready."""
    assert process.stdout is not None
    ready = _READY.search(process.stdout.readline())
    if ready is not None:
        return ready[1]
    process.wait(_GOODBYE)
    said.seek(0)
    last = said.read().decode("utf-8", "replace").strip().splitlines()[-1:]
    raise CommandFailed(f"the server did not start: {''.join(last) or process.returncode}")
