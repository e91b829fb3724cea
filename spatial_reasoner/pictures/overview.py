"""An overview: all minds at one time, with titles and a legend."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from spatial_reasoner.pictures.labels import Box, Font, Label, font, printable, width_of
from spatial_reasoner.pictures.palette import GHOST, INK, PAPER, PLAIN, Colour
from spatial_reasoner.pictures.panels import MindPanel, Size, from_above, through_eyes
from spatial_reasoner.pictures.picture_data import PictureData, picture_data_of
from spatial_reasoner.pictures.top_view import Ground, grown
from spatial_reasoner.scene.scene import MYSELF, PARTS
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.rendering import Sight

__all__ = ["Overview", "Painter", "Placement"]

_COLUMNS: Final = 3
"""Panels side by side."""
_GAP: Final = 12
"""Pixels between panels."""
_FORM: Final = 1.5
"""Width of a panel divided by its height."""
_EDGE: Final[Colour] = (206, 208, 210)
_EMPTY: Final[Colour] = (241, 241, 238)
_LEGEND: Final[Sequence[tuple[str, str]]] = (
    ("colour", "seen now"),
    ("grey", "not seen now"),
    ("frames", "field of view, and of attention in it"),
    ("ghost", "believed to be here, and is not"),
    ("dotted", "hidden from above"),
    ("ring", "head or hand; grey: not there now"),
)


@dataclass(frozen=True, slots=True)
class Placement:
    """A panel's position on a sheet, its mind, and its kind: plan or the owner's view."""

    model: str
    kind: str
    box: Box


@dataclass(frozen=True, slots=True, eq=False)
class Overview:
    """A picture of one tick; `panels` and `names` (by panel) are the positions on it."""

    image: Image.Image
    panels: tuple[Placement, ...]
    names: Mapping[Placement, tuple[Label, ...]]


class Painter:
    """Draws what minds believe and see, at a given width; the ground that it shows only grows."""

    def __init__(self, sight: Sight, title: str, models: Sequence[str], width: int = 1280) -> None:
        self._sight: Final = sight
        self._title: Final = printable(title, 60)
        self._models: Final = tuple(models)
        self._width: Final = width
        self._ground: Ground | None = None
        scale = width / 1280
        self._small: Final[Font] = font(max(12, round(13 * scale)))
        self._large: Final[Font] = font(max(14, round(16 * scale)))
        self._line: Final = max(20, round(22 * scale))

    def sheet(self, reasons: SpatialReasoner) -> Overview:
        """A picture of all minds as they are now."""
        self._ground = grown(self._ground, reasons.mind(MYSELF))
        places = self._places()
        low = max(one.box[3] for one in places) + _GAP
        rows = [*self._legend_rows()]
        image = Image.new("RGB", (self._width, low + len(rows) * self._line + _GAP // 2), PAPER)
        draw = ImageDraw.Draw(image, "RGBA")
        head = f"{self._title}     t = {reasons.now:.3f} s"
        draw.text((_GAP, _GAP // 2), head, fill=INK, font=self._large)
        names = {}
        for place in places:
            names[place] = self._fill(image, draw, place, picture_data_of(reasons, place.model))
        self._legend(draw, rows, low)
        return Overview(image, tuple(places), names)

    def _places(self) -> list[Placement]:
        """The positions of the panels: those of one mind one below the other; side by side if
        alone."""
        across = 2 if len(self._models) == 1 else min(len(self._models), _COLUMNS)
        wide = (self._width - _GAP * (across + 1)) // across
        high = round(wide / _FORM)
        top, step = _GAP + self._line, high + self._line
        found = []
        for number, model in enumerate(self._models):
            for part, kind in enumerate(("above", "eyes")):
                if across == 2 and len(self._models) == 1:
                    column, line = part, 0
                else:
                    column, line = number % across, 2 * (number // across) + part
                x = _GAP + column * (wide + _GAP)
                y = top + self._line + line * (step + _GAP // 2)
                found.append(Placement(model, kind, (x, y, x + wide, y + high)))
        return found

    def _fill(
        self,
        image: Image.Image,
        draw: ImageDraw.ImageDraw,
        place: Placement,
        one: PictureData | None,
    ) -> tuple[Label, ...]:
        """Draws a panel with its title; returns the names in it."""
        left, top, right, low = place.box
        size = (right - left, low - top)
        draw.text((left, top - self._line + 2), _title(place), fill=INK, font=self._small)
        panel = None if one is None else self._panel(place, one, size)
        if panel is None:
            draw.rectangle(place.box, fill=_EMPTY)
            said = "this mind does not exist yet" if one is None else _why_blind(one)
            draw.text((left + _GAP, top + _GAP), said, fill=PLAIN, font=self._small)
        else:
            image.paste(panel.image, (left, top))
        if one is not None and place.kind == "above":
            self._lost(draw, place.box, one)
        draw.rectangle((left - 1, top - 1, right, low), outline=_EDGE)
        found = panel.names if panel else ()
        return tuple(Label(one.text, _moved(one.box, left, top)) for one in found)

    def _panel(self, place: Placement, one: PictureData, size: Size) -> MindPanel | None:
        if place.kind == "eyes":
            return through_eyes(self._sight, one, size, self._small)
        assert self._ground is not None
        return from_above(self._sight, one, self._ground, size, self._small)

    def _lost(self, draw: ImageDraw.ImageDraw, box: Box, one: PictureData) -> None:
        """Lists the objects and agents that are known, but without a place."""
        world, roster = one.mind.world, one.mind.roster
        heads = {roster.part(who.name, PARTS[0]): who.name for who in roster.agents}
        rows = np.flatnonzero(world.known & ~world.placed).tolist()
        lost = [heads.get(row, roster.names[row]) for row in rows]
        if lost:
            said = printable("place unknown: " + ", ".join(lost), 60)
            draw.text((box[0] + 6, box[3] - self._line), said, fill=PLAIN, font=self._small)

    def _legend_rows(self) -> Iterator[list[tuple[int, str, str]]]:
        """The legend in lines, each entry with its x position."""
        row: list[tuple[int, str, str]] = []
        x = _GAP
        for kind, text in _LEGEND:
            wide = self._line + 8 + width_of(text, self._small) + 2 * _GAP
            if row and x + wide > self._width:
                yield row
                row, x = [], _GAP
            row.append((x, kind, text))
            x += wide
        yield row

    def _legend(
        self, draw: ImageDraw.ImageDraw, rows: Sequence[Sequence[tuple[int, str, str]]], top: int
    ) -> None:
        for number, row in enumerate(rows):
            for x, kind, text in row:
                y = top + number * self._line
                _swatch(draw, kind, (x, y, x + self._line, y + self._line - 8))
                at = (x + self._line + 8, y - 2)
                draw.text(at, text, fill=INK, font=self._small)


def _title(place: Placement) -> str:
    owner = printable(place.model, 40)
    return f"{owner} sees" if place.kind == "eyes" else f"{owner} believes, from above"


def _why_blind(one: PictureData) -> str:
    here = one.around.company.present[one.agent]
    return "the pose of the head is unknown" if here else f"{one.who.name} is not observed"


def _moved(box: Box, x: int, y: int) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


def _swatch(draw: ImageDraw.ImageDraw, kind: str, box: Box) -> None:
    """Draws the symbol of an entry of the legend."""
    x, y, right, low = box
    if kind == "colour":
        for part, colour in enumerate([(64, 178, 120), (90, 120, 210), (226, 160, 60)]):
            third = (right - x) / 3
            draw.rectangle((x + part * third, y, x + (part + 1) * third, low), fill=colour)
    elif kind == "grey":
        draw.rectangle(box, fill=(196, 196, 196))
    elif kind == "frames":
        draw.rectangle(box, outline=INK)
        draw.rectangle((x + 5, y + 4, right - 5, low - 4), outline=PLAIN)
    elif kind == "ring":
        draw.ellipse((x + 4, y, x + 4 + low - y, low), outline=INK, fill=(*INK, 40), width=2)
    else:
        colour, step = (GHOST, 5) if kind == "ghost" else (INK, 2)
        for start in range(x, right, 2 * step):
            for height in (y, low):
                draw.line((start, height, min(start + step, right), height), fill=colour, width=2)
        for start in range(y, low, 2 * step):
            for side in (x, right):
                draw.line((side, start, side, min(start + step, low)), fill=colour, width=2)
