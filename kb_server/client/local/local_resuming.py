"""Events that a subscription to a board in this process has missed, read from the journal."""

from heapq import merge

from kb_server.core.events.events import SubscriptionEvent
from kb_server.core.events.replay import EventReplay, changes_of, held_before
from kb_server.core.events.subscriptions import Wish, models_of
from kb_server.host import Host

__all__ = ["missed"]


def missed(host: Host, wish: Wish, after: int) -> list[SubscriptionEvent]:
    """The events since a delta, in order; TooOld if the journal does not reach back so far."""
    read = host.journal.deltas
    deltas = merge(*(read(after, None, m) for m in models_of(wish)), key=lambda d: d.seq)
    changes = list(changes_of(wish.patterns, deltas))
    replay = EventReplay(wish, lambda model: host.board.model(model).view)
    replay.rewind(held_before(changes))
    found = [event for change in changes for event in replay.step(change)]
    return found[:1] if getattr(wish, "once", False) else found
