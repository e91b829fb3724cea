"""What was saved goes on as if it had never stopped, and trying something out changes nothing."""

from collections.abc import Iterable
from itertools import chain

import numpy as np
import pytest

from spatial_reasoner.geometry.poses import turn_between
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.delta import BeliefDelta
from tests.physics.plays.stories import STORIES
from tests.physics.plays.test_recordings import acted
from tests.plays.conftest import Staged

_REACH = ("canReach", "isReachable", "reachEffort")
"""Who reaches what is found out anew."""


def said(deltas: list[BeliefDelta]) -> list[tuple[str, list[str], list[str]]]:
    """What deltas say that does not hang on reach; of those that say anything else."""
    told = [(delta.model, kept(delta.add), kept(delta.retract)) for delta in deltas]
    return [each for each in told if each[1] or each[2]]


def kept(facts: Iterable[str]) -> list[str]:
    """The facts that don't hang on reach."""
    return [fact for fact in facts if fact.split()[1] not in _REACH]


@pytest.mark.parametrize("name", STORIES)
def test_a_saved_world_goes_on_the_same(staged: Staged, sight: CloseUpSight, name: str) -> None:
    """Restored in the middle of things, all minds tell the same and end within 2 mm and 2°."""
    story = STORIES[name]
    recording = acted(staged(story.room()), story).recording
    one = SpatialReasoner(recording.scene, sight)
    frames, others = recording.frames, list[SpatialReasoner]()
    cuts = {len(frames) // 3, 2 * len(frames) // 3}
    for number, frame in enumerate(frames):
        told = said(one.tick(frame))
        for other in others:
            assert said(other.tick(frame)) == told, (name, number)
        if number in cuts:
            others.append(SpatialReasoner.restored(one.save(), sight))
    assert len(others) == len(cuts) == 2
    for model, other in ((m, o) for m in one.models for o in others):
        mine, theirs = one.mind(model).world, other.mind(model).world
        assert np.abs(mine.pose[:, :3] - theirs.pose[:, :3]).max() < 0.002
        assert turn_between(mine.pose, theirs.pose).max() < np.radians(2)
    for reasoner in chain([one], others):
        reasoner.close()


def test_what_is_tried_changes_nothing(staged: Staged, sight: CloseUpSight) -> None:
    """Two that go on from one moment differ, and leave that moment as it was."""
    story = STORIES["pulled off"]
    frames = acted(staged(story.room()), story).recording
    reasoner = SpatialReasoner(frames.scene, sight)
    half = len(frames.frames) // 3
    for frame in frames.frames[:half]:
        reasoner.tick(frame)
    saved, before = reasoner.save(), reasoner.mind("myself").world.pose.copy()
    tried = SpatialReasoner.restored(saved, sight)
    for frame in frames.frames[half:]:
        tried.tick(frame)
    again = SpatialReasoner.restored(saved, sight)
    assert (again.mind("myself").world.pose == before).all()
    assert (reasoner.mind("myself").world.pose == before).all()
    assert not (tried.mind("myself").world.pose == before).all()
    for each in (reasoner, tried, again):
        each.close()
