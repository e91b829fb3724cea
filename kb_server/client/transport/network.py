"""The blocking network transport: HTTP for calls, a websocket in a thread for events."""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from kb_server.client.calls.calls import Call
from kb_server.client.streams.event_streams import EventStream
from kb_server.client.transport.background import Background
from kb_server.client.transport.http import Http
from kb_server.client.transport.socket import ConnectionWatcher, EventSocket, ProviderFunction

__all__ = ["Network"]

T = TypeVar("T")


class Network:
    """The connection to a board; the websocket and its thread start when they are first needed."""

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        self.url: Final = url
        self._http: Final = Http(url, token, timeout)
        self._background: Final = Background("mindboard-events")
        self._lock: Final = threading.Lock()
        self._make: Final[Callable[[], EventSocket]] = lambda: EventSocket(url, token, timeout)
        self._socket: EventSocket | None = None

    def ask(self, call: Call[T]) -> T:
        return self._http.ask(call)

    def open(self, feed: EventStream[Any]) -> None:
        self._background.run(self._line().open(feed))

    def drop(self, feed: EventStream[Any]) -> None:
        socket = self._line()
        if self._background.has_begun:
            self._background.soon(lambda: socket.drop(feed))

    def provide(self, predicates: Iterable[str], function: ProviderFunction) -> None:
        self._background.run(self._line().provide(predicates, function))

    def send(self, says: Mapping[str, Any]) -> None:
        self._background.run(self._line().send(says))

    def will(self, source: str) -> None:
        says = {"op": "will", "source": source}
        self._background.run(self._line().stand(f"will {source}", says))

    def on_line(self, watcher: ConnectionWatcher) -> None:
        self._background.run(self._line().on_line(watcher))

    def close(self) -> None:
        if self._background.has_begun:
            self._background.run(self._line().close())
        self._background.close()
        self._http.close()

    def _line(self) -> EventSocket:
        with self._lock:
            self._socket = self._socket or self._make()
            return self._socket
