"""The acts of the plays that several tests use, and the table of all of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tests.plays.play import Play
from tests.plays.rooms import desk, nursery, shelf

__all__ = [
    "OVER_BASKET",
    "OVER_BOX",
    "STORIES",
    "Story",
    "an_onlooker",
    "behind_a_carton",
    "director",
    "face_to_face",
    "falls_in",
    "furnished",
    "in_bins",
    "in_the_basket",
    "john_peeks",
    "mary_moves_it",
    "points_and_looks",
    "rolls",
    "sally_and_anne",
    "sally_looks",
    "takes_along",
    "what_is_in_the_bucket",
]

SALLY: Final = (1.0, 0.3, 1.5)
ANNE: Final = (1.0, -0.6, 1.5)
OPPOSITE: Final = (-0.9, 0.6, 1.5)
MAX: Final = (1.0, 0.0, 1.6)
STAGE: Final = (0.0, 0.0, 0.85)
OVER_BASKET: Final = ((0, 0.15, 1.5), (0, 0.45, 0.85))
"""A head over the basket, with its back to the box; and the other way round."""
OVER_BOX: Final = ((0, -0.15, 1.5), (0, -0.45, 0.85))
ON_TABLE: Final = (0.3, 0.0, 0.795)


@dataclass(frozen=True, slots=True)
class Story:
    """A room, and what happens in it."""

    room: Callable[[], dict[str, object]]
    act: Callable[[Play], object]


# --- a ball in a basket ---


def furnished(play: Play) -> Play:
    """A basket, a box and a ball on the table."""
    return play.see(basket=(0, 0.3, 0.93), box=(0, -0.3, 0.9), ball=ON_TABLE)


def puts_in_basket(play: Play, who: str = "sally") -> Play:
    """Somebody takes the ball from the table and puts it in the basket."""
    play.reach(who, 0.8, (0.35, 0, 0.83)).wait(0.2)
    play.reach(who, 1.6, (0.35, 0, 1.25), (0.05, 0.3, 1.25), (0.05, 0.3, 0.9), carries="ball")
    return play.wait(0.2).reach(who, 0.8, (0.05, 0.3, 1.25), (0.8, 0.2, 0.9)).wait(0.6)


def moves_to_box(play: Play, who: str = "anne") -> Play:
    """Somebody takes the ball from the basket and puts it in the box."""
    play.reach(who, 0.8, (0.05, 0.3, 1.25), (0.05, 0.3, 0.9)).wait(0.2)
    play.reach(
        who, 1.6, (0.05, 0.3, 1.25), (0.05, -0.3, 1.25), (0.05, -0.3, 0.86), carries="ball"
    ).wait(0.2)
    return play.reach(who, 0.8, (0.05, -0.3, 1.25), (0.8, -0.4, 0.9)).wait(1.2)


def in_the_basket(play: Play) -> Play:
    """Sally has put the ball in the basket, while Anne watched."""
    furnished(play).stand("sally", SALLY, STAGE).stand("anne", ANNE, STAGE).wait(1.0)
    return puts_in_basket(play)


def sally_and_anne(play: Play, watches: bool = False) -> Play:
    """The whole story; in the control Sally stays, and watches."""
    in_the_basket(play)
    if not watches:
        play.leave("sally")
    moves_to_box(play.wait(1.4))
    return play.stand("sally", SALLY, STAGE).wait(2.0)


def sally_looks(play: Play, is_moved: bool = True) -> Play:
    """Sally leaves, comes back, and looks into the basket; in the control nobody moved the ball."""
    in_the_basket(play).leave("sally").wait(1.4)
    if is_moved:
        moves_to_box(play)
    play.stand("sally", SALLY, STAGE).wait(1.0)
    return play.stand("sally", *OVER_BASKET).wait(2.0)


def an_onlooker(play: Play, watches: bool = True) -> Play:
    """Max is there while Anne moves the ball; in the control he looks away."""
    in_the_basket(play).leave("sally")
    play.stand("max", MAX, STAGE).wait(1.4)
    if not watches:
        play.look("max", (5, 0, 1.6)).wait(0.5)
    return moves_to_box(play)


def falls_in(play: Play, watches: bool = True) -> Play:
    """The ball goes from the table into the basket, and no hand is perceived near it."""
    furnished(play).stand("sally", SALLY, STAGE).wait(1.0)
    if not watches:
        play.look("sally", (5, 0, 1.5)).wait(0.5)
    play.move(1.0, "ball", (0.3, 0, 1.25), (0, 0.3, 1.25), (0, 0.3, 0.855))
    return play.look("sally", STAGE).wait(2.0)


# --- what John does, and what Mary knows of it ---


def mary_moves_it(play: Play) -> Play:
    """John puts the ball in the basket and leaves; Mary moves it to the box."""
    furnished(play).stand("mary", ANNE, STAGE).stand("john", OPPOSITE, STAGE).wait(1.0)
    puts_in_basket(play, "john").leave("john").wait(1.4)
    return moves_to_box(play, "mary")


def john_peeks(play: Play, is_seen: bool = False) -> Play:
    """Then John comes back and looks into the box; Mary faces away, or sees him do so."""
    mary_moves_it(play).stand("mary", (1.0, -0.6, 1.5), STAGE if is_seen else (5, -0.6, 1.5))
    play.wait(0.6).stand("john", *OVER_BOX).wait(2.0).leave("john").wait(1.4)
    return play.look("mary", STAGE).wait(1.0)


# --- at the desk ---


def what_is_in_the_bucket(play: Play, sally_looks: bool = False) -> Play:
    """Anne looks into a bucket; in the control Sally does so, too."""
    play.see(bucket=(0, 0, 0.875), pencil=(0, 0, 0.775))
    play.stand("sally", OPPOSITE, STAGE).stand("anne", (0.1, -0.2, 1.5), (0, 0, 0.8)).wait(1.0)
    play.stand("anne", ANNE, STAGE).wait(1.0)
    if sally_looks:
        play.stand("sally", (-0.1, 0.2, 1.5), (0, 0, 0.8)).wait(0.6)
    return play.stand("sally", OPPOSITE, STAGE).wait(1.6)


def behind_a_carton(play: Play) -> Play:
    """A carton stands between the ball and Sally, but not between the ball and Anne."""
    play.see(carton=(0.2, 0.3, 0.95), ball=(-0.2, 0.3, 0.79), cup=(0, -0.3, 0.8))
    play.stand("sally", (1.2, 0.3, 1.2), STAGE).stand("anne", (0.0, -1.2, 1.4), STAGE)
    return play.wait(1)


def in_bins(play: Play) -> Play:
    """A ball in an opaque bin, and a cup in one of glass."""
    play.see(bucket=(0, 0.3, 0.875), ball=(0, 0.3, 0.81))
    play.see(tank=(0, -0.3, 0.875), cup=(0, -0.3, 0.82))
    return play.stand("sally", (1.5, 0, 1.2), STAGE).wait(1)


def director(play: Play) -> Play:
    """A shelf between the robot and the director; one of its cells has a back to him."""
    play.see(candle=(0, -0.15, 0.82), taper=(0, 0.15, 0.8))
    return play.stand("director", (1.5, 0, 1.0), (0, 0, 0.9)).wait(1)


def points_and_looks(play: Play) -> Play:
    """Sally points at the cup and looks at the ball."""
    play.see(cup=(0, -0.4, 0.8), ball=(0, 0.5, 0.79))
    cup, elbow = (0.0, -0.4, 0.8), (0.9, -0.2, 1.1)
    wrist = tuple(e + 0.3 * (c - e) for c, e in zip(cup, elbow, strict=True))
    play.stand("sally", (1.2, 0, 1.4), (0, 0.5, 0.79), right_hand=wrist, right_elbow=elbow)
    return play.wait(1)


def face_to_face(play: Play) -> Play:
    """Sally and Anne face each other across a table with a ball and a cup on it."""
    play.see(ball=(0, 0.6, 0.79), cup=(0, -0.6, 0.8))
    play.stand("sally", (0.8, 0, 1.3), (0, 0, 1.0)).stand("anne", (-0.8, 0, 1.3), (0, 0, 1.0))
    return play.wait(1)


# --- hands, and what moves ---


def takes_along(play: Play, is_seen: bool = True) -> Play:
    """Sally takes a cup, carries it to the other end of the table and puts it there."""
    play.see(cup=(0.2, 0.5, 0.8), ball=(0, 0, 0.79)).stand("sally", (1.0, 0, 1.4), (0, 0, 0.8))
    play.wait(1.0).reach("sally", 1.0, (0.25, 0.5, 0.82)).wait(0.4)
    if is_seen:
        play.reach("sally", 1.6, (0.25, 0, 1.2), (0.25, -0.5, 0.82), carries="cup")
    else:
        play.miss("cup").reach("sally", 1.6, (0.25, 0, 1.2), (0.25, -0.5, 0.82)).wait(1.6)
        play.see(cup=(0.2, -0.5, 0.8))
    play.wait(0.4).reach("sally", 0.6, (0.7, -0.3, 1.0))
    return play.wait(0.8)


def rolls(play: Play) -> Play:
    """A ball lies, rolls at 10 cm/s, and lies again."""
    play.see(ball=(0, -0.5, 0.79), cup=(0, 0.6, 0.8)).wait(1.0)
    return play.move(5.0, "ball", (0, 0, 0.79)).wait(1.0)


STORIES: Final[Mapping[str, Story]] = {
    "sally and anne": Story(nursery, sally_and_anne),
    "sally watches": Story(nursery, lambda play: sally_and_anne(play, watches=True)),
    "sally looks": Story(nursery, sally_looks),
    "an onlooker": Story(lambda: nursery("sally", "anne", "max"), an_onlooker),
    "falls in": Story(nursery, falls_in),
    "john peeks": Story(lambda: nursery("mary", "john", depth=2), john_peeks),
    "in the bucket": Story(lambda: desk(depth=2), what_is_in_the_bucket),
    "behind a carton": Story(desk, behind_a_carton),
    "in bins": Story(desk, in_bins),
    "director": Story(shelf, director),
    "points and looks": Story(desk, points_and_looks),
    "face to face": Story(desk, face_to_face),
    "takes along": Story(desk, takes_along),
    "rolls": Story(desk, rolls),
}
