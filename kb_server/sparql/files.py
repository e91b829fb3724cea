"""Reading an RDF file in a child process: `python -P -m kb_server.sparql.files TYPE BASE MEMORY`.

The reason is the same as for a client's RDF (see `parsing`): a parser that crashes, takes too long
or fills the memory must not harm its caller. The limits of time and memory grow with the text,
because a user's own file may well be large.
"""

import subprocess
import sys
from collections.abc import Iterator
from io import BufferedWriter, RawIOBase
from typing import Final

import pyoxigraph as ox

from kb_server.errors import BadGraph
from kb_server.sparql.parsing import check_harmless
from kb_server.sparql.worker import confine

__all__ = ["main", "quads_in"]

_BASE_MB: Final = 512
"""Megabytes of memory for the smallest text."""
_MB_EACH: Final = 16
"""Additional memory for each megabyte of the text, for the parsed statements and the output."""
_BASE_SECONDS: Final = 10.0
"""Seconds for the smallest text, including the start of the process."""
_SECONDS_EACH: Final = 2.0
"""Additional seconds for each megabyte of the text."""
_REFUSED: Final = 3
"""The exit status for an unreadable text, with the reason on stderr."""


def quads_in(data: bytes, kind: ox.RdfFormat, base: str) -> Iterator[ox.Quad]:
    """Yield the statements of a text, blank nodes renamed; BadGraph if it can't be read."""
    check_harmless(data, kind)
    size = len(data) // 2**20
    try:
        done = subprocess.run(
            [*_line(), kind.media_type, base, str(_BASE_MB + _MB_EACH * size)],
            input=data,
            capture_output=True,
            check=False,
            timeout=_BASE_SECONDS + _SECONDS_EACH * size,
        )
    except subprocess.TimeoutExpired as reason:
        raise BadGraph(f"reading the text takes longer than {reason.timeout:g} s") from None
    if done.returncode == _REFUSED:
        raise BadGraph(done.stderr.decode("utf-8", "replace"))
    if done.returncode:
        raise BadGraph("the parser crashed or ran out of memory: the text is too large or too deep")
    yield from ox.parse(done.stdout, format=ox.RdfFormat.N_QUADS)


def _line() -> list[str]:
    return [sys.executable, "-P", "-m", "kb_server.sparql.files"]


class _Bounded(RawIOBase):
    """The standard output, limited to a number of bytes; MemoryError beyond."""

    def __init__(self, most: int) -> None:
        self._left = most

    def writable(self) -> bool:
        return True

    def write(self, data: object, /) -> int:
        some = bytes(data)  # type: ignore[call-overload]  # the protocol guarantees a buffer
        self._left -= len(some)
        if self._left < 0:
            raise MemoryError
        return sys.stdout.buffer.write(some)


def main(media: str, base: str, memory_mb: int) -> int:
    """Read statements from stdin and write them as N-Quads.

    Return the exit status: 0 done, 1 out of memory, 3 unreadable with the reason on stderr.
    """
    kind = ox.RdfFormat.from_media_type(media)
    assert kind is not None
    data = sys.stdin.buffer.read()
    confine(memory_mb)
    found = ox.parse(data, format=kind, base_iri=base, rename_blank_nodes=True)
    try:
        with BufferedWriter(_Bounded(memory_mb * 2**20)) as out:
            ox.serialize(found, out, format=ox.RdfFormat.N_QUADS)
        sys.stdout.buffer.flush()
    except MemoryError:
        return 1
    except (SyntaxError, ValueError) as reason:
        sys.stderr.write(str(reason)[:500])
        return _REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
