"""The geometry of one world at one moment: where each thing stands, how high, on what ground.

What follows from a pose is kept by row, and worked out again only for the rows that moved.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.bodies import BALL, FLAT, GROUND, HULL, NO_FORM, TUBE, Bodies
from spatial_reasoner.polygons import Polygons, Rows, hull_order, zonogons
from spatial_reasoner.poses import Floats
from spatial_reasoner.reliefs import Relief, relief
from spatial_reasoner.shapes import Shape
from spatial_reasoner.tolerances import Tolerances
from spatial_reasoner.turns import TILTED, levelled, turns

__all__ = ["Geometry"]

Flags = NDArray[np.bool_]

_SPARE: Final = 0.01
"""What boxes are grown by beyond what the tolerances say, so that rounding loses no neighbour."""
_ROUND: Final = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
"""The corners of a rectangle, in order, by its half sides."""
_OUTWARD: Final = np.array([[0.0, -1], [1, 0], [0, 1], [-1, 0]])
"""The normals of the edges that begin there, by its axes."""


class Geometry:
    """The things of a world, by row: those without a place or a shape are nowhere.

    `update` is told where everything is and says which rows that changed; until then all is
    nowhere. A geometry remembers which bodies counted as level, so each world has its own.
    """

    def __init__(
        self,
        shapes: Sequence[Shape | None],
        is_support: Flags,
        is_container: Flags,
        tolerances: Tolerances,
    ) -> None:
        count = len(shapes)
        self.bodies: Final = Bodies(shapes)
        self.is_support: Final[Flags] = is_support.astype(bool)
        self.is_container: Final[Flags] = is_container.astype(bool)
        self.tolerances: Final = tolerances
        self._cosines: Final[Floats] = np.cos(tolerances.level)
        self.generation = 0
        """How often something changed; `stamps` has it as it was when each row last did."""
        self.stamps: Final = np.zeros(count, dtype=np.int64)
        self.poses: Final[Floats] = np.tile([0.0, 0, 0, 0, 0, 0, 1], (count, 1))
        self.placed: Final[Flags] = np.zeros(count, dtype=bool)
        self.held: Final[Flags] = np.zeros(count, dtype=bool)
        self._tables(count)

    def _tables(self, count: int) -> None:
        self.solid: Flags = np.zeros(count, dtype=bool)
        """Is placed, and has a body with an end to it."""
        self.turn: Floats = np.tile(np.eye(3), (count, 1, 1))
        """Rotations, those of level bodies made level."""
        self.axis: Rows = np.full(count, 2, dtype=np.intp)
        """Which of its own axes stands upright; TILTED if none does."""
        self.middle: Floats = np.zeros((count, 3))
        self.balance: Floats = np.zeros((count, 3))
        """The centre of mass."""
        self.measures: Floats = np.zeros((3, count))
        """The root of the size; top, bottom."""
        self.top, self.bottom = self.measures[1:]
        self.size: Floats = np.zeros(count)
        """The greatest extent along an own axis, on the ground."""
        self.low: Floats = np.full((3, count), np.inf)
        self.high: Floats = np.full((3, count), -np.inf)
        """The box that those of neighbours meet; for what is nowhere it ends before it begins."""
        self.is_disc: Flags = np.zeros(count, dtype=bool)
        self.is_wide: Flags = np.zeros(count, dtype=bool)
        """Has more than four corners, so that `wide_outlines` must be asked."""
        self.outlines = Polygons(count, 4)
        self.wide_outlines: Polygons | None = None
        self._reshaped: Flags = np.zeros(count, dtype=bool)
        self._reliefs: dict[int, Relief] = {}
        self._corners: dict[tuple[int, int], list[int]] = {}

    def __len__(self) -> int:
        return len(self.stamps)

    def reshape(self, row: int, shape: Shape | None) -> None:
        """Gives a row another shape, from the next update on."""
        if shape is not self.bodies.shapes[row]:
            self.bodies.reshape(row, shape)
            self._reshaped[row] = True
            for key in [key for key in self._corners if key[0] == row]:
                del self._corners[key]

    def update(self, poses: Floats, placed: Flags, held: Flags) -> Rows:
        """Takes in where things are (n, 7), whether that is known, and what is in hands.

        The rows that changed are returned, and only they cost anything.
        """
        changed = (poses != self.poses).any(axis=1) & placed
        changed |= (placed != self.placed) | (held != self.held) | self._reshaped
        rows = np.flatnonzero(changed)
        if not rows.size:
            return rows
        self.generation += 1
        self.stamps[rows] = self.generation
        self.placed[rows], self.held[rows] = placed[rows], held[rows]
        self._reshaped[rows] = False
        here = rows[placed[rows] & (self.bodies.form[rows] != NO_FORM)]
        self.poses[here] = poses[here]
        self.low[:, rows], self.high[:, rows] = np.inf, -np.inf
        self.solid[rows] = False
        if here.size:
            self._place(here)
        return rows

    def changed_since(self, generation: int) -> Rows:
        """The rows that changed after a generation."""
        return np.flatnonzero(self.stamps > generation)

    def gaps(self, rows: Rows) -> Floats:
        """How far each row's underside may be from what it comes to rest on, and goes on to."""
        tolerances = self.tolerances
        both = np.array([tolerances.on_gap, tolerances.on_gap_held])
        gaps: Floats = both[self.held[rows].view(np.int8)].T
        return gaps

    def ground_under(self, row: int, points: Floats) -> Floats:
        """How high a plane is under points (k, 3); -inf where it is a wall."""
        normal = self.turn[row, :, 2]
        if normal[2] < 0.5:
            return np.full(len(points), -np.inf)
        away = points[:, :2] - self.poses[row, :2]
        height: Floats = self.poses[row, 2] - away @ normal[:2] / normal[2]
        return height

    def relief(self, row: int) -> Relief:
        """What a body shows to the sky; made when it is first asked for after a move."""
        shape = self.bodies.shapes[row]
        assert shape is not None
        if row not in self._reliefs:
            vertices = (shape.vertices - shape.centre) @ self.turn[row].T + self.middle[row]
            self._reliefs[row] = relief(vertices, shape.faces.astype(np.intp))
        return self._reliefs[row]

    def _place(self, rows: Rows) -> None:
        bodies, form = self.bodies, self.bodies.form[rows]
        raw = turns(self.poses[rows])
        middle = self.poses[rows, :3] + (raw @ bodies.centre[rows][:, :, None])[:, :, 0]
        turn, axis = levelled(raw, form, self.axis[rows] != TILTED, self._cosines)
        self.turn[rows], self.axis[rows], self.middle[rows] = turn, axis, middle
        self.balance[rows] = middle + (turn @ bodies.mass[rows][:, :, None])[:, :, 0]
        for row in rows:
            self._reliefs.pop(int(row), None)
        ends = form != GROUND
        if not ends.all():
            rows, form, turn, axis, middle = (x[ends] for x in (rows, form, turn, axis, middle))
        self.solid[rows] = True
        self._measure(rows, turn, axis, middle)
        self._outline(rows, form, turn, axis, middle)

    def _measure(self, rows: Rows, turn: Floats, axis: Rows, middle: Floats) -> None:
        """Heights, sizes and boxes, by the body's own box; how high hulls are follows."""
        half = self.bodies.half[rows]
        extent = (np.abs(turn) * half[:, None]).sum(axis=2)
        size = 2 * self.bodies.widths[rows, axis, 1]
        tilted = np.flatnonzero(axis == TILTED)
        if tilted.size:
            flat = np.sqrt(np.maximum(1 - turn[tilted, 2] ** 2, 0.0))
            size[tilted] = 2 * (half[tilted] * flat).max(axis=1)
        self.size[rows] = size
        height = middle[:, 2]
        self.measures[:, rows] = np.sqrt(size), height + extent[:, 2], height - extent[:, 2]
        extent[:, :2] += (0.5 * self.tolerances.next_gap[1] * size + _SPARE)[:, None]
        extent[:, 2] += 0.5 * self.tolerances.on_gap[1] + _SPARE
        self.low[:, rows], self.high[:, rows] = (middle - extent).T, (middle + extent).T

    def _outline(
        self, rows: Rows, form: NDArray[np.int8], turn: Floats, axis: Rows, middle: Floats
    ) -> None:
        """Rectangles and discs for what is level, the rest one by one."""
        half = self.bodies.half[rows]
        pick, flat = np.arange(len(rows))[:, None], FLAT[axis]
        sides = turn[:, :2].swapaxes(1, 2)[pick, flat]
        lengths = half[pick, flat]
        is_disc = (form == BALL) | ((form == TUBE) & (axis == 2))
        lengths[is_disc] = 0.0
        corners = _ROUND @ (sides * lengths[:, :, None])
        corners += middle[:, None, :2]
        normals = _OUTWARD @ sides
        offsets = (normals * corners).sum(axis=2)
        table = self.outlines
        table.points[:, :4, rows] = corners.transpose(2, 1, 0)
        table.points[:, 4, rows] = self.balance[rows, :2].T
        table.normals[:, :, rows] = normals.transpose(2, 1, 0)
        table.offsets[:, rows] = offsets.T
        table.radius[rows] = np.where(is_disc, half[:, 0], 0.0)
        self.is_disc[rows] = is_disc
        self.is_wide[rows] = wide = (axis == TILTED) | (form == HULL)
        if self.wide_outlines is not None or wide.any():
            self._widen(rows, rows[wide])

    def _widen(self, rows: Rows, wide: Rows) -> None:
        """Keeps the table of wide outlines, which has the others too so that pairs may mix."""
        shadows = {int(row): self._shadow(int(row)) for row in wide}
        widest = max((len(shadow) for shadow in shadows.values()), default=0)
        table = self.wide_outlines
        if table is None or table.width < widest:
            bigger = Polygons(len(self), max(widest, 8))
            bigger.take_over(table or self.outlines, np.arange(len(self)))
            table = self.wide_outlines = bigger
        table.take_over(self.outlines, rows)
        for row, shadow in shadows.items():
            table.trace(row, shadow)

    def _shadow(self, row: int) -> Floats:
        """The corners on the ground of what leans or is a hull; sets how high a hull is."""
        turn, middle = self.turn[row], self.middle[row]
        shape = self.bodies.shapes[row]
        assert shape is not None
        if shape.kind in ("box", "bin"):
            box: Floats = zonogons((turn[:2] * shape.half).T[None])[0] + middle[:2]
            return box
        corners: Floats = (shape.corners - shape.centre) @ turn.T + middle
        if shape.kind == "mesh":
            self.top[row], self.bottom[row] = corners[:, 2].max(), corners[:, 2].min()
        shadow: Floats = corners[self._hull(row, corners[:, :2]), :2]
        return shadow

    def _hull(self, row: int, corners: Floats) -> list[int]:
        """Which corners are on the rim of the shadow; of a level body always the same ones."""
        axis = int(self.axis[row])
        if axis == TILTED:
            return hull_order(corners)
        key = (row, axis + (3 if self.turn[row, 2, axis] < 0 else 0))
        if key not in self._corners:
            self._corners[key] = hull_order(corners)
        return self._corners[key]
