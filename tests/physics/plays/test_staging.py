"""The plays are sound: what is hidden could not be perceived, wherever physics takes it."""

import pytest

from spatial_reasoner.sight.close_ups import CloseUpSight
from tests.physics.plays.stories import STORIES
from tests.physics.plays.twin import points_seen, truth_of
from tests.plays.conftest import Staged

_ON_A_TRACKED_HAND = {"behind the back", "jar is taken"}
"""The twin knows no hands."""
_DRAGGED = {"drawer"}
"""In the twin a drawer has no speed, and drags nothing along; it does push."""
_NEAR = 0.1
"""Metres: nobody can tell where in a box a ball rolls when it is carried about."""


@pytest.mark.parametrize("name", STORIES)
def test_what_is_hidden_does_not_show(staged: Staged, sight: CloseUpSight, name: str) -> None:
    """The robot can't see hidden things at the end, where they are or where it believes them."""
    story = STORIES[name]
    play = staged(story.room())
    story.act(play)
    truth = truth_of(play.recording, story.hidden)
    for thing in story.hidden:
        assert any(thing in frame.objects for frame in play.recording.frames)
        assert thing not in play.recording.frames[-1].objects
        assert points_seen(truth, thing, sight) == 0 or name in _ON_A_TRACKED_HAND
        assert not play.holds("myself", f"myself sees {thing}")


@pytest.mark.parametrize("name", sorted(STORIES.keys() - _ON_A_TRACKED_HAND - _DRAGGED))
def test_what_is_believed_is_so(staged: Staged, name: str) -> None:
    """What is hidden is believed to be where plain physics has it, with all loose all the time."""
    story = STORIES[name]
    play = staged(story.room())
    story.act(play)
    truth = truth_of(play.recording, story.hidden)
    placed = play.reasoner.placed("myself")
    for thing in story.hidden:
        believed = placed[thing].pose
        assert believed is not None, thing
        assert believed[:3] == pytest.approx(truth.poses[thing][:3], abs=_NEAR), thing
