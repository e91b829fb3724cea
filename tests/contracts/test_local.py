"""What is a board in-process alone: its folder, its wills, its end."""

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server import Ask, Blackboard, BoardError, Closed, ReadOnly, UnknownModel
from kb_server.errors import JournalFailed
from tests.trials import law


def test_a_folder_keeps_the_board(tmp_path: Path) -> None:
    """What was told is there again, with its past, and numbers go on."""
    with Blackboard.local(tmp_path) as kb:
        seq = kb.add("myself", "sally a Human", "ball isIn box").seq
    with Blackboard.local(str(tmp_path)) as kb:
        assert kb.check("myself", "ball isAt box")
        assert kb.add("myself", "cup isIn box").seq == seq + 1
        assert kb.check("myself", "ball isIn box", at=seq)


def test_a_subscription_goes_on_with_the_folder(tmp_path: Path) -> None:
    """What happened since a delta is heard also when the board was closed meanwhile."""
    with Blackboard.local(tmp_path) as kb:
        seq = kb.add("myself", "a1 isIn box").seq
        kb.add("myself", "a2 isIn box")
    with (
        Blackboard.local(tmp_path) as kb,
        kb.subscribe("myself", "?o isIn box", after=seq) as events,
    ):
        assert events.next(1.0).bindings == {"o": "a2"}


def test_a_folder_has_one_board(tmp_path: Path) -> None:
    """A second board on the same folder is refused, and the first goes on."""
    with Blackboard.local(tmp_path) as kb:
        with pytest.raises(BoardError) as refusal:
            Blackboard.local(tmp_path)
        assert refusal.value.code == "locked"
        assert kb.models()


def test_a_will_is_carried_out_at_the_end(tmp_path: Path) -> None:
    """The facts of a source go with the board that spoke for it, the others stay."""
    with Blackboard.local(tmp_path) as kb:
        kb.will("eyes")
        kb.revise("myself", add=[f"x{number} isIn box" for number in range(1_500)], source="eyes")
        kb.add("myself", "ball isIn box")
    with Blackboard.local(tmp_path) as kb:
        assert kb.find("myself", "?o isIn box") == [{"o": "ball"}]


def test_lives_end_while_the_board_is_closed(tmp_path: Path) -> None:
    """What ended meanwhile has ended when the board is there again."""
    with Blackboard.local(tmp_path) as kb:
        kb.add("myself", "ball isIn box", ttl=0.000_1)
    with Blackboard.local(tmp_path) as kb:
        assert not kb.check("myself", "ball isIn box")


def test_a_holder_who_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events that nobody takes are left in the journal, and told when they are wanted."""
    monkeypatch.setattr("kb_server.client.local.local_event_streams.MOST_WAITING", 3)
    with Blackboard.local() as kb, kb.subscribe("myself", "?o isIn box") as events:
        for number in range(10):
            kb.add("myself", f"x{number} isIn box")
        assert events.depth == 4
        told = [events.next(1.0).bindings["o"] for _ in range(10)]
    assert told == [f"x{number}" for number in range(10)]


def test_the_end_of_a_board_ends_a_holder_who_is_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not taken all when the board is closed takes the rest, and then waits no more."""
    monkeypatch.setattr("kb_server.client.local.local_event_streams.MOST_WAITING", 3)
    with Blackboard.local() as kb:
        events = kb.subscribe("myself", "?o isIn box")
        for number in range(10):
            kb.add("myself", f"x{number} isIn box")
    assert [events.next(1.0).bindings["o"] for _ in range(4)] == ["x0", "x1", "x2", "x3"]
    with pytest.raises(Closed):
        events.next(1.0)


def test_a_holder_who_can_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose model has gone meanwhile takes what was there, and is told why that was all."""
    monkeypatch.setattr("kb_server.client.local.local_event_streams.MOST_WAITING", 3)
    with Blackboard.local() as kb:
        kb.create("sally")
        events = kb.subscribe("sally", "?o isIn box")
        for number in range(10):
            kb.add("sally", f"x{number} isIn box")
        kb.delete("sally")
        assert [events.next(1.0).bindings["o"] for _ in range(4)] == ["x0", "x1", "x2", "x3"]
        with pytest.raises(UnknownModel):
            events.next(1.0)


def test_the_end_of_a_board() -> None:
    """A board in-process leaves no thread, also when it was asked everything."""
    before = set(threading.enumerate())
    kb = Blackboard.local()
    kb.subscribe("myself", "?o isIn box")
    kb.provide("isLeftOf", lambda _ask: [])
    kb.find("myself", "?a isLeftOf ?b")
    assert kb.query("ASK { ?s ?p ?o }")
    kb.close()
    kb.close()
    assert set(threading.enumerate()) <= before


def test_a_journal_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it can't be kept nothing is changed or told, questions are answered, and it heals."""
    with (
        Blackboard.local(tmp_path) as kb,
        kb.subscribe("myself", "?o isIn box") as events,
    ):
        with monkeypatch.context() as broken:
            broken.setattr("kb_server.journal.sqlite.SqliteJournal.append", _no_space)
            for name in ("a1", "a2"):
                with pytest.raises(ReadOnly):
                    kb.add("myself", f"{name} isIn box")
            assert not kb.check("myself", "a2 isIn box")
            assert events.depth == 0
        kb.add("myself", "a3 isIn box")
        assert [events.next(1.0).bindings["o"] for _ in range(2)] == ["a1", "a3"]


def _no_space(*_: object) -> None:
    raise JournalFailed("the disk is full")


def test_sparql_asks_providers() -> None:
    """A query that names a computed predicate sees what is told."""
    with Blackboard.local() as kb:
        kb.provide("isLeftOf", _left_of)
        assert kb.query("SELECT ?o { oro:cup oro:isLeftOf ?o }").rows == ({"o": "plate"},)
        assert not kb.check("myself", "plate isLeftOf ?o")


def _left_of(ask: Ask) -> list[str]:
    return ["cup isLeftOf plate"] if ask.subject in (None, "cup") else []


_CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["add", "retract"]),
        st.lists(
            st.sampled_from([f"{o} {p} {b}" for o in "xy" for p in ("isIn", "isOn") for b in "bc"]),
            min_size=1,
            max_size=3,
        ),
    ),
    max_size=12,
)


@law(60)
@given(before=_CHANGES, after=_CHANGES)
def test_a_snapshot_and_what_follows_is_what_holds(
    before: list[tuple[str, list[str]]], after: list[tuple[str, list[str]]]
) -> None:
    """Folding the snapshot and the events after it gives what is found at the end."""
    patterns = ("?o isAt ?b", "?b contains ?thing")
    with Blackboard.local() as kb:
        for verb, statements in before:
            getattr(kb, verb)("myself", *statements)
        with kb.subscribe("myself", *patterns, on="both", snapshot=True) as events:
            for verb, statements in after:
                getattr(kb, verb)("myself", *statements)
            held = set()
            for event in [events.next(1.0) for _ in range(events.depth)]:
                row = tuple(sorted(event.bindings.items()))
                if event.kind == "appear":
                    assert row not in held
                    held.add(row)
                elif event.kind == "disappear":
                    held.remove(row)
        found = {tuple(sorted(row.items())) for row in kb.find("myself", *patterns)}
    assert held == found
