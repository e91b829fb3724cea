"""What a tick costs, counted: still scenes and sleeping minds cost nothing."""

import pytest

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.relations import hands
from spatial_reasoner.relations.situation import Situation
from spatial_reasoner.sight.visibility import Visibility
from tests.plays.conftest import Staged
from tests.plays.play import Play
from tests.plays.rooms import desk, room


class Count:
    """How often a method is called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        self.calls = 0
        method = getattr(owner, name)

        def counted(*args: object, **more: object) -> object:
            self.calls += 1
            return method(*args, **more)

        monkeypatch.setattr(owner, name, counted)


def audience(play: Play) -> Play:
    """Two who look at a table with things on it."""
    play.see(ball=(0, 0, 0.79), cup=(0, 0.4, 0.8), carton=(-0.3, -0.3, 0.95))
    play.stand("sally", (1, 0.3, 1.5), (0, 0, 0.8)).stand("anne", (1, -0.6, 1.5), (0, 0, 0.8))
    return play.wait(1.0).live()


def test_a_still_scene_is_not_drawn(staged: Staged, monkeypatch: pytest.MonkeyPatch) -> None:
    """While nothing moves nothing is drawn, nothing put into words, and no relation looked at."""
    play = audience(staged(desk()))
    drawn = Count(monkeypatch, Visibility, "_look")
    told = Count(monkeypatch, Situation, "_tell")
    before = [play.reasoner.mind(model).relations for model in play.reasoner.models]
    play.wait(1.0)
    assert (drawn.calls, told.calls) == (0, 0)
    after = [play.reasoner.mind(model).relations for model in play.reasoner.models]
    assert all(one is other for one, other in zip(before, after, strict=True))


def test_minds_that_see_alike_share_pictures(staged: Staged) -> None:
    """Where two minds believe the same to be before a head, it is drawn for one of them."""
    play = audience(staged(desk()))
    before = play.reasoner.pictures
    for i in range(25):
        play.see(ball=(0, 0.002 * i, 0.79)).frame()
    ticks, heads = 25, 3
    assert 0 < play.reasoner.pictures - before <= ticks * heads


def test_who_is_away_costs_nothing(staged: Staged, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who left is not asked anything any more, once what he perceived last has come to its end."""
    play = audience(staged(desk())).leave("sally", "anne").wait(2.0)
    looks = Count(monkeypatch, Mind, "look")
    steadied = Count(monkeypatch, Mind, "steadied")
    for i in range(25):
        play.see(ball=(0, 0.002 * i, 0.79)).frame()
    assert (looks.calls, steadied.calls) == (25, 25)


def test_few_of_many_things_are_looked_at_by_hands(
    staged: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How far hands are from things is worked out for those near them, however many there are."""
    cubes: dict[str, object] = {
        f"c{i}": {"class": "Cube", "shape": {"box": [0.05, 0.05, 0.05]}} for i in range(40)
    }
    play = staged(room(cubes, "sally"))
    play.see(**{f"c{i}": (0.1 * (i % 8) - 0.4, 0.2 * (i // 8) - 0.6, 0.775) for i in range(40)})
    play.stand("sally", (1, 0, 1.5), (0, 0, 0.8), right_hand=(0.3, 0, 0.8)).wait(0.4).live()
    asked = Count(monkeypatch, hands, "distance")
    play.wait(0.4)
    assert 0 < asked.calls <= 10 * 2 * 8
