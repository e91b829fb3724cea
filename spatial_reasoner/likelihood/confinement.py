"""Containment of draws: the walls and the floor of a container bound the objects hidden in it.

A covariance describes the uncertainty of a pose, but it ignores walls. The walls of a container
have kept an unobserved object inside. So the object is drawn in the frame of the container:

1. It moves along with each draw of the container.
2. Its two horizontal normal distributions are truncated at the walls.

A normal number z of standard deviation σ becomes x between walls at a and b, by Φ(z/σ) = (Φ(x/σ) −
Φ(a/σ)) / (Φ(b/σ) − Φ(a/σ)). So each number still stands for one draw. The road not taken: to draw
again whatever lies outside. In a corner that rejects three draws of four, and the number of tries
has no bound.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Annotated, Final

import numpy as np

from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import Pose, compose, inverse, rotations
from spatial_reasoner.geometry.shapes import Cavity, Shape
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["Confinement", "kept_in", "squeezed"]

_NORMAL: Final = NormalDist()
_SUREST: Final[Numeric] = 1e-15
"""Least distance of a probability from 0 and 1, where its quantile is infinite; purely numeric."""
_TRIES: Final = 6
"""A draw that ends in a curved wall is moved halfway back at most this many times."""
_AROUND: Final[Annotated[Floats, Numeric]] = np.array(
    [(1, 0), (0, 1), (-1, 0), (0, -1), (0.7, 0.7), (0.7, -0.7), (-0.7, 0.7), (-0.7, -0.7), (0, 0)]
)


@dataclass(frozen=True, slots=True, eq=False)
class Confinement:
    """A body is in the cavity of another one, given by the other's index among the bodies.

    `half` and `middle` describe the bounding box of the inner body in its own frame.
    """

    container: int
    cavity: Cavity
    half: Floats
    middle: Floats

    @classmethod
    def of(cls, container: int, outer: Shape | None, inner: Shape | None) -> "Confinement | None":
        """Makes a confine of two shapes; None if one has no bounds, or if there is no cavity."""
        if outer is None or inner is None or outer.cavity is None:
            return None
        return cls(container, outer.cavity, inner.half, inner.centre)

    def ways(self, begin: Pose, turns: Floats, ways: Floats, deviations: Floats) -> Floats:
        """Limits displacements (n, 3) from a pose in the container to its walls, floor and rim.

        `turns` (n, 3, 3) are the rotations of the body after each displacement. The believed pose
        itself is always allowed, even if it overlaps a wall.
        """
        low, high = self._room(begin)
        reach, middles = np.abs(turns) @ self.half, begin[:3] + turns @ self.middle
        least, most = low + reach - middles, high - reach - middles
        most[:, 2] += 2 * reach[:, 2]
        least, most = np.minimum(least, (least + most) / 2), np.maximum(most, (least + most) / 2)
        found = np.clip(ways, least, most)
        for axis in range(2):
            each = zip(ways[:, axis], least[:, axis], most[:, axis], strict=True)
            found[:, axis] = [squeezed(*one, deviations[axis]) for one in each]
        if self.cavity.floor is not None:
            for way, middle, about in zip(found, middles, reach, strict=True):
                self._take_back(way, middle, about)
        return found

    def _room(self, begin: Pose) -> tuple[Floats, Floats]:
        """The corners of the cavity, extended to the believed bounding box of the body."""
        [turn] = rotations(begin[None])
        reach, middle = np.abs(turn) @ self.half, begin[:3] + turn @ self.middle
        low: Floats = np.minimum(self.cavity.low, middle - reach)
        high: Floats = np.maximum(self.cavity.high, middle + reach)
        return low, np.append(high[:2], self.cavity.high[2])

    def _take_back(self, way: Floats, middle: Floats, reach: Floats) -> None:
        """Halves a displacement until its end is clear of the walls, or until the tries are used
        up."""
        axis = (self.cavity.low + self.cavity.high)[:2] / 2
        for _ in range(_TRIES):
            points = (middle + way)[:2] - axis + _AROUND * reach[:2]
            if not np.isnan([self.cavity.floor_at(point) for point in points]).any():
                return
            way[:2] /= 2


def squeezed(number: float, least: float, most: float, deviation: float) -> float:
    """Transforms a normal number into one of the distribution truncated to [least, most].

    >>> [round(squeezed(number, -1.0, 0.0, 1.0), 2) for number in (-9.0, 0.0, 9.0)]
    [-1.0, -0.44, 0.0]
    >>> squeezed(0.5, -100.0, 100.0, 1.0) == 0.5
    True
    """
    if deviation <= 0.0 or 9 * deviation < min(-least, most):
        return min(max(number, least), most)
    below, above = _NORMAL.cdf(least / deviation), _NORMAL.cdf(most / deviation)
    share = below + (above - below) * _NORMAL.cdf(number / deviation)
    found = deviation * _NORMAL.inv_cdf(min(max(share, _SUREST), 1 - _SUREST))
    return min(max(found, least), most)


def kept_in(
    poses: Floats, believed: Floats, roots: Floats, confines: Sequence[Confinement | None]
) -> None:
    """Moves draws (n, k, 7) of contained bodies along with their containers, and inside them.

    Nested containers are handled from the outermost to the innermost.
    """
    for k in sorted(range(len(confines)), key=lambda k: _depth(confines, k)):
        confine = confines[k]
        if confine is None:
            continue
        container = believed[confine.container]
        of = np.broadcast_to(inverse(container[None]), poses[:, k].shape)
        draws, begin = compose(of, poses[:, k]), compose(of[:1], believed[k][None])[0]
        root = rotations(container).T @ roots[k, :3]
        ways = draws[:, :3] - begin[:3]
        deviations = np.linalg.norm(root, axis=1)
        draws[:, :3] = begin[:3] + confine.ways(begin, rotations(draws), ways, deviations)
        poses[:, k] = compose(poses[:, confine.container], draws)


def _depth(confines: Sequence[Confinement | None], body: int) -> int:
    """The number of nested containers around a body."""
    confine = confines[body]
    return 0 if confine is None else 1 + _depth(confines, confine.container)
