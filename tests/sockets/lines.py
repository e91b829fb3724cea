"""Connections to a real server: a websocket that separates answers from events."""

import json
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

__all__ = ["Frame", "Line", "line_to"]

Frame = dict[str, Any]
_SECONDS: Final = 20.0


class Line:
    """One websocket; events that come while an answer is awaited are heard later."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket: Final = socket
        self._events: Final[deque[Frame]] = deque()
        self._numbers = 0

    def frame(self) -> Frame:
        """The next frame, whatever it is."""
        read: Frame = json.loads(self.socket.recv(timeout=_SECONDS))
        return read

    def send(self, **fields: Any) -> None:
        self.socket.send(json.dumps(fields))

    def raw(self, text: str | bytes) -> Frame:
        """The answer to a frame as it is."""
        self.socket.send(text)
        return self._answer()

    def ask(self, op: str, **fields: Any) -> Frame:
        """The answer to a command, error or not."""
        self._numbers += 1
        given = {"id": f"c{self._numbers}", "op": op, **fields}
        self.send(**given)
        answer = self._answer()
        assert answer["id"] == given["id"]
        return answer

    def do(self, op: str, **fields: Any) -> Frame:
        """The answer to a command that is to succeed."""
        answer = self.ask(op, **fields)
        assert answer.get("ok"), answer
        return answer

    def refused(self, op: str, **fields: Any) -> str:
        """The code of the error that a command is answered with."""
        return str(self.ask(op, **fields)["error"]["code"])

    def event(self) -> Frame:
        """The next event."""
        if self._events:
            return self._events.popleft()
        frame = self.frame()
        assert "event" in frame, frame
        return frame

    def events(self, count: int) -> list[Frame]:
        return [self.event() for _ in range(count)]

    def told(self) -> list[Frame]:
        """All events that come before the answer to a ping sent now."""
        self.do("ping")
        found = [*self._events]
        self._events.clear()
        return found

    def is_silent(self) -> bool:
        """Whether no event comes before the answer to a ping sent now."""
        self.do("ping")
        return not self._events

    def _answer(self) -> Frame:
        while "event" in (frame := self.frame()):
            self._events.append(frame)
        return frame


@contextmanager
def line_to(url: str, **options: Any) -> Iterator[Line]:
    """A line that is closed when the block is left."""
    with connect(url, compression=None, max_size=None, **options) as socket:
        yield Line(socket)
