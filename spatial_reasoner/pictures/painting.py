"""Painting: turns the rendered facets of a view into coloured pixels.

All is drawn at twice the final resolution, so that lines are smooth.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from spatial_reasoner.geometry.arrays import Array, Flags, Floats
from spatial_reasoner.geometry.poses import Pose, apply, inverse
from spatial_reasoner.pictures.facets import FacetScene
from spatial_reasoner.pictures.palette import BEYOND, INK, PLAIN, Colour, greyed
from spatial_reasoner.pictures.projection import Projection
from spatial_reasoner.values.rendering import NOTHING, Eye, Picture, Sight

__all__ = ["FINE", "FacetView", "painted", "view"]

FINE: Final = 2
"""Rendered pixels per final pixel, in each direction."""
_CREASE: Final = 0.9
"""Cosine of 25°: two parts of an object with a larger angle have an edge between them."""
_LINE: Final = 0.42
"""Brightness of the outline of an object."""
_FAINT: Final = 0.80
"""Brightness of an edge within an object."""
_GLASS: Final = 0.4
"""Opacity of glass."""
_GRID: Final = 0.93
"""Brightness of grid lines."""
_NEAR: Final = 6.0
_FAR: Final = 20.0
"""Metres of ground with grid lines to each side: least and most."""
_TOO_FAR: Final = 1e5
"""Pixels: points farther outside the picture are not drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class FacetView:
    """The facet visible at each pixel; `glass` is the transparent object in front of it."""

    projection: Projection
    stage: FacetScene
    facets: Picture
    glass: Picture

    @property
    def rows(self) -> Picture:
        """The row visible at each pixel, behind all glass."""
        return _rows(self.stage, self.facets)

    @property
    def panes(self) -> Picture:
        """The row of the glass in front of each pixel."""
        return _rows(self.stage, self.glass)

    @property
    def shown(self) -> Flags:
        """The rows that are visible at any pixel."""
        count = self.stage.first
        return _among(self.rows, count) | _among(self.panes, count)

    def within(self, field: Flags) -> "FacetView":
        """The view, limited to the pixels of a field."""
        kept = [np.where(field, one, NOTHING) for one in (self.facets, self.glass)]
        return replace(self, facets=kept[0], glass=kept[1])


def view(sight: Sight, eye: Eye, staged: FacetScene, rows: Flags, transparent: Flags) -> FacetView:
    """A camera's picture of some rows, rendered by `sight`."""
    facets = _drawn(sight, eye, staged, rows & ~transparent)
    glass = np.full_like(facets, NOTHING)
    if (rows & transparent).any():
        both = _drawn(sight, eye, staged, rows)
        clear = both != NOTHING
        clear[clear] = transparent[staged.row[both[clear]]]
        glass[clear] = both[clear]
    return FacetView(Projection(eye), staged, facets, glass)


def painted(
    seen: FacetView,
    colours: Floats,
    coloured: Flags,
    ground: Colour,
    inside: Flags | None = None,
    attended: Flags | None = None,
) -> Image.Image:
    """A view in colours (n, 3), at its rendered resolution; rows that are not `coloured` are grey.

    Everything outside `inside` is grey, too. Everything outside `attended` is a little darker.
    """
    paint, grey = _palettes(seen.stage, colours, ground)
    flags = np.append(coloured[seen.stage.row], True)
    points = _blended(seen, np.where(flags[:, None], paint, grey))
    points *= _grid(seen)[..., None]
    if attended is not None:
        points[~attended] *= BEYOND
    if inside is not None:
        points[~inside] = _blended(seen, grey)[~inside]
    points *= _lines(seen)[..., None]
    for field, colour in ((inside, INK), (attended, PLAIN)):
        if field is not None:
            points[_rim(field)] = colour
    return Image.fromarray(np.clip(points, 0, 255).astype(np.uint8))


def _among(rows: Picture, count: int) -> Flags:
    """Which rows are visible at any pixel."""
    shown: Flags = np.bincount(rows[rows != NOTHING], minlength=count)[:count] > 0
    return shown


def _drawn(sight: Sight, eye: Eye, staged: FacetScene, rows: Flags) -> Picture:
    """The facet visible at each pixel."""
    scenery = staged.scenery(rows)
    if not len(scenery.rows):
        return np.full((eye.height, eye.width), NOTHING, dtype=np.int32)
    picture = sight.render(eye, scenery)
    return np.where(picture == NOTHING, NOTHING, picture - staged.first).astype(np.int32)


def _rows(staged: FacetScene, facets: Picture) -> Picture:
    """The rows that facets belong to."""
    return np.append(staged.row, NOTHING)[facets].astype(np.int32)


def _palettes(staged: FacetScene, colours: Floats, ground: Colour) -> tuple[Floats, Floats]:
    """The colour of each facet, with that of the background last; and the same in grey."""
    paint = np.vstack([colours[staged.row] * staged.shade[:, None], [ground]]).astype(np.float64)
    grey = greyed(paint)
    return paint, grey


def _blended(seen: FacetView, paint: Floats) -> Floats:
    points: Floats = paint[seen.facets]
    glass = seen.glass != NOTHING
    points[glass] += _GLASS * (paint[seen.glass[glass]] - points[glass])
    return points


def _lines(seen: FacetView) -> Floats:
    """The factor that darkens the edges of objects and of their parts."""
    lines = np.ones(seen.facets.shape)
    row = np.append(seen.stage.row, NOTHING)
    normal = np.vstack([seen.stage.normal, np.zeros(3)])
    for facets in (seen.facets, seen.glass):
        for axis in (0, 1):
            here, there = _pairs(facets, axis)
            at = np.nonzero(here != there)
            one, other = here[at], there[at]
            turn = np.einsum("ij,ij->i", normal[one], normal[other])
            darker = np.where(turn < _CREASE, _FAINT, 1.0)
            darker[row[one] != row[other]] = _LINE
            for part in _pairs(lines, axis):
                part[at] = np.minimum(part[at], darker)
    return lines


def _pairs(points: Array, axis: int) -> tuple[Array, ...]:
    """All pixels except the last, and their successors, along an axis."""
    return (points[:-1], points[1:]) if axis == 0 else (points[:, :-1], points[:, 1:])


def _rim(field: Flags) -> Flags:
    """The border of a field."""
    rim = np.zeros_like(field)
    rim[:-1] |= field[:-1] != field[1:]
    rim[:, :-1] |= field[:, :-1] != field[:, 1:]
    return rim


def _grid(seen: FacetView) -> Floats:
    """A grid line for each metre of ground, as far as lines can be distinguished."""
    staged, projection = seen.stage, seen.projection
    size = projection.eye.width, projection.eye.height
    grid = np.ones(seen.facets.shape)
    rows = seen.rows
    for row in np.flatnonzero(_among(rows, staged.first) & staged.ground).tolist():
        ruled = Image.new("L", size)
        draw = ImageDraw.Draw(ruled)
        for line in _ruled(staged.poses[row], projection):
            draw.line(line, fill=255, width=FINE)
        grid[(np.asarray(ruled) > 0) & (rows == row)] = _GRID
    return grid


def _ruled(ground: Pose, projection: Projection) -> Iterator[list[tuple[float, float]]]:
    """Grid lines on the ground below a camera; their range grows with its height."""
    eye = apply(inverse(ground), projection.eye.pose[:3])
    reach = float(np.clip(np.ceil(0.3 * eye[2]), _NEAR, _FAR))
    middle = np.round(eye[:2])
    along = np.linspace(-reach, reach, round(4 * reach) + 1)
    for offset in np.arange(-reach, reach + 1).tolist():
        for axis in (0, 1):
            points = np.zeros((len(along), 3))
            points[:, axis], points[:, 1 - axis] = middle[axis] + along, middle[1 - axis] + offset
            shown, _ = projection.shown(apply(ground, points))
            shown = shown[(np.abs(shown) < _TOO_FAR).all(axis=1)]
            if len(shown) > 1:
                yield [(x, y) for x, y in shown.tolist()]
