"""Fixtures of the tests of sight: the renderers, each made once."""

from collections.abc import Iterator
from functools import cache

import pytest

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.errors import NoRenderer
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.gl_sight import GlSight
from spatial_reasoner.sight.ray_sight import RaySight
from spatial_reasoner.sight.tiny_sight import TinySight
from spatial_reasoner.sight.visibility import Visibility
from spatial_reasoner.tolerances.tolerances import Tolerances


@cache
def _gl() -> GlSight | str:
    """OpenGL, or why there is none."""
    try:
        return GlSight()
    except NoRenderer as error:
        return error.message


@pytest.fixture(scope="session")
def gl() -> GlSight:
    """The OpenGL renderer; without OpenGL its tests are skipped with the reason."""
    made = _gl()
    if isinstance(made, str):
        pytest.skip(made)
    return made


@pytest.fixture(scope="session")
def bullet() -> Iterator[Bullet]:
    """One Bullet for all that need one."""
    with Bullet() as made:
        yield made


@pytest.fixture(params=["gl", "tiny", "rays"])
def sight(request: pytest.FixtureRequest, bullet: Bullet) -> CloseUpSight:
    """Each renderer in turn."""
    if request.param == "gl":
        made: GlSight = request.getfixturevalue("gl")
        return made
    return TinySight(bullet) if request.param == "tiny" else RaySight(bullet)


@pytest.fixture
def visibility(sight: CloseUpSight) -> Visibility:
    """Visibility by each renderer in turn."""
    return Visibility(sight, Tolerances())
