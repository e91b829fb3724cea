"""A cache of the results of close-ups, by all that they depend on."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from spatial_reasoner.geometry.arrays import Flags, Floats, Rows
from spatial_reasoner.kernels.compiled import compiled
from spatial_reasoner.sight.close_up_eyes import CloseUpEyes
from spatial_reasoner.values.rendering import Scenery

__all__ = ["CloseUpCache", "close_up_keys"]

_ROOM: Final = 8192
"""The number of cached results: more than all heads of a room need in one frame. A key has one or
two kilobytes."""
_THING: Final = 8
"""The numbers of a row in a key: its pose (7) and its shape (1)."""


class CloseUpCache:
    """The pixel counts of close-ups by key, without and with occlusion; the oldest are replaced."""

    def __init__(self) -> None:
        self._slots: Final[dict[bytes, int]] = {}
        self._keys: Final[list[bytes]] = [b""] * _ROOM
        """The key of each slot; empty for a free slot."""
        self._found: Final[Floats] = np.zeros((_ROOM, 2, 6))
        self._next = 0

    def missing(self, keys: Sequence[bytes]) -> Rows:
        """The indices of the keys that are not in the cache."""
        slots = self._slots
        found = [number for number, key in enumerate(keys) if key not in slots]
        return np.array(found, dtype=np.intp)

    def of(self, keys: Sequence[bytes]) -> Floats:
        """The cached results of keys: (n, 2, 6)."""
        found: Floats = self._found[[self._slots[key] for key in keys]]
        return found

    def store(self, keys: Sequence[bytes], found: Floats) -> None:
        """Stores the results of new keys, as many as there is room for."""
        most = min(len(keys), _ROOM)
        slots = (self._next + np.arange(most)) % _ROOM
        self._next = (self._next + most) % _ROOM
        self._found[slots] = found[:most]
        for slot, key in zip(slots.tolist(), keys[:most], strict=True):
            self._slots.pop(self._keys[slot], None)
            self._keys[slot], self._slots[key] = key, slot

    def clear(self) -> None:
        """Removes all results."""
        self._slots.clear()
        self._keys[:] = [b""] * _ROOM


def close_up_keys(
    sceneries: Sequence[Scenery], forms: Sequence[Rows], eyes: Floats, close: CloseUpEyes
) -> list[bytes]:
    """The key of each close-up: its eye, and the pose and shape of its row and of its occluders.

    `eyes` (e, n) has the parameters of each eye; `forms` has a number for the shape of each row of
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
    unsure: Flags,
    worlds: Rows,
    rows: Rows,
    before: Rows,
    others: Rows,
    said: Floats,
    ends: Rows,
) -> None:
    """Writes the keys one after the other into `said`, and where each ends into `ends`."""
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
