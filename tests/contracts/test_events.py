"""What subscribers are told, whichever way they listen."""

import threading

import pytest

from kb_server import (
    BadRequest,
    BadStatement,
    Blackboard,
    Closed,
    Event,
    Subscription,
    TimedOut,
    UnknownModel,
)
from tests.contracts.boards import fresh_name, untyped

_PATIENCE = 10.0


def heard(events: Subscription[Event], number: int) -> list[tuple[str, str]]:
    """Some events as their kinds and the first value that they bind."""
    told = [events.next(_PATIENCE) for _ in range(number)]
    return [(event.kind, next(iter(event.bindings.values()), "")) for event in told]


def test_a_conjunction_that_comes_true(kb: Blackboard, mind: str) -> None:
    """A binding appears when its last fact does, asserted or inferred."""
    with kb.subscribe(mind, "?who desires ?what", "?what a Action") as events:
        kb.add(mind, "sally desires give1")
        delta = kb.add(mind, "give1 a Give")
        event = events.next(_PATIENCE)
    assert (event.kind, event.seq, event.snapshot) == ("appear", delta.seq, False)
    assert event.bindings == {"who": "sally", "what": "give1"}
    assert event.t is not None


def test_both_ways(kb: Blackboard, mind: str) -> None:
    """What appears and disappears is told in order, within one change the end first."""
    with kb.subscribe(mind, "?o isIn box", on="both") as events:
        kb.add(mind, "a1 isIn box")
        kb.revise(mind, retract=["a1 isIn box"], add=["a2 isIn box"])
        assert heard(events, 3) == [("appear", "a1"), ("disappear", "a1"), ("appear", "a2")]


def test_only_the_ends(kb: Blackboard, mind: str) -> None:
    """Who wants to know what disappears is told nothing else."""
    with kb.subscribe(mind, "?o isIn box", on="disappear") as events:
        kb.add(mind, "a1 isIn box")
        kb.retract(mind, "a1 isIn *")
        assert heard(events, 1) == [("disappear", "a1")]


def test_the_truth_of_a_statement(kb: Blackboard, mind: str) -> None:
    """Without variables it is told when the whole becomes true."""
    with kb.subscribe(mind, "ball isAt box") as events:
        kb.add(mind, "ball isIn box")
        event = events.next(_PATIENCE)
    assert (event.kind, event.bindings) == ("appear", {})


def test_another_route_is_no_event(kb: Blackboard, mind: str) -> None:
    """What still holds by another route neither goes nor comes again."""
    with kb.subscribe(mind, "ball isAt ?where", on="both") as events:
        kb.add(mind, "ball isIn box")
        kb.add(mind, "ball isAt box")
        kb.retract(mind, "ball isIn box")
        kb.retract(mind, "ball isAt box")
        assert heard(events, 2) == [("appear", "box"), ("disappear", "box")]


def test_once(kb: Blackboard, mind: str) -> None:
    """A subscription for one event ends with it."""
    with kb.subscribe(mind, "?o isIn box", once=True) as events:
        kb.add(mind, "a1 isIn box")
        kb.add(mind, "a2 isIn box")
        assert [event.bindings for event in events] == [{"o": "a1"}]


def test_a_snapshot_comes_first(kb: Blackboard, mind: str) -> None:
    """What holds already is told as such, then that this was all, then what is new."""
    kb.add(mind, "a1 isIn box", "a2 isIn box")
    with kb.subscribe(mind, "?o isIn box", on="both", snapshot=True) as events:
        kb.add(mind, "a3 isIn box")
        told = [events.next(_PATIENCE) for _ in range(4)]
    assert sorted(event.bindings.get("o", "") for event in told[:2]) == ["a1", "a2"]
    assert [event.snapshot for event in told] == [True, True, False, False]
    assert [event.kind for event in told[2:]] == ["snapshot_end", "appear"]


def test_resuming_after_a_delta(kb: Blackboard, mind: str) -> None:
    """What has happened since a delta comes first, each event once, in order."""
    seq = kb.add(mind, "a1 isIn box").seq
    kb.add(mind, "a2 isIn box")
    kb.retract(mind, "a2 isIn box")
    with kb.subscribe(mind, "?o isIn box", on="both", after=seq) as events:
        kb.add(mind, "a3 isIn box")
        told = heard(events, 3)
    assert told == [("appear", "a2"), ("disappear", "a2"), ("appear", "a3")]


def test_wishes_that_cannot_be(kb: Blackboard, mind: str) -> None:
    """A subscription that can't be is refused at once."""
    with pytest.raises(UnknownModel):
        kb.subscribe("nobody", "?a b c")
    with pytest.raises(BadRequest):
        kb.subscribe(mind)
    with pytest.raises(BadStatement):
        kb.subscribe(mind, "ball isIn")
    with pytest.raises(BadRequest):
        kb.subscribe(mind, "?a b c", on=untyped("perhaps"))
    with pytest.raises(BadRequest):
        kb.subscribe(mind, "?a b c", after=10**12)
    with pytest.raises(BadRequest):
        kb.subscribe(mind, "?a b c", after=-1)
    with pytest.raises(BadRequest):
        kb.subscribe(mind, "?a b c", after=0, snapshot=True)


def test_a_subscription_closed_from_another_thread(kb: Blackboard, mind: str) -> None:
    """Who waits for an event stops waiting when somebody closes the subscription."""
    events = kb.subscribe(mind, "?o isIn box")
    ended = threading.Event()

    def wait() -> None:
        assert list(events) == []
        ended.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    events.close()
    assert ended.wait(_PATIENCE)
    waiting.join()
    with pytest.raises(Closed):
        events.next(_PATIENCE)


def test_patience_ends(kb: Blackboard, mind: str) -> None:
    """Waiting may be bounded, and goes on afterwards."""
    with kb.subscribe(mind, "?o isIn box") as events:
        with pytest.raises(TimedOut):
            events.next(0.01)
        kb.add(mind, "a1 isIn box")
        assert heard(events, 1) == [("appear", "a1")]


def test_a_board_that_closes_ends_its_subscriptions(kb: Blackboard, mind: str) -> None:
    """When the board is closed its iterators end."""
    events = kb.subscribe(mind, "?o isIn box")
    kb.close()
    assert list(events) == []


def test_divergence(kb: Blackboard, mind: str) -> None:
    """It is told when two models begin to differ, and when they cease to."""
    other = fresh_name()
    kb.create(other)
    with kb.subscribe_divergence(mind, "?o isIn ?where", other=other) as events:
        kb.add(mind, "ball isIn box")
        begun = events.next(_PATIENCE)
        kb.add(other, "ball isIn box")
        ceased = events.next(_PATIENCE)
    row = {"o": "ball", "where": "box"}
    assert (begun.kind, begun.only_here, begun.only_there) == ("diverge", (row,), ())
    assert (ceased.kind, ceased.only_here) == ("converge", (row,))


def test_many_changes_are_heard_once_and_in_order(kb: Blackboard, mind: str) -> None:
    """A hundred changes in a row are a hundred events."""
    with kb.subscribe(mind, "?o isIn box") as events:
        for number in range(100):
            kb.add(mind, f"x{number} isIn box")
        told = [events.next(_PATIENCE) for _ in range(100)]
    assert [event.bindings["o"] for event in told] == [f"x{number}" for number in range(100)]
    assert [event.seq for event in told] == sorted({event.seq for event in told})


def test_changes_from_many_threads(kb: Blackboard, mind: str) -> None:
    """One board may be used by many threads at once."""
    with kb.subscribe(mind, "?o isIn box") as events:
        writers = [
            threading.Thread(target=lambda n=n: kb.add(mind, f"x{n} isIn box")) for n in range(16)
        ]
        for writer in writers:
            writer.start()
        told = {events.next(_PATIENCE).bindings["o"] for _ in range(16)}
        for writer in writers:
            writer.join()
    assert told == {f"x{number}" for number in range(16)}
