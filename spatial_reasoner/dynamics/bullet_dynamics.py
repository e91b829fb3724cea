"""Bullet's laws of motion: bodies that fall, slide and are carried, among others that don't.

A run takes some bodies that are loose and some that are fixed; nothing else is there. Fixed ones go
where they are said to go, at one speed, whatever meets them, and have that speed while they move:
what merely jumps from place to place drags nothing along and lets things fall through. All is said
anew for each run, so one client serves every mind, and what comes out depends on what goes in.

Containers are never made of a hull, which would close them, but of convex pieces.

The roads not taken: all bodies loose, which costs twenty times as much for fifty of them; a client
for each mind (28 MB each); Bullet's own snapshots, after which compounds go on differently.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from spatial_reasoner.dynamics.bullet import joined
from spatial_reasoner.dynamics.leashes import FREE, Body, Leash, Leashed
from spatial_reasoner.dynamics.limits import checked_poses
from spatial_reasoner.dynamics.matter import Solid
from spatial_reasoner.dynamics.quiet import quiet
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.geometry.compounds import MOST_AT_ONCE, compound
from spatial_reasoner.geometry.polygons import Rows
from spatial_reasoner.geometry.poses import Floats, Pose, compose
from spatial_reasoner.geometry.shapes import Piece
from spatial_reasoner.geometry.ways import STEP, Way, way
from spatial_reasoner.values.tolerances import GRAVITY

with quiet():  # it prints when it was built
    import pybullet

__all__ = ["Dynamics"]


_PARTING: Final = 0.08
"""The share of an overlap that goes in each step: with Bullet's own 0.2 a thing that is perceived
2 cm deep in a table is thrown 3 cm up, and with this it comes out and stays."""
_FRICTION: Final = 0.6
_ROLLING: Final = 0.001
"""Metres: so far from over an edge a ball stays on it, and on slopes of a degree or two. More would
keep it from rolling at all, on edges that it would fall from, and cups balanced on their rims."""
_DAMPING: Final = {"linearDamping": 0.04, "angularDamping": 0.9}
_FASTEST: Final = 6.0
"""No body goes faster; who falls from a cupboard is as fast as that."""
_SETTLED: Final = 4
_OFTEN: Final = 2
"""Whether all rests is looked at from the fifth step on, every second."""
_WAITS: Final = 24
"""Runs: a body that takes part in none costs a third of a microsecond each step, and 85 to make;
so long it costs as much, and no more than twice what was best is ever spent."""
_KEPT: Final = 512
_DISTANCE: Final = 8
"""Where Bullet has it among what it says of a contact."""
_FIXED: Final = 1
_LOOSE: Final = 2
_AWAY: Final = 1e4
_APART: Final = 50.0
"""Where bodies wait that take no part, and how far from each other: side by side they cost most."""


class Dynamics:
    """One place where bodies meet; it belongs to one thread at a time.

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
        with quiet():
            self._client: Final[int] = pybullet.connect(pybullet.DIRECT)
        self._is_open = True
        self._folder: Final = TemporaryDirectory(prefix="solids-")
        self._numbers: Final = count()
        self._forms: Final[dict[tuple[object, ...], int]] = {}
        self._bodies: Final[dict[int, Body]] = {}
        self._there: set[int] = set()
        self._idle: Final[dict[int, int]] = {}
        """In how many runs each body took no part."""
        self.steps = 0
        """How many were made so far."""
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
        """Gives back all that it holds; twice does no harm."""
        if self._is_open:
            self._is_open = False
            pybullet.disconnect(physicsClientId=self._client)
            self._folder.cleanup()

    @property
    def forms(self) -> int:
        """How many are kept, to make bodies of."""
        return len(self._forms)

    def run(
        self,
        solids: Mapping[int, Solid],
        loose: Loose,
        fixed: Fixed,
        seconds: float,
        leash: Leash = FREE,
        ends_at_rest: bool = False,
    ) -> Loose:
        """What becomes of loose bodies in some time; `solids` are what all of them are made of.

        A loose body that gets to the end of its leash is put back where it began at once, and is
        fixed from then on, so that it disturbs nothing; how far it got is told, and its velocity is
        NaN. Such a run, and one
        that `ends_at_rest`, ends as soon as all that is loose rests.
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
        ways = [(stays[k], way(begin[k], end[k], stays[k].middle, steps)) for k in moves]
        leashed = Leashed(bodies, places, leash, loose.rows.tolist())
        self._step(leashed, ways, steps, ends_at_rest)
        return self._found(loose.rows, poses, leashed)

    def depth(self, row: int) -> float:
        """How deep a body of the last run is in others at its end, in metres."""
        number = self._bodies[row].number
        touched = pybullet.getContactPoints(number, physicsClientId=self._client)
        return max((-point[_DISTANCE] for point in touched), default=0.0)

    def depths(self, solids: Mapping[int, Solid], row: int, pose: Pose, fixed: Fixed) -> Floats:
        """How deep a body would be in each of those that are fixed, in metres; nothing moves."""
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
        """The bodies of rows, and where their middles are when they are at poses."""
        bodies = [self._bodies[row] for row in rows.tolist()]
        middles = np.array([body.middle for body in bodies]).reshape(-1, 7)
        return bodies, compose(poses, middles).tolist()

    def _step(
        self, leashed: Leashed, ways: Sequence[tuple[Body, Way]], steps: int, ends_at_rest: bool
    ) -> None:
        """Makes steps, and no more once all that are loose are at the end of a leash, or rest."""
        begun = 0
        for step in range(steps):
            for body, along in ways:
                self._put(body, along.places[step])
                self._push(body, along.velocity)
            pybullet.stepSimulation(physicsClientId=self._client)
            self.steps += 1
            if leashed.is_any and self._pull_back(leashed):
                begun = step + 1  # what went back with it begins anew, at rest
                if all(leashed.held):
                    break
            is_due = step + 1 - begun >= _SETTLED and step % _OFTEN == 0
            if is_due and (ends_at_rest or leashed.is_any) and self._rests(leashed):
                break

    def _rests(self, leashed: Leashed) -> bool:
        """Whether all that is on a leash still rests; what hovers or tips over is faster by now."""
        each = zip(leashed.bodies, leashed.held, leashed.slow, strict=True)
        return all(held or self._speed(body) < slow for body, held, slow in each)

    def _speed(self, body: Body) -> float:
        """The fastest that a body goes or turns along an axis."""
        linear, angular = pybullet.getBaseVelocity(body.number, physicsClientId=self._client)
        fastest: float = max(map(abs, (*linear, *angular)))
        return fastest

    def _pull_back(self, leashed: Leashed) -> bool:
        """Puts back what has got too far, if any has; by numbers, for arrays cost a third of a run
        here."""
        were_held = sum(leashed.held)
        for k, body in enumerate(leashed.bodies):
            if leashed.held[k]:
                continue
            place, turn = self._whereabouts(body)
            away = math.dist(place, self._left(leashed, k))
            if away > leashed.lengths[k] or leashed.is_turned(k, turn):
                leashed.hold(k, place)
                self._loosen(body, False)
                self._put(body, leashed.starts[k])
                back = np.subtract(leashed.begin(k), place)
                for inside in leashed.within(k):
                    self._shift(inside, back)
        return sum(leashed.held) > were_held

    def _left(self, leashed: Leashed, k: int) -> Sequence[float]:
        """Where a body began, as far as what carries it has come meanwhile."""
        begin, carrier = leashed.begin(k), leashed.carrier(k)
        if carrier is None:
            return begin
        now, before = self._place(leashed.bodies[carrier]), leashed.begin(carrier)
        return [at + to - of for at, to, of in zip(begin, now, before, strict=True)]

    def _shift(self, body: Body, by: Floats) -> None:
        """Moves a loose body by so much, and stops it."""
        if body.is_loose:
            place, turn = self._whereabouts(body)
            self._put(body, [*np.add(place, by).tolist(), *turn])

    def _found(self, rows: Rows, starts: Floats, leashed: Leashed) -> Loose:
        poses, velocities = starts.copy(), np.full((len(rows), 6), np.nan)
        for k, body in enumerate(leashed.bodies):
            if leashed.held[k]:
                poses[k, :3] += leashed.ways[k]
            else:
                poses[k] = self._pose(body)
                velocities[k] = self._velocity(body)
        return Loose(rows, poses, velocities)

    # --- who takes part ---

    def _gather(
        self, solids: Mapping[int, Solid], loose: Sequence[int], fixed: Sequence[int]
    ) -> None:
        """Has exactly some bodies there, each in its part."""
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
            self._group(self._bodies[row])  # which has it forget what it touched in earlier runs

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
        """The number of a form; made once for all that are alike."""
        if solid.key not in self._forms:
            with quiet():
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
        """Starts anew once too much was made: Bullet gives nothing back of a form once used."""
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
        mass = max(body.solid.mass, 1e-3) if is_loose else 0.0
        pybullet.changeDynamics(body.number, -1, mass=mass, physicsClientId=self._client)
        self._group(body)

    def _group(self, body: Body) -> None:
        """Fixed bodies don't meet each other."""
        group, meets = (_LOOSE, _LOOSE | _FIXED) if body.is_loose else (_FIXED, _LOOSE)
        pybullet.setCollisionFilterGroupMask(
            body.number, -1, group, meets, physicsClientId=self._client
        )

    def _stay(self, body: Body, place: list[float]) -> None:
        """Puts a fixed body somewhere; most are there already."""
        if body.at != place:
            self._put(body, place)
            body.at = place

    def _put(self, body: Body, place: list[float]) -> None:
        """Puts the middle of a body somewhere, at rest."""
        body.at = None
        pybullet.resetBasePositionAndOrientation(
            body.number, place[:3], place[3:], physicsClientId=self._client
        )

    def _push(self, body: Body, velocity: list[float]) -> None:
        pybullet.resetBaseVelocity(
            body.number, velocity[:3], velocity[3:], physicsClientId=self._client
        )

    def _place(self, body: Body) -> list[float]:
        """Where the middle of a body is."""
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
