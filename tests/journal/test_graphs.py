"""Graphs of plain storage are there after any crash as they were, and as the journal has it."""

import shutil
from pathlib import Path

import pytest

from kb_server.core.terms.terms import Names
from kb_server.errors import Damaged
from kb_server.journal.graphs import FILE, GraphChange, PlainGraphs

FACTS = (("a", "b", '"é\\n"'), ("<urn:x>", "rdf:type", "_:n1"), ("a", "b", "1.5"))


def opened(folder: Path, last_seq: int = 0) -> dict[str, set[tuple[str, str, str]]]:
    """What a new start finds, when the journal has the deltas up to one."""
    graphs = PlainGraphs(folder, Names(), last_seq)
    held = {graph: set(facts) for graph, facts in graphs.held.items()}
    graphs.close()
    return held


def left(folder: Path) -> PlainGraphs:
    """Graphs that a crash will leave as they are."""
    return PlainGraphs(folder, Names(), 0)


def crashed(folder: Path) -> Path:
    """What a crash at this moment leaves of a folder whose graphs are open."""
    copy = folder.with_name(f"{folder.name}-{len(list(folder.parent.iterdir()))}")
    return Path(shutil.copytree(folder, copy))


def test_facts_are_kept(tmp_path: Path) -> None:
    """What is added and removed is so after a start, an empty graph and an ended one included."""
    graphs = left(tmp_path)
    graphs.store({"urn:g": GraphChange(FACTS), "urn:e": GraphChange()}, 0, 0)
    graphs.store({"urn:g": GraphChange(remove=FACTS[:1])}, 0, 0)
    assert opened(crashed(tmp_path)) == {"urn:g": set(FACTS[1:]), "urn:e": set()}
    graphs.store({"urn:g": GraphChange(remove=FACTS[1:], ends=True)}, 0, 0)
    assert opened(crashed(tmp_path)) == {"urn:e": set()}
    graphs.close()


@pytest.mark.parametrize(("last_seq", "is_made"), [(6, False), (7, True), (9, True)])
def test_what_comes_with_a_delta_is_there_with_it(
    tmp_path: Path, last_seq: int, is_made: bool
) -> None:
    """A change that waits for a delta is made at a start if the journal has it, else never."""
    graphs = left(tmp_path)
    graphs.store({"urn:g": GraphChange(FACTS)}, first=7, kept=6)
    assert graphs.waits
    graphs.close()
    assert opened(tmp_path, last_seq) == ({"urn:g": set(FACTS)} if is_made else {})
    assert opened(tmp_path, 100) == ({"urn:g": set(FACTS)} if is_made else {})


def test_what_waits_is_made_in_order(tmp_path: Path) -> None:
    """A change after one that waits does not overtake it."""
    graphs = left(tmp_path)
    graphs.store({"urn:g": GraphChange(FACTS)}, first=7, kept=6)
    graphs.store({"urn:g": GraphChange(remove=FACTS[:1])}, first=7, kept=6)
    graphs.settle(7)
    assert not graphs.waits
    assert opened(crashed(tmp_path), 7) == {"urn:g": set(FACTS[1:])}
    graphs.close()


def test_what_was_refused_is_forgotten(tmp_path: Path) -> None:
    """A change whose delta was refused leaves nothing, and what waits for earlier ones stays."""
    graphs = left(tmp_path)
    graphs.store({"urn:g": GraphChange(FACTS[:1])}, first=7, kept=6)
    graphs.store({"urn:g": GraphChange(FACTS[1:])}, first=8, kept=6)
    graphs.forget(8)
    graphs.settle(8)
    assert opened(crashed(tmp_path), 8) == {"urn:g": set(FACTS[:1])}
    graphs.close()


def test_a_damaged_file_says_how_to_go_on(tmp_path: Path) -> None:
    """Graphs that can't be read stop the start, with a way out."""
    for garbage in (b"this is no database" * 100, b"SQLite format 3\x00" + b"\xff" * 9_000):
        (tmp_path / FILE).write_bytes(garbage)
        with pytest.raises(Damaged, match="move the file away"):
            opened(tmp_path)
