"""How things and agents look: JSON of what they are, small, and where their poses say."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.shapes import Shape, bin_shape, box, cylinder, plane, sphere
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.mechanism import Mechanism
from spatial_reasoner.scene.mesh import read_mesh
from spatial_reasoner.scene.scene import Agent, Entity
from spatial_reasoner.scene.urdf import read_urdf
from spatial_reasoner.values.appearance import agent_look, shape_look, thing_look
from tests.scenes.meshes import Surface, divided, mug, stl

FILES = Path(__file__).parent / "files"


def form(shape: Shape) -> Any:
    """The look of a shape, as it is read from JSON."""
    return json.loads(json.dumps(shape_look(shape)))


def read(surface: Surface) -> Shape:
    return read_mesh(stl(surface), "stl", "entities.it.mesh")


def volume_of(mesh: Any) -> float:
    vertices: Floats = np.array(mesh["vertices"])
    a, b, c = np.moveaxis(vertices[np.array(mesh["faces"])], 1, 0)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


@pytest.mark.parametrize(
    ("shape", "found"),
    [
        (sphere(0.045), {"sphere": 0.045}),
        (box(np.array([0.1, 0.2, 0.3])), {"box": [0.1, 0.2, 0.3]}),
        (cylinder(0.04, 0.1), {"cylinder": [0.04, 0.1]}),
        (plane(), {"plane": True}),
        (
            bin_shape(np.array([0.285, 0.375, 0.36]), 0.06, 0.02),
            {"bin": {"size": [0.285, 0.375, 0.36], "floor": 0.06, "wall": 0.02}},
        ),
    ],
)
def test_a_simple_shape_looks_as_the_scene_says_it(shape: Shape, found: object) -> None:
    """A shape is told in the words that a scene has for it."""
    assert form(shape) == found


def test_a_mesh_is_told_finely_but_never_at_any_length() -> None:
    """A mesh of tens of thousands of triangles has four thousand at most, and looks the same."""
    fine = divided(mug(), 3)
    assert len(fine[1]) > 20_000
    mesh = form(read(fine))["mesh"]
    assert 400 < len(mesh["faces"]) <= 4000
    assert max(max(face) for face in mesh["faces"]) == len(mesh["vertices"]) - 1
    assert volume_of(mesh) == pytest.approx(volume_of(form(read(mug()))["mesh"]), rel=0.05)
    assert len(json.dumps(mesh)) < 200_000


def test_a_mesh_is_rounded_to_what_shows() -> None:
    """Corners of a mug have tenths of its millimetres and less, and none is moved by more."""
    shape = read(mug())
    corners = np.array(form(shape)["mesh"]["vertices"])
    assert np.abs(corners - corners.round(6)).max() < 1e-12
    low, high = corners.min(axis=0), corners.max(axis=0)
    assert (high - low) / 2 == pytest.approx(shape.half, abs=2e-5)


def test_an_open_mesh_is_told_from_both_sides() -> None:
    """Of what is not closed each triangle is there both ways, and no more of them in all."""
    vertices, faces = divided(mug(), 1)
    shown = form(read((vertices, faces[300:])))["mesh"]["faces"]
    assert 400 < len(shown) <= 4000
    there = {tuple(np.roll(face, -int(np.argmin(face))).tolist()) for face in shown}
    assert {(a, c, b) for a, b, c in there} == there
    closed = form(read(mug()))["mesh"]["faces"]
    assert len({frozenset(face) for face in closed}) == len(closed)


@pytest.fixture(scope="module")
def cupboard() -> Mechanism:
    """A cupboard with a hinged door, and a drawer with a knob."""
    return read_urdf((FILES / "cupboard.urdf").read_text(), Folder(FILES), "entities.it.urdf")


def test_what_has_joints_shows_as_they_stand(cupboard: Mechanism) -> None:
    """Each shape of each link is a part, where the joints have it; only what they move moves."""
    entity = Entity("it", "Cupboard", cupboard.shape({}), articulated=cupboard)
    shut = thing_look(entity)["shape"]["parts"]
    wide = thing_look(entity, {"rail": 0.3})["shape"]["parts"]
    assert [each["shape"] for each in shut] == [each["shape"] for each in wide]
    moved = [
        np.subtract(b["pose"], a["pose"]).round(6).tolist()
        for a, b in zip(shut, wide, strict=True)
        if a != b
    ]
    assert 0 < len(moved) < len(shut)
    assert all(each == [0.3, 0, 0, 0, 0, 0, 0] for each in moved)


def test_all_parts_together_are_bounded(tmp_path: Path) -> None:
    """A body of a hundred fine meshes has no more triangles than one of one."""
    (tmp_path / "mug.stl").write_bytes(stl(divided(mug(), 1)))
    shape = '<visual><geometry><mesh filename="mug.stl"/></geometry></visual>'

    def faces(count: int) -> int:
        text = f'<robot name="it"><link name="it">{shape * count}</link></robot>'
        body = read_urdf(text, Folder(tmp_path), "entities.it.urdf")
        look = thing_look(Entity("it", "Rack", body.shape({}), articulated=body))
        parts = look["shape"]["parts"]
        assert len(parts) == count
        return sum(len(each["shape"].get("mesh", {"faces": []})["faces"]) for each in parts)

    assert 400 < faces(1) <= 4000
    assert 400 < faces(20) <= 4000
    assert faces(100) == 0


def test_a_thing_is_told_with_its_colour_and_what_it_is() -> None:
    """Class, colour and whether it moves or is seen through go with the shape."""
    look = thing_look(Entity("it", "Ball", sphere(0.1), color=(1, 0.5, 0), transparent=True))
    assert look == {
        "kind": "thing",
        "class": "Ball",
        "shape": {"sphere": 0.1},
        "color": [1.0, 0.5, 0.0],
        "static": False,
        "transparent": True,
    }


def test_an_agent_is_told_with_the_names_of_its_parts() -> None:
    """The poses of an agent's parts go by the names that its look says."""
    look = agent_look(Agent("sally", "Human", fov=(1.7, 1.3)))
    assert (look["kind"], look["class"]) == ("agent", "Human")
    assert (look["owner"], look["fov"]) == ("sally", [1.7, 1.3])
    assert look["parts"]["head"] == "sally_head"
    assert look["parts"]["right_hand"] == "sally_right_hand"
    assert len(look["parts"]) == 5
