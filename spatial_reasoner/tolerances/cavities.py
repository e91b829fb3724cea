"""The tolerances of cavities: which meshes are containers."""

from dataclasses import dataclass, fields
from typing import Annotated, Final

from spatial_reasoner.tolerances.units import Metres, Unit

__all__ = ["USUAL", "CavityTolerances"]


@dataclass(frozen=True)
class CavityTolerances:
    """Cavities: which meshes are containers."""

    in_depth: Metres = 0.01
    """An object in a container must reach at least this far below the rim, or the share `in_share`
    of its own height if that is less. A mesh that is nowhere as deep has no cavity."""
    cavity_width: Annotated[float, Unit("m", 0.001, 0.5)] = 0.01
    """A narrower hollow of a mesh is no cavity, because a hand cannot put an object into it."""
    cavity_rims: Metres = 0.005
    """Compartments of a mesh whose rims differ in height by less than this are one cavity with
    walls in it."""

    @property
    def cavities(self) -> "CavityTolerances":
        """The numbers of this table alone, which identify the shapes that are read with them."""
        names = [field.name for field in fields(CavityTolerances)]
        return CavityTolerances(**{name: getattr(self, name) for name in names})


USUAL: Final = CavityTolerances()
"""The defaults."""
