"""Why a thing is missing: a play for each explanation, and one in which its cause is missing."""

import math

import pytest

from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.values.frames import Frame
from tests.missing.acts import AWAY, CARTON, CUP, carry, cellar, displace, hide, reasons
from tests.plays.conftest import Staged
from tests.plays.play import Play
from tests.trials import pairwise

UNKNOWN = {"isUnaccountedFor true"}
UNDER_TABLE = (0.9, 0.0, 0.05)
"""On the floor behind the table, which hides it."""
BUCKET = (0.0, 0.0, 0.875)
IN_BUCKET = (0.0, 0.0, 0.81)


@pytest.mark.parametrize("is_held", [True, False])
def test_what_is_in_a_hand_is_hidden_there(staged: Staged, is_held: bool) -> None:
    """A cup that a hand has is hidden in it for the robot, and not for whose hand it is; without
    the hand nothing explains it."""
    play = staged(cellar("sally")).see(cup=CUP)
    hand = (0.25, 0, 0.82) if is_held else (0.9, -0.3, 0.9)
    play.stand("sally", (1.0, 0, 1.4), (0, 0, 0.8), right_hand=hand).wait(0.6).miss("cup").wait(2.0)
    assert reasons(play, "cup") == ({"isHiddenInHandOf sally"} if is_held else UNKNOWN)
    if is_held:
        assert reasons(play, "cup", "sally") == set()


@pytest.mark.parametrize("looks_away", [True, False])
def test_what_the_owner_does_not_face_is_out_of_view(staged: Staged, looks_away: bool) -> None:
    """Of a robot that looks away the cup is out of view; else it would have to be seen."""
    play = staged(cellar()).see(cup=CUP).wait(1.0).miss("cup")
    if looks_away:
        play.people["myself"] = {"head": AWAY}
    play.wait(3.0)
    assert reasons(play, "cup") == ({"isOutOfViewOf myself"} if looks_away else UNKNOWN)


@pytest.mark.parametrize("is_between", [True, False])
def test_what_something_is_in_front_of_is_occluded(staged: Staged, is_between: bool) -> None:
    """What hides the cup is named; a carton that stands beside explains nothing."""
    play = staged(cellar()).see(cup=CUP).wait(1.0).miss("cup")
    play.see(carton=CARTON if is_between else (0.05, 0.6, 0.95)).wait(2.0)
    assert reasons(play, "cup") == ({"isOccludedBy carton"} if is_between else UNKNOWN)


def test_what_hides_the_most_is_named(staged: Staged) -> None:
    """Of several things in front it is the one that hides the most, and the nearer one of two that
    hide the same."""
    play = staged(cellar()).see(cup=CUP).wait(1.0).miss("cup")
    play.see(carton=CARTON, pencil=(-0.3, 0, 1.1)).wait(2.0)
    assert reasons(play, "cup") == {"isOccludedBy carton"}
    play = staged(cellar()).see(cup=CUP).wait(1.0).miss("cup")
    play.see(carton=CARTON, bucket=(-0.25, 0, 0.975)).wait(2.0)
    assert reasons(play, "cup") == {"isOccludedBy bucket"}


@pytest.mark.parametrize("has_body", [True, False])
def test_a_body_that_hides_is_its_agent(staged: Staged, has_body: bool) -> None:
    """A cup behind somebody's body is occluded by that agent; who has no body hides nothing."""
    body: dict[str, object] = {"shape": {"cylinder": [0.25, 1.7]}} if has_body else {}
    play = staged(cellar("sally", max={"class": "Human", **body})).see(cup=CUP).wait(1.0)
    play.miss("cup").stand("max", (-0.8, 0, 1.6), (-1.6, 0, 1.6)).wait(2.0)
    assert reasons(play, "cup") == ({"isOccludedBy max"} if has_body else UNKNOWN)


@pairwise(elbow=[None, (-0.2, -0.45, 1.15)], is_between=[True, False])
def test_an_arm_that_hides_is_its_agent(
    staged: Staged, is_between: bool, elbow: tuple[float, float, float] | None
) -> None:
    """A cup that Anne reaches past is behind her, and stays; Sally sees it all along."""
    play = staged(cellar("sally", "anne")).see(cup=CUP).stand("sally", (1.2, 0, 1.5), CUP)
    parts = {"right_hand": (-0.2, 0.05, 1.04 if is_between else 0.8)}
    play.stand("anne", (-0.3, -0.9, 1.5), (-0.2, 0, 0.8), **parts)
    if elbow is not None:
        play.people["anne"]["right_elbow"] = pose_of(list(elbow))
    play.wait(1.0).miss("cup").wait(3.0)
    assert reasons(play, "cup") == ({"isOccludedBy anne"} if is_between else UNKNOWN)
    if is_between:
        assert play.where("myself", "cup") == play.where("sally", "cup") == {"isOn table"}
        assert play.flips("myself", "cup isOn table") == 1


def test_each_mind_has_its_own_occluder(staged: Staged) -> None:
    """What hides the ball from Sally, who saw it, is told in her mind and not in the robot's."""
    play = staged(cellar("sally")).see(ball=(-0.2, 0.3, 0.79))
    play.stand("sally", (1.2, 0.3, 1.2), (0, 0.3, 0.8)).wait(1.0)
    play.see(carton=(0.2, 0.3, 0.95)).wait(2.0)
    assert reasons(play, "ball", "sally") == {"isOccludedBy carton"}
    assert reasons(play, "ball") == set()


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        (UNDER_TABLE, "hasFallenFrom table"),
        ((0.9, 0.5, 0.3), "hasFallenFrom table"),
        ((0.9, 0.0, 0.5), "isOccludedBy carton"),
        (CUP, "isOccludedBy carton"),
    ],
)
def test_what_fell_is_told_with_what_it_fell_from(
    staged: Staged, place: tuple[float, float, float], reason: str
) -> None:
    """A cup that is believed behind the table now, lying or in mid-air, has fallen from it; one
    that the carton hides, whether it stays or has come off, is hidden by that."""
    play = displace(hide(staged(cellar())), "cup", place).wait(1.0)
    assert reasons(play, "cup") == {reason}


def test_what_would_show_where_it_fell_has_not_fallen(staged: Staged) -> None:
    """In another control the cup would be seen where it is believed: nothing explains it."""
    play = displace(hide(staged(cellar())), "cup", (-0.3, 0.4, 0.8)).wait(2.0)
    assert reasons(play, "cup") == UNKNOWN


@pytest.mark.parametrize("is_pushed", [True, False])
def test_what_was_pushed_has_slid(staged: Staged, is_pushed: bool) -> None:
    """A cup that moved along the table, out of where it would show now, has slid on it; where one
    that did not is hidden by something else now, that is all."""
    play = hide(staged(cellar()))
    y = 0.4 if is_pushed else 0.0
    play.see(carton=(0.05, -0.6, 0.95), bucket=(0.05, y, 0.875))
    displace(play, "cup", (0.2, y, 0.8)).wait(1.6)
    assert reasons(play, "cup") == {"hasSlidOn table" if is_pushed else "isOccludedBy bucket"}


@pytest.mark.parametrize("by", [0.04, 0.06])
def test_what_was_pushed_behind_the_same_thing_is_still_behind_it(
    staged: Staged, by: float
) -> None:
    """A carton before both places of a cup explains by itself that it is not seen."""
    play = displace(hide(staged(cellar())), "cup", (0.2 + by, 0, 0.8)).wait(1.6)
    assert reasons(play, "cup") == {"isOccludedBy carton"}


@pytest.mark.parametrize("is_seen_off", [True, False])
def test_what_was_seen_off_its_place_for_long_did_not_fall_from_it(
    staged: Staged, is_seen_off: bool
) -> None:
    """A cup that was seen above the table for a second did not fall from there; one that hangs
    there for a moment did."""
    play = staged(cellar()).see(cup=CUP).wait(1.0).see(cup=(0.2, 0, 0.95))
    play.wait(1.0 if is_seen_off else 0.2).miss("cup").see(carton=(0.05, 0, 1.0)).wait(1.6)
    displace(play, "cup", UNDER_TABLE).wait(1.0)
    told = {"isOccludedBy table"} if is_seen_off else {"hasFallenFrom table"}
    assert reasons(play, "cup") == told


def test_what_a_hand_let_go_unseen_has_fallen_from_it(staged: Staged) -> None:
    """A cup that a hand behind a carton had and has no more fell from the hand, if it fell; it did
    not for being carried there."""
    play = staged(cellar("sally")).see(cup=(0.2, 0.6, 0.8))
    play.stand("sally", (1.0, 0, 1.4), (0, 0, 0.8), right_hand=(0.25, 0.6, 0.82)).wait(0.6)
    play.miss("cup").see(carton=CARTON).reach("sally", 1.6, (0.25, 0, 0.95)).wait(1.4)
    assert reasons(play, "cup") == {"isHiddenInHandOf sally"}
    for _ in range(5):
        play.give(Frame(play.now, "glove", empty={"sally": ("right_hand",)})).frame()
    assert reasons(play.wait(0.6), "cup") == {"isOccludedBy carton"}
    displace(play, "cup", UNDER_TABLE).wait(0.6)
    assert reasons(play, "cup") == {"hasFallenFrom sally_right_hand"}


def in_bucket(play: Play) -> Play:
    """A ball lies in a bucket, whose wall hides it."""
    play.see(bucket=BUCKET, ball=IN_BUCKET).wait(1.0).miss("ball").wait(1.4)
    assert reasons(play, "ball") == {"isOccludedBy bucket"}
    return play


def test_what_is_in_something_moved_is_carried(staged: Staged) -> None:
    """A ball in a bucket that is moved is carried in it."""
    play = in_bucket(staged(cellar()))
    carry(play, "bucket", (0, 0.5, 0)).wait(1.6)
    assert reasons(play, "ball") == {"isCarriedIn bucket"}


def test_what_is_in_something_that_stands_is_not(staged: Staged) -> None:
    """In the control a tray is moved, and the ball is hidden by the bucket as before."""
    play = in_bucket(staged(cellar()).see(tray=(0.25, -0.4, 0.76)))
    carry(play, "tray", (0, 0.1, 0)).wait(1.6)
    assert reasons(play, "ball") == {"isOccludedBy bucket"}


def test_what_is_on_something_moved_is_carried(staged: Staged) -> None:
    """A cup that goes along on a moved tray, from behind a carton to behind a bucket, is carried on
    it; as long as the carton hides both places it does."""
    play = staged(cellar()).see(tray=(0.25, 0, 0.76), cup=(0.25, 0, 0.82)).wait(1.0).miss("cup")
    play.see(carton=CARTON, bucket=(0.1, 0.5, 0.875)).wait(1.6)
    assert reasons(play, "cup") == {"isOccludedBy carton"}
    carry(play, "tray", (0, 0.1, 0), "cup").wait(1.0)
    assert reasons(play, "cup") == {"isOccludedBy carton"}
    carry(play, "tray", (0, 0.4, 0), "cup").wait(1.0)
    assert reasons(play, "cup") == {"isCarriedOn tray"}


def test_what_came_into_a_box_that_stands_is_not_carried(staged: Staged) -> None:
    """A ball that fell into a bucket has fallen, and is carried once the bucket moves with it."""
    play = staged(cellar()).see(bucket=BUCKET, ball=(0.2, 0.5, 0.79)).wait(1.0).miss("ball")
    play.see(carton=(0.05, 0.5, 0.95)).wait(1.4)
    displace(play, "ball", IN_BUCKET).wait(1.0)
    assert reasons(play, "ball") == {"hasFallenFrom table"}
    carry(play, "bucket", (0, -0.4, 0), "ball").wait(1.0)
    assert reasons(play, "ball") == {"isCarriedIn bucket"}


def test_what_slid_within_a_container_is_hidden_by_it(staged: Staged) -> None:
    """A ball that rolled to the other side of a bucket is where it was: in it, and behind its
    wall."""
    play = staged(cellar()).see(bucket=BUCKET, ball=(0.06, 0, 0.81)).wait(1.0).miss("ball")
    displace(play, "ball", (-0.05, 0, 0.81)).wait(2.0)
    assert reasons(play, "ball") == {"isOccludedBy bucket"}


def test_what_is_turned_away_hides_its_own_tags(staged: Staged) -> None:
    """A book that is known by a tag on its front, and lies on it, is occluded by itself."""
    tag = [[x, y, 0.02] for x in (-0.03, 0.03) for y in (-0.03, 0.03)]
    document = cellar()
    assert isinstance(document["entities"], dict)
    document["entities"]["book"] = {
        "class": "Book", "shape": {"box": [0.3, 0.2, 0.04]}, "points": {"tag": tag},
    }  # fmt: skip
    half = math.sqrt(0.5)
    play = staged(document).see(book=(0, 0, 0.77)).wait(1.0)
    play.see(book=(0, 0, 0.77, half, half, 0, 0)).wait(0.4).miss("book").wait(2.0)
    assert reasons(play, "book") == {"isOccludedBy book"}
