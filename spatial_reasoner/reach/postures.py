"""Postures: which ways an arm can be bent so that its tip is at some place near its shoulder.

An arm has endlessly many postures for a place, and the one that inverse kinematics finds from rest
may have its elbow in the table. So it begins at several: at rest, and at those of a few thousand
fixed ones whose hand is near and points the wanted way. What it finds is kept by the cell that the
place is in, and found for the middle of that cell: so an answer never depends on what was asked
before.

All is in the frame of the shoulder.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal, TypeAlias

import numpy as np

from spatial_reasoner.dynamics.arms import ArmForm
from spatial_reasoner.dynamics.bullet_arms import Arm
from spatial_reasoner.geometry.poses import IDENTITY, Floats
from spatial_reasoner.reach.reach_tolerances import ReachTolerances

__all__ = ["APPROACHES", "Approach", "Postures"]

Approach: TypeAlias = Literal["straight", "above", "level"]
"""Which way a hand comes to a thing: on from the shoulder, from above, or on from the side."""
APPROACHES: Final[tuple[Approach, ...]] = ("straight", "above", "level")
"""The more natural ones first."""


_SAMPLES: Final = 4096
_PRIMES: Final = (2, 3, 5, 7, 11, 13, 17)
_NEAR: Final = 0.10
"""A fixed posture whose tip is so far away is as bad as one whose hand points across."""
_EASE: Final = 3.0
"""An effort of a third is as bad, too."""
_ELSEWHERE: Final = 0.10
_OTHERWISE: Final = 0.8
"""Postures whose elbows are nearer, and whose hands point the same way within 37°, are alike."""
_FAR: Final = 0.15
"""No arm has places between its fixed postures that are farther from all of them."""
_ALIKE: Final = 0.3
"""Joints that differ by no more are the same posture."""
_KEPT: Final = 20_000


class Postures:
    """The postures of one arm; answers are kept."""

    def __init__(self, arm: Arm, tolerances: ReachTolerances) -> None:
        self.arm: Final = arm
        self.tolerances: Final = tolerances
        self.solved = 0
        """How many times inverse kinematics was asked for a cell."""
        self._samples: Final = _samples(arm)
        self._cells: Final[dict[tuple[object, ...], _Cell]] = {}

    def near(self, place: Floats, approach: Approach, down: Floats) -> Iterator[Floats]:
        """Joints for about a place, the easier ones first; none if the arm does not get there.

        `down` is where things fall to, of length one. They are worked out as they are asked for;
        the arm may stand elsewhere afterwards.
        """
        cell = self._cell(place, approach, down)
        number = 0
        while number < len(cell.found) or self._search(cell):
            if number < len(cell.found):
                yield cell.found[number]
                number += 1

    def effort(self, joints: Floats) -> float:
        """How far an arm is from rest: at rest 0, and 1 if every joint were a whole range away."""
        return float(np.mean(np.abs(joints - self.arm.rest) / self.arm.range))

    def _cell(self, place: Floats, approach: Approach, down: Floats) -> "_Cell":
        numbers = np.floor(place / self.tolerances.cell)
        down = np.round(down, 1) + 0.0
        key = (approach, numbers.tobytes(), down.tobytes())
        if key not in self._cells:
            if len(self._cells) >= _KEPT:
                self._cells.clear()
            middle = (numbers + 0.5) * self.tolerances.cell
            seeds = self._seeds(middle, approach, _wanted(middle, approach, down))
            self._cells[key] = _Cell(middle, seeds)
        return self._cells[key]

    def _search(self, cell: "_Cell") -> bool:
        """Tries the next seed of a cell, if there is one left."""
        seed = next(cell.seeds, None)
        if seed is None:
            return False
        self.solved += 1
        self.arm.stand(IDENTITY)
        joints, miss = self.arm.solve(cell.middle, seed)
        slack = self.tolerances.miss[1] + self.tolerances.cell
        if miss <= slack and all(np.abs(joints - one).max() > _ALIKE for one in cell.found):
            cell.found.append(joints)
        return True

    def _seeds(self, place: Floats, approach: Approach, wanted: Floats) -> Iterator[Floats]:
        """Where to begin; to begin at rest is often enough, so the others are chosen after it."""
        if self._distances(place).min() > _FAR:
            return
        most = self.tolerances.tries[APPROACHES.index(approach)]
        if approach == "straight":
            yield self.arm.rest
            most -= 1
        yield from self._chosen(place, wanted, most)

    def _distances(self, place: Floats) -> Floats:
        """From the tips of all samples."""
        away = self._samples.tips - place
        distances: Floats = np.sqrt(np.einsum("ij,ij->i", away, away))
        return distances

    def _chosen(self, place: Floats, wanted: Floats, most: int) -> list[Floats]:
        """The samples that come near to a place, the easier ones first, each unlike the others."""
        fixed = self._samples
        score = self._distances(place) / _NEAR + _EASE * fixed.efforts
        score += 2 - fixed.hands @ wanted - fixed.forearms @ wanted
        chosen: list[int] = []
        while len(chosen) < most:
            chosen.append(int(score.argmin()))
            # The next one is to have its elbow elsewhere: an obstacle is in the way of all alike.
            apart = fixed.elbows - fixed.elbows[chosen[-1]]
            close = np.einsum("ij,ij->i", apart, apart) < _ELSEWHERE**2
            score[close & (fixed.hands @ fixed.hands[chosen[-1]] > _OTHERWISE)] = np.inf
        return [*fixed.joints[chosen]]


@dataclass(slots=True, eq=False)
class _Cell:
    """What was found for one cell, and the seeds that were not tried yet."""

    middle: Floats
    seeds: Iterator[Floats]
    found: list[Floats] = field(default_factory=list)


def _wanted(place: Floats, approach: Approach, down: Floats) -> Floats:
    """Which way the hand should point."""
    if approach == "above":
        return down
    way = place if approach == "straight" else place - down * float(place @ down)
    length = float(np.sqrt(way @ way))
    return way / length if length > 1e-6 else down


@dataclass(frozen=True, slots=True, eq=False)
class _Samples:
    """The fixed postures of an arm: joints, where tips and elbows are, which ways hands and
    forearms point, and how much effort each is.
    """

    joints: Floats
    tips: Floats
    elbows: Floats
    hands: Floats
    forearms: Floats
    efforts: Floats


_known: Final[dict[ArmForm, _Samples]] = {}


def _samples(arm: Arm) -> _Samples:
    """The fixed postures of an arm, worked out once for all that are alike."""
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
    """Numbers from 0 to 1, as evenly spread as they come (van der Corput)."""
    rest, share, found = np.arange(1, _SAMPLES + 1), 1.0 / base, np.zeros(_SAMPLES)
    while rest.any():
        found += share * (rest % base)
        rest, share = rest // base, share / base
    return found
