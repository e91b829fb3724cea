"""Small surfaces made by rule, as the files that people have."""

import struct
from collections.abc import Sequence

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Indices

__all__ = ["dae", "divided", "joined", "mug", "obj", "stl", "turned"]

Surface = tuple[Floats, Indices]
Profile = Sequence[tuple[float, float]]


def turned(profile: Profile, sections: int, *, closed: bool = False) -> Surface:
    """The surface of revolution of a profile of points (distance from z, height).

    The profile runs from the bottom of the axis up on the outside, and down to the axis on the
    inside. A closed profile is a loop that never meets the axis.
    """
    turn = np.arange(sections) * 2 * np.pi / sections
    rings = [
        np.column_stack([r * np.cos(turn), r * np.sin(turn), np.full(sections, z)])
        for r, z in profile
    ]
    here = np.arange(sections)
    after = (here + 1) % sections
    faces = []
    for one in range(len(profile) if closed else len(profile) - 1):
        low, top = one * sections, (one + 1) % len(profile) * sections
        faces += [np.column_stack([low + here, low + after, top + after])]
        faces += [np.column_stack([low + here, top + after, top + here])]
    return np.concatenate(rings), np.concatenate(faces).astype(np.int32)


def mug(sections: int = 64, radius: float = 0.045, wall: float = 0.005) -> Surface:
    """A straight mug without a handle, 10 cm high, its floor 6 mm, its middle at the origin."""
    inner, low, top = radius - wall, -0.05, 0.05
    line = [(0.0, low), (radius, low), (radius, top), (inner, top), (inner, low + 0.006)]
    return turned([*line, (0.0, low + 0.006)], sections)


def joined(*surfaces: Surface) -> Surface:
    """Several surfaces as one."""
    begins = np.cumsum([0, *(len(vertices) for vertices, _ in surfaces)])
    faces = [part + begin for (_, part), begin in zip(surfaces, begins, strict=False)]
    return np.concatenate([v for v, _ in surfaces]), np.concatenate(faces).astype(np.int32)


def divided(surface: Surface, times: int) -> Surface:
    """The same surface, each triangle made four, so often."""
    vertices, faces = surface
    for _ in range(times):
        corners = vertices[faces]
        middles = (corners + np.roll(corners, -1, axis=1)) / 2
        (a, b, c), (ab, bc, ca) = np.moveaxis(corners, 1, 0), np.moveaxis(middles, 1, 0)
        parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        flat = np.concatenate([np.stack(part, axis=1) for part in parts]).reshape(-1, 3)
        vertices, which = np.unique(flat.round(9), axis=0, return_inverse=True)
        faces = which.reshape(-1, 3).astype(np.int32)
    return vertices, faces


def obj(surface: Surface, head: str = "") -> bytes:
    """As a Wavefront file."""
    vertices, faces = surface
    lines = [head, *(f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in vertices.tolist())]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces.tolist()]
    return "\n".join(lines).encode()


def stl(surface: Surface) -> bytes:
    """As a binary STL file."""
    vertices, faces = surface
    parts = [
        struct.pack("<12fH", 0, 0, 0, *corners.reshape(-1).tolist(), 0)
        for corners in vertices[faces]
    ]
    return bytes(80) + struct.pack("<I", len(faces)) + b"".join(parts)


_DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>{unit}<up_axis>{up}_UP</up_axis></asset>
<library_geometries><geometry id="it"><mesh>
<source id="places"><float_array id="floats" count="{count}">{floats}</float_array>
<technique_common><accessor source="#floats" count="{points}" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source>
<vertices id="corners"><input semantic="POSITION" source="#places"/></vertices>
<triangles count="{faces}"><input semantic="VERTEX" source="#corners" offset="0"/><p>{p}</p>
</triangles></mesh></geometry></library_geometries>
<library_nodes>{nodes}</library_nodes>
<library_visual_scenes><visual_scene id="scene"><node>{scene}</node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>"""


def dae(
    surface: Surface,
    unit: str = "",
    up: str = "Z",
    nodes: str = "",
    scene: str = '<instance_geometry url="#it"/>',
) -> bytes:
    """As a COLLADA file."""
    vertices, faces = surface
    floats = " ".join(f"{x:.9g}" for x in vertices.reshape(-1).tolist())
    corners = " ".join(map(str, faces.reshape(-1).tolist()))
    return _DAE.format(
        unit=unit, up=up, count=vertices.size, points=len(vertices), faces=len(faces),
        floats=floats, p=corners, nodes=nodes, scene=scene,
    ).encode()  # fmt: skip
