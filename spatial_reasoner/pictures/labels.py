"""Names beside things: where there is most room near them.

Each name takes the place where it covers least of what is to be seen, of other names above all, and
strays least from what it names; a line leads back to it from afar.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.pictures.palette import INK, PAPER, Colour

__all__ = ["Box", "Font", "Label", "Named", "font", "labelled", "printable", "width_of"]

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom."""
Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

_PAD: Final = 2
_STEP: Final = 3
_REACH: Final = 130
_STRAY: Final = 0.012
"""What a point of distance costs; to cover nothing but other things costs 1."""
_TAKEN: Final = 30.0
_LEAD: Final = 9
_BESIDE: Final = 3
_LONGEST: Final = 28


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A name to be written: at which point of a picture what it names is."""

    text: str
    at: tuple[float, float]
    colour: Colour = INK
    own: NDArray[np.bool_] | None = None
    """Where it shows: a name that is written on that needs no line to it."""


@dataclass(frozen=True, slots=True)
class Label:
    """A name that was written, and the box that it takes."""

    text: str
    box: Box


@cache
def font(size: int) -> Font:
    """The font that comes with the imaging library: the same wherever the program runs."""
    return ImageFont.load_default(size)


def printable(text: str, longest: int = _LONGEST) -> str:
    """A text on one line, shortened where it is too long.

    >>> printable("a\\nb"), printable("the_third_mug_of_the_morning", 12)
    ('a b', 'the_third_m…')
    """
    line = "".join(sign if sign.isprintable() else " " for sign in text)
    return line if len(line) <= longest else line[: longest - 1] + "…"


def width_of(text: str, letters: Font) -> int:
    """How wide a text is."""
    return int(np.ceil(letters.getlength(text)))


def labelled(
    image: Image.Image, names: Sequence[Named], busy: Floats, letters: Font
) -> list[Label]:
    """Writes names on a picture, the first ones where they like best.

    `busy` (height, width) says what there is to be seen: 0 nothing, 1 what must not be covered.
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
    """The left top corner of the place that costs least."""
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


def _places(at: float, size: int, room: int) -> NDArray[np.intp]:
    """Where a box may begin, along one side, to be all in the picture."""
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


def _touches(own: NDArray[np.bool_] | None, box: Box) -> bool:
    """Whether a name is written on what it names, or close beside it."""
    if own is None:
        return False
    left, top = max(box[0] - _BESIDE, 0), max(box[1] - _BESIDE, 0)
    return bool(own[top : box[3] + _BESIDE, left : box[2] + _BESIDE].any())
