"""Which renderer is taken: by name, or by what can be had, with a line that says so."""

import os
import subprocess
import sys

import numpy as np
import pytest

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.errors import NoRenderer
from spatial_reasoner.sight import gl_sight
from spatial_reasoner.sight.gl_sight import GlSight
from spatial_reasoner.sight.renderers import chosen_sight
from tests.sight.places import ball, block, bowl, looking, scenery, view


@pytest.fixture
def no_gl(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which the library can't be loaded."""
    monkeypatch.setattr(gl_sight, "_EGL", {"backend": "egl", "libegl": "libEGL-that-is-not.so"})


@pytest.mark.parametrize("name", ["tiny", "rays"])
def test_by_name(name: str, bullet: Bullet) -> None:
    """The renderer that was asked for is taken, and one line says which."""
    lines: list[str] = []
    sight = chosen_sight(name, lines.append, bullet)
    assert sight.name == name
    assert lines == [f"sight: {name}"]


def test_auto_takes_opengl(gl: GlSight) -> None:
    """Where OpenGL can be had it is taken, and the line names what draws."""
    lines: list[str] = []
    sight = chosen_sight("auto", lines.append)
    sight.close()
    assert sight.name == "gl"
    assert lines == [f"sight: OpenGL on {gl.renderer}"]


@pytest.mark.usefixtures("no_gl")
def test_auto_takes_the_other_where_opengl_is_missing(bullet: Bullet) -> None:
    """Without OpenGL TinyRenderer is taken, and one line says why and what to install."""
    lines: list[str] = []
    assert chosen_sight("auto", lines.append, bullet).name == "tiny"
    [line] = lines
    assert "TinyRenderer" in line
    assert "libegl1 libgl1-mesa-dri" in line
    assert "\n" not in line


@pytest.mark.usefixtures("no_gl")
def test_opengl_that_is_missing_is_an_error_when_asked_for() -> None:
    """Who asks for OpenGL by name, where there is none, is told what to install."""
    with pytest.raises(NoRenderer, match="apt install libegl1 libgl1-mesa-dri"):
        chosen_sight("gl", print)


def test_an_unknown_name() -> None:
    """A name that no renderer has is an error that names those there are."""
    with pytest.raises(NoRenderer, match="'glass'; choose one of auto, gl, tiny, rays"):
        chosen_sight("glass", print)


def test_two_of_them_side_by_side(gl: GlSight) -> None:
    """Each draws what it is asked to, also after another was made, used or closed."""
    there, eye = (
        scenery(ball(0.3, 2, 0, 0), block((0.2, 0.2, 1), 1, 0.3, 0)),
        view(looking((1, 0, 0))),
    )
    first = gl.render(eye, there)
    other = GlSight()
    assert np.array_equal(gl.render(eye, there), first)
    assert np.array_equal(other.render(eye, there), first)
    assert np.array_equal(gl.render(eye, there), first)
    other.close()
    assert np.array_equal(gl.render(eye, there), first)


def test_a_door_that_swings_for_ever(gl: GlSight) -> None:
    """After thousands of different shapes the picture is right, and few are kept."""
    eye = view(looking((1, 0, 0)), width=40, height=30)
    for k in range(600):
        picture = gl.render(eye, scenery(bowl(0.2 + k * 1e-5, 2, 0, 0, rings=4, sides=6)))
    assert (picture == 0).any()
    assert len(gl._kinds) < 200


def test_mesa_draws_in_our_own_thread(gl: GlSight) -> None:
    """Making OpenGL starts no threads to draw with: Mesa is told to use the caller's."""
    assert gl.name == "gl"
    program = (
        "import os\n"
        "from spatial_reasoner.sight.gl_sight import GlSight\n"
        "GlSight()\n"
        "print(os.environ['LP_NUM_THREADS'], len(os.listdir('/proc/self/task')))\n"
    )
    surroundings = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    surroundings.pop("LP_NUM_THREADS", None)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, env=surroundings
    )
    threads, tasks = done.stdout.split()
    assert threads == b"0"
    assert int(tasks) <= 4
