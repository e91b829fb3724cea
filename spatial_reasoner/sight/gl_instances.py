"""The instance data for OpenGL: one matrix for each object in each picture on a sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import tan
from typing import Final

import numpy as np

from spatial_reasoner.dynamics.bullet import FAR, NEAR
from spatial_reasoner.geometry.arrays import Floats, Rows, Singles
from spatial_reasoner.geometry.poses import rotation
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.sight.gl_drawing import INSTANCE
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["Cells", "Known", "PlacedMeshes", "instances", "placed"]

_DEPTH: Final = (FAR + NEAR) / (FAR - NEAR)
_NEARER: Final = 2 * FAR * NEAR / (FAR - NEAR)
"""The terms of the depth row of an OpenGL projection matrix."""
_COARSE: Final[Numeric] = 4.0
"""Pixels: a round object with a smaller radius is drawn with its coarse form."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """The fine and the coarse form of each row of some worlds, and how these are scaled.

    All are arrays (worlds, rows, ...).
    """

    kinds: Rows
    radii: Floats
    scale: Floats
    shift: Floats
    inside: Floats


@dataclass(frozen=True, slots=True, eq=False)
class PlacedMeshes:
    """The forms of rows, with matrices (worlds, rows, 3, 4) from the form to the world."""

    known: Known
    models: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Pictures on a sheet.

    Each has an eye, full angles (`fovs`), a size in pixels, the part of it that is drawn (left,
    top, right, bottom), the left top corner of that part on the sheet, and the world that it shows.
    """

    eyes: Floats
    fovs: Floats
    sizes: Floats
    parts: Floats
    corners: Floats
    worlds: Rows


def placed(known: Known, poses: Sequence[Floats]) -> PlacedMeshes:
    """The forms of some worlds at poses; rows that are not in a scenery have arbitrary matrices."""
    models = np.empty((*known.radii.shape, 3, 4))
    _place(np.stack(poses), known.scale, known.shift, models)
    return PlacedMeshes(known, models)


@compiled("void(f8[:,:,:], f8[:,:,:], f8[:,:,:], f8[:,:,:,:])")
def _place(poses: Floats, scale: Floats, shift: Floats, models: Floats) -> None:
    """Sets the matrices of forms: x_W = R (s ∘ x + shift) + p."""
    for w in range(poses.shape[0]):
        for r in range(poses.shape[1]):
            pose = poses[w, r]
            turned = rotation(pose[3], pose[4], pose[5], pose[6])
            for i in range(3):
                models[w, r, i, 3] = poses[w, r, i]
                for j in range(3):
                    models[w, r, i, j] = turned[i][j] * scale[w, r, j]
                    models[w, r, i, 3] += turned[i][j] * shift[w, r, j]


def instances(
    there: PlacedMeshes, cells: Cells, at: Rows, rows: Rows, forms: int
) -> tuple[Singles, list[int]]:
    """The instances of rows, each in the cell given by `at`, and the number of each form.

    The instances are sorted by form.
    """
    out = np.empty((len(rows), INSTANCE), dtype=np.float32)
    counts = np.zeros(forms, dtype=np.intp)
    lenses, density = np.empty((len(cells.eyes), 4, 4)), np.empty(len(cells.eyes))
    _focus(cells.eyes, cells.fovs, cells.sizes, lenses, density)
    frames = np.empty((len(cells.eyes), 6))
    frames[:, :4] = cells.parts - np.tile(cells.sizes / 2, 2)
    frames[:, 4:] = cells.corners - frames[:, :2]
    known = there.known
    _fill(
        known.kinds, known.inside, known.radii, there.models, lenses, frames, density,
        cells.worlds, at, rows, out, counts,
    )  # fmt: skip
    return out, counts.tolist()


@compiled("void(f8[:,:], f8[:,:], f8[:,:], f8[:,:,:], f8[:])")
def _focus(eyes: Floats, fovs: Floats, sizes: Floats, lenses: Floats, density: Floats) -> None:
    """Sets view-projection matrices to clip space, and pixel densities (pixels per m at 1 m).

    In clip space x and y are in pixels from the centre of the picture, and y points downwards.
    """
    for c in range(len(eyes)):
        first, second, third = rotation(eyes[c, 3], eyes[c, 4], eyes[c, 5], eyes[c, 6])
        forward = first[0], second[0], third[0]
        left = first[1], second[1], third[1]
        up = first[2], second[2], third[2]
        # Rows of the matrix: −left / tan(fov_h / 2), −up / tan(fov_v / 2), depth, forward (= w)
        wide, high = tan(fovs[c, 0] / 2), tan(fovs[c, 1] / 2)
        density[c] = sizes[c, 0] / (2 * wide)
        for i in range(4):
            lenses[c, i, 3] = 0.0
        for j in range(3):
            lenses[c, 0, j] = -left[j] / wide
            lenses[c, 1, j] = -up[j] / high
            lenses[c, 2, j] = forward[j] * _DEPTH
            lenses[c, 3, j] = forward[j]
            for i in range(4):
                lenses[c, i, 3] -= lenses[c, i, j] * eyes[c, j]
        # From −1…1 to pixels
        lenses[c, 2, 3] -= _NEARER
        for i in range(2):
            for j in range(4):
                lenses[c, i, j] *= sizes[c, i] / 2


@compiled(
    "void(i8[:,:,:], f8[:,:,:], f8[:,:], f8[:,:,:,:], f8[:,:,:], f8[:,:], f8[:], i8[:], i8[:],"
    " i8[:], f4[:,:], i8[:])"
)
def _fill(
    kinds: Rows,
    inside: Floats,
    radii: Floats,
    models: Floats,
    lenses: Floats,
    frames: Floats,
    density: Floats,
    worlds: Rows,
    at: Rows,
    rows: Rows,
    out: Singles,
    counts: Rows,
) -> None:
    """Writes the instances (n, INSTANCE), sorted by form, and counts those of each form."""
    # 1. Choose the form of each row by its radius in pixels, and count.
    chosen = np.empty(len(rows), dtype=np.int64)
    for k in range(len(rows)):
        c, r = at[k], rows[k]
        w = worlds[c]
        depth = lenses[c, 3, 3]
        for j in range(3):
            depth += lenses[c, 3, j] * models[w, r, j, 3]
        is_coarse = radii[w, r] * density[c] < _COARSE * depth
        chosen[k] = kinds[w, r, 1 if is_coarse else 0]
        counts[chosen[k]] += 1
    # 2. The first index of each form (counting sort)
    next = np.zeros(len(counts), dtype=np.int64)
    for form in range(1, len(counts)):
        next[form] = next[form - 1] + counts[form - 1]
    # 3. The matrix lens · model by columns, the frame, the scale of the cavity, and the row + 1
    for k in range(len(rows)):
        c, r = at[k], rows[k]
        w, n = worlds[c], next[chosen[k]]
        next[chosen[k]] += 1
        for i in range(4):
            for j in range(4):
                number = lenses[c, i, 3] if j == 3 else 0.0
                for m in range(3):
                    number += lenses[c, i, m] * models[w, r, m, j]
                out[n, 4 * j + i] = number
        for i in range(6):
            out[n, 16 + i] = frames[c, i]
        for i in range(3):
            out[n, 22 + i] = inside[w, r, i]
        out[n, 25] = r + 1
