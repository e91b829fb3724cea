"""Small sceneries, short to write, and eyes that look at them."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Indices
from spatial_reasoner.geometry.poses import Pose, pose_of
from spatial_reasoner.geometry.shapes import Shape, bin_shape, box, cylinder, plane, sphere
from spatial_reasoner.sight.gazes import Gaze
from spatial_reasoner.values.rendering import Eye, Scenery

__all__ = [
    "FOA",
    "FOV",
    "TURN",
    "Thing",
    "ball",
    "block",
    "bowl",
    "gaze",
    "ground",
    "looking",
    "pole",
    "scenery",
    "see_through",
    "tub",
    "turned_about",
    "view",
]

FOV: Final = (1.745, 1.309)
FOA: Final = (0.35, 0.26)
TURN: Final = 0.262

Thing = tuple[Shape, Sequence[float]]


def block(size: Sequence[float], *pose: float) -> Thing:
    """A box."""
    return box(np.array(size)), pose


def ball(radius: float, *pose: float) -> Thing:
    return sphere(radius), pose


def pole(radius: float, height: float, *pose: float) -> Thing:
    """A cylinder."""
    return cylinder(radius, height), pose


def tub(size: Sequence[float], *pose: float) -> Thing:
    """A bin, with floor and walls of 1 cm."""
    return bin_shape(np.array(size), 0.01, 0.01), pose


def ground(height: float) -> Thing:
    return plane(), (0, 0, height)


def bowl(radius: float, *pose: float, rings: int = 12, sides: int = 24) -> Thing:
    """A mesh: half a ball, hollow, open at the top, its wall a tenth of its radius thick."""
    down = np.linspace(np.pi / 2, np.pi, rings)
    around = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    skins = []
    for r in (radius, 0.9 * radius):
        out, up = r * np.sin(down), r * np.cos(down)
        skins.append(
            np.stack(
                [np.outer(out, np.cos(around)), np.outer(out, np.sin(around)),
                 np.repeat(up[:, None], sides, 1)], -1
            )
        )  # fmt: skip
    vertices = np.concatenate([skin.reshape(-1, 3) for skin in skins])
    faces: list[tuple[int, int, int]] = []
    for skin in range(2):
        for i in range(rings - 1):
            for j in range(sides):
                a, b = (skin * rings + i) * sides + j, (skin * rings + i) * sides + (j + 1) % sides
                quad = (a, a + sides, b + sides), (a, b + sides, b)
                faces += quad if skin == 0 else [(x, z, y) for x, y, z in quad]
    for j in range(sides):
        a, b = j, (j + 1) % sides
        c, d = rings * sides + a, rings * sides + b
        faces += [(a, b, d), (a, d, c)]
    return _mesh(("bowl", radius, rings, sides), vertices, np.array(faces, dtype=np.int32)), pose


def _mesh(key: tuple[object, ...], vertices: Floats, faces: Indices) -> Shape:
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle = (low + high) / 2
    radius = float(np.linalg.norm(vertices - middle, axis=1).max())
    half = (high - low) / 2
    name = ("mesh", *key)
    return Shape("mesh", name, half, middle, vertices, vertices, faces, (), 1.0, radius=radius)


def scenery(*things: Thing) -> Scenery:
    """All of these, in rows from 0."""
    poses = np.array([pose_of(pose) for _, pose in things]).reshape(-1, 7)
    return Scenery([shape for shape, _ in things], poses, np.arange(len(things)))


def looking(at: Sequence[float], place: Sequence[float] = (0, 0, 0), roll: float = 0.0) -> Pose:
    """An eye at a place, turned to another, and rolled about the way it looks."""
    way = np.array(at, dtype=float) - place
    side, up = np.arctan2(way[1], way[0]), np.arctan2(way[2], np.hypot(way[0], way[1]))
    turn = _times(_about(2, side), _times(_about(1, -up), _about(0, roll)))
    return pose_of([*map(float, place), *turn])


def turned_about(axis: int, angle: float) -> list[float]:
    """A quaternion about x, y or z."""
    return _about(axis, angle)


def view(pose: Pose, fov: tuple[float, float] = FOV, width: int = 160, height: int = 120) -> Eye:
    return Eye(pose, fov, width, height)


def gaze(
    pose: Pose,
    there: Scenery,
    fov: tuple[float, float] = FOV,
    foa: tuple[float, float] = FOA,
    turn: float = TURN,
    transparent: Sequence[int] = (),
) -> Gaze:
    """A person's look; `transparent` are rows."""
    clear = np.zeros(len(there.shapes), dtype=bool)
    clear[list(transparent)] = True
    return Gaze(pose, fov, foa, turn, there, clear)


def see_through(there: Scenery, *rows: int) -> Flags:
    """Flags for all rows, true for these."""
    flags = np.zeros(len(there.shapes), dtype=bool)
    flags[list(rows)] = True
    return flags


def _about(axis: int, angle: float) -> list[float]:
    turn = [0.0, 0.0, 0.0, float(np.cos(angle / 2))]
    turn[axis] = float(np.sin(angle / 2))
    return turn


def _times(p: Sequence[float], q: Sequence[float]) -> list[float]:
    (px, py, pz, pw), (qx, qy, qz, qw) = p, q
    return [
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
        pw * qw - px * qx - py * qy - pz * qz,
    ]
