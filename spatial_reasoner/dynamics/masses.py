"""Masses of objects in the simulation."""

from typing import Final

from spatial_reasoner.geometry.solids import solid_volume
from spatial_reasoner.scene.scene import Entity
from spatial_reasoner.tolerances.units import Limit, Measure

__all__ = ["DENSITY", "mass_of"]

DENSITY: Final[Measure] = 300.0
"""kg/m³ of the solid volume: between cork and water, like light wood."""
_LEAST: Final[Limit] = 0.01
_MOST: Final[Limit] = 50.0
"""Kilograms: computed masses are limited to this range, because large mass ratios make a simulation
unstable."""


def mass_of(entity: Entity) -> float:
    """The mass of an object in kg: the given one, or its solid volume times `DENSITY`.

    A computed mass is from 10 g to 50 kg. The mass does not decide whether an object can move.

    >>> from spatial_reasoner.geometry.shapes import box
    >>> import numpy as np
    >>> round(mass_of(Entity("brick", "Cube", box(np.full(3, 0.1)))), 6)
    0.3
    """
    if entity.mass is not None:
        return entity.mass
    return min(max(DENSITY * solid_volume(entity.shape), _LEAST), _MOST)
