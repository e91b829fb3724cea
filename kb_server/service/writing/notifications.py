"""The listeners of a change of the board, in the order in which they are notified.

1. `Board.on_delta`: a delta is made; more of the same change may follow. Called in the thread
   that makes the change: `Host` (queues it for the journal), `BoardWriter` (collects the change),
   `Events` (finds the subscriptions), `Resuming`. The first exception is raised when all are done.
2. `Notifications.on_change`: the change is whole. Called once for each of its deltas:
   `SparqlPool` (feeds the replicas), `Subscribing` (its events await step 4).
3. `Notifications.on_timed`: called once after a change, unless it had to await others: `Metrics`.
4. `Notifications.on_stored`: the journal has stored what is made. Called with the newest `seq`:
   `Subscribing` (sends its events), `Hub` (has the stage send the names of the models).
5. `JournalWriter.kept`: what is stored is safe from a power failure. These futures are done, and
   whoever awaits one answers a request.

`BoardWriter` calls the listeners of steps 2 to 4 in the event loop; `Desk` registers those of 2 and
4. A board in-process has steps 1 and 5 alone. List a new listener here.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from kb_server.core.models.delta import ModelDelta

__all__ = ["Notifications", "notify"]

_log: Final = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Notifications:
    """The listeners of one board in its event loop, in the order in which they are called."""

    on_change: list[Callable[[ModelDelta], None]] = field(default_factory=list)
    """Called with each delta of a change, as soon as the change is whole."""
    on_timed: list[Callable[[float], None]] = field(default_factory=list)
    """Called with the seconds that a change took to make, after `on_change`."""
    on_stored: list[Callable[[int], None]] = field(default_factory=list)
    """Called with the newest `seq` that the journal has stored."""


def notify(listeners: Iterable[Callable[[_T], None]], news: _T) -> None:
    """Calls all listeners in their order; one that raises is logged, and the others go on."""
    for listener in listeners:
        try:
            listener(news)
        except Exception:
            _log.exception("a listener of the board failed")
