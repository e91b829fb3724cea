"""What is seen of things, by each renderer: shares, fields, glass, and what is small."""

import numpy as np
import pytest

from spatial_reasoner.geometry.poses import compose, pose_of
from spatial_reasoner.sight.gazes import find_seen
from spatial_reasoner.sight.visibility import Visibility
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.rendering import Scenery
from tests.sight.places import (
    FOV,
    Thing,
    ball,
    block,
    bowl,
    gaze,
    ground,
    looking,
    pole,
    scenery,
    tub,
    turned_about,
)

AHEAD = looking((1, 0, 0))
NEARLY = 0.4
"""How far a share that is well above the threshold may be from what it is by reckoning."""


def shares(
    visibility: Visibility, there: Scenery, transparent: tuple[int, ...] = ()
) -> list[float]:
    """What shows to an eye at the origin that looks ahead."""
    [seen] = visibility.see([gaze(AHEAD, there, transparent=transparent)])
    return [round(float(share), 3) for share in seen.share]


@pytest.mark.parametrize("distance", [0.7, 2.0, 6.0, 20.0, 60.0])
@pytest.mark.parametrize("hidden", [0.0, 0.3, 0.5, 0.7])
def test_the_share_of_a_half_hidden_box(
    visibility: Visibility, distance: float, hidden: float
) -> None:
    """Of a square of 20 cm that a board leaves free as much shows; far away, more than a fifth."""
    edge = 0.1 - 0.2 * hidden
    board = 0.9 * distance
    there = scenery(
        block((0.01, 0.2, 0.2), distance, 0, 0),
        block((0.002, 2, 2), board, (edge * board / distance) + 1, 0),
    )
    share = shares(visibility, there)[0]
    assert share > 0.2
    assert distance > 2.0 or share == pytest.approx(1 - hidden, abs=0.2)


def test_shares_about_the_threshold(visibility: Visibility) -> None:
    """Near the threshold a share is as it should be, whatever the distance."""
    for hidden in (0.83, 0.87, 0.93, 0.97):
        for distance in (0.5, 1.0, 3.0, 9.0):
            edge = 0.1 - 0.2 * hidden
            there = scenery(
                block((0.01, 0.2, 0.2), distance, 0, 0),
                block((0.002, 2, 2), 0.9 * distance, 0.9 * edge + 1, 0),
            )
            assert shares(visibility, there)[0] == pytest.approx(1 - hidden, abs=0.045)


@pytest.mark.parametrize("thing", [
    block((0.14, 0.008, 0.008), 3, 0.4, -0.3, *turned_about(2, 0.7)),
    pole(0.004, 0.14, 3, 0.4, -0.3, *turned_about(0, 0.4)),
    ball(0.01, 8, -2, 1),
    block((0.02, 0.02, 0.02), 12, 3, -2),
    bowl(0.02, 4, 0.7, 0, rings=20, sides=60),
    tub((0.05, 0.05, 0.04), 5, -1, -0.6),
])  # fmt: skip
def test_what_is_small_is_not_lost(visibility: Visibility, thing: Thing) -> None:
    """A pen three metres away, a marble, a dense small mesh: each shows whole, and hidden not."""
    shape, pose = thing
    assert shares(visibility, scenery((shape, pose)))[0] > 0.9
    lid = block((0.01, 0.5, 0.5), *(0.9 * np.array(pose[:3])).tolist())
    assert shares(visibility, scenery((shape, pose), lid))[0] == 0.0


def test_a_pen_is_steady_while_heads_jitter(visibility: Visibility) -> None:
    """A pen on a table stays seen, and one beneath it unseen, however the head trembles."""
    there = scenery(
        block((0.8, 1.4, 0.04), 2.2, 0, -0.6),
        block((0.14, 0.008, 0.008), 2.2, 0.2, -0.576, *turned_about(2, 1.0)),
        block((0.14, 0.008, 0.008), 2.2, 0.2, -0.66, *turned_about(2, 1.0)),
    )
    noise = np.random.default_rng(5)
    before = np.zeros(3, dtype=bool)
    for k in range(20):
        turn = noise.normal(0, 0.015, 2)
        eye = pose_of([*noise.normal(0, 0.0015, 3), 0, turn[0] / 2, turn[1] / 2, 1])
        [seen] = visibility.see([gaze(eye, there)])
        find_seen(seen.share, seen.kept, before.copy(), *Tolerances().share, before)
        assert before.tolist() == [True, True, False], k


def test_a_mesh_with_a_cavity_is_looked_into(visibility: Visibility) -> None:
    """From above one sees what lies in a bowl, which a hull would close; from below not."""
    there = scenery(bowl(0.15, 1.5, 0, 0), ball(0.04, 1.5, 0, -0.08))
    above, below = (
        visibility.see([gaze(looking((1.5, 0, -0.05), (0.9, 0.05, height)), there)])[0]
        for height in (1.0, -0.9)
    )
    assert above.share[1] > 0.9
    assert below.share[1] == 0.0
    assert min(above.share[0], below.share[0]) > 0.8


def test_a_bin_hides_what_is_in_it_from_the_side(visibility: Visibility) -> None:
    """What lies in a bin shows from above, and not over its edge."""
    there = scenery(tub((0.4, 0.4, 0.3), 1.5, 0, 0), ball(0.05, 1.5, 0, -0.09))
    above, beside = (
        visibility.see([gaze(looking((1.5, 0, 0), place), there)])[0]
        for place in ((1.2, 0, 1.2), (0, 0, 0.1))
    )
    assert above.share[1] > 0.7
    assert beside.share[1] == 0.0


def test_glass_hides_nothing_and_can_be_hidden(visibility: Visibility) -> None:
    """Through a pane one sees; the pane itself shows, but for what stands before it."""
    there = scenery(
        ball(0.2, 3, 0, 0), block((0.01, 1, 1), 2, 0, 0), block((0.01, 0.5, 1), 1.5, 0.25, 0)
    )
    ball_, pane, board = shares(visibility, there, transparent=(1,))
    assert ball_ == pytest.approx(0.5, abs=NEARLY)
    assert pane == pytest.approx(0.5, abs=0.1)
    assert board > 0.9
    assert shares(visibility, there)[0] == 0.0


def test_things_in_a_glass_bin_show(visibility: Visibility) -> None:
    """A ball in a bin of glass is seen from the side, in an opaque one it is not."""
    there = scenery(tub((0.3, 0.3, 0.3), 1.5, 0, 0), ball(0.05, 1.5, 0, -0.09))
    assert min(shares(visibility, there, transparent=(0,))) > 0.5
    assert shares(visibility, there)[1] == 0.0


def test_what_lies_across_the_edge_is_judged_by_what_is_in_view(visibility: Visibility) -> None:
    """Of a thing half outside the field only the inner half counts; hidden there, it is hidden."""
    side = 2 * np.tan(FOV[0] / 2)
    edge = block((0.02, 0.4, 0.4), 2, side, 0)
    assert shares(visibility, scenery(edge))[0] == 1.0
    board = block((0.01, 0.4, 1), 1.8, 0.9 * side - 0.2, 0)
    [seen] = visibility.see([gaze(AHEAD, scenery(edge, board))])
    assert seen.share[0] == 0.0
    assert seen.in_view[0]
    assert seen.turned[0] > 0.3


@pytest.mark.parametrize("big", [ground(-1.4), block((1.6, 3, 0.05), 1.2, 0, -0.6)])
def test_a_table_that_surrounds_the_view_is_in_view(visibility: Visibility, big: Thing) -> None:
    """The floor, or a table that reaches past the field on both sides, is in view and shows."""
    there = scenery(big, ball(0.1, 1.5, 0, 0))
    [seen] = visibility.see([gaze(looking((1, 0, -0.5)), there)])
    assert seen.in_view.tolist() == [True, True]
    assert seen.share[0] > 0.9


def test_what_is_out_of_view(visibility: Visibility) -> None:
    """Behind the head, beside its field, above it, or around it: not in view, and no share."""
    there = scenery(
        ball(0.2, -2, 0, 0), ball(0.2, 1, 3, 0), ball(0.2, 1, 0, 3), block((1, 1, 1), 0, 0, 0)
    )
    [seen] = visibility.see([gaze(AHEAD, there)])
    assert not seen.in_view.any()
    assert not seen.share.any()


@pytest.mark.parametrize(("angle", "fields"), [
    (0.0, "attended view turned"), (0.15, "attended view turned"), (0.25, "view turned"),
    (0.82, "view turned"), (0.95, "turned"), (1.10, "turned"), (1.2, ""), (2.5, ""),
])  # fmt: skip
@pytest.mark.parametrize("side", [1, -1])
def test_the_fields(visibility: Visibility, angle: float, fields: str, side: int) -> None:
    """A marble is in the fields of attention, of view and of the turned head as its angle says."""
    there = scenery(ball(0.01, 2 * np.cos(angle), side * 2 * np.sin(angle), 0))
    [seen] = visibility.see([gaze(AHEAD, there)])
    found = {
        "attended": seen.attended[0],
        "view": seen.share[0] > 0.5,
        "turned": seen.turned[0] > 0.5,
    }
    assert [name for name, so in found.items() if so] == fields.split()


@pytest.mark.parametrize(("angle", "so"), [(0.1, True), (0.2, False)])
def test_attention_is_flatter_than_wide(visibility: Visibility, angle: float, so: bool) -> None:
    """The field of attention is 20° wide and 15° high."""
    for place in ((np.cos(angle), 0, np.sin(angle)), (np.cos(angle), 0, -np.sin(angle))):
        [seen] = visibility.see([gaze(AHEAD, scenery(ball(0.005, *place)))])
        assert bool(seen.attended[0]) is so


def test_attention_to_what_is_large(visibility: Visibility) -> None:
    """A wall whose middle is elsewhere is attended to when it fills the field of attention."""
    wall = block((0.1, 6, 3), 2, -2.5, 0)
    [seen] = visibility.see([gaze(AHEAD, scenery(wall))])
    assert seen.attended[0]
    far = block((0.1, 6, 3), 2, -3.6, 0)
    [seen] = visibility.see([gaze(AHEAD, scenery(far))])
    assert not seen.attended[0]
    assert seen.share[0] > 0.9


@pytest.mark.parametrize("wide", [2.6, 3.0, 4.5, 6.2])
def test_wide_fields(visibility: Visibility, wide: float) -> None:
    """A field may be wider than a flat picture can be, up to all around."""
    angles = np.linspace(-np.pi, np.pi, 12, endpoint=False) + 0.1
    there = scenery(*(ball(0.1, 2 * np.cos(a), 2 * np.sin(a), 0.3) for a in angles))
    [seen] = visibility.see([gaze(AHEAD, there, fov=(wide, 1.3), turn=0.1)])
    assert (seen.share > 0.5).tolist() == (np.abs(angles) < wide / 2).tolist()
    assert (seen.turned > 0.5).tolist() == (np.abs(angles) < wide / 2 + 0.1).tolist()


@pytest.mark.parametrize("long", [8.0, 20.0, 60.0])
@pytest.mark.parametrize("turn", [0.0, np.pi / 2])
def test_a_pole_is_seen_however_long_it_is(
    visibility: Visibility, long: float, turn: float
) -> None:
    """A pole of two centimetres, upright or lying across, shows as far as nothing hides it."""
    lying = block((0.02, 0.02, long), 3.7, 0.0, 0.0, np.sin(turn / 2), 0, 0, np.cos(turn / 2))
    edge = block((0.1, 60, 60), 3.0, 0, -30.0)
    side = block((0.1, 60, 60), 3.0, -30.0, 0)
    for hidden, shown in (
        ((), 1.0),
        ((side if turn else edge,), 0.5),
        ((block((0.1, 60, 60), 2.0, 0, 0),), 0.0),
    ):
        [seen] = visibility.see([gaze(AHEAD, scenery(lying, *hidden))])
        assert seen.in_view[0]
        assert seen.share[0] == pytest.approx(shown, abs=0.15)


def test_a_large_thing_across_two_panels(visibility: Visibility) -> None:
    """With a field too wide for one picture, a wall beside the head shows whole."""
    there = scenery(block((6, 0.1, 2), 0, 2, 0), block((6, 0.1, 2), 0, 1.8, -1.0))
    [seen] = visibility.see([gaze(AHEAD, there, fov=(5.0, 1.3), turn=0.0)])
    assert seen.share[0] == pytest.approx(0.5, abs=0.1)
    assert seen.share[1] == pytest.approx(1.0, abs=0.05)


def test_what_is_at_an_edge_is_kept(visibility: Visibility) -> None:
    """What has just left a field is still in the wider one that keeps it."""
    for angle, share, kept in ((0.85, 1.0, 1.0), (0.9, 0.0, 1.0), (0.96, 0.0, 0.0)):
        there = scenery(ball(0.005, 2 * np.cos(angle), 2 * np.sin(angle), 0))
        [seen] = visibility.see([gaze(AHEAD, there)])
        assert (round(float(seen.share[0])), round(float(seen.kept[0]))) == (share, kept)


@pytest.mark.parametrize("roll", [0.0, 1.0, np.pi / 2, np.pi, -2.0])
def test_a_rolled_head_sees_as_much(visibility: Visibility, roll: float) -> None:
    """Who lies on the side sees the same shares of what is near the middle."""
    there = scenery(
        block((0.1, 0.3, 0.3), 2, 0, 0),
        block((0.05, 0.3, 0.6), 1.5, 0.15, 0),
        ball(0.05, 2, -0.3, 0.2),
    )
    upright = shares(visibility, there)
    [seen] = visibility.see([gaze(looking((1, 0, 0), roll=roll), there)])
    assert seen.share.tolist() == pytest.approx(upright, abs=NEARLY)


def test_shares_do_not_depend_on_where_the_world_is(visibility: Visibility) -> None:
    """Moved and turned as a whole, eye and things, all shows as it did."""
    there = scenery(
        block((0.1, 0.3, 0.3), 2, 0, 0),
        block((0.05, 0.3, 0.6), 1.5, 0.2, 0),
        ball(0.05, 2, -0.3, 0.2),
        tub((0.3, 0.3, 0.2), 1.2, -0.4, -0.4),
        ball(0.02, 1.2, -0.4, -0.45),
    )
    [first] = visibility.see([gaze(AHEAD, there)])
    shift = looking((0.2, -1, 0.4), (30, -20, 5), roll=0.8)
    moved = Scenery(there.shapes, compose(shift, there.poses), there.rows)
    [second] = visibility.see([gaze(compose(shift, AHEAD), moved)])
    assert second.share.tolist() == pytest.approx(first.share.tolist(), abs=NEARLY)
    assert second.in_view.tolist() == first.in_view.tolist()
