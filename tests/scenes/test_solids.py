"""What bodies are simulated by leaves open what is hollow, and is solid where they are."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from trimesh.convex import convex_hull

from spatial_reasoner.dynamics.masses import mass_of
from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.blocks import blocks
from spatial_reasoner.geometry.compounds import MOST_AT_ONCE, compound
from spatial_reasoner.geometry.poses import apply, compose
from spatial_reasoner.geometry.shapes import (
    Cavity,
    Piece,
    Shape,
    bin_shape,
    box,
    cylinder,
    plane,
    sphere,
)
from spatial_reasoner.geometry.solids import MOST, solid_pieces, solid_volume
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.mechanism import Mechanism
from spatial_reasoner.scene.mesh import read_mesh
from spatial_reasoner.scene.scene import Entity
from spatial_reasoner.scene.urdf import read_urdf
from tests.scenes.meshes import Surface, joined, mug, obj, turned
from tests.trials import law

FILES = Path(__file__).parent / "files"


def read(surface: Surface) -> Shape:
    return read_mesh(obj(surface), "obj", "entities.it.mesh")


def board(low: tuple[float, float, float], high: tuple[float, float, float]) -> Surface:
    made = box(np.subtract(high, low))
    return made.vertices + np.add(low, high) / 2, made.faces


def bowl(radius: float, wall: float) -> Surface:
    """The lower half of a hollow ball."""
    angles = np.linspace(0, np.pi / 2, 12)
    out = [(radius * np.sin(a), radius * (1 - np.cos(a))) for a in angles]
    inner = radius - wall
    hollow = [(inner * np.sin(a), radius - inner * np.cos(a)) for a in angles[::-1]]
    return turned([*out, *hollow], 32)


def can(radius: float, height: float) -> Surface:
    """An open can of no thickness at all."""
    return turned([(0.0, 0.0), (radius, 0.0), (radius, height)], 48)


def torus() -> Surface:
    made = trimesh.creation.torus(0.1, 0.03)
    return np.asarray(made.vertices), np.asarray(made.faces, dtype=np.int32)


_DIAGONALS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 3**0.5
L_SHAPE = joined(board((0, 0, 0), (0.3, 0.1, 0.1)), board((0.2, 0, 0.1), (0.3, 0.1, 0.3)))
TORN = mug()[0], np.delete(mug()[1], range(200, 206), axis=0)
"""A mug whose file lacks some triangles of its side."""
TABLE = joined(
    board((-0.5, -0.3, 0.7), (0.5, 0.3, 0.73)),
    *[board((x, y, 0), (x + 0.05, y + 0.05, 0.7)) for x in (-0.5, 0.45) for y in (-0.3, 0.25)],
)


def depth(pieces: tuple[Piece, ...], points: Floats) -> Floats:
    """How deep points are in the piece that they are the deepest in; negative outside of all."""
    deepest: Floats = np.max([_depth(piece, points) for piece in pieces], axis=0)
    return deepest


def _depth(piece: Piece, points: Floats) -> Floats:
    if piece.kind == "box":
        within: Floats = np.min(piece.size - np.abs(points - piece.centre), axis=1)
        return within
    found = convex_hull(piece.corners)
    planes = np.einsum("fi,fi->f", found.face_normals, found.triangles[:, 0])
    least: Floats = np.min(planes - points @ found.face_normals.T, axis=1)
    return least


def inside(surface: Surface, points: Floats) -> Flags:
    """Whether points are inside a closed surface: it is all around them."""
    corners = surface[0][surface[1]]
    found = np.zeros(len(points))
    for k, point in enumerate(points):
        a, b, c = np.moveaxis(corners - point, 1, 0)
        la, lb, lc = (np.linalg.norm(each, axis=1) for each in (a, b, c))
        top = np.einsum("ij,ij->i", a, np.cross(b, c))
        low = la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
        found[k] = np.abs(np.arctan2(top, low).sum()) / (2 * np.pi)
    return found > 0.5


def room_in(cavity: Cavity, rng: np.random.Generator, count: int) -> Floats:
    """Points all over a cavity, but not right on its floor."""
    assert cavity.floor is not None
    points = rng.uniform(cavity.low, cavity.high, (count, 3))
    share = (points - cavity.low) / (cavity.high - cavity.low)
    cells = (share[:, :2] * cavity.floor.shape).astype(int)
    found: Floats = points[points[:, 2] > cavity.floor[cells[:, 0], cells[:, 1]] + 0.003]
    return found


def box_of(pieces: tuple[Piece, ...]) -> tuple[Floats, Floats]:
    corners = np.concatenate([piece.corners for piece in pieces])
    return corners.min(axis=0), corners.max(axis=0)


def holds(shape: Shape) -> None:
    """Asserts that a container's pieces leave its cavity open, and close it all around."""
    cavity, pieces = shape.cavity, solid_pieces(shape)
    assert cavity is not None
    assert {piece.kind for piece in pieces} == {"box"}
    assert len(pieces) <= MOST
    extent = 2 * float(shape.half.max())
    cell, wall = max(0.006, extent / 24), min(0.006, extent / 12)
    rng = np.random.default_rng(5)
    inner = depth(pieces, room_in(cavity, rng, 4_000))
    assert np.mean(inner > 0) < 0.06
    assert inner.max() < max(0.0035, extent / 50)
    low, high = box_of(pieces)
    spare = 0.0005 + wall + (cavity.high[0] - cavity.low[0]) / 64
    assert (low >= shape.centre - shape.half - (spare, spare, 1e-9)).all()
    assert (high <= shape.centre + shape.half + (spare, spare, 1e-9)).all()
    assert high[2] == pytest.approx(cavity.high[2], abs=1e-6)
    assert low[2] == pytest.approx(shape.centre[2] - shape.half[2], abs=1e-6)
    _is_tight(cavity, pieces, 2 * cell + wall)


def _is_tight(cavity: Cavity, pieces: tuple[Piece, ...], within: float) -> None:
    """Asserts that a grain of 2 mm that leaves the middle of a cavity meets a piece in time."""
    middle = (cavity.low + cavity.high) / 2
    reach = float(np.linalg.norm((cavity.high - cavity.low)[:2] / 2)) + within
    away = np.arange(0, reach, 0.002)[:, None]
    for height in np.linspace(cavity.low[2] + 0.0036, cavity.high[2] - 0.001, 4):
        for angle in 0.1 + np.linspace(0, 2 * np.pi, 12, endpoint=False):
            start = np.array([middle[0], middle[1], height])
            met = depth(pieces, start + away * (np.cos(angle), np.sin(angle), 0.0)) > -0.001
            assert met.any(), (height, angle)
    floors = [piece.centre[2] + piece.size[2] for piece in pieces
              if (np.abs(middle - piece.centre) <= piece.size + 1e-9)[:2].all()]  # fmt: skip
    assert max(floors) - cavity.low[2] == pytest.approx(0.0, abs=0.0036)


def test_simple_shapes_are_the_pieces_they_are_made_of() -> None:
    """A box, a ball, a cylinder, a bin and the ground are simulated as they are."""
    bin_ = bin_shape(np.array([0.3, 0.3, 0.2]), 0.01, 0.01)
    for shape in (box(np.ones(3)), sphere(0.1), cylinder(0.1, 0.2), plane(), bin_):
        assert solid_pieces(shape) is shape.pieces
        assert solid_volume(shape) == shape.volume


def test_what_nearly_fills_its_hull_is_its_hull() -> None:
    """A lump without a hollow is one piece, however its triangles are turned."""
    vertices, faces = turned([(0.0, 0.0), (0.05, 0.02), (0.04, 0.09), (0.0, 0.1)], 32)
    for surface in ((vertices, faces), (vertices, faces[:, ::-1]), (vertices, faces[:-4])):
        shape = read(surface)
        assert solid_pieces(shape) is shape.pieces


@law(15)
@given(
    radius=st.floats(0.02, 0.5),
    tall=st.floats(0.5, 3.0),
    wall=st.floats(0.005, 0.3),
    at=arrays(float, 3, elements=st.floats(-1, 1)),
    is_inside_out=st.booleans(),
)
def test_mugs_of_all_sizes_hold_things(
    radius: float, tall: float, wall: float, at: Floats, is_inside_out: bool
) -> None:
    """A mug stays open down to its floor, wherever its origin is, and tight all around."""
    vertices, faces = mug(32, 1.0, wall)
    vertices = vertices * (radius, radius, radius * tall * 10) + at
    shape = read((vertices, faces[:, ::-1] if is_inside_out else faces))
    if shape.cavity is not None:
        holds(shape)


@pytest.mark.parametrize(
    "surface",
    [
        bowl(0.1, 0.006),
        bowl(0.25, 0.02),
        can(0.04, 0.1),
        can(0.3, 0.4),
        mug(wall=0.0004),
        TORN,
        (lambda made: (made.vertices, made.faces))(
            bin_shape(np.array([0.4, 0.3, 0.2]), 0.02, 0.03)
        ),
        (lambda made: (made.vertices, made.faces))(
            bin_shape(np.array([0.4, 0.3, 0.2]), 0.001, 0.001)
        ),
    ],
    ids=["bowl", "large bowl", "can", "large can", "thin", "torn", "crate", "thin crate"],
)
def test_what_is_hollow_stays_hollow(surface: Surface) -> None:
    """Bowls, crates, and what has thin walls, none, or holes in its file are open and tight."""
    holds(read(surface))


def test_the_mug_of_the_kitchen_is_right_in_volume() -> None:
    """A mug with walls of 5 mm takes up its own room to a fifth, in a few dozen boxes."""
    shape = read_mesh((FILES / "mug.obj").read_bytes(), "obj", "entities.mug.mesh")
    pieces = solid_pieces(shape)
    holds(shape)
    assert len(pieces) < 60
    assert _volume(pieces) == pytest.approx(shape.volume, rel=0.2)


def _volume(pieces: tuple[Piece, ...]) -> float:
    return float(sum(8 * np.prod(piece.size) for piece in pieces))


def test_boards_are_exact() -> None:
    """What is made of boards along the axes is cut where they end: as it is, to a thousandth."""
    crate = bin_shape(np.array([0.4, 0.3, 0.2]), 0.02, 0.03)
    for surface, solid, most in (
        (L_SHAPE, 0.005, 3),
        (TABLE, 0.025, 7),
        ((crate.vertices, crate.faces), crate.volume, 7),
    ):
        shape = read(surface)
        pieces = solid_pieces(shape)
        assert len(pieces) <= most
        assert _volume(pieces) == pytest.approx(solid, rel=0.001)
        low, high = box_of(pieces)
        assert low == pytest.approx(shape.centre - shape.half, abs=1e-6)
        assert high == pytest.approx(shape.centre + shape.half, abs=1e-6)


@pytest.mark.parametrize(
    ("surface", "share"),
    [(TABLE, 0.001), (torus(), 0.1), (mug(), 0.25), (bowl(0.25, 0.04), 0.25)],
    ids=["table", "torus", "mug", "bowl"],
)
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_it_is_solid_where_the_mesh_is(surface: Surface, share: float, turn: int) -> None:
    """What is well within a mesh is solid and what is well outside it isn't, lying or upright."""
    # Well is by a 15th of its extent, as cells are at most. The twin asks of each point, and of
    # some around it, whether the surface is all around.
    vertices = np.roll(surface[0], turn, axis=1)
    shape = read((vertices, surface[1]))
    pieces = solid_pieces(shape)
    assert 1 < len(pieces) <= MOST
    assert _volume(pieces) == pytest.approx(shape.volume, rel=share)
    cell = 2 * float(shape.half.max()) / 15
    rng = np.random.default_rng(3)
    points = shape.centre + rng.uniform(-1.1, 1.1, (60, 3)) * shape.half
    ways = np.concatenate([np.eye(3), -np.eye(3), _DIAGONALS])
    around = np.concatenate([np.zeros((1, 3)), ways / 2, ways]) * cell
    found = inside((vertices, surface[1]), (points[:, None] + around).reshape(-1, 3))
    found = found.reshape(len(points), -1)
    is_in = depth(pieces, points) > 0
    deep, far = found.all(axis=1), ~found.any(axis=1)
    assert far.sum() > 5
    assert is_in[deep].all()
    assert not is_in[far].any()


def test_an_upturned_bucket_covers_what_is_under_it() -> None:
    """What is hollow, but not open upward, is hollow all the same, so it can cover a ball."""
    shape = read((mug()[0] * (1, -1, -1), mug()[1]))
    assert shape.cavity is None
    rng = np.random.default_rng(1)
    points = np.column_stack([rng.uniform(-0.024, 0.024, (500, 2)), rng.uniform(-0.05, 0.03, 500)])
    assert depth(solid_pieces(shape), points).max() < 0
    assert depth(solid_pieces(shape), np.array([[0, 0, 0.047], [0.043, 0, 0]])).min() > 0


def test_alike_meshes_share_their_pieces() -> None:
    """A mesh is taken apart once, whoever read it."""
    one = read(mug())
    assert solid_pieces(one) is solid_pieces(read(mug()))
    assert solid_pieces(one) is not solid_pieces(read(mug(wall=0.006)))


@law(30)
@given(points=arrays(float, (24, 3, 3), elements=st.floats(0, 1).map(lambda x: round(x, 3))))
def test_any_triangles_become_few_pieces_that_stay_near_them(points: Floats) -> None:
    """Of triangles anyhow there are at most so many pieces, and none beyond their box."""
    made = trimesh.Trimesh(*_apart(points), process=False)
    if made.area < 0.5 or np.ptp(made.vertices, axis=0).min() < 0.3:
        return
    shape = read((np.asarray(made.vertices), np.asarray(made.faces, dtype=np.int32)))
    pieces = solid_pieces(shape)
    assert 1 <= len(pieces) <= MOST
    low, high = box_of(pieces)
    assert (low >= shape.centre - shape.half - 0.0061 - 1 / 64).all()
    assert (high <= shape.centre + shape.half + 0.0061 + 1 / 64).all()


def _apart(points: Floats) -> tuple[Floats, Rows]:
    return points.reshape(-1, 3), np.arange(3 * len(points)).reshape(-1, 3)


@settings(deadline=None)
@given(cells=arrays(bool, st.tuples(*[st.integers(1, 6)] * 3)))
def test_blocks_are_the_cells(cells: Flags) -> None:
    """Merged boxes are the cells that they were merged from, none of them twice."""
    found = blocks(cells, 216)
    assert found is not None
    again = np.zeros(cells.shape, dtype=int)
    for i, j, k, a, b, c in found.tolist():
        again[i:a, j:b, k:c] += 1
    assert (again == cells).all()
    if len(found):
        assert blocks(cells, len(found) - 1) is None


# --- bodies of links ---


@cache
def cabinet() -> Mechanism:
    """A cabinet of boards with a drawer that is one mesh, and one on a hinge at its side."""
    return read_urdf((FILES / "cabinet.urdf").read_text(), Folder(FILES), "entities.it.urdf")


@pytest.mark.parametrize("rail", [0.0, 0.12, 0.3])
def test_a_drawer_of_a_mesh_is_open_wherever_it_slides(rail: float) -> None:
    """The pieces of a drawer go along with it, and leave its room to what lies in it."""
    shut, shape = cabinet().shape({}), cabinet().shape({"rail": rail})
    assert shape.cavity is not None
    cavity = shape.cavity
    assert cavity.low[:2] == pytest.approx([-0.1 + rail, -0.15], abs=0.005)
    points = room_in(cavity, np.random.default_rng(2), 5000)
    assert np.mean(depth(solid_pieces(shape), points) > 0.001) < 0.02
    wall = np.array([[0.11 + rail, 0, cavity.low[2] + 0.05], [rail, 0, cavity.low[2] - 0.005]])
    assert (depth(solid_pieces(shape), wall) > 0).all()
    moved = [
        (now.centre - before.centre).round(9).tolist()
        for now, before in zip(solid_pieces(shape), solid_pieces(shut), strict=True)
    ]
    assert {tuple(each) for each in moved} <= {(0, 0, 0), (rail, 0, 0)}


@pytest.mark.parametrize("hinge", [0.0, 0.4, 1.3])
def test_pieces_of_a_link_that_is_turned_are_where_it_is(hinge: float) -> None:
    """A box that is turned with its link is the hull of its corners, exactly."""
    body = cabinet()
    crate = body.tree.links["swing"].visuals[0]
    own = solid_pieces(crate.shape)
    assert len(own) > 4
    pose = compose(body.poses({"hinge": hinge})["swing"], crate.origin)
    wanted = np.array([apply(pose, piece.corners) for piece in own])
    pieces = solid_pieces(body.shape({"hinge": hinge}))
    found = np.array([piece.corners for piece in pieces[-len(own) :]])
    assert found == pytest.approx(wanted, abs=0.002)
    middle = apply(pose, np.array([0.0, 0.0, 0.05]))
    assert depth(pieces, middle[None]).max() < 0


def test_a_body_of_links_has_the_mass_that_they_tell() -> None:
    """The mass of a URDF is that of all its links."""
    assert cabinet().mass == 14
    assert solid_volume(cabinet().shape({})) == pytest.approx(cabinet().shape({}).volume)


# --- for Bullet ---


def test_a_compound_has_an_object_for_each_piece() -> None:
    """The file of a compound has all pieces, each a millimetre smaller, which Bullet adds."""
    pieces = solid_pieces(read(bowl(0.1, 0.006)))
    assert len(pieces) > MOST_AT_ONCE
    found = [
        np.array([line.split()[1:] for line in each.splitlines() if line[0] == "v"], dtype=float)
        for each in compound(pieces).split("o ")[1:]
    ]
    assert len(found) == len(pieces)
    for piece, each in zip(pieces, found, strict=True):
        margin = np.minimum(0.001, piece.size / 2)
        assert np.ptp(each, axis=0) == pytest.approx(2 * (piece.size - margin), abs=1e-8)
        assert each.mean(axis=0) == pytest.approx(piece.centre, abs=1e-8)


def test_all_corners_of_a_hull_are_in_its_compound() -> None:
    """Pieces of any form go in by their corners, each of which some triangle has."""
    pieces = (*cylinder(0.1, 0.2).pieces, *read(mug(wall=0.044)).pieces)
    lines = compound(pieces).splitlines()
    corners = [line for line in lines if line.startswith("v ")]
    used = {int(k) for line in lines if line.startswith("f ") for k in line.split()[1:]}
    assert len(corners) == sum(len(piece.corners) for piece in pieces)
    assert used == set(range(1, len(corners) + 1))


# --- masses ---


def test_what_nobody_weighed_has_a_mass_by_its_solid_part() -> None:
    """A mass that is given counts; else it is that of wood, from 10 g to 50 kg."""
    assert mass_of(Entity("it", "Ball", sphere(0.05), mass=7.0)) == 7
    assert mass_of(Entity("it", "Cube", box(np.full(3, 0.1)))) == pytest.approx(0.3)
    assert mass_of(Entity("it", "Ball", sphere(0.001))) == 0.01
    assert mass_of(Entity("it", "Cube", box(np.ones(3)))) == 50
    shut, torn = (read((vertices * 2, faces)) for vertices, faces in (mug(), TORN))
    assert torn.volume > 3 * shut.volume
    masses = [mass_of(Entity("it", "Mug", shape)) for shape in (shut, torn)]
    assert masses[1] == pytest.approx(masses[0], rel=0.3)
    assert mass_of(Entity("it", "Cabinet", cabinet().shape({}))) < 50
