"""Reading and writing simple shapes in scenes and frames: `{box: [0.9, 1.4, 0.05]}`.

A shape's key has all its parameters, so a written shape is read as exactly the same shape.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from spatial_reasoner.errors import shown
from spatial_reasoner.geometry.shapes import Shape, bin_shape, box, cylinder, sphere
from spatial_reasoner.scene.fields import Spot, fields, number, numbers
from spatial_reasoner.tolerances.units import Limit

__all__ = ["LARGEST", "SMALLEST", "read_shape", "written_shape"]

SMALLEST: Final[Limit] = 1e-4
LARGEST: Final[Limit] = 100.0
"""Metres: a size below the thickness of paper, or above the length of a hall, is a mistake."""


def read_shape(spot: Spot, value: object) -> Shape:
    """Reads a box, bin, sphere or cylinder; sizes are full extents in metres."""
    given = fields(spot, value, _KINDS)
    if len(given) != 1:
        raise spot.wrong(
            f"must be one of {', '.join(_KINDS)}, such as {{sphere: 0.05}}, not {shown(value)}"
        )
    kind, size = next(iter(given.items()))
    return _KINDS[kind](spot / kind, size)


def written_shape(shape: Shape) -> dict[str, object]:
    """The form from which `read_shape` reads the same shape; not for meshes and planes."""
    kind, *sizes = shape.key
    given = [float(size) for size in sizes if isinstance(size, float)]
    doubled = [2 * size for size in given[:3]]
    if kind == "bin":
        return {"bin": {"size": doubled, "floor": given[3], "wall": given[4]}}
    if kind == "box":
        return {"box": doubled}
    return {"sphere": given[0]} if kind == "sphere" else {"cylinder": given}


def _box(spot: Spot, value: object) -> Shape:
    return _alike("box", *numbers(spot, value, 3, SMALLEST, LARGEST).tolist())


def _sphere(spot: Spot, value: object) -> Shape:
    return _alike("sphere", number(spot, value, SMALLEST, LARGEST))


def _cylinder(spot: Spot, value: object) -> Shape:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise spot.wrong(f"must be [radius, height], not {shown(value)}")
    return _alike("cylinder", *numbers(spot, value, 2, SMALLEST, LARGEST).tolist())


def _bin(spot: Spot, value: object) -> Shape:
    given = fields(spot, value, ("size", "floor", "wall"))
    for field in ("size", "floor", "wall"):
        if field not in given:
            raise (spot / field).wrong("is missing: a bin has a size, a floor and a wall")
    x, y, z = numbers(spot / "size", given["size"], 3, SMALLEST, LARGEST).tolist()
    floor = number(spot / "floor", given["floor"], SMALLEST, LARGEST)
    wall = number(spot / "wall", given["wall"], SMALLEST, LARGEST)
    if floor >= z:
        raise (spot / "floor").wrong(f"of {floor:g} m fills the bin, which is {z:g} m high")
    if 2 * wall >= min(x, y):
        raise (spot / "wall").wrong(f"of {wall:g} m leaves no room in a bin of {x:g} × {y:g} m")
    return _alike("bin", x, y, z, floor, wall)


@lru_cache(1000)
def _alike(kind: str, *sizes: float) -> Shape:
    """A cached shape: equal shapes are made once, because frames come 25 times a second."""
    if kind == "box":
        return box(np.array(sizes))
    if kind == "bin":
        return bin_shape(np.array(sizes[:3]), sizes[3], sizes[4])
    return sphere(sizes[0]) if kind == "sphere" else cylinder(sizes[0], sizes[1])


_KINDS: Final[Mapping[str, Callable[[Spot, object], Shape]]] = {
    "box": _box,
    "bin": _bin,
    "sphere": _sphere,
    "cylinder": _cylinder,
}
