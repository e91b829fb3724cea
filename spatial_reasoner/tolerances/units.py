"""Units and ranges of the numbers that users can set, and the kinds of all other constants.

A number that decides a fact is a field of a table of tolerances. Its type is one of the units. A
constant that decides no fact has one of four kinds instead:

| kind | meaning |
|---|---|
| `Numeric` | the accuracy, the rounding or the sampling of a computation, or the weight of a search: a better value gives the same answer more exactly or sooner |
| `Limit` | a limit on input, memory or computing time |
| `Wait` | how long a program waits for another one |
| `Measure` | a measure of a body, of a device or of nature; a scene or a percept may state its own |

Arrays and records of such constants are `Annotated[…, Numeric]`. A test in `tests/house` holds
every floor that decides facts to this.

>>> Unit("m", 0.0, 1000.0).holds(-1.0)
False
"""  # noqa: E501

import math
from dataclasses import dataclass
from typing import Annotated, TypeAlias

__all__ = [
    "Deviations",
    "Limit",
    "Measure",
    "Metres",
    "Numeric",
    "Radians",
    "Ratios",
    "Seconds",
    "Shares",
    "Sizes",
    "Spans",
    "Speeds",
    "Turns",
    "Unit",
    "Wait",
    "Windows",
]

Numeric: TypeAlias = float
Limit: TypeAlias = float
Wait: TypeAlias = float
Measure: TypeAlias = float


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of a number, and the range in which it is valid, both ends included."""

    name: str
    least: float
    most: float

    def holds(self, value: float) -> bool:
        """Whether a number is in the range; False for NaN and infinity."""
        return self.least <= value <= self.most

    @property
    def range(self) -> str:
        """The range as text, without the unit; both numbers are in the range.

        >>> Unit("1/s", 1.0, 1e6).range, Unit("rad", 0.0, math.pi).range
        ('1 to 1e6', '0 to 3.14159')
        """
        return " to ".join(
            f"{end:.6g}".replace("e+0", "e").replace("e-0", "e-") for end in (self.least, self.most)
        )

    def __str__(self) -> str:
        return f"{self.range} {self.name}"


Metres: TypeAlias = Annotated[float, Unit("m", 0.0, 1000.0)]
Radians: TypeAlias = Annotated[float, Unit("rad", 0.0, math.pi)]
Seconds: TypeAlias = Annotated[float, Unit("s", 0.0, 60.0)]
Spans: TypeAlias = Annotated[float, Unit("s", 0.001, 60.0)]
"""Times by which a value is divided, so they can't be zero."""
Windows: TypeAlias = Annotated[float, Unit("s", 0.25, 1.0)]
"""Times over which a speed is measured. At 30 percepts a second a shorter time gives no speed, and
percepts are recorded for one second."""
Speeds: TypeAlias = Annotated[float, Unit("m/s", 0.0, 1000.0)]
Turns: TypeAlias = Annotated[float, Unit("rad/s", 0.0, 1000.0)]
Shares: TypeAlias = Annotated[float, Unit("share", 0.001, 1.0)]
Ratios: TypeAlias = Annotated[float, Unit("ratio", 1.0, 1000.0)]
Sizes: TypeAlias = Annotated[float, Unit("sizes", 0.0, 100.0)]
Deviations: TypeAlias = Annotated[float, Unit("sigma", 1.0, 1000.0)]
"""Numbers of standard deviations."""
