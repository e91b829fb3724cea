"""Classifications kept by the ontology's hash."""

import os
from pathlib import Path

import pytest

from kb_server.dl.answers import Classification
from kb_server.dl.cache import ClassificationCache
from kb_server.dl.engine import DLEngine
from kb_server.errors import DLFailed, NoDLEngine
from tests.dl.ontologies import BOTTLES, DISJOINT, ntriples

FOUND = Classification(
    consistent=True,
    subsumptions=frozenset({("urn:a", "urn:b")}),
    unsatisfiable=("urn:é",),
    warnings=("left out",),
)


@pytest.fixture
def cache(tmp_path: Path) -> ClassificationCache:
    """An empty cache."""
    return ClassificationCache(tmp_path / "deep" / "cache", "engine 1")


def test_a_hit_starts_no_java(tmp_path: Path) -> None:
    """What was classified once is answered without Java, and what wasn't is not."""
    text = ntriples(BOTTLES)
    found = DLEngine(cache=tmp_path).classify(text)
    without = DLEngine(tmp_path / "no-java", cache=tmp_path)
    assert without.classify(text) == found
    with pytest.raises(NoDLEngine):
        without.classify(ntriples(DISJOINT))


def test_a_damaged_file_is_ignored_and_rewritten(tmp_path: Path) -> None:
    """A file cut short is as good as none, and is whole again after the next question."""
    engine, text = DLEngine(cache=tmp_path), ntriples(DISJOINT)
    found = engine.classify(text)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    assert engine.classify(text) == found
    assert file.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    "damage", [b"", b"\xff", b"[]", b"{}", b"null", b'{"sha256":"0","classification":{}}', b"[" * 9]
)
def test_no_damage_is_an_error(cache: ClassificationCache, damage: bytes) -> None:
    """Whatever is in a file, it is an answer that was kept or nothing."""
    cache.put("key", FOUND)
    cache._file("key").write_bytes(damage)
    assert cache.get("key") is None


def test_a_changed_answer_is_not_believed(cache: ClassificationCache) -> None:
    """A file that reads well but says other than what was kept is ignored."""
    cache.put("key", FOUND)
    file = cache._file("key")
    file.write_text(file.read_text().replace("urn:a", "urn:c"))
    assert cache.get("key") is None


def test_what_is_kept_comes_back(cache: ClassificationCache) -> None:
    """A classification comes back equal, and another key has none."""
    cache.put("key", FOUND)
    assert cache.get("key") == FOUND
    assert cache.get("other") is None


def test_what_was_of_use_last_is_kept(cache: ClassificationCache) -> None:
    """Past a hundred the one goes that nobody has asked for or kept for longest."""
    for number in range(101):
        if number == 100:
            assert cache.get("key0") == FOUND
        cache.put(f"key{number}", FOUND)
        os.utime(cache._file(f"key{number}"), (number, number))
    cache.put("new", FOUND)
    gone = [number for number in range(101) if cache.get(f"key{number}") is None]
    assert gone == [1, 2]
    assert cache.get("new") == FOUND


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    """Where nothing can be kept, nothing is."""
    (tmp_path / "file").write_text("")
    cache = ClassificationCache(tmp_path / "file" / "cache", "engine 1")
    cache.put("key", FOUND)
    assert cache.get("key") is None


def test_the_key_is_of_what_is_said(cache: ClassificationCache, tmp_path: Path) -> None:
    """The key minds neither order, doubles, remarks nor labels of blank nodes, but all else."""
    one = '_:x <urn:p> _:y .\n_:y <urn:q> "1" .\n'
    same = '_:k <urn:q> "1" .\n# a remark\n_:x <urn:p> _:k .\n_:x <urn:p> _:k .\n'
    other = '_:k <urn:q> "2" .\n_:x <urn:p> _:k .\n'
    assert cache.key(one) == cache.key(same)
    assert cache.key(one) != cache.key(other)
    assert cache.key(one) != ClassificationCache(tmp_path, "engine 2").key(one)


def test_what_is_shared_is_part_of_the_key(cache: ClassificationCache) -> None:
    """Who shares an unnamed thing with whom makes a difference."""
    shares = ["xxy", "xyy", "xyz", "xxx"]
    texts = ["".join(f"<urn:{n}> <urn:p> _:{b} .\n" for n, b in enumerate(s)) for s in shares]
    assert len(set(map(cache.key, texts))) == len(texts)


def test_circles_and_long_lists_have_keys(cache: ClassificationCache) -> None:
    """Blank nodes in a circle, and ten thousand in a row, are no trouble."""
    circle = "_:x <urn:p> _:y .\n_:y <urn:p> _:x .\n_:z <urn:p> _:z .\n"
    row = "".join(f"_:n{n} <urn:p> _:n{n + 1} .\n" for n in range(10_000))
    other = "".join(f"_:m{n} <urn:p> _:m{n + 1} .\n" for n in range(10_000))
    assert cache.key(circle) == cache.key(circle) != cache.key(row)
    assert cache.key(row) == cache.key(other)


def test_bad_input_is_refused_before_the_cache(tmp_path: Path) -> None:
    """Garbage is an error with a cache too, and leaves nothing in it."""
    with pytest.raises(DLFailed, match="Line 1"):
        DLEngine(cache=tmp_path).classify("garbage")
    assert list(tmp_path.iterdir()) == []
