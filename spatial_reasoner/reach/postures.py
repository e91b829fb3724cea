"""Postures: joint angles that bring the tip of an arm to a place near its shoulder.

An arm has infinitely many postures for one place, and inverse kinematics from the rest posture may
put the elbow into the table. So inverse kinematics starts from several seeds:

1. the rest posture (straight approach only),
2. those of some thousand fixed sample postures whose tip is near and whose hand points the right
   way.

Solutions are cached by the cell of space that the place lies in, and computed for the centre of the
cell. So an answer does not depend on earlier questions.

All poses are in the frame of the shoulder.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal, TypeAlias

import numpy as np

from spatial_reasoner.dynamics.arms import ArmForm
from spatial_reasoner.dynamics.bullet_arms import Arm
from spatial_reasoner.geometry.arrays import Floats
from spatial_reasoner.geometry.poses import IDENTITY
from spatial_reasoner.tolerances.reach import ReachTolerances
from spatial_reasoner.tolerances.units import Numeric

__all__ = ["APPROACHES", "Approach", "Postures"]

Approach: TypeAlias = Literal["straight", "above", "level"]
"""Direction of approach: straight from the shoulder, from above, or horizontal."""
APPROACHES: Final[tuple[Approach, ...]] = ("straight", "above", "level")
"""In order of preference."""


_SAMPLES: Final = 4096
"""Number of sample postures of an arm."""
_PRIMES: Final = (2, 3, 5, 7, 11, 13, 17)
"""Bases of the van der Corput sequences, one for each of the seven joints (Halton sequence)."""
_TRIES: Final[Mapping[Approach, int]] = {"straight": 4, "above": 8, "level": 4}
"""The number of postures tried for a place. Obstacles block most postures from above: of the places
in a bin that thirty postures reach, five miss one in ten, and eight miss hardly any."""
_NEAR: Final[Numeric] = 0.10
"""Metres. A tip this far away costs as much as a hand that points across the approach."""
_EASE: Final[Numeric] = 3.0
"""Weight of the effort: an effort of a third costs as much, too."""
_ELSEWHERE: Final[Numeric] = 0.10
_OTHERWISE: Final[Numeric] = 0.8
"""Two samples are alike if their elbows are closer (metres) and their hands point the same way,
within 37° (cosine)."""
_ALIKE: Final[Numeric] = 0.3
"""Radians. Two solutions are the same posture if no joint differs by more."""
_POINT: Final[Numeric] = 1e-6
"""Metres: a shorter vector has no direction."""
_KEPT: Final = 20_000
"""Cells in the cache; beyond this it is cleared."""


class Postures:
    """The postures of one arm, with a cache of solutions."""

    def __init__(self, arm: Arm, tolerances: ReachTolerances) -> None:
        self.arm: Final = arm
        self.tolerances: Final = tolerances
        self.solved = 0
        """How many times inverse kinematics was computed for a cell."""
        self._samples: Final = _samples(arm)
        self._cells: Final[dict[tuple[object, ...], _Cell]] = {}

    def near(self, place: Floats, approach: Approach, down: Floats) -> Iterator[Floats]:
        """Yields joint angles for about a place, low effort first; none if out of reach.

        `down` is the unit vector of gravity. Postures are computed as they are requested. This
        moves the arm: it may be in another posture afterwards.
        """
        cell = self._cell(place, approach, down)
        number = 0
        while number < len(cell.found) or self._search(cell):
            if number < len(cell.found):
                yield cell.found[number]
                number += 1

    def effort(self, joints: Floats) -> float:
        """The mean distance of the joints from rest, as a share of their ranges: 0 at rest."""
        return float(np.mean(np.abs(joints - self.arm.rest) / self.arm.range))

    def _cell(self, place: Floats, approach: Approach, down: Floats) -> "_Cell":
        numbers = np.floor(place / self.tolerances.posture_cell)
        down = np.round(down, 1) + 0.0
        key = (approach, numbers.tobytes(), down.tobytes())
        if key not in self._cells:
            if len(self._cells) >= _KEPT:
                self._cells.clear()
            middle = (numbers + 0.5) * self.tolerances.posture_cell
            seeds = self._seeds(middle, approach, _wanted(middle, approach, down))
            self._cells[key] = _Cell(middle, seeds)
        return self._cells[key]

    def _search(self, cell: "_Cell") -> bool:
        """Solves for the next seed of a cell; returns False if no seed is left."""
        seed = next(cell.seeds, None)
        if seed is None:
            return False
        self.solved += 1
        self.arm.stand(IDENTITY)
        joints, miss = self.arm.solve(cell.middle, seed)
        slack = self.tolerances.grasp_miss[1] + self.tolerances.posture_cell
        if miss <= slack and all(np.abs(joints - one).max() > _ALIKE for one in cell.found):
            cell.found.append(joints)
        return True

    def _seeds(self, place: Floats, approach: Approach, wanted: Floats) -> Iterator[Floats]:
        """The seeds of a place. Rest often suffices, so the other seeds are chosen only after
        it."""
        if self._distances(place).min() > self.tolerances.sample_distance:
            return
        most = _TRIES[approach]
        if approach == "straight":
            yield self.arm.rest
            most -= 1
        yield from self._chosen(place, wanted, most)

    def _distances(self, place: Floats) -> Floats:
        """Distances from a place to the tips of all samples."""
        away = self._samples.tips - place
        distances: Floats = np.sqrt(np.einsum("ij,ij->i", away, away))
        return distances

    def _chosen(self, place: Floats, wanted: Floats, most: int) -> list[Floats]:
        """The samples with the lowest cost for a place, each unlike those before it."""
        fixed = self._samples
        score = self._distances(place) / _NEAR + _EASE * fixed.efforts
        score += 2 - fixed.hands @ wanted - fixed.forearms @ wanted
        chosen: list[int] = []
        while len(chosen) < most:
            chosen.append(int(score.argmin()))
            # The next seed must have its elbow elsewhere: an obstacle blocks all postures that are
            # alike.
            apart = fixed.elbows - fixed.elbows[chosen[-1]]
            close = np.einsum("ij,ij->i", apart, apart) < _ELSEWHERE**2
            score[close & (fixed.hands @ fixed.hands[chosen[-1]] > _OTHERWISE)] = np.inf
        return [*fixed.joints[chosen]]


@dataclass(slots=True, eq=False)
class _Cell:
    """The solutions for one cell, and the seeds that are still untried."""

    middle: Floats
    seeds: Iterator[Floats]
    found: list[Floats] = field(default_factory=list)


def _wanted(place: Floats, approach: Approach, down: Floats) -> Floats:
    """The direction in which the hand should point, as a unit vector."""
    if approach == "above":
        return down
    way = place if approach == "straight" else place - down * float(place @ down)
    length = float(np.sqrt(way @ way))
    return way / length if length > _POINT else down


@dataclass(frozen=True, slots=True, eq=False)
class _Samples:
    """The sample postures of an arm: joints, positions of tips and elbows, directions of hands
    and forearms, and the effort of each."""

    joints: Floats
    tips: Floats
    elbows: Floats
    hands: Floats
    forearms: Floats
    efforts: Floats


_known: Final[dict[ArmForm, _Samples]] = {}


def _samples(arm: Arm) -> _Samples:
    """The sample postures of an arm, computed once for all arms of the same form."""
    if arm.form not in _known:
        arm.stand(IDENTITY)
        joints = arm.low + arm.range * np.stack([_spread(prime) for prime in _PRIMES], axis=1)
        places = []
        for each in joints:
            arm.bend(each)
            places.append(np.concatenate([*arm.pointing(), arm.elbow()]))
        tips, hands, elbows = np.hsplit(np.array(places), 3)
        forearms = tips - elbows
        forearms /= np.sqrt(np.einsum("ij,ij->i", forearms, forearms))[:, None]
        efforts = np.mean(np.abs(joints - arm.rest) / arm.range, axis=1)
        _known[arm.form] = _Samples(joints, tips, elbows, hands, forearms, efforts)
    return _known[arm.form]


@cache
def _spread(base: int) -> Floats:
    """Low-discrepancy numbers from 0 to 1: the van der Corput sequence in this base."""
    rest, share, found = np.arange(1, _SAMPLES + 1), 1.0 / base, np.zeros(_SAMPLES)
    while rest.any():
        found += share * (rest % base)
        rest, share = rest // base, share / base
    return found
