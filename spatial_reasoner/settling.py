"""What of all that seems so has lasted long enough: the families of facts, debounced together.

Families of one shape lie in one stack: of two dozen small arrays most of the time would go into
asking each of them whether anything is new.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from spatial_reasoner.roster import Flags
from spatial_reasoner.situation import FAMILIES, ROWS, Family
from spatial_reasoner.steadiness import Debounce

__all__ = ["Settling"]

_Kind = tuple[str, ...]
"""What each axis counts: agents, values or rows, be they things or parts."""


class Settling:
    """The truths of all families that are noticed, once they have held for a while."""

    def __init__(self, hold: float) -> None:
        self._hold: Final = hold
        self._stacks: Final[dict[_Kind, Debounce]] = {}
        self._settled: dict[str, Flags] = {}

    def settle(
        self, now: float, raw: Mapping[str, Flags], rows: Flags, agents: Flags
    ) -> dict[str, Flags]:
        """What is true now that this seems so; of `rows` and `agents` that are new, at once.

        It is the same dictionary again for as long as nothing changes. It is not to be changed.
        """
        kinds: dict[_Kind, list[str]] = {}
        for key in raw:
            kinds.setdefault(_kind(FAMILIES[key]), []).append(key)
        is_new = not self._settled
        for kind, keys in kinds.items():
            fresh = np.stack([raw[key] for key in keys])
            before = self._stacks.get(kind)
            steady = self._sized(kind, fresh.shape)
            was = steady.settled if steady is before else None
            steady.settle(now, fresh, FAMILIES[keys[0]].spread(rows, agents)[None])
            is_new = is_new or steady.settled is not was
        if is_new:
            self._settled = {
                key: self._stacks[kind].settled[i]
                for kind, keys in kinds.items()
                for i, key in enumerate(keys)
            }
        return self._settled

    def _sized(self, kind: _Kind, shape: tuple[int, ...]) -> Debounce:
        steady = self._stacks.get(kind)
        if steady is None:
            steady = self._stacks[kind] = Debounce(shape, self._hold)
        elif steady.settled.shape != shape:
            steady.grow(shape)
        return steady


def _kind(family: Family) -> _Kind:
    return tuple("row" if axis in ROWS else axis for axis in family.axes)
