"""What people are shown of minds: how all looks, and where each mind has heads and hands."""

from collections.abc import Mapping

import pytest

from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import sphere
from spatial_reasoner.values.delta import Look
from spatial_reasoner.values.frames import Unnamed
from tests.plays.conftest import Staged
from tests.plays.play import STEP, Play
from tests.plays.rooms import desk, room

BALL = (0.2, 0.0, 0.79)
CUPBOARD = {"class": "Cupboard", "urdf": "cupboard.urdf", "pose": [0.5, 3.0, 0.5]}


def changed(play: Play) -> Mapping[str, Look | None]:
    """What looks different after one more frame."""
    play.frame()
    return play.reasoner.changed_looks()


def test_what_comes_without_a_name_is_shown_until_it_has_one(staged: Staged) -> None:
    """Something unnamed is shown as it is perceived, and no more once it is recognised."""
    play = staged(desk())
    assert changed(play) == {}
    play.strangers.append(Unnamed(sphere(0.04), pose_of(BALL)))
    look = changed(play)["unnamed_1"]
    assert look is not None
    assert (look["class"], look["shape"]) == ("Artifact", {"sphere": 0.04})
    assert changed(play) == {}
    play.strangers.clear()
    play.see(ball=BALL)
    assert changed(play) == {"unnamed_1": None}
    assert changed(play) == {}
    assert "unnamed_1" not in play.reasoner.looks()


def test_a_drawer_that_is_pulled_out_is_shown_so(staged: Staged) -> None:
    """A thing with joints is shown anew when one of them is perceived to move, and only then."""
    play = staged(room({"cupboard": CUPBOARD}))
    shut = play.reasoner.looks()["cupboard"]
    play.see(cupboard=(0.5, 3.0, 0.5)).bend("cupboard", rail=0.2)
    assert list(changed(play)) == ["cupboard"]
    assert play.reasoner.looks()["cupboard"] != shut
    assert changed(play) == {}


def test_each_mind_has_its_own_head_and_hands_and_those_it_saw(staged: Staged) -> None:
    """The names in a look are those of the poses: of who is there, and was there, in each mind."""
    play = staged(desk(depth=2)).see(ball=BALL)
    play.stand("sally", (1, 0.3, 1.5), (0, 0, 0.8)).stand("anne", (0.2, -1.0, 1.5), (1, 0.3, 1.2))
    play.wait(0.4)
    parts = {name: play.reasoner.looks()[name]["parts"] for name in ("sally", "anne", "myself")}
    placed = {model: play.reasoner.placed(model) for model in play.reasoner.models}
    for model in ("myself", "sally", "anne"):
        assert {parts["sally"]["head"], parts["sally"]["right_hand"]} <= placed[model].keys()
    for model in ("sally", "anne", "sally.anne", "anne.sally"):
        own = parts[model.rpartition(".")[2]]
        assert {own["head"], own["left_hand"]} <= placed[model].keys()
    head = parts["anne"]["head"]
    pose = placed["anne.sally"][parts["sally"]["head"]].pose
    assert pose == pytest.approx(play.people["sally"]["head"])
    play.look("anne", (-2, -2, 1.5)).frame()
    assert {head} <= play.reasoner.moved("anne").keys()
    assert {head} <= play.reasoner.moved("myself").keys()


def test_when_a_thing_was_seen_last_is_said(staged: Staged) -> None:
    """Of what is still that is told once a second, and once more as soon as it is out of sight."""
    play, said = staged(desk()).see(ball=BALL), dict[str, list[float | None]]()
    play.wait(0.4)

    def live(seconds: float) -> int:
        for _ in range(round(seconds / STEP)):
            play.frame()
            for model in ("myself", "sally"):
                if "ball" in play.reasoner.moved(model):
                    said.setdefault(model, []).append(play.reasoner.moved(model)["ball"].seen)
        return len(said.get("myself", []))

    play.stand("sally", (1.0, 0.3, 1.5), BALL).wait(0.4)
    assert 4 <= live(5.0) <= 6
    last = play.now - STEP
    play.miss("ball")
    live(3.0)
    assert said["myself"][-1] == pytest.approx(last)
    for model, times in said.items():
        assert times[-1] == play.reasoner.placed(model)["ball"].seen
