"""Why a hidden thing is not perceived, as it is told at the end of a play."""

from typing import Final

import pytest

from tests.physics.plays.stories import STORIES
from tests.plays.conftest import Staged
from tests.plays.play import Play

FALLEN: Final = "{} hasFallenFrom {}"
CARRIED: Final = "{} isCarriedIn {}"
OCCLUDED: Final = "{} isOccludedBy {}"
IN_HAND: Final = "{} isHiddenInHandOf {}"
REASONS: Final = {
    "pulled off": FALLEN.format("cup", "table"),
    "stays": OCCLUDED.format("cup", "crate"),
    "slid away": OCCLUDED.format("cup", "crate"),
    "not poured": CARRIED.format("ball", "jar"),
    "carried": OCCLUDED.format("ball", "box"),  # it ends above where it began
    "drawer": OCCLUDED.format("ball", "chest"),
    "behind the back": IN_HAND.format("cup", "sally"),
    "looks away": CARRIED.format("ball", "box"),
}
"""The reason that is told in each play; the others have no reason that is sure."""


def reasons(play: Play, model: str = "myself") -> set[str]:
    """All reasons that a mind gives."""
    words = {each.split()[1] for each in (FALLEN, CARRIED, OCCLUDED, IN_HAND)}
    return {fact for fact in play.facts[model] if fact.split()[1] in words}


@pytest.mark.parametrize("name", REASONS)
def test_a_hidden_thing_has_its_reason(staged: Staged, name: str) -> None:
    """It is told why a thing is not perceived, and of one thing one reason only."""
    story = STORIES[name]
    play = staged(story.room())
    story.act(play)
    about = {fact for fact in reasons(play) if fact.split()[0] in story.hidden}
    assert about == {REASONS[name]}


@pytest.mark.parametrize("name", ["pulled off", "carried"])
def test_what_is_perceived_again_needs_no_reason(staged: Staged, name: str) -> None:
    """Once a thing is perceived again nothing explains why it isn't."""
    story = STORIES[name]
    play = staged(story.room())
    story.act(play)
    (thing,) = story.hidden
    placed = play.reasoner.placed("myself")[thing].pose
    assert placed is not None
    play.see(**{thing: placed}).wait(0.6)
    assert not {fact for fact in reasons(play) if fact.split()[0] == thing}
