"""The delta: what one change does to one model. Everything else follows it."""

from collections.abc import Mapping
from dataclasses import dataclass

from kb_server.core.lifespans import Assertion
from kb_server.core.statements import Statement

__all__ = ["Delta"]


@dataclass(frozen=True, slots=True)
class Delta:
    """One step of one model: what became true and what ceased, net, after inference.

    `asserted` and `withdrawn` are what the step did to the assertions: enough to do it again.
    """

    seq: int
    model: str
    t: float
    became_true: tuple[Statement, ...]
    ceased: tuple[Statement, ...]
    asserted: Mapping[Statement, Assertion]
    withdrawn: tuple[Statement, ...]
    source: str | None = None
    source_t: float | None = None
