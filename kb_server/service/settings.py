"""What may be set of the service: every bound on what a client can cause has a name here."""

from dataclasses import dataclass

__all__ = ["ServiceSettings"]


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """Bounds, each for one request, one socket or all of them.

    `quick_steps` is what a question may cost on the board itself; beyond, a SPARQL worker takes
    it. `long_steps` is what one may cost that is read in a thread, while changes wait. A revision
    of more than `large` statements is carried out in a thread, so that the others are heard
    meanwhile. `queue_events` and `queue_bytes` bound what waits to be sent on one socket,
    `queue_bytes_total` on all of them. `seconds` is what a question may take, `dl_seconds` one to
    Pellet, for which `dl_waiting` may wait, and `body_seconds` the arrival of a body. A connection
    may be idle for `idle_seconds`. `graphs` and `graph_facts` bound plain storage. An update is
    worked out beside the writer; when the board has changed meanwhile for so many `update_tries`,
    it is once more while the others wait, for `update_hold_seconds` at most.
    """

    head_bytes: int = 65_536
    head_seconds: float = 10.0
    body_bytes: int = 16 * 2**20
    statements: int = 100_000
    large: int = 1_000
    quick_steps: int = 20_000
    long_steps: int = 400_000
    seconds: float = 10.0
    dl_seconds: float = 30.0
    dl_waiting: int = 8
    body_seconds: float = 30.0
    facts: int = 10_000
    history: int = 100_000
    graphs: int = 1_000
    graph_facts: int = 200_000
    update_tries: int = 3
    update_hold_seconds: float = 1.0
    idle_seconds: float = 60.0
    frame_bytes: int = 4 * 2**20
    connections: int = 4_000
    subscriptions: int = 100_000
    subscriptions_each: int = 10_000
    queue_events: int = 10_000
    queue_bytes: int = 16 * 2**20
    queue_bytes_total: int = 256 * 2**20
    commands_waiting: int = 256
    wills_each: int = 100
    stuck_seconds: float = 30.0
    resume_facts: int = 200_000
    resume_facts_all: int = 1_000_000
    told_facts: int = 10_000
    poses_each: int = 10_000
    poses_kept: int = 100_000
    stage_bytes: int = 16 * 2**20
    stage_names: int = 5_000
    provider_seconds: float = 1.0
    will_seconds: float = 5.0
    ping_seconds: float = 20.0
    goodbye_seconds: float = 3.0
