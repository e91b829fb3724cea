"""The plays that are recorded: those of the tables of the tests, and acts with their controls."""

from collections.abc import Callable, Mapping
from typing import Final

from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import sphere
from spatial_reasoner.values.frames import Unnamed
from tests.actions import staging
from tests.missing import acts as missing
from tests.physics.plays import stories as physics
from tests.physics.plays.rooms import TABLE_TOP, bedroom, counter, kitchen, sill, workshop
from tests.plays import stories as minds
from tests.plays.play import Play
from tests.plays.rooms import desk, nursery
from tests.plays.stories import Story

__all__ = ["PLAYS"]

_BALL: Final = (0.2, 0.5, 0.79)
_AWAY: Final = (0.2, -0.3, 0.83)


# --- actions, seen and unseen ---


def picks_and_places(play: Play) -> Play:
    """Sally takes up a cup and sets it down elsewhere, while Anne watches."""
    staging.at_cup(play, anne=True)
    play.reach("sally", 1.6, staging.UP, (0.25, -0.3, 1.12), (0.25, -0.3, 0.82), carries="cup")
    return play.wait(0.4).reach("sally", 0.6, (0.25, -0.3, 1.2), staging.ASIDE).wait(0.6)


def lets_fall(play: Play) -> Play:
    """Sally takes up a cup and drops it from 30 cm."""
    staging.at_cup(play).reach("sally", 0.6, staging.UP, carries="cup").wait(0.6)
    for after in (0.04, 0.08, 0.12, 0.16, 0.2, 0.24):
        play.see(cup=(0.2, 0.5, max(1.1 - 4.905 * after**2, 0.8))).frame()
    return play.reach("sally", 0.6, staging.ASIDE).wait(1.0)


def takes_in_a_fist(play: Play) -> Play:
    """Sally's hand hides a ball from before it is taken until it lies elsewhere."""
    play.see(ball=_BALL).stand("sally", staging.SALLY, staging.STAGE, right_hand=(0.2, 0.5, 1.1))
    play.wait(1.0).reach("sally", 0.8, (0.2, 0.5, 0.83)).miss("ball").wait(0.3)
    play.reach("sally", 0.6, (0.2, 0.5, 1.1)).reach("sally", 1.0, (0.2, -0.3, 1.1), _AWAY)
    return play.see(ball=(0.2, -0.3, 0.79)).wait(0.6).reach("sally", 0.6, staging.ASIDE).wait(1.0)


def takes_untracked(play: Play) -> Play:
    """The tracker loses Sally's hand with the ball, and finds the hand again without it."""
    play.see(ball=_BALL).stand("sally", staging.SALLY, staging.STAGE, right_hand=(0.2, 0.5, 1.1))
    play.wait(1.0).reach("sally", 0.8, (0.2, 0.5, 0.83)).miss("ball")
    staging.hide(play).wait(1.2)
    staging.show(play, 0.21, 0.3, 1.1).wait(1.5).reach("sally", 0.8, (0.2, -0.3, 1.1), _AWAY)
    return play.see(ball=(0.2, -0.3, 0.79)).wait(0.3).reach("sally", 0.8, staging.ASIDE).wait(1.0)


def slides_behind(play: Play) -> Play:
    """Sally slides a cup behind a crate; her hand comes out without it."""
    play.stand("sally", staging.SALLY, staging.STAGE)
    play.see(cup=(0.25, 0.4, 0.8), crate=(0.05, 0, 0.9)).wait(1.0)
    play.reach("sally", 0.8, (0.3, 0.4, 0.82)).wait(0.3)
    play.reach("sally", 0.5, (0.3, 0.2, 0.82), carries="cup").miss("cup")
    staging.hide(play).wait(1.4)
    staging.show(play, 0.3, -0.2, 0.82).reach("sally", 0.3, (0.3, -0.4, 0.9))
    return play.reach("sally", 0.6, staging.ASIDE).wait(3.0)


def puts_out_of_sight(play: Play) -> Play:
    """Sally puts a cup into a deep tray, where neither the cup nor her hand is visible."""
    rim, at = TABLE_TOP + 0.25, (-0.04, -0.3)
    play.see(tray=(0, -0.3, TABLE_TOP + 0.125), cup=staging.CUP)
    play.stand("sally", staging.SALLY, staging.STAGE).wait(1.0)
    play.reach("sally", 0.8, staging.AT_CUP).wait(0.3)
    play.reach("sally", 1.2, staging.UP, (*at, rim + 0.2), carries="cup")
    play.reach("sally", 0.4, (*at, rim + 0.02), carries="cup").miss("cup")
    staging.hide(play).wait(1.8)
    staging.show(play, *at, rim + 0.02).reach("sally", 0.4, (*at, rim + 0.3))
    return play.reach("sally", 0.8, staging.ASIDE).wait(2.0)


# --- percepts ---


def a_stranger(play: Play) -> Play:
    """The camera perceives a thing without a name, and then calls it the ball."""
    play.strangers.append(Unnamed(sphere(0.04), pose_of([0, 0, 0.79])))
    play.see(cup=(0, 0.4, 0.8)).stand("sally", staging.SALLY, staging.STAGE).wait(1.0)
    play.leave("sally").wait(1.0).strangers.clear()
    return play.see(ball=(0, 0, 0.79)).wait(1.0)


def vanishes(play: Play) -> Play:
    """A ball in plain view is not perceived any more, and comes back."""
    play.see(ball=(0, 0, 0.79), cup=(0.2, 0.1, 0.8)).wait(1.0).miss("ball").wait(2.0)
    return play.see(ball=(0.1, -0.3, 0.79)).wait(1.0)


def looks_away(play: Play) -> Play:
    """The robot turns its head away from a cup that stands on the table."""
    play.see(cup=missing.CUP).wait(1.0).miss("cup").people["myself"] = {"head": missing.AWAY}
    return play.wait(3.0)


# --- their tables ---


def _two() -> dict[str, object]:
    return counter("sally", "anne")


def _shop() -> dict[str, object]:
    return workshop("sally", "anne")


def _cellar() -> dict[str, object]:
    return missing.cellar("sally")


def _story(
    room: Callable[[], dict[str, object]], act: Callable[..., object], *args: object, **more: object
) -> Story:
    return Story(room, lambda play: act(play, *args, **more))


_MINDS: Final = {
    "no false belief": _story(nursery, minds.sally_looks, is_moved=False),
    "falls in unseen": _story(nursery, minds.falls_in, watches=False),
    "sally looks in": _story(desk, minds.what_is_in_the_bucket, sally_looks=True),
    "takes along unseen": _story(desk, minds.takes_along, is_seen=False),
}
_PHYSICS: Final = {
    "lifts 20 cm": _story(_two, physics.lifts, 0.2),
    "lifts 2 cm": _story(_two, physics.lifts, 0.02),
    "takes two": _story(_two, physics.takes_two),
    "hands over": _story(_two, physics.hands_over),
    "hands nothing over": _story(_two, physics.hands_over, takes=False),
    "puts in": _story(_shop, physics.puts_in),
    "puts beside": _story(_shop, physics.puts_in, is_in=False),
    "is lowered": _story(_shop, physics.is_lowered, 3.0),
    "lost between": _story(_shop, physics.lost_between),
    "lost over one": _story(_shop, physics.lost_between, 0.1),
    "falls between": _story(_shop, physics.falls_between),
    "falls into one": _story(_shop, physics.falls_between, 0.05),
    "carried in a bucket": _story(_shop, physics.carried_at, 1.0, is_in="bucket"),
    "drawer stays open": _story(bedroom, physics.drawer_closes, closes=False),
    "foot is pulled": _story(sill, physics.foot_is_pulled),
    "foot is not taken": _story(sill, physics.foot_is_taken, is_taken=False),
    "two hands near": _story(_two, physics.two_hands_near),
    "one hand near": _story(_two, physics.two_hands_near, both=False),
    "rests and hovers": _story(_two, physics.rests_and_hovers),
    "sinks": _story(_two, physics.sinks),
    "anne watches": _story(_shop, physics.anne_looks_away, watches=True),
}
_ACTIONS: Final = {
    "picks and places": _story(desk, picks_and_places),
    "lets fall": _story(desk, lets_fall),
    "takes in a fist": _story(desk, takes_in_a_fist),
    "takes untracked": _story(desk, takes_untracked),
    "slides behind": _story(_two, slides_behind),
    "puts out of sight": _story(lambda: kitchen(0.25, "sally"), puts_out_of_sight),
}
_MISSING: Final = {
    "hides": _story(_cellar, missing.hide),
    "held": _story(_cellar, missing.held),
    "carried": _story(_cellar, missing.carried),
    "carried on": _story(_cellar, missing.carried_on),
    "fallen": _story(_cellar, missing.fallen),
    "slid": _story(_cellar, missing.slid),
    "looks away": _story(_cellar, looks_away),
    "a stranger": _story(_cellar, a_stranger),
    "vanishes": _story(_cellar, vanishes),
}
_FOLDERS: Final[Mapping[str, Mapping[str, Story]]] = {
    "minds": {**minds.STORIES, **_MINDS},
    "physics": {name: Story(s.room, s.act) for name, s in physics.STORIES.items()} | _PHYSICS,
    "actions": _ACTIONS,
    "missing": _MISSING,
}
PLAYS: Final[Mapping[str, Story]] = {
    f"{folder}/{name.replace(' ', '-')}": story
    for folder, stories in _FOLDERS.items()
    for name, story in stories.items()
}
"""By folder and name."""
