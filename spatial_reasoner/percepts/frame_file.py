"""Reads and writes percept frames as JSON: one a line in a recording, one a message on a socket.

A frame that is written and read again is identical to the last bit. So a recording gives the same
facts as the live run.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from spatial_reasoner.errors import FrameError, like, shown
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.scene.fields import (
    Spot,
    choice,
    fields,
    mapping,
    number,
    numbers,
    optional,
    pose,
    poses,
    sequence,
    text,
)
from spatial_reasoner.scene.scene import GRASPING, PARTS, Entity, Scene
from spatial_reasoner.scene.scene_text import LARGEST, read_json
from spatial_reasoner.scene.shape_fields import read_shape, written_shape
from spatial_reasoner.tolerances.units import Limit, Numeric
from spatial_reasoner.values.frames import Frame, Percept, Unnamed

__all__ = ["read_frame", "read_line", "written"]

_FIELDS: Final = ("t", "source", "objects", "unnamed", "agents", "empty")
_LATEST: Final[Limit] = 1e11
"""Seconds, about three thousand years after the epoch: a time in milliseconds lies beyond."""
_FARTHEST_JOINT: Final[Limit] = 1e4
"""Bound of joint positions, in radians or metres."""
_MOST_UNNAMED: Final = 200
"""Unnamed percepts in a frame."""
_UNSUREST: Final[Limit] = 1e8
"""Bound of the entries of a covariance: a standard deviation of 10 km or 10⁴ rad."""
_ALIKE: Final[Numeric] = 1e-6
"""Largest asymmetry of a covariance, as a share of its largest entry, and largest negative
eigenvalue of its correlation matrix. Both allow for rounding. The second is relative to each
variance, so that a huge variance of the rotation can't hide a negative variance of the position."""
_NOTHING: Final[Numeric] = 1e-12
"""Largest negative rounding error of a zero variance, as a share of the largest of its kind."""
_LEAST: Final[Numeric] = 1e-30
"""Least variance added before the test of eigenvalues, so that it never divides by zero."""


def read_line(text: str | bytes, scene: Scene) -> Frame:
    """Reads the frame in a line of JSON; raises FrameError with the reason if it is invalid."""
    if len(text) > LARGEST:
        raise FrameError("", f"is longer than {LARGEST} bytes")
    try:
        return read_frame(read_json(text if isinstance(text, str) else text.decode()), scene)
    except ValueError as error:
        raise FrameError("", f"can't be read as JSON: {error}") from None


def read_frame(document: object, scene: Scene) -> Frame:
    """Makes a frame from plain data; all its names must be in the scene.

    Raises FrameError, whose `where` is a field such as `objects.ball.pose`.
    """
    root = Spot("", FrameError)
    given = fields(root, document, _FIELDS)
    for field in ("t", "source"):
        if field not in given:
            raise (root / field).wrong("is missing: each frame needs a time and a source")
    return Frame(
        number(root / "t", given["t"], -_LATEST, _LATEST),
        text(root / "source", given["source"]),
        _objects(root / "objects", given.get("objects", {}), scene),
        _unnamed(root / "unnamed", given.get("unnamed", [])),
        _agents(root / "agents", given.get("agents", {}), scene),
        _empty(root / "empty", given.get("empty", {}), scene),
    )


def written(frame: Frame) -> dict[str, object]:
    """The frame as plain data for JSON, without its empty fields.

    `read_frame(written(frame), scene)` is the same frame, and is written the same.
    """
    found: dict[str, object] = {"t": frame.t, "source": frame.source}
    if frame.objects:
        found["objects"] = {name: _written(each) for name, each in frame.objects.items()}
    if frame.unnamed:
        found["unnamed"] = [
            {"shape": written_shape(each.shape), "pose": each.pose.tolist()}
            for each in frame.unnamed
        ]
    if frame.agents:
        found["agents"] = {
            name: {part: place.tolist() for part, place in parts.items()}
            for name, parts in frame.agents.items()
        }
    if frame.empty:
        found["empty"] = {name: list(hands) for name, hands in frame.empty.items()}
    return found


def _written(percept: Percept) -> object:
    if not percept.joints and percept.cov is None:
        return percept.pose.tolist()
    found: dict[str, object] = {"pose": percept.pose.tolist()}
    if percept.joints:
        found["joints"] = dict(percept.joints)
    if percept.cov is not None:
        found["cov"] = percept.cov.tolist()
    return found


def _objects(spot: Spot, value: object, scene: Scene) -> dict[str, Percept]:
    given = mapping(spot, value)
    places = []
    for name, said in given.items():
        if name not in scene.entities:
            raise (spot / name).wrong(_unknown(name, scene))
        is_bare = not isinstance(said, Mapping)
        places.append((spot / name if is_bare else spot / name / "pose", said))
    found = poses([(at, _place(at, said)) for at, said in places])
    return {
        name: _percept(spot / name, said, place, scene.entities[name])
        if isinstance(said, Mapping)
        else Percept(place)
        for (name, said), place in zip(given.items(), found, strict=True)
    }


def _place(spot: Spot, said: object) -> object:
    """The pose in the data of an object."""
    if not isinstance(said, Mapping):
        return said
    if "pose" not in said:
        raise spot.wrong("is missing: each perceived object needs a pose")
    return said["pose"]


def _percept(spot: Spot, said: object, place: Pose, entity: Entity) -> Percept:
    given = fields(spot, said, ("pose", "joints", "cov"))
    joints = _joints(spot / "joints", given.get("joints", {}), entity)
    return Percept(place, joints, optional(given, spot, "cov", _covariance))


def _joints(spot: Spot, value: object, entity: Entity) -> dict[str, float]:
    known = entity.articulated.joints if entity.articulated else {}
    given = mapping(spot, value)
    for joint in given:
        if joint not in known:
            are = f"; there is {', '.join(known)}" if known else f"; {entity.name} has no joints"
            raise (spot / joint).wrong(f"there is no such joint{like(joint, known) or are}")
    return {
        joint: number(spot / joint, said, -_FARTHEST_JOINT, _FARTHEST_JOINT)
        for joint, said in given.items()
    }


def _covariance(spot: Spot, value: object) -> Floats:
    """Reads a 6×6 covariance, as 36 numbers or as six rows: symmetric and positive semidefinite.

    A variance of zero means that this direction is known exactly.
    """
    rows = sequence(spot, value, 36)
    if len(rows) == 6:
        rows = [each for i, row in enumerate(rows) for each in sequence(spot.item(i), row, 6)]
    if len(rows) != 36:
        raise spot.wrong(f"must be 36 numbers or six rows of six; there are {len(rows)}")
    found = numbers(spot, list(rows), 36, -_UNSUREST, _UNSUREST).reshape(6, 6)
    largest = float(np.abs(found).max())
    if np.abs(found - found.T).max() > _ALIKE * largest:
        raise spot.wrong("is not symmetric: [i][j] and [j][i] must be equal")
    even: Floats = (found + found.T) / 2
    if _is_negative(even):
        raise spot.wrong("is not a covariance: its variance in some direction is negative")
    even.flags.writeable = False
    return even


def _is_negative(matrix: Floats) -> bool:
    """Whether a matrix has a negative eigenvalue, beyond rounding.

    Position and rotation have different units, so each has its own scale. The eigenvalues are those
    of the correlation matrix.
    """
    largest = np.repeat(np.abs(matrix.diagonal()).reshape(2, 3).max(axis=1), 3)
    firm = matrix + np.diag(np.maximum(_NOTHING * largest, _LEAST))
    if firm.diagonal().min() <= 0.0:
        return True
    deviations = np.sqrt(firm.diagonal())
    return bool(np.linalg.eigvalsh(firm / np.outer(deviations, deviations)).min() < -_ALIKE)


def _unnamed(spot: Spot, value: object) -> tuple[Unnamed, ...]:
    return tuple(
        _stranger(spot.item(i), each) for i, each in enumerate(sequence(spot, value, _MOST_UNNAMED))
    )


def _stranger(spot: Spot, value: object) -> Unnamed:
    given = fields(spot, value, ("shape", "pose"))
    for field in ("shape", "pose"):
        if field not in given:
            raise (spot / field).wrong("is missing: an unnamed object needs a shape and a pose")
    return Unnamed(read_shape(spot / "shape", given["shape"]), pose(spot / "pose", given["pose"]))


def _agents(spot: Spot, value: object, scene: Scene) -> dict[str, dict[str, Pose]]:
    given = mapping(spot, value)
    for name in given:
        if name not in scene.agents:
            raise (spot / name).wrong(_unknown(name, scene, "agents"))
    said = {name: fields(spot / name, parts, PARTS) for name, parts in given.items()}
    places = [
        (spot / name / part, at) for name, parts in said.items() for part, at in parts.items()
    ]
    found = iter(poses(places))
    return {name: {part: next(found) for part in parts} for name, parts in said.items()}


def _empty(spot: Spot, value: object, scene: Scene) -> dict[str, tuple[str, ...]]:
    """Reads the hands that hold nothing, by agent: `{"myself": ["right_hand"]}`."""
    found = {}
    for name, hands in mapping(spot, value).items():
        if name not in scene.agents:
            raise (spot / name).wrong(_unknown(name, scene, "agents"))
        listed = sequence(spot / name, hands, len(GRASPING))
        found[name] = tuple(choice(spot / name, hand, GRASPING, "hand") for hand in listed)
    return found


def _unknown(name: str, scene: Scene, section: str = "objects") -> str:
    """The message for a name that the scene does not have in this section."""
    if section == "objects" and name in scene.agents:
        return "is an agent of the scene: list it under agents"
    if section == "agents" and name in scene.entities:
        return "is an entity of the scene, not an agent: list it under objects"
    known = scene.agents if section == "agents" else scene.entities
    return f"{shown(name)} is not in the scene{like(name, known)}"
