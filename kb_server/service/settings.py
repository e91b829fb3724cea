"""The settings of the service: each limit on the load that a client can cause."""

from dataclasses import dataclass

__all__ = ["ServiceSettings"]


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """Limits, each for one request, one socket or all of them."""

    head_bytes: int = 65_536
    """Bytes in the head of a request: its request line and its headers."""
    head_seconds: float = 10.0
    """Seconds within which a head must arrive."""
    body_bytes: int = 16 * 2**20
    """Bytes in one body."""
    statements: int = 100_000
    """Statements in one `revise`."""
    large: int = 1_000
    """A larger `revise`, in statements, runs in a thread, so that other clients are served."""
    quick_steps: int = 20_000
    """Steps that a query may take on the board itself; past them a SPARQL worker answers it."""
    long_steps: int = 400_000
    """Steps that a query may take in a thread, during which changes wait."""
    seconds: float = 10.0
    """Seconds that a query may take, the wait for its turn included."""
    dl_seconds: float = 30.0
    """Seconds that a query in full OWL DL may take, and as many that it may wait for its turn."""
    dl_waiting: int = 8
    """Queries in full OWL DL at once, the running one included."""
    body_seconds: float = 30.0
    """Seconds within which a body must arrive."""
    history: int = 100_000
    """Lines in one answer of `history`."""
    graphs: int = 1_000
    """Graphs of plain storage."""
    graph_facts: int = 200_000
    """Facts in all graphs of plain storage together."""
    update_tries: int = 3
    """Attempts to compute a SPARQL update beside the writer; each fails if the board changes."""
    update_hold_seconds: float = 1.0
    """Seconds that a last attempt may take, during which all other changes wait."""
    idle_seconds: float = 60.0
    """Seconds after which a connection without requests is closed."""
    frame_bytes: int = 4 * 2**20
    """Bytes in one incoming websocket frame."""
    connections: int = 4_000
    """Requests, websockets and event streams at once."""
    subscriptions: int = 100_000
    """Subscriptions on all sockets together."""
    subscriptions_each: int = 10_000
    """Subscriptions on one socket."""
    queue_events: int = 10_000
    """Events queued for one subscription, and for one socket."""
    queue_bytes: int = 16 * 2**20
    """Bytes queued for one socket."""
    queue_bytes_total: int = 256 * 2**20
    """Bytes queued for all sockets together."""
    commands_waiting: int = 256
    """Commands that one socket may have in hand; past them the server stops reading from it."""
    wills_each: int = 100
    """Wills of one socket, and the sources whose stage values and poses it publishes."""
    stuck_seconds: float = 30.0
    """Seconds after which a socket that reads no byte is disconnected."""
    resume_facts: int = 200_000
    """Matching facts that may have changed while one subscription was away and then resumes."""
    resume_facts_all: int = 1_000_000
    """The same for all subscriptions that resume at once."""
    told_facts: int = 10_000
    """Facts that providers may return for one query."""
    poses_each: int = 10_000
    """Objects with poses in one model."""
    poses_kept: int = 100_000
    """Past poses that are stored, in all models together."""
    stage_frame_bytes: int = 512 * 2**10
    """Bytes in one frame with stage values; other clients wait while it is read."""
    stage_bytes: int = 16 * 2**20
    """Bytes of all stage values."""
    stage_names: int = 5_000
    """Names on the stage, of all sources together."""
    provider_seconds: float = 1.0
    """Seconds within which a provider must answer."""
    will_seconds: float = 5.0
    """Seconds that a lost socket has to reconnect before its wills, poses and stage values end."""
    ping_seconds: float = 20.0
    """Seconds between two pings on a websocket, and the time within which it must answer one."""
    goodbye_seconds: float = 3.0
    """Seconds that running requests have to finish when the server shuts down."""
