"""The clocks of sources: what is late is told, and of each source once until it is in time."""

import itertools

from hypothesis import given
from hypothesis import strategies as some

from spatial_reasoner.percepts.clocks import Clocks
from spatial_reasoner.values.frames import Frame

Spoken = list[tuple[float | None, bool]]


def heard(*frames: tuple[str, float], missing: float = 1.0) -> Spoken:
    """How late each frame is, and whether something is said of it."""
    clocks = Clocks(missing)
    timings = [clocks.timing(Frame(t, source)) for source, t in frames]
    return [(timing.late, timing.warning is not None) for timing in timings]


def test_what_is_behind_by_no_more_than_the_tolerance_is_in_time() -> None:
    """Frames may come out of order by as much as a thing may be unperceived without missing."""
    assert heard(("a", 10.0), ("b", 9.0), ("a", 10.5), ("b", 9.5)) == [(None, False)] * 4
    assert heard(("a", 10.0), ("b", 9.0), missing=0.5)[1] == (1.0, True)


def test_a_clock_that_starts_again_is_told_once_until_it_has_caught_up() -> None:
    """Of a source that is behind something is said once, and again when it fell behind anew."""
    again = heard(("a", 50.0), ("a", 0.0), ("a", 10.0), ("a", 49.5), ("a", 50.5), ("a", 3.0))
    assert again == [
        (None, False),
        (50.0, True),
        (40.0, False),
        (None, False),
        (None, False),
        (47.5, True),
    ]


def test_each_source_is_told_of_by_itself() -> None:
    """Two that are behind are both named, and one that is in time is not."""
    found = heard(("a", 50.0), ("b", 0.0), ("c", 1.0), ("a", 50.1), ("b", 0.1), ("c", 1.1))
    assert [said for _, said in found] == [False, True, True, False, False, False]


def test_a_warning_says_who_by_how_much_and_whose_the_newest_is() -> None:
    """It names the source, how far it is behind, the newest frame, and what would be right."""
    clocks = Clocks(missing=1.0)
    clocks.timing(Frame(1790000000.5, "kinect"))
    said = clocks.timing(Frame(3.25, "tracker")).warning
    assert said == (
        "frames of tracker are late: 1789999997.25 s behind the newest frame, of kinect at "
        "t = 1790000000.5; all sources must share one clock, and a restarted program "
        "must continue with that clock"
    )
    assert "of the same source at" in str(clocks.timing(Frame(3.25, "kinect")).warning)


def test_a_leap_of_the_time_is_told_with_whose_it_is() -> None:
    """A frame that moves the time on by more than a minute is named, from when and to when."""
    clocks = Clocks(missing=1.0)
    clocks.timing(Frame(4.0, "kinect"))
    assert clocks.timing(Frame(64.0, "tracker")).warning is None
    said = clocks.timing(Frame(1e6, "tracker")).warning
    assert said == (
        "a frame of tracker advances the time from 64.0 to 1000000.0 s; older frames are late "
        "from now on; if that time is wrong, restart without this frame"
    )


def test_who_perceives_once_in_some_minutes_is_told_of_once() -> None:
    """Leaps that follow each other are one; after a step that is none the next is told again."""
    found = heard(("a", 0.0), ("a", 100.0), ("a", 200.0), ("a", 201.0), ("a", 300.0))
    assert [said for _, said in found] == [False, True, False, False, True]


def test_more_sources_than_are_remembered_are_not_told_of() -> None:
    """However many names are made up, what is remembered and said has an end."""
    made_up = [(f"s{n}", 0.0) for n in range(1000)] * 2
    found = heard(("a", 50.0), *made_up)
    assert sum(said for _, said in found) == 256
    assert all(late == 50.0 for late, _ in found[1:])


@given(some.lists(some.tuples(some.sampled_from("abc"), some.floats(-200, 200))))
def test_a_frame_is_late_by_how_far_it_is_behind_the_newest(
    frames: list[tuple[str, float]],
) -> None:
    """How late a frame is depends on the newest time before it alone, whoever told that."""
    newest = itertools.accumulate((t for _, t in frames), max, initial=float("-inf"))
    for (_, t), before, (late, _) in zip(frames, newest, heard(*frames), strict=False):
        assert late == (round(before - t, 3) if before - t > 1.0 else None)
