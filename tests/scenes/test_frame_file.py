"""Frames are read as the contract writes them, named where they are wrong, and written exactly."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.errors import FrameError
from spatial_reasoner.percepts.frame_file import read_frame, read_line, written
from spatial_reasoner.scene.knowledge import Knowledge
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_file import read_scene
from spatial_reasoner.values.frames import Frame
from tests.trials import law

FILES = Path(__file__).parent / "files"
EYE = np.eye(6).tolist()
TINY = {"sphere": 0.02}


@pytest.fixture(scope="session")
def scene(knowledge: Knowledge) -> Scene:
    """A kitchen with a cupboard that has joints, and two people."""
    return read_scene(FILES / "kitchen.yaml", knowledge)


def frame(**fields: object) -> dict[str, object]:
    return {"t": 1.5, "source": "kinect", **fields}


def line(read: Frame) -> str:
    return json.dumps(written(read), sort_keys=True)


def test_a_frame_is_what_it_says(scene: Scene) -> None:
    """Objects, joints, covariances, unnamed things and parts of agents are all taken over."""
    said = {"pose": [0, 0, 0], "joints": {"hinge": 0.3}, "cov": EYE}
    read = read_frame(
        frame(
            objects={"ball": [0.1, 0, 0.8], "cupboard": said},
            unnamed=[{"shape": {"box": [0.05, 0.05, 0.05]}, "pose": [1, 2, 3]}],
            agents={"sally": {"head": [0, 0, 1], "right_elbow": [0, 0, 1, 0, 0, 1, 0]}},
        ),
        scene,
    )
    assert (read.t, read.source) == (1.5, "kinect")
    assert read.objects["ball"].pose.tolist() == [0.1, 0, 0.8, 0, 0, 0, 1]
    assert read.objects["ball"].cov is None
    assert read.objects["cupboard"].joints == {"hinge": 0.3}
    assert read.objects["cupboard"].cov is not None
    assert read.objects["cupboard"].cov.tolist() == EYE
    assert read.unnamed[0].shape.half == pytest.approx([0.025] * 3)
    assert read.unnamed[0].pose[:3].tolist() == [1, 2, 3]
    assert read.agents["sally"]["right_elbow"].tolist() == [0, 0, 1, 0, 0, 1, 0]


def test_a_frame_may_be_empty(scene: Scene) -> None:
    """That nothing was perceived is worth saying, and an unknown source may say it."""
    read = read_frame({"t": -1, "source": "some/other sensor"}, scene)
    assert (read.t, read.objects, read.unnamed, read.agents) == (-1.0, {}, (), {})
    assert written(read) == {"t": -1.0, "source": "some/other sensor"}


def test_what_is_read_is_frozen(scene: Scene) -> None:
    """The arrays of a frame can't be changed."""
    read = read_frame(frame(objects={"ball": {"pose": [1, 2, 3], "cov": EYE}}), scene)
    cov = read.objects["ball"].cov
    assert cov is not None
    assert not cov.flags.writeable
    assert not read.objects["ball"].pose.flags.writeable


def test_a_quaternion_gets_length_one(scene: Scene) -> None:
    """What is nearly of length one is made so, and what is not at all is refused."""
    read = read_frame(frame(objects={"ball": [0, 0, 0, 0, 0.28, 0, 0.96]}), scene)
    assert read.objects["ball"].pose[3:] == pytest.approx([0, 0.28, 0, 0.96])
    read = read_frame(frame(objects={"ball": [0, 0, 0, 0, 0, 0, 1.7]}), scene)
    assert read.objects["ball"].pose[6] == 1


def test_a_covariance_may_be_flat(scene: Scene) -> None:
    """Thirty-six numbers are six rows of six."""
    flat = np.diag([1e-6, 1e-6, 1e-6, 1e-4, 1e-4, 0]).reshape(-1).tolist()
    read = read_frame(frame(objects={"ball": {"pose": [0, 0, 0], "cov": flat}}), scene)
    assert read.objects["ball"].cov is not None
    assert read.objects["ball"].cov.diagonal().tolist() == [1e-6, 1e-6, 1e-6, 1e-4, 1e-4, 0]


@pytest.mark.parametrize("size", [1e-12, 1e-4, 1.0, 1e8])
@pytest.mark.parametrize("digits", [6, 17])
def test_rounding_makes_no_covariance_wrong(scene: Scene, size: float, digits: int) -> None:
    """Of whatever size it is and however it is turned, a covariance may be rounded to six digits;
    one that is flat may be as negative as arithmetic makes it."""
    chance = np.random.default_rng(7)
    for _ in range(50):
        turn = np.kron(np.eye(2), np.linalg.qr(chance.standard_normal((3, 3)))[0])
        flat = 1e-2 if digits == 6 else 0.0
        cov = turn @ np.diag([size, size, flat * size, 1e-4, 1e-4, flat * 1e-4]) @ turn.T
        said = [[float(f"{each:.{digits}g}") for each in row] for row in cov]
        assert read_frame(covering(said), scene).objects["ball"].cov is not None


@pytest.mark.parametrize("size", [1e-10, 1e-4, 1.0, 1e8])
@pytest.mark.parametrize("share", [1.0, 1e-2, 1e-6, 1e-9])
@pytest.mark.parametrize("axis", range(6))
def test_a_negative_variance_is_refused(scene: Scene, size: float, share: float, axis: int) -> None:
    """A variance below zero is refused, be it ever so small a part of the others."""
    cov = np.diag(np.where(np.arange(6) == axis, -share, 1.0)) * size
    with pytest.raises(FrameError, match="negative"):
        read_frame(covering(cov.tolist()), scene)


def covering(cov: object) -> dict[str, object]:
    return frame(objects={"ball": {"pose": [0, 0, 0], "cov": cov}})


def skew() -> list[list[float]]:
    rows = np.eye(6)
    rows[0, 1] = 0.5
    found: list[list[float]] = rows.tolist()
    return found


def lopsided() -> list[list[float]]:
    """Of no variance in x, which goes with y all the same."""
    rows = np.diag([0.0, 1, 1, 1, 1, 1])
    rows[0, 1] = rows[1, 0] = 0.5
    found: list[list[float]] = rows.tolist()
    return found


STRANGER = {"shape": TINY, "pose": [0, 0, 0]}
MISTAKES: list[tuple[object, str, str]] = [
    ([], "", "must be a mapping"),
    (None, "", "must be a mapping"),
    ({"source": "a"}, "t", "is missing"),
    ({"t": 1}, "source", "is missing"),
    (frame(time=1), "", "no field 'time'"),
    (frame(object={}), "", "did you mean objects?"),
    (frame(t="1"), "t", "not '1'"),
    (frame(t=True), "t", "not True"),
    (frame(t=float("nan")), "t", "not nan"),
    (frame(t=float("inf")), "t", "not inf"),
    (frame(t=1.7e12), "t", "1e+11"),
    (frame(source=""), "source", "a text"),
    (frame(source=7), "source", "a text"),
    (frame(source="a\nb"), "source", "a text"),
    (frame(objects=[]), "objects", "must be a mapping"),
    (frame(objects={"bal": [0, 0, 0]}), "objects.bal", "did you mean ball?"),
    (frame(objects={"xyzzy": [0, 0, 0]}), "objects.xyzzy", "is not in the scene"),
    (frame(objects={"sally": [0, 0, 0]}), "objects.sally", "list it under agents"),
    (frame(objects={"ball": None}), "objects.ball", "must be a pose"),
    (frame(objects={"ball": [0, 0]}), "objects.ball", "3 or 7 numbers"),
    (frame(objects={"ball": [0, 0, "x"]}), "objects.ball[2]", "'x' is not a number"),
    (frame(objects={"ball": [0, 0, None]}), "objects.ball[2]", "None is not a number"),
    (frame(objects={"ball": [0, 0, True]}), "objects.ball[2]", "True is not a number"),
    (frame(objects={"can": [0, 0, 0], "ball": [0, float("nan"), 0]}), "objects.ball", "finite"),
    (frame(objects={"ball": [0, float("inf"), 0]}), "objects.ball", "finite"),
    (frame(objects={"ball": [0, 10**400, 0]}), "objects.ball", "finite"),
    (frame(objects={"ball": [0, 1e5, 0]}), "objects.ball", "within"),
    (frame(objects={"ball": [0, 0, 0, 0, 0, 0, 0]}), "objects.ball", "quaternion"),
    (frame(objects={"ball": [0, 0, 0, 9, 0, 0, 0]}), "objects.ball", "quaternion"),
    (frame(objects={"ball": {}}), "objects.ball.pose", "is missing"),
    (frame(objects={"ball": {"pose": [0]}}), "objects.ball.pose", "3 or 7"),
    (frame(objects={"ball": {"pose": [0, 0, 0], "joint": 1}}), "objects.ball", "mean joints?"),
    (frame(objects={"ball": {"pose": [0, 0, 0], "joints": {"hinge": 1}}}),
     "objects.ball.joints.hinge", "ball has no joints"),
    (frame(objects={"cupboard": {"pose": [0, 0, 0], "joints": {"hing": 1}}}),
     "objects.cupboard.joints.hing", "did you mean hinge?"),
    (frame(objects={"cupboard": {"pose": [0, 0, 0], "joints": {"hinge": float("nan")}}}),
     "objects.cupboard.joints.hinge", "not nan"),
    (frame(objects={"cupboard": {"pose": [0, 0, 0], "joints": [1]}}), "objects.cupboard.joints",
     "must be a mapping"),
    (covering([1] * 35), "objects.ball.cov", "36 numbers"),
    (covering([EYE[0]] * 5), "objects.ball.cov", "36 numbers"),
    (covering([[1]] * 6), "objects.ball.cov", "36 numbers"),
    (covering([*EYE[:5], 7]), "objects.ball.cov[5]", "must be a list"),
    (covering([float("nan")] * 36), "objects.ball.cov[0]", "not nan"),
    (covering(skew()), "objects.ball.cov", "not symmetric"),
    (covering((-np.eye(6)).tolist()), "objects.ball.cov", "negative"),
    (covering(np.diag([-1, 1, 1, 1e8, 1e8, 1e8]).tolist()), "objects.ball.cov", "negative"),
    (covering(lopsided()), "objects.ball.cov", "negative"),
    (covering(np.diag([1e-4, 1e-4, -1e-6, 1e-4, 1e-4, 1e-4]).tolist()), "objects.ball.cov",
     "negative"),
    (covering("big"), "objects.ball.cov", "must be a list"),
    (frame(empty={"ann": ["right_hand"]}), "empty.ann", "is not in the scene"),
    (frame(empty={"sally": ["head"]}), "empty.sally", "no hand"),
    (frame(empty={"sally": "right_hand"}), "empty.sally", "must be a list"),
    (frame(unnamed={}), "unnamed", "must be a list"),
    (frame(unnamed=[STRANGER] * 201), "unnamed", "at most 200"),
    (frame(unnamed=[STRANGER, {"shape": TINY}]), "unnamed[1].pose", "is missing"),
    (frame(unnamed=[{"pose": [0, 0, 0]}]), "unnamed[0].shape", "is missing"),
    (frame(unnamed=[{**STRANGER, "name": "x"}]), "unnamed[0]", "no field 'name'"),
    (frame(unnamed=[{**STRANGER, "shape": {"sphere": 0}}]), "unnamed[0].shape.sphere", "not 0"),
    (frame(unnamed=[{**STRANGER, "shape": {"mesh": "a"}}]), "unnamed[0].shape", "no field 'mesh'"),
    (frame(unnamed=[{**STRANGER, "pose": [0]}]), "unnamed[0].pose", "3 or 7"),
    (frame(agents={"saly": {}}), "agents.saly", "did you mean sally?"),
    (frame(agents={"ball": {}}), "agents.ball", "list it under objects"),
    (frame(agents={"sally": [0, 0, 0]}), "agents.sally", "must be a mapping"),
    (frame(agents={"sally": {"hand": [0, 0, 0]}}), "agents.sally", "no field 'hand'"),
    (frame(agents={"sally": {"head": [0, 0]}}), "agents.sally.head", "3 or 7"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "where", "message"), MISTAKES)
def test_mistakes_are_named_by_their_place(
    document: object, where: str, message: str, scene: Scene
) -> None:
    """Each mistake in a frame is an error that says which field it is and what would be right."""
    with pytest.raises(FrameError) as wrong:
        read_frame(document, scene)
    assert wrong.value.detail["where"] == where
    assert message in wrong.value.message


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", '{"t": NaN, "source": "a"}', '{"t": 1, "t": 2, "source": "a"}'),
        *('{"t": 1e999, "source": "a"}', "[" * 10_000, b"\xff", " " * (2**20 + 1)),
    ],
)
def test_what_is_no_frame_is_refused(text: str | bytes, scene: Scene) -> None:
    """A line that is no JSON, says a name twice, or is endless is a frame's error."""
    with pytest.raises(FrameError):
        read_line(text, scene)


COORDINATES = st.floats(-50, 50) | st.integers(-50, 50)
TURNS = st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(
    lambda q: 0.51 < float(np.linalg.norm(q)) < 1.99
)
POSES = st.builds(
    lambda place, turn: [*place, *turn],
    st.lists(COORDINATES, min_size=3, max_size=3),
    st.just([]) | TURNS,
)
SIZES = st.floats(0.001, 5)
SHAPES = st.one_of(
    st.builds(lambda r: {"sphere": r}, SIZES),
    st.builds(lambda *s: {"box": list(s)}, SIZES, SIZES, SIZES),
    st.builds(lambda *s: {"cylinder": list(s)}, SIZES, SIZES),
    st.builds(
        lambda s, f, w: {"bin": {"size": [s, 2 * s, s], "floor": s * f, "wall": s * w}},
        *(SIZES, st.floats(0.2, 0.9), st.floats(0.2, 0.45)),
    ),
)
COVARIANCES = st.lists(st.floats(-1, 1), min_size=36, max_size=36).map(
    lambda each: (np.reshape(each, (6, 6)) @ np.reshape(each, (6, 6)).T).tolist()
)
BODIES = st.fixed_dictionaries(
    {"pose": POSES},
    optional={
        "joints": st.fixed_dictionaries({}, optional={"hinge": SIZES, "rail": SIZES}),
        "cov": COVARIANCES,
    },
)
FRAMES = st.fixed_dictionaries(
    {"t": st.floats(0, 1e9), "source": st.sampled_from(["kinect", "other"])},
    optional={
        "objects": st.dictionaries(st.sampled_from(["ball", "can", "mug"]), POSES),
        "empty": st.sampled_from([{}, {"sally": ["left_hand"]}]),
        "unnamed": st.lists(st.fixed_dictionaries({"shape": SHAPES, "pose": POSES}), max_size=3),
        "agents": st.dictionaries(
            st.sampled_from(["sally", "anne", "myself"]),
            st.dictionaries(st.sampled_from(["head", "right_hand", "left_elbow"]), POSES),
        ),
    },
)


@law(200)
@given(document=FRAMES, body=st.none() | BODIES)
def test_what_is_written_reads_the_same(
    document: dict[str, Any], body: dict[str, Any] | None, scene: Scene
) -> None:
    """A frame that is written and read again is the same to the last bit, and written the same."""
    if body is not None:
        document = {**document, "objects": {**document.get("objects", {}), "cupboard": body}}
    read = read_frame(document, scene)
    again = read_line(line(read), scene)
    assert line(again) == line(read)
    for one, other in zip(read.unnamed, again.unnamed, strict=True):
        assert one.shape is other.shape
