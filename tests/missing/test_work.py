"""What explanations cost, counted, and that noise makes none."""

import numpy as np
import pytest

from spatial_reasoner.belief import occluders
from spatial_reasoner.belief.accounts import Accounts
from spatial_reasoner.relations.situation import Situation
from tests.missing.acts import CUP, REASONS, cellar, hide
from tests.plays.conftest import Staged
from tests.plays.play import Play
from tests.plays.rooms import room
from tests.plays.test_perceiving import jittered
from tests.plays.test_work import Count


def asked(play: Play, model: str = "myself") -> int:
    return play.reasoner.mind(model).accounts.occluders.asked


def test_where_nothing_is_missing_nothing_is_asked(
    staged: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While all is perceived no reason is sought and no ray is cast, whatever moves."""
    sought = Count(monkeypatch, Accounts, "_look")
    play = staged(cellar("sally")).live().see(cup=CUP, ball=(0.2, 0.5, 0.79))
    play.stand("sally", (1.0, 0, 1.4), (0, 0, 0.8)).wait(1.0)
    play.move(1.0, "ball", (0.2, -0.5, 0.79)).wait(1.0)
    assert (sought.calls, asked(play), asked(play, "sally")) == (0, 0, 0)


def test_who_is_in_the_way_is_asked_once(staged: Staged, monkeypatch: pytest.MonkeyPatch) -> None:
    """While nothing moves rays are cast once for a hidden cup, and nothing is put into words."""
    play = hide(staged(cellar())).live()
    cast, told = Count(monkeypatch, occluders, "first_met"), Count(monkeypatch, Situation, "_tell")
    assert asked(play) == 1
    play.wait(4.0)
    assert (asked(play), cast.calls, told.calls) == (1, 0, 0)


def test_while_things_move_it_is_asked_once_a_second(staged: Staged) -> None:
    """A ball that rolls about for four seconds has rays cast four times more, not each tick."""
    play = hide(staged(cellar()).see(ball=(-0.3, -0.6, 0.79)))
    before = asked(play)
    play.move(4.0, "ball", (-0.3, 0.6, 0.79))
    assert asked(play) - before <= 4


def test_of_many_things_few_are_asked_about_at_once(staged: Staged) -> None:
    """Twelve marbles in a bucket are missing at the same moment: four are asked about in each."""
    marbles: dict[str, object] = {
        f"m{i}": {"class": "Ball", "shape": {"sphere": 0.01}} for i in range(12)
    }
    bucket = {"bin": {"size": [0.25, 0.25, 0.25], "floor": 0.02, "wall": 0.02}}
    play = staged(room({**marbles, "bucket": {"class": "Bin", "shape": bucket}}))
    spots = {f"m{i}": (0.03 * (i % 4) - 0.08, 0.03 * (i // 4) - 0.03, 0.78) for i in range(12)}
    play.see(bucket=(0, 0, 0.875), **spots).wait(1.0).miss(*spots)
    told = []
    for _ in range(40):
        before = asked(play)
        play.frame()
        told.append(asked(play) - before)
    assert [each for each in told if each] == [4, 4, 4]
    assert len(play.about("myself", "isOccludedBy", "bucket")) == 12


@pytest.mark.parametrize("seed", [3, 4])
def test_a_room_in_which_things_are_missing_is_silent(staged: Staged, seed: int) -> None:
    """For a minute of 1.5 mm and 2° on all that is perceived no reason comes, changes or goes:
    with a cup behind two cartons that hide half of it each, a ball in a bucket and a book behind
    somebody who looks."""
    noise = np.random.default_rng(seed)
    document = cellar("anne", max={"class": "Human", "shape": {"cylinder": [0.2, 1.7]}})
    assert isinstance(document["entities"], dict)
    document["entities"]["other"] = {"class": "Box", "shape": {"box": [0.05, 0.4, 0.4]}}
    document["entities"]["book"] = {"class": "Book", "shape": {"box": [0.2, 0.15, 0.03]}}
    play = staged(document).see(cup=CUP, ball=(0.1, 0.6, 0.81), book=(0.3, -0.6, 0.765))
    play.see(bucket=(0.1, 0.6, 0.875)).stand("anne", (1.0, 0.3, 1.5), (0, 0, 0.8)).wait(1.0)
    play.miss("cup", "ball", "book").see(carton=(0.05, -0.19, 0.95), other=(0.11, 0.19, 0.95))
    play.stand("max", (-0.7, -0.4, 1.6), (0, -0.4, 0.8))
    play.shake(lambda pose: jittered(pose, noise)).wait(4.0)
    told = len(play.told)
    assert {fact.split()[0] for fact in play.about("myself") if fact.split()[1] in REASONS} == {
        "cup", "ball", "book",
    }  # fmt: skip
    play.wait(60.0)
    late = [fact for _, d in play.told[told:] for fact in (*d.add, *d.retract)]
    assert [fact for fact in late if fact.split()[1] in REASONS] == []


def test_the_same_carton_stays_in_front(staged: Staged) -> None:
    """Of two cartons that hide about the same the one that was named goes on to be, as they move
    a little."""
    document = cellar()
    assert isinstance(document["entities"], dict)
    document["entities"]["other"] = {"class": "Box", "shape": {"box": [0.05, 0.4, 0.4]}}
    play = staged(document).see(cup=CUP).wait(1.0).miss("cup")
    play.see(carton=(0.05, -0.19, 0.95), other=(0.05, 0.21, 0.95)).wait(2.0)
    assert play.holds("myself", "cup isOccludedBy carton")
    play.see(carton=(0.05, -0.21, 0.95), other=(0.05, 0.19, 0.95)).wait(4.0)
    assert play.holds("myself", "cup isOccludedBy carton")
    play.see(carton=(0.05, -0.3, 0.95), other=(0.05, 0.1, 0.95)).wait(4.0)
    assert play.holds("myself", "cup isOccludedBy other")
