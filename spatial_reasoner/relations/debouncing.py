"""Debouncing of the observed families: a relation becomes a fact when it has held for a while.

Families whose arrays have the same axes are stacked in one array. With two dozen small arrays, most
of the time would be spent on calls.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags
from spatial_reasoner.relations.situation import FAMILIES, ROWS, Family
from spatial_reasoner.relations.steadiness import Debounce

__all__ = ["Debouncer"]

_Kind = tuple[str, ...]
"""The index of each axis: agents, values, or rows (of objects or of parts of agents)."""


@dataclass(slots=True, eq=False)
class _Stack:
    """Families of one kind; `fresh` has their raw truth values, a layer for each family."""

    keys: list[str]
    steady: Debounce
    fresh: Flags

    def fill(self, raw: Mapping[str, Flags]) -> bool:
        """Copies the raw truth values; returns whether the stack grew because rows were added."""
        shape = (len(self.keys), *raw[self.keys[0]].shape)
        is_larger = shape != self.fresh.shape
        if is_larger:
            self.fresh = np.zeros(shape, dtype=bool)
            self.steady.grow(shape)
        for layer, key in enumerate(self.keys):
            self.fresh[layer] = raw[key]
        return is_larger


class Debouncer:
    """The debounced truth values of the families that `settle` is given."""

    def __init__(self, hold: float) -> None:
        self._hold: Final = hold
        self._stacks: list[_Stack] = []
        self._settled: dict[str, Flags] = {}

    def settle(
        self, now: float, raw: Mapping[str, Flags], rows: Flags, agents: Flags
    ) -> dict[str, Flags]:
        """The debounced truth values, given the `raw` ones at time `now`.

        For new `rows` and `agents` the raw values count at once. Each call must pass the same
        families. A family without a change is returned as the same array, and if no family changed
        the same dictionary is returned. Callers must not modify either.
        """
        self._stacks = self._stacks or self._stacked(raw)
        somebody_entered = rows.any() or agents.any()
        changed = {}
        for stack in self._stacks:
            is_larger = stack.fill(raw)
            family = FAMILIES[stack.keys[0]]
            entered = family.spread(rows, agents) if somebody_entered else None
            settled = stack.steady.settle(now, stack.fresh, entered)
            for layer in range(len(settled)) if is_larger else stack.steady.news():
                changed[stack.keys[layer]] = settled[layer].copy()
        if changed:
            self._settled = {**self._settled, **changed}
        return self._settled

    def _stacked(self, raw: Mapping[str, Flags]) -> list[_Stack]:
        """The stacks of these families, all false."""
        kinds: dict[_Kind, list[str]] = {}
        for key, array in raw.items():
            self._settled[key] = np.zeros(array.shape, dtype=bool)
            kinds.setdefault(_kind(FAMILIES[key]), []).append(key)
        return [self._stack(keys, raw[keys[0]].shape) for keys in kinds.values()]

    def _stack(self, keys: list[str], shape: tuple[int, ...]) -> _Stack:
        steady = Debounce((len(keys), *shape), self._hold)
        return _Stack(keys, steady, np.zeros((len(keys), *shape), dtype=bool))


def _kind(family: Family) -> _Kind:
    return tuple("row" if axis in ROWS else axis for axis in family.axes)
