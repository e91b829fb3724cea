"""Columns: arrays that are declared once, and grow and are renamed together."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.geometry.arrays import Codes, Flags, Floats, Rows
from spatial_reasoner.geometry.columns import Columns, column, enlarged
from spatial_reasoner.geometry.poses import IDENTITY

counts = st.integers(0, 5)


class Rests(Columns):
    """What rows rest on, and which agents are near them."""

    pose: Floats = column(IDENTITY)
    support: Rows = column(-1, names_rows=True)
    form: Codes = column(np.int8(3))
    _near: Flags = column(False, "agents", "rows")
    touch: Flags = column(False, "rows", "rows")
    heard: Floats = column(-np.inf, "agents")


class Falls(Rests):
    """A subclass with one more column."""

    speed: Floats = column((0.0, 0.0))


def test_an_empty_entry_decides_type_and_shape() -> None:
    """The columns are arrays of empty entries, with the axes that were declared."""
    rests = Rests(rows=2, agents=3)
    assert len(rests) == 2
    assert rests.pose.tolist() == [IDENTITY.tolist()] * 2
    assert rests.pose.flags.writeable
    assert rests.support.dtype == np.intp
    assert rests.form.dtype == np.int8
    assert rests._near.shape == (3, 2)
    assert rests.touch.shape == (2, 2)
    assert rests.heard.tolist() == [-np.inf] * 3


def test_a_count_that_is_not_given_is_zero() -> None:
    """A store may begin without rows."""
    assert len(Rests()) == 0
    assert Rests(rows=4)._near.shape == (0, 4)


def test_subclasses_have_all_columns() -> None:
    """A subclass adds its columns to those that it inherits, and leaves the other class alone."""
    assert Falls(rows=2).speed.shape == Falls(rows=2).pose[:, :2].shape
    assert not hasattr(Rests(rows=2), "speed")


def test_two_stores_share_nothing() -> None:
    """Writing into one store changes neither another one nor the empty entry."""
    one, other = Rests(rows=1), Rests(rows=1)
    one.pose[0, 0] = 5.0
    assert other.pose[0, 0] == Rests(rows=1).pose[0, 0] == IDENTITY[0] == 0.0


@given(counts, counts, counts, counts)
def test_growth_keeps_all_entries(rows: int, agents: int, more: int, others: int) -> None:
    """After growth the old entries are as they were, and the new ones are empty."""
    rests, fresh = Rests(rows=rows, agents=agents), Rests(rows=rows + more, agents=agents + others)
    rests.support[:], rests._near[:], rests.touch[:] = 7, True, True
    rests.grow(rows=rows + more, agents=agents + others)
    fresh.support[:rows], fresh._near[:agents, :rows], fresh.touch[:rows, :rows] = 7, True, True
    for name in ("pose", "support", "form", "_near", "touch", "heard"):
        ours, expected = getattr(rests, name), getattr(fresh, name)
        assert ours.dtype == expected.dtype
        assert np.array_equal(ours, expected)
        assert ours.flags.c_contiguous


def test_growth_to_the_same_size_replaces_nothing() -> None:
    """A store with enough rows keeps its arrays."""
    rests = Rests(rows=3)
    before = rests.pose
    rests.grow(rows=3)
    assert rests.pose is before


def test_a_renamed_row_takes_its_entries_along() -> None:
    """The other row has the entries of the first, and what named the first names the other."""
    rests = Rests(rows=3, agents=2)
    rests.pose[0, 0], rests.support[:], rests._near[1, 0] = 4.0, [2, 0, 0], True
    rests.touch[0, 1] = True
    rests.rename(0, 2)
    assert rests.pose[2, 0] == 4.0
    assert rests.support.tolist() == [2, 2, 2]
    assert rests._near[:, 2].tolist() == [False, True]
    assert rests.touch[2].tolist() == [False, True, False]


def test_columns_can_be_pickled() -> None:
    """A copy has the same entries, and grows by itself."""
    rests = Rests(rows=1)
    rests.support[0] = 8
    again = pickle.loads(pickle.dumps(rests))
    again.grow(rows=2)
    assert again.support.tolist() == [8, -1]
    assert len(rests) == 1


@pytest.mark.parametrize("shape", [(2, 2), (3, 2), (4, 5)])
def test_an_enlarged_array_keeps_its_entries(shape: tuple[int, int]) -> None:
    """New entries have the given value; an array that is large enough is returned itself."""
    array = np.array([[1.0, 2.0], [3.0, 4.0]])
    larger = enlarged(array, shape, np.inf)
    assert (larger is array) == (shape == array.shape)
    assert larger.shape == shape
    assert np.array_equal(larger[:2, :2], array)
    assert np.isinf(larger).sum() == larger.size - 4
