"""Bodies with joints are read from URDF, move as they should, and can't do harm."""

from pathlib import Path

import numpy as np
import pytest

from spatial_reasoner.errors import MeshRefused, PathRefused, SceneError
from spatial_reasoner.geometry.poses import apply, rotations
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.mechanism import Mechanism
from spatial_reasoner.scene.scene import Articulated
from spatial_reasoner.scene.urdf import read_urdf

FILES = Path(__file__).parent / "files"
WHERE = "entities.it.urdf"


@pytest.fixture(scope="module")
def cupboard() -> Mechanism:
    """A cupboard with a hinged door, and a drawer with a knob."""
    return read_urdf((FILES / "cupboard.urdf").read_text(), Folder(FILES), WHERE)


def read(inside: str, folder: Folder | None = None) -> Mechanism:
    return read_urdf(f'<robot name="it">{inside}</robot>', folder, WHERE)


def link(name: str, geometry: str = '<box size="1 1 1"/>') -> str:
    shape = f"<visual><geometry>{geometry}</geometry></visual>" if geometry else ""
    return f'<link name="{name}">{shape}</link>'


def joint(name: str, parent: str, child: str, kind: str = "fixed", inside: str = "") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{inside}</joint>'


LIMIT = '<limit lower="-1" upper="1"/>'


def test_the_joints_that_move_have_limits(cupboard: Mechanism) -> None:
    """The joints are those that move by themselves, each with its least and its most."""
    body: Articulated = cupboard
    assert dict(body.joints) == {"hinge": (0, 1.9), "rail": (0, 0.3)}


def test_the_tree_is_there_for_physics(cupboard: Mechanism) -> None:
    """Links, joints, axes of length one, shapes and inertia are values of their own."""
    tree = cupboard.tree
    assert (tree.name, tree.root) == ("cupboard", "body")
    assert list(tree.joints) == ["hinge", "rail", "screws"]
    assert tree.joints["rail"].axis.tolist() == [1, 0, 0]
    assert len(tree.links["body"].visuals) == 5
    inertial = tree.links["body"].inertial
    assert inertial is not None
    assert inertial.mass == 12
    assert inertial.inertia.tolist() == np.eye(3).tolist()
    assert tree.links["handle"].collisions[0].shape.kind == "sphere"


def test_a_door_swings(cupboard: Mechanism) -> None:
    """A revolute joint turns what hangs on it about its axis, where its origin is."""
    free = cupboard.poses({"hinge": np.pi / 2})["door"]
    assert apply(free, np.array([0.0, 0.58, 0])) == pytest.approx([0.79, -0.29, 0.22])
    shut = cupboard.shape({})
    wide = cupboard.shape({"hinge": np.pi / 2})
    assert shut.centre[0] + shut.half[0] == pytest.approx(0.23)
    assert wide.centre[0] + wide.half[0] == pytest.approx(0.79, abs=1e-3)
    assert len(wide.faces) == len(shut.faces)


def test_a_drawer_slides_and_takes_its_room_along(cupboard: Mechanism) -> None:
    """A prismatic joint shifts what hangs on it, screwed parts and cavity included."""
    shut, wide = cupboard.shape({}), cupboard.shape({"rail": 0.3})
    assert shut.cavity is not None
    assert wide.cavity is not None
    assert shut.cavity.low == pytest.approx([-0.13, -0.25, 0.52], abs=0.01)
    assert wide.cavity.low - shut.cavity.low == pytest.approx([0.3, 0, 0])
    knobs = [[p for p in shape.pieces if p.kind == "sphere"] for shape in (shut, wide)]
    assert knobs[1][0].centre - knobs[0][0].centre == pytest.approx([0.3, 0, 0])


def test_joints_are_kept_within_their_limits(cupboard: Mechanism) -> None:
    """A value beyond a limit is the limit, a joint that is not named at zero or nearest to it."""
    assert cupboard.shape({"rail": 9}) is cupboard.shape({"rail": 0.3})
    assert cupboard.shape({"rail": -1}) is cupboard.shape({})
    far = read(link("a") + link("b") + joint("j", "a", "b", "prismatic",
               '<axis xyz="0 0 1"/><limit lower="2" upper="3"/>'))  # fmt: skip
    assert far.shape({}).half[2] * 2 == pytest.approx(3)


def test_alike_positions_are_one_shape(cupboard: Mechanism) -> None:
    """Bodies that stand alike to a thousandth are one shape, and others have another key."""
    assert cupboard.shape({"hinge": 0.5}) is cupboard.shape({"hinge": 0.5002})
    assert cupboard.shape({"hinge": 0.5}).key != cupboard.shape({"hinge": 0.6}).key


def test_solid_and_drawn_are_told_apart(cupboard: Mechanism) -> None:
    """What is drawn are visuals and what is solid collisions, each for want of the other."""
    shape = cupboard.shape({})
    assert sorted({piece.kind for piece in shape.pieces}) == ["box", "sphere"]
    assert len(shape.faces) > 12 * 11
    spheres = [piece for piece in shape.pieces if piece.kind == "sphere"]
    assert [piece.size.tolist() for piece in spheres] == [[0.02]]


def test_turned_pieces_are_where_they_show() -> None:
    """A piece that its kind cannot say how it is turned is the hull of the same corners."""
    turned = '<visual><origin rpy="0.3 0.4 0.5"/><geometry>{}</geometry></visual>'
    body = read(
        '<link name="a">'
        + turned.format('<box size="1 2 3"/>')
        + turned.format('<cylinder radius="1" length="2"/>')
        + '<visual><origin rpy="0 0 1"/><geometry><cylinder radius="1" length="2"/></geometry>'
        + "</visual></link>"
    )
    shape = body.shape({})
    assert [piece.kind for piece in shape.pieces] == ["hull", "hull", "cylinder"]
    corners = np.concatenate([piece.corners for piece in shape.pieces])
    assert corners.max(axis=0) == pytest.approx(shape.vertices.max(axis=0))
    assert shape.volume == pytest.approx(6 + 4 * np.pi)


def test_roll_pitch_and_yaw() -> None:
    """The angles of an origin turn about the fixed axes, x before y before z."""
    text = joint("j", "a", "b", inside='<origin xyz="1 2 3" rpy="0.3 0.4 0.5"/>')
    pose = read(link("a") + link("b") + text).poses({})["b"]
    (sx, sy, sz), (cx, cy, cz) = np.sin([0.3, 0.4, 0.5]), np.cos([0.3, 0.4, 0.5])
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    assert rotations(pose) == pytest.approx(about_z @ about_y @ about_x)
    assert pose[:3].tolist() == [1, 2, 3]


def test_a_follower_follows() -> None:
    """A joint that mimics another one moves with it, and is none of the joints."""
    slide = f'<axis xyz="0 0 1"/>{LIMIT}'
    body = read(
        link("a") + link("b") + link("c")
        + joint("f", "a", "c", "prismatic", slide + '<mimic joint="l" multiplier="-2" offset="1"/>')
        + joint("l", "a", "b", "prismatic", slide)
    )  # fmt: skip
    assert list(body.joints) == ["l"]
    assert body.poses({"l": 0.25})["c"][2] == pytest.approx(0.5)


def test_a_lid_leaves_the_box_its_room() -> None:
    """A container keeps its cavity while a lid on a hinge closes over it."""
    walls = "".join(
        f'<visual><origin xyz="{x} {y} 0.15"/><geometry><box size="{size}"/></geometry></visual>'
        for x, y, size in (
            (0.19, 0, "0.02 0.4 0.3"),
            (-0.19, 0, "0.02 0.4 0.3"),
            (0, 0.19, "0.36 0.02 0.3"),
            (0, -0.19, "0.36 0.02 0.3"),
        )
    )
    floor = '<visual><geometry><box size="0.4 0.4 0.02"/></geometry></visual>'
    lid = link("lid", '<box size="0.4 0.4 0.02"/>')
    hinge = joint(
        "h", "a", "lid", "revolute", '<origin xyz="0 0 0.31"/><axis xyz="0 1 0"/>' + LIMIT
    )
    body = read(f'<link name="a">{floor}{walls}</link>{lid}{hinge}')
    for angle in (0.0, 1.0):
        cavity = body.shape({"h": angle}).cavity
        assert cavity is not None
        assert (cavity.low[2], cavity.high[2]) == pytest.approx((0.01, 0.3))


def test_a_continuous_joint_has_no_limits() -> None:
    """A wheel may be at any angle."""
    body = read(link("a") + link("b") + joint("j", "a", "b", "continuous", '<axis xyz="0 0 1"/>'))
    assert body.joints["j"] == (-np.inf, np.inf)
    assert body.shape({"j": 1e4}).kind == "mesh"


def test_meshes_lie_beside_the_file(tmp_path: Path) -> None:
    """The names of meshes start from the URDF's own folder, and end inside the scene's."""
    (tmp_path / "scene" / "robots").mkdir(parents=True)
    (tmp_path / "scene" / "robots" / "knob.obj").write_bytes(
        (FILES / "meshes" / "knob.obj").read_bytes()
    )
    (tmp_path / "knob.obj").write_text("secret")
    folder = Folder(tmp_path / "scene").beside("robots/it.urdf", WHERE)
    assert read(link("a", '<mesh filename="knob.obj"/>'), folder).shape({}).kind == "mesh"
    for path in ("../../knob.obj", "/etc/x.obj", "package://it/knob.obj", "file:///knob.obj"):
        with pytest.raises(PathRefused) as refused:
            read(link("a", f'<mesh filename="{path}"/>'), folder)
        assert refused.value.detail["where"] == f"{WHERE}.a.mesh"


def test_a_long_line_is_a_line() -> None:
    """A file without line breaks, longer than any reader's buffer, is read."""
    text = "".join(link(f"l{i}") for i in range(100))
    text += "".join(joint(f"j{i}", f"l{i - 1}", f"l{i}") for i in range(1, 100))
    assert len(read(text).tree.links) == 100


TWO = link("a") + link("b")
DEEP = "<x>" * 200 + "</x>" * 200
MISTAKES = [
    ("", "", "has no link"),
    (link("a", ""), "", "no link with a shape"),
    (TWO, "", "has 2 roots, 'a' and 'b'"),
    (TWO + joint("j", "a", "b") + joint("k", "a", "b"), ".b", "one parent"),
    (TWO + joint("j", "a", "b") + joint("k", "b", "a"), "", "has a cycle"),
    (TWO + joint("j", "b", "b"), "", "has a cycle"),
    (TWO + link("r") + joint("j", "a", "b") + joint("k", "b", "a"), "", "has a cycle"),
    (link("a") * 2, ".a", "the name of two links"),
    (TWO + joint("j", "a", "b") * 2, ".j", "the name of two joints"),
    (TWO + joint("j", "a", "c"), ".j", "there is no link 'c'"),
    (TWO + joint("j", "a", "b", "floating"), ".j", "'floating'"),
    (TWO + joint("j", "a", "b", "revolute"), ".j", "has no <limit>"),
    (TWO + joint("j", "a", "b", "revolute", '<limit lower="1" upper="0"/>'), ".j", "lower limit"),
    (TWO + joint("j", "a", "b", "prismatic", '<axis xyz="0 0 0"/>' + LIMIT), ".j", "direction"),
    (TWO + joint("j", "a", "b", "fixed", '<axis xyz="nan 0 0"/>'), ".j.xyz", "not nan"),
    (TWO + joint("j", "a", "b", "fixed", '<origin xyz="1 2"/>'), ".j.xyz", "3 numbers"),
    (TWO + joint("j", "a", "b", "fixed", '<origin rpy="a b c"/>'), ".j.rpy", "3 numbers"),
    (TWO + joint("j", "a", "b", "fixed", '<origin xyz="inf 0 0"/>'), ".j.xyz", "not inf"),
    (TWO + joint("j", "a", "b", "revolute", LIMIT + '<mimic joint="x"/>'), ".j", "does not exist"),
    (TWO + joint("j", "a", "b", "revolute", LIMIT + '<mimic joint="j"/>'), ".j", "by itself"),
    (link("a", '<box size="1 1"/>'), ".a.box.size", "3 numbers"),
    (link("a", '<box size="1 1 -1"/>'), ".a.box[2]", "not -1"),
    (link("a", '<sphere radius="1e9"/>'), ".a.sphere.radius", "from"),
    (link("a", '<cylinder radius="1"/>'), ".a.cylinder.length", "1 numbers"),
    (link("a", '<capsule radius="1"/>'), ".a.capsule", "is not a shape of a URDF"),
    (link("a", '<mesh/>'), ".a.mesh", "without a filename"),
    (link("a", '<mesh filename="x.obj"/>'), ".a.mesh", "no folder"),
    (link("a", '<box size="1 1 1"/><box size="1 1 1"/>'), ".a", "2 shapes"),
    ('<link><visual/></link>', "", "without a name"),
    ('<link name="a"><visual/></link>', ".a", "has no <geometry>"),
    ('<link name="a"><inertial/></link>', ".a.inertial", "has no <mass>"),
    ('<link name="a"><inertial><mass value="-1"/></inertial></link>', ".a.inertial.mass", "less"),
    ("".join(link(f"l{i}", "") for i in range(501)), "", "more than 500 links"),
    (link("a", "") + '<visual><geometry/></visual>' * 2001, "", "more than 2000 shapes"),
    (DEEP, "", "nested too deeply"),
    ("<a/>" * 200_001, "", "too many elements"),
    ("<open>", "", "no plain XML"),
]  # fmt: skip


@pytest.mark.parametrize(("inside", "where", "message"), MISTAKES)
def test_mistakes_are_named_by_their_place(inside: str, where: str, message: str) -> None:
    """Whatever Bullet would crash on, leave out or choke on is an error that says where."""
    with pytest.raises(SceneError) as wrong:
        read(inside)
    assert wrong.value.detail["where"] == WHERE + where
    assert message in wrong.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no plain XML"),
        ("<sdf/>", "is a <sdf>, not a <robot>"),
        ('<!DOCTYPE r [<!ENTITY x "y">]><robot>&x;</robot>', "DOCTYPE"),
        ('<!DOCTYPE r SYSTEM "file:///etc/hostname"><robot/>', "DOCTYPE"),
        ("<robot>&lol;</robot>", "no plain XML"),
        (" " * (5 * 2**20 + 1), "larger than"),
    ],
)
def test_what_is_no_urdf_is_refused(text: str, message: str) -> None:
    """Another document, entities, and what is too large are refused."""
    with pytest.raises(MeshRefused, match=message):
        read_urdf(text, None, WHERE)
    with pytest.raises(MeshRefused, match=message):
        read_urdf(text.encode(), None, WHERE)


def test_other_encodings_hide_nothing() -> None:
    """A DOCTYPE in another encoding is one."""
    text = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE r [<!ENTITY x "y">]><robot>&x;</robot>'
    with pytest.raises(MeshRefused, match="DOCTYPE"):
        read_urdf(text.encode("utf-16"), None, WHERE)
