"""What one mind believes is where."""

import numpy as np

from spatial_reasoner.belief.world import Sensed, World
from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import sphere
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.scene.scene import Entity
from tests.worlds.scenes import roster


def sensed(world: World, **places: list[float]) -> Sensed:
    rows = np.array([world.roster.row[name] for name in places], dtype=np.intp)
    return Sensed(rows, np.array([pose_of(at) for at in places.values()]).reshape(-1, 7))


def test_what_is_perceived_enters_where_it_is() -> None:
    """A thing enters with its first percept, and only then."""
    world = World("sally", roster())
    world.begin()
    world.absorb(sensed(world, ball=[1, 2, 3]), 0.0)
    ball = world.roster.row["ball"]
    assert world.entered[ball]
    world.begin()
    world.absorb(sensed(world, ball=[1, 2, 4]), 0.1)
    assert not world.entered[ball]
    assert world.pose[ball, 2] == 4
    assert world.known.sum() == 1
    assert world.owner == "sally"


def test_what_is_held_goes_with_its_hand() -> None:
    """A held thing that is not perceived moves and turns with the hand; one that is does not."""
    world = World("myself", roster())
    world.begin()
    hand, ball = world.roster.part("sally", "right_hand"), world.roster.row["ball"]
    world.absorb(sensed(world, sally_right_hand=[0, 0, 1], ball=[0.1, 0, 1]), 0.0)
    world.holding.holder[ball] = hand
    world.holding.grip[ball] = pose_of([0.1, 0, 0])
    turned = [5, 0, 1, 0, 0, np.sin(np.pi / 4), np.cos(np.pi / 4)]
    world.begin()
    world.absorb(sensed(world, sally_right_hand=turned), 0.1)
    world.carry(np.zeros(len(world.known), dtype=bool))
    assert np.allclose(world.pose[ball, :3], [5, 0.1, 1])
    world.absorb(sensed(world, ball=[9, 9, 9]), 0.2)
    world.carry(np.zeros(len(world.known), dtype=bool))
    assert np.allclose(world.pose[ball, :3], 9)


def test_what_is_lost_is_still_known() -> None:
    """A thing that is not where it was believed to be has no place, but exists."""
    world = World("myself", roster())
    world.begin()
    world.absorb(sensed(world, ball=[1, 2, 3]), 0.0)
    ball = world.roster.row["ball"]
    world.lose(np.arange(len(world.known)) == ball)
    assert world.known[ball]
    assert not world.placed[ball]


def test_a_world_has_room_for_who_comes_later() -> None:
    """Rows that the roster gains are rows of every world from its next moment on."""
    world = World("myself", roster())
    row = world.roster.add(Entity("unnamed_1", "Artifact", sphere(0.1)))
    world.begin()
    world.absorb(sensed(world, unnamed_1=[1, 1, 1]), 0.0)
    assert world.placed[row]
    assert world.holding.holder[row] == NO_HAND
    assert world.shapes[row] is not None


def test_one_who_is_recognised_keeps_his_past() -> None:
    """What was believed of a thing without a name is believed of the one that it is."""
    world = World("myself", roster())
    hidden = world.roster.add(Entity("unnamed_1", "Artifact", sphere(0.05)))
    world.begin()
    world.absorb(sensed(world, unnamed_1=[1, 1, 1]), 3.0)
    ball = world.roster.row["ball"]
    world.adopt(hidden, ball)
    assert world.known[ball]
    assert world.seen[ball] == 3.0
    assert not world.known[hidden]
