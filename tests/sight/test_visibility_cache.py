"""What is drawn and what is not: equal gazes share, the still stay, nothing depends on before."""

from dataclasses import replace

import numpy as np
import pytest

from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.gazes import Seen
from spatial_reasoner.sight.visibility import Visibility
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.rendering import Scenery
from tests.sight.places import ball, block, bowl, gaze, looking, scenery, tub

THERE = scenery(
    block((1, 1, 0.05), 1.5, 0, -0.3),
    *(ball(0.03, 1.2 + 0.05 * k, 0.35 * np.sin(2.0 * k), -0.245) for k in range(12)),
    tub((0.2, 0.2, 0.15), 1.3, 0.2, -0.2),
    bowl(0.1, 1.6, -0.3, -0.15),
    block((0.1, 0.3, 0.3), -2, 0, 0),
)
HEADS = (looking((1, 0, -0.2)), looking((1.5, 0, 0), (1.5, -1.2, 0.5)))


def moved(row: int, by: float) -> Scenery:
    poses = THERE.poses.copy()
    poses[row, 1] += by
    return replace(THERE, poses=poses)


def same(one: Seen, other: Seen) -> bool:
    """Equal to the bit."""
    return all(np.array_equal(getattr(one, f), getattr(other, f)) for f in one.__slots__)


def test_what_is_still_is_not_drawn_again(visibility: Visibility) -> None:
    """Asked again about what has not changed, in new arrays too, nothing is drawn."""
    first = visibility.see([gaze(head, THERE) for head in HEADS])
    drawn = visibility.drawn
    assert drawn == 2
    again = replace(THERE, poses=THERE.poses.copy(), shapes=list(THERE.shapes))
    second = visibility.see([gaze(head.copy(), again) for head in HEADS])
    assert visibility.drawn == drawn
    assert all(map(same, first, second))


def test_minds_that_believe_the_same_share_a_picture(visibility: Visibility) -> None:
    """Two sceneries that are equal are drawn once for a head."""
    other = replace(THERE, poses=THERE.poses.copy())
    one, two = visibility.see([gaze(HEADS[0], THERE), gaze(HEADS[0], other)])
    assert visibility.drawn == 1
    assert same(one, two)


def test_what_differs_behind_a_head_is_no_difference(visibility: Visibility) -> None:
    """Minds that differ only in what is behind the head share its picture."""
    visibility.see([gaze(HEADS[0], THERE)])
    visibility.see([gaze(HEADS[0], moved(15, 0.2))])
    absent = replace(THERE, rows=THERE.rows[:15])
    visibility.see([gaze(HEADS[0], absent)])
    assert visibility.drawn == 1
    visibility.see([gaze(HEADS[0], moved(3, 0.2))])
    assert visibility.drawn == 2


def test_a_changed_field_is_another_look(visibility: Visibility) -> None:
    """The same head with other eyes is drawn anew; so is one to whom a thing is of glass."""
    visibility.see([gaze(HEADS[0], THERE)])
    visibility.see([gaze(HEADS[0], THERE, turn=0.3)])
    visibility.see([gaze(HEADS[0], THERE, transparent=(13,))])
    assert visibility.drawn == 3


def test_answers_do_not_depend_on_what_was_asked_before(sight: CloseUpSight) -> None:
    """Asked alone, together, or after a long story, a gaze has the same answer to the bit."""
    asked = [gaze(head, there) for there in (THERE, moved(3, 0.1)) for head in HEADS]
    together = Visibility(sight, Tolerances()).see(asked)
    one_by_one = Visibility(sight, Tolerances())
    for k in range(3):
        one_by_one.see([gaze(HEADS[k % 2], moved(k, 0.05 * k))])
    for one, seen in zip(reversed(asked), reversed(together), strict=True):
        assert same(one_by_one.see([one])[0], seen)
        assert same(Visibility(sight, Tolerances()).see([one])[0], seen)


def test_rows_that_are_not_there_are_not_seen(visibility: Visibility) -> None:
    """What is not placed has no share, wherever its last pose is; not even one that is no pose."""
    poses = THERE.poses.copy()
    poses[[2, 5]] = np.nan
    absent = replace(THERE, poses=poses, rows=np.delete(THERE.rows, [2, 5]))
    [seen] = visibility.see([gaze(HEADS[0], absent)])
    assert not seen.share[[2, 5]].any()
    assert not seen.in_view[[2, 5]].any()
    assert len(seen.share) == len(THERE.shapes)
    [all_seen] = visibility.see([gaze(HEADS[0], THERE)])
    assert all_seen.share[[2, 5]].all()


def test_parts_of_agents_have_no_shape(visibility: Visibility) -> None:
    """Rows without a shape are there, and never seen."""
    shapes = [*THERE.shapes, None]
    poses = np.concatenate([THERE.poses, THERE.poses[:1]])
    there = replace(THERE, shapes=shapes, poses=poses)
    [seen] = visibility.see([gaze(HEADS[0], there)])
    [before] = visibility.see([gaze(HEADS[0], THERE)])
    assert seen.share[:-1].tolist() == before.share.tolist()
    assert seen.share[-1] == 0.0


def test_minds_of_other_joints(visibility: Visibility) -> None:
    """Two minds that think differently of how a door stands see it as each thinks."""
    door = block((0.02, 0.8, 1), 1.0, 0, 0)
    ajar = block((0.02, 0.1, 1), 1.0, 0.35, 0)
    behind = ball(0.1, 2, 0, 0)
    closed, opened = scenery(door, behind), scenery(ajar, behind)
    one, two = visibility.see([gaze(HEADS[0], closed), gaze(HEADS[0], opened)])
    eye = looking((1, 0, 0))
    one, two = visibility.see([gaze(eye, closed), gaze(eye, opened)])
    assert (one.share[1] > 0.1, two.share[1] > 0.1) == (False, True)


def test_nobody_looks(visibility: Visibility) -> None:
    """No gazes, no answers; an empty world has nothing to be seen."""
    assert visibility.see([]) == []
    empty = replace(THERE, rows=THERE.rows[:0])
    [seen] = visibility.see([gaze(HEADS[0], empty)])
    assert not seen.share.any()
    assert visibility.drawn == 0


def test_answers_can_not_be_written_to(visibility: Visibility) -> None:
    """An answer is shared, so it is read only."""
    [seen] = visibility.see([gaze(HEADS[0], THERE)])
    with pytest.raises(ValueError, match="read-only"):
        seen.share[0] = 1.0


def test_what_is_kept_is_bounded(visibility: Visibility) -> None:
    """After many different looks, no more answers are kept than a few hundred."""
    there = scenery(ball(0.1, -2, 0, 0))
    for start in range(0, 600, 20):
        visibility.see([gaze(looking((1, 0, 1e-4 * (start + k))), there) for k in range(20)])
    assert len(visibility._answers) <= 512


def test_shapes_that_are_kept_are_bounded(visibility: Visibility) -> None:
    """After a door stood at many angles no more shapes are kept than a few hundred."""
    eye = looking((1, 0, 0))
    for k in range(600):
        visibility.see([gaze(eye, scenery(ball(0.1 + 1e-4 * k, -2, 0, 0)))])
    assert len(visibility._alike) <= len(visibility._numbers) <= 513
    [seen] = visibility.see([gaze(eye, THERE)])
    [anew] = Visibility(visibility.sight, Tolerances()).see([gaze(eye, THERE)])
    assert same(seen, anew)
