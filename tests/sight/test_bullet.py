"""The door to Bullet: what it keeps out, what rays meet, and that it is silent and gives back."""

import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.errors import MeshRefused
from spatial_reasoner.geometry.poses import IDENTITY
from spatial_reasoner.geometry.shapes import Shape, box
from spatial_reasoner.values.rendering import NOTHING, Eye
from tests.sight.places import ball, block, bowl, ground, looking, pole, scenery, tub, turned_about

MESH = bowl(0.2)[0]


def test_rays_meet_what_is_first() -> None:
    """A ray tells the row that it meets first, and where; one that meets none tells so."""
    there = scenery(block((1, 1, 1), 3, 0, 0), ball(0.5, 6, 0, 0), pole(0.5, 1, 0, 4, 0))
    with Bullet() as bullet:
        bullet.arrange(there)
        starts = [[0, 0, 0], [10, 0, 0], [0, 0, 0], [0, 0, 0]]
        ends = [[10, 0, 0], [0, 0, 0], [0, 10, 0], [0, 0, 5]]
        rows, shares = bullet.rays(starts, ends)
        assert rows.tolist() == [0, 1, 2, NOTHING]
        assert shares.tolist() == pytest.approx([0.25, 0.35, 0.35, 1.0])
        rows, shares = bullet.rays(starts[:1], ends[:1], [1, 2])
        assert rows.tolist() == [1]
        assert bullet.rays(starts[:1], ends[:1])[0].tolist() == [0]


def test_more_rays_than_bullet_takes_at_once() -> None:
    """A hundred thousand rays come back, each with its answer."""
    ends = np.zeros((100_000, 3))
    ends[:, 0] = np.where(np.arange(100_000) % 3 == 0, 5.0, -5.0)
    with Bullet() as bullet:
        bullet.arrange(scenery(block((1, 1, 1), 3, 0, 0)))
        rows, shares = bullet.rays(np.zeros((100_000, 3)), ends)
        assert len(rows) == len(shares) == 100_000
        assert ((rows == 0) == (ends[:, 0] > 0)).all()


def test_no_rays() -> None:
    """None asked, none answered."""
    with Bullet() as bullet:
        rows, shares = bullet.rays(np.zeros((0, 3)), np.zeros((0, 3)))
        assert (len(rows), len(shares)) == (0, 0)


def test_containers_stay_open() -> None:
    """A ray goes down into a bin and into a bowl as far as the floor, which a hull would close."""
    there = scenery(tub((0.4, 0.4, 0.4), 0, 0, 0), bowl(0.2, 2, 0, 0))
    with Bullet() as bullet:
        bullet.arrange(there)
        rows, shares = bullet.rays([[0, 0, 1], [2, 0, 1]], [[0, 0, -1], [2, 0, -1]])
        assert rows.tolist() == [0, 1]
        assert (1 - 2 * shares).tolist() == pytest.approx([-0.19, -0.18], abs=0.005)


def test_a_body_that_is_not_placed_is_not_there() -> None:
    """Only what was placed last is met; what comes back is met again."""
    with Bullet() as bullet:
        there = scenery(block((1, 1, 1), 3, 0, 0), block((1, 1, 1), 6, 0, 0))
        for rows, first in (([0, 1], 0), ([1], 1), ([], NOTHING), ([0], 0)):
            bullet.arrange(replace(there, rows=np.array(rows, dtype=np.intp)))
            assert bullet.rays([[0, 0, 0]], [[9, 0, 0]])[0].tolist() == [first]


def test_a_shape_that_changes_is_made_anew() -> None:
    """A row whose shape changes, as a door's that swings, is met where its new shape is."""
    with Bullet() as bullet:
        bullet.shape(0, box(np.array([1.0, 1, 1])))
        bullet.place([0], [IDENTITY])
        bullet.shape(0, box(np.array([4.0, 1, 1])))
        bullet.place([0], [IDENTITY])
        assert bullet.rays([[10, 0, 0]], [[0, 0, 0]])[1].tolist() == pytest.approx([0.8])


def test_what_is_made_again_and_again_is_given_back() -> None:
    """A door that swings for ever does not fill the memory, and what else is there stays."""
    with Bullet() as bullet:
        bullet.shape(1, box(np.ones(3)))
        for k in range(1200):
            bullet.shape(0, box(np.array([1.0, 1, 1 + k / 1e4])))
        assert bullet.generation == 2
        bullet.place([1], [IDENTITY])
        assert bullet.rays([[10, 0, 0]], [[0, 0, 0]])[0].tolist() == [1]


def test_equal_shapes_drawn_after_others_are_drawn_right() -> None:
    """A second body of a shape is drawn like the first, whatever was made in between."""
    ball_, pose = ball(0.2, 2, 0, 0)
    there = scenery((ball_, pose), bowl(0.1, 2, 1, 0), (ball_, (2, -1, 0)))
    with Bullet() as bullet:
        bullet.arrange(there)
        picture = bullet.picture(Eye(IDENTITY, (1.5, 1.2)))
        # The one aside is farther, and a flat picture stretches it.
        assert (picture == 2).sum() == pytest.approx(1.118 * (picture == 0).sum(), rel=0.05)


@pytest.mark.parametrize("change", [
    {"faces": np.array([[0, 1, 999_999]], dtype=np.int32)},
    {"faces": np.array([[0, 1, -5]], dtype=np.int32)},
    {"faces": np.zeros((0, 3), dtype=np.int32)},
    {"vertices": np.full((300, 3), np.nan)},
    {"vertices": np.full((300, 3), np.inf)},
    {"vertices": np.full((300, 3), 1e6)},
    {"vertices": np.zeros((200_000, 3))},
])  # fmt: skip
def test_meshes_that_crash_bullet_are_refused(change: dict[str, Any]) -> None:
    """Indices out of range, NaN and too many vertices never reach Bullet; the rest stays."""
    wrong: Shape = replace(MESH, key=("wrong",), **change)
    with Bullet() as bullet:
        bullet.shape(0, MESH)
        for row in (0, 1):
            with pytest.raises(MeshRefused):
                bullet.shape(row, wrong)
        bullet.place([0], [IDENTITY])
        assert bullet.rays([[0, 0, 1]], [[0, 0, -1]])[0].tolist() == [0]


@pytest.mark.parametrize("size", [(0, 1, 1), (-1, 1, 1), (np.nan, 1, 1), (1, 1, 1e20)])
def test_boxes_without_extent_are_refused(size: tuple[float, float, float]) -> None:
    """A box has extents that are positive, finite and of this world."""
    with Bullet() as bullet, pytest.raises(MeshRefused):
        bullet.shape(0, box(np.array(size)))


@pytest.mark.parametrize("pose", [
    [np.nan, 0, 0, 0, 0, 0, 1], [np.inf, 0, 0, 0, 0, 0, 1], [1e30, 0, 0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, np.nan, 0, 0, 1], [0, 0, 0, 0, 0, 2, 2],
])  # fmt: skip
def test_poses_that_are_none_are_refused(pose: list[float]) -> None:
    """A pose that isn't finite, or no rotation, is an error, and nothing moves."""
    with Bullet() as bullet:
        bullet.arrange(scenery(block((1, 1, 1), 3, 0, 0)))
        with pytest.raises(ValueError, match="pose"):
            bullet.place([0], [pose])
        assert bullet.rays([[0, 0, 0]], [[9, 0, 0]])[0].tolist() == [0]


@pytest.mark.parametrize(("starts", "ends"), [
    ([[np.nan, 0, 0]], [[0, 0, 0]]), ([[0, 0, 0]], [[np.inf, 0, 0]]),
    ([[0, 0, 0]], [[0, 0, 0], [1, 0, 0]]),
])  # fmt: skip
def test_rays_that_are_none_are_refused(starts: list[list[float]], ends: list[list[float]]) -> None:
    """A ray starts and ends somewhere, and has one end."""
    with Bullet() as bullet, pytest.raises(ValueError, match="rays"):
        bullet.rays(starts, ends)


@pytest.mark.parametrize("size", [(0, 10), (10, -1), (20_000, 20_000)])
def test_pictures_too_large_are_refused(size: tuple[int, int]) -> None:
    """A picture of no points, or of so many that Bullet would end the process, is refused."""
    with Bullet() as bullet, pytest.raises(ValueError, match="picture"):
        bullet.picture(Eye(IDENTITY, (1, 1), *size))


@pytest.mark.parametrize("fov", [(0.0, 1.0), (1.0, 3.2), (-1.0, 1.0), (float("nan"), 1.0)])
def test_pictures_of_no_field_are_refused(fov: tuple[float, float]) -> None:
    """A flat picture has a field between nothing and half of all."""
    with Bullet() as bullet, pytest.raises(ValueError, match="field"):
        bullet.picture(Eye(IDENTITY, fov))


@pytest.mark.parametrize("roll", [0.0, np.pi / 2, -np.pi / 2, np.pi, 1.0])
def test_what_is_not_there_is_not_drawn_for_ever(roll: float) -> None:
    """However a head is rolled, what is not there is out of its picture, and soon."""
    there = scenery(block((1, 1, 1), 3, 0, 0), block((1, 1, 1), 6, 0, 0), ball(0.5, 2, 0, 0))
    eyes = [looking((1, 0, 0), roll=roll), looking((0, 0, 1)), looking((0, 0, -1), roll=roll)]
    with Bullet() as bullet:
        bullet.arrange(there)
        bullet.arrange(replace(there, rows=there.rows[:1]))
        shown = [set(np.unique(bullet.picture(Eye(eye, (1.7, 1.3), 40, 30)))) for eye in eyes]
        assert shown == [{NOTHING, 0}, {NOTHING}, {NOTHING}]
        assert bullet.rays([[0, 0, 0]], [[9, 0, 0]])[0].tolist() == [0]


def test_nearest_points() -> None:
    """Two boxes tell how far apart they are, and where; too far, nothing; overlapping, less."""
    with Bullet() as bullet:
        bullet.arrange(scenery(block((1, 1, 1), 0, 0, 0), block((1, 1, 1), 2, 0, 0)))
        found = bullet.nearest(0, 1, 1.5)
        assert found is not None
        assert found.distance == pytest.approx(1.0, abs=1e-3)
        assert (found.on_one[0], found.on_other[0]) == pytest.approx((0.5, 1.5), abs=1e-3)
        assert bullet.nearest(0, 1, 0.5) is None
        bullet.place([0, 1], np.array([IDENTITY, [0.9, 0, 0, 0, 0, 0, 1]]))
        overlap = bullet.nearest(0, 1, 0.5)
        assert overlap is not None
        assert overlap.distance == pytest.approx(-0.1, abs=1e-3)


def test_a_box_is_where_it_is_turned_to() -> None:
    """Turned by 45° about the vertical a cube reaches √2 as far."""
    with Bullet() as bullet:
        bullet.arrange(scenery(block((1, 1, 1), 0, 0, 0, *turned_about(2, np.pi / 4)), ground(-3)))
        rows, shares = bullet.rays([[5, 0, 0], [5, 0, 0]], [[0, 0, 0], [5, 0, -5]])
        assert rows.tolist() == [0, 1]
        assert shares.tolist() == pytest.approx([1 - np.sqrt(0.5) / 5, 0.6], abs=1e-4)


def test_unknown_rows_and_twice_closed() -> None:
    """A row without a body is a KeyError; closing twice does no harm."""
    bullet = Bullet()
    with pytest.raises(KeyError):
        bullet.place([3], [IDENTITY])
    with pytest.raises(KeyError):
        bullet.body(3)
    bullet.close()
    bullet.close()


def test_nothing_is_printed() -> None:
    """Importing, making, failing and closing print nothing: facts are written on the same line."""
    program = (
        "import numpy as np\n"
        "from spatial_reasoner.dynamics.bullet import Bullet\n"
        "from spatial_reasoner.errors import MeshRefused\n"
        "from spatial_reasoner.values.rendering import Eye\n"
        "from tests.sight.places import scenery, bowl, tub, block\n"
        "with Bullet() as bullet:\n"
        "    bullet.arrange(scenery(bowl(0.2, 1, 0, 0), tub((1, 1, 1), 3, 0, 0)))\n"
        "    bullet.picture(Eye(np.array([0, 0, 0, 0, 0, 0, 1.0]), (1, 1)))\n"
        "    for k in range(600):\n"
        "        bullet.shape(7, block((1, 1, 1 + k / 1e4))[0])\n"
        "    try:\n"
        "        bullet.shape(8, block((0, 1, 1))[0])\n"
        "    except MeshRefused:\n"
        "        pass\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
