"""An id buffer in OpenGL: each pixel has the number of the row that is visible there.

It runs on a graphics card or on Mesa's software renderer, without a screen. Each instance of a form
has its own matrix from body to picture, computed in double precision. Many pictures are rendered at
once on one sheet, and each instance is clipped to its picture. Large pictures are placed below each
other, and close-ups side by side.
"""

import os
from collections.abc import Sequence
from typing import Any, Final

import moderngl
import numpy as np

from spatial_reasoner.errors import NoRenderer
from spatial_reasoner.geometry.arrays import Rows
from spatial_reasoner.geometry.render_meshes import is_round, stretched
from spatial_reasoner.geometry.shapes import Shape, box
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.sight.close_up_rays import close_up_masks
from spatial_reasoner.sight.close_ups import CloseUps, Masks
from spatial_reasoner.sight.gl_drawing import FRAGMENT, VERTEX, Drawn
from spatial_reasoner.sight.gl_instances import Cells, Known, PlacedMeshes, instances, placed
from spatial_reasoner.values.rendering import Eye, Picture, PixelRectangle, Scenery

__all__ = ["GlSight"]

_EGL: Final[dict[str, Any]] = {"backend": "egl"}  # without a screen
_CLIP_DISTANCES: Final = (0x3000, 0x3001, 0x3002, 0x3003)
_ACROSS: Final = 8
"""The number of close-ups side by side on a sheet."""
_CELLS: Final = 512
"""The greatest number of close-ups on a sheet."""
_TALLEST: Final = 4096
"""The greatest height of a sheet in pixels, unless a single picture is higher."""
_STEP: Final = 96
"""Pixels: the width and height of a sheet are multiples of this, so sheets are reused."""
_KEPT: Final = 128
"""The number of forms, sheets and prepared worlds that are cached."""
_FILLER: Final = box(np.ones(3))


class GlSight:
    """Renders with OpenGL; only the thread that made it may use it.

    NoRenderer if OpenGL is not available; the message names the packages to install.
    """

    name = "gl"
    detail = 160
    closeness = 24

    def __init__(self) -> None:
        # Mesa's threads cost more than they save here. Mesa reads this with the first context.
        os.environ.setdefault("LP_NUM_THREADS", "0")
        try:
            self._context: Final = moderngl.create_context(standalone=True, **_EGL)
        except Exception as error:  # the library raises nothing narrower
            raise NoRenderer(
                f"no OpenGL without a screen ({error});"
                " on Debian: apt install libegl1 libgl1-mesa-dri"
            ) from error
        self.renderer: Final = str(self._context.info["GL_RENDERER"])
        self._program: Final = self._context.program(VERTEX, FRAGMENT)
        # Pictures are drawn upside down, so that the first line that is read is the top one.
        self._context.front_face = "cw"
        self._context.enable(moderngl.DEPTH_TEST)
        for number in _CLIP_DISTANCES:
            self._context.enable_direct(number)
        self._sheets: Final[dict[tuple[int, int], moderngl.Framebuffer]] = {}
        self._forms: Final[dict[tuple[object, ...], int]] = {}
        self._kinds: Final[list[Drawn]] = []
        self._known: Final[dict[tuple[tuple[Shape | None, ...], ...], Known]] = {}

    def close(self) -> None:
        """Releases all buffers and the context."""
        with self._context:
            self._forget()
        self._context.release()

    def render(self, eye: Eye, scenery: Scenery) -> Picture:
        """The visible row at each pixel."""
        [picture] = self.looks([eye], [scenery], [PixelRectangle(0, 0, eye.width, eye.height)])
        return picture

    def looks(
        self, eyes: Sequence[Eye], sceneries: Sequence[Scenery], parts: Sequence[PixelRectangle]
    ) -> list[Picture]:
        """Parts of the pictures of many eyes; all sceneries must have equally many rows."""
        pictures: list[Picture] = []
        if not eyes:
            return pictures
        with self._context:  # another context may be the current one
            self._tidy()
            worlds, distinct = _distinct(sceneries)
            there = self._placed(distinct)
            for one in _sheets_of(parts):
                pictures += self._strips(eyes[one], sceneries[one], parts[one], there, worlds[one])
        return pictures

    def close_ups(self, sceneries: Sequence[Scenery], close_ups: CloseUps) -> tuple[Masks, Masks]:
        """The masks of the row of each close-up, without and with occlusion."""
        return close_up_masks(sceneries, close_ups, self._rendered_close_ups)

    def _rendered_close_ups(
        self, sceneries: Sequence[Scenery], close_ups: CloseUps
    ) -> tuple[Masks, Masks]:
        """The same, rendered: close-ups with occluders, and those that need it also without."""
        number = len(close_ups.rows)
        crowded = np.zeros(number, dtype=bool)
        crowded[close_ups.before] = True
        alone = np.flatnonzero(close_ups.unsure & crowded)
        eyes = np.concatenate([np.arange(number), alone])
        cells = np.concatenate([np.arange(len(eyes)), close_ups.before])
        rows = np.concatenate([close_ups.rows[eyes], close_ups.others])
        masks = np.empty((len(eyes), close_ups.size, close_ups.size), dtype=bool)
        with self._context:
            self._tidy()
            there = self._placed(sceneries)
            for first in range(0, len(eyes), _CELLS):
                part = slice(first, min(first + _CELLS, len(eyes)))
                here = (cells >= part.start) & (cells < part.stop)
                self._tiles(
                    close_ups, eyes[part], there, cells[here] - first, rows[here], masks[part]
                )
        shown = masks[:number]
        would = shown.copy()
        would[alone] = masks[number:]
        return would, shown

    def _strips(
        self,
        eyes: Sequence[Eye],
        sceneries: Sequence[Scenery],
        parts: Sequence[PixelRectangle],
        there: PlacedMeshes,
        worlds: Rows,
    ) -> list[Picture]:
        """Renders pictures below each other on one sheet, each of one of the worlds `there`."""
        wide = -(-max(part.width for part in parts) // _STEP) * _STEP
        ends = np.cumsum([part.height for part in parts]).tolist()
        high = ends[-1]
        corners = np.array([(0, end - part.height) for part, end in zip(parts, ends, strict=True)])
        cells = Cells(
            np.array([eye.pose for eye in eyes]),
            np.array([eye.fov for eye in eyes]),
            np.array([(eye.width, eye.height) for eye in eyes], dtype=np.float64),
            np.array(parts, dtype=np.float64),
            corners.astype(np.float64),
            worlds,
        )
        rows = [scenery.rows for scenery in sceneries]
        at = np.arange(len(eyes)).repeat([len(each) for each in rows])
        sheet = self._draw((wide, high), there, cells, at, np.concatenate(rows))
        sheet -= 1
        return [
            sheet[end - part.height : end, : part.width]
            for part, end in zip(parts, ends, strict=True)
        ]

    def _tiles(
        self,
        close_ups: CloseUps,
        eyes: Rows,
        there: PlacedMeshes,
        at: Rows,
        rows: Rows,
        masks: Masks,
    ) -> None:
        """Sets the masks of some close-ups, which are rendered side by side on one sheet."""
        size, lines = close_ups.size, -(-len(eyes) // _ACROSS)
        cells = Cells(
            close_ups.poses[eyes],
            close_ups.fovs[eyes],
            np.full((len(eyes), 2), float(size)),
            np.tile([0.0, 0.0, size, size], (len(eyes), 1)),
            size * np.stack(np.divmod(np.arange(len(eyes)), _ACROSS)[::-1], axis=1),
            close_ups.worlds[eyes],
        )
        sheet = self._draw((size * _ACROSS, size * lines), there, cells, at, rows)
        _pick(sheet, close_ups.rows[eyes], masks)

    def _draw(
        self, size: tuple[int, int], there: PlacedMeshes, cells: Cells, at: Rows, rows: Rows
    ) -> Picture:
        """Draws rows, each in the cell given by `at`; returns the sheet of row numbers plus one."""
        made, counts = instances(there, cells, at, rows, len(self._kinds))
        sheet = self._sheet(size)
        sheet.use()
        sheet.viewport = (0, 0, *size)
        self._program["sheet"] = size
        sheet.clear()  # clearing only a part takes longer
        end = 0
        for form, count in zip(self._kinds, counts, strict=True):
            if count:
                (self._context.disable if form.careless else self._context.enable)(
                    moderngl.CULL_FACE
                )
                form.draw(made[end : end + count])
                end += count
        picture = np.empty((size[1], size[0]), dtype=np.int32)
        sheet.read_into(picture, viewport=sheet.viewport, components=1, dtype="i4")
        return picture

    def _sheet(self, size: tuple[int, int]) -> moderngl.Framebuffer:
        """A sheet of at least this size in pixels, from the cache if possible."""
        wide, high = size[0], -(-size[1] // _STEP) * _STEP
        if (wide, high) not in self._sheets:
            self._sheets[wide, high] = self._context.framebuffer(
                [self._context.texture((wide, high), 1, dtype="i4")],
                self._context.depth_renderbuffer((wide, high)),
            )
        return self._sheets[wide, high]

    def _placed(self, sceneries: Sequence[Scenery]) -> PlacedMeshes:
        worlds = tuple([tuple(scenery.shapes) for scenery in sceneries])
        if worlds not in self._known:
            self._known[worlds] = self._prepared(worlds)
        return placed(self._known[worlds], [scenery.poses for scenery in sceneries])

    def _prepared(self, worlds: Sequence[Sequence[Shape | None]]) -> Known:
        """Makes the forms of all shapes; rows without a shape get a filler that is never drawn."""
        filled = [shape or _FILLER for shapes in worlds for shape in shapes]
        made = stretched(filled)
        kinds = [
            (self._form(key, shape, False), self._form(key, shape, is_round(shape)))
            for key, shape in zip(made.keys, filled, strict=True)
        ]
        radii = np.array([shape.radius for shape in filled])
        count = len(worlds)
        return Known(
            np.array(kinds, dtype=np.intp).reshape(count, -1, 2),
            radii.reshape(count, -1),
            made.scale.reshape(count, -1, 3),
            made.shift.reshape(count, -1, 3),
            made.inside.reshape(count, -1, 3),
        )

    def _form(self, key: tuple[object, ...], shape: Shape, is_coarse: bool) -> int:
        """The number of a form, which is made on the first call."""
        name = (*key, is_coarse)
        if name not in self._forms:
            self._forms[name] = len(self._kinds)
            self._kinds.append(Drawn(self._context, self._program, shape, is_coarse))
        return self._forms[name]

    def _tidy(self) -> None:
        """Clears the caches when they are too large: a moving door has a new form in each frame."""
        if max(len(self._kinds), len(self._sheets)) > _KEPT:
            self._forget()
        elif len(self._known) > _KEPT:
            self._known.clear()

    def _forget(self) -> None:
        for form in self._kinds:
            form.release()
        for sheet in self._sheets.values():
            sheet.release()
        self._kinds.clear()
        self._sheets.clear()
        self._forms.clear()
        self._known.clear()


def _sheets_of(parts: Sequence[PixelRectangle]) -> list[slice]:
    """The slices of pictures that fit on one sheet each."""
    found, begin, high = [], 0, 0
    for number, part in enumerate(parts):
        if high + part.height > _TALLEST and number > begin:
            found.append(slice(begin, number))
            begin, high = number, 0
        high += part.height
    return [*found, slice(begin, len(parts))]


def _distinct(sceneries: Sequence[Scenery]) -> tuple[Rows, list[Scenery]]:
    """The distinct sceneries, apart from their rows, and the index of each scenery among them."""
    found: dict[tuple[int, int], int] = {}
    which = [found.setdefault((id(s.shapes), id(s.poses)), len(found)) for s in sceneries]
    return np.array(which, dtype=np.intp), [sceneries[which.index(n)] for n in range(len(found))]


@compiled("void(i4[:,:], i8[:], b1[:,:,:])")
def _pick(sheet: Picture, rows: Rows, masks: Masks) -> None:
    """Sets the mask of each close-up: where the sheet has its own row."""
    size = masks.shape[1]
    for k in range(len(rows)):
        top, left = k // _ACROSS * size, k % _ACROSS * size
        for y in range(size):
            for x in range(size):
                masks[k, y, x] = sheet[top + y, left + x] == rows[k] + 1
