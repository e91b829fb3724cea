"""An id buffer: OpenGL draws, at each point, the number of the row that shows there.

It runs on a graphics card, or on Mesa's software renderer, without a screen. Each instance of a
form carries its own matrix from body to picture, made in double precision; so many small pictures,
glances, are drawn at once, side by side, each instance clipped to its own.
"""

import os
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

import moderngl
import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.errors import NoRenderer
from spatial_reasoner.forms import Stretched, stretched
from spatial_reasoner.gl_drawing import FRAGMENT, INSTANCE, VERTEX, Drawn, lens_of, lenses_of
from spatial_reasoner.glances import Glances, Masks
from spatial_reasoner.poses import Floats, rotations
from spatial_reasoner.shapes import Shape, box
from spatial_reasoner.sight import Eye, Picture, Scenery

__all__ = ["GlSight"]

Rows = NDArray[np.intp]

_EGL: Final[dict[str, Any]] = {"backend": "egl"}  # without a screen
_CLIP_DISTANCES: Final = (0x3000, 0x3001, 0x3002, 0x3003)
_WHOLE: Final = np.array([1.0, 1.0, 0.0, 0.0])
_ACROSS: Final = 8
"""So many glances are side by side on a sheet, of this number at most."""
_CELLS: Final = 512
_KEPT: Final = 128
_SCENERIES: Final = 64
_FILLER: Final = box(np.ones(3))


class GlSight:
    """Draws with OpenGL; NoRenderer, with what to install, where it can't be had.

    It belongs to the thread that made it.
    """

    name = "gl"
    detail = 160
    closeness = 24

    def __init__(self) -> None:
        # Mesa's own threads cost more than they save here; it reads this at the first context.
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
        # Pictures are drawn upside down, so that they are read from the top.
        self._context.front_face = "cw"
        self._context.enable(moderngl.DEPTH_TEST)
        self._clips = False
        self._sheets: Final[dict[tuple[int, int], moderngl.Framebuffer]] = {}
        self._forms: Final[dict[tuple[object, ...], int]] = {}
        self._kinds: Final[list[Drawn]] = []
        self._known: Final[OrderedDict[tuple[Shape | None, ...], _Known]] = OrderedDict()
        self._models: Final[OrderedDict[tuple[int, bytes], Floats]] = OrderedDict()

    def close(self) -> None:
        """Gives back what it holds."""
        with self._context:
            self._forget()
        self._context.release()

    def look(self, eye: Eye, scenery: Scenery) -> Picture:
        """Which row shows at each point; what is in front hides what is behind."""
        size = (eye.width, eye.height)
        with self._context:  # somebody else's may be the current one
            self._tidy()
            known, models = self._learned(scenery)
            rows = scenery.rows[np.argsort(known.kinds[scenery.rows], kind="stable")]
            sheet = self._sheet(size)
            self._clip(False)
            self._draw(sheet, known.of(rows), lens_of(eye) @ models[rows], _WHOLE, rows)
            return _read(sheet, size)

    def glances(self, sceneries: Sequence[Scenery], glances: Glances) -> tuple[Masks, Masks]:
        """Where the row of each glance would show with nothing in front, and where it shows."""
        number = len(glances.rows)
        crowded = np.zeros(number, dtype=bool)
        crowded[glances.before] = True
        alone = np.flatnonzero(glances.unsure & crowded)
        eyes = np.concatenate([np.arange(number), alone])
        cells = np.concatenate([np.arange(len(eyes)), glances.before])
        rows = np.concatenate([glances.rows[eyes], glances.others])
        masks = np.empty((len(eyes), glances.size, glances.size), dtype=bool)
        with self._context:
            self._tidy()
            for first in range(0, len(eyes), _CELLS):
                part = slice(first, min(first + _CELLS, len(eyes)))
                here = (cells >= part.start) & (cells < part.stop)
                chosen = eyes[part], rows[here], cells[here] - first
                tiles = self._together(sceneries, glances, *chosen)
                np.equal(tiles, glances.rows[eyes[part], None, None], out=masks[part])
        shown = masks[:number]
        would = shown.copy()
        would[alone] = masks[number:]
        return would, shown

    def _together(
        self,
        sceneries: Sequence[Scenery],
        glances: Glances,
        eyes: Rows,
        rows: Rows,
        cells: Rows,
    ) -> Picture:
        """A picture for each of some eyes, drawn side by side; each row is drawn in its cell."""
        learned = [self._learned(scenery) for scenery in sceneries]
        worlds = glances.worlds[eyes][cells]
        kinds = np.stack([known.kinds for known, _ in learned])[worlds, rows]
        order = np.argsort(kinds, kind="stable")
        rows, cells, worlds = rows[order], cells[order], worlds[order]
        models = np.stack([models for _, models in learned])[worlds, rows]
        inside = np.stack([known.inside for known, _ in learned])[worlds, rows]
        drawn = _Instances(kinds[order], inside)
        size, lines = glances.size, -(-len(eyes) // _ACROSS)
        room = 1 << (lines - 1).bit_length()
        sheet = self._sheet((size * _ACROSS, size * room))
        self._clip(True)
        lenses = lenses_of(glances.poses[eyes], glances.fovs[eyes])
        self._draw(sheet, drawn, lenses[cells] @ models, _frames(len(eyes), room)[cells], rows)
        picture = _read(sheet, (size * _ACROSS, size * lines))
        tiles = picture.reshape(lines, size, _ACROSS, size).swapaxes(1, 2)
        return tiles.reshape(-1, size, size)[: len(eyes)]

    def _draw(
        self,
        sheet: moderngl.Framebuffer,
        drawn: "_Instances",
        matrices: Floats,
        frames: Floats,
        rows: Rows,
    ) -> None:
        """Draws instances of rows, by rising kinds, each by its matrix, into its frame."""
        sheet.use()
        sheet.clear()
        instances = np.empty(len(rows), dtype=INSTANCE)
        instances["matrix"] = matrices.swapaxes(1, 2)
        instances["frame"] = frames
        instances["inside"] = drawn.inside
        instances["number"] = rows + 1
        for kind, part in _runs(drawn.kinds):
            form = self._kinds[kind]
            (self._context.disable if form.careless else self._context.enable)(moderngl.CULL_FACE)
            form.draw(instances[part])

    def _clip(self, each: bool) -> None:
        """Whether each instance is cut off at the border of its frame."""
        if each == self._clips:
            return
        for number in _CLIP_DISTANCES:
            (self._context.enable_direct if each else self._context.disable_direct)(number)
        self._clips = each

    def _sheet(self, size: tuple[int, int]) -> moderngl.Framebuffer:
        if size not in self._sheets:
            self._sheets[size] = self._context.framebuffer(
                [self._context.texture(size, 1, dtype="i4")],
                self._context.depth_renderbuffer(size),
            )
        return self._sheets[size]

    def _learned(self, scenery: Scenery) -> tuple["_Known", Floats]:
        """What is known of a scenery's shapes, and the matrices from its bodies to the world."""
        known = self._of_shapes(tuple(scenery.shapes))
        key = (id(known), scenery.poses.tobytes())
        if key not in self._models:
            while len(self._models) >= _SCENERIES:
                self._models.popitem(last=False)
            self._models[key] = _matrices(known.stretched, scenery.poses)
        return known, self._models[key]

    def _of_shapes(self, shapes: tuple[Shape | None, ...]) -> "_Known":
        if shapes not in self._known:
            self._known[shapes] = self._prepared(shapes)
        return self._known[shapes]

    def _prepared(self, shapes: tuple[Shape | None, ...]) -> "_Known":
        """Makes the forms that shapes need; rows without one are never asked for."""
        filled = [shape or _FILLER for shape in shapes]
        made = stretched(filled)
        for key, shape in zip(made.keys, filled, strict=True):
            if key not in self._forms:
                self._forms[key] = len(self._kinds)
                self._kinds.append(Drawn(self._context, self._program, shape))
        kinds = np.array([self._forms[key] for key in made.keys], dtype=np.intp)
        return _Known(made, kinds, made.inside)

    def _tidy(self) -> None:
        """Starts anew once too much is kept: a door that moves is a new form at each turn."""
        if max(map(len, (self._kinds, self._known, self._sheets))) > _KEPT:
            self._forget()

    def _forget(self) -> None:
        for form in self._kinds:
            form.release()
        for sheet in self._sheets.values():
            sheet.release()
        self._kinds.clear()
        self._sheets.clear()
        self._forms.clear()
        self._known.clear()
        self._models.clear()


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """Of each row: which form it is drawn by, and what makes its inside."""

    stretched: Stretched
    kinds: Rows
    inside: Floats

    def of(self, rows: Rows) -> "_Instances":
        return _Instances(self.kinds[rows], self.inside[rows])


@dataclass(frozen=True, slots=True, eq=False)
class _Instances:
    """The same of what is drawn."""

    kinds: Rows
    inside: Floats


def _matrices(known: Stretched, poses: Floats) -> Floats:
    """From a form to the world, (rows, 4, 4); what is not there may be anywhere."""
    turned = rotations(poses)
    models = np.zeros((len(poses), 4, 4))
    models[:, :3, :3] = turned * known.scale[:, None]
    models[:, :3, 3] = poses[:, :3] + (turned @ known.shift[:, :, None])[..., 0]
    models[:, 3, 3] = 1.0
    return models


def _frames(number: int, room: int) -> Floats:
    """Where on a sheet each of some pictures is: scale and shift, across and down."""
    count = np.arange(number)
    frames = np.empty((number, 4))
    frames[:, :2] = 1 / _ACROSS, 1 / room
    frames[:, 2] = (2 * (count % _ACROSS) + 1) / _ACROSS - 1
    frames[:, 3] = (2 * (count // _ACROSS) + 1) / room - 1
    return frames


def _runs(kinds: NDArray[np.intp]) -> list[tuple[int, slice]]:
    """The stretches of equal kinds in a sorted array."""
    counts = np.bincount(kinds).tolist()
    ends = accumulate(counts)
    return [
        (kind, slice(end - count, end))
        for kind, (count, end) in enumerate(zip(counts, ends, strict=True))
        if count
    ]


def _read(sheet: moderngl.Framebuffer, size: tuple[int, int]) -> Picture:
    picture = np.empty((size[1], size[0]), dtype=np.int32)
    sheet.read_into(picture, viewport=(0, 0, *size), components=1, dtype="i4")
    picture -= 1
    return picture
