"""Places names beside objects, where there is most free space near them.

Each name takes the position with the lowest cost: how much it covers, other names most of all, plus
its distance from the object. A distant name gets a line to its object.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.pictures.palette import INK, PAPER, Colour

__all__ = ["Box", "Font", "Label", "Named", "font", "labelled", "printable", "width_of"]

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels."""
Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

_PAD: Final = 2
"""Pixels between a name and the edge of its box."""
_STEP: Final = 3
"""Pixels between two positions that are tried."""
_REACH: Final = 130
"""Pixels from an object in which its name is placed."""
_STRAY: Final = 0.012
"""Cost of a pixel of distance; a name that covers nothing but objects costs 1."""
_TAKEN: Final = 30.0
"""Cost of a pixel of another name."""
_LEAD: Final = 9
"""Pixels between name and object beyond which a line connects them."""
_BESIDE: Final = 3
"""Pixels between name and object within which they count as touching."""
_LONGEST: Final = 28
"""Characters of a name."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A name to place, and the position of its object in the picture."""

    text: str
    at: tuple[float, float]
    colour: Colour = INK
    own: Flags | None = None
    """The pixels of the object: a name on them needs no line."""


@dataclass(frozen=True, slots=True)
class Label:
    """A name that was written, and its box."""

    text: str
    box: Box


@cache
def font(size: int) -> Font:
    """The font that comes with the imaging library, so that it is the same on every machine."""
    return ImageFont.load_default(size)


def printable(text: str, longest: int = _LONGEST) -> str:
    """A text on one line, shortened if it is too long.

    >>> printable("a\\nb"), printable("the_third_mug_of_the_morning", 12)
    ('a b', 'the_third_m…')
    """
    line = "".join(sign if sign.isprintable() else " " for sign in text)
    return line if len(line) <= longest else line[: longest - 1] + "…"


def width_of(text: str, letters: Font) -> int:
    """The width of a text in pixels."""
    return int(np.ceil(letters.getlength(text)))


def labelled(
    image: Image.Image, names: Sequence[Named], busy: Floats, letters: Font
) -> list[Label]:
    """Writes names on a picture, in their order; returns their boxes.

    `busy` (height, width) is the cost of covering each pixel: from 0 for nothing to 1 for objects.
    """
    busy = busy.copy()
    draw = ImageDraw.Draw(image, "RGBA")
    done: list[Label] = []
    for named in names:
        size = _size(named.text, letters)
        if size[0] >= busy.shape[1] or size[1] >= busy.shape[0]:
            continue
        left, top = _best(busy, named.at, size)
        box = (left, top, left + size[0], top + size[1])
        busy[top : box[3], left : box[2]] += _TAKEN
        _write(draw, named, box, letters)
        done.append(Label(named.text, box))
    return done


def _size(text: str, letters: Font) -> tuple[int, int]:
    high = sum(letters.getmetrics()) if isinstance(letters, ImageFont.FreeTypeFont) else 11
    return width_of(text, letters) + 2 * _PAD + 2, high + _PAD


def _best(busy: Floats, at: tuple[float, float], size: tuple[int, int]) -> tuple[int, int]:
    """The top left corner of the position with the lowest cost."""
    lefts = _places(at[0], size[0], busy.shape[1])
    tops = _places(at[1], size[1], busy.shape[0])
    total = np.pad(busy.cumsum(axis=0).cumsum(axis=1), [(1, 0), (1, 0)])
    x, y = np.meshgrid(lefts, tops)
    right, low = x + size[0], y + size[1]
    covered = total[low, right] - total[y, right] - total[low, x] + total[y, x]
    aside = np.maximum(np.maximum(x - at[0], at[0] - right), 0.0)
    above = np.maximum(np.maximum(y - at[1], at[1] - low), 0.0)
    middle = np.abs(x + size[0] / 2 - at[0]) + np.abs(y + size[1] / 2 - at[1])
    cost = covered / (size[0] * size[1]) + _STRAY * (np.hypot(aside, above) + 0.1 * middle)
    best = int(cost.argmin())
    return int(x.ravel()[best]), int(y.ravel()[best])


def _places(at: float, size: int, room: int) -> Rows:
    """The range in which a box may start along one side, so that all of it is in the picture."""
    last = room - size
    first = min(max(int(at) - size - _REACH, 0), last)
    return np.arange(first, min(max(int(at) + _REACH, first), last) + 1, _STEP)


def _write(draw: ImageDraw.ImageDraw, named: Named, box: Box, letters: Font) -> None:
    x, y = named.at
    near = (min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3]))
    away = float(np.hypot(near[0] - x, near[1] - y))
    if away > _LEAD and not _touches(named.own, box):
        draw.line([near, (x, y)], fill=(*named.colour, 150), width=1)
        draw.ellipse([x - 2, y - 2, x + 2, y + 2], fill=(*named.colour, 190))
    draw.rounded_rectangle(box, radius=3, fill=(*PAPER, 205))
    draw.text((box[0] + _PAD + 1, box[1] + _PAD // 2), named.text, fill=named.colour, font=letters)


def _touches(own: Flags | None, box: Box) -> bool:
    """Whether a name is written on its object, or close beside it."""
    if own is None:
        return False
    left, top = max(box[0] - _BESIDE, 0), max(box[1] - _BESIDE, 0)
    return bool(own[top : box[3] + _BESIDE, left : box[2] + _BESIDE].any())
