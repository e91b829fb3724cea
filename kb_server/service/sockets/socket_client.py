"""The client of one socket or stream: its rights, and what it has begun."""

import asyncio
from typing import Final

from kb_server.service.access import Access
from kb_server.service.delivery.hub import Hub
from kb_server.service.delivery.outbox import Outbox, Owner
from kb_server.service.delivery.poses import Ear
from kb_server.service.delivery.providers import ProviderSocket
from kb_server.service.delivery.stage import Attender
from kb_server.service.delivery.subscriber import Subscriber
from kb_server.service.desk.desk import Desk
from kb_server.service.desk.reading import Reading

__all__ = ["SocketClient"]


class SocketClient:
    """The state of one socket or stream: subscriptions, wills and the like; `depart` ends all."""

    def __init__(self, desk: Desk, reading: Reading, access: Access) -> None:
        settings = desk.settings
        self.desk: Final = desk
        self.hub: Final[Hub] = desk.hub
        self.reading: Final = reading
        self.access: Final = access
        self.outbox: Final = Outbox(settings.queue_events, settings.queue_bytes, self.hub.queues)
        self.outbox.spilled = self._leave
        self.subscribers: Final[dict[str | int, Subscriber]] = {}
        self.ears: Final[dict[str, Ear]] = {}
        self.provider: Final = ProviderSocket(self.outbox, access)
        self.attender: Attender | None = None
        self.wills: Final[dict[str, None]] = {}
        self.shown: Final[dict[str, None]] = {}
        """The sources for which it has published poses or stage values."""
        self.unkept: asyncio.Future[None] | None = None
        """Done when the journal has stored its latest revision."""

    def depart(self) -> None:
        """Ends all that it has begun; its wills wait `will_seconds` for it to come back."""
        self.outbox.close()
        self.outbox.clear()
        for subscriber in list(self.subscribers.values()):
            self.hub.subscribing.leave(subscriber)
        for model, ear in self.ears.items():
            self.hub.poses.unlisten(model, ear)
        self.hub.providers.lose(self.provider)
        for source in self.wills:
            self.hub.wills.lose(source, self.access)
        for source in self.shown:
            self.hub.lose(source)
        if self.attender is not None:
            self.hub.stage.leave(self.attender)
        for each in (self.subscribers, self.ears, self.wills, self.shown):
            each.clear()

    def _leave(self, owner: Owner) -> None:
        if isinstance(owner, Subscriber):
            self.hub.subscribing.leave(owner)
