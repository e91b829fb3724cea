"""What may be set of the service: every bound on what a client can cause has a name here."""

from dataclasses import dataclass

__all__ = ["ServiceSettings"]


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """Bounds, each for one request, one socket or all of them."""

    head_bytes: int = 65_536
    """A head: the line and the headers of a request."""
    head_seconds: float = 10.0
    """How long a head may take to come."""
    body_bytes: int = 16 * 2**20
    """A body."""
    statements: int = 100_000
    """Statements in one revision."""
    large: int = 1_000
    """A revision of more statements is made in a thread, so that the others are heard meanwhile."""
    quick_steps: int = 20_000
    """What a question may cost on the board itself; beyond, a SPARQL worker takes it."""
    long_steps: int = 400_000
    """What a question may cost that is read in a thread, while changes wait."""
    seconds: float = 10.0
    """How long a question may take, the wait for its turn included."""
    dl_seconds: float = 30.0
    """How long a question to full OWL DL may take, and as long it may wait for its turn."""
    dl_waiting: int = 8
    """Questions to full OWL DL at once, the one that is worked on included."""
    body_seconds: float = 30.0
    """How long a body may take to come."""
    history: int = 100_000
    """Lines in one answer of history."""
    graphs: int = 1_000
    """Graphs of plain storage."""
    graph_facts: int = 200_000
    """Facts in all graphs of plain storage together."""
    update_tries: int = 3
    """How often a SPARQL update is worked out beside the writer while the board changes."""
    update_hold_seconds: float = 1.0
    """How long it may take after that, while all other changes wait for it."""
    idle_seconds: float = 60.0
    """How long a connection may stay on which nothing is asked."""
    frame_bytes: int = 4 * 2**20
    """A frame that comes on a websocket."""
    connections: int = 4_000
    """Requests, sockets and streams at once."""
    subscriptions: int = 100_000
    """Subscriptions of all sockets."""
    subscriptions_each: int = 10_000
    """Subscriptions of one socket."""
    queue_events: int = 10_000
    """Events that may wait to be sent: of one subscription, and on one socket."""
    queue_bytes: int = 16 * 2**20
    """What may wait to be sent on one socket."""
    queue_bytes_total: int = 256 * 2**20
    """What may wait on all sockets together."""
    commands_waiting: int = 256
    """Commands that one socket may send ahead; no more is read of it until one is done."""
    wills_each: int = 100
    """Wills of one socket, and sources that it may speak for on the stage and by poses."""
    stuck_seconds: float = 30.0
    """A socket that takes no byte for so long is cut off."""
    resume_facts: int = 200_000
    """Fitting facts that may have changed in the gap of one subscription that resumes."""
    resume_facts_all: int = 1_000_000
    """The same of all that resume at once."""
    told_facts: int = 10_000
    """Facts that a provider may tell to one question."""
    poses_each: int = 10_000
    """Things in one model that have poses."""
    poses_kept: int = 100_000
    """Poses of the past that are kept, in all models."""
    stage_frame_bytes: int = 512 * 2**10
    """A frame for the stage: while one is read the others wait."""
    stage_bytes: int = 16 * 2**20
    """All that is staged."""
    stage_names: int = 5_000
    """Names on the stage, of all sources."""
    provider_seconds: float = 1.0
    """How long a provider may take to tell."""
    will_seconds: float = 5.0
    """How long a will waits for its socket to come back, and what a source shows for it too."""
    ping_seconds: float = 20.0
    """How often a websocket is pinged, and how long it may take to answer."""
    goodbye_seconds: float = 3.0
    """How long what is under way may go on when the server ends."""
