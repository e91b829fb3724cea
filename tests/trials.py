"""How many cases a law is tried on: some at each run of the tests, all with `make thorough`.

Examples are always the same ones. With `THOROUGH=1` in the environment, which the make target sets,
the full number of examples and every combination of parameters are tried.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, settings

__all__ = ["law", "pairwise"]

_IS_THOROUGH: Final = bool(os.environ.get("THOROUGH"))
_SHARE: Final = 3
"""Of the examples of a law, one in so many is tried at each run, and at least five."""


def law(examples: int) -> settings:
    """A law tried on so many cases; a slow case on a busy machine is no failure."""
    return settings(
        max_examples=examples if _IS_THOROUGH else min(examples, max(5, examples // _SHARE)),
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


def pairwise(**values: Iterable[Any]) -> pytest.MarkDecorator:
    """Parametrizes a test so that every two values of two parameters meet in some case.

    Faults depend on one parameter or on two together; the full product has many times the cases.
    """
    choices = [[*each] for each in values.values()]
    cases = [*product(*choices)] if _IS_THOROUGH else [*_covering(choices)]
    return pytest.mark.parametrize(",".join(values), cases)


def _covering(values: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Cases of the product, chosen greedily: each next one has the most pairs not met yet."""
    everything = [*product(*(range(len(each)) for each in values))]
    open_pairs = {pair for case in everything for pair in _pairs(case)}
    while open_pairs:
        case = max(everything, key=lambda each: len(open_pairs & _pairs(each)))
        open_pairs -= _pairs(case)
        yield tuple(each[number] for each, number in zip(values, case, strict=True))


def _pairs(case: Sequence[int]) -> set[tuple[tuple[int, int], ...]]:
    """The pairs of parameters with their values; a lone parameter is a pair of its own."""
    return {*combinations(enumerate(case), min(2, len(case)))}
