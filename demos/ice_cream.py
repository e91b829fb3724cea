"""The ice-cream van: a false belief of second order (Perner and Wimmer, 1985).

John and Mary both learn that the van went to the church, but Mary does not know that John knows. So
Mary's belief about John's belief is wrong. It is right in both controls: in one John does not see
the van, in the other Mary sees him see it. All of it follows from occlusion by John's house.
"""

from typing import Final

from demos.choreography import Choreography
from demos.story import Belief, Case, Question, Step, Story, holds, lacks

__all__ = ["STORY"]

IN_PARK: Final = (-10, 1, 1.2)
IN_STREET: Final = (0, 1, 1.1)
AT_CHURCH: Final = (10, 1, 1.2)
MARY: Final = (-16.5, -3, 1.6)
JOHN: Final = (-12, 5, 1.7)
CORNER: Final = (-6, 13.5, 1.7)
BEHIND: Final = (0, 13.5, 1.7)
EAST_OF_IT: Final = (4.6, 13.5, 1.7)
WEST_OF_IT: Final = (-6, 7, 1.7)
NORTH: Final = (0, 20, 1.7)


def meet(stage: Choreography) -> None:
    stage.put(van=IN_PARK)
    stage.enter("mary", MARY, (-8, 3, 1.2)).enter("john", JOHN, IN_PARK).wait(1.6)


def john_goes_home(stage: Choreography) -> None:
    stage.walk("john", CORNER, BEHIND, toward=NORTH, seconds=4.0).wait(2.0)


def the_van_leaves(stage: Choreography) -> None:
    stage.look("mary", (0, 1.5, 1.2))
    stage.move("van", IN_STREET, AT_CHURCH, seconds=4.0).wait(1.6)


def john_looks_out_east(stage: Choreography) -> None:
    stage.walk("john", EAST_OF_IT, toward=AT_CHURCH, seconds=2.0).wait(2.0)


def john_comes_back_west(stage: Choreography) -> None:
    stage.walk("john", CORNER, WEST_OF_IT, toward=AT_CHURCH, seconds=4.0).wait(2.0)


def time_passes(stage: Choreography) -> None:
    stage.wait(2.0)


def all_hold(fact: str, *models: str) -> tuple[Belief, ...]:
    return tuple(belief for model in models for belief in holds(model, fact))


def asked(john: str, mary_of_john: str) -> tuple[Question, ...]:
    where = ("van isOn ?where",)
    return (
        Question("Where is the van?", "myself", where, ("churchyard",)),
        Question("Where will John go for his ice-cream?", "john", where, (john,)),
        Question("Where does Mary think that John will go?", "mary.john", where, (mary_of_john,)),
    )


ALL: Final = ("myself", "john", "mary", "mary.john")
PARK: Final = "van isOn park"
CHURCH: Final = "van isOn churchyard"
BEGINNING: Final = (
    Step(
        "In the park",
        "John and Mary are in the park. The ice-cream van is there, too.",
        meet,
        all_hold(PARK, *ALL),
    ),
    Step(
        "John goes home",
        "John has no money with him. He goes home, behind his house, to fetch some.",
        john_goes_home,
        all_hold(PARK, *ALL),
    ),
    Step(
        "The van leaves",
        "The van drives to the church. Mary sees it go; the house keeps John from seeing it.",
        the_van_leaves,
        (
            *all_hold(CHURCH, "myself", "mary"),
            *all_hold(PARK, "john", "mary.john"),
            *lacks("mary", PARK),
            *lacks("john", CHURCH),
        ),
    ),
)
UNSEEN: Final = Case(
    "unseen",
    "John sees the van at the church, and Mary does not see that he does.",
    (
        *BEGINNING,
        Step(
            "John looks out",
            "From behind his house John looks to the east, and there is the van, at the church. "
            "Mary can't see him there.",
            john_looks_out_east,
            (
                *all_hold(CHURCH, "myself", "john", "mary"),
                *holds("mary.john", PARK),
                *lacks("mary.john", CHURCH),
            ),
            asked("churchyard", "park"),
        ),
    ),
)
AT_HOME: Final = Case(
    "at-home",
    "John stays behind his house, so Mary is right about him.",
    (
        *BEGINNING,
        Step(
            "John stays",
            "John stays where he is.",
            time_passes,
            (
                *all_hold(CHURCH, "myself", "mary"),
                *all_hold(PARK, "john", "mary.john"),
                *lacks("john", CHURCH),
            ),
            asked("park", "park"),
        ),
    ),
)
SEEN: Final = Case(
    "seen",
    "John comes back and sees the van, and Mary watches him see it: no false belief.",
    (
        *BEGINNING,
        Step(
            "John comes back",
            "John comes back round his house, and sees the van at the church. Mary sees him look.",
            john_comes_back_west,
            (*all_hold(CHURCH, *ALL), *lacks("mary.john", PARK)),
            asked("churchyard", "churchyard"),
        ),
    ),
)
STORY: Final = Story(
    "ice-cream",
    "The ice-cream van",
    "John and Mary see the ice-cream van in the park. While John is at home it drives to the "
    "church, and Mary sees that. Does John come to know, and does Mary know that he does? Where "
    "does she think that he will go for his ice-cream? To answer, the robot keeps what it thinks "
    "that Mary thinks that John thinks.",
    "ice-cream.yaml",
    ALL,
    (UNSEEN, AT_HOME, SEEN),
    ("van",),
)
