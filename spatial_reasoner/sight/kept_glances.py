"""What came of closer looks before, by what it depends on: what is still is not drawn again."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.geometry.poses import Floats
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.sight.closeness import Close
from spatial_reasoner.values.sight import Scenery

__all__ = ["KeptGlances", "glance_keys"]

Rows = NDArray[np.intp]
_ROOM: Final = 8192
"""More than all heads of a room ask for in one moment; a key is a kilobyte or two."""
_THING: Final = 8
"""So many numbers say what is in a row."""


class KeptGlances:
    """How many points of things would show, and do, by key; the oldest give way to new ones."""

    def __init__(self) -> None:
        self._slots: Final[dict[bytes, int]] = {}
        self._keys: Final[list[bytes]] = [b""] * _ROOM
        """Whose each slot is; the empty key is nobody's."""
        self._found: Final[Floats] = np.zeros((_ROOM, 2, 6))
        self._next = 0

    def missing(self, keys: Sequence[bytes]) -> Rows:
        """Which of some keys there is nothing for."""
        slots = self._slots
        found = [number for number, key in enumerate(keys) if key not in slots]
        return np.array(found, dtype=np.intp)

    def of(self, keys: Sequence[bytes]) -> Floats:
        """What is kept of each of some keys: (n, 2, 6)."""
        found: Floats = self._found[[self._slots[key] for key in keys]]
        return found

    def keep(self, keys: Sequence[bytes], found: Floats) -> None:
        """Keeps what was found of keys that are new, of as many as there is room for."""
        most = min(len(keys), _ROOM)
        slots = (self._next + np.arange(most)) % _ROOM
        self._next = (self._next + most) % _ROOM
        self._found[slots] = found[:most]
        for slot, key in zip(slots.tolist(), keys[:most], strict=True):
            self._slots.pop(self._keys[slot], None)
            self._keys[slot], self._slots[key] = key, slot

    def clear(self) -> None:
        """Forgets all."""
        self._slots.clear()
        self._keys[:] = [b""] * _ROOM


def glance_keys(
    sceneries: Sequence[Scenery], forms: Sequence[Rows], eyes: Floats, close: Close
) -> list[bytes]:
    """What each closer look depends on: its eye, and what is at each of its rows, its own first.

    `eyes` (e, n) say all that depends on each eye alone; `forms` number the shapes of all rows of
    each scenery.
    """
    count = len(close.rows)
    said = np.empty(count * (eyes.shape[1] + 1 + _THING) + len(close.others) * _THING)
    ends = np.empty(count + 1, dtype=np.intp)
    _say(
        np.stack([scenery.poses for scenery in sceneries]), np.stack(forms), eyes, close.lookers,
        close.unsure, close.worlds, close.rows, close.before, close.others, said, ends,
    )  # fmt: skip
    written = said.tobytes()
    return [written[begin:end] for begin, end in pairwise((ends * said.itemsize).tolist())]


@compiled(
    "void(f8[:,:,:], i8[:,:], f8[:,:], i8[:], b1[:], i8[:], i8[:], i8[:], i8[:], f8[:], i8[:])"
)
def _say(
    poses: Floats,
    forms: Rows,
    eyes: Floats,
    lookers: Rows,
    unsure: NDArray[np.bool_],
    worlds: Rows,
    rows: Rows,
    before: Rows,
    others: Rows,
    said: Floats,
    ends: Rows,
) -> None:
    """Writes what closer looks depend on one after the other, and where each ends."""
    at, other = 0, 0
    ends[0] = 0
    for k in range(len(rows)):
        for i in range(eyes.shape[1]):
            said[at + i] = eyes[lookers[k], i]
        at += eyes.shape[1] + 1
        said[at - 1] = unsure[k]
        row, is_last = rows[k], False
        while not is_last:
            for i in range(7):
                said[at + i] = poses[worlds[k], row, i]
            said[at + 7] = forms[worlds[k], row]
            at += _THING
            is_last = other == len(others) or before[other] != k
            if not is_last:
                row = others[other]
                other += 1
        ends[k + 1] = at
