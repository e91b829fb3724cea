"""All tolerances in one value: the numbers that decide facts, each with its unit and its reason.

Each table has a file of its own in this folder. A part of the reasoner that needs one table only
takes that table; `Tolerances` is a value of each of them.

Lengths are in metres, angles in radians, times in seconds. A pair of numbers is a hysteresis: a
fact begins at the first number and ends at the second. The command line lists the text below each
field (`settings.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from spatial_reasoner.tolerances.actions import ActionTolerances
from spatial_reasoner.tolerances.cavities import CavityTolerances
from spatial_reasoner.tolerances.hands import HandTolerances
from spatial_reasoner.tolerances.percepts import PerceptTolerances
from spatial_reasoner.tolerances.physics import PhysicsTolerances
from spatial_reasoner.tolerances.reach import ReachTolerances
from spatial_reasoner.tolerances.relations import RelationTolerances
from spatial_reasoner.tolerances.sight import SightTolerances
from spatial_reasoner.tolerances.steadiness import SteadinessTolerances
from spatial_reasoner.tolerances.units import Measure

__all__ = ["GRAVITY", "REGIONS", "Tolerances"]

GRAVITY: Final[Measure] = 9.81
"""m/s²: the acceleration of a falling object."""


@dataclass(frozen=True)
class Tolerances(
    ReachTolerances,
    PhysicsTolerances,
    ActionTolerances,
    HandTolerances,
    SightTolerances,
    RelationTolerances,
    CavityTolerances,
    SteadinessTolerances,
    PerceptTolerances,
):
    """The defaults are for rooms, tables and what lies on them.

    The tables are listed from the last base to the first, which is the order of their fields.
    """


REGIONS: Final[Mapping[int, tuple[Measure, Measure]]] = {
    4: (0.7854, 0.8465),
    8: Tolerances().direction,
}
"""`direction` by how many regions there are around an agent: of eight the diagonal ones have two
directions; of four each has one, 45° to each side, and two only next to an edge just crossed."""
