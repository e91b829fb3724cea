"""Close-ups by ray casting: a compiled loop casts a ray for each pixel, exactly for simple shapes.

A dozen close-ups take a renderer longer than casting their rays, because each contains few objects.
Only close-ups with a mesh in them are rendered.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from spatial_reasoner.geometry.arrays import Floats, Rows
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.sight.close_ups import CloseUps, Masks
from spatial_reasoner.sight.ray_casting import cast, pieces_of
from spatial_reasoner.values.rendering import Scenery

__all__ = ["close_up_masks"]

Draws = Callable[[Sequence[Scenery], CloseUps], tuple[Masks, Masks]]


def close_up_masks(
    sceneries: Sequence[Scenery], close_ups: CloseUps, draw: Draws
) -> tuple[Masks, Masks]:
    """The masks of close-ups, without and with occlusion; `draw` renders those with meshes."""
    pieces, begins = _pieces(tuple([tuple(scenery.shapes) for scenery in sceneries]))
    meshes = begins[:, :-1] == begins[:, 1:]
    drawn = meshes[close_ups.worlds, close_ups.rows]
    drawn[close_ups.before[meshes[close_ups.worlds[close_ups.before], close_ups.others]]] = True
    alone, shown = np.zeros((2, len(close_ups.rows), close_ups.size, close_ups.size), dtype=bool)
    poses = np.stack([scenery.poses for scenery in sceneries])
    cast(
        pieces, begins, poses, close_ups.poses, close_ups.fovs, close_ups.worlds, close_ups.rows,
        close_ups.before, close_ups.others, drawn, alone, shown,
    )  # fmt: skip
    chosen = np.flatnonzero(drawn)
    if chosen.size:
        alone[chosen], shown[chosen] = draw(sceneries, close_ups.only(chosen))
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
