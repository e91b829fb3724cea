"""Settings of the laws: many random cases, the same ones in each run."""

from hypothesis import HealthCheck, Phase, settings

__all__ = ["law"]


def law(examples: int) -> settings:
    """A law tried on so many cases; how long one takes is no failure on a machine that is busy."""
    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.function_scoped_fixture,
        ],
    )
