"""The units of numbers that people set, and what those may be.

>>> Unit("m", 0.0, 1000.0).holds(-1.0)
False
"""

import math
from dataclasses import dataclass
from typing import Annotated, TypeAlias

__all__ = [
    "Deviations",
    "Metres",
    "Radians",
    "Seconds",
    "Shares",
    "Sizes",
    "Spans",
    "Speeds",
    "Unit",
    "Windows",
]


@dataclass(frozen=True, slots=True)
class Unit:
    """What a number counts, and from where to where it makes sense, both included."""

    name: str
    least: float
    most: float

    def holds(self, value: float) -> bool:
        """Whether a number makes sense; NaN and the infinite do not."""
        return self.least <= value <= self.most

    def __str__(self) -> str:
        return f"{self.least:.4g} to {self.most:.4g} {self.name}"


Metres: TypeAlias = Annotated[float, Unit("m", 0.0, 1000.0)]
Radians: TypeAlias = Annotated[float, Unit("rad", 0.0, math.pi)]
Seconds: TypeAlias = Annotated[float, Unit("s", 0.0, 60.0)]
Spans: TypeAlias = Annotated[float, Unit("s", 0.001, 60.0)]
"""Times by which something is divided, or within which something must come."""
Windows: TypeAlias = Annotated[float, Unit("s", 0.25, 1.0)]
"""Times over which a speed is measured: less tells none at 30 percepts a second, and of each thing
the last second is kept."""
Speeds: TypeAlias = Annotated[float, Unit("m/s", 0.0, 1000.0)]
Shares: TypeAlias = Annotated[float, Unit("share", 0.001, 1.0)]
Sizes: TypeAlias = Annotated[float, Unit("sizes", 0.0, 100.0)]
Deviations: TypeAlias = Annotated[float, Unit("sigma", 1.0, 1000.0)]
"""Standard deviations of a noise."""
