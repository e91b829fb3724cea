"""The geometry of one world at one time: heights, footprints, sizes and bounding boxes of objects.

Values that follow from a pose are stored by row, and computed again only for rows that moved.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Codes, Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column
from spatial_reasoner.geometry.levelling import TILTED, levelled
from spatial_reasoner.geometry.polygons import Polygons, hull_order, zonogons
from spatial_reasoner.geometry.poses import IDENTITY
from spatial_reasoner.geometry.shape_tables import BALL, GROUND, HULL, NO_FORM, TUBE, ShapeTables
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.geometry.support_surfaces import SupportSurfaces, relief
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["WorldGeometry"]

_SPARE: Final[Numeric] = 0.01
"""Metres: bounding boxes are enlarged by this, beyond the tolerances, so that rounding loses no
neighbour."""
_SIGNS: Final[tuple[tuple[Numeric, Numeric], ...]] = (
    *((-1.0, -1.0), (1.0, -1.0)),
    *((1.0, 1.0), (-1.0, 1.0)),
)
"""The corners of a rectangle, in order, by its half sides."""


class WorldGeometry(Columns):
    """The objects of a world, by row; those without a pose or a shape are left out.

    `update` takes the poses and returns the rows that changed; before the first call all rows are
    left out. A geometry stores which bodies counted as level (hysteresis), so each world has its
    own.
    """

    stamps: Rows = column(0)
    """The generation of the last change of each row."""
    poses: Floats = column(IDENTITY)
    placed: Flags = column(False)
    held: Flags = column(False)
    solid: Flags = column(False)
    """Whether a row has a pose and a body of finite extent."""
    turn: Floats = column(np.eye(3))
    """Rotation matrices; those of bodies that count as level are made exactly level."""
    axis: Rows = column(2)
    """Which of its own axes is vertical; TILTED if none is."""
    middle: Floats = column(np.zeros(3))
    balance: Floats = column(np.zeros(3))
    """The centre of mass."""
    root: Floats = column(0.0)
    """The square root of the size."""
    top: Floats = column(0.0)
    bottom: Floats = column(0.0)
    """The heights of the upper and the lower end, in metres."""
    size: Floats = column(0.0)
    """The greatest horizontal extent along an own axis, in metres."""
    low: Floats = column(np.full(3, np.inf))
    high: Floats = column(np.full(3, -np.inf))
    """The enlarged bounding box, which overlaps those of neighbours; empty (low > high) for rows
    that are left out."""
    _reshaped: Flags = column(False)

    def __init__(
        self,
        shapes: Sequence[Shape | None],
        is_support: Flags,
        is_container: Flags,
        tolerances: Tolerances,
    ) -> None:
        super().__init__(rows=len(shapes))
        self.bodies: Final = ShapeTables(shapes)
        self.is_support: Final[Flags] = is_support.astype(bool)
        self.is_container: Final[Flags] = is_container.astype(bool)
        self.tolerances: Final = tolerances
        self._cosines: Final[Floats] = np.cos(tolerances.level)
        self.on_gaps: Final[Floats] = np.array([tolerances.on_gap, tolerances.on_gap_held])
        """The greatest gaps (m) at which an object begins and continues to rest on a support; the
        second row is for objects in a hand."""
        self.generation = 0
        """The number of changes so far."""
        self.outlines: Final = Polygons(len(shapes))
        self._reliefs: Final[dict[int, SupportSurfaces]] = {}
        self._corners: Final[dict[tuple[int, int], list[int]]] = {}

    def reshape(self, row: int, shape: Shape | None) -> None:
        """Changes the shape of a row, from the next update on."""
        if shape is not self.bodies.shapes[row]:
            self.bodies.reshape(row, shape)
            self._reshaped[row] = True
            for key in [key for key in self._corners if key[0] == row]:
                del self._corners[key]

    def update(self, poses: Floats, placed: Flags, held: Flags) -> Rows:
        """Updates poses (n, 7), which of them are known (`placed`), and which rows are in a hand.

        Returns the rows that changed; the others cost almost nothing.
        """
        assert len(poses) == len(placed) == len(held) == len(self)
        rows, here = _take_in(
            poses, placed, held, self.bodies.form, self.generation + 1,
            self.poses, self.placed, self.held, self._reshaped, self.stamps,
            self.solid, self.low, self.high,
        )  # fmt: skip
        if rows.size:
            self.generation += 1
            self._place(here)
        return rows

    def changed_since(self, generation: int) -> Rows:
        """The rows that changed after a generation."""
        return np.flatnonzero(self.stamps > generation)

    def relief(self, row: int) -> SupportSurfaces:
        """The relief of a body as seen from above; computed on the first call after a motion."""
        shape = self.bodies.shapes[row]
        assert shape is not None
        if row not in self._reliefs:
            vertices = (shape.vertices - shape.centre) @ self.turn[row].T + self.middle[row]
            self._reliefs[row] = relief(
                vertices, shape.faces.astype(np.intp), math.cos(self.tolerances.steepest)
            )
        return self._reliefs[row]

    def _place(self, rows: Rows) -> None:
        """Computes the values that follow from the poses of rows."""
        for row in self._reliefs.keys() & rows.tolist() if self._reliefs else ():
            del self._reliefs[row]
        bodies, table = self.bodies, self.outlines
        levelled(
            rows, self.poses, bodies.form, bodies.centre, bodies.mass, self._cosines,
            self.turn, self.axis, self.middle, self.balance,
        )  # fmt: skip
        tolerances = self.tolerances
        _measure(
            rows, bodies.form, bodies.half, bodies.widths, self.turn, self.axis, self.middle,
            0.5 * tolerances.next_gap[1], 0.5 * tolerances.on_gap[1],
            self.solid, self.size, self.root, self.top, self.bottom, self.low, self.high,
        )  # fmt: skip
        wide = _outline(
            rows, bodies.form, bodies.half, self.turn, self.axis, self.middle, self.balance,
            table.counts, table.corners, table.normals, table.offsets, table.points, table.radius,
        )  # fmt: skip
        for row in wide.tolist():
            table.trace(row, self._shadow(row))

    def _shadow(self, row: int) -> Floats:
        """The corners of the footprint of a tilted body or a hull; sets the heights of a mesh."""
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
        """The corners on the outline of the footprint; they are cached for level bodies."""
        axis = int(self.axis[row])
        if axis == TILTED:
            return hull_order(corners)
        key = (row, axis + (3 if self.turn[row, 2, axis] < 0 else 0))
        if key not in self._corners:
            self._corners[key] = hull_order(corners)
        return self._corners[key]


@compiled(
    "UniTuple(i8[::1], 2)(f8[:,:], b1[:], b1[:], i1[::1], i8, f8[:,::1], b1[::1], b1[::1],"
    " b1[::1], i8[::1], b1[::1], f8[:,::1], f8[:,::1])"
)
def _take_in(
    poses: Floats, placed: Flags, held: Flags, forms: Codes, stamp: int,
    old_poses: Floats, was_placed: Flags, was_held: Flags, is_reshaped: Flags, stamps: Rows,
    solid: Flags, low: Floats, high: Floats,
) -> tuple[Rows, Rows]:  # fmt: skip
    """Stores which rows appeared, disappeared, moved, were grasped or released, or changed shape.

    Returns these rows, and those of them that have a pose and a shape. All are left out (`solid` is
    false) until they are measured.
    """
    rows, here = np.empty(len(placed), dtype=np.int64), np.empty(len(placed), dtype=np.int64)
    count = count_here = 0
    for row in range(len(placed)):
        changed = placed[row] != was_placed[row] or held[row] != was_held[row] or is_reshaped[row]
        if placed[row]:
            for k in range(7):
                changed |= poses[row, k] != old_poses[row, k]
        if not changed:
            continue
        was_placed[row], was_held[row], is_reshaped[row] = placed[row], held[row], False
        solid[row], stamps[row] = False, stamp
        for k in range(3):
            low[row, k], high[row, k] = np.inf, -np.inf
        rows[count] = row
        count += 1
        if placed[row] and forms[row] != NO_FORM:
            for k in range(7):
                old_poses[row, k] = poses[row, k]
            here[count_here] = row
            count_here += 1
    return rows[:count], here[:count_here]


@compiled(
    "(i8[::1], i1[::1], f8[:,::1], f8[:,:,::1], f8[:,:,::1], i8[::1], f8[:,::1], f8, f8,"
    " b1[::1], f8[::1], f8[::1], f8[::1], f8[::1], f8[:,::1], f8[:,::1])"
)
def _measure(
    rows: Rows, forms: Codes, halves: Floats, widths: Floats,
    turns: Floats, axes: Rows, middles: Floats, share: float, gap: float,
    solid: Flags, sizes: Floats, roots: Floats, tops: Floats, bottoms: Floats,
    low: Floats, high: Floats,
) -> None:  # fmt: skip
    """Sets heights, sizes and bounding boxes from the body's own box; meshes get heights later.

    Bounding boxes are enlarged by a `share` of the size horizontally and by `gap` (m) vertically.
    """
    extent = np.empty(3)
    for row in rows:
        if forms[row] == GROUND:
            continue
        # 1. Half extents of the bounding box: Σ_j |R_kj| h_j
        turn, half, middle = turns[row], halves[row], middles[row]
        for k in range(3):
            extent[k] = (
                abs(turn[k, 0]) * half[0] + abs(turn[k, 1]) * half[1] + abs(turn[k, 2]) * half[2]
            )
        # 2. Size: the longest own axis, projected on the ground: 2 h_c √(1 − R_zc²)
        size = 0.0
        if axes[row] == TILTED:
            for c in range(3):
                size = max(size, 2 * half[c] * math.sqrt(max(1 - turn[2, c] ** 2, 0.0)))
        else:
            size = 2 * widths[row, axes[row], 1]
        # 3. Heights and the enlarged bounding box
        solid[row], sizes[row] = True, size
        roots[row] = math.sqrt(size)
        tops[row], bottoms[row] = middle[2] + extent[2], middle[2] - extent[2]
        for k in range(3):
            reach = extent[k] + (share * size if k < 2 else gap) + _SPARE
            low[row, k], high[row, k] = middle[k] - reach, middle[k] + reach


@compiled(
    "i8[::1](i8[::1], i1[::1], f8[:,::1], f8[:,:,::1], i8[::1], f8[:,::1], f8[:,::1],"
    " i8[::1], f8[:,:,::1], f8[:,:,::1], f8[:,::1], f8[:,::1], f8[::1])"
)
def _outline(
    rows: Rows, forms: Codes, halves: Floats, turns: Floats, axes: Rows,
    middles: Floats, balances: Floats, counts: Rows, corners: Floats, normals: Floats,
    offsets: Floats, points: Floats, radius: Floats,
) -> Rows:  # fmt: skip
    """Sets rectangles and discs as footprints of level bodies; returns the other rows.

    A disc is a rectangle of no size with a radius.
    """
    others, count = np.empty(len(rows), dtype=np.int64), 0
    for row in rows:
        form, axis, turn = forms[row], axes[row], turns[row]
        if form == GROUND:
            continue
        points[row, 0], points[row, 1] = balances[row, 0], balances[row, 1]
        if axis == TILTED or form == HULL:
            others[count] = row
            count += 1
            continue
        is_disc = form == BALL or (form == TUBE and axis == 2)
        radius[row] = halves[row, 0] if is_disc else 0.0
        counts[row] = 4
        one, other = (axis + 1) % 3, (axis + 2) % 3
        length = 0.0 if is_disc else halves[row, one]
        width = 0.0 if is_disc else halves[row, other]
        for edge in range(4):
            # Each corner with the outward normal n of the edge that begins there: n · p ≤ offset.
            along, across = _SIGNS[edge]
            outward = other if edge % 2 == 0 else one
            offsets[row, edge] = 0.0
            for k in range(2):
                corner = along * turn[k, one] * length + across * turn[k, other] * width
                corners[row, edge, k] = middles[row, k] + corner
                normals[row, edge, k] = along * turn[k, outward]
                offsets[row, edge] += normals[row, edge, k] * corners[row, edge, k]
    return others[:count]
