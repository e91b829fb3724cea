"""Which of several reasons is given, when it changes, and when it ends."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import pytest

from spatial_reasoner.belief.explanations import EXPLANATIONS
from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import sphere
from spatial_reasoner.values.frames import Unnamed
from tests.missing.acts import (
    AWAY,
    CARTON,
    CUP,
    REASONS,
    carried,
    carried_on,
    cellar,
    displace,
    fallen,
    held,
    hide,
    reasons,
    slid,
)
from tests.plays.conftest import Staged
from tests.plays.play import Play, facing
from tests.plays.test_perceiving import jittered
from tests.trials import pairwise

AHEAD: Final = pose_of([-1.6, 0, 1.9, 0, 0.2588, 0, 0.9659])
BUCKET: Final = (0.0, 0.0, 0.875)


CAUSES: Final[Mapping[str, Callable[[Play], Play]]] = {
    "isHiddenInHandOf sally": held,
    "isCarriedIn bucket": carried,
    "isCarriedOn tray": carried_on,
    "hasFallenFrom table": fallen,
    "hasSlidOn table": slid,
}


def test_the_order_is_that_of_the_table() -> None:
    """Held, out of view, occluded, fallen or slid, contained in or on something moved, unknown."""
    assert list(EXPLANATIONS) == [
        "hidden in hand", "out of view", "occluded", "behind agent", "fallen", "dropped", "slid",
        "carried in", "carried on", "unknown",
    ]  # fmt: skip


@pytest.mark.parametrize("reason", CAUSES)
def test_who_looks_away_misses_what_nobody_holds(staged: Staged, reason: str) -> None:
    """What is held stays so; all else is out of view, until where it went can be looked at."""
    play = CAUSES[reason](staged(cellar("sally")))
    assert reasons(play, "cup") == {reason}
    play.people["myself"] = {"head": AWAY}
    play.wait(2.0)
    away = reason if "Hand" in reason else "isOutOfViewOf myself"
    assert reasons(play, "cup") == {away}
    play.people["myself"] = {"head": AHEAD}
    assert reasons(play.wait(2.0), "cup") == {reason}


def test_a_hand_says_more_than_where_it_took_a_thing(staged: Staged) -> None:
    """A cup that a hand carries to where it is out of view is in the hand."""
    play = held(staged(cellar("sally")))
    play.reach("sally", 1.0, (0.25, 0, 1.2), (0.25, 0.4, 1.2)).wait(1.0)
    assert reasons(play, "cup") == {"isHiddenInHandOf sally"}


@pytest.mark.parametrize("reason", CAUSES)
def test_there_is_never_more_than_one_reason(staged: Staged, reason: str) -> None:
    """In no moment of a play has a thing two reasons, and each change is one delta."""
    play = staged(cellar("sally"))
    CAUSES[reason](play)
    play.people["myself"] = {"head": AWAY}
    play.wait(1.0)
    told: dict[tuple[str, str], set[str]] = {}
    for _, delta in play.told:
        for thing in ("cup", "tray", "bucket", "carton"):
            mine = told.setdefault((delta.model, thing), set())
            mine -= {fact for fact in delta.retract if is_reason(fact, thing)}
            mine |= {fact for fact in delta.add if is_reason(fact, thing)}
            assert len(mine) <= 1


def is_reason(fact: str, thing: str) -> bool:
    subject, predicate, _ = fact.split()
    return subject == thing and predicate in REASONS


def test_nothing_is_missing_before_a_second_has_gone(staged: Staged) -> None:
    """A second after the last percept, and not before, the reason is told."""
    play = staged(cellar()).see(cup=CUP).wait(1.0).miss("cup").see(carton=CARTON).wait(2.0)
    assert play.since("myself", "cup isOccludedBy carton") == pytest.approx(1.96, abs=0.01)


@pytest.mark.parametrize("reason", CAUSES)
def test_what_is_perceived_again_has_no_reason(staged: Staged, reason: str) -> None:
    """With the first percept the reason is gone."""
    play = CAUSES[reason](staged(cellar("sally")))
    play.see(cup=(0.3, 0.6, 0.8)).frame()
    assert reasons(play, "cup") == set()
    assert play.wait(2.0).about("myself", "cup", "isPerceived")
    assert reasons(play, "cup") == set()


def test_what_is_unknown_ends_with_a_percept(staged: Staged) -> None:
    """A cup that nobody could account for is perceived: that is all."""
    play = staged(cellar()).see(cup=CUP).wait(1.0).miss("cup").wait(2.0)
    assert reasons(play, "cup") == {"isUnaccountedFor true"}
    assert reasons(play.see(cup=(0.3, 0.6, 0.8)).frame(), "cup") == set()


@pytest.mark.parametrize(("seconds", "changes"), [(0.4, False), (0.6, True)])
def test_another_reason_must_last(staged: Staged, seconds: float, changes: bool) -> None:
    """Half a second must another reason hold without a break before it takes the place of one."""
    play = hide(staged(cellar()))
    seen = play.people.setdefault("myself", {"head": pose_of([-1.6, 0, 1.9, 0, 0.2588, 0, 0.9659])})
    before = seen["head"]
    play.people["myself"] = {"head": AWAY}
    play.wait(seconds)
    play.people["myself"] = {"head": before}
    play.wait(0.2)
    assert play.flips("myself", "cup isOutOfViewOf myself") == changes
    play.wait(1.0)
    assert reasons(play, "cup") == {"isOccludedBy carton"}


def test_a_reason_that_comes_and_goes_is_none(staged: Staged) -> None:
    """A robot that looks away every other half second tells one reason all the time."""
    play = hide(staged(cellar()))
    front = pose_of([-1.6, 0, 1.9, 0, 0.2588, 0, 0.9659])
    told = len(play.told)
    for _ in range(6):
        for head in (AWAY, front):
            play.people["myself"] = {"head": head}
            play.wait(0.4)
    assert not [d for _, d in play.told[told:] if play_reasons(d.add) or play_reasons(d.retract)]


def play_reasons(facts: tuple[str, ...]) -> list[str]:
    return [fact for fact in facts if fact.split()[1] in REASONS]


def test_a_new_occluder_takes_over(staged: Staged) -> None:
    """When the carton goes and a bucket hides the cup instead, that is told within two seconds."""
    play = hide(staged(cellar()))
    play.miss("carton").see(bucket=(0.05, 0, 0.875), carton=(0.05, 0.6, 0.95)).wait(2.0)
    assert reasons(play, "cup") == {"isOccludedBy bucket"}


def test_who_is_not_there_keeps_the_reasons(staged: Staged) -> None:
    """Sally leaves: what she missed rests, whatever happens; when she is back it is sought anew."""
    play = staged(cellar("sally")).see(ball=(-0.2, 0.3, 0.79))
    play.stand("sally", (1.2, 0.3, 1.2), (0, 0.3, 0.8)).wait(1.0)
    play.see(carton=(0.2, 0.3, 0.95)).wait(2.0).leave("sally").wait(1.4)
    play.see(carton=(0.2, -0.6, 0.95)).wait(2.0)
    assert reasons(play, "ball", "sally") == {"isOccludedBy carton"}
    play.stand("sally", (1.2, 0.3, 1.2), (0, 0.3, 0.8)).frame()
    assert reasons(play, "ball", "sally") == set()


def test_what_can_not_move_is_not_missing(staged: Staged) -> None:
    """Nor are parts of agents, or what only the scene places."""
    play = staged(cellar("sally")).see(table=(0, 0, 0.725), cup=CUP)
    play.stand("sally", (1.0, 0, 1.4), (0, 0, 0.8)).wait(1.0).miss("table").leave("sally").wait(3.0)
    told = {fact for _, d in play.told for fact in (*d.add, *d.retract)}
    assert {fact for fact in told if fact.split()[1] in REASONS} == set()


def test_what_is_recognised_while_missing_is_one_thing(staged: Staged) -> None:
    """An unnamed ball is occluded, and comes out as the ball: nothing is missing any more."""
    play = staged(cellar())
    play.strangers.append(Unnamed(sphere(0.04), pose_of([0.2, 0, 0.79])))
    play.wait(1.0)
    play.strangers.clear()
    play.see(carton=CARTON).wait(2.0)
    assert reasons(play, "unnamed_1") == {"isOccludedBy carton"}
    play.see(ball=(0.2, 0, 0.79)).wait(1.0)
    assert reasons(play, "unnamed_1") == reasons(play, "ball") == set()


def test_what_is_recognised_unseen_is_where_the_stranger_was(staged: Staged) -> None:
    """Sally saw the ball on a tray, and a stranger on the table that is called the ball later."""
    play = staged(cellar("sally")).stand("sally", (1.6, 0, 1.6), (0, 0, 0.8))
    play.see(tray=(0, 0.5, 0.76), ball=(0, 0.5, 0.81)).wait(0.6)
    play.look("sally", (4, 0, 1.5)).wait(0.2).miss("ball").wait(0.2)
    play.strangers.append(Unnamed(sphere(0.04), pose_of([0, -0.5, 0.79])))
    play.wait(0.2).look("sally", (0, -0.5, 0.8)).wait(0.6).look("sally", (4, 0, 1.5)).wait(0.2)
    play.strangers.clear()
    play.see(ball=(0, -0.5, 0.79)).wait(2.0)
    assert play.where("sally", "ball") == {"isOn table"}
    assert reasons(play, "ball", "sally") == {"isOutOfViewOf sally"}


@pairwise(seed=[1, 2], turn=[-0.04, 0.035, 0.04])
def test_at_the_edge_of_a_field_of_view_a_reason_stays(
    staged: Staged, turn: float, seed: int
) -> None:
    """For a minute of noise a hidden cup at the very edge of the robot's view has one reason."""
    noise, half = np.random.default_rng(seed), 1.745 / 2
    play = staged(cellar()).see(cup=(0, 0, 0.8), carton=(-0.15, 0, 0.95))
    play.people["myself"] = {"head": facing((-1.0, 0, 0.8), (0, 0, 0.8))}
    play.wait(0.4).miss("cup").shake(lambda pose: jittered(pose, noise))
    way = np.array([np.cos(half + turn), np.sin(half + turn)])
    play.people["myself"] = {"head": facing((-1.0, 0, 0.8), (way[0] - 1.0, way[1], 0.8))}
    play.wait(2.0)
    given = reasons(play, "cup")
    told = len(play.told)
    play.wait(60.0)
    assert len(given) == 1
    assert not [d for _, d in play.told[told:] if play_reasons((*d.add, *d.retract))]


def test_without_a_head_nothing_new_is_said(staged: Staged) -> None:
    """Where it is not known where the robot looks, the reasons stay; percepts still end them."""
    play = staged(cellar()).see(cup=CUP)
    front = pose_of([-1.6, 0, 1.9, 0, 0.2588, 0, 0.9659])
    play.people["myself"] = {"head": front}
    play.wait(1.0).miss("cup").see(carton=CARTON).wait(2.0)
    del play.people["myself"]
    displace(play.wait(1.4), "cup", (0.9, 0, 0.05)).wait(2.0)
    assert reasons(play, "cup") == {"isOccludedBy carton"}
    play.see(cup=CUP).frame()
    assert reasons(play, "cup") == set()
