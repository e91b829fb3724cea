"""How the laws of the edges are tried."""

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, settings

__all__ = ["law"]


def law(examples: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A law tried on as many cases, the same ones each time."""
    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
