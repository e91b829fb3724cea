"""Glances by ray casting: a compiled loop casts a ray for each pixel, exactly for simple shapes.

A dozen glances take a renderer longer than casting their rays, because each contains few objects.
Only glances with a mesh in them are rendered.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Rows
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.sight.close_ups import Glances, Masks
from spatial_reasoner.sight.ray_casting import cast, pieces_of
from spatial_reasoner.values.rendering import Scenery

__all__ = ["glanced"]

Draws = Callable[[Sequence[Scenery], Glances], tuple[Masks, Masks]]


def glanced(
    sceneries: Sequence[Scenery], glances: Glances, draw: Draws
) -> tuple[Masks, Masks]:
    """The masks of glances, without and with occlusion; `draw` renders those with meshes."""
    pieces, begins = _pieces(tuple([tuple(scenery.shapes) for scenery in sceneries]))
    meshes = begins[:, :-1] == begins[:, 1:]
    drawn = meshes[glances.worlds, glances.rows]
    drawn[glances.before[meshes[glances.worlds[glances.before], glances.others]]] = True
    alone, shown = np.zeros((2, len(glances.rows), glances.size, glances.size), dtype=bool)
    poses = np.stack([scenery.poses for scenery in sceneries])
    cast(
        pieces, begins, poses, glances.poses, glances.fovs, glances.worlds, glances.rows,
        glances.before, glances.others, drawn, alone, shown,
    )  # fmt: skip
    chosen = np.flatnonzero(drawn)
    if chosen.size:
        alone[chosen], shown[chosen] = draw(sceneries, glances.only(chosen))
    return alone, shown


@lru_cache(maxsize=64)
def _pieces(worlds: tuple[tuple[Shape | None, ...], ...]) -> tuple[Floats, Rows]:
    """The pieces of all rows of worlds, and the index of each row's first; a mesh has none."""
    tables = [
        np.zeros((0, 7)) if shape is None or shape.kind == "mesh" else pieces_of(shape)
        for shapes in worlds
        for shape in shapes
    ]
    ends = np.cumsum([len(table) for table in tables]).reshape(len(worlds), -1)
    begins = np.empty((len(worlds), ends.shape[1] + 1), dtype=np.intp)
    begins[:, 1:], begins[1:, 0], begins[0, 0] = ends, ends[:-1, -1], 0
    return np.concatenate(tables), begins
