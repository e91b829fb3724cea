"""What is recognised as an action, by tales of things and hands."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.actions.tale import AWAY, BOX, HALF, SPOT, TOP, Tale, on_table
from tests.trials import law

PICK = "Pick ball by sally from table"
PLACE = "Place ball by sally at table"
UP = on_table(lift=0.3)
OVER_BOX = (*BOX, TOP + 0.5)
IN_BOX = (*BOX, TOP + HALF + 0.01)


def ball() -> Tale:
    """A ball on the table, and nobody near."""
    tale = Tale().at("ball", on_table()).at("cup", on_table((-0.5, 0.5)))
    for hand in ("sally_right", "sally_left", "anne_right"):
        tale.at(hand, AWAY)
    return tale.wait(1.0)


def taken(hand: str = "sally_right") -> Tale:
    """The ball in a hand, still on the table."""
    tale = ball().go(0.5, **{hand: on_table(lift=0.06)}).take(hand, "ball")
    return tale.wait(0.3)


def picked(hand: str = "sally_right") -> Tale:
    """The ball lifted."""
    return taken(hand).lift(hand, "ball", UP)


def test_what_a_hand_lifts_and_sets_down_is_picked_and_placed() -> None:
    """A lift of 30 cm and back is a Pick and a Place, by whose hand it is."""
    tale = picked().wait(0.5).lift("sally_right", "ball", on_table((0.2, 0.2))).wait(0.5)
    assert tale.words() == [PICK, PLACE]


def test_an_action_is_dated_when_it_happened() -> None:
    """A Pick goes from the last moment of rest until the thing is 45 mm up."""
    tale = picked()
    begin = tale.now - 0.4
    [pick] = tale.wait(0.5).told(hz=50)
    assert begin <= pick.start <= begin + 0.04 + 0.02  # 3 cm of 30 are on the table
    assert begin + 0.06 - 0.02 <= pick.end <= begin + 0.06 + 0.04


@pytest.mark.parametrize("lift", [0.01, 0.02, 0.03, 0.04])
def test_a_small_lift_is_no_pick(lift: float) -> None:
    """What is lifted by less than 45 mm and set down again was not picked, nor placed."""
    tale = taken().lift("sally_right", "ball", on_table(lift=lift)).wait(1.0)
    assert tale.lift("sally_right", "ball", on_table()).wait(1.0).words() == []


def test_a_slide_is_no_pick() -> None:
    """What a hand pushes along the table stays on it, and is not picked; nor if lifted a little."""
    tale = taken().lift("sally_right", "ball", on_table((0.3, 0.3)), on_table((-0.3, 0.3)))
    tale.lift("sally_right", "ball", on_table((-0.3, 0.3), 0.02)).wait(0.5)
    assert tale.lift("sally_right", "ball", on_table((-0.3, 0.3))).wait(0.5).words() == []


def test_what_is_drawn_over_the_edge_in_a_hand_is_picked() -> None:
    """A thing that a hand takes off the table to the side is in the hand, and so picked."""
    tale = taken().lift("sally_right", "ball", on_table((0.95, 0)), on_table((1.3, 0)))
    assert tale.wait(0.5).words() == [PICK]


def test_what_falls_without_a_hand_is_not_picked() -> None:
    """A ball that rolls off the edge ends on the floor, and nobody did anything."""
    tale = ball().go(1.0, ball=on_table((0.99, 0))).go(0.05, ball=on_table((1.05, 0)))
    assert tale.fall("ball", HALF).wait(1.0).words() == []


def test_what_is_pushed_over_the_edge_is_not_picked() -> None:
    """A hand that pushes a thing over the edge seems to have it until it is 30 cm away."""
    tale = taken().lift("sally_right", "ball", on_table((0.99, 0)))
    tale.go(0.05, ball=on_table((1.05, 0))).fall("ball", TOP - 0.3).take("", "ball")
    assert tale.fall("ball", HALF).wait(1.0).words() == []


def test_a_ball_dropped_over_a_box_is_released_and_then_put_into_it() -> None:
    """Where a ball was let go comes first, then where it came to rest; both by who had it."""
    tale = picked().lift("sally_right", "ball", OVER_BOX)
    let_go = tale.now
    tale.take("", "ball").fall("ball", IN_BOX[2])
    landed = tale.now
    told = tale.wait(1.0).told()
    assert tale.words() == [PICK, "Release ball by sally", "Put ball by sally at box"]
    assert told[1].start == pytest.approx(let_go, abs=0.081)
    assert told[2].end == pytest.approx(landed, abs=0.081)


def test_a_ball_that_seems_to_be_held_while_it_falls_is_released() -> None:
    """A hand holds what is within 30 cm of it: what no longer lies in it as it was, it has lost."""
    tale = picked().lift("sally_right", "ball", (*BOX, TOP + 0.3))
    tale.fall("ball", IN_BOX[2]).wait(1.0)
    assert tale.words() == [PICK, "Release ball by sally", "Put ball by sally at box"]


def test_what_is_dropped_by_less_than_45_mm_is_placed() -> None:
    """Setting down is no Release, though the hand opens 3 cm above the table."""
    tale = picked().lift("sally_right", "ball", on_table(lift=0.04)).wait(0.1)
    tale.take("", "ball").fall("ball", on_table()[2])
    assert tale.wait(0.5).words() == [PICK, PLACE]


def test_a_hand_that_puts_a_ball_down_in_a_box_has_put_it_there() -> None:
    """What a hand brings into a box is put there once the hand has left it, and not before."""
    tale = picked().lift("sally_right", "ball", OVER_BOX, IN_BOX)
    came = tale.now
    assert tale.wait(1.0).words() == [PICK]
    tale.go(0.5, sally_right=OVER_BOX).take("", "ball").go(0.5, sally_right=AWAY).wait(0.5)
    assert tale.words() == [PICK, "Put ball by sally at box"]
    put = tale.told()[1]
    assert put.start < came < put.end <= came + 1.2


def test_a_dip_into_a_box_is_nothing() -> None:
    """A ball that a hand takes through a box was never put there."""
    tale = picked().lift("sally_right", "ball", OVER_BOX, IN_BOX, OVER_BOX).wait(0.5)
    assert tale.words() == [PICK]


def test_what_a_hand_left_in_a_box_unseen_was_put_there() -> None:
    """A ball that goes into a box in a hand unseen, and is then known to be in it, is put there."""
    tale = picked().lift("sally_right", "ball", OVER_BOX)
    tale.unseen["ball"] = (tale.now, math.inf)
    tale.lift("sally_right", "ball", IN_BOX).wait(0.3).lift("sally_right", "ball", OVER_BOX)
    tale.go(0.001, ball=IN_BOX).wait(1.0).take("", "ball").wait(0.5)
    assert tale.words() == [PICK, "Put ball by sally at box"]


@pytest.mark.parametrize("lift", [0.05, 0.3])
def test_what_fell_unseen_was_let_go(lift: float) -> None:
    """What a hand had well above the table, and lies there without anybody seeing how, was let go;
    from a little above it was set down."""
    tale = picked().lift("sally_right", "ball", on_table(lift=lift)).wait(0.3)
    tale.unseen["ball"] = (tale.now, math.inf)
    tale.wait(0.7).take("", "ball").go(0.001, ball=on_table()).wait(0.6)
    released = ["Release ball by sally"] if lift > 0.2 else []
    assert tale.words() == [PICK, *released, PLACE]


def test_a_thing_goes_from_box_to_table() -> None:
    """What is carried out of a container is picked from it, as soon as it is out."""
    tale = Tale().at("ball", IN_BOX).at("sally_right", AWAY).wait(0.5)
    tale.go(0.5, sally_right=(*BOX, TOP + 0.1)).take("sally_right", "ball").wait(0.2)
    tale.lift("sally_right", "ball", OVER_BOX, UP, on_table()).wait(0.3)
    assert tale.words() == ["Pick ball by sally from box", PLACE]


def test_a_handover_is_one_action() -> None:
    """From one agent's hand to another's is a Handover and nothing else."""
    tale = picked().go(0.5, anne_right=on_table(lift=0.25)).wait(0.3)
    tale.take("anne_right", "ball").go(0.5, sally_right=AWAY).wait(0.5)
    tale.lift("anne_right", "ball", on_table((-0.3, 0))).wait(0.5)
    assert tale.words() == [PICK, "Handover ball by sally to anne", "Place ball by anne at table"]


def test_from_hand_to_hand_of_one_agent_is_nothing() -> None:
    """Who takes a thing into the other hand has done nothing to it."""
    tale = picked().go(0.5, sally_left=on_table(lift=0.25)).wait(0.3)
    tale.take("sally_left", "ball").go(0.5, sally_right=AWAY).wait(0.5)
    assert tale.lift("sally_left", "ball", on_table()).wait(0.5).words() == [PICK, PLACE]


def test_what_is_set_down_between_two_hands_is_not_handed_over() -> None:
    """With a rest between there are two picks and two places."""
    tale = picked().lift("sally_right", "ball", on_table()).wait(0.3)
    tale.go(0.5, anne_right=on_table(lift=0.06)).take("anne_right", "ball").wait(0.2)
    tale.lift("anne_right", "ball", UP, on_table()).wait(0.5)
    by_anne = [each.replace("sally", "anne") for each in (PICK, PLACE)]
    assert tale.words() == [PICK, PLACE, *by_anne]


def test_a_hand_that_is_there_for_a_moment_gets_nothing() -> None:
    """A hand that seems to have a thing for less than 0.12 s was not given it."""
    tale = picked().wait(0.2).take("anne_right", "ball").wait(0.08)
    assert tale.take("sally_right", "ball").wait(0.5).words() == [PICK]


def test_two_picks_in_one_second_are_two() -> None:
    """Up, down and up again within a second is a Pick, a Place and a Pick."""
    tale = taken()
    begin = tale.now
    tale.lift("sally_right", "ball", on_table(lift=0.15), seconds=0.25).wait(0.05)
    tale.lift("sally_right", "ball", on_table(), seconds=0.25).wait(0.16)
    tale.lift("sally_right", "ball", on_table(lift=0.15), seconds=0.25)
    assert tale.now - begin < 1.0
    assert tale.wait(0.5).words() == [PICK, PLACE, PICK]


def test_two_things_picked_at_once_are_two_picks() -> None:
    """Each hand's thing is picked for itself."""
    tale = taken().go(0.3, anne_right=on_table((-0.5, 0.5), 0.06)).take("anne_right", "cup")
    tale.wait(0.2).lift("sally_right", "ball", UP).lift(
        "anne_right", "cup", on_table((-0.5, 0.5), 0.3)
    )
    assert tale.wait(0.5).words() == [PICK, "Pick cup by anne from table"]


def unheld(*hands: str) -> Tale:
    """The ball rises in a hand that is not known to hold it, with some hands 15 cm away."""
    tale = ball()
    tale.floats = {"ball"}
    tale.go(0.5, **{hand: beside(hand, on_table()) for hand in hands})
    return tale.wait(0.2).go(0.5, ball=UP, **{hand: beside(hand, UP) for hand in hands}).wait(1.0)


def beside(hand: str, place: tuple[float, float, float]) -> tuple[float, float, float]:
    """Where a hand is 15 cm from a place, each on its own side."""
    x, y, z = place
    return (x + 0.15, y, z) if hand.startswith("sally") else (x - 0.15, y, z)


def test_the_only_one_who_was_near_did_it() -> None:
    """Where no hand is known to hold, the one agent tells who had a hand within 20 cm of it."""
    assert unheld("sally_right").words() == [PICK]


def test_of_two_who_were_near_nobody_is_said() -> None:
    """Two candidates, or none, are no performer; but the thing was picked."""
    assert unheld("sally_right", "anne_right").words() == ["Pick ball from table"]
    assert unheld().words() == ["Pick ball from table"]


def test_what_hovers_and_then_falls_was_let_go() -> None:
    """A thing that nobody is seen to hold is let go when it falls, and set down when it doesn't."""
    tale = unheld().fall("ball", on_table()[2]).wait(0.5)
    assert tale.words() == ["Pick ball from table", "Release ball", "Place ball at table"]
    tale = unheld().go(0.6, ball=on_table()).wait(0.5)
    assert tale.words() == ["Pick ball from table", "Place ball at table"]


def test_a_hand_that_is_lost_from_sight_has_not_let_go() -> None:
    """What goes on hovering, and is then lowered, was placed by who had it last."""
    tale = picked().wait(0.5).take("", "ball").wait(1.0).go(0.8, ball=on_table()).wait(0.5)
    assert tale.words() == [PICK, PLACE]


def test_who_catches_a_falling_thing_was_not_given_it() -> None:
    """A thing let go and caught by another was released, and is then placed by who caught it."""
    tale = picked().lift("sally_right", "ball", (0, 0, TOP + 1.2)).take("", "ball")
    tale.fall("ball", TOP + 0.3).take("anne_right", "ball").go(0.04, anne_right=(0, 0, TOP + 0.3))
    tale.wait(0.5).lift("anne_right", "ball", on_table()).wait(0.5)
    assert tale.words() == [PICK, "Release ball by sally", "Place ball by anne at table"]


def test_one_wild_percept_is_no_release() -> None:
    """A thing that is perceived 20 cm below its hand once, and back, was not let go."""
    tale = picked().wait(0.5).go(0.01, ball=on_table(lift=0.1)).wait(0.03)
    assert tale.go(0.01, ball=UP).wait(0.5).words() == [PICK]
    tale = unheld().go(0.01, ball=on_table(lift=0.1)).wait(0.03).go(0.01, ball=UP)
    assert tale.wait(0.5).words() == ["Pick ball from table"]


def test_what_was_carried_off_and_turns_up_lower_was_not_dropped() -> None:
    """A thing that is in a hand, and the next moment perceived elsewhere at rest, was put there."""
    tale = picked().wait(0.5).go(0.001, ball=on_table((0.5, -0.5))).take("", "ball").wait(1.0)
    assert tale.words() == [PICK, PLACE]


def test_what_hung_in_the_air_for_long_is_not_handed_over() -> None:
    """Who takes a thing seconds after another's hand was last at it did not get it from there."""
    tale = picked().wait(0.3).take("", "ball").go(0.5, sally_right=AWAY).wait(3.0)
    tale.go(0.5, anne_right=on_table(lift=0.35)).take("anne_right", "ball").wait(0.3)
    assert tale.lift("anne_right", "ball", on_table()).wait(0.5).words() == [
        PICK,
        "Place ball by anne at table",
    ]


def test_noise_is_no_action() -> None:
    """A minute of 1.5 mm tells of nothing, on the table, in a hand, or in the air."""
    for tale, expected in ((ball(), []), (taken(), []), (picked(), [PICK])):
        tale.noise = 0.0015
        assert tale.wait(60).words() == expected


def whole() -> Tale:
    """A life: picked, handed over, dropped into a box, taken out, set down."""
    tale = picked().go(0.5, anne_right=on_table(lift=0.25)).wait(0.3)
    tale.take("anne_right", "ball").go(0.5, sally_right=AWAY).wait(0.3)
    tale.lift("anne_right", "ball", OVER_BOX).take("", "ball").fall("ball", IN_BOX[2]).wait(0.5)
    tale.go(0.5, sally_right=(*BOX, TOP + 0.1)).take("sally_right", "ball").wait(0.3)
    return tale.lift("sally_right", "ball", OVER_BOX, UP, on_table()).wait(0.6)


WHOLE = [
    PICK,
    "Handover ball by sally to anne",
    "Release ball by anne",
    "Put ball by anne at box",
    "Pick ball by sally from box",
    PLACE,
]


@pytest.mark.parametrize("hz", [10, 15, 25, 30, 50, 100])
def test_the_rate_does_not_matter(hz: float) -> None:
    """Ten or a hundred frames a second tell the same actions, within two frames of the time."""
    told = whole().told(hz=hz)
    assert whole().words(hz=hz) == WHOLE
    for one, other in zip(told, whole().told(hz=100), strict=True):
        assert one.end == pytest.approx(other.end, abs=0.03 + 2 / hz)


@given(
    turn=st.floats(-3.1, 3.1), x=st.floats(-50, 50), y=st.floats(-50, 50),
    z=st.floats(-3, 3), later=st.sampled_from([0.0, 1000.0, 1.7e9]),
)  # fmt: skip
@law(15)
def test_where_and_when_does_not_matter(
    turn: float, x: float, y: float, z: float, later: float
) -> None:
    """The whole shifted and turned, at another time, is the same actions."""
    assert [a.kind for a in whole().told(turn=turn, shift=(x, y, z), later=later)] == [
        each.split()[0] for each in WHOLE
    ]


@given(
    acts=st.lists(
        st.tuples(
            st.sampled_from(["lift", "drop", "set down", "into box", "slide", "small lift"]),
            st.sampled_from([0.0, 0.1, 0.3]),
        ),
        min_size=1,
        max_size=6,
    ),
    hz=st.sampled_from([10.0, 25.0, 50.0]),
)
@law(60)
def test_what_is_up_comes_down(acts: list[tuple[str, float]], hz: float) -> None:
    """Whatever a hand does, picks and their ends take turns, and none ends before it begins."""
    tale = taken()
    for act, pause in acts:
        perform(tale, act)
        tale.wait(0.2 + pause)
    told = tale.wait(0.5).told(hz=hz)
    turns = [action.kind == "Pick" for action in told if action.kind != "Release"]
    assert turns == [i % 2 == 0 for i in range(len(turns))]
    assert all(action.start <= action.end for action in told)
    assert [action.end for action in told] == sorted(action.end for action in told)


def perform(tale: Tale, act: str) -> None:
    """One act of a hand that is at the ball in the end."""
    hand = "sally_right"
    x, y, z = tale.tracks["ball"][-1][1]
    match act:
        case "lift":
            tale.lift(hand, "ball", (x, y, TOP + 0.4))
        case "drop":
            tale.take("", "ball")
            if z > TOP + 0.15:
                tale.fall("ball", TOP + HALF + 0.005)
            tale.wait(0.3).go(0.2, sally_right=(*tale.tracks["ball"][-1][1][:2], TOP + 0.1))
            tale.take(hand, "ball")
        case "set down":
            tale.lift(hand, "ball", (*SPOT, TOP + 0.4), on_table())
        case "into box":
            tale.lift(hand, "ball", (x, y, TOP + 0.4), OVER_BOX, IN_BOX)
        case "slide":
            tale.lift(hand, "ball", (x, y + 0.05, z))
        case "small lift":
            tale.lift(hand, "ball", (x, y, z + 0.02), (x, y, z))
