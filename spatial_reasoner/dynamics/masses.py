"""Masses: how heavy a thing is, for physics."""

from typing import Final

from spatial_reasoner.geometry.solids import solid_volume
from spatial_reasoner.scene.scene import Entity

__all__ = ["DENSITY", "mass_of"]

DENSITY: Final = 300.0
"""Kilograms in a cubic metre of what is solid: between cork and water, as of wood."""
_LEAST: Final = 0.01
_MOST: Final = 50.0
"""What is lighter or heavier than its neighbours by far more shakes a simulation."""


def mass_of(entity: Entity) -> float:
    """Kilograms: what is given or known of a thing, else what is solid of it at one density.

    What is not given is from 10 g to 50 kg. It says nothing of whether a thing moves at all.

    >>> from spatial_reasoner.geometry.shapes import box
    >>> import numpy as np
    >>> round(mass_of(Entity("brick", "Cube", box(np.full(3, 0.1)))), 6)
    0.3
    """
    if entity.mass is not None:
        return entity.mass
    return min(max(DENSITY * solid_volume(entity.shape), _LEAST), _MOST)
