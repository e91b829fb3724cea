"""Snapshots of a reasoner, to be restored within the same process.

Immutable values, such as shapes and scenes, are shared instead of copied. An array that is a view
of another one stays a view of its copy, because one is written and the other read. Plain pickle
would make two separate arrays of them, which then diverge.
"""

import io
import pickle
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from spatial_reasoner.dynamics.rigid_bodies import Solid
from spatial_reasoner.geometry.arrays import Array
from spatial_reasoner.geometry.shapes import Shape
from spatial_reasoner.scene.scene import Agent, Entity, Scene
from spatial_reasoner.tolerances.tolerances import Tolerances

__all__ = ["Snapshot", "saved"]

_SHARED: Final = (Agent, Entity, Scene, Shape, Solid, Tolerances)
"""Types of immutable values."""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A snapshot of a state.

    >>> whole = np.zeros(3)
    >>> again, part = saved((whole, whole[1:])).restored()
    >>> part[0] = 1.0
    >>> again.tolist(), whole.tolist()
    ([0.0, 1.0, 0.0], [0.0, 0.0, 0.0])
    """

    content: bytes
    shared: tuple[object, ...]

    def restored(self) -> Any:
        """A new copy of the state each time."""
        return _Unpickler(self).load()


def saved(state: object) -> Snapshot:
    """A snapshot of a state as it is now; values that are shared in the state stay shared."""
    file = io.BytesIO()
    pickler = _Pickler(file)
    pickler.dump(state)
    return Snapshot(file.getvalue(), tuple(pickler.shared.values()))


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.shared: Final[dict[int, object]] = {}
        self._numbers: Final[dict[int, int]] = {}
        self._kept: Final[list[Array]] = []
        """Base arrays are referenced here, so that no other array gets the same id meanwhile."""

    def persistent_id(self, thing: object) -> int | None:
        if not isinstance(thing, _SHARED):
            return None
        self.shared.setdefault(id(thing), thing)
        return self._numbers.setdefault(id(thing), len(self._numbers))

    def reducer_override(self, thing: object) -> Any:
        if not isinstance(thing, np.ndarray) or not isinstance(thing.base, np.ndarray):
            return NotImplemented
        whole = thing
        while isinstance(whole.base, np.ndarray):
            whole = whole.base
        if not whole.flags.forc:
            return NotImplemented
        self._kept.append(whole)
        offset = _begin(thing) - _begin(whole)
        return _part, (whole, thing.dtype, offset, thing.shape, thing.strides,
                       thing.flags.writeable)  # fmt: skip


class _Unpickler(pickle.Unpickler):
    def __init__(self, saved: Snapshot) -> None:
        super().__init__(io.BytesIO(saved.content))
        self._shared: Final = saved.shared

    def persistent_load(self, number: int) -> object:
        return self._shared[number]


def _begin(array: Array) -> int:
    """The address of the first element in memory."""
    begin: int = array.__array_interface__["data"][0]
    return begin


def _part(
    whole: Array, kind: np.dtype[Any], offset: int, shape: tuple[int, ...],
    strides: tuple[int, ...], is_writeable: bool,
) -> Array:  # fmt: skip
    found: Array = np.ndarray(shape, kind, whole, offset, strides)
    found.flags.writeable &= is_writeable
    return found
