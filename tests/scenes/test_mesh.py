"""Meshes of each kind become the same small, checked shape; what is broken is refused."""

import numpy as np
import pytest

from spatial_reasoner.errors import MeshRefused, PathRefused, SceneError
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.proxies import farthest, proxy
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.scene.mesh import read_mesh
from tests.scenes.meshes import Surface, dae, divided, joined, mug, obj, stl, turned

WHERE = "entities.mug.mesh"
UNIT = '<unit name="centimeter" meter="0.01"/>'
VOLUME = 0.5 * 64 * np.sin(2 * np.pi / 64) * (0.045**2 * 0.1 - 0.04**2 * 0.094)
BALL = turned([(0.1 * np.sin(a), -0.1 * np.cos(a)) for a in np.linspace(0, np.pi, 33)], 48)


def read(surface: Surface) -> Shape:
    return read_mesh(stl(surface), "stl", WHERE)


def directed(shape: Shape) -> float:
    """The volume that the triangles of a shape go round, positive if they look outward."""
    a, b, c = np.moveaxis(shape.vertices[shape.faces], 1, 0)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (obj(mug()), "obj"),
        (obj(mug(), "mtllib ../../secret.mtl\nusemtl a\no mug\ns 1"), "obj"),
        (stl(mug()), "stl"),
        (dae(mug()), "dae"),
        (dae((mug()[0] * 100, mug()[1]), UNIT), "dae"),
        (dae(mug(), up="Y"), "dae"),
    ],
)
def test_a_mug_is_a_mug_in_every_kind_of_file(content: bytes, kind: str) -> None:
    """Size, place, volume and cavity of a mesh are those of the thing, whatever the file."""
    shape = read_mesh(content, kind, WHERE)
    assert shape.kind == "mesh"
    assert shape.half == pytest.approx([0.045, 0.045, 0.05], abs=1e-6)
    assert shape.centre == pytest.approx([0, 0, 0], abs=1e-6)
    assert shape.volume == pytest.approx(VOLUME, rel=1e-4)
    assert shape.radius == pytest.approx(np.hypot(0.045, 0.05), rel=1e-4)
    assert directed(shape) == pytest.approx(VOLUME, rel=0.02)
    assert [piece.kind for piece in shape.pieces] == ["hull"]
    assert shape.cavity is not None
    assert shape.cavity.high[2] == pytest.approx(0.05)


def test_the_frame_of_a_mesh_is_that_of_its_file() -> None:
    """A mesh that is modelled beside its origin stays beside it."""
    shape = read((mug()[0] + (1, 2, 3), mug()[1]))
    assert shape.centre == pytest.approx([1, 2, 3], abs=1e-6)
    assert shape.pieces[0].centre == pytest.approx([1, 2, 3], abs=1e-6)
    assert shape.corners.min(axis=0) == pytest.approx([0.955, 1.955, 2.95], abs=1e-6)


def test_a_mesh_can_be_scaled_and_mirrored() -> None:
    """A scale applies to the file's own axes, and a mirrored mesh still has its outside outside."""
    shape = read_mesh(obj(mug()), "obj", WHERE, (2, 2, -1))
    assert shape.half == pytest.approx([0.09, 0.09, 0.05], abs=1e-6)
    assert directed(shape) > 0
    assert shape.cavity is None


def test_alike_contents_are_one_shape() -> None:
    """The key of a mesh is its content's and its scale's, so that pictures can be shared."""
    one, same = (read_mesh(obj(mug()), "obj", where) for where in ("a", "b"))
    assert one is same
    assert hash(one.key) is not None
    assert read_mesh(obj(mug()), "obj", WHERE, (1, 1, 2)).key != one.key
    assert read_mesh(obj(mug(), "# other"), "obj", WHERE).key != one.key


@pytest.mark.parametrize("surface", [BALL, divided(mug(), 3), divided(BALL, 1)])
def test_a_dense_mesh_is_drawn_with_few_triangles(surface: Surface) -> None:
    """Of the finest mesh a small one is drawn that is as large, and that is not closed up."""
    shape = read(surface)
    assert len(shape.faces) <= 800
    assert len(shape.corners) <= 260
    extents = np.ptp(surface[0], axis=0)
    assert np.abs(np.ptp(shape.vertices, axis=0) - extents).max() < 0.05 * extents.max()
    assert directed(shape) == pytest.approx(shape.volume, rel=0.1)


def test_decimation_that_did_not_happen_is_made_up_for() -> None:
    """A finely divided flat surface, on which quadric decimation stops early, gets small too."""
    vertices, faces = divided(mug(64), 4)
    points, few = proxy(vertices, faces, 400)
    assert len(faces) > 60_000
    assert len(few) <= 800
    assert np.ptp(points[np.unique(few)], axis=0) == pytest.approx([0.09, 0.09, 0.1], abs=0.004)


def test_decimation_is_the_same_every_time() -> None:
    """The same mesh gives the same triangles, so that a replay is a replay."""
    one, two = (proxy(*divided(mug(), 2), 400) for _ in range(2))
    assert np.array_equal(one[0], two[0])
    assert np.array_equal(one[1], two[1])


def test_dust_becomes_its_hull() -> None:
    """Triangles that hang together nowhere end as the hull of them all."""
    ball = BALL[0][:200]
    corners = ball[:, None] + np.array([(0, 0, 0), (1e-3, 0, 0), (0, 1e-3, 0)])
    faces = np.arange(600, dtype=np.int32).reshape(-1, 3)
    points, few = proxy(corners.reshape(-1, 3), faces, 50)
    assert len(few) <= 100
    assert np.abs(points).max() < 0.11


def test_the_farthest_points_are_points_of_the_thing() -> None:
    """Of many points those farthest out are kept as they are, along each axis above all."""
    cloud = np.random.default_rng(1).normal(size=(5000, 3))
    kept = farthest(cloud, 100)
    assert len(kept) <= 106
    assert {*map(tuple, kept.tolist())} <= {*map(tuple, cloud.tolist())}
    assert np.array_equal(kept.min(axis=0), cloud.min(axis=0))
    assert np.array_equal(kept.max(axis=0), cloud.max(axis=0))


def test_what_is_open_is_drawn_from_both_sides() -> None:
    """A surface without an inside has each triangle twice, and its hull's volume."""
    sheet = turned([(0.0, 0.0), (0.05, 0.0), (0.05, 0.1)], 32)
    shape = read(sheet)
    assert directed(shape) == pytest.approx(0, abs=1e-9)
    assert shape.volume == pytest.approx(0.5 * 32 * np.sin(np.pi / 16) * 0.05**2 * 0.1, rel=1e-3)
    assert shape.cavity is not None


def test_what_is_inside_out_is_turned() -> None:
    """A closed surface whose triangles all look inward is drawn from outside all the same."""
    assert directed(read((mug()[0], mug()[1][:, ::-1]))) == pytest.approx(VOLUME, rel=0.02)


TETRA = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
SIDES = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
ENDLESS = '<node id="a"><instance_node url="#a"/></node>'
BOMB = '<node id="n0"><instance_geometry url="#it"/></node>' + "".join(
    f'<node id="n{i}">' + f'<instance_node url="#n{i - 1}"/>' * 8 + "</node>" for i in range(1, 20)
)


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        (b"", "obj", "less than four triangles"),
        (b"", "stl", "less than four triangles"),
        (b"garbage " * 50, "obj", "less than four triangles"),
        (bytes(80) + (10**9).to_bytes(4, "little") + b"123", "stl", "less than four triangles"),
        (stl(mug())[:150], "stl", "less than four triangles"),
        (TETRA.encode() + b"f 1 2 3\n" * 3, "obj", "less than four triangles"),
        ((TETRA + "f 1 2 99\n" + SIDES).encode(), "obj", "has a vertex that does not exist"),
        ((TETRA + "f 1 0/2 3\n" + SIDES).encode(), "obj", "has vertex 0, and the first is 1"),
        ((TETRA + "f -9 2 3\n" + SIDES).encode(), "obj", "has a vertex that does not exist"),
        ((TETRA.replace("v 1", "v nan") + SIDES).encode(), "obj", "not finite"),
        ((TETRA.replace("v 1", "v inf") + SIDES).encode(), "obj", "not finite"),
        ((TETRA.replace("v 1", "v 1e300") + SIDES).encode(), "obj", "not finite"),
        ((TETRA.replace("v 1", "v 120") + SIDES).encode(), "obj", "is 120 × 1 × 1 m"),
        ((TETRA.replace("0 0 1\n", "1 1 0\n") + SIDES).encode(), "obj", "is 1 × 1 × 0 m"),
        (b"<COLLADA><a></COLLADA>", "dae", "no plain XML"),
        (b"<COLLADA/>", "dae", "can't be read as dae"),
        (b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]>' + dae(mug())[21:], "dae",
         "DOCTYPE"),
        (dae(mug(), '<unit meter="nan"/>'), "dae", "units of 'nan' m"),
        (dae(mug(), '<unit meter="0"/>'), "dae", "units of '0' m"),
        (dae(mug(), nodes=ENDLESS, scene='<instance_node url="#a"/>'), "dae", "more instances"),
        (dae(mug(), nodes=BOMB, scene='<instance_node url="#n19"/>'), "dae", "more instances"),
        (obj(mug()), "ply", "an unsupported kind"),
        (obj(mug()), "", "an unsupported kind"),
    ],
)  # fmt: skip
def test_broken_meshes_are_refused(content: bytes, kind: str, message: str) -> None:
    """What is empty, cut off, endless, infinite or no mesh is an error that names the field."""
    with pytest.raises(MeshRefused, match=message) as refused:
        read_mesh(content, kind, WHERE)
    assert refused.value.detail["where"] == WHERE


def test_errors_of_scenes_are_one_family() -> None:
    """Whoever catches a scene's errors catches those of its files."""
    assert issubclass(MeshRefused, SceneError)
    assert issubclass(PathRefused, SceneError)


def noisy() -> Surface:
    rough: Floats = np.random.default_rng(2).normal(0, 2e-4, mug()[0].shape)
    return divided((mug()[0] + rough, mug()[1]), 2)


def test_a_scanned_mug_still_holds() -> None:
    """A surface with the roughness of a scan has the cavity of the smooth one, nearly."""
    cavity = read(joined(noisy())).cavity
    assert cavity is not None
    assert cavity.high - cavity.low == pytest.approx([0.08, 0.08, 0.094], abs=0.004)
