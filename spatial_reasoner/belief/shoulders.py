"""Shoulders: where arms begin, from where a head is; how far its owner leans is not known.

They keep their place before, beside and below the head, by its heading alone: who looks down or
tilts the head does not bend down. So whoever looks aside turns as a whole.
"""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from spatial_reasoner.dynamics.arms import Side
from spatial_reasoner.geometry.poses import Pose, compose, inverse
from spatial_reasoner.relations.viewpoint import fronts
from spatial_reasoner.scene.scene import Agent

__all__ = ["heading", "shoulders_of"]

_SIDES: Final[Mapping[Side, float]] = {"right": -1.0, "left": 1.0}
_LEVEL: Final = np.array([0.0, 0, 0, 1])
_HEIGHT: Final = 1.7
"""Of whom nothing else is said."""
_BELOW_EYES: Final = 0.118
_ASIDE: Final = 0.129
_BEHIND_EYES: Final = 0.05
"""Shares of the height of a person (Drillis and Contini, and Winter): eyes are at 93.6 % of it,
shoulders at 81.8 %, 25.8 % apart, and eyes are as far in front as a head is deep to its axis."""


def heading(head: Pose) -> Pose | None:
    """The frame of a head set upright; None for who is upside down."""
    front, clear = fronts(head[None])
    if not clear[0]:
        return None
    x, y = front[0].tolist()
    half = math.atan2(y, x) / 2
    return np.array([*head[:3].tolist(), 0.0, 0.0, math.sin(half), math.cos(half)])


def shoulders_of(agent: Agent, first: Pose | None = None) -> Mapping[Side, Pose]:
    """An agent's shoulders as its upright head has them; none if it has no arms.

    A shoulder of which only the place is given faces as the head does. If the scene does not say
    where the head is then, it is where it was `first`, set upright.
    """
    if agent.arm is None:
        return {}
    if not agent.shoulders:
        return {side: _common(agent.height or _HEIGHT, sign) for side, sign in _SIDES.items()}
    upright = first if agent.head is None else heading(agent.head)
    if upright is None:
        return {}
    return {
        side: _given(upright, agent.shoulders[side]) for side in _SIDES if side in agent.shoulders
    }


def _common(height: float, sign: float) -> Pose:
    place = height * np.array([-_BEHIND_EYES, sign * _ASIDE, -_BELOW_EYES])
    return np.concatenate([place, _LEVEL])


def _given(upright: Pose, shoulder: Pose) -> Pose:
    own: Pose = compose(inverse(upright), shoulder)
    if (shoulder[3:] == _LEVEL).all():
        own[3:] = _LEVEL
    return own
