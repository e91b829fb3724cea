"""From frames to what the robot perceives."""

from collections.abc import Sequence

import numpy as np
import pytest

from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import box, sphere
from spatial_reasoner.percepts.percepts import Merger, PerceptSettings
from spatial_reasoner.tolerances.percepts import PerceptTolerances
from spatial_reasoner.values.frames import Frame, Percept, Unnamed
from spatial_reasoner.values.roster import Roster
from tests.worlds.scenes import frame, scene


class Robot:
    """The robot's world, and what merges frames into it."""

    def __init__(self, settings: PerceptSettings | None = None) -> None:
        self.roster = Roster(scene())
        self.world = World("myself", self.roster)
        self.merger = Merger(
            scene(), self.roster, settings or PerceptSettings(), PerceptTolerances()
        )

    def take(self, frame: Frame) -> list[str]:
        """The names of what a frame tells of, once it is believed."""
        sensed, adopted = self.merger.merge(frame, self.world)
        self.world.begin()
        for hidden, row in adopted:
            self.world.adopt(hidden, row)
        self.world.absorb(sensed, frame.t)
        return [self.roster.names[row] for row in sensed.rows]

    def place(self, name: str) -> Sequence[float]:
        found: Sequence[float] = self.world.pose[self.roster.row[name], :3].tolist()
        return found


def unnamed(t: float, at: list[float], radius: float = 0.05) -> Frame:
    return Frame(t, "eye", unnamed=(Unnamed(sphere(radius), pose_of(at)),))


def test_what_has_a_name_is_what_it_is_called() -> None:
    """Things and parts of agents are told by their names."""
    robot = Robot()
    seen = Frame(
        0.0, "eye", {"ball": Percept(pose_of([1, 2, 3]))},
        agents={"sally": {"head": pose_of([0, 0, 1.6])}},
    )  # fmt: skip
    assert robot.take(seen) == ["ball", "sally_head"]
    assert robot.place("sally_head") == [0, 0, 1.6]


def test_what_has_no_name_is_the_thing_of_like_volume_at_its_place() -> None:
    """An unnamed percept at a known thing's place, and of like volume, is that thing."""
    robot = Robot()
    robot.take(frame(0.0, ball=[1, 0, 1]))
    assert robot.take(unnamed(0.04, [1.03, 0, 1])) == ["ball"]
    assert robot.place("ball") == [1.03, 0, 1]
    assert robot.take(unnamed(0.08, [1.03, 0, 1], radius=0.01)) == ["unnamed_1"]
    assert robot.take(unnamed(0.12, [2.0, 0, 1])) == ["unnamed_2"]
    assert robot.take(unnamed(0.16, [2.0, 0, 1])) == ["unnamed_2"]


def test_who_is_recognised_later_is_one_thing() -> None:
    """A thing that had no name becomes the one that is now perceived there by name."""
    robot = Robot()
    robot.take(unnamed(0.0, [1, 0, 1]))
    robot.take(frame(0.04, ball=[1.01, 0, 1]))
    assert not robot.world.known[robot.roster.row["unnamed_1"]]
    assert robot.world.known[robot.roster.row["ball"]]


def test_of_two_without_a_name_the_nearest_is_recognised() -> None:
    """Of several unnamed things that a named one may be, it is the nearest."""
    robot = Robot()
    both = [Unnamed(sphere(0.05), pose_of([x, 0, 1])) for x in (1.0, 1.04)]
    robot.take(Frame(0.0, "eye", unnamed=tuple(both)))
    robot.take(frame(0.04, ball=[1.035, 0, 1]))
    known = [robot.world.known[robot.roster.row[f"unnamed_{n}"]] for n in (1, 2)]
    assert known == [True, False]


def test_two_things_at_one_place_are_two() -> None:
    """What is named in a frame is nothing unnamed of the same frame."""
    robot = Robot()
    robot.take(frame(0.0, ball=[1, 0, 1]))
    both = Frame(0.04, "eye", {"ball": Percept(pose_of([1, 0, 1]))},
                 (Unnamed(sphere(0.05), pose_of([1, 0, 1.02])),))  # fmt: skip
    assert robot.take(both) == ["ball", "unnamed_1"]


def test_the_newest_percept_counts_and_then_the_surest() -> None:
    """What comes late changes nothing; of two at one time the one with less spread is believed."""
    robot = Robot()
    robot.take(frame(1.0, ball=[1, 0, 1]))
    assert robot.take(frame(0.9, ball=[5, 0, 1])) == []
    unsure = Frame(1.0, "other", {"ball": Percept(pose_of([7, 0, 1]), cov=np.eye(6))})
    assert robot.take(unsure) == []
    assert robot.take(frame(1.04, ball=[2, 0, 1])) == ["ball"]


def test_an_outlier_is_believed_when_it_is_confirmed() -> None:
    """A thing that leaps faster than the limit stays until a second percept confirms the leap."""
    robot = Robot(PerceptSettings(outlier=2.0))
    robot.take(frame(0.0, ball=[0, 0, 1]))
    assert robot.take(frame(0.04, ball=[1.5, 0, 1])) == []
    assert robot.take(frame(0.08, ball=[0, 0, 1])) == ["ball"]
    assert robot.take(frame(0.12, ball=[1.5, 0, 1])) == []
    assert robot.take(frame(0.16, ball=[1.52, 0, 1])) == ["ball"]


@pytest.mark.parametrize(("limit", "believed"), [(None, True), (0.5, False)])
def test_a_sensor_that_moves_is_not_trusted_if_so_set(limit: float | None, believed: bool) -> None:
    """Percepts of a head that moves faster than the limit are passed over."""
    robot = Robot(PerceptSettings(still_sensor=limit))
    for t, x in ((0.0, 0.0), (0.1, 0.2)):
        seen = Frame(t, "eye", {"ball": Percept(pose_of([1 + t, 0, 1]))},
                     agents={"myself": {"head": pose_of([x, 0, 1.5])}})  # fmt: skip
        told = robot.take(seen)
    assert ("ball" in told) == believed


def test_a_large_thing_may_be_a_little_farther_away() -> None:
    """How near two percepts of one thing are goes with its size."""
    robot = Robot()
    robot.take(frame(0.0, table=[0, 0, 0.7]))
    board = Unnamed(box(np.array([1, 1, 0.05])), pose_of([0.2, 0, 0.7]))
    assert robot.take(Frame(0.04, "eye", unnamed=(board,))) == ["table"]
