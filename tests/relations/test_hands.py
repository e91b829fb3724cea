"""What hands hold, and what they move toward."""

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.geometry.shapes import Shape, box, sphere
from spatial_reasoner.relations.hands import NO_HAND, Holding, Workspace, hold, moving_toward
from tests.relations.forms import TABLE, size
from tests.relations.stage import DEFAULTS, about, turned

NAMES = ("table", "cup", "ball", "left", "right")
SHAPES: list[Shape | None] = [TABLE, box(size(0.08, 0.08, 0.1)), sphere(0.03), None, None]
HANDS = np.array([3, 4])
AWAY = turned((5, 5, 5))


class Desk:
    """A table with a cup and a ball on it, and two hands."""

    def __init__(self) -> None:
        self.poses = np.array(
            [turned((0, 0, 0.725)), turned((0, 0, 0.8)), turned((0.3, 0, 0.78)), AWAY, AWAY]
        )
        self.holding = Holding.none(5)
        self.resting = np.array([True, False, False, False, False])
        self.lying = np.zeros(5, dtype=bool)

    def look(
        self,
        unseen: tuple[str, ...] = (),
        unplaced: tuple[str, ...] = (),
        covered: str = "",
        **moved: Pose,
    ) -> str:
        """What is held by whom after things moved and all but some were perceived."""
        for name, pose in moved.items():
            self.poses[NAMES.index(name)] = pose
        perceived = np.array([name not in unseen for name in NAMES])
        placed = np.array([name not in unplaced for name in NAMES])
        graspable = np.array([False, True, True, False, False])
        lost = np.array([name == covered for name in NAMES])
        desk = Workspace(
            SHAPES, self.poses, HANDS, placed, perceived & ~lost, lost, graspable, self.resting,
            self.lying,
        )  # fmt: skip
        self.holding = hold(desk, self.holding, DEFAULTS)
        rows, poses = self.holding.carried(self.poses, ~perceived)
        self.poses[rows] = poses
        return " ".join(
            f"{NAMES[row]}:{NAMES[hand]}"
            for row, hand in enumerate(self.holding.holder.tolist())
            if hand != NO_HAND
        )


def beside_cup(gap: float) -> Pose:
    """A hand whose middle is so far from the side of the cup."""
    return turned((0, 0.04 + gap, 0.8))


def test_a_hand_lets_go_of_what_lies_a_little_away_from_it() -> None:
    """What lies is let go at 10 cm, and what is in the air at 30 cm."""
    for lies, holds in ((False, "cup:left"), (True, "")):
        desk = Desk()
        assert desk.look(left=beside_cup(0.07)) == "cup:left"
        desk.lying[NAMES.index("cup")] = lies
        assert desk.look(left=beside_cup(0.09)) == "cup:left"
        assert desk.look(left=beside_cup(0.11)) == holds


def test_a_hand_holds_what_is_within_8_cm_of_it() -> None:
    """The distance counts from the surface of a thing and not from its middle."""
    desk = Desk()
    assert desk.look(left=beside_cup(0.09)) == ""
    assert desk.look(left=beside_cup(0.07)) == "cup:left"


def test_what_is_held_is_held_until_it_is_perceived_30_cm_away() -> None:
    """Between 8 and 30 cm a thing stays held."""
    desk = Desk()
    desk.look(left=beside_cup(0.05))
    assert desk.look(left=beside_cup(0.29)) == "cup:left"
    assert desk.look(left=beside_cup(0.31)) == ""


def test_a_table_is_not_held() -> None:
    """No hand holds what can't be taken along."""
    assert Desk().look(left=turned((0, 0.5, 0.76))) == ""


def test_a_hand_holds_the_nearest_thing_and_no_other() -> None:
    """Of several things within reach of a hand it holds the nearest, whichever comes first."""
    desk = Desk()
    assert desk.look(cup=turned((0.15, 0, 0.8)), left=turned((0.22, 0, 0.78))) == "cup:left"
    desk = Desk()
    assert desk.look(cup=turned((0.15, 0, 0.8)), left=turned((0.25, 0, 0.78))) == "ball:left"


def test_what_rests_gives_way_to_what_is_nearer() -> None:
    """A hand that comes past a cup to a ball has the ball, unless it has lifted the cup."""
    for rests, held in ((True, "ball:left"), (False, "cup:left")):
        desk = Desk()
        desk.resting[1] = rests
        assert desk.look(cup=turned((0.18, 0, 0.8)), left=turned((0.15, 0, 0.9))) == "cup:left"
        assert desk.look(left=turned((0.29, 0, 0.83))) == held


def test_a_thing_has_one_holder() -> None:
    """Of two hands at a thing the nearer one holds it, and the one that held it keeps it."""
    desk = Desk()
    assert desk.look(left=beside_cup(0.05), right=beside_cup(0.03)) == "cup:right"
    assert desk.look(left=beside_cup(0.01)) == "cup:right"


def test_what_lies_is_in_the_hand_that_is_clearly_nearer() -> None:
    """A hand that only rests beside a cup gives way to one that comes 2 cm nearer, and not to one
    that does not, nor where the cup is in the air."""
    for lies, gap, holds in ((True, 0.04, "right"), (True, 0.06, "left"), (False, 0.04, "left")):
        desk = Desk()
        desk.lying[NAMES.index("cup")] = lies
        assert desk.look(left=beside_cup(0.07)) == "cup:left"
        assert desk.look(right=turned((0, -0.04 - gap, 0.8))) == f"cup:{holds}"


def test_what_lies_covered_is_in_the_hand_that_has_been_nearest() -> None:
    """A hand that rests beside what another covers does not get it when that goes up again."""
    desk = Desk()
    desk.lying[NAMES.index("cup")] = True
    assert desk.look(left=beside_cup(0.07)) == "cup:left"
    assert desk.look(covered="cup", right=turned((0, -0.1, 0.8))) == "cup:left"
    assert desk.look(covered="cup", right=turned((0, -0.06, 0.8))) == "cup:right"
    assert desk.look(covered="cup", right=turned((0, -0.2, 0.8))) == "cup:right"


def test_a_thing_is_handed_over() -> None:
    """When the holder is more than 8 cm away, another hand at the thing has it."""
    desk = Desk()
    desk.look(left=beside_cup(0.03))
    assert desk.look(right=turned((0, -0.06, 0.8))) == "cup:left"
    assert desk.look(left=beside_cup(0.1)) == "cup:right"


def test_what_is_held_goes_with_the_hand_while_nobody_sees_it() -> None:
    """A thing carried unseen is where its hand has taken it, turned as the hand is."""
    desk = Desk()
    desk.look(left=beside_cup(0.02))
    assert desk.look(unseen=("cup",), left=turned((1, 1, 1), about("z", 90))) == "cup:left"
    assert np.allclose(desk.poses[1, :3], (1.06, 1, 1))
    assert np.allclose(desk.poses[1, 3:], about("z", 90))


def test_what_is_held_unseen_stays_held_until_it_is_perceived_elsewhere() -> None:
    """Put down out of sight, a thing is released when it is next perceived away from the hand."""
    desk = Desk()
    desk.look(left=beside_cup(0.02))
    for step in range(5):
        assert desk.look(unseen=("cup",), left=turned((step, 1, 1))) == "cup:left"
    assert desk.look(cup=turned((0, 0, 0.8))) == ""


def test_a_hand_that_is_unseen_keeps_what_it_holds() -> None:
    """When the hand is lost for a moment, what it holds stays in it, gripped as it was."""
    desk = Desk()
    desk.look(left=beside_cup(0.02))
    grip = desk.holding.grip[1].copy()
    assert desk.look(unseen=("left",), unplaced=("left",), cup=turned((0.1, 0, 0.8))) == "cup:left"
    assert (desk.holding.grip[1] == grip).all()


def test_a_hand_without_a_place_takes_nothing() -> None:
    """Where a lost hand was last is no reason to hold what is put there."""
    assert Desk().look(unplaced=("left",), left=beside_cup(0.02)) == ""


def toward(velocity: tuple[float, ...], *places: tuple[float, ...]) -> list[bool]:
    """Whether a hand at the origin moves toward each place."""
    hands: Floats = np.zeros((1, 3))
    found = moving_toward(hands, np.array([velocity]), np.array(places), DEFAULTS)
    return [bool(holds) for holds in found[0]]


def test_a_hand_moves_toward_what_is_in_its_cone() -> None:
    """Within 10° of its motion, below 0.9 m, and faster than 10 cm/s."""
    places = ((0.85, 0.14, 0), (0.85, 0.16, 0), (0.95, 0, 0), (-0.5, 0, 0))
    assert toward((0.2, 0, 0), *places) == [True, False, False, False]
    assert toward((0.09, 0, 0), *places) == [False] * 4


def test_a_hand_moves_toward_what_it_comes_to_from_above() -> None:
    """Nearer than 80 cm the cone is 14 cm wide, until the thing is beside the hand."""
    down, places = (0, 0, -0.3), ((0.13, 0, -0.25), (0.15, 0, -0.25), (0.07, 0, -0.03))
    assert toward(down, *places) == [True, False, False]


def test_a_hand_does_not_move_toward_what_it_leaves_behind() -> None:
    """What it has let go of a hand does not approach."""
    assert toward((-0.3, 0, 0), (0.1, 0, 0)) == [False]
