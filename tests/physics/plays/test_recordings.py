"""A recording gives the same every time, and at other rates it ends the same."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import numpy as np
import pytest

from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.values.delta import BeliefDelta
from spatial_reasoner.values.frames import Frame
from tests.physics.plays.rooms import counter
from tests.physics.plays.stories import STORIES, Story, hands_over, lifts
from tests.physics.plays.test_doings import KINDS
from tests.physics.plays.watching import doubled, halved
from tests.plays.conftest import MakeScene, Staged
from tests.plays.play import Play, folded
from tests.plays.replays import lines, replayed
from tests.plays.test_perceiving import jittered
from tests.trials import pairwise

SEVERAL: Final = {
    **{
        name: STORIES[name]
        for name in ("pulled off", "poured", "carried", "behind the back", "foot is taken")
    },
    "looks away": STORIES["looks away"],
    "lifts": Story(lambda: counter("sally"), lambda play: lifts(play, 0.2)),
    "hands over": Story(lambda: counter("sally", "anne"), hands_over),
}
RATES: Final[dict[str, Callable[[list[Frame]], list[Frame]]]] = {"50": doubled, "12.5": halved}
_ENDS: Final = {"isOn", "isIn", "isInHand", "isHolding", "hasFallenFrom", "isCarriedIn", "a"}
"""What a rate is not to change; what is seen may be on the edge of a picture."""


def acted(play: Play, story: Story) -> Play:
    story.act(play)
    return play.end()


@pytest.fixture(scope="module")
def performed(made: MakeScene, sight: CloseUpSight) -> Iterator[Callable[[str], Play]]:
    """The stories by name, each performed once."""
    plays: dict[str, Play] = {}

    def play(name: str) -> Play:
        if name not in plays:
            story = SEVERAL.get(name) or STORIES[name]
            plays[name] = acted(Play(made(story.room()), sight), story)
        return plays[name]

    yield play
    for each in plays.values():
        each.close()


def ends(told: Iterable[BeliefDelta]) -> dict[str, set[str]]:
    """Where all is in each mind, and the actions that it was told of."""
    deltas = list(told)
    found: dict[str, set[str]] = {}
    for model, held in folded(deltas, {}).items():
        words = [fact.split(" ", 2) for fact in held]
        found[model] = {" ".join(e) for e in words if e[1] in _ENDS and e[2] not in KINDS}
    for delta in deltas:
        for fact in delta.add:
            if fact.split(" ")[1] == "a" and fact.split(" ")[2] in KINDS:
                found[delta.model].add(fact)
    return found


@pytest.mark.parametrize("name", SEVERAL)
def test_a_recording_gives_the_same_every_time(
    performed: Callable[[str], Play], sight: CloseUpSight, name: str
) -> None:
    """Two fresh reasoners make the same of the same frames, line for line, times and all."""
    play = performed(name)
    again = replayed(play.recording.scene, play.recording.frames, sight)
    assert lines(again)
    assert lines(again) == lines(play.told)


@pairwise(name=SEVERAL, rate=RATES)
def test_the_rate_of_frames_does_not_change_the_end(
    performed: Callable[[str], Play], sight: CloseUpSight, name: str, rate: str
) -> None:
    """Twice as many frames a second, or half as many: in the end all is believed where it was."""
    play = performed(name)
    told = replayed(play.recording.scene, RATES[rate](play.recording.frames), sight)
    assert ends(delta for _, delta in told) == ends(delta for _, delta in play.told)


@pytest.mark.parametrize("name", STORIES)
def test_noise_does_not_change_the_end(
    performed: Callable[[str], Play], staged: Staged, name: str
) -> None:
    """With percepts that tremble hidden things end on, in and held by what they do without."""
    story = STORIES[name]
    plain, noisy = performed(name), staged(story.room())
    chance = np.random.default_rng(5)
    acted(noisy.shake(lambda pose: jittered(pose, chance)), story)
    for thing in story.hidden:
        assert noisy.where("myself", thing) == plain.where("myself", thing) != set()
