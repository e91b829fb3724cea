"""Things that hands took out of sight, and came back without."""

import numpy as np
import pytest

from spatial_reasoner.belief.leaving import Leaving
from spatial_reasoner.belief.world import Sensed, World
from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import bin_shape, sphere
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.scene.scene import Agent, Entity, Scene
from spatial_reasoner.values.roster import Roster

STEP = 0.04


def world_with_bin(*at: float) -> World:
    """A ball, and a bin 30 cm high whose floor is 2 cm thick."""
    entities = (
        Entity("bin", "Bin", bin_shape(np.array([0.3, 0.3, 0.3]), 0.02, 0.02), is_container=True),
        Entity("ball", "Ball", sphere(0.05)),
    )
    agents = (Agent("myself", "Robot"), Agent("anne", "Human"))
    scene = Scene("room", {e.name: e for e in entities}, {a.name: a for a in agents}, sensors={})
    world = World("myself", Roster(scene))
    world.put(world.roster.row["bin"], pose_of(at))
    return world


def carried(is_sure: bool, is_hidden: bool, ticks: int, is_over: bool = False) -> tuple[World, int]:
    """Anne's hand goes down with a ball to 0.3, unperceived, and up again, seen to be empty."""
    world, leaving = world_with_bin(5, 5, 0), Leaving(is_sure)
    ball, hand = world.roster.row["ball"], world.roster.part("anne", "right_hand")
    every = np.ones(len(world.known), dtype=bool)
    world.absorb(Sensed(np.array([ball, hand]), np.array([pose_of([0, 0, 0.6])] * 2)), 0.0)
    world.holding.holder[ball] = hand
    for i, z in enumerate([0.5, 0.3, 0.5, *[0.6] * ticks], 1):
        world.begin()
        world.absorb(Sensed(np.array([hand]), pose_of([0, 0, z])[None]), i * STEP)
        world.carry(leaving.stays(len(world.known)))
        leaving.notice(
            world, every, every & (i > 2 or not is_hidden), i * STEP, ~every, every & is_over,
            ~every,
        )  # fmt: skip
    return world, ball


def test_a_person_knows_at_once_what_was_left() -> None:
    """Who perceives whatever shows takes it for left as soon as the hand is bare: lowest of all."""
    world, ball = carried(is_sure=True, is_hidden=True, ticks=1)
    assert world.holding.holder[ball] == NO_HAND
    assert world.pose[ball, 2] == pytest.approx(0.3)


def test_the_robot_waits_a_moment() -> None:
    """A camera may blink: the thing stays where it was hidden, held for a third of a second."""
    world, ball = carried(is_sure=False, is_hidden=True, ticks=5)
    assert world.holding.holder[ball] != NO_HAND
    assert world.pose[ball, 2] == pytest.approx(0.3)
    world, ball = carried(is_sure=False, is_hidden=True, ticks=9)
    assert world.holding.holder[ball] == NO_HAND


def test_what_is_lost_over_a_container_is_dropped() -> None:
    """What shows no more in a hand over a container is let go there when it can't be perceived."""
    for ticks, is_held, height in ((12, True, 0.6), (20, False, 0.5)):
        world, ball = carried(is_sure=False, is_hidden=False, ticks=ticks, is_over=True)
        assert (world.holding.holder[ball] != NO_HAND) == is_held
        assert world.pose[ball, 2] == pytest.approx(height)


def test_what_was_never_hidden_is_still_carried() -> None:
    """What the robot does not perceive in a hand in plain view goes on with the hand."""
    world, ball = carried(is_sure=False, is_hidden=False, ticks=60)
    assert world.holding.holder[ball] != NO_HAND
    assert world.pose[ball, 2] == pytest.approx(0.6)
