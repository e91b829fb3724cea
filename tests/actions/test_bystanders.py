"""Hands that rest beside what somebody else takes, or sets down: they do nothing to it."""

from tests.actions.staging import ANNE, ASIDE, SALLY, STAGE, worded
from tests.physics.plays.rooms import counter
from tests.plays.conftest import Staged
from tests.plays.play import Play
from tests.trials import pairwise

HERE = (0.2, 0.5, 0.79)
THERE = (0.2, -0.1, 0.79)


def carried(play: Play, is_hidden: bool) -> Play:
    """Sally takes the ball from here to there; her fist may hide it whenever it is at it."""
    play.reach("sally", 0.8, (0.23, 0.5, 0.9))
    if is_hidden:
        play.miss("ball")
    play.reach("sally", 0.3, (0.21, 0.49, 0.82)).wait(0.3)
    if is_hidden:
        play.reach("sally", 0.6, (0.21, 0.49, 1.1))
        play.reach("sally", 1.0, (0.21, -0.11, 1.1), (0.21, -0.11, 0.82)).wait(0.3)
        play.reach("sally", 0.2, (0.21, -0.11, 0.9)).see(ball=THERE)
    else:
        play.reach("sally", 0.6, (0.21, 0.49, 1.1), carries="ball")
        play.reach("sally", 1.0, (0.21, -0.11, 1.1), (0.21, -0.11, 0.82), carries="ball")
        play.see(ball=THERE).wait(0.3).reach("sally", 0.2, (0.21, -0.11, 0.9))
    return play.reach("sally", 0.6, ASIDE).wait(1.5)


@pairwise(at=[HERE, THERE], away=[0.09, 0.11, 0.13], is_hidden=[True, False])
def test_a_hand_that_rests_beside_it_has_no_part_in_it(
    staged: Staged, at: tuple[float, float, float], away: float, is_hidden: bool
) -> None:
    """Sally carries a ball past Anne's hand, that rests beside where it lay, or will lie: it is her
    pick and her place."""
    x, y, z = at
    play = staged(counter("sally", "anne")).see(ball=HERE)
    play.stand("sally", SALLY, STAGE, right_hand=(0.23, 0.5, 1.3))
    play.stand("anne", ANNE, STAGE, right_hand=(x - 0.04, y - away, z + 0.02)).wait(1.0)
    carried(play, is_hidden)
    assert worded(play.end().told) == [
        "pick_1 actsOnObject ball fromLocation table performedBy sally",
        "place_1 actsOnObject ball performedBy sally toLocation table",
    ]
