"""The board: what each agent believes, kept, reasoned on and told to whoever asked.

The public names come from `kb_server.client` when they are first asked for, so that a process which
needs only a part of the board, such as a SPARQL worker, does not load a client; what each of them
is stands in `__init__.pyi`, for type checkers.
"""

from importlib import import_module
from typing import Any

__all__ = [
    "Answer",
    "Ask",
    "AsyncBlackboard",
    "AsyncModel",
    "AsyncSubscription",
    "BadGraph",
    "BadModelName",
    "BadQuery",
    "BadRequest",
    "BadStatement",
    "Blackboard",
    "BoardError",
    "Busy",
    "Clarification",
    "Closed",
    "Comparison",
    "Conflict",
    "ConnectionFailed",
    "Consistency",
    "DLFailed",
    "DLTimeout",
    "Damaged",
    "Delta",
    "Difference",
    "Discriminant",
    "Divergence",
    "DivergenceEvent",
    "DoesNotHold",
    "Event",
    "EventsLost",
    "Fact",
    "Forbidden",
    "HistoryLine",
    "Inconsistent",
    "Internal",
    "JournalFailed",
    "Locked",
    "Match",
    "MethodNotAllowed",
    "Model",
    "ModelInfo",
    "NoDLEngine",
    "NotAcceptable",
    "NotFound",
    "OutcomeUnknown",
    "Portrait",
    "Pose",
    "Poses",
    "PosesEvent",
    "Proof",
    "ProviderTimeout",
    "QueryTooLarge",
    "ReadOnly",
    "Refused",
    "Row",
    "SparqlError",
    "Stopping",
    "Subscription",
    "TimedOut",
    "TooCostly",
    "TooLarge",
    "TooOld",
    "TooSlow",
    "Unauthorized",
    "UnknownGraph",
    "UnknownMemory",
    "UnknownModel",
    "Unreachable",
    "Unsupported",
    "Way",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("kb_server.client.names"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
