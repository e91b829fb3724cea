"""The tolerances of physical plausibility and of likelihoods."""

from dataclasses import dataclass
from typing import Annotated

from spatial_reasoner.tolerances.units import Deviations, Metres, Unit

__all__ = ["PhysicsTolerances"]


@dataclass(frozen=True)
class PhysicsTolerances:
    """Physics and likelihoods."""

    drift: Annotated[float, Unit("m", 0.01, 1.0)] = 0.045
    """An object that would move farther than this from where it is perceived cannot stay there
    (Underworlds, table 1)."""
    horizon: Annotated[float, Unit("s", 0.05, 2.0)] = 0.125
    """The simulation that decides whether an object can stay covers this time, and four times as
    much if the object still moves then. In 0.125 s an object falls 77 mm. In the 80 ms of
    Underworlds it falls 31 mm, which is less than the drift, so no hovering object would ever be
    found."""
    touching: Metres = 0.02
    """Objects within this distance may touch, given the noise of percepts."""
    stuck: Metres = 0.005
    """An object that penetrates another one deeper than this after the simulation cannot stay where
    it is perceived."""
    considered: Deviations = 3.0
    """The likelihood of a fact takes account of objects that could be this many standard deviations
    from where they are believed to be."""
    gate_deviations: Deviations = 3.0
    """The tolerance `gate` counts as this many standard deviations of the place of an object at
    rest."""
    aside: Metres = 0.1
    """For the likelihood of a fact, an object may move sideways by this distance when it falls,
    slides or tips over."""
