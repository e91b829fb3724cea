"""Whatever is handed in, the answer is a value or an error of ours that says where."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.errors import FrameError, MeshRefused, SceneError, SpatialError
from spatial_reasoner.percepts.frame_file import read_frame, read_line
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.knowledge import Knowledge
from spatial_reasoner.scene.mesh import read_mesh
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_file import read_scene, scene_of
from spatial_reasoner.scene.scene_text import read_yaml
from spatial_reasoner.scene.urdf import read_urdf
from spatial_reasoner.values.frames import Frame
from tests.scenes.meshes import dae, mug, obj, stl
from tests.trials import law

T = TypeVar("T")
E = TypeVar("E", bound=SpatialError)
FILES = Path(__file__).parent / "files"
WORDS = (
    *("name", "depth", "entities", "agents", "sensors", "ball", "cupboard", "sally", "myself"),
    *("class", "Ball", "Human", "Robot", "shape", "box", "bin", "sphere", "cylinder", "size"),
    *("floor", "wall", "plane", "mesh", "urdf", "pose", "points", "front", "color", "mass"),
    *("head", "fov", "shoulders", "right", "arm_model", "on", "part", "t", "source", "objects"),
    *("unnamed", "joints", "hinge", "cov", "right_hand", "mug.obj", "cupboard.urdf", "../x.obj"),
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(WORDS)
    | st.text(max_size=5)
    | st.lists(st.integers(-2, 2) | st.floats(-2, 2), min_size=2, max_size=7)
)
DATA: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=25,
)


@st.composite
def torn(draw: st.DrawFn, whole: bytes) -> bytes:
    """A file with a part of it left out, said twice, or written over."""
    start = draw(st.integers(0, len(whole)))
    end = draw(st.integers(start, min(len(whole), start + 200)))
    instead = draw(
        st.sampled_from([b"", whole[start:end] * 2, b"nan", b"-1", b"99999", b"\xff\0", b"<a>"])
    )
    return whole[:start] + instead + whole[end:]


def outcome(read: Callable[[], T], wrong: type[E]) -> T | E:
    """What is read, or the error of ours that says why not."""
    try:
        return read()
    except wrong as error:
        return error


@law(300)
@given(document=DATA, entity=DATA, agent=DATA, shape=DATA)
def test_a_scene_is_read_or_refused(
    document: Any, entity: Any, agent: Any, shape: Any, knowledge: Knowledge
) -> None:
    """Any plain data at all is a scene or a scene's error."""
    ball = {"class": "Ball", "shape": shape}
    for each in (document, {"entities": {"it": entity, "ball": ball}}, {"agents": {"it": agent}}):
        found = outcome(partial(scene_of, each, Folder(FILES), knowledge), SceneError)
        assert isinstance(found, Scene) or isinstance(found.detail["where"], str)


@pytest.fixture(scope="module")
def kitchen(knowledge: Knowledge) -> Scene:
    return read_scene(FILES / "kitchen.yaml", knowledge)


@law(300)
@given(document=DATA, said=DATA)
def test_a_frame_is_read_or_refused(document: Any, said: Any, kitchen: Scene) -> None:
    """Any plain data at all is a frame or a frame's error."""
    whole = {"t": 0, "source": "a"}
    for each in (
        document,
        {**whole, "objects": {"cupboard": said}},
        {**whole, "agents": {"sally": said}},
        {**whole, "unnamed": [said, {"shape": said, "pose": said}]},
    ):
        found = outcome(partial(read_frame, each, kitchen), FrameError)
        assert isinstance(found, Frame) or isinstance(found.detail["where"], str)


@law(200)
@given(text=torn((FILES / "kitchen.yaml").read_bytes()) | st.binary(max_size=30))
def test_yaml_is_read_or_refused(text: bytes) -> None:
    """Any text at all is plain data or a scene's error."""
    found = outcome(partial(read_yaml, text.decode("utf-8", "replace")), SceneError)
    assert not isinstance(found, SceneError) or found.message


@law(200)
@given(text=st.text(max_size=40) | st.binary(max_size=40))
def test_a_line_is_read_or_refused(text: str | bytes, kitchen: Scene) -> None:
    """Any line at all is a frame or a frame's error."""
    with pytest.raises(FrameError):
        read_line(text, kitchen)


SMALL = mug(8)


@law(150)
@given(
    content=torn(obj(SMALL)).map(lambda each: (each, "obj"))
    | torn(stl(SMALL)).map(lambda each: (each, "stl"))
    | torn(dae(SMALL)).map(lambda each: (each, "dae"))
)
def test_a_mesh_is_read_or_refused(content: tuple[bytes, str]) -> None:
    """Any bytes at all are a shape that is somewhere, or are refused."""
    found = outcome(partial(read_mesh, *content, "here"), MeshRefused)
    if isinstance(found, MeshRefused):
        assert found.detail["where"] == "here"
        return
    assert 0 < found.half.max() <= 50
    assert found.faces.max() < len(found.vertices)
    assert found.volume > 0


@law(150)
@given(text=torn((FILES / "cupboard.urdf").read_bytes()))
def test_a_urdf_is_read_or_refused(text: bytes) -> None:
    """Any bytes at all are a body that can be shaped, or are refused."""
    found = outcome(partial(read_urdf, text, Folder(FILES), "here"), SceneError)
    if isinstance(found, SceneError):
        assert str(found.detail["where"]).startswith("here")
        return
    assert found.shape({}).volume > 0
