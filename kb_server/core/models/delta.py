"""The delta: what one change does to one model. Everything else follows it, or is its fold."""

from collections.abc import Mapping
from dataclasses import dataclass

from kb_server.core.models.lifespans import Assertion
from kb_server.core.terms.statements import Statement

__all__ = ["Delta", "Kept"]


@dataclass(frozen=True, slots=True)
class Delta:
    """One step of one model: what became true and what ceased, net, after inference.

    `asserted` and `withdrawn` are what the step did to the assertions: enough to do it again.
    `minds` are the models that came to be with it.
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
    minds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """What is to be kept of one model so that it can be made again.

    `since` says since when each of its facts holds, inferred ones included; `seq` is that of its
    newest delta.
    """

    assertions: Mapping[Statement, Assertion]
    since: Mapping[Statement, float]
    seq: int
