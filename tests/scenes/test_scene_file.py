"""A scene says what the contract says it does, and each mistake in it is named by its place."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kb_server import Blackboard
from spatial_reasoner.errors import PathRefused, SceneError
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.knowledge import BoardKnowledge, Knowledge
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_file import read_scene, scene_of
from spatial_reasoner.scene.scene_text import read_yaml

FILES = Path(__file__).parent / "files"
BALL = {"class": "Ball", "shape": {"sphere": 0.05}}


@pytest.fixture(scope="module")
def kitchen(knowledge: Knowledge) -> Scene:
    """A scene that has a bit of everything."""
    return read_scene(FILES / "kitchen.yaml", knowledge)


def test_all_that_may_exist_is_there(kitchen: Scene) -> None:
    """Entities, agents and sensors are those of the file, in its order."""
    assert (kitchen.name, kitchen.depth) == ("kitchen", 2)
    assert " ".join(kitchen.entities) == (
        "floor table basket ball can mug chair book cupboard pane blind"
    )
    assert list(kitchen.agents) == ["myself", "sally", "anne"]
    assert list(kitchen.sensors) == ["kinect", "glove", "lidar"]


def test_shapes_are_as_written(kitchen: Scene) -> None:
    """Sizes are full extents, radii radii; a bin and a mesh have a cavity, a box has none."""
    shapes = {name: entity.shape for name, entity in kitchen.entities.items()}
    assert shapes["table"].half == pytest.approx([0.45, 0.7, 0.025])
    assert shapes["can"].half == pytest.approx([0.033, 0.033, 0.06])
    assert shapes["ball"].radius == pytest.approx(0.045)
    assert [name for name, shape in shapes.items() if shape.cavity] == ["basket", "mug", "cupboard"]
    assert shapes["basket"].cavity is not None
    assert shapes["basket"].cavity.high == pytest.approx([0.1225, 0.1675, 0.18])


def test_flags_come_from_the_ontology(kitchen: Scene) -> None:
    """What supports, contains, is furniture or is seen through, the class says."""
    of = kitchen.entities.items()
    assert [n for n, e in of if e.is_support] == ["floor", "table", "chair", "book", "cupboard"]
    assert [n for n, e in of if e.is_container] == ["basket", "mug", "cupboard"]
    fixtures = ["floor", "table", "chair", "cupboard", "pane", "blind"]
    assert [n for n, e in of if e.is_fixture] == fixtures
    assert [n for n, e in of if e.transparent] == ["pane"]


def test_containers_need_class_and_cavity(knowledge: Knowledge) -> None:
    """A box without a hollow contains nothing, nor does a hollow thing of another class."""
    hollow = {"bin": {"size": [0.3, 0.3, 0.3], "floor": 0.02, "wall": 0.02}}
    scene = scene_of(
        {
            "entities": {
                "solid": {"class": "Box", "shape": {"box": [0.3, 0.3, 0.3]}},
                "hat": {"class": "Toy", "shape": hollow},
                "crate": {"class": "Crate", "shape": hollow},
                "rock": {**BALL, "static": True},
            }
        },
        None,
        knowledge,
    )
    assert [n for n, e in scene.entities.items() if e.is_container] == ["crate"]
    assert [n for n, e in scene.entities.items() if e.is_fixture] == ["rock"]


def test_the_rest_of_an_entity(kitchen: Scene) -> None:
    """Mass, color, pose, front and points are as written; a front has length one."""
    ball, chair, book = (kitchen.entities[name] for name in ("ball", "chair", "book"))
    assert (ball.mass, ball.color, ball.pose, ball.static) == (0.03, (1, 1, 0), None, False)
    assert chair.front is not None
    assert chair.front.tolist() == [1, 0, 0]
    assert book.points["cover"].tolist() == [[0, 0, 0.015], [0.1, 0, 0.015]]
    assert kitchen.entities["table"].pose is not None
    assert kitchen.entities["table"].pose.tolist() == [0, 0, 0.725, 0, 0, 0, 1]
    assert not kitchen.entities["table"].pose.flags.writeable


def test_a_urdf_weighs_what_its_links_do(knowledge: Knowledge) -> None:
    """The mass of a body of links is what they tell, unless the scene says otherwise."""
    body = {"class": "Cabinet", "urdf": "cabinet.urdf"}
    scene = scene_of(
        {"entities": {"one": body, "other": {**body, "mass": 3}}}, Folder(FILES), knowledge
    )
    assert [entity.mass for entity in scene.entities.values()] == [14, 3]


def test_people_have_what_people_have(kitchen: Scene) -> None:
    """Of a person only what differs needs to be said; where the head is, a frame may say."""
    sally, anne = kitchen.agents["sally"], kitchen.agents["anne"]
    assert (anne.fov, anne.height) == ((1.745, 1.309), 1.7)
    assert anne.arm == pytest.approx(0.8)
    assert anne.head is None
    assert sally.parts["right_hand"].tolist() == [0.8, 0.3, 0.9, 0, 0, 0, 1]
    assert (sally.arm_model, sally.shape) == ("human", None)


def test_a_robot_has_what_it_is_given(kitchen: Scene, knowledge: Knowledge) -> None:
    """A robot is as the scene says; without an arm it has none, and an arm has its own length."""
    robot = kitchen.agents["myself"]
    assert (robot.fov, robot.foa, robot.arm) == ((1.745, 1.309), (0.35, 0.26), 0.75)
    assert robot.shoulders["right"].tolist() == [-0.65, 0, 1, 0, 0, 0, 1]
    assert robot.head is not None
    assert np.linalg.norm(robot.head[3:]) == pytest.approx(1)
    agents: dict[str, Any] = {"bare": {"class": "Robot"}}
    agents["arm"] = {"class": "Robot", "arm_model": "panda", "turn": 0, "shape": {"sphere": 0.3}}
    scene = scene_of({"agents": agents}, None, knowledge)
    bare, arm = scene.agents["bare"], scene.agents["arm"]
    assert (bare.arm, bare.height, bare.turn) == (None, None, 0.262)
    assert (arm.arm, arm.arm_model, arm.turn) == (0.855, "panda", 0)
    assert arm.shape is not None


def test_the_robot_is_always_there(knowledge: Knowledge) -> None:
    """A scene that does not name the robot has one, without a head, before all others."""
    scene = scene_of({"agents": {"sally": {"class": "Human"}}}, None, knowledge)
    assert list(scene.agents) == ["myself", "sally"]
    assert scene.agents["myself"].kind == "Robot"
    assert scene.agents["myself"].head is None
    assert list(scene_of({}, None, knowledge).agents) == ["myself"]


def test_whose_senses_speak(kitchen: Scene) -> None:
    """A sensor is on an agent's part, by default the robot's head, named or not."""
    found = {name: (each.on, each.part) for name, each in kitchen.sensors.items()}
    assert found["glove"] == ("sally", "right_hand")
    assert found["lidar"] == ("myself", "head")
    assert kitchen.sensor("other").on == "myself"


def test_json_is_as_good(tmp_path: Path, knowledge: Knowledge) -> None:
    """The same scene as JSON is the same scene, with a byte order mark or without."""
    document = {"name": "one", "entities": {"ball": BALL}}
    for text in (json.dumps(document), "\ufeff" + json.dumps(document)):
        (tmp_path / "scene.json").write_text(text)
        (tmp_path / "scene.yaml").write_text(text)
        for name in ("scene.json", "scene.yaml"):
            scene = read_scene(tmp_path / name, knowledge)
            assert scene.entities["ball"].shape.key == ("sphere", 0.05)


CONTRACT = """
name: sally-anne
depth: 1                       # how deep minds nest: 2 adds sally.anne, anne.sally, sally.myself …
entities:
  table:  {class: Table,  shape: {box: [0.9, 1.4, 0.05]}, pose: [0, 0, 0.725], static: true}
  basket: {class: Basket, shape: {bin: {size: [0.285, 0.375, 0.36], floor: 0.06, wall: 0.02}}, mass: 0.7}
  ball:   {class: Ball,   shape: {sphere: 0.045}, mass: 0.03, color: [1, 1, 0]}
  mug:    {class: Mug,    mesh: mug.obj, mass: 0.2}        # or  urdf: mug.urdf
  chair:  {class: Chair,  shape: {box: [0.5, 0.5, 0.9]}, front: [1, 0, 0]}   # intrinsic front, up is +z
  floor:  {class: Floor,  plane: true}
agents:
  myself: {class: Robot, head: [-1.2, 0, 1.5, 0, 0.28, 0, 0.96], fov: [1.745, 1.309], foa: [0.35, 0.26],
           shoulders: {right: [-0.65, 0, 1.0]}, arm: 0.75}
  sally:  {class: Human, head: [1.2, 0, 1.4, 0, 0, 1, 0]}     # fov, foa, arm, height have human defaults
sensors:
  kinect: {on: myself, part: head}     # which agent's senses a source speaks for; default: myself
"""  # noqa: E501


def test_the_example_of_the_contract_is_a_scene(knowledge: Knowledge) -> None:
    """The scene that users are shown is read as it stands."""
    scene = scene_of(read_yaml(CONTRACT), Folder(FILES), knowledge)
    assert (len(scene.entities), list(scene.agents)) == (6, ["myself", "sally"])
    assert scene.sensor("kinect").on == "myself"


def test_what_the_board_knows_needs_no_saying() -> None:
    """Class, shape and weight of a thing that the board knows are taken from there."""
    with Blackboard.local() as kb:
        told = ["ball a Ball", "ball hasMainDimension 0.1", "ball hasWeight 0.25", "sally a Woman"]
        kb.revise("myself", add=told)
        unsaid: dict[str, dict[str, object]] = {"entities": {"ball": {}}, "agents": {"sally": {}}}
        scene = scene_of(unsaid, None, BoardKnowledge(kb))
    ball = scene.entities["ball"]
    assert (ball.kind, ball.shape.key, ball.mass) == ("Ball", ("sphere", 0.05), 0.25)
    assert scene.agents["sally"].kind == "Woman"
    assert scene.agents["myself"].kind == "Robot"


def thing(**fields: object) -> dict[str, object]:
    return {"entities": {"ball": {**BALL, **fields}}}


def person(**fields: object) -> dict[str, object]:
    return {"agents": {"sally": {"class": "Human", **fields}}}


def made(size: object, floor: object, wall: object) -> dict[str, object]:
    return thing(shape={"bin": {"size": size, "floor": floor, "wall": wall}})


NAN, INF = float("nan"), float("inf")
MISTAKES: list[tuple[object, str, str]] = [
    ("a text", "", "must be a mapping"),
    (None, "", "must be a mapping"),
    ({"entitys": {}}, "", "no field 'entitys'; did you mean entities"),
    ({"name": ""}, "name", "1 to 100 characters"),
    ({"depth": 0}, "depth", "from 1 to 5"),
    ({"depth": True}, "depth", "from 1 to 5"),
    ({"depth": 1.5}, "depth", "from 1 to 5"),
    ({"depth": 5, "agents": {f"a{i}": {"class": "Human"} for i in range(9)}}, "depth", "minds"),
    ({"entities": ["ball"]}, "entities", "must be a mapping"),
    ({"entities": {1: BALL}}, "entities", "the key 1"),
    ({"entities": {"my ball": BALL}}, "entities", "'my ball' is not a name"),
    ({"entities": {"1ball": BALL}}, "entities", "is not a name"),
    ({"entities": {"bäll": BALL}}, "entities", "is not a name"),
    ({"entities": {"ball\n": BALL}}, "entities", "is not a name"),
    ({"entities": {"": BALL}}, "entities", "is not a name"),
    ({"entities": {"b" * 101: BALL}}, "entities", "is not a name"),
    ({"entities": {"owner": BALL}}, "entities", "the board reserves"),
    ({"entities": {"true": BALL}}, "entities", "the board reserves"),
    ({"entities": {"unnamed_1": BALL}}, "entities", "the board reserves"),
    ({"entities": {"myself": BALL}}, "entities.myself", "name of an agent"),
    ({"entities": {"myself_head": BALL}}, "entities.myself_head", "head of myself"),
    ({"agents": {"a": {"class": "Human"}, "a_head": {"class": "Human"}}}, "agents.a_head",
     "head of a"),
    ({"entities": {"ball": None}}, "entities.ball", "must be a mapping"),
    ({"entities": {"ball": {"shape": {"sphere": 1}}}}, "entities.ball", "has no class"),
    ({"entities": {"ball": {"class": "Ball"}}}, "entities.ball", "has no shape"),
    ({"entities": {"ball": {"class": "Ball", "plane": False}}}, "entities.ball", "has no shape"),
    (thing(size=3), "entities.ball", "no field 'size'"),
    (thing(masss=3), "entities.ball", "did you mean mass"),
    (thing(**{"class": "Bal"}), "entities.ball.class", "did you mean Ball"),
    (thing(**{"class": "ball"}), "entities.ball.class", "did you mean Ball"),
    (thing(**{"class": "isOn"}), "entities.ball.class", "no class of the ontology"),
    (thing(**{"class": None}), "entities.ball.class", "no class of the ontology"),
    (thing(**{"class": "?x a Ball"}), "entities.ball.class", "is not a name"),
    (thing(**{"class": "Human"}), "entities.ball.class", "in the section agents"),
    (thing(**{"class": "Pick"}), "entities.ball.class", "with a pose"),
    (thing(**{"class": "Color"}), "entities.ball.class", "with a pose"),
    (thing(plane=True), "entities.ball", "a shape and a plane"),
    (thing(mesh="a.obj"), "entities.ball", "a shape and a mesh"),
    (thing(shape={"sphere": 0}), "entities.ball.shape.sphere", "from 0.0001 to 100, not 0"),
    (thing(shape={"sphere": -1}), "entities.ball.shape.sphere", "from 0.0001"),
    (thing(shape={"sphere": "big"}), "entities.ball.shape.sphere", "not 'big'"),
    (thing(shape={"sphere": True}), "entities.ball.shape.sphere", "not True"),
    (thing(shape={"sphere": NAN}), "entities.ball.shape.sphere", "not nan"),
    (thing(shape={"sphere": INF}), "entities.ball.shape.sphere", "not inf"),
    (thing(shape={"sphere": 10**400}), "entities.ball.shape.sphere", "a number from"),
    (thing(shape={"sphere": None}), "entities.ball.shape.sphere", "not None"),
    (thing(shape={"spere": 1}), "entities.ball.shape", "did you mean sphere?"),
    (thing(shape={}), "entities.ball.shape", "one of box, bin, sphere, cylinder"),
    (thing(shape={"sphere": 1, "box": [1, 1, 1]}), "entities.ball.shape", "one of box"),
    (thing(shape="sphere"), "entities.ball.shape", "must be a mapping"),
    (thing(shape={"box": [1, 1]}), "entities.ball.shape.box", "a list of 3 numbers"),
    (thing(shape={"box": [1, "x", 1]}), "entities.ball.shape.box[1]", "not 'x'"),
    (thing(shape={"box": 1}), "entities.ball.shape.box", "a list of 3 numbers"),
    (thing(shape={"cylinder": 1}), "entities.ball.shape.cylinder", "[radius, height]"),
    (thing(shape={"cylinder": [1, 0]}), "entities.ball.shape.cylinder[1]", "not 0"),
    (made([1, 1, 1], 0.1, 0.5), "entities.ball.shape.bin.wall", "leaves no room"),
    (made([1, 1, 1], 1, 0.1), "entities.ball.shape.bin.floor", "fills the bin"),
    (made([1, 1], 0.1, 0.1), "entities.ball.shape.bin.size", "3 numbers"),
    (made([1, 1, 1], 0.1, 0), "entities.ball.shape.bin.wall", "from 0.0001"),
    (thing(shape={"bin": {"size": [1, 1, 1], "floor": 0.1}}), "entities.ball.shape.bin.wall",
     "is missing"),
    (thing(shape={"bin": {"size": [1, 1, 1], "flor": 1}}), "entities.ball.shape.bin",
     "did you mean floor?"),
    (thing(pose=[1, 2]), "entities.ball.pose", "3 or 7 numbers, not 2"),
    (thing(pose=[1, 2, "3"]), "entities.ball.pose[2]", "'3' is not a number"),
    (thing(pose=[1, 2, NAN]), "entities.ball.pose", "finite"),
    (thing(pose=[0, 0, 0, 0, 0, 0, 0]), "entities.ball.pose", "quaternion"),
    (thing(pose=[0, 0, 1e5]), "entities.ball.pose", "within"),
    (thing(pose="here"), "entities.ball.pose", "must be a pose"),
    (thing(pose=None), "entities.ball.pose", "must be a pose"),
    (thing(mass=0), "entities.ball.mass", "above 0"),
    (thing(mass=-1), "entities.ball.mass", "from 0"),
    (thing(mass="1 kg"), "entities.ball.mass", "not '1 kg'"),
    (thing(color=[1, 2, 0]), "entities.ball.color[1]", "from 0 to 1, not 2"),
    (thing(color="red"), "entities.ball.color", "3 numbers"),
    (thing(static=1), "entities.ball.static", "true or false, not 1"),
    (thing(transparent="yes"), "entities.ball.transparent", "true or false"),
    (thing(front=[0, 0, 1]), "entities.ball.front", "up is +z"),
    (thing(front=[0, 0, 0]), "entities.ball.front", "direction"),
    (thing(points={"tag": []}), "entities.ball.points.tag", "has no point"),
    (thing(points={"tag": [[0, 0]]}), "entities.ball.points.tag[0]", "3 numbers"),
    (thing(points={"a b": [[0, 0, 0]]}), "entities.ball.points", "is not a name"),
    (thing(points=[[0, 0, 0]]), "entities.ball.points", "must be a mapping"),
    (thing(points={"tag": [[0, 0, 0]] * 1001}), "entities.ball.points.tag", "at most 1000"),
    ({"entities": {"m": {"class": "Mug", "mesh": "mug.obj"}}}, "entities.m.mesh", "no folder"),
    ({"entities": {"m": {"class": "Mug", "mesh": 3}}}, "entities.m.mesh", "path of a file"),
    ({"entities": {"m": {"class": "Mug", "plane": 3}}}, "entities.m.plane", "true or false"),
    ({"agents": {"sally": {"class": "Ball"}}}, "agents.sally.class", "no class of agents"),
    ({"entities": {"Ball": {"class": "Ball", "plane": True}}}, "entities.Ball", "name of a class"),
    ({"agents": {"sally": {}}}, "agents.sally", "has no class"),
    ({"agents": {"myself": {"class": "Human"}}}, "agents.myself.class", "no kind of Robot"),
    (person(had=[0, 0, 0]), "agents.sally", "did you mean head?"),
    (person(head=[0, 0]), "agents.sally.head", "3 or 7 numbers"),
    (person(fov=[1]), "agents.sally.fov", "2 numbers"),
    (person(fov=[1, 100]), "agents.sally.fov[1]", "not 100"),
    (person(foa=[0, 1]), "agents.sally.foa[0]", "not 0"),
    (person(turn=-1), "agents.sally.turn", "from 0"),
    (person(arm=0), "agents.sally.arm", "from 0.05"),
    (person(arm_model="kukka"), "agents.sally.arm_model", "did you mean kuka?"),
    (person(head=[0, 0, 1], shoulders={"up": [0, 0, 1]}), "agents.sally.shoulders", "no side"),
    (person(right_hand=[0]), "agents.sally.right_hand", "3 or 7"),
    (person(shape={"sphere": 0}), "agents.sally.shape.sphere", "from 0.0001"),
    ({"sensors": {"eye": {"on": "sally"}}}, "sensors.eye.on", "no agent of the scene"),
    ({"sensors": {"eye": {"part": "nose"}}}, "sensors.eye.part", "head, left_elbow"),
    ({"sensors": {"eye": {"at": "sally"}}}, "sensors.eye", "no field 'at'"),
    ({"sensors": {"my eye": {}}}, "sensors", "is not a name"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "where", "message"), MISTAKES)
def test_mistakes_are_named_by_their_place(
    document: object, where: str, message: str, knowledge: Knowledge
) -> None:
    """Each mistake in a scene is an error that says where it is and what would be right."""
    with pytest.raises(SceneError) as wrong:
        scene_of(document, None, knowledge)
    assert wrong.value.detail["where"] == where
    assert message in wrong.value.message


@pytest.mark.parametrize(
    "path", ["../../secret.obj", "/etc/x.obj", "file:///x.obj", "package://x/y.obj", "sub/../../a"]
)
@pytest.mark.parametrize("field", ["mesh", "urdf"])
def test_paths_that_leave_are_refused(field: str, path: str, knowledge: Knowledge) -> None:
    """A mesh or URDF outside the scene's folder is refused by the name of its field."""
    document = {"entities": {"mug": {"class": "Mug", field: path}}}
    with pytest.raises(PathRefused) as refused:
        scene_of(document, Folder(FILES), knowledge)
    assert refused.value.detail["where"] == f"entities.mug.{field}"


def test_files_that_cannot_be_read(tmp_path: Path, knowledge: Knowledge) -> None:
    """A scene that is not there, too large, no text or no YAML is a scene's error."""
    with pytest.raises(SceneError, match=r"none\.yaml can't be read"):
        read_scene(tmp_path / "none.yaml", knowledge)
    bad = {
        b"\xff\xfe": "no UTF-8",
        b"a: [": "line 1",
        b"#" * 2**21: "larger than",
        b"entities: {a: 1, a: 2}": "'a' is given twice",
    }
    for content, message in bad.items():
        (tmp_path / "scene.yaml").write_bytes(content)
        with pytest.raises(SceneError, match=message):
            read_scene(tmp_path / "scene.yaml", knowledge)
    (tmp_path / "scene.json").write_text('{"entities": {"a": NaN}}')
    with pytest.raises(SceneError, match="NaN"):
        read_scene(tmp_path / "scene.json", knowledge)
