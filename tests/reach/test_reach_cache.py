"""What is noted of where things are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.geometry.poses import IDENTITY, rotations, set_quaternion
from tests.trials import law

PART = st.sampled_from([-1.0, 0.0, 1.0]) | st.floats(-1, 1)


@given(st.tuples(PART, PART, PART, PART).filter(lambda parts: np.linalg.norm(parts) > 0.1))
@law(200)
def test_a_turn_is_noted_as_it_is(parts: tuple[float, float, float, float]) -> None:
    """The quaternion of a rotation matrix has length one, and is that of the same rotation."""
    pose, found = IDENTITY.copy(), IDENTITY.copy()
    pose[3:] = np.array(parts) / np.linalg.norm(parts)
    set_quaternion(rotations(pose), found)
    assert np.abs(rotations(found) - rotations(pose)).max() < 1e-9
    assert abs(np.linalg.norm(found[3:]) - 1) < 1e-12
