"""Settings of the laws: many random cases, the same ones in each run."""

from hypothesis import HealthCheck, Phase, settings

__all__ = ["law"]


def law(examples: int) -> settings:
    """A law with a number of cases; the time of a case is not limited, since machines are busy."""
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
