"""What is kept of closer looks: what was found last, as long as there is room."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.sight.close_up_cache import CloseUpCache
from tests.trials import law

ROOM = 8192
BATCHES = st.lists(st.tuples(st.integers(0, 30_000), st.integers(1, ROOM + 100)), max_size=6)


def named(first: int, count: int) -> list[bytes]:
    return [str(number).encode() for number in range(first, first + count)]


@given(BATCHES)
@law(20)
def test_what_is_kept_is_what_was_found(batches: list[tuple[int, int]]) -> None:
    """Whatever came and went before, of a key that is not missing that is kept which was found."""
    kept, truth = CloseUpCache(), np.random.default_rng(7).random((40_000, 2, 6))
    for first, count in batches:
        keys = named(first, count)
        new = kept.missing(keys)
        kept.store([keys[k] for k in new.tolist()], truth[first + new])
        gone = set(kept.missing(keys).tolist())
        there = [k for k in range(count) if k not in gone]
        assert len(there) == min(count, ROOM) or len(new) < count
        found = kept.of([keys[k] for k in there])
        assert np.array_equal(found, truth[first + np.array(there, dtype=np.intp)])


def test_the_oldest_give_way() -> None:
    """One key more than there is room for costs the oldest its place, and no other."""
    kept, keys = CloseUpCache(), named(0, ROOM + 1)
    kept.store(keys[:-1], np.zeros((ROOM, 2, 6)))
    assert not len(kept.missing(keys[:-1]))
    kept.store(keys[-1:], np.ones((1, 2, 6)))
    assert kept.missing(keys).tolist() == [0]
    assert kept.of(keys[-1:]).all()
    kept.clear()
    assert len(kept.missing(keys)) == len(keys)


def test_a_key_that_comes_twice_at_once_is_kept() -> None:
    """What two heads need at once is kept for both, and forgotten as anything else is."""
    kept, [key] = CloseUpCache(), named(0, 1)
    kept.store([key, key], np.ones((2, 2, 6)))
    assert kept.of([key, key]).all()
    kept.store(named(1, ROOM), np.zeros((ROOM, 2, 6)))
    assert kept.missing([key]).tolist() == [0]
