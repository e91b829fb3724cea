"""What is shown of a scene: all of it at first, then what comes, bends, or is recognised."""

from collections.abc import Mapping
from pathlib import Path

from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import sphere
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.scene import Entity, Scene
from spatial_reasoner.scene.urdf import read_urdf
from spatial_reasoner.tick.appearance_changes import AppearanceChanges
from spatial_reasoner.values.delta import Look
from spatial_reasoner.values.roster import Roster
from tests.worlds.scenes import scene

FILES = Path(__file__).parent.parent / "scenes" / "files"


def with_cupboard() -> Scene:
    room = scene()
    body = read_urdf((FILES / "cupboard.urdf").read_text(), Folder(FILES), "entities.it.urdf")
    cupboard = Entity("cupboard", "Cupboard", body.shape({}), articulated=body)
    return Scene("room", {**room.entities, "cupboard": cupboard}, room.agents, {})


class Shown:
    """The robot's world in a room, and what is shown of it."""

    def __init__(self, room: Scene) -> None:
        self.roster = Roster(room)
        self.world = World("myself", self.roster)
        self.appearance_changes = AppearanceChanges(self.roster, self.world)

    def changed(self) -> Mapping[str, Look | None]:
        """What a tick in which nothing else happens has changed."""
        self.appearance_changes.begin()
        self.appearance_changes.update()
        return self.appearance_changes.changed()


def test_all_of_a_scene_is_shown() -> None:
    """Things and agents have a look each, and their parts none of their own."""
    shown = Shown(scene())
    assert {name: look["kind"] for name, look in shown.appearance_changes.looks().items()} == {
        **dict.fromkeys(("table", "ball", "cube"), "thing"),
        **dict.fromkeys(("myself", "sally"), "agent"),
    }
    assert shown.changed() == {}


def test_what_appears_is_shown_until_it_is_recognised() -> None:
    """A thing without a name is shown once it is there, and gone when it is another one."""
    shown = Shown(scene())
    row = shown.roster.add(Entity("unnamed_1", "Artifact", sphere(0.1)))
    look = shown.changed()["unnamed_1"]
    assert look is not None
    assert look["shape"] == {"sphere": 0.1}
    assert shown.changed() == {}
    shown.appearance_changes.begin()
    shown.appearance_changes.forget([row])
    shown.appearance_changes.update()
    assert shown.appearance_changes.changed() == {"unnamed_1": None}
    assert "unnamed_1" not in shown.appearance_changes.looks()
    assert shown.changed() == {}


def test_what_has_joints_is_shown_anew_when_they_move() -> None:
    """A door that is opened is shown open, and only while it moves told again."""
    shown = Shown(with_cupboard())
    row = shown.roster.row["cupboard"]
    shut = shown.appearance_changes.looks()["cupboard"]
    shown.world.put(row, pose_of([0, 0, 0]))
    shown.world.bend(row, {"rail": 0.2})
    assert list(shown.changed()) == ["cupboard"]
    assert shown.appearance_changes.looks()["cupboard"] != shut
    shown.world.bend(row, {"rail": 0.2})
    assert shown.changed() == {}
