"""Blocks: the solid cells of a grid, merged into few boxes that do not overlap (greedy)."""

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Rows
from spatial_reasoner.kernels.compiled import compiled

__all__ = ["blocks"]


def blocks(cells: Flags, most: int) -> Rows | None:
    """The boxes into which cells are merged: the first cell along each axis, and the one after.

    None if there are more than `most`. Each box begins at the first remaining cell and grows along
    the three axes, in the order that makes it the largest. The number of boxes is near the least
    possible one.

    >>> corner = np.ones((2, 2, 1), dtype=bool)
    >>> corner[1, 1] = False
    >>> [box.tolist() for box in blocks(corner, 9)]
    [[0, 0, 0, 2, 1, 1], [0, 1, 0, 1, 2, 1]]
    """
    found = np.empty((most + 1, 6), dtype=np.int64)
    count = _merge(np.ascontiguousarray(cells).copy(), found)
    return found[:count] if count <= most else None


@compiled("b1(b1[:,:,::1], i8, i8, i8, i8, i8, i8)")
def _is_full(cells: Flags, i: int, j: int, k: int, a: int, b: int, c: int) -> bool:
    """Whether all cells of a box are solid and not yet merged."""
    for x in range(i, a):
        for y in range(j, b):
            for z in range(k, c):
                if not cells[x, y, z]:
                    return False
    return True


@compiled("i8(b1[:,:,::1], i8, i8, i8, i8, i8[::1])")
def _grow(cells: Flags, i: int, j: int, k: int, order: int, box: Rows) -> int:
    """Sets the box that grows from a cell along the axes in one of six orders; returns its size."""
    box[0], box[1], box[2] = i, j, k
    box[3], box[4], box[5] = i + 1, j + 1, k + 1
    first = order // 2
    second = (first + 1 + order % 2) % 3
    for turn in range(3):
        axis = 3 - first - second
        if turn == 0:
            axis = first
        elif turn == 1:
            axis = second
        while box[3 + axis] < cells.shape[axis]:
            low = [box[0], box[1], box[2]]
            low[axis] = box[3 + axis]
            box[3 + axis] += 1
            if not _is_full(cells, low[0], low[1], low[2], box[3], box[4], box[5]):
                box[3 + axis] -= 1
                break
    return int((box[3] - box[0]) * (box[4] - box[1]) * (box[5] - box[2]))


@compiled("i8(b1[:,:,::1], i8[:,::1])")
def _merge(cells: Flags, found: Rows) -> int:
    """Sets the boxes, clears their cells, and returns the number; it stops when `found` is full."""
    box, count = np.empty(6, dtype=np.int64), 0
    for i in range(cells.shape[0]):
        for j in range(cells.shape[1]):
            for k in range(cells.shape[2]):
                if not cells[i, j, k]:
                    continue
                best = 0
                for order in range(6):
                    size = _grow(cells, i, j, k, order, box)
                    if size > best:
                        best = size
                        found[count] = box
                a, b, c = found[count, 3], found[count, 4], found[count, 5]
                cells[i:a, j:b, k:c] = False
                count += 1
                if count == len(found):
                    return count
    return count
