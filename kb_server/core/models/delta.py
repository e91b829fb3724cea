"""The delta: the effect of one change on one model; the journal stores deltas in order."""

from collections.abc import Mapping
from dataclasses import dataclass

from kb_server.core.models.lifespans import Assertion
from kb_server.core.terms.statements import Statement

__all__ = ["Kept", "ModelDelta"]


@dataclass(frozen=True, slots=True)
class ModelDelta:
    """One change of one model: the facts that became true and ceased, net, after inference.

    `asserted` and `withdrawn` are its effect on the assertions, sufficient to replay it. `minds`
    are the models that it created.
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
    """The stored state of one model, from which it can be restored.

    `since` maps each fact, inferred ones included, to the time since when it holds; `seq` is that
    of the model's newest delta.
    """

    assertions: Mapping[Statement, Assertion]
    since: Mapping[Statement, float]
    seq: int
