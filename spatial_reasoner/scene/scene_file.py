"""Reading a scene, from a file or from plain data of a program.

>>> from kb_server import Blackboard
>>> from spatial_reasoner.scene.knowledge import BoardKnowledge
>>> with Blackboard.local() as kb:
...     knowledge = BoardKnowledge(kb)
...     scene = scene_of({"entities": {"ball": {"class": "Ball", "shape": {"sphere": 0.05}}}},
...                      None, knowledge)
>>> scene.entities["ball"].kind, list(scene.agents)
('Ball', ['myself'])
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeVar

from ontology import vocabulary as v
from spatial_reasoner.errors import SceneError, shown
from spatial_reasoner.scene.fields import Spot, fields, mapping, name, text, whole
from spatial_reasoner.scene.folder import Folder
from spatial_reasoner.scene.knowledge import Knowledge
from spatial_reasoner.scene.scene import MYSELF, PARTS, Agent, Entity, Scene, part_name
from spatial_reasoner.scene.scene_agents import read_agent, read_sensor
from spatial_reasoner.scene.scene_entities import read_entity
from spatial_reasoner.scene.scene_text import LARGEST, read_json, read_yaml
from spatial_reasoner.tolerances.cavities import USUAL, CavityTolerances

__all__ = ["read_scene", "scene_of"]

T = TypeVar("T")
_FIELDS: Final = ("name", "depth", "entities", "agents", "sensors")
_MOST: Final = {"entities": 2000, "agents": 50, "sensors": 100}
_DEEPEST: Final = 5
"""The greatest depth of nested minds."""
_MOST_MINDS: Final = 1000
"""Minds at most; each costs time in every tick."""
_RESERVED: Final = re.compile(rf"unnamed_[0-9]+|true|false|{v.OWNER}")
"""Names of unnamed objects, literals of the board, and the owner in its rules."""


def read_scene(
    path: Path | str, knowledge: Knowledge, tolerances: CavityTolerances = USUAL
) -> Scene:
    """Reads the scene in a YAML or JSON file; the files that it names must be in its folder.

    `tolerances` decide which meshes have a cavity.

    Raises SceneError, whose `where` is the entity and the field, such as
    `entities.ball.shape.sphere`; also if the file cannot be read.
    """
    file = Path(path)
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST + 1)
    except OSError as error:
        raise SceneError("", f"{file.name} can't be read: {error.strerror}") from None
    if len(content) > LARGEST:
        raise SceneError("", f"{file.name} is larger than {LARGEST} bytes")
    folder = Folder(file.parent, tolerances=tolerances)
    return scene_of(_document(content, file.suffix.lower()), folder, knowledge)


def scene_of(document: object, folder: Folder | None, knowledge: Knowledge) -> Scene:
    """Reads a scene from plain data; without a folder, meshes are refused.

    If `myself` is missing, a robot is added, which has no head until a frame contains one.
    """
    root = Spot("", SceneError)
    given = fields(root, document, _FIELDS)
    entities = _section(
        root, given, "entities", lambda s, n, x: read_entity(s, n, x, folder, knowledge)
    )
    agents = _section(root, given, "agents", lambda s, n, x: read_agent(s, n, x, knowledge))
    if MYSELF not in agents:
        robot = {"class": v.ROBOT}
        agents = {MYSELF: read_agent(root / "agents" / MYSELF, MYSELF, robot, knowledge), **agents}
    _check_names(root, entities, agents)
    sensors = _section(root, given, "sensors", lambda s, n, x: read_sensor(s, n, x, agents))
    depth = whole(root / "depth", given.get("depth", 1), 1, _DEEPEST)
    _check_minds(root / "depth", depth, len(agents) - 1)
    return Scene(text(root / "name", given.get("name", "scene")), entities, agents, sensors, depth)


def _document(content: bytes, suffix: str) -> object:
    try:
        written = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SceneError("", f"is no UTF-8 text, at byte {error.start}") from None
    if suffix != ".json":
        return read_yaml(written)
    try:
        return read_json(written)
    except ValueError as error:
        raise SceneError("", f"can't be read as JSON: {error}") from None


def _section(
    root: Spot,
    given: Mapping[str, object],
    section: str,
    read: Callable[[Spot, str, object], T],
) -> dict[str, T]:
    """Reads the named items of a section of the scene, in their order."""
    spot = root / section
    items = mapping(spot, given.get(section, {}))
    if len(items) > _MOST[section]:
        raise spot.wrong(f"has {len(items)} items; at most {_MOST[section]} are allowed")
    for each in items:
        if _RESERVED.fullmatch(name(spot, each)):
            raise spot.wrong(f"{shown(each)} is a name that the board reserves")
    return {each: read(spot / each, each, value) for each, value in items.items()}


def _check_names(root: Spot, entities: Mapping[str, Entity], agents: Mapping[str, Agent]) -> None:
    """Refuses a name that is used twice; the parts of agents have names, too."""
    taken = dict.fromkeys(agents, "an agent")
    taken |= {
        part_name(agent, part): f"the {part} of {agent}" for agent in agents for part in PARTS
    }
    for section, names in (("entities", entities), ("agents", agents)):
        for each in names:
            owner = taken.get(each)
            if owner is not None and (section == "entities" or owner != "an agent"):
                raise (root / section / each).wrong(f"is also the name of {owner}")


def _check_minds(spot: Spot, depth: int, people: int) -> None:
    """Refuses too many minds: with n people and depth d there are n + n² + … + nᵈ."""
    minds = sum(people**level for level in range(1, depth + 1))
    if minds > _MOST_MINDS:
        raise spot.wrong(
            f"of {depth} makes {minds} minds of {people} agents; at most {_MOST_MINDS} are allowed"
        )
