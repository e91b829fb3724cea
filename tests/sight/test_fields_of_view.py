"""The fields of an agent, and the pictures that cover them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.sight.fields_of_view import (
    FOCUS,
    TURNED,
    TURNED_KEPT,
    VIEW,
    VIEW_KEPT,
    Field,
    Panel,
    bearings,
    eye_fields,
    held,
)
from spatial_reasoner.sight.visibility_ratios import pointed
from spatial_reasoner.values.rendering import PixelRectangle
from tests.trials import law

AGENT = ((1.745, 1.309), (0.35, 0.26), 0.262)

ways = st.tuples(*(st.floats(-1, 1) for _ in range(3))).filter(
    lambda way: np.hypot(*way[:2]) > 0.05
)


def flat(way: np.ndarray, fov: tuple[float, float]) -> bool:
    """Whether a way is in a flat picture, plainly."""
    x, y, z = way
    return bool(x > 0 and abs(y) <= x * np.tan(fov[0] / 2) and abs(z) <= x * np.tan(fov[1] / 2))


def turned(way: np.ndarray, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * way[0] + s * way[1], c * way[1] - s * way[0], way[2]])


@law(200)
@given(way=ways, fov=st.tuples(st.floats(0.1, 2.5), st.floats(0.1, 2.0)), turn=st.floats(0, 1.0))
def test_a_swept_field_is_all_that_a_turning_head_sees(
    way: tuple[float, float, float], fov: tuple[float, float], turn: float
) -> None:
    """What is in the field of some turn of the head is in the swept field, and nothing else."""
    vector = np.array(way)
    some = any(flat(turned(vector, a), fov) for a in np.linspace(-turn, turn, 401))
    smaller = Field.of(fov, max(turn - 0.006, 0.0)).inside(*bearings(0.999 * vector[None]))
    if some:
        assert Field.of((fov[0] + 1e-6, fov[1] + 1e-6), turn).inside(*bearings(vector[None]))[0]
    elif turn:
        assert not smaller[0] or flat_almost(vector, fov, turn)


def flat_almost(way: np.ndarray, fov: tuple[float, float], turn: float) -> bool:
    """Whether a field wider by a hair has it: turns are tried in steps."""
    wider = fov[0] + 0.01, fov[1] + 0.01
    return any(flat(turned(way, a), wider) for a in np.linspace(-turn, turn, 401))


def test_fields_lie_within_each_other() -> None:
    """Attention is within view, view within what turning sees, each within its kept one."""
    one = eye_fields(*AGENT, 0.06, 160)
    [panel] = one.panels
    inside = panel.member[:, panel.kinds] > 0
    for smaller, larger in (
        (FOCUS, VIEW),
        (VIEW, TURNED),
        (VIEW, VIEW_KEPT),
        (TURNED, TURNED_KEPT),
    ):
        assert (inside[larger] | ~inside[smaller]).all()
    assert one.points[FOCUS] < one.points[VIEW] < one.points[TURNED] < one.points[TURNED_KEPT]


@pytest.mark.parametrize("wide", [0.3, 1.745, 2.4, 3.1, 4.0, 6.28])
def test_panels_cover_the_widest_field(wide: float) -> None:
    """Each way in the widest field is in one panel's picture."""
    one = eye_fields((wide, 1.309), (0.35, 0.26), 0.2, 0.06, 80)
    azimuth, elevation = np.meshgrid(np.linspace(-np.pi, np.pi, 301), np.linspace(-1.3, 1.3, 101))
    inside = one.fields[TURNED_KEPT].inside(azimuth, elevation)
    shown = np.zeros(inside.shape, dtype=bool)
    for panel in one.panels:
        turn = azimuth - panel.yaw
        ahead = np.cos(turn) > 0
        rise = np.tan(elevation) / np.where(ahead, np.cos(turn), 1.0)
        fits = np.abs(np.tan(turn)) <= np.tan(panel.fov[0] / 2) + 1e-9
        shown |= ahead & fits & (np.abs(rise) <= np.tan(panel.fov[1] / 2) + 1e-6)
    assert (shown | ~inside).all()
    assert len(one.panels) <= 3


def test_pictures_are_no_larger_than_needed() -> None:
    """A person's widened picture is as fine as 160 points across 100°, and not much larger."""
    [panel] = eye_fields(*AGENT, 0.061, 160).panels
    assert (panel.width, panel.height) == (341, 189)


def counted(panel: Panel, picture: np.ndarray, rows: int) -> np.ndarray:
    found = np.zeros((6, rows))
    panel.count(picture, PixelRectangle(0, 0, panel.width, panel.height), found)
    return found


def test_a_panel_counts_by_field() -> None:
    """Counting a picture of one row gives the sizes of the fields."""
    one = eye_fields(*AGENT, 0.06, 160)
    [panel] = one.panels
    picture = np.full((panel.height, panel.width), 2, dtype=np.int32)
    counts = counted(panel, picture, 4)
    assert (counts[:, 2] == one.points).all()
    assert not counts[:, [0, 1, 3]].any()
    assert not counted(panel, np.full_like(picture, -1), 4).any()


def test_a_panel_counts_any_picture() -> None:
    """Counting runs of points is as counting one point after the other."""
    one = eye_fields(*AGENT, 0.06, 80)
    [panel] = one.panels
    numbers = np.random.default_rng(2).integers(-1, 3, panel.width * panel.height // 4 + 1)
    picture = np.repeat(numbers, 4)[: panel.width * panel.height].astype(np.int32)
    counts = counted(panel, picture.reshape(panel.height, panel.width), 3)
    plainly = [panel.among(picture == row) for row in range(3)]
    assert (counts == np.array(plainly).T).all()


def test_vectors_are_in_the_fields_that_their_angles_are_in() -> None:
    """`pointed` says of vectors what `held` says of their azimuth and elevation."""
    ways = np.random.default_rng(3).normal(size=(2000, 3))
    for fov in ((1.745, 1.309), (4.5, 1.2)):
        for half, sweep, tall in eye_fields(fov, (0.35, 0.26), 0.3, 0.06, 80).extents.T:
            by_angle = held(np.array([half, sweep, tall]), *bearings(ways))
            edges = np.cos(half), np.cos(sweep), np.sin(sweep), tall
            assert [pointed(x, y, z, *edges) for x, y, z in ways] == by_angle.tolist()


def test_many_fields_at_once_are_as_one_by_one() -> None:
    """`held` says of six fields what each says of itself."""
    one = eye_fields((4.5, 1.2), (0.35, 0.26), 0.3, 0.06, 80)
    azimuth, elevation = np.random.default_rng(1).uniform(-3, 3, (2, 500)) * [[1], [0.5]]
    together = held(one.extents[..., None], azimuth, elevation, 0.1, 0.05)
    apart = [field.inside(azimuth, elevation, 0.1, 0.05) for field in one.fields]
    assert (together == np.array(apart)).all()
