"""The likelihood of a statement: the share of random draws in which it held."""

from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

__all__ = ["Likelihood", "Meant", "Said"]

Said: TypeAlias = tuple[str, str, str]
"""A statement: subject, predicate, object."""
Meant: TypeAlias = tuple[str | None, str | None, str | None]
"""A pattern of statements; None stands for any value."""


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The share of a number of draws in which a statement held.

    >>> ball = Likelihood(("ball", "isIn", "box"), 0.9, 100)
    >>> round(ball.error, 3)
    0.03
    """

    said: Said
    share: float
    draws: int

    @property
    def error(self) -> float:
        """The standard error of the share."""
        return sqrt(self.share * (1 - self.share) / self.draws)
