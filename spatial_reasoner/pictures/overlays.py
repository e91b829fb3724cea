"""Draws over a picture: outlines, people and fields of view, at the resolution of the painting."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.polygons import hull_order
from spatial_reasoner.geometry.poses import Pose, apply, rotations
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.pictures.painting import FINE
from spatial_reasoner.pictures.palette import Colour
from spatial_reasoner.pictures.projection import Projection

__all__ = ["HAND", "HEAD", "Overlay"]

HEAD: Final = 0.12
"""Radius of a head in metres."""
HAND: Final = 0.05
"""Radius of a hand in metres."""
_DASH: Final = 7.0
"""Length of a dash in final pixels."""
_DOT: Final = 3.0
"""Length of a dot in final pixels."""
_LEAST: Final = 3.0
"""Least radius of a circle in final pixels."""
_REACH: Final = 1.0
"""Length of a field of view as drawn from above, in metres."""


class Overlay:
    """Draws on a rendered picture, at places in the world; returns the pixel, if it is visible.

    Pixels are those of the rendered resolution.
    """

    def __init__(self, image: Image.Image, projection: Projection) -> None:
        self._draw: Final = ImageDraw.Draw(image, "RGBA")
        self._projection: Final = projection

    def outline(self, shape: Shape, pose: Pose, colour: Colour, is_dotted: bool) -> Floats | None:
        """The outline of an object, dashed or dotted, with a faint fill."""
        shown, _ = self._projection.shown(apply(pose, shape.corners))
        if np.isnan(shown).any():
            return None
        corners = shown[hull_order(shown)]
        self._fill(corners, (*colour, 14 if is_dotted else 40))
        self._dashed(np.vstack([corners, corners[:1]]), colour, is_dotted)
        return self._middle(corners)

    def ball(self, place: Floats, radius: float, colour: Colour, is_dashed: bool) -> Floats | None:
        """A head or a hand, as a transparent ring."""
        shown, ahead = self._projection.shown(place[None])
        if np.isnan(shown).any():
            return None
        turn = np.linspace(0, 2 * np.pi, 48)
        size = self._radius(radius, float(ahead[0]))
        ring = shown[0] + size * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        self._fill(ring, (*colour, 60))
        if is_dashed:
            self._dashed(ring, colour, is_dotted=False)
        else:
            self._line(ring, (*colour, 255), 1.6)
        return self._middle(shown)

    def line(self, start: Floats, end: Floats, colour: Colour) -> None:
        """A straight line between two places."""
        shown, _ = self._projection.shown(np.stack([start, end]))
        if not np.isnan(shown).any():
            self._line(shown, (*colour, 200), 2.0)

    def nose(self, head: Pose, colour: Colour) -> None:
        """The direction of a head, seen from above."""
        front = rotations(head)[:, 0] * [1.0, 1.0, 0.0]
        shown, ahead = self._projection.shown(np.stack([head[:3], head[:3] + front]))
        way = shown[1] - shown[0]
        length = float(np.hypot(*way))
        if np.isnan(way).any() or length < 1.0:
            return
        way *= self._radius(HEAD, float(ahead[0])) / length
        side = 0.55 * np.array([-way[1], way[0]])
        corners = np.stack([1.9 * way, 0.9 * way + side, 0.9 * way - side])
        self._fill(shown[0] + corners, (*colour, 255))

    def field(self, head: Pose, half: float, colour: Colour) -> None:
        """The field of view of a head, seen from above; `half` is half its angle in radians."""
        front = rotations(head)[:2, 0]
        if np.hypot(*front) < 0.05:
            return
        middle = float(np.arctan2(front[1], front[0]))
        turn = np.linspace(middle - half, middle + half, 40)
        arc = _REACH * np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=1)
        shown, _ = self._projection.shown(head[:3] + np.vstack([np.zeros(3), arc, np.zeros(3)]))
        if not np.isnan(shown).any():
            self._fill(shown, (*colour, 34))
            self._line(shown, (*colour, 130), 1.0)

    def _radius(self, length: float, ahead: float) -> float:
        """The radius of a circle in pixels: true to scale, but never too small to be visible."""
        return max(self._projection.size_at(length, ahead), _LEAST * FINE)

    def _middle(self, points: Floats) -> Floats | None:
        """The centre of some points; None if it is outside the picture."""
        middle: Floats = (points.min(axis=0) + points.max(axis=0)) / 2
        room = self._projection.eye.width, self._projection.eye.height
        return middle if ((middle >= 0) & (middle < room)).all() else None

    def _fill(self, corners: Floats, colour: tuple[int, int, int, int]) -> None:
        if len(corners) > 2:
            self._draw.polygon(_pairs(corners), fill=colour)

    def _line(self, points: Floats, colour: tuple[int, int, int, int], width: float) -> None:
        self._draw.line(_pairs(points), fill=colour, width=round(width * FINE), joint="curve")

    def _dashed(self, points: Floats, colour: Colour, is_dotted: bool) -> None:
        """A dashed line through points, with gaps as long as the dashes."""
        lengths = np.hypot(*np.diff(points, axis=0).T)
        along = np.concatenate([[0.0], np.cumsum(lengths)])
        step = max(min((_DOT if is_dotted else _DASH) * FINE, along[-1] / 12), 1.0)
        starts = np.arange(0.0, min(along[-1], 1e5), 2 * step)
        for start in starts.tolist():
            inner = along[(along > start) & (along < start + step)]
            at = np.concatenate([[start], inner, [min(start + step, along[-1])]])
            dash = np.stack([np.interp(at, along, part) for part in points.T], axis=1)
            self._line(dash, (*colour, 255), 1.2 if is_dotted else 2.0)


def _pairs(points: Floats) -> Sequence[tuple[float, float]]:
    return [(x, y) for x, y in np.clip(points, -1e4, 1e5).tolist()]
