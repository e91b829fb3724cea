"""Columns: a struct of arrays with an entry for each row, which grow together.

A class declares its columns as annotations, each with its empty entry, which also decides the type
and the shape of an entry. The columns are plain attributes, so compiled loops take them as
arguments. The danger: `grow` replaces the arrays, so nobody else may store one.

The road not taken is a structured array of numpy, whose columns are not contiguous.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from spatial_reasoner.geometry.arrays import Array

__all__ = ["ROWS", "Columns", "column", "enlarged"]

ROWS: Final = "rows"
"""The axis that counts rows."""


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    empty: Array
    axes: tuple[str, ...]
    names_rows: bool

    def shape(self, counts: Mapping[str, int]) -> tuple[int, ...]:
        return (*(counts[axis] for axis in self.axes), *self.empty.shape)

    def rename(self, array: Array, row: int, other: int) -> None:
        for number, axis in enumerate(self.axes):
            if axis == ROWS:
                lines = np.moveaxis(array, number, 0)
                lines[other] = lines[row]
        if self.names_rows:
            array[array == row] = other


def column(empty: object, *axes: str, names_rows: bool = False) -> Any:
    """Declares a column of `Columns` whose entries are `empty` at first.

    `axes` names what each axis before that of an entry counts; without it, that is rows. If the
    entries are themselves numbers of rows, `names_rows` lets `rename` change them.
    """
    return _Column(np.array(empty), axes or (ROWS,), names_rows)


class Columns:
    """Arrays that are declared as columns by a subclass.

    >>> class Rests(Columns):
    ...     support: Array = column(-1, names_rows=True)
    ...     place: Array = column((0.0, 0.0))
    ...     near: Array = column(False, "agents", "rows")
    >>> rests = Rests(rows=2, agents=1)
    >>> rests.support[1] = 0
    >>> rests.grow(rows=3)
    >>> rests.support.tolist(), rests.place.shape, rests.near.shape
    ([-1, 0, -1], (3, 2), (1, 3))
    """

    _columns: ClassVar[Mapping[str, _Column]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        mine = {name: each for name, each in vars(cls).items() if isinstance(each, _Column)}
        for name in mine:
            delattr(cls, name)
        cls._columns = {**cls._columns, **mine}

    def __init__(self, **counts: int) -> None:
        """Columns of so many `rows`, and so many entries along other axes; 0 if not given."""
        axes = {axis for each in self._columns.values() for axis in each.axes}
        self._counts: Final = {**dict.fromkeys(axes, 0), **counts}
        for name, each in self._columns.items():
            empty = np.full(each.shape(self._counts), each.empty, each.empty.dtype)
            setattr(self, name, empty)

    def __len__(self) -> int:
        """The number of rows."""
        return self._counts[ROWS]

    def grow(self, **counts: int) -> None:
        """Makes room for so many `rows`, or entries along other axes; new entries are empty."""
        if counts.items() <= self._counts.items():
            return
        self._counts.update(counts)
        for name, each in self._columns.items():
            array = enlarged(getattr(self, name), each.shape(self._counts), each.empty)
            setattr(self, name, array)

    def rename(self, row: int, other: int) -> None:
        """Copies the entries of a row to another one, and renames the row where others name it."""
        for name, each in self._columns.items():
            each.rename(getattr(self, name), row, other)


def enlarged(array: Array, shape: tuple[int, ...], empty: object = 0) -> Array:
    """A copy of an array with more entries, which are `empty`; the array itself if it fits.

    >>> enlarged(np.array([1.0, 2.0]), (3,), np.inf).tolist()
    [1.0, 2.0, inf]
    """
    if array.shape == shape:
        return array
    larger: Array = np.full(shape, empty, array.dtype)
    larger[tuple(map(slice, array.shape))] = array
    return larger
