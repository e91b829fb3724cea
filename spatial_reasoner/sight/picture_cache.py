"""The last picture of each eye, of which only the parts that may differ are rendered again.

Two minds with the same eye mostly differ in a few objects, and so do two frames of a head at rest.
Two pictures can only differ in the bounding boxes of the objects that differ. In these boxes all
objects that can be visible are rendered; the rest of the picture stays. The result equals that of
rendering the whole picture, except for one pixel, in one of some hundreds of pictures, on a long
edge that leaves the rendered part.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.fields_of_view import Panel
from spatial_reasoner.values.rendering import (
    BOTTOM,
    LEFT,
    NOTHING,
    RIGHT,
    TOP,
    Eye,
    Picture,
    PixelRectangle,
    Scenery,
)

__all__ = ["PictureCache", "RequestedPicture", "There"]

_KEPT: Final = 64
"""The number of stored pictures, each of which has some ten thousand pixels."""
_UNDRAWN: Final[Picture] = np.zeros((0, 0), dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class There:
    """The objects that may be visible in a picture: rows in rising order, the numbers of their
    shapes, their poses, and their bounding boxes (left, top, right, bottom)."""

    rows: Rows
    forms: Rows
    poses: Floats
    boxes: Rows


@dataclass(frozen=True, slots=True, eq=False)
class RequestedPicture:
    """A requested picture: a part of a panel of an eye, whose cache key is `key`."""

    key: tuple[object, ...]
    eye: Eye
    panel: Panel
    part: PixelRectangle
    scenery: Scenery
    there: There


@dataclass(frozen=True, slots=True, eq=False)
class _Stroke:
    """The rendering of a view: some rows in a part of it, of which some boxes are needed."""

    rows: Rows
    part: PixelRectangle
    boxes: Rows | None
    """None if the whole view is rendered."""

    def __bool__(self) -> bool:
        return self.part.width > 0


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """A part of a panel's picture, and the pixel counts of each row in each field."""

    there: There
    part: PixelRectangle
    picture: Picture
    found: Floats


class PictureCache:
    """Renders views with a renderer, as little as possible."""

    def __init__(self, sight: CloseUpSight) -> None:
        self._sight: Final = sight
        self._kept: Final[OrderedDict[tuple[object, ...], _Kept]] = OrderedDict()
        self.drawn = 0
        """The number of pictures rendered so far, in whole or in part."""

    def counted(self, views: Sequence[RequestedPicture]) -> list[Floats]:
        """The pixel counts of each row in each field of some views: (6, rows) each."""
        last = {view.key: self._kept[view.key].there for view in views if view.key in self._kept}
        strokes = []
        for view in views:
            strokes.append(_stroke(view, last.get(view.key)))
            last[view.key] = view.there
        drawn = iter(self._drawn([pair for pair in zip(views, strokes, strict=True) if pair[1]]))
        found = [
            self._counted(view, stroke, next(drawn) if stroke else _UNDRAWN)
            for view, stroke in zip(views, strokes, strict=True)
        ]
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found

    def clear(self) -> None:
        """Removes all stored pictures."""
        self._kept.clear()

    def _drawn(self, strokes: Sequence[tuple[RequestedPicture, _Stroke]]) -> list[Picture]:
        self.drawn += len(strokes)
        return self._sight.looks(
            [view.eye for view, _ in strokes],
            [
                Scenery(view.scenery.shapes, view.scenery.poses, stroke.rows)
                for view, stroke in strokes
            ],
            [stroke.part for _, stroke in strokes],
        )

    def _counted(self, view: RequestedPicture, stroke: _Stroke, drawn: Picture) -> Floats:
        """The pixel counts of a view, from a whole picture or an update of its eye's last one."""
        if stroke.boxes is None:
            found = np.zeros((len(view.panel.member), len(view.scenery.shapes)))
            made = _Kept(view.there, view.part, np.ascontiguousarray(drawn), found)
            view.panel.count(made.picture, made.part, found)
        else:
            kept = self._kept[view.key]
            part, picture = _roomy(kept, view.part)
            made = _Kept(view.there, part, picture, kept.found)
            view.panel.recount(picture, part, drawn, stroke.part, stroke.boxes, made.found)
        self._kept[view.key] = made
        self._kept.move_to_end(view.key)
        return made.found.copy()


def _stroke(view: RequestedPicture, before: There | None) -> _Stroke:
    """The rendering that a view needs, given the objects of its eye's last picture."""
    there, whole = view.there, _Stroke(view.there.rows, view.part, None)
    if before is None:
        return whole
    boxes = np.empty((len(before.rows) + len(there.rows), 4), dtype=np.intp)
    touched, around = np.zeros(len(there.rows), dtype=bool), np.empty(4, dtype=np.intp)
    number = _differences(
        before.rows, before.forms, before.poses, before.boxes,
        there.rows, there.forms, there.poses, there.boxes, boxes, touched, around,
    )  # fmt: skip
    if touched.all():
        return whole
    return _Stroke(there.rows[touched], PixelRectangle(*around.tolist()), boxes[:number])


def _roomy(kept: _Kept, part: PixelRectangle) -> tuple[PixelRectangle, Picture]:
    """A stored picture, extended so that it covers another part."""
    has, picture = kept.part, kept.picture
    left, top = min(has.left, part.left), min(has.top, part.top)
    whole = PixelRectangle(left, top, max(has.right, part.right), max(has.bottom, part.bottom))
    if whole != has:
        picture = np.full((whole.height, whole.width), NOTHING, dtype=np.int32)
        picture[has.top - top : has.bottom - top, has.left - left : has.right - left] = kept.picture
    return whole, picture


@compiled(
    "i8(i8[:], i8[:], f8[:,:], i8[:,:], i8[:], i8[:], f8[:,:], i8[:,:], i8[:,:], b1[:], i8[:])"
)
def _differences(
    rows: Rows,
    forms: Rows,
    poses: Floats,
    boxes: Rows,
    rows_now: Rows,
    forms_now: Rows,
    poses_now: Floats,
    boxes_now: Rows,
    changed: Rows,
    touched: Flags,
    around: Rows,
) -> int:
    """Sets the boxes in which two pictures may differ, and returns their number.

    Also sets which rows may be visible in these boxes, and the bounding box of all of them.
    """
    # 1. Merge the two sorted lists of rows; a box differs where a row is new, gone or changed.
    number, i, j = 0, 0, 0
    while i < len(rows) or j < len(rows_now):
        is_old = j == len(rows_now) or (i < len(rows) and rows[i] <= rows_now[j])
        is_new = i == len(rows) or (j < len(rows_now) and rows_now[j] <= rows[i])
        is_same = is_old and is_new and forms[i] == forms_now[j]
        if is_same:
            for k in range(7):
                is_same = is_same and poses[i, k] == poses_now[j, k]
        if is_old:
            if not is_same and boxes[i, LEFT] < boxes[i, RIGHT]:
                changed[number] = boxes[i]
                number += 1
            i += 1
        if is_new:
            if not is_same and boxes_now[j, LEFT] < boxes_now[j, RIGHT]:
                changed[number] = boxes_now[j]
                number += 1
            j += 1
    # 2. The bounding box of all of them
    around[:] = 0
    for n in range(number):
        for k in (LEFT, TOP):
            around[k] = changed[n, k] if n == 0 else min(around[k], changed[n, k])
        for k in (RIGHT, BOTTOM):
            around[k] = max(around[k], changed[n, k])
    # 3. The rows whose boxes overlap one of them
    for j in range(len(rows_now)):
        for n in range(number):
            touched[j] |= (
                boxes_now[j, LEFT] < changed[n, RIGHT]
                and boxes_now[j, RIGHT] > changed[n, LEFT]
                and boxes_now[j, TOP] < changed[n, BOTTOM]
                and boxes_now[j, BOTTOM] > changed[n, TOP]
            )
    return number
