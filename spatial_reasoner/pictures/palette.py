"""Colours: each object has the same one in all pictures, from the scene or else from its name.

Objects that an agent does not see are neutral grey; objects that it sees never are. So one pixel
shows whether its object is seen.
"""

import colorsys
import zlib
from typing import Final, TypeAlias

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.scene.scene import Entity

__all__ = [
    "BEYOND",
    "GHOST",
    "GROUND",
    "INK",
    "PAPER",
    "PLAIN",
    "SKY",
    "Colour",
    "colour_named",
    "colour_of",
    "greyed",
]

Colour: TypeAlias = tuple[int, int, int]

PAPER: Final[Colour] = (252, 252, 249)
INK: Final[Colour] = (34, 37, 43)
PLAIN: Final[Colour] = (112, 116, 122)
"""Text and lines about what is not seen."""
GHOST: Final[Colour] = (204, 24, 50)
SKY: Final[Colour] = (226, 237, 247)
GROUND: Final[Colour] = (240, 232, 212)
BEYOND: Final = 0.88
"""Brightness of the field of view outside the field of attention."""
_DULL: Final = 0.12
"""Least difference between the colour channels; with less, a colour would look grey."""


def colour_of(entity: Entity) -> Colour:
    """The colour of an object: that of the scene, or else one by its name; furniture is muted."""
    if entity.color is not None:
        return _vivid(entity.color)
    if entity.shape.kind == "plane":
        return GROUND
    return colour_named(entity.name, is_muted=entity.is_fixture or entity.static)


def colour_named(name: str, is_muted: bool = False) -> Colour:
    """The colour of a name.

    >>> colour_named("ball") == colour_named("ball") != colour_named("box")
    True
    """
    hue = (zlib.crc32(name.encode()) % 360) / 360
    light, strength = (0.72, 0.30) if is_muted else (0.54, 0.66)
    return _bytes(colorsys.hls_to_rgb(hue, light, strength))


def greyed(colours: Floats) -> Floats:
    """The neutral, light grey of colours (..., 3) that are not seen."""
    light = colours @ np.array([0.299, 0.587, 0.114])
    grey: Floats = np.repeat((150.0 + 0.33 * light)[..., None], 3, axis=-1)
    return grey


def _vivid(color: tuple[float, float, float]) -> Colour:
    """A colour of the scene, lifted from black; a grey one becomes slightly blue."""
    lifted = [0.12 + 0.83 * min(max(part, 0.0), 1.0) for part in color]
    if max(lifted) - min(lifted) < _DULL:
        middle = sum(lifted) / 3
        lifted = [middle - _DULL / 2, middle, middle + _DULL / 2]
    return _bytes((lifted[0], lifted[1], lifted[2]))


def _bytes(color: tuple[float, float, float]) -> Colour:
    red, green, blue = (round(255 * min(max(part, 0.0), 1.0)) for part in color)
    return red, green, blue
