"""Poses, whichever way they are published."""

import math
from pathlib import Path

import pytest

from kb_server import BadRequest, Blackboard, Pose, TooOld, UnknownModel

_PATIENCE = 10.0


def test_what_is_published_is_heard_and_kept(kb: Blackboard, mind: str) -> None:
    """Listeners are told, and whoever asks is shown all that is published."""
    with kb.listen(mind) as poses:
        kb.publish(mind, {"ball": {"pose": [0.1, 0, 0.8], "seen": 4.0}}, t=4.0)
        event = poses.next(_PATIENCE)
    assert event.model == mind
    assert event.t == 4.0
    assert event.poses == {"ball": Pose((0.1, 0, 0.8), None, 4.0)}
    kb.publish(mind, {"cup": {"pose": [0, 0, 0, 0, 0, 0, 1]}}, t=5.0)
    kb.publish(mind, {"ball": None}, t=6.0)
    shown = kb.poses(mind)
    assert shown.t == 6.0
    assert set(shown.poses) == {"cup"}


def test_how_sure_a_pose_is_goes_with_it(kb: Blackboard, mind: str) -> None:
    """Standard deviations are told and shown where they are published, and nowhere else."""
    deviations = (0.01, 0.01, 0.05, 0.1, 0.1, 0.2)
    with kb.listen(mind) as poses:
        kb.publish(mind, {"ball": {"pose": [0, 0, 1], "sigma": list(deviations)}, "cup": {}})
        event = poses.next(_PATIENCE)
    told = event.poses["ball"]
    assert told is not None
    assert told.sigma == deviations
    shown = kb.poses(mind).poses
    assert (shown["ball"].sigma, shown["cup"].sigma) == (deviations, None)


def test_how_far_a_thing_is_believed_from_where_it_was_perceived() -> None:
    """The difference of a pose is a distance in metres and an angle in radians."""
    quarter = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))
    pose = Pose((0.0, 0.0, 0.8), (0.0, 0.0, 0.79, *quarter))
    assert pose.difference == pytest.approx((0.01, math.pi / 2), abs=1e-6)


def test_what_cannot_be_published(kb: Blackboard, mind: str) -> None:
    """A pose has three numbers or seven, in a model that is there."""
    with pytest.raises(BadRequest):
        kb.publish(mind, {"ball": {"pose": [0.1, 0]}})
    with pytest.raises(UnknownModel):
        kb.publish("nobody", {})
    with pytest.raises(UnknownModel):
        kb.poses("nobody")
    with pytest.raises(UnknownModel):
        kb.listen("nobody")


def test_poses_of_the_past(kb: Blackboard, mind: str) -> None:
    """Where things were a little while ago is still known."""
    kb.publish(mind, {"ball": {"pose": [0, 0, 0]}})
    seq = kb.add(mind, "ball isIn box").seq
    kb.publish(mind, {"ball": {"pose": [1, 1, 1]}})
    then = kb.poses(mind, at=seq).poses["ball"]
    assert then.pose == (0, 0, 0)


def test_things_have_one_name(kb: Blackboard, mind: str) -> None:
    """However a thing is named, its pose is that of its shortest name."""
    whole = "<http://kb.openrobots.org#ball>"
    kb.publish(mind, {whole: {"pose": (0, 0, 0), "seen": "2026-01-01T12:00:00Z"}}, t=1)
    assert set(kb.poses(mind).poses) == {"ball"}
    kb.publish(mind, {"oro:ball": None})
    assert not kb.poses(mind).poses


def test_poses_before_all(kb: Blackboard, mind: str) -> None:
    """Before any pose was published there were none, as there were no facts."""
    kb.publish(mind, {"ball": {"pose": [0, 0, 0]}})
    for at in (0, "2020-01-01T00:00:00Z"):
        then = kb.poses(mind, at=at)
        assert (then.t, dict(then.poses)) == (None, {})


def test_poses_to_come(kb: Blackboard, mind: str) -> None:
    """Of a delta that is still to come nobody is shown poses."""
    with pytest.raises(BadRequest):
        kb.poses(mind, at=10**9)


def test_poses_before_a_start(tmp_path: Path) -> None:
    """What was published before a board was started again is not known any more."""
    for times in range(2):
        with Blackboard.local(tmp_path) as board:
            seq = board.add("myself", f"a{times} isIn box").seq
            board.publish("myself", {"ball": {"pose": [0, 0, 0]}})
    with Blackboard.local(tmp_path) as board:
        for at in (0, seq):
            with pytest.raises(TooOld):
                board.poses("myself", at=at)
