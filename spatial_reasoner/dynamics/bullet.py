"""A Bullet client for geometric queries: bodies from shapes, rays, pictures, nearest points.

The danger: Bullet crashes or is silently wrong on invalid input. Indices out of range and pictures
that are too large end the process, and a pose that is not finite makes a body vanish. So all input
is checked here, and bodies are made from `Shape` values only. Meshes are passed through files in a
temporary folder, because Bullet never frees meshes that are passed as lists.

A convex hull would close a container. Meshes are therefore triangles, which stop rays from both
sides, and all bodies are fixed, because Bullet allows concave meshes for fixed bodies only.

The roads not taken: a client for each world (28 MB each; a thousand of them abort), and bodies read
from users' files (Bullet does not confine paths, and caches by name).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from spatial_reasoner.dynamics.captured_output import captured_output
from spatial_reasoner.dynamics.input_checks import (
    checked_fov,
    checked_points,
    checked_poses,
    checked_shape,
)
from spatial_reasoner.errors import MeshRefused
from spatial_reasoner.geometry.arrays import Floats, Indices, Singles
from spatial_reasoner.geometry.poses import rotations
from spatial_reasoner.geometry.render_meshes import drawn
from spatial_reasoner.geometry.shapes import Piece, Shape
from spatial_reasoner.tolerances.units import Limit, Numeric
from spatial_reasoner.values.rendering import NOTHING, Eye, Picture, Scenery

with captured_output():  # PyBullet prints its build time
    import pybullet

__all__ = ["FAR", "NEAR", "Bullet", "Nearest", "joined"]

NEAR: Final[Limit] = 0.05
FAR: Final[Limit] = 100.0
"""Metres along the axis of an eye: only objects between the two are drawn, and can be seen. A wider
range would make the depths in a picture coarser. All renderers share it."""

_RAYS: Final = 16_000
"""Rays in one call: Bullet accepts 16 383, and silently drops any more."""
_WIDEST: Final = 4096
"""The greatest width and height of a picture, in pixels."""
_KEPT: Final = 512
"""Shapes after which the simulation is reset, because Bullet does not free them."""
_AWAY: Final[tuple[Numeric, ...]] = (0.0, 0.0, -1e5)
"""The position, in metres, at which bodies without a place are stored."""
_BEHIND: Final[Numeric] = 1e4
"""Metres behind an eye at which bodies that are not placed are stored while it draws."""
_ALL: Final = 1
_CHOSEN: Final = 2
"""Collision groups: all bodies, and those that the rays of a call are limited to."""


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """The nearest points of two bodies, in the world; if they overlap, `distance` is negative."""

    distance: float
    on_one: Floats
    on_other: Floats


class Bullet:
    """One world of bodies, each with its row; queries find only bodies that are placed.

    Only one thread may use it at a time. Calls never release Python's global lock.

    >>> from spatial_reasoner.geometry.shapes import box
    >>> with Bullet() as bullet:
    ...     bullet.shape(0, box(np.ones(3)))
    ...     bullet.place(np.array([0]), np.array([[3, 0, 0, 0, 0, 0, 1.0]]))
    ...     bullet.rays([[0, 0, 0]], [[10, 0, 0]])
    (array([0], dtype=int32), array([0.25]))
    """

    def __init__(self) -> None:
        with captured_output():
            self.client: Final[int] = pybullet.connect(pybullet.DIRECT)
        self._open = True
        self._folder: Final = TemporaryDirectory(prefix="bodies-")
        self.generation = 0
        """The number of resets so far; a reset removes all that others loaded into the client."""
        self._numbers: Final = count()
        self._made: Final[dict[tuple[object, ...], tuple[int, int]]] = {}
        self._bodies: Final[dict[int, int]] = {}
        self._shapes: Final[dict[int, Shape]] = {}
        self._rows: Indices = np.full(1, NOTHING, dtype=np.int32)
        self._there: set[int] = set()
        self._chosen: set[int] = set()
        self._at: Final[dict[int, tuple[float, ...]]] = {}
        self._placed: tuple[bytes, bytes] | None = None

    def __enter__(self) -> "Bullet":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Disconnects the client and removes its files; further calls have no effect."""
        if self._open:
            self._open = False
            pybullet.disconnect(physicsClientId=self.client)
            self._folder.cleanup()

    def body(self, row: int) -> int:
        """Bullet's number for the body of a row; KeyError if the row has no body."""
        return self._bodies[row]

    def shape(self, row: int, shape: Shape) -> None:
        """Makes the body of a row; if the shape differs (a door moved), the body is made again.

        A body that is made again is not placed. MeshRefused names what is wrong with a shape.
        """
        old = self._shapes.get(row)
        if old is shape:
            return
        if old is None or old.key != shape.key:
            made = self._kept(shape)
            self._remove(row)
            self._shapes[row] = shape
            self._add(row, made)
        self._shapes[row] = shape

    def place(self, rows: ArrayLike, poses: ArrayLike) -> None:
        """Places the bodies of rows at poses, one for one, and removes all others from the world.

        ValueError if a pose is not finite, too far away, or no rotation; then no body moves.
        """
        rows, poses = np.asarray(rows, dtype=np.intp), checked_poses(poses)
        said = (rows.tobytes(), poses.tobytes())
        if said == self._placed:
            return
        self._placed = None
        bodies = [self._bodies[row] for row in rows.tolist()]
        for body, pose in zip(bodies, poses.tolist(), strict=True):
            self._move(body, pose[:3], pose[3:])
        for body in self._there.difference(bodies):
            self._move(body, _AWAY, (0.0, 0.0, 0.0, 1.0))
        self._there = set(bodies)
        self._placed = said

    def arrange(self, scenery: Scenery) -> None:
        """Makes the missing bodies of a scenery, and places exactly its rows."""
        for row in scenery.rows.tolist():
            shape = scenery.shapes[row]
            if shape is None:
                raise ValueError(f"row {row} cannot be drawn because it has no shape")
            self.shape(row, shape)
        self.place(scenery.rows, scenery.poses[scenery.rows])

    def rays(
        self, starts: ArrayLike, ends: ArrayLike, rows: Sequence[int] | None = None
    ) -> tuple[Indices, Floats]:
        """The first row that each ray hits (NOTHING if none), and at which fraction of its length.

        With `rows`, rays pass through all others. A body in which a ray starts does not stop it,
        except a mesh, which stops rays from both sides. ValueError for points that are not finite
        or too far away.
        """
        begin, end = checked_points(starts), checked_points(ends)
        if begin.shape != end.shape:
            raise ValueError(f"rays need as many starts as ends, not {len(begin)} and {len(end)}")
        if rows is None:
            return self._cast(begin, end, _ALL)
        self._choose({self._bodies[row] for row in rows})
        return self._cast(begin, end, _CHOSEN)

    def picture(self, eye: Eye) -> Picture:
        """The view of an eye, drawn by TinyRenderer: the visible row at each pixel."""
        return self.drawn(eye)[0]

    def drawn(self, eye: Eye) -> tuple[Picture, Singles]:
        """The picture, and the depth of each pixel along the axis, in metres; FAR if empty."""
        if not (0 < eye.width <= _WIDEST and 0 < eye.height <= _WIDEST):
            raise ValueError(f"a picture must be 1 to {_WIDEST} pixels wide and high")
        self._turn_away(eye)
        view, projection = _camera(eye)
        _, _, _, depth, mask = pybullet.getCameraImage(
            eye.width,
            eye.height,
            view,
            projection,
            renderer=pybullet.ER_TINY_RENDERER,
            flags=pybullet.ER_SEGMENTATION_MASK_OBJECT_AND_LINKINDEX,
            shadow=0,
            physicsClientId=self.client,
        )
        body = np.asarray(mask, dtype=np.int32).reshape(eye.height, eye.width)
        ahead = FAR * NEAR / (FAR - (FAR - NEAR) * np.asarray(depth, dtype=np.float32))
        picture = self._rows_of(np.where(body < 0, -1, body & 0xFFFFFF))
        return picture, ahead.reshape(picture.shape)

    def _turn_away(self, eye: Eye) -> None:
        """Stores all bodies that are not placed behind an eye.

        TinyRenderer never ends if a body is far away and beside the eye, neither before nor behind.
        """
        behind = eye.pose[:3] - _BEHIND * rotations(eye.pose)[:, 0]
        for body in set(self._bodies.values()) - self._there:
            self._move(body, behind.tolist(), (0.0, 0.0, 0.0, 1.0))

    def nearest(self, row: int, other: int, within: float) -> Nearest | None:
        """The nearest points of two bodies; None beyond `within` (m). At most one may be a mesh."""
        found = pybullet.getClosestPoints(
            self._bodies[row], self._bodies[other], float(within), physicsClientId=self.client
        )
        if not found:
            return None
        best = min(found, key=lambda point: float(point[8]))
        return Nearest(float(best[8]), np.array(best[5]), np.array(best[6]))

    # --- making ---

    def _kept(self, shape: Shape) -> tuple[int, int]:
        """The numbers of a collision shape and a visual shape, made once for all equal shapes."""
        made = self._made.get(shape.key)
        if made is None:
            checked_shape(shape)
            self._tidy()
            with captured_output() as said:
                pybullet.setPhysicsEngineParameter(
                    enableFileCaching=0, physicsClientId=self.client
                )
                made = self._collision(shape), self._visual(shape)
            if min(made) < 0:
                raise MeshRefused(shape.kind, f"Bullet can't make it: {said.text}")
            self._made[shape.key] = made
        return made

    def _add(self, row: int, made: tuple[int, int]) -> None:
        body: int = pybullet.createMultiBody(0, *made, _AWAY, physicsClientId=self.client)
        self._group(body, _ALL)
        self._bodies[row] = body
        if body >= len(self._rows):
            more = np.full(body + 1, NOTHING, dtype=np.int32)
            self._rows = np.concatenate([self._rows, more])
        self._rows[body] = row

    def _tidy(self) -> None:
        """Resets the simulation after many shapes, because Bullet does not free used shapes."""
        if len(self._made) < max(_KEPT, 2 * len(self._bodies)):
            return
        pybullet.resetSimulation(physicsClientId=self.client)
        self.generation += 1
        for file in Path(self._folder.name).iterdir():
            file.unlink()
        self._made.clear()
        self._bodies.clear()
        self._there.clear()
        self._at.clear()
        self._chosen.clear()
        self._rows[:] = NOTHING
        self._placed = None
        for row, shape in self._shapes.items():
            self._add(row, self._kept(shape))

    def _collision(self, shape: Shape) -> int:
        if shape.kind == "mesh":
            said = {
                "shapeType": pybullet.GEOM_MESH,
                "fileName": self._file(shape.vertices, shape.faces),
                "flags": pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
            }
        elif len(shape.pieces) == 1 and not shape.pieces[0].centre.any():
            said = _geometry(shape.pieces[0])
        else:
            return joined(shape.pieces, self.client)
        made: int = pybullet.createCollisionShape(**said, physicsClientId=self.client)
        return made

    def _visual(self, shape: Shape) -> int:
        vertices, faces = drawn(shape)
        if shape.kind == "mesh":  # in many files some triangles face inwards
            faces = np.concatenate([faces, faces[:, ::-1]])
        made: int = pybullet.createVisualShape(
            pybullet.GEOM_MESH,
            fileName=self._file(vertices, faces),
            physicsClientId=self.client,
        )
        return made

    def _file(self, vertices: Floats, faces: Indices) -> str:
        """Writes a mesh into a file, which is kept, because Bullet reads it for each body."""
        lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in vertices.tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (faces + 1).tolist()]
        path = Path(self._folder.name, f"{next(self._numbers)}.obj")
        path.write_text("\n".join([*lines, ""]), encoding="ascii")
        return str(path)

    def _remove(self, row: int) -> None:
        if row not in self._bodies:
            return
        body = self._bodies.pop(row)
        pybullet.removeBody(body, physicsClientId=self.client)
        self._rows[body] = NOTHING
        self._there.discard(body)
        self._at.pop(body, None)
        self._chosen.discard(body)
        self._placed = None

    # --- asking ---

    def _move(self, body: int, place: Sequence[float], turn: Sequence[float]) -> None:
        pose = (*place, *turn)
        if self._at.get(body) != pose:
            pybullet.resetBasePositionAndOrientation(
                body, place, turn, physicsClientId=self.client
            )
            self._at[body] = pose

    def _choose(self, bodies: set[int]) -> None:
        """Sets the bodies that limited rays can hit; often they are those of the last call."""
        for body in bodies - self._chosen:
            self._group(body, _ALL | _CHOSEN)
        for body in self._chosen - bodies:
            self._group(body, _ALL)
        self._chosen = bodies

    def _group(self, body: int, groups: int) -> None:
        pybullet.setCollisionFilterGroupMask(body, -1, groups, _ALL, physicsClientId=self.client)

    def _cast(
        self, begin: Floats, end: Floats, groups: int
    ) -> tuple[Indices, Floats]:
        met: list[tuple[Any, ...]] = []
        for first in range(0, len(begin), _RAYS):
            part = slice(first, first + _RAYS)
            met += pybullet.rayTestBatch(
                begin[part], end[part], collisionFilterMask=groups, physicsClientId=self.client
            )
        bodies = np.array([one[0] for one in met], dtype=np.int32)
        return self._rows_of(bodies), np.array([one[2] for one in met], dtype=np.float64)

    def _rows_of(self, bodies: Indices) -> Indices:
        rows: Indices = np.where(bodies < 0, np.int32(NOTHING), self._rows[bodies])
        return rows


def joined(pieces: Sequence[Piece], client: int) -> int:
    """The number of a collision shape that is made of at most 16 simple pieces."""
    parts = [_geometry(piece) for piece in pieces]
    made: int = pybullet.createCollisionShapeArray(
        shapeTypes=[part["shapeType"] for part in parts],
        halfExtents=[part.get("halfExtents", [0.0] * 3) for part in parts],
        radii=[part.get("radius", 0.0) for part in parts],
        lengths=[part.get("height", 0.0) for part in parts],
        collisionFramePositions=[piece.centre.tolist() for piece in pieces],
        physicsClientId=client,
    )
    return made


def _geometry(piece: Piece) -> dict[str, Any]:
    """Bullet's arguments for a simple piece; MeshRefused for a hull."""
    size = piece.size.tolist()
    if piece.kind == "box":
        return {"shapeType": pybullet.GEOM_BOX, "halfExtents": size}
    if piece.kind == "sphere":
        return {"shapeType": pybullet.GEOM_SPHERE, "radius": size[0]}
    if piece.kind == "cylinder":
        return {"shapeType": pybullet.GEOM_CYLINDER, "radius": size[0], "height": 2 * size[1]}
    raise MeshRefused("", "a hull is no piece of a simple shape")


def _camera(eye: Eye) -> tuple[list[float], list[float]]:
    """OpenGL's view and projection matrices, column by column: x right, y up, z backwards."""
    pose = checked_poses(eye.pose)[0]
    wide, high = np.tan(checked_fov(eye.fov) / 2)
    turned = np.asarray(pybullet.getMatrixFromQuaternion(pose[3:].tolist())).reshape(3, 3)
    view = np.eye(4)
    view[:3, :3] = np.stack([-turned[:, 1], turned[:, 2], -turned[:, 0]])
    view[:3, 3] = -view[:3, :3] @ pose[:3]
    lens = np.zeros((4, 4))
    lens[0, 0], lens[1, 1] = 1 / wide, 1 / high
    # TinyRenderer samples the corner of a pixel; this shift by half a pixel samples its centre, as
    # the other renderers do.
    lens[0, 2], lens[1, 2] = 1 / eye.width, 1 / eye.height
    lens[2, 2], lens[2, 3] = (FAR + NEAR) / (NEAR - FAR), 2 * FAR * NEAR / (NEAR - FAR)
    lens[3, 2] = -1
    return view.T.ravel().tolist(), lens.T.ravel().tolist()
