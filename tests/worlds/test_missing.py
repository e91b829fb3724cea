"""Things that are not perceived any more, and whether they stay where they were."""

import numpy as np
import pytest

from spatial_reasoner.belief.missing import Looked, Missing
from spatial_reasoner.belief.world import Sensed, World
from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.tolerances.tolerances import Tolerances
from tests.worlds.scenes import roster

STEP = 0.04


def world_with_ball() -> tuple[World, int]:
    world = World("myself", roster())
    world.begin()
    row = world.roster.row["ball"]
    world.absorb(Sensed(np.array([row]), np.array([pose_of([0, 0, 1])])), 0.0)
    world.begin()
    return world, row


def lost_after(world: World, row: int, in_view: bool, shows: bool, until: float = 3.0) -> float:
    """When a thing that nobody perceives from now on is given up; never is infinite."""
    missing = Missing(Tolerances())
    every = np.ones(len(world.known), dtype=bool)
    looked = Looked(every & in_view, every & shows)
    for now in np.arange(STEP, until, STEP):
        if missing.look_for(world, looked, float(now))[row]:
            return float(now)
    return np.inf


def test_what_should_be_seen_and_is_not_is_given_up_after_a_second() -> None:
    """In view, unhidden and not perceived for a second: it is not there."""
    world, row = world_with_ball()
    assert lost_after(world, row, in_view=True, shows=True) == pytest.approx(1.0, abs=1.5 * STEP)


@pytest.mark.parametrize(("in_view", "shows"), [(False, False), (True, False)])
def test_what_can_not_be_seen_stays(in_view: bool, shows: bool) -> None:
    """Out of every field of view, or hidden, a thing stays where it was."""
    world, row = world_with_ball()
    assert lost_after(world, row, in_view, shows) == np.inf


def test_what_is_held_stays() -> None:
    """A hand that holds a thing explains that it is not perceived."""
    world, row = world_with_ball()
    world.holding.holder[row] = world.roster.part("sally", "right_hand")
    assert lost_after(world, row, in_view=True, shows=True) == np.inf


def test_what_only_the_scene_places_stays() -> None:
    """What nobody ever perceived, and what can't move, is not given up."""
    world = World("myself", roster())
    world.begin()
    ball, table = world.roster.row["ball"], world.roster.row["table"]
    world.put(ball, pose_of([0, 0, 1]))
    world.absorb(Sensed(np.array([table]), np.array([pose_of([0, 0, 0.7])])), 0.0)
    assert lost_after(world, ball, in_view=True, shows=True) == np.inf
    assert lost_after(world, table, in_view=True, shows=True) == np.inf


def test_a_second_is_counted_from_the_last_reason() -> None:
    """Who blinks is forgiven: a percept or a reason in between begins the second anew."""
    world, row = world_with_ball()
    missing = Missing(Tolerances())
    every = np.ones(len(world.known), dtype=bool)
    open_, hidden = Looked(every, every), Looked(every, ~every)
    for i in range(1, 100):
        looked = hidden if i % 20 == 0 else open_
        assert not missing.look_for(world, looked, i * STEP)[row]
    missing.look_for(world, open_, 4.0)
    missing.pause()
    assert not missing.look_for(world, open_, 6.0)[row]
