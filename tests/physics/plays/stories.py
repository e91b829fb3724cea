"""The acts of these plays, each with the change that makes its control, and their table.

Frames leave out what the camera can't perceive; `test_staging` proves this by sight.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tests.physics.plays.rooms import (
    BALL_ON_TABLE,
    BEHIND,
    BIN_ON_TABLE,
    CRATE_ON_TABLE,
    CUP_ON_TABLE,
    TABLE_TOP,
    back_room,
    bedroom,
    counter,
    sill,
    workshop,
)
from tests.plays.play import Play

__all__ = [
    "ANNE",
    "BEYOND",
    "SALLY",
    "STAGE",
    "STORIES",
    "Story",
    "anne_looks_away",
    "behind_the_back",
    "carried_at",
    "drawer_closes",
    "falls_between",
    "falls_in",
    "foot_is_pulled",
    "foot_is_taken",
    "hands_over",
    "hides_a_cup",
    "is_lowered",
    "is_poured",
    "lifts",
    "lost_between",
    "occluder_slides",
    "pulled_off",
    "puts_in",
    "rests_and_hovers",
    "sinks",
    "takes_a_jar",
    "takes_two",
    "two_hands_near",
]

Place = tuple[float, float, float]
STAGE: Final = (0.0, 0.0, 0.85)
SALLY: Final = (1.0, 0.3, 1.5)
ANNE: Final = (1.0, -0.6, 1.5)
BEYOND: Final = (0.62, -0.45, 1.2)
"""A place in the air behind the table."""


@dataclass(frozen=True, slots=True)
class Story:
    """A room, what happens in it, and what is hidden from the robot when it is over."""

    room: Callable[[], dict[str, object]]
    act: Callable[[Play], object]
    hidden: tuple[str, ...] = ()


# --- behind a crate ---


def hides_a_cup(play: Play, at: Place = BEHIND) -> Play:
    """A cup stands on the table; a crate is slid before it from the side, and hides it."""
    play.see(cup=at, crate=(at[0] - 0.16, 0.55, CRATE_ON_TABLE)).wait(0.6)
    play.move(1.2, "crate", (at[0] - 0.16, at[1], CRATE_ON_TABLE))
    return play.miss("cup").wait(1.0)


def pulled_off(play: Play, is_pushed: bool = True) -> Play:
    """The crate is pushed to the far edge, and with it the cup; in the control it stays."""
    hides_a_cup(play)
    if is_pushed:
        return play.move(1.6, "crate", (0.47, 0, CRATE_ON_TABLE)).wait(2.0)
    return play.wait(3.6)


def occluder_slides(play: Play, by: float, seconds: float = 1.0) -> Play:
    """The crate before a cup in the middle of the table is slid onto it; or away from it."""
    hides_a_cup(play, (0.1, 0.0, CUP_ON_TABLE))
    return play.move(seconds, "crate", (-0.06 + by, 0, CRATE_ON_TABLE)).wait(1.0)


# --- into a bin, in it, and out of it ---


def falls_in(play: Play, is_above: bool = True) -> Play:
    """A ball goes through the air and is let go above a box, unseen; or behind the box."""
    play.see(box=(0, 0, BIN_ON_TABLE), ball=(0, -0.6, 1.15)).wait(0.2)
    play.move(1.0, "ball", (0 if is_above else 0.3, 0, 1.15)).wait(0.4).miss("ball")
    return play.wait(2.5)


def in_a_bin(play: Play, name: str, at: Place, radius: float = 0.04) -> Play:
    """A ball lies on the floor of a bin, is seen there for a while, and then no more."""
    bottom = at[2] - {"jar": 0.1, "box": 0.15, "bucket": 0.15}[name]
    play.see(**{name: at, "ball": (at[0], at[1], bottom + 0.02 + radius)}).wait(0.6)
    return play.miss("ball").wait(0.6)


def is_poured(play: Play, over: Place = (-0.1, 0.1, 1.4), angle: float = 2.6) -> Play:
    """A jar with a ball in it is lifted, and turned over a vat; or elsewhere, or not at all."""
    play.see(vat=(0.1, 0.1, TABLE_TOP + 0.2))
    in_a_bin(play, "jar", (-0.1, -0.5, TABLE_TOP + 0.1))
    play.move(1.6, "jar", (-0.1, -0.5, over[2]), over).wait(0.2)
    for share in np.linspace(0, 1, 51)[1:].tolist():
        turned = (0, math.sin(share * angle / 2), 0, math.cos(share * angle / 2))
        play.see(jar=(*over, *turned)).frame()
    return play.wait(2.0)


def carried_at(play: Play, speed: float, is_in: str = "box") -> Play:
    """A box is carried to and fro at a speed, with stops; a ball is in it, or in a bucket."""
    low, high, z = -0.55, 0.25, BIN_ON_TABLE + 0.12
    play.see(box=(-0.15, low, BIN_ON_TABLE), bucket=(-0.15, 0.62, BIN_ON_TABLE))
    at = tuple(play.things[is_in].pose[:3].tolist())
    in_a_bin(play, is_in, at).move(0.4, "box", (-0.15, low, z))
    seconds = (high - low) / speed
    play.move(seconds, "box", (-0.15, high, z)).wait(0.4)
    play.move(seconds / 2, "box", (-0.15, (low + high) / 2, z)).wait(0.2)
    return play.move(seconds / 2, "box", (-0.15, low, z)).wait(1.0)


def is_lowered(play: Play, seconds: float) -> Play:
    """A ball is taken from the table and lowered into a box, by a hand that nobody perceives."""
    play.see(box=(-0.1, -0.3, BIN_ON_TABLE), ball=(-0.1, 0.3, BALL_ON_TABLE)).wait(1.0)
    play.move(seconds, "ball", (-0.1, 0.3, 1.2), (-0.1, -0.3, 1.2), (-0.1, -0.3, 0.81))
    return play.wait(1.5)


def lost_between(play: Play, y: float = 0.0) -> Play:
    """A ball is lost in the air over the wall between two bins, or over one of them."""
    play.see(box=(0, -0.151, BIN_ON_TABLE), bucket=(0, 0.151, BIN_ON_TABLE), ball=(-0.6, y, 1.12))
    play.wait(0.2).move(1.0, "ball", (0, y, 1.12)).wait(0.4).miss("ball")
    return play.wait(2.5)


def falls_between(play: Play, y: float = 0.0) -> Play:
    """A ball is let go over the wall between two bins, and seen to fall to just above it."""
    low = TABLE_TOP + 0.09
    play.see(box=(0, -0.1, low), bucket=(0, 0.1, low), ball=(-0.6, y, 1.11))
    play.stand("sally", (1.0, 0, 1.4), STAGE, right_hand=(-0.57, y, 1.16)).wait(0.6)
    play.reach("sally", 1.0, (0.03, y, 1.16), carries="ball").wait(0.4)
    for after in (0.04, 0.08, 0.12, 0.16):
        play.see(ball=(0, y, 1.11 - 4.905 * after**2)).frame()
    return play.miss("ball").wait(2.5)


def foot_is_pulled(play: Play) -> Play:
    """The hidden foot of a tower of two is pulled out, and taken up farther away; what stood on it
    shows above the carton until it has begun to fall."""
    low, high = TABLE_TOP + 0.04, TABLE_TOP + 0.12
    play.see(foot=(0.15, 0, low), top=(0.15, 0, high), carton=(-0.05, 0.54, TABLE_TOP + 0.05))
    play.stand("sally", SALLY, STAGE, right_hand=(0.5, 0.1, 0.9)).wait(0.6)
    play.move(1.2, "carton", (-0.05, 0, TABLE_TOP + 0.05)).miss("foot").wait(1.0)
    play.reach("sally", 0.8, (0.24, 0, low)).wait(0.4).reach("sally", 0.2, (0.34, 0, low))
    for sunk in (0.01, 0.035):
        play.see(top=(0.15, 0, high - sunk)).frame()
    play.miss("top").reach("sally", 0.12, (0.42, 0, low + 0.02)).see(foot=(0.34, 0, low + 0.02))
    play.reach("sally", 0.6, (0.42, 0, low + 0.2), carries="foot")
    return play.reach("sally", 0.8, (0.4, 0.4, low + 0.2), carries="foot").wait(1.5)


def drawer_closes(play: Play, closes: bool = True, frames: int = 30) -> Play:
    """A ball is put into an open drawer that then closes; in the control it stays open."""
    play.see(chest=(0.1, 0, TABLE_TOP, 0, 0, 1, 0), ball=(-0.12, -0.5, 1.1))
    play.bend("chest", rail=0.25).wait(0.6)
    play.move(1.2, "ball", (-0.12, 0, 1.1), (-0.12, 0, TABLE_TOP + 0.065)).wait(0.6)
    play.miss("ball")
    for share in np.linspace(1, 0, frames + 1)[1:].tolist():
        play.bend("chest", rail=0.25 * share if closes else 0.25).frame()
    return play.wait(1.0)


# --- hands ---


def behind_the_back(play: Play, is_held: bool = True) -> Play:
    """A cup goes behind somebody's back, in a hand that is tracked all the time; or without one."""
    play.see(cup=(0.3, 0.35, CUP_ON_TABLE)).stand("sally", (1.0, 0.0, 1.5), STAGE).wait(0.6)
    ways = ((0.5, 0.55, 1.1), (1.0, 0.55, 1.1), (1.3, 0.35, 1.1))
    if is_held:
        play.reach("sally", 0.8, (0.3, 0.4, CUP_ON_TABLE)).wait(0.4)
        play.reach("sally", 1.6, *ways, carries="cup").miss("cup")
        return play.reach("sally", 0.6, (1.3, 0.0, 1.1)).wait(2.0)
    return play.move(1.6, "cup", *ways).wait(0.4).miss("cup").wait(2.2)


def takes_a_jar(play: Play) -> Play:
    """A hand takes a jar with a ball in it behind somebody's back."""
    play.stand("sally", (1.0, 0.0, 1.5), STAGE)
    in_a_bin(play, "jar", (0.3, 0.35, TABLE_TOP + 0.1))
    play.reach("sally", 0.8, (0.3, 0.45, TABLE_TOP + 0.1)).wait(0.4)
    play.reach("sally", 1.6, (0.5, 0.6, 1.1), (1.0, 0.6, 1.1), (1.3, 0.4, 1.1), carries="jar")
    return play.miss("jar").reach("sally", 0.6, (1.3, 0.05, 1.1)).wait(2.0)


def foot_is_taken(play: Play, is_taken: bool = True) -> Play:
    """A hand goes behind a carton and brings into view the foot of a tower; or nothing."""
    heights = [TABLE_TOP + 0.04 + 0.08 * floor for floor in range(3)]
    play.see(foot=(0.15, 0, heights[0]), middle=(0.15, 0, heights[1]), top=(0.15, 0, heights[2]))
    play.see(carton=(-0.05, 0.54, TABLE_TOP + 0.225)).stand("sally", SALLY, STAGE).wait(0.6)
    play.move(1.2, "carton", (-0.05, 0, TABLE_TOP + 0.225)).miss("foot", "middle", "top").wait(1.0)
    play.reach("sally", 0.8, (0.2, 0.08, heights[0])).wait(0.4)
    play.reach("sally", 0.8, (0.2, 0.3, heights[0]))
    if is_taken:
        play.see(foot=(0.15, 0.35, heights[0]))
    play.reach("sally", 0.4, (0.2, 0.45, 0.9), carries="foot")
    return play.wait(2.0)


def lifts(play: Play, height: float) -> Play:
    """A hand takes a cup, lifts it so high, and sets it down again."""
    play.see(cup=(0.2, 0.3, CUP_ON_TABLE)).stand("sally", (1.0, 0, 1.4), STAGE).wait(1.0)
    play.reach("sally", 0.8, (0.25, 0.3, 0.82)).wait(0.4)
    play.reach("sally", 0.6, (0.25, 0.3, 0.82 + height), carries="cup").wait(0.8)
    play.reach("sally", 0.6, (0.25, 0.3, 0.82), carries="cup").wait(0.6)
    return play.reach("sally", 0.8, (0.8, 0.3, 1.0)).wait(1.5)


def takes_two(play: Play) -> Play:
    """Two hands take a cup and a ball, one half a second after the other."""
    play.see(cup=(0.2, 0.3, CUP_ON_TABLE), ball=(0.2, -0.3, BALL_ON_TABLE))
    play.stand("sally", (1.0, 0, 1.4), STAGE).wait(1.0)
    play.reach("sally", 0.8, (0.26, 0.3, 0.82), side="left")
    play.reach("sally", 0.8, (0.26, -0.3, 0.82)).wait(0.4)
    play.reach("sally", 0.48, (0.26, 0.3, 1.05), carries="cup", side="left")
    return play.reach("sally", 0.48, (0.26, -0.3, 1.05), carries="ball").wait(1.5)


def hands_over(play: Play, takes: bool = True) -> Play:
    """Sally takes a ball and gives it to Anne; in the control she keeps it."""
    play.see(ball=(0.1, 0.3, BALL_ON_TABLE))
    play.stand("sally", (1.0, 0.5, 1.5), STAGE).stand("anne", (1.0, -0.6, 1.5), STAGE).wait(1.0)
    play.reach("sally", 0.8, (0.16, 0.3, 0.81)).wait(0.4)
    play.reach("sally", 1.2, (0.26, 0.3, 1.15), (0.26, 0.0, 1.15), carries="ball").wait(0.6)
    play.reach("anne", 0.8, (0.17, -0.06, 1.15)).wait(0.4)
    play.reach("sally", 0.8, (0.8, 0.3, 1.15), carries="" if takes else "ball").wait(0.4)
    return play.reach("anne", 0.8, (0.17, -0.5, 1.15), carries="ball" if takes else "").wait(1.5)


def puts_in(play: Play, is_in: bool = True) -> Play:
    """Sally takes a ball and puts it into a box, where nobody sees it; or beside it."""
    play.see(box=(0, -0.2, BIN_ON_TABLE), ball=(0.1, 0.4, BALL_ON_TABLE))
    play.stand("sally", SALLY, STAGE).wait(1.0)
    play.reach("sally", 0.8, (0.15, 0.4, 0.82)).wait(0.4)
    if is_in:
        play.reach("sally", 1.2, (0.15, 0.4, 1.2), (0.05, -0.2, 1.2), carries="ball")
        play.reach("sally", 0.6, (0.05, -0.2, 0.86), carries="ball").miss("ball").wait(0.4)
        play.reach("sally", 0.6, (0.05, -0.2, 1.2))
    else:
        play.reach("sally", 1.2, (0.15, 0.4, 1.1), (0.15, 0.2, 1.1), carries="ball")
        play.reach("sally", 0.6, (0.15, 0.2, 0.82), carries="ball").wait(0.4)
        play.reach("sally", 0.6, (0.3, 0.3, 1.2))
    return play.reach("sally", 0.6, (0.8, 0.2, 1.0)).wait(1.6)


def two_hands_near(play: Play, both: bool = True) -> Play:
    """A ball in the air between the hands of two people, or near to one, is lost behind the table.

    No hand was ever perceived to hold it.
    """
    play.see(ball=(0.75, 0, 0.95)).stand("sally", (1.2, 0.4, 1.5), STAGE)
    play.stand("anne", (1.2, -0.4, 1.5), STAGE)
    play.people["sally"]["right_hand"][:3] = (0.75, 0.15, 0.95)
    play.people["anne"]["right_hand"][:3] = (0.75, -0.15, 0.95) if both else (1.2, -1.2, 0.8)
    return play.wait(0.6).miss("ball").wait(2.5)


# --- percepts that can't be ---


def rests_and_hovers(play: Play) -> Play:
    """A cup stands on the table, and a ball is perceived 20 cm above it, in nobody's hand."""
    return play.see(cup=(0, 0.3, CUP_ON_TABLE), ball=(0, -0.3, BALL_ON_TABLE + 0.2)).wait(1.5)


def sinks(play: Play) -> Play:
    """Two boxes are perceived a centimetre into each other, and one of them as deep in the table;
    a cup stands a little above it."""
    play.see(other=(0, 0, TABLE_TOP + 0.05), cube=(0, 0.19, TABLE_TOP + 0.04))
    return play.see(cup=(-0.2, -0.4, CUP_ON_TABLE + 0.01)).wait(2.0)


# --- who knows of it ---


def anne_looks_away(play: Play, watches: bool = False) -> Play:
    """A ball goes into a box while all look; the box goes elsewhere while Anne looks away."""
    play.see(box=(-0.1, -0.3, BIN_ON_TABLE), ball=(-0.1, 0.3, BALL_ON_TABLE))
    play.stand("sally", (-0.2, 1.1, 1.5), STAGE).stand("anne", ANNE, STAGE).wait(1.0)
    play.move(3.0, "ball", (-0.1, 0.3, 1.2), (-0.1, -0.3, 1.2), (-0.1, -0.3, 0.81)).miss("ball")
    play.wait(0.6)
    if not watches:
        play.look("anne", (5, -0.6, 1.5)).wait(0.6)
    return play.move(1.6, "box", (-0.1, 0.3, BIN_ON_TABLE)).wait(1.0)


STORIES: Final[Mapping[str, Story]] = {
    "pulled off": Story(counter, pulled_off, ("cup",)),
    "stays": Story(counter, lambda play: pulled_off(play, is_pushed=False), ("cup",)),
    "slid onto": Story(counter, lambda play: occluder_slides(play, 0.2), ("cup",)),
    "slid away": Story(counter, lambda play: occluder_slides(play, -0.06), ("cup",)),
    "falls in": Story(workshop, falls_in, ("ball",)),
    "falls behind": Story(workshop, lambda play: falls_in(play, is_above=False), ("ball",)),
    "poured": Story(workshop, is_poured, ("ball",)),
    "poured elsewhere": Story(workshop, lambda play: is_poured(play, BEYOND), ("ball",)),
    "not poured": Story(workshop, lambda play: is_poured(play, angle=0.0), ("ball",)),
    "carried": Story(workshop, lambda play: carried_at(play, 0.5), ("ball",)),
    "drawer": Story(bedroom, drawer_closes, ("ball",)),
    "behind the back": Story(back_room, behind_the_back, ("cup",)),
    "jar is taken": Story(back_room, takes_a_jar, ("jar", "ball")),
    "let go behind": Story(back_room, lambda play: behind_the_back(play, is_held=False), ("cup",)),
    "foot is taken": Story(sill, foot_is_taken, ("middle", "top")),
    "looks away": Story(lambda: workshop("sally", "anne", depth=2), anne_looks_away, ("ball",)),
}
"""Those that hide something, by name."""
