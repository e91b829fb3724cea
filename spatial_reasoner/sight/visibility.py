"""Visibility: the visibility ratio of every object for every head, in each of its fields.

1. Render one id buffer for each head. It covers the field of view of all head turns; parts without
   objects are left out.
2. Count the pixels of each object in each field, and divide by the number of pixels that it would
   have without occlusion, which follows from its outline.
3. If the picture is too coarse, render a close-up: a small picture of that object alone and its
   possible occluders. These are small objects, objects across the edge of a field, objects behind
   glass, and meshes.
4. An object that is too long for a close-up and too thin for a picture is sampled along its length.

Gazes with equal results share them, and unchanged pictures are not rendered again: results are
cached by all that they depend on, which is what lies within the widest field. They depend on the
given gazes and not on time, so a recording gives the same results again.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Rows
from spatial_reasoner.geometry.poses import compose
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.sight.bearings import object_bearings
from spatial_reasoner.sight.close_up_cache import CloseUpCache, close_up_keys
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.fields_of_view import TURNED_KEPT, EyeFields, Panel, eye_fields
from spatial_reasoner.sight.gazes import Gaze, Seen
from spatial_reasoner.sight.outlines import outlines
from spatial_reasoner.sight.picture_cache import PictureCache, RequestedPicture, There
from spatial_reasoner.sight.picture_parts import Enclosing
from spatial_reasoner.sight.ray_casting import entries, ways_of
from spatial_reasoner.sight.slender_objects import is_slender, seen_along
from spatial_reasoner.sight.visibility_ratios import PixelCounts, VisibilityRatios
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.rendering import Eye, Scenery

__all__ = ["Visibility"]

_KEPT: Final = 512
"""The number of results, outlines and windows that are cached."""

_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Drawing:
    """Rows to render in the window of a gaze, in rising order; `eye` is the gaze's number."""

    eye: int
    gaze: Gaze
    fields: EyeFields
    rows: Rows


class Visibility:
    """Computes visibility ratios with the renderer `sight`, and caches results.

    Only one thread may use it at a time.
    """

    def __init__(self, sight: CloseUpSight, tolerances: Tolerances) -> None:
        self.sight: Final = sight
        self.tolerances: Final = tolerances
        self._windows: Final[dict[_Key, EyeFields]] = {}
        self._alike: Final[dict[tuple[Shape | None, ...], Rows]] = {}
        self._numbers: Final[dict[_Key | None, int]] = {}
        self._answers: Final[OrderedDict[_Key, Seen]] = OrderedDict()
        self._close_ups: Final = CloseUpCache()
        self._pictures: Final = PictureCache(sight)
        self._outlines: Final[OrderedDict[_Key, Floats]] = OrderedDict()
        self._slender: Final[dict[_Key, bool]] = {}

    def see(self, gazes: Sequence[Gaze]) -> list[Seen]:
        """The visible rows of each gaze; a call for many gazes is faster than many calls."""
        self._tidy()
        keys = self._keys(gazes)
        new: dict[int, dict[_Key, Gaze]] = {}
        for key, gaze in zip(keys, gazes, strict=True):
            if key not in self._answers:
                new.setdefault(len(gaze.scenery.shapes), {})[key] = gaze
        for alike in new.values():
            self._look(alike)
        found = [self._answers[key] for key in keys]
        for key in keys:
            self._answers.move_to_end(key)
        while len(self._answers) > max(_KEPT, 2 * len(keys)):
            self._answers.popitem(last=False)
        return found

    @property
    def drawn(self) -> int:
        """The number of pictures rendered so far, in whole or in part."""
        return self._pictures.drawn

    def close(self) -> None:
        """Clears the caches and closes the renderer."""
        self._forget()
        self.sight.close()

    def _keys(self, gazes: Sequence[Gaze]) -> list[_Key]:
        """A cache key for each gaze, of all that its result may depend on."""
        known: dict[tuple[int, int], _Key] = {}
        keys = []
        for gaze in gazes:
            same = id(gaze.scenery), id(gaze.transparent)
            if same not in known:
                known[same] = self._there(gaze, gaze.scenery.rows)
            keys.append((*_eye(gaze), *known[same]))
        return keys

    def _look(self, gazes: Mapping[_Key, Gaze]) -> None:
        """Computes the results of gazes; gazes that differ only outside their fields share one."""
        every = list(gazes.values())
        sceneries = list({id(gaze.scenery): gaze.scenery for gaze in every}.values())
        number = {id(scenery): k for k, scenery in enumerate(sceneries)}
        worlds = np.array([number[id(gaze.scenery)] for gaze in every])
        windows = [self._window(gaze) for gaze in every]
        about = outlines(sceneries)
        eyes = np.array([gaze.eye for gaze in every])
        where = object_bearings(about, eyes, worlds, windows)
        enclosing = Enclosing(eyes, worlds, about, where)
        inside = [np.flatnonzero(one) for one in where.some[:, TURNED_KEPT]]
        near = [("near", *_eye(a), *self._there(a, b)) for a, b in zip(every, inside, strict=True)]
        first = {key: k for k, key in reversed(list(enumerate(near))) if key not in self._answers}
        new = sorted(first.values())
        if new:
            opaque = [
                _Drawing(k, every[k], windows[k], inside[k][~every[k].transparent[inside[k]]])
                for k in new
            ]
            shown = self._pictured(enclosing, opaque)
            counts = PixelCounts(shown, np.zeros_like(shown))
            for n, k in enumerate(new):
                broad = np.flatnonzero(where.wide[k])
                if broad.size:
                    self._broad(enclosing, opaque[n], broad, shown[n], counts.alone[n])
            looks = VisibilityRatios(
                [every[k] for k in new],
                [windows[k] for k in new],
                worlds[new],
                about,
                where.of(new),
                counts,
                self.tolerances,
            )
            for k, seen in zip(new, self._concluded(sceneries, looks), strict=True):
                self._answers[near[k]] = seen
        for key, alike in zip(gazes, near, strict=True):
            self._answers[key] = self._answers[alike]

    def _broad(
        self,
        enclosing: Enclosing,
        opaque: _Drawing,
        broad: Rows,
        shown: Floats,
        would: Floats,
    ) -> None:
        """Sets the pixel counts of objects that are too wide for a close-up, in each field.

        `would` are the counts without occlusion, and `shown` those with it. `opaque` are the
        possible occluders.
        """
        gaze, wide, looker = opaque.gaze, opaque.fields, _eye(opaque.gaze)
        for row in broad.tolist():
            shape = gaze.scenery.shapes[row]
            if shape is None:
                continue
            key = *looker, shape.key, gaze.scenery.poses[row].tobytes()
            if key not in self._slender:
                self._slender[key] = is_slender(gaze, wide, shape, row)
            if self._slender[key]:
                would[:, row], shown[:, row] = seen_along(gaze, wide, shape, row, opaque.rows)
                continue
            if shape.kind == "mesh":
                only = replace(opaque, rows=np.array([row]))
                would[:, row] = self._pictured(enclosing, [only], row)[0, :, row]
            else:
                would[:, row] = self._alone(key, gaze, wide, shape, row)
            if gaze.transparent[row]:
                through = replace(opaque, rows=np.sort(np.append(opaque.rows, row)))
                shown[:, row] = self._pictured(enclosing, [through])[0, :, row]

    def _pictured(
        self, enclosing: Enclosing, drawn: Sequence[_Drawing], alone: int | None = None
    ) -> Floats:
        """The pixels of each row in each field, if only the given rows are rendered: (n, 6, rows).

        With `alone` only that row is rendered, and its picture is cached separately.
        """
        found = np.zeros((len(drawn), 6, enclosing.where.azimuth.shape[1]))
        views, ours = [], []
        for k, one in enumerate(drawn):
            scenery, forms = one.gaze.scenery, self._forms(one.gaze.scenery)
            rows, panels = one.rows, one.fields.panels
            for n, eye in enumerate(_eyes(one.gaze, panels)):
                boxes, part = enclosing.boxes(one.eye, rows, panels[n])
                if part is not None:
                    there = There(rows, forms[rows], scenery.poses[rows], boxes)
                    key = (*_eye(one.gaze), len(forms), n, alone)
                    views.append(RequestedPicture(key, eye, panels[n], part, scenery, there))
                    ours.append(k)
        for k, counted in zip(ours, self._pictures.counted(views), strict=True):
            found[k] += counted
        return found

    def _alone(self, key: _Key, gaze: Gaze, wide: EyeFields, shape: Shape, row: int) -> Floats:
        """The pixels of a simple shape in each field without occlusion, by coarse ray casting."""
        if key in self._outlines:
            self._outlines.move_to_end(key)
            return self._outlines[key]
        found = np.zeros(6)
        eyes = _eyes(gaze, wide.coarse)
        for eye, full, coarse in zip(eyes, wide.panels, wide.coarse, strict=True):
            way = entries(shape, gaze.scenery.poses[row], eye.pose[:3], ways_of(eye))
            scale = full.width * full.height / len(way)
            found += scale * coarse.among(np.isfinite(way))
        self._outlines[key] = found
        if len(self._outlines) > _KEPT:
            self._outlines.popitem(last=False)
        return found

    def _concluded(self, sceneries: Sequence[Scenery], looks: VisibilityRatios) -> list[Seen]:
        """The visible rows; close-ups at objects that did not move come from the cache."""
        forms = [self._forms(one) for one in sceneries]
        keys = close_up_keys(sceneries, forms, looks.eyes, looks.close)
        new = self._close_ups.missing(keys)
        if not len(new):
            return looks.seen(self._close_ups.of(keys))
        found = np.empty((len(keys), 2, 6))
        is_old = np.ones(len(keys), dtype=bool)
        is_old[new] = False
        old = np.flatnonzero(is_old)
        found[old] = self._close_ups.of([keys[k] for k in old.tolist()])
        found[new] = looks.close_up_counts(new, sceneries, self.sight)
        self._close_ups.store([keys[k] for k in new.tolist()], found[new])
        return looks.seen(found)

    def _forms(self, scenery: Scenery) -> Rows:
        """A number for the shape of each row; equal shapes have equal numbers."""
        shapes = tuple(scenery.shapes)
        if shapes not in self._alike:
            keys = [None if shape is None else shape.key for shape in shapes]
            numbers = [self._numbers.setdefault(key, len(self._numbers)) for key in keys]
            self._alike[shapes] = np.array(numbers, dtype=np.intp)
        return self._alike[shapes]

    def _there(self, gaze: Gaze, rows: Rows) -> _Key:
        """A cache key of some rows: shapes, poses and transparency."""
        forms = self._forms(gaze.scenery)
        there = (rows, gaze.scenery.poses[rows], gaze.transparent[rows], forms[rows])
        return len(forms), *[each.tobytes() for each in there]

    def _tidy(self) -> None:
        """Clears the caches if they are too large: a moving door has a new shape in each frame."""
        if len(self._alike) > _KEPT:
            self._forget()
        if len(self._slender) > _KEPT:
            self._slender.clear()

    def _forget(self) -> None:
        self._close_ups.clear()
        self._pictures.clear()
        for kept in (self._answers, self._outlines, self._slender, self._alike, self._numbers):
            kept.clear()

    def _window(self, gaze: Gaze) -> EyeFields:
        key = gaze.fov, gaze.foa, gaze.turn, self.tolerances.field_edge, self.sight.detail
        if key not in self._windows:
            if len(self._windows) >= _KEPT:
                self._windows.clear()
            self._windows[key] = eye_fields(*key)
        return self._windows[key]


def _eyes(gaze: Gaze, panels: Sequence[Panel]) -> list[Eye]:
    """The eyes that render the panels of a gaze."""
    if len(panels) == 1:
        [one] = panels
        return [Eye(gaze.eye, one.fov, one.width, one.height)]
    turns = np.zeros((len(panels), 7))
    half = np.array([panel.yaw for panel in panels]) / 2
    turns[:, 5], turns[:, 6] = np.sin(half), np.cos(half)
    poses = compose(np.tile(gaze.eye, (len(panels), 1)), turns)
    return [Eye(p, one.fov, one.width, one.height) for p, one in zip(poses, panels, strict=True)]


def _eye(gaze: Gaze) -> _Key:
    return gaze.fov, gaze.foa, gaze.turn, gaze.eye.tobytes()
