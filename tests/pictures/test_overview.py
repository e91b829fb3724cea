"""What is in a picture: colour for what is seen, grey for what is not, ghosts, and names."""

from contextlib import closing
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from spatial_reasoner.errors import NoRenderer
from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import box
from spatial_reasoner.pictures.overview import Overview, Painter
from spatial_reasoner.pictures.palette import GHOST, SKY
from spatial_reasoner.scene.scene import Agent, Scene
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.renderers import RENDERERS
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.frames import Frame, Unnamed
from tests.pictures.rooms import CUBE, MOVED, Room, look, share, shown

_RED = np.array(GHOST, dtype=float)
_MINDS = ("myself", "sally")


def reds(name: str) -> list[float]:
    """How much of what Sally and the robot see is the cube, by a renderer; none where it can't."""
    try:
        sight: CloseUpSight = RENDERERS[name](None)
    except NoRenderer:
        return []
    room = Room(sight, width=480)
    sheet = room.wait(0.1).sheet()
    room.reasons.close()
    sight.close()
    return [share(shown(sheet, model, "eyes")[1], room.colour("cube")) for model in _MINDS]


def names(sheet: Overview, model: str, kind: str) -> list[str]:
    place, _ = shown(sheet, model, kind)
    return [label.text for label in sheet.names[place]]


def test_what_an_agent_sees_has_its_colour(room: Room) -> None:
    """Sally and the robot see the cube, and it shows in its colour to both."""
    sheet = room.wait(0.5).sheet()
    for model in _MINDS:
        _, points = shown(sheet, model, "eyes")
        assert share(points, room.colour("cube")) > 0.001
        assert "cube" in names(sheet, model, "eyes")


def test_what_is_hidden_does_not_show(room: Room) -> None:
    """The marble behind the wall shows to the robot and not to Sally, who can't know of it."""
    sheet = room.wait(0.5).sheet()
    assert share(shown(sheet, "myself", "eyes")[1], room.colour("marble")) > 0.001
    for kind in ("eyes", "above"):
        assert share(shown(sheet, "sally", kind)[1], room.colour("marble")) == 0
        assert "marble" not in names(sheet, "sally", kind)


def test_every_renderer_shows_the_same() -> None:
    """Whichever renderer draws, the cube is in its colour in as large a part of the panels."""
    found = [shares for name in RENDERERS if (shares := reds(name))]
    assert len(found) >= 2
    assert min(found[0]) > 0.001
    for shares in found[1:]:
        assert shares == pytest.approx(found[0], rel=0.1)


def test_what_is_not_seen_is_grey_from_above(room: Room) -> None:
    """The lamp, where nobody looks, is neutral in the robot's world; the cube next to it is not."""
    sheet = room.wait(0.5).sheet()
    place, points = shown(sheet, "myself", "above")
    [label] = [one for one in sheet.names[place] if one.text == "lamp"]
    around = points[_near(label.box, place.box)]
    neutral = (np.ptp(around, axis=-1) < 1) & (around.mean(axis=-1) < 215)
    assert neutral.mean() > 0.02
    assert share(points, room.colour("lamp")) < 1e-4
    assert share(points, room.colour("cube")) > 0.0005


def _near(box: tuple[int, ...], panel: tuple[int, ...]) -> tuple[slice, slice]:
    """The points of a panel around a box of the sheet."""
    left, top = max(box[0] - panel[0] - 30, 0), max(box[1] - panel[1] - 30, 0)
    return slice(top, box[3] - panel[1] + 30), slice(left, box[2] - panel[0] + 30)


def test_outside_the_field_of_view_all_is_grey(room: Room) -> None:
    """The margin of what an agent sees is neutral where no name is, the middle is not."""
    _, points = shown(room.wait(0.5).sheet(), "sally", "eyes")
    edge = np.concatenate([points[2:6].reshape(-1, 3), points[:, -6:-2].reshape(-1, 3)])
    assert np.ptp(edge, axis=-1).max() < 2
    assert (np.ptp(points[100:200, 100:200], axis=-1) > 5).mean() > 0.9


def test_who_is_away_sees_nothing_and_all_it_believes_is_grey(room: Room) -> None:
    """Two seconds after Sally left her eyes show nothing, and her world is grey."""
    sheet = room.wait(0.5).wait(2.0, sally=False).sheet()
    assert names(sheet, "sally", "eyes") == []
    assert "cube" in names(sheet, "sally", "above")
    _, points = shown(sheet, "sally", "above")
    assert share(points, room.colour("cube")) == 0


def test_a_false_belief_is_a_ghost(room: Room) -> None:
    """The cube that was moved while Sally was away has a red outline in her world, and says so."""
    sheet = room.wait(0.5).wait(2.0, sally=False).wait(1.0, sally=False, cube=MOVED).sheet()
    assert "cube: not here" in names(sheet, "sally", "above")
    assert "cube" not in names(sheet, "sally", "above")
    assert share(shown(sheet, "sally", "above")[1], _RED) > 0.0002
    assert share(shown(sheet, "myself", "above")[1], _RED) == 0


def test_the_ghost_is_gone_once_the_belief_is_right(room: Room) -> None:
    """When Sally is back and sees the cube where it is, there is no ghost."""
    room.wait(0.5).wait(2.0, sally=False).wait(1.0, sally=False, cube=MOVED)
    sheet = room.wait(1.0, cube=MOVED).sheet()
    assert "cube" in names(sheet, "sally", "above")
    assert share(shown(sheet, "sally", "above")[1], _RED) == 0


def test_what_lies_under_something_is_outlined(room: Room) -> None:
    """A cube under the table does not show from above, and its name is there all the same."""
    sheet = room.wait(0.5, cube=(0.3, 0.3, 0.08)).sheet()
    assert "cube" in names(sheet, "myself", "above")
    assert share(shown(sheet, "myself", "above")[1], room.colour("cube")) == 0


def test_one_sees_through_glass(room: Room) -> None:
    """A cube behind a pane keeps its name, the pane has one too, and both colours mix."""
    clear = room.wait(0.5).sheet()
    sheet = room.wait(0.5, pane=(0.8, 0.4, 0.5)).sheet()
    assert {"cube", "pane"} <= set(names(sheet, "sally", "eyes"))
    before, after = (shown(one, "sally", "eyes")[1] for one in (clear, sheet))
    was_red = before @ np.array([1.0, -1.0, -1.0]) > 60
    assert (after[was_red][:, 2] - before[was_red][:, 2]).mean() > 20


def test_each_name_takes_its_own_place(room: Room) -> None:
    """In a room that is not crowded no name lies on another one, and each lies in its panel."""
    sheet = room.wait(0.5, crate=(0.5, -0.4, 0.3)).sheet()
    for place, labels in sheet.names.items():
        assert len({label.text for label in labels}) == len(labels)
        for one, other in combinations(labels, 2):
            a, b = one.box, other.box
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        for label in labels:
            assert place.box[0] <= label.box[0]
            assert place.box[1] <= label.box[1]
            assert label.box[2] <= place.box[2]
            assert label.box[3] <= place.box[3]


def test_what_has_no_name_is_pictured_as_well(room: Room) -> None:
    """A thing that nobody could name is drawn from when it is perceived, under the name it got."""
    room.wait(0.2)
    hidden = Unnamed(box(np.array([0.2, 0.2, 0.2])), pose_of([0.4, -0.1, 0.3]))
    room.reasons.tick(replace(room.frame(), unnamed=(hidden,)))
    [name] = [one for one in names(room.sheet(), "sally", "eyes") if one.startswith("unnamed")]
    assert name in names(room.sheet(), "myself", "above")


def test_an_empty_room_can_be_pictured(sight: CloseUpSight) -> None:
    """With nothing but a robot there are a head from above and a sky before its eyes."""
    robot = Agent("myself", "Robot", head=look((0, 0, 1), (1, 0, 1)))
    nothing = Scene("empty", {}, {"myself": robot}, {})
    with closing(SpatialReasoner(nothing, sight)) as reasons:
        reasons.tick(Frame(0.0, "eye"))
        sheet = Painter(sight, "", ["myself"], 500).sheet(reasons)
    assert names(sheet, "myself", "above") == ["myself"]
    _, points = shown(sheet, "myself", "eyes")
    assert share(points, np.array(SKY, dtype=float)) > 0.7


def test_the_same_moment_is_the_same_picture(sight: CloseUpSight) -> None:
    """Two runs of the same frames draw the same picture, to the last bit."""
    pictures = []
    for _ in range(2):
        room = Room(sight, width=640)
        pictures.append(room.wait(0.5).sheet().image.tobytes())
        room.reasons.close()
    assert pictures[0] == pictures[1]


def test_a_picture_changes_nothing(sight: CloseUpSight) -> None:
    """A reasoner that is pictured tells the same as one that is not."""
    told = []
    for is_drawn in (False, True):
        room = Room(sight, width=640)
        deltas = []
        for is_there, place in ((True, CUBE), (True, CUBE), (False, MOVED), (False, MOVED)):
            deltas += room.reasons.tick(room.frame(is_there, cube=place))
            if is_drawn:
                room.sheet()
        told.append(deltas)
        room.reasons.close()
    assert told[0] == told[1] != []
