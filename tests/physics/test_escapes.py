"""What would leave a container: out of one that stands by itself nothing goes through the wall."""

import numpy as np
import pytest

from spatial_reasoner.belief.escapes import standing, take_back
from tests.physics.plays.rooms import TABLE_TOP, pantry
from tests.plays.conftest import Staged
from tests.relations.stage import about, turned


@pytest.mark.parametrize(
    ("after", "stands"),
    [
        (turned((0, 0, 0.001)), True),
        (turned((0.01, 0, 0)), False),
        (turned((0, 0, 0), about("z", 10)), False),
    ],
)
def test_what_moves_or_turns_does_not_stand(after: np.ndarray, stands: bool) -> None:
    """Jitter of a millimetre is nothing; a centimetre, or ten degrees, is a move."""
    assert standing(after[None], turned((0, 0, 0))[None]).tolist() == [stands]


def test_what_is_tilted_does_not_stand() -> None:
    """Out of what is tilted by 40° things roll, though it is still."""
    pose = turned((0, 0, 0), about("x", 40))[None]
    assert standing(pose, pose).tolist() == [False]


@pytest.mark.parametrize(
    ("stands", "way", "is_back"),
    [
        (True, (0.12, 0, 0), True),
        (True, (0, 0, -0.05), True),
        (True, (0.02, 0, 0.2), False),
        (False, (0.12, 0, 0), False),
    ],
)
def test_only_walls_and_floors_that_stand_keep_a_thing_in(
    staged: Staged, stands: bool, way: tuple[float, float, float], is_back: bool
) -> None:
    """A ball goes neither through the wall nor through the floor, but may go up, and out of what
    moves."""
    play = staged(pantry()).see(box=(0, 0, TABLE_TOP + 0.09), ball=(0, 0, TABLE_TOP + 0.05))
    mind = play.wait(0.4).reasoner.mind("myself")
    world, ball = mind.world, mind.roster.row["ball"]
    was, inside = world.pose.copy(), mind.relations.inside
    rows = np.arange(len(was)) == ball
    world.pose[ball, :3] += way
    found = take_back(world, was, np.full(len(was), stands), inside, rows)
    assert found.tolist() == (rows & is_back).tolist()
    assert np.array_equal(world.pose[ball], was[ball]) == is_back
