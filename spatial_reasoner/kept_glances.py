"""Glances that were made before, by what they depend on: what has not moved is not drawn again."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.glances import Masks

__all__ = ["KeptGlances"]

Rows = NDArray[np.intp]
_ROOM: Final = 4096


class KeptGlances:
    """Where things would show alone, and where they do, by key; the oldest give way to new ones."""

    def __init__(self, size: int) -> None:
        self._slots: Final[dict[bytes, int]] = {}
        self._keys: Final[list[bytes]] = [b""] * _ROOM
        """Whose each slot is; the empty key is nobody's."""
        self._masks: Final[Masks] = np.zeros((_ROOM, 2, size, size), dtype=bool)
        self._next = 0

    def missing(self, keys: Sequence[bytes]) -> Rows:
        """Which of some keys there is nothing for."""
        slots = self._slots
        found = [number for number, key in enumerate(keys) if key not in slots]
        return np.array(found, dtype=np.intp)

    def of(self, keys: Sequence[bytes]) -> Masks:
        """The masks (n, 2, size, size) of some keys."""
        found: Masks = self._masks[[self._slots[key] for key in keys]]
        return found

    def keep(self, keys: Sequence[bytes], masks: Masks) -> None:
        """Keeps the masks of some keys that are new, as many of them as there is room for."""
        most = min(len(keys), _ROOM)
        slots = (self._next + np.arange(most)) % _ROOM
        self._next = (self._next + most) % _ROOM
        self._masks[slots] = masks[:most]
        for slot, key in zip(slots.tolist(), keys[:most], strict=True):
            self._slots.pop(self._keys[slot], None)
            self._keys[slot], self._slots[key] = key, slot

    def clear(self) -> None:
        """Forgets all."""
        self._slots.clear()
        self._keys[:] = [b""] * _ROOM
