from kb_server.client.names import (
    Answer as Answer,
)
from kb_server.client.names import (
    Ask as Ask,
)
from kb_server.client.names import (
    AsyncBlackboard as AsyncBlackboard,
)
from kb_server.client.names import (
    AsyncModel as AsyncModel,
)
from kb_server.client.names import (
    AsyncSubscription as AsyncSubscription,
)
from kb_server.client.names import (
    BadGraph as BadGraph,
)
from kb_server.client.names import (
    BadModelName as BadModelName,
)
from kb_server.client.names import (
    BadQuery as BadQuery,
)
from kb_server.client.names import (
    BadRequest as BadRequest,
)
from kb_server.client.names import (
    BadStatement as BadStatement,
)
from kb_server.client.names import (
    Blackboard as Blackboard,
)
from kb_server.client.names import (
    BoardError as BoardError,
)
from kb_server.client.names import (
    Busy as Busy,
)
from kb_server.client.names import (
    Clarification as Clarification,
)
from kb_server.client.names import (
    Closed as Closed,
)
from kb_server.client.names import (
    Comparison as Comparison,
)
from kb_server.client.names import (
    Conflict as Conflict,
)
from kb_server.client.names import (
    ConnectionFailed as ConnectionFailed,
)
from kb_server.client.names import (
    Consistency as Consistency,
)
from kb_server.client.names import (
    Damaged as Damaged,
)
from kb_server.client.names import (
    Delta as Delta,
)
from kb_server.client.names import (
    Difference as Difference,
)
from kb_server.client.names import (
    Discriminant as Discriminant,
)
from kb_server.client.names import (
    Divergence as Divergence,
)
from kb_server.client.names import (
    DivergenceEvent as DivergenceEvent,
)
from kb_server.client.names import (
    DLFailed as DLFailed,
)
from kb_server.client.names import (
    DLTimeout as DLTimeout,
)
from kb_server.client.names import (
    DoesNotHold as DoesNotHold,
)
from kb_server.client.names import (
    Event as Event,
)
from kb_server.client.names import (
    EventsLost as EventsLost,
)
from kb_server.client.names import (
    Fact as Fact,
)
from kb_server.client.names import (
    Forbidden as Forbidden,
)
from kb_server.client.names import (
    HistoryLine as HistoryLine,
)
from kb_server.client.names import (
    Inconsistent as Inconsistent,
)
from kb_server.client.names import (
    Internal as Internal,
)
from kb_server.client.names import (
    JournalFailed as JournalFailed,
)
from kb_server.client.names import (
    Locked as Locked,
)
from kb_server.client.names import (
    Match as Match,
)
from kb_server.client.names import (
    MethodNotAllowed as MethodNotAllowed,
)
from kb_server.client.names import (
    Model as Model,
)
from kb_server.client.names import (
    ModelInfo as ModelInfo,
)
from kb_server.client.names import (
    NoDLEngine as NoDLEngine,
)
from kb_server.client.names import (
    NotAcceptable as NotAcceptable,
)
from kb_server.client.names import (
    NotFound as NotFound,
)
from kb_server.client.names import (
    OutcomeUnknown as OutcomeUnknown,
)
from kb_server.client.names import (
    Portrait as Portrait,
)
from kb_server.client.names import (
    Pose as Pose,
)
from kb_server.client.names import (
    Poses as Poses,
)
from kb_server.client.names import (
    PosesEvent as PosesEvent,
)
from kb_server.client.names import (
    Proof as Proof,
)
from kb_server.client.names import (
    ProviderTimeout as ProviderTimeout,
)
from kb_server.client.names import (
    QueryTooLarge as QueryTooLarge,
)
from kb_server.client.names import (
    ReadOnly as ReadOnly,
)
from kb_server.client.names import (
    Refused as Refused,
)
from kb_server.client.names import (
    Row as Row,
)
from kb_server.client.names import (
    SparqlError as SparqlError,
)
from kb_server.client.names import (
    Stopping as Stopping,
)
from kb_server.client.names import (
    Subscription as Subscription,
)
from kb_server.client.names import (
    TimedOut as TimedOut,
)
from kb_server.client.names import (
    TooCostly as TooCostly,
)
from kb_server.client.names import (
    TooLarge as TooLarge,
)
from kb_server.client.names import (
    TooOld as TooOld,
)
from kb_server.client.names import (
    TooSlow as TooSlow,
)
from kb_server.client.names import (
    Unauthorized as Unauthorized,
)
from kb_server.client.names import (
    UnknownGraph as UnknownGraph,
)
from kb_server.client.names import (
    UnknownMemory as UnknownMemory,
)
from kb_server.client.names import (
    UnknownModel as UnknownModel,
)
from kb_server.client.names import (
    Unreachable as Unreachable,
)
from kb_server.client.names import (
    Unsupported as Unsupported,
)
from kb_server.client.names import (
    Way as Way,
)

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
