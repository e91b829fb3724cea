"""What keeps a thing in while it is hidden: walls and floor of what it is believed to be in.

How surely a place is known is told by a covariance, which knows of no walls. Of a thing that nobody
perceives they are known to have kept it in, so draws of it are by the container's own frame: it
goes where that is drawn, and along both ways to the walls the normal distribution is cut off there.

Each number stands for one draw, and is squeezed: the share of the normal distribution below it is
that of the cut-off one below what becomes of it. The road not taken: to draw again what is outside,
which in a corner is three draws of four, and has no last try.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from spatial_reasoner.geometry.poses import Floats, Pose, compose, inverse, rotations
from spatial_reasoner.geometry.shapes import Cavity, Shape

__all__ = ["Confine", "kept_in", "squeezed"]

_NORMAL: Final = NormalDist()
_SUREST: Final = 1e-15
_TRIES: Final = 6
"""So often a draw in a wall that is not straight is taken half the way back."""
_AROUND: Final = np.array(
    [(1, 0), (0, 1), (-1, 0), (0, -1), (0.7, 0.7), (0.7, -0.7), (-0.7, 0.7), (-0.7, -0.7), (0, 0)]
)


@dataclass(frozen=True, slots=True, eq=False)
class Confine:
    """That a body is in the cavity of another, by the other's place among the bodies.

    `half` and `middle` are those of the box of the body that is in there, in its own frame.
    """

    container: int
    cavity: Cavity
    half: Floats
    middle: Floats

    @classmethod
    def of(cls, container: int, outer: Shape | None, inner: Shape | None) -> "Confine | None":
        """A thing of one shape in a container of another; None for what has no end or no room."""
        if outer is None or inner is None or outer.cavity is None:
            return None
        return cls(container, outer.cavity, inner.half, inner.centre)

    def ways(self, begin: Pose, turns: Floats, ways: Floats, deviations: Floats) -> Floats:
        """Ways (n, 3) from a pose in the container that lead through no wall and no floor, nor out
        of the mouth farther than to the rim.

        `turns` (n, 3, 3) are how the body is turned at their ends. Where it is believed to be it
        may be, even if that is in a wall.
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
        """The corners of the cavity, and of what of the body is outside of it as it is believed."""
        [turn] = rotations(begin[None])
        reach, middle = np.abs(turn) @ self.half, begin[:3] + turn @ self.middle
        low: Floats = np.minimum(self.cavity.low, middle - reach)
        high: Floats = np.maximum(self.cavity.high, middle + reach)
        return low, np.append(high[:2], self.cavity.high[2])

    def _take_back(self, way: Floats, middle: Floats, reach: Floats) -> None:
        """Shortens a way until its end is not in a wall, or all but gone."""
        axis = (self.cavity.low + self.cavity.high)[:2] / 2
        for _ in range(_TRIES):
            points = (middle + way)[:2] - axis + _AROUND * reach[:2]
            if not np.isnan([self.cavity.floor_at(point) for point in points]).any():
                return
            way[:2] /= 2


def squeezed(number: float, least: float, most: float, deviation: float) -> float:
    """What a normal number becomes when no less and no more is possible.

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
    poses: Floats, believed: Floats, roots: Floats, confines: Sequence[Confine | None]
) -> None:
    """Puts draws (n, k, 7) of bodies that are in others where these are drawn, and within them.

    What is in what is in something goes along with that as well.
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


def _depth(confines: Sequence[Confine | None], body: int) -> int:
    """In how many things, one in the other, a body is."""
    confine = confines[body]
    return 0 if confine is None else 1 + _depth(confines, confine.container)
