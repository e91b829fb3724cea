"""A cache of classifications in a folder, keyed by the ontology and the version of the engine.

The cache only saves time, so its failures are no errors: after a damaged file the classification is
computed again, and a folder that can't be written is ignored. The 100 most recently used
classifications are stored.
"""

import contextlib
import hashlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from kb_server.dl.answers import Classification, Triple
from kb_server.dl.ntriples import read

_MOST: Final = 100
"""Classifications in the cache; each has some 100 kB, and a board needs one at its start."""


class ClassificationCache:
    """A folder of classifications; it is created when the first one is stored."""

    def __init__(self, folder: Path, engine: str) -> None:
        """`engine` identifies everything besides the ontology that affects the answers."""
        self._folder = folder
        self._engine = engine

    def key(self, ntriples: str | bytes) -> str:
        """Return the key of an ontology, independent of the order of its lines and blank nodes."""
        lines = sorted(canonical(read(ntriples)))
        return _hash("\n".join([self._engine, *lines]))

    def get(self, key: str) -> Classification | None:
        """Return the classification stored under a key; None if there is none, or it is damaged."""
        file = self._file(key)
        try:
            kept = json.loads(file.read_text("utf-8"))
            if kept["sha256"] != _hash(_packed(kept["classification"])):
                return None
            with contextlib.suppress(OSError):
                os.utime(file)
            return Classification.from_json(kept["classification"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def put(self, key: str, classification: Classification) -> None:
        """Store a classification atomically: readers see the old file or the new one."""
        value = classification.to_json()
        text = _packed({"sha256": _hash(_packed(value)), "classification": value})
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            _write(self._file(key), text)
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        """Delete the least recently used files, among them those that a kill left incomplete."""
        files = sorted(self._folder.glob("*.*"), key=_last_used, reverse=True)
        for file in files[_MOST:]:
            file.unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.json"


def canonical(statements: Sequence[Triple]) -> Iterator[str]:
    """Yield the statements with each blank node named by a hash of its statements.

    So the labels of the parser don't matter. Exception: blank nodes in a cycle, or with several
    references to them, keep their labels. Then one ontology may have two keys; two ontologies never
    share one.
    """
    names = _names(statements)
    for triple in statements:
        yield " ".join(names.get(term, term) for term in triple)


def _names(statements: Sequence[Triple]) -> dict[str, str]:
    about: dict[str, list[tuple[str, str]]] = {}
    for s, p, o in statements:
        about.setdefault(s, []).append((p, o))
        about.setdefault(o, [])
    pointed_to = Counter(o for _, _, o in statements)
    about = {node: said for node, said in about.items() if node.startswith("_:")}
    names: dict[str, str] = {}
    for node in _leaves_first(about):
        said = sorted(f"{p} {names.get(o, o)}" for p, o in about[node])
        if pointed_to[node] <= 1:
            names[node] = "_:" + _hash("\n".join(said))
    return names


def _leaves_first(about: dict[str, list[tuple[str, str]]]) -> Iterator[str]:
    """Yield the blank nodes, each after those that it refers to, except in cycles."""
    begun, done = set[str](), set[str]()
    stack = list(about)
    while stack:
        node = stack[-1]
        ahead = [o for _, o in about[node] if o in about and o not in begun and o not in done]
        if node not in begun and ahead:
            begun.add(node)
            stack += ahead
            continue
        stack.pop()
        if node not in done:
            done.add(node)
            yield node


def _last_used(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:  # another board has deleted it
        return 0.0


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _packed(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _write(file: Path, text: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=file.stem[:8], suffix=".new")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
