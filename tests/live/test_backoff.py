"""Patience: what fails is tried again after longer and longer, and is soon as good as new."""

from spatial_reasoner.board.backoff import Backoff, Refusals


def test_waits_grow_up_to_the_longest() -> None:
    """Each wait is twice the one before, and none is longer than the longest."""
    backoff = Backoff(first=1.0, longest=5.0)
    waits = [backoff.after(None)]
    for _ in range(4):
        waits.append(backoff.after(waits[-1]))
    assert waits == [1.0, 2.0, 4.0, 5.0, 5.0]


def test_who_refuses_is_left_alone_for_a_while() -> None:
    """What is refused is due again after the wait, longer each time, until it goes well."""
    refusals = Refusals(Backoff(first=1.0, longest=5.0))
    assert refusals.next_due(0.0) is None
    assert refusals.refuse("sally", "no", 10.0)
    assert not refusals.refuse("sally", "no", 11.0)
    assert refusals.refuse("anne", "never", 11.5)
    assert not refusals.is_due("sally", 12.9)
    assert refusals.is_due("bob", 0.0)
    assert refusals.next_due(12.0) == 0.5
    assert refusals.next_due(20.0) == 0.0
    assert refusals.is_due("sally", 13.0)
    refusals.forget("sally")
    assert refusals.refuse("sally", "no", 14.0)
    assert refusals.is_due("sally", 15.0)
