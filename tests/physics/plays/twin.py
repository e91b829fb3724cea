"""The ground truth of hidden objects in a play: the twin of the minds' beliefs.

One Bullet world. Objects in a frame are put at their percepts. A hidden object becomes dynamic,
with its last velocity, once frames leave it out. The world never sleeps and has no hands.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.dynamics.masses import mass_of
from spatial_reasoner.dynamics.rigid_bodies import Solid
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.scene.scene import MYSELF, Scene
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.rendering import Eye, Scenery
from tests.plays.play import STEP, Recording

__all__ = ["Truth", "points_seen", "truth_of"]


@dataclass(slots=True)
class Truth:
    """The poses of objects, their perceived velocities, and the positions of joints.

    `loose` objects are unobserved; the values are their velocities.
    """

    scene: Scene
    poses: dict[str, Pose] = field(default_factory=dict)
    speeds: dict[str, Floats] = field(default_factory=dict)
    loose: dict[str, Floats] = field(default_factory=dict)
    joints: dict[str, Mapping[str, float]] = field(default_factory=dict)

    def shape(self, name: str) -> Shape:
        """The present shape of an object."""
        entity = self.scene.entities[name]
        if entity.articulated is None:
            return entity.shape
        return entity.articulated.shape(self.joints.get(name, {}))


def truth_of(recording: Recording, hidden: tuple[str, ...]) -> Truth:
    """The true state at the end of a recording in which some objects are hidden."""
    scene = recording.scene
    given = {n: each.pose for n, each in scene.entities.items() if each.pose is not None}
    truth = Truth(scene, given)
    with Dynamics() as dynamics:
        for frame in recording.frames:
            _take(truth, frame, hidden, dynamics)
    return truth


def _take(truth: Truth, frame: Frame, hidden: tuple[str, ...], dynamics: Dynamics) -> None:
    before = dict(truth.poses)
    for name, percept in frame.objects.items():
        gone = percept.pose[:3] - before.get(name, percept.pose)[:3]
        truth.speeds[name] = np.array([*(gone / STEP), 0, 0, 0])
        truth.poses[name] = percept.pose
        truth.loose.pop(name, None)
        if percept.joints:
            truth.joints[name] = percept.joints
    for name in hidden:
        if name in before and name not in frame.objects:
            truth.loose.setdefault(name, truth.speeds[name])
    if truth.loose:
        _step(truth, before, dynamics)


def _step(truth: Truth, before: Mapping[str, Pose], dynamics: Dynamics) -> None:
    number = {name: row for row, name in enumerate(truth.scene.entities)}
    free = [*truth.loose]
    bound = [name for name in truth.poses if name not in truth.loose]
    ends = np.array([truth.poses[name] for name in bound])
    starts = np.array([before.get(name, truth.poses[name]) for name in bound])
    fixed = Fixed(np.array([number[name] for name in bound]), starts, ends)
    rows, velocities = np.array([number[name] for name in free]), np.array([*truth.loose.values()])
    loose = Loose(rows, np.array([truth.poses[name] for name in free]), velocities)
    solids = {number[name]: _solid(truth, name) for name in truth.poses}
    moved = dynamics.run(solids, loose, fixed, STEP)
    for k, name in enumerate(free):
        truth.poses[name], truth.loose[name] = moved.poses[k], moved.velocities[k]


def _solid(truth: Truth, name: str) -> Solid:
    return Solid.of(truth.shape(name), mass_of(truth.scene.entities[name]))


def points_seen(truth: Truth, name: str, sight: CloseUpSight) -> int:
    """The number of pixels of an object in a fine picture from the robot's head."""
    robot = truth.scene.agents[MYSELF]
    assert robot.head is not None
    names = [*truth.poses]
    poses = np.array([*truth.poses.values()])
    scenery = Scenery([truth.shape(each) for each in names], poses, np.arange(len(names)))
    picture = sight.render(Eye(robot.head, robot.fov, 320, 240), scenery)
    return int((np.asarray(picture) == names.index(name)).sum())
