"""Sally and Anne: a false belief of first order (Baron-Cohen, Leslie and Frith, 1985).

Sally believes that the ball is where she put it, because she did not see Anne move it. In the
control she stays and watches, and has no false belief.
"""

from typing import Final

from demos.choreography import Choreography
from demos.story import Belief, Case, Question, Step, Story, holds, lacks

__all__ = ["STORY"]

STAGE: Final = (0, 0, 0.85)
SALLY: Final = (0.4, 1.35, 1.5)
ANNE: Final = (0.4, -1.35, 1.5)
DOOR: Final = (1.8, 3.4, 1.5)
ON_TABLE: Final = (0.3, 0, 0.795)
IN_BASKET: Final = (0, 0.3, 0.856)
OVER_BASKET: Final = (0, 0.3, 1.22)
IN_BOX: Final = (0, -0.3, 0.816)
OVER_BOX: Final = (0, -0.3, 1.22)


def meets(stage: Choreography) -> None:
    stage.put(basket=(0, 0.3, 0.93), box=(0, -0.3, 0.9), ball=ON_TABLE)
    stage.enter("sally", SALLY, STAGE).enter("anne", ANNE, STAGE).wait(1.4)


def puts_it_into_the_basket(stage: Choreography) -> None:
    stage.take("sally", "ball")
    stage.carry("sally", (0.3, 0, 1.22), OVER_BASKET, IN_BASKET)
    stage.let_go("sally", OVER_BASKET).wait(0.8)


def leaves(stage: Choreography) -> None:
    stage.walk("sally", DOOR, seconds=1.6).leave("sally").wait(1.4)


def moves_it_to_the_box(stage: Choreography) -> None:
    stage.take("anne", "ball", OVER_BASKET)
    stage.carry("anne", OVER_BASKET, OVER_BOX, IN_BOX, seconds=2.0)
    stage.let_go("anne", OVER_BOX).wait(1.2)


def returns(stage: Choreography) -> None:
    stage.walk("sally", SALLY, toward=STAGE, seconds=1.6).wait(1.4)


def comes_back(stage: Choreography) -> None:
    stage.enter("sally", DOOR, SALLY)
    returns(stage)


def waits(stage: Choreography) -> None:
    stage.wait(1.6)


def all_hold(fact: str, *models: str) -> tuple[Belief, ...]:
    return tuple(belief for model in models for belief in holds(model, fact))


def asked(sally: str, anne_of_sally: str, *in_basket: str) -> tuple[Question, ...]:
    where = ("ball isIn ?where",)
    return (
        Question("Where is the ball?", "myself", where, ("box",)),
        Question("Where will Sally look for it?", "sally", where, (sally,)),
        Question("Where does Anne think that Sally will look?", "anne.sally", where,
                 (anne_of_sally,)),
        Question("What does Sally expect in the basket?", "sally", ("basket contains ?what",),
                 in_basket),
    )  # fmt: skip


ALL: Final = ("myself", "sally", "anne", "anne.sally")
BEGINNING: Final = (
    Step(
        "They meet",
        "Sally and Anne stand at a table. On it are a basket, a box and a ball.",
        meets,
        all_hold("ball isOn table", *ALL),
    ),
    Step(
        "Into the basket",
        "Sally puts the ball into the basket. Both watch her do so.",
        puts_it_into_the_basket,
        all_hold("ball isIn basket", *ALL),
    ),
)
MAIN: Final = Case(
    "false-belief",
    "Sally is away while Anne moves the ball.",
    (
        *BEGINNING,
        Step(
            "Sally leaves",
            "Sally leaves the room.",
            leaves,
            all_hold("ball isIn basket", *ALL),
        ),
        Step(
            "Into the box",
            "Anne takes the ball out of the basket and puts it into the box. Sally can't see it.",
            moves_it_to_the_box,
            (
                *all_hold("ball isIn box", "myself", "anne"),
                *all_hold("ball isIn basket", "sally", "anne.sally"),
                *lacks("sally", "ball isIn box"),
                *lacks("anne", "ball isIn basket"),
            ),
        ),
        Step(
            "Sally returns",
            "Sally comes back. She wants the ball.",
            comes_back,
            (
                *all_hold("ball isIn box", "myself", "anne"),
                *all_hold("ball isIn basket", "sally", "anne.sally"),
                *lacks("sally", "ball isIn box"),
            ),
            asked("basket", "basket", "ball"),
        ),
    ),
)
CONTROL: Final = Case(
    "watching",
    "Sally stays and watches Anne move the ball, so there is no false belief.",
    (
        *BEGINNING,
        Step(
            "Sally stays",
            "Sally stays where she is.",
            waits,
            all_hold("ball isIn basket", *ALL),
        ),
        Step(
            "Into the box",
            "Anne takes the ball out of the basket and puts it into the box. Sally watches.",
            moves_it_to_the_box,
            (*all_hold("ball isIn box", *ALL), *lacks("sally", "ball isIn basket")),
            asked("box", "box"),
        ),
    ),
)
STORY: Final = Story(
    "sally-anne",
    "Sally and Anne",
    "Sally puts a ball into a basket, and Anne moves it into a box. Did Sally see that, and where "
    "will she look for the ball? An observer without a model of Sally's mind would answer: in the "
    "box. The robot watches the two, and has a model of each mind.",
    "sally-anne.yaml",
    ALL,
    (MAIN, CONTROL),
    ("ball",),
)
