"""What glances depend on, as keys by which they are known again."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.compiled import compiled
from spatial_reasoner.glances import Glances
from spatial_reasoner.poses import Floats
from spatial_reasoner.sight import Scenery

__all__ = ["glance_keys"]

Rows = NDArray[np.intp]
_EYE: Final = 10
"""So many numbers say what an eye is, """
_THING: Final = 8
"""and so many what is in a row."""


def glance_keys(
    sceneries: Sequence[Scenery], forms: Sequence[Rows], glances: Glances
) -> list[bytes]:
    """What each glance depends on: its eye, and what is at each of its rows, its own the first.

    `forms` number the shapes of all rows of each scenery.
    """
    count = len(glances.rows)
    said = np.empty(count * (_EYE + _THING) + len(glances.others) * _THING)
    ends = np.empty(count + 1, dtype=np.intp)
    _say(
        np.stack([scenery.poses for scenery in sceneries]), np.stack(forms), glances.poses,
        glances.fovs, glances.unsure, glances.worlds, glances.rows, glances.before,
        glances.others, said, ends,
    )  # fmt: skip
    written = said.tobytes()
    return [written[begin:end] for begin, end in pairwise((ends * said.itemsize).tolist())]


@compiled(
    "void(f8[:,:,:], i8[:,:], f8[:,:], f8[:,:], b1[:], i8[:], i8[:], i8[:], i8[:], f8[:], i8[:])"
)
def _say(
    poses: Floats,
    forms: Rows,
    eyes: Floats,
    fovs: Floats,
    unsure: NDArray[np.bool_],
    worlds: Rows,
    rows: Rows,
    before: Rows,
    others: Rows,
    said: Floats,
    ends: Rows,
) -> None:
    """Writes what glances depend on one after the other, and where each ends."""
    at, other = 0, 0
    ends[0] = 0
    for k in range(len(rows)):
        for i in range(7):
            said[at + i] = eyes[k, i]
        said[at + 7], said[at + 8], said[at + 9] = fovs[k, 0], fovs[k, 1], unsure[k]
        at += _EYE
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
