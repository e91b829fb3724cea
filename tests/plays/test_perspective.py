"""No mind knows what its agent could not have perceived."""

from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.actions.perspective_taking import feel, sensed_by
from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.belief.world import Sensed
from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.relations.hands import Holding
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.tick import reasoner as tick
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.delta import BeliefDelta
from tests.plays.conftest import MakeScene
from tests.plays.play import Play
from tests.plays.replays import lines
from tests.plays.rooms import desk, room
from tests.plays.stories import STORIES
from tests.trials import law


@dataclass(frozen=True, slots=True)
class Fed:
    """What came to one mind at one time: percepts, and what its hands felt."""

    t: float
    sensed: Sensed
    holding: Holding


def watched(monkeypatch: pytest.MonkeyPatch, model: str) -> list[Fed]:
    """What is fed to a mind from now on."""
    fed: list[Fed] = []
    percepts: list[Sensed] = []

    def percept(mind: Mind, agent: int, told: Collection[int]) -> Sensed:
        sensed = sensed_by(mind, agent, told)
        percepts.append(sensed)
        return sensed

    def touch(within: Mind, mind: Mind, agent: int) -> None:
        feel(within, mind, agent)
        held = mind.world.holding
        if within.world.name == model:
            own = mind.roster.owner[held.holder] == agent
            holder = np.where(own & (held.holder >= 0), held.holder, -1)
            fed.append(Fed(mind.now, percepts[-1], Holding(holder, held.grip.copy())))

    monkeypatch.setattr(tick, "sensed_by", percept)
    monkeypatch.setattr(tick, "feel", touch)
    return fed


class Alone(SpatialReasoner):
    """A mind that is fed by itself, without a robot."""

    def tell(
        self, fed: list[Fed], model: str, times: list[float]
    ) -> list[tuple[float, BeliefDelta]]:
        """What it makes of what it is fed, at all times of a play."""
        mind = self._mind(model)
        parent = Mind("nobody", self.roster, self.tolerances, self._physics)
        waiting, told = {each.t: each for each in fed}, []
        begun = min(waiting)
        for t in [t for t in times if t >= begun]:
            self._now = t
            if t > begun:
                mind.begin()
            if t in waiting:
                mind.absorb(waiting[t].sensed, t)
                parent.world.holding = waiting[t].holding
                feel(mind, parent, mind.owner)
                told += [(t, delta) for delta in self._noticed(mind, next(self._look([mind])))]
            else:
                told += [(t, delta) for delta in tick._deltas(mind, mind.rest(t))]
        return told


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("sally and anne", "sally"),
        ("an onlooker", "max"),
        ("takes along", "sally"),
        ("director", "director"),
        ("face to face", "anne"),
    ],
)
def test_a_mind_is_made_of_what_it_was_fed(
    monkeypatch: pytest.MonkeyPatch,
    made: MakeScene,
    sight: CloseUpSight,
    name: str,
    model: str,
) -> None:
    """The percepts that came to a mind, told to a new one alone, give the same deltas: all but
    actions, which are recognised in the robot's world.
    """
    story = STORIES[name]
    fed = watched(monkeypatch, model)
    play = Play(made(story.room()), sight)
    story.act(play)
    play.reasoner.close()
    monkeypatch.undo()
    times = [frame.t for frame in play.recording.frames]
    noticed = [(t, delta) for t, delta in play.told if delta.memory != "episodic"]
    with closing(Alone(play.recording.scene, sight)) as alone:
        assert lines(alone.tell(fed, model, times)) == lines(noticed, model)
    assert len(lines(play.told, model)) > 1


WALL = {"class": "Wall", "shape": {"box": [0.05, 4, 1.0]}, "static": True, "pose": [0.3, 0, 1.25]}
PLACES = st.tuples(st.floats(-0.45, 0.1), st.floats(-0.6, 0.6))


@pytest.fixture(scope="module")
def walled(made: MakeScene) -> Scene:
    """A wall on the table, from which on Sally sees nothing."""
    entities = desk()["entities"]
    assert isinstance(entities, dict)
    return made(room({**entities, "wall": WALL}, "sally", "anne"))


def sallys(play: Play, hidden: Callable[[int], None]) -> list[str]:
    """Sally's deltas, while something is done behind the wall at each tenth of a second."""
    play.see(cup=(0.45, 0.2, 0.8)).stand("sally", (1.3, 0.1, 1.3), (0, 0, 0.9))
    for i in range(60):
        hidden(i)
        play.look("sally", (0, 0.02 * i, 0.9)).frame()
    play.reasoner.close()
    return lines(play.told, "sally")


@given(where=st.lists(PLACES, min_size=3, max_size=3), stranger=PLACES, steps=st.integers(0, 4))
@law(8)
def test_what_is_behind_a_wall_changes_nothing_before_it(
    walled: Scene,
    sight: CloseUpSight,
    where: list[tuple[float, float]],
    stranger: tuple[float, float],
    steps: int,
) -> None:
    """Whatever is, moves, holds and looks behind a wall, Sally's beliefs are as if it were not."""
    play = Play(walled, sight)

    def hidden(i: int) -> None:
        x, y = (where[i // 20][0], where[i // 20][1] + 0.002 * steps * (i % 20))
        play.see(ball=(x, y, 0.79), bucket=(-0.3, 0.0, 0.875))
        hand = pose_of([x, y, 0.84])
        head = pose_of([stranger[0] - 0.1, stranger[1], 1.0])
        play.people["anne"] = {"head": head, "right_hand": hand}
        if i % 30 > 25:
            play.miss("ball")

    empty = sallys(Play(walled, sight), lambda _: None)
    assert sallys(play, hidden) == empty
    assert len(empty) > 3
    assert play.holds("myself", "ball a Ball")
