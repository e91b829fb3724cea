"""Rigid-body simulation in Bullet: loose bodies fall, slide and are carried among fixed ones.

1. Put all bodies at their poses; send all others far away.
2. In each step of 1/240 s, move fixed bodies toward their end poses at constant velocity. They
   have that velocity in Bullet: a body that only changed its pose would not drag its contents
   along, and objects would fall through it.
3. Put a loose body that exceeds its limits back where it began, and fix it there.
4. Stop after the given time, or as soon as all loose bodies are at rest.

Each run sets its whole state, so one client serves all minds. The danger: a convex hull closes a
container. Containers are therefore made of convex pieces.

The roads not taken: all bodies loose, which costs twenty times as much for fifty bodies; a client
for each mind (28 MB each); Bullet's own snapshots, after which compounds move differently.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from spatial_reasoner.dynamics.bullet import joined
from spatial_reasoner.dynamics.captured_output import captured_output
from spatial_reasoner.dynamics.input_checks import checked_poses
from spatial_reasoner.dynamics.motion_limits import FREE, Body, LimitedBodies, MotionLimits
from spatial_reasoner.dynamics.rigid_bodies import Solid
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.geometry.arrays import Floats, Rows
from spatial_reasoner.geometry.compounds import MOST_AT_ONCE, compound
from spatial_reasoner.geometry.poses import Pose, compose
from spatial_reasoner.geometry.shapes import Piece
from spatial_reasoner.geometry.trajectories import STEP, Trajectory, trajectory
from spatial_reasoner.tolerances.tolerances import GRAVITY
from spatial_reasoner.tolerances.units import Limit, Measure, Numeric

with captured_output():  # PyBullet prints its build time
    import pybullet

__all__ = ["Dynamics"]

_PARTING: Final[Numeric] = 0.08
"""The share of a penetration that each step corrects (ERP). With Bullet's 0.2 an object that is
perceived 2 cm deep in a table is thrown 3 cm up; with this value it comes out and stays."""
_FRICTION: Final[Measure] = 0.6
"""The friction coefficient of each body; Bullet multiplies those of two bodies in contact: 0.36."""
_ROLLING: Final[Measure] = 0.001
"""Metres: balls stay on slopes to 3° (radius 2 cm) or 1° (6 cm). More would hold them at edges."""
_DAMPING: Final[Mapping[str, Measure]] = {"linearDamping": 0.04, "angularDamping": 0.9}
"""The shares of the velocity and of the rotation that a body loses in 1 s."""
_LIGHTEST: Final[Limit] = 1e-3
"""Kilograms: the least mass of a loose body, because Bullet takes a body without mass as fixed."""
_FASTEST: Final[Limit] = 6.0
"""m/s: the greatest velocity that a run returns, about that of a fall from a cupboard."""
_SETTLED: Final = 4
_OFTEN: Final = 2
"""Steps: whether all bodies are at rest is checked from the fifth step on, in every second one."""
_WAITS: Final = 24
"""Runs after which an unused body is removed: its upkeep equals the cost of a new one then."""
_KEPT: Final = 512
"""Collision shapes after which the simulation is reset, because Bullet does not free them."""
_DISTANCE: Final = 8
"""The index of the distance in Bullet's contact points."""
_FIXED, _LOOSE = 1, 2
_AWAY: Final[Numeric] = 1e4
_APART: Final[Numeric] = 50.0
"""Metres: the depth at which unused bodies are stored, and their distance from each other."""


class Dynamics:
    """One Bullet client for simulation runs; only one thread may use it at a time.

    >>> from spatial_reasoner.geometry.shapes import box, plane
    >>> cube, ground = box(np.full(3, 0.1)), plane()
    >>> solids = {0: Solid.of(ground, 1.0), 1: Solid.of(cube, 0.3)}
    >>> X_W0, X_W1 = np.array([[0, 0, 0, 0, 0, 0, 1.0]]), np.array([[0, 0, 0.5, 0, 0, 0, 1.0]])
    >>> with Dynamics() as dynamics:
    ...     loose, fixed = Loose.still(np.array([1]), X_W1), Fixed.still(np.array([0]), X_W0)
    ...     fallen = dynamics.run(solids, loose, fixed, seconds=1.0)
    >>> fallen.poses[0, :3].round(2) + 0.0
    array([0.  , 0.  , 0.05])
    """

    def __init__(self) -> None:
        with captured_output():
            self._client: Final[int] = pybullet.connect(pybullet.DIRECT)
        self._is_open = True
        self._folder: Final = TemporaryDirectory(prefix="solids-")
        self._numbers: Final = count()
        self._forms: Final[dict[tuple[object, ...], int]] = {}
        self._bodies: Final[dict[int, Body]] = {}
        self._there: set[int] = set()
        self._idle: Final[dict[int, int]] = {}
        """For each body, the number of runs since it last took part."""
        self.steps = 0
        """The number of simulation steps so far."""
        self._begin()

    def _begin(self) -> None:
        pybullet.setGravity(0, 0, -GRAVITY, physicsClientId=self._client)
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=STEP, contactERP=_PARTING, erp=_PARTING, enableFileCaching=0,
            deterministicOverlappingPairs=1, physicsClientId=self._client,
        )  # fmt: skip

    def __enter__(self) -> "Dynamics":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Disconnects the client and removes its files; further calls have no effect."""
        if self._is_open:
            self._is_open = False
            pybullet.disconnect(physicsClientId=self._client)
            self._folder.cleanup()

    @property
    def forms(self) -> int:
        """The number of stored collision shapes."""
        return len(self._forms)

    def run(
        self,
        solids: Mapping[int, Solid],
        loose: Loose,
        fixed: Fixed,
        seconds: float,
        limits: MotionLimits = FREE,
        ends_at_rest: bool = False,
    ) -> Loose:
        """Simulates loose bodies for some seconds; `solids` has the solids of all bodies.

        A body that exceeds its limits is put back and fixed, so that it disturbs no other body. It
        is returned with the position where it exceeded them, and a velocity of NaN. With limits or
        `ends_at_rest`, a run ends when all loose bodies rest. ValueError for a wrong pose.
        """
        self._tidy()
        poses = checked_poses(loose.poses)
        begin, end = checked_poses(fixed.begin), checked_poses(fixed.end)
        self._gather(solids, loose.rows.tolist(), fixed.rows.tolist())
        bodies, places = self._placed(loose.rows, poses)
        stays, at = self._placed(fixed.rows, begin)
        for body, place in zip(stays, at, strict=True):
            self._stay(body, place)
        for body, place, velocity in zip(bodies, places, loose.velocities.tolist(), strict=True):
            self._put(body, place)
            self._push(body, velocity)
        steps = max(1, round(seconds / STEP))
        moves = np.flatnonzero((begin != end).any(axis=1)).tolist()
        ways = [(stays[k], trajectory(begin[k], end[k], stays[k].middle, steps)) for k in moves]
        limited = LimitedBodies(bodies, places, limits, loose.rows.tolist())
        self._step(limited, ways, steps, ends_at_rest)
        return self._found(loose.rows, poses, limited)

    def depth(self, row: int) -> float:
        """The penetration depth of a body at the end of the last run, in metres."""
        number = self._bodies[row].number
        touched = pybullet.getContactPoints(number, physicsClientId=self._client)
        return max((-point[_DISTANCE] for point in touched), default=0.0)

    def depths(self, solids: Mapping[int, Solid], row: int, pose: Pose, fixed: Fixed) -> Floats:
        """The penetration depths of a body at a pose in each fixed body, in metres; none moves."""
        self._tidy()
        self._gather(solids, [row], fixed.rows.tolist())
        stays, at = self._placed(fixed.rows, checked_poses(fixed.begin))
        for other, there in zip(stays, at, strict=True):
            self._stay(other, there)
        [body], [place] = self._placed(np.array([row]), checked_poses(pose))
        self._put(body, place)
        return np.array([self._depth(body, other) for other in stays])

    def _depth(self, body: Body, other: Body) -> float:
        met = pybullet.getClosestPoints(
            body.number, other.number, 0.0, physicsClientId=self._client
        )
        return max((-point[_DISTANCE] for point in met), default=0.0)

    def _placed(self, rows: Rows, poses: Floats) -> tuple[list[Body], list[list[float]]]:
        """The bodies of rows, and the poses of their centres of mass for given poses."""
        bodies = [self._bodies[row] for row in rows.tolist()]
        middles = np.array([body.middle for body in bodies]).reshape(-1, 7)
        return bodies, compose(poses, middles).tolist()

    def _step(
        self, limited: LimitedBodies, ways: list[tuple[Body, Trajectory]], steps: int, rests: bool
    ) -> None:
        """Makes steps until all loose bodies are pulled back or at rest, or the time is over."""
        begun = 0
        for step in range(steps):
            for body, along in ways:
                self._put(body, along.places[step])
                self._push(body, along.velocity)
            pybullet.stepSimulation(physicsClientId=self._client)
            self.steps += 1
            if limited.is_any and self._pull_back(limited):
                begun = step + 1  # contents that were put back with it begin again, at rest
                if all(limited.held):
                    break
            is_due = step + 1 - begun >= _SETTLED and step % _OFTEN == 0
            if is_due and (rests or limited.is_any) and self._rests(limited):
                break

    def _rests(self, limited: LimitedBodies) -> bool:
        """Whether all loose bodies are slow; by now a falling or tipping body would be faster."""
        each = zip(limited.bodies, limited.held, limited.slow, strict=True)
        return all(held or self._speed(body) < slow for body, held, slow in each)

    def _speed(self, body: Body) -> float:
        """The largest component of the velocities of a body, in m/s or rad/s."""
        linear, angular = pybullet.getBaseVelocity(body.number, physicsClientId=self._client)
        fastest: float = max(map(abs, (*linear, *angular)))
        return fastest

    def _pull_back(self, limited: LimitedBodies) -> bool:
        """Puts back the bodies that exceed their limits; returns whether there were any."""
        # Numpy arrays instead of single numbers would cost a third of a run here.
        were_held = sum(limited.held)
        for k, body in enumerate(limited.bodies):
            if limited.held[k]:
                continue
            place, turn = self._whereabouts(body)
            away = math.dist(place, self._left(limited, k))
            if away > limited.lengths[k] or limited.is_turned(k, turn):
                limited.hold(k, place)
                self._loosen(body, False)
                self._put(body, limited.starts[k])
                back = np.subtract(limited.begin(k), place)
                for inside in limited.within(k):
                    self._shift(inside, back)
        return sum(limited.held) > were_held

    def _left(self, limited: LimitedBodies, k: int) -> Sequence[float]:
        """The start position of a body, moved with the loose body that carries it."""
        begin, carrier = limited.begin(k), limited.carrier(k)
        if carrier is None:
            return begin
        now, before = self._place(limited.bodies[carrier]), limited.begin(carrier)
        return [at + to - of for at, to, of in zip(begin, now, before, strict=True)]

    def _shift(self, body: Body, by: Floats) -> None:
        """Moves a loose body by a vector, and stops it."""
        if body.is_loose:
            place, turn = self._whereabouts(body)
            self._put(body, [*np.add(place, by).tolist(), *turn])

    def _found(self, rows: Rows, starts: Floats, limited: LimitedBodies) -> Loose:
        poses, velocities = starts.copy(), np.full((len(rows), 6), np.nan)
        for k, body in enumerate(limited.bodies):
            if limited.held[k]:
                poses[k, :3] += limited.ways[k]
            else:
                poses[k] = self._pose(body)
                velocities[k] = self._velocity(body)
        return Loose(rows, poses, velocities)

    # --- the bodies of a run ---

    def _gather(
        self, solids: Mapping[int, Solid], loose: Sequence[int], fixed: Sequence[int]
    ) -> None:
        """Makes the bodies of a run, sends all others away, and sets which are loose and fixed."""
        for row in (*loose, *fixed):
            if row not in self._bodies or self._bodies[row].solid.key != solids[row].key:
                self._remove(row)
                self._bodies[row] = self._made(solids[row])
        there = {*loose, *fixed}
        for row in self._there - there:
            self._send_away(row)
        self._there = there
        self._idle.update(dict.fromkeys(there, 0))
        for row in self._idle.keys() - there:
            self._idle[row] += 1
            if self._idle[row] > _WAITS:
                self._remove(row)
        for row in fixed:
            self._loosen(self._bodies[row], False)
        for row in loose:
            self._loosen(self._bodies[row], True)
            self._group(self._bodies[row])  # this clears its contacts of earlier runs

    def _made(self, solid: Solid) -> Body:
        number: int = pybullet.createMultiBody(
            0, self._form(solid), -1, (0, 0, -_AWAY),
            baseInertialFramePosition=solid.middle.tolist(), physicsClientId=self._client,
        )  # fmt: skip
        pybullet.changeDynamics(
            number, -1, lateralFriction=_FRICTION, rollingFriction=_ROLLING,
            spinningFriction=_ROLLING, restitution=0.0, **_DAMPING,
            physicsClientId=self._client,
        )  # fmt: skip
        body = Body(number, solid)
        self._group(body)
        return body

    def _form(self, solid: Solid) -> int:
        """The number of a collision shape, which is made once for all equal solids."""
        if solid.key not in self._forms:
            with captured_output():
                self._forms[solid.key] = self._new_form(solid)
        return self._forms[solid.key]

    def _new_form(self, solid: Solid) -> int:
        form: dict[str, Any] = {"shapeType": pybullet.GEOM_PLANE}
        if not solid.is_ground:
            has_hulls = any(piece.kind == "hull" for piece in solid.pieces)
            if len(solid.pieces) <= MOST_AT_ONCE and not has_hulls:
                return joined(solid.pieces, self._client)
            form = {"shapeType": pybullet.GEOM_MESH, "fileName": self._file(solid.pieces)}
        number: int = pybullet.createCollisionShape(**form, physicsClientId=self._client)
        return number

    def _file(self, pieces: Sequence[Piece]) -> str:
        path = Path(self._folder.name, f"{next(self._numbers)}.obj")
        path.write_text(compound(pieces), encoding="ascii")
        return str(path)

    def _tidy(self) -> None:
        """Resets the simulation after many shapes, because Bullet does not free used shapes."""
        if len(self._forms) <= max(_KEPT, 2 * len(self._bodies)):
            return
        pybullet.resetSimulation(physicsClientId=self._client)
        for file in Path(self._folder.name).iterdir():
            file.unlink()
        self._forms.clear()
        self._bodies.clear()
        self._idle.clear()
        self._there = set()
        self._begin()

    def _remove(self, row: int) -> None:
        body = self._bodies.pop(row, None)
        if body is not None:
            pybullet.removeBody(body.number, physicsClientId=self._client)
            self._there.discard(row)
            self._idle.pop(row, None)

    def _send_away(self, row: int) -> None:
        body = self._bodies[row]
        self._loosen(body, False)
        self._put(body, [_APART * row, 0.0, -_AWAY, 0.0, 0.0, 0.0, 1.0])

    # --- one body ---

    def _loosen(self, body: Body, is_loose: bool) -> None:
        if body.is_loose == is_loose:
            return
        body.is_loose = is_loose
        mass = max(body.solid.mass, _LIGHTEST) if is_loose else 0.0
        pybullet.changeDynamics(body.number, -1, mass=mass, physicsClientId=self._client)
        self._group(body)

    def _group(self, body: Body) -> None:
        """Sets the collision group of a body; fixed bodies don't collide with each other."""
        group, meets = (_LOOSE, _LOOSE | _FIXED) if body.is_loose else (_FIXED, _LOOSE)
        pybullet.setCollisionFilterGroupMask(
            body.number, -1, group, meets, physicsClientId=self._client
        )

    def _stay(self, body: Body, place: list[float]) -> None:
        """Puts a fixed body at a pose, unless it is there already."""
        if body.at != place:
            self._put(body, place)
            body.at = place

    def _put(self, body: Body, place: list[float]) -> None:
        """Puts the centre of mass of a body at a pose, at rest."""
        body.at = None
        pybullet.resetBasePositionAndOrientation(
            body.number, place[:3], place[3:], physicsClientId=self._client
        )

    def _push(self, body: Body, velocity: list[float]) -> None:
        pybullet.resetBaseVelocity(
            body.number, velocity[:3], velocity[3:], physicsClientId=self._client
        )

    def _place(self, body: Body) -> list[float]:
        """The position of the centre of mass of a body."""
        return self._whereabouts(body)[0]

    def _whereabouts(self, body: Body) -> tuple[list[float], list[float]]:
        found: tuple[list[float], list[float]] = pybullet.getBasePositionAndOrientation(
            body.number, physicsClientId=self._client
        )
        return found

    def _pose(self, body: Body) -> Floats:
        place, turn = self._whereabouts(body)
        return compose(np.array([*place, *turn]), body.origin)

    def _velocity(self, body: Body) -> Floats:
        linear, angular = pybullet.getBaseVelocity(body.number, physicsClientId=self._client)
        velocity = np.array([*linear, *angular])
        velocity[:3] *= min(1.0, _FASTEST / max(float(np.linalg.norm(linear)), 1e-9))
        return velocity
