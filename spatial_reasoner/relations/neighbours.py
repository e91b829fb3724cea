"""Neighbours: which objects are near enough to touch each other, by their bounding boxes."""

from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.geometry.poses import rotation
from spatial_reasoner.kernels.compiled import compiled

__all__ = ["BoundingBoxes", "alone", "boxes", "crowded", "near"]


class BoundingBoxes:
    """Axis-aligned bounding boxes of all rows: their lowest and highest corners (n, 3)."""

    __slots__ = ("high", "low")

    def __init__(self, low: Floats, high: Floats) -> None:
        self.low: Final = low
        self.high: Final = high

    def around(self, other: "BoundingBoxes") -> "BoundingBoxes":
        """The bounding boxes of both boxes of each row."""
        return BoundingBoxes(np.minimum(self.low, other.low), np.maximum(self.high, other.high))


def boxes(poses: Floats, halves: Floats, centres: Floats) -> BoundingBoxes:
    """The bounding boxes of bodies at poses, given the half extents and centre of each own box."""
    low, high = np.empty((2, len(poses), 3))
    _span(poses, halves, centres, low, high)
    return BoundingBoxes(low, high)


def near(
    some: BoundingBoxes, rows: Flags, others: BoundingBoxes, candidates: Flags, room: Floats
) -> Flags:
    """Which candidates are near to one of `rows`, whose boxes are enlarged by `room` (n, 3).

    >>> cube = boxes(np.array([[0.0, 0, 0, 0, 0, 0, 1]]), np.ones((1, 3)), np.zeros((1, 3)))
    >>> near(cube, np.array([True]), cube, np.array([True]), np.zeros((1, 3))).tolist()
    [True]
    """
    found = np.zeros(len(candidates), dtype=bool)
    _find_near(some.low, some.high, rows, others.low, others.high, candidates, room, found)
    return found


def alone(some: BoundingBoxes, rows: Flags, others: Flags, room: float, below: float) -> Flags:
    """Which rows have none of the `others` within `room` (m) to the sides and above, or `below`.

    >>> poses = np.array([[x, 0.0, z, 0, 0, 0, 1] for x, z in ((0, 0), (2.5, 0), (6, 0), (6, 3.5))])
    >>> every, cubes = np.ones(4, dtype=bool), boxes(poses, np.ones((4, 3)), np.zeros((4, 3)))
    >>> alone(cubes, every, every, 1.0, 2.0).tolist()
    [False, False, True, False]
    """
    found = np.zeros(len(rows), dtype=bool)
    _find_alone(some.low, some.high, rows, others, room, below, found)
    return found


def crowded(some: BoundingBoxes, rows: Flags, most: int) -> Flags:
    """Which rows overlap more than `most` others so deeply that each box contains both centres.

    >>> poses = np.array([[x, 0.0, 0.0, 0, 0, 0, 1] for x in (0, 0.5, 0.9, 5)])
    >>> crowded(boxes(poses, np.ones((4, 3)), np.zeros((4, 3))), np.ones(4, dtype=bool), 1).tolist()
    [True, True, True, False]
    """
    found = np.zeros(len(rows), dtype=bool)
    _find_crowded(some.low, some.high, np.flatnonzero(rows), most, found)
    return found


@compiled("void(f8[:,:], f8[:,:], f8[:,:], f8[:,:], f8[:,:])")
def _span(poses: Floats, halves: Floats, centres: Floats, low: Floats, high: Floats) -> None:
    """Sets bounding boxes: centre p + R c, half extent Σ_j |R_ij| h_j along each axis i."""
    for k in range(len(poses)):
        turn = rotation(poses[k, 3], poses[k, 4], poses[k, 5], poses[k, 6])
        for i in range(3):
            middle, reach = poses[k, i], 0.0
            for j in range(3):
                middle += turn[i][j] * centres[k, j]
                reach += abs(turn[i][j]) * halves[k, j]
            low[k, i], high[k, i] = middle - reach, middle + reach


@compiled("void(f8[:,:], f8[:,:], b1[:], f8[:,:], f8[:,:], b1[:], f8[:,:], b1[:])")
def _find_near(
    low: Floats, high: Floats, rows: Flags, other_low: Floats, other_high: Floats,
    candidates: Flags, room: Floats, found: Flags,
) -> None:  # fmt: skip
    """Sets which candidates are near: their boxes overlap an enlarged box on all three axes."""
    for k in range(len(rows)):
        if not rows[k]:
            continue
        for n in range(len(candidates)):
            if not candidates[n] or found[n]:
                continue
            meets = True
            for i in range(3):
                meets &= low[k, i] - room[k, i] <= other_high[n, i]
                meets &= other_low[n, i] <= high[k, i] + room[k, i]
            found[n] = meets


@compiled("void(f8[:,:], f8[:,:], b1[:], b1[:], f8, f8, b1[:])")
def _find_alone(
    low: Floats, high: Floats, rows: Flags, others: Flags, room: float, below: float, found: Flags
) -> None:
    """Sets which rows are alone: no other box overlaps their enlarged box on all three axes."""
    for k in range(len(rows)):
        found[k] = rows[k]
        for n in range(len(others)):
            if not found[k]:
                break
            if n == k or not others[n]:
                continue
            meets = True
            for i in range(3):
                down = below if i == 2 else room
                meets &= low[k, i] - down <= high[n, i] and low[n, i] <= high[k, i] + room
            found[k] = not meets


@compiled("void(f8[:,:], f8[:,:], intp[:], intp, b1[:])")
def _find_crowded(low: Floats, high: Floats, rows: Rows, most: int, found: Flags) -> None:
    """Sets the rows that overlap more than `most` others by their centres."""
    for row in rows:
        count = 0
        for other in rows:
            within = other != row
            for k in range(3):
                here, there = (low[row, k] + high[row, k]) / 2, (low[other, k] + high[other, k]) / 2
                within &= low[row, k] < there < high[row, k]
                within &= low[other, k] < here < high[other, k]
            count += within
        found[row] = count > most
