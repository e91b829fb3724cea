"""A board that follows a script: to fail at the moment that a test wants."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

__all__ = ["Script", "Talk", "appear", "scripted_board", "scripted_http"]

_PATIENCE: Final = 10.0


class Talk:
    """One connection, as its script sees it."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection: Final = connection

    def hears(self, op: str) -> dict[str, Any]:
        """The next command, which is one of those."""
        said: dict[str, Any] = json.loads(self._connection.recv(_PATIENCE))
        assert said["op"] == op, said
        return said

    def says(self, **frame: Any) -> None:
        self._connection.send(json.dumps(frame))

    def grants(self, op: str, **fields: Any) -> dict[str, Any]:
        """Hears a command and answers that it is done."""
        said = self.hears(op)
        self.says(id=said["id"], ok=True, **fields)
        return said

    def refuses(self, op: str, code: str, **detail: Any) -> dict[str, Any]:
        """Hears a command and answers that it can't be."""
        said = self.hears(op)
        error = {"code": code, "message": f"this is {code}", "detail": detail}
        self.says(id=said["id"], error=error)
        return said

    def breaks(self) -> None:
        """Cuts the line in the middle of it all."""
        with suppress(OSError):  # the client may have been first
            self._connection.socket.shutdown(socket.SHUT_RDWR)

    def waits(self) -> None:
        """Stays until the client hangs up."""
        try:
            while True:
                self._connection.recv()
        except ConnectionClosed:
            return


Script = Callable[[Talk], None]


class _Board:
    def __init__(self, scripts: tuple[Script, ...]) -> None:
        self.failures: Final[list[BaseException]] = []
        self._scripts: Final = iter(scripts)

    def talk(self, connection: ServerConnection) -> None:
        """Each connection follows the next script; what goes wrong in it is the test's to know."""
        script = next(self._scripts, None)
        try:
            if script is not None:
                script(Talk(connection))
        except ConnectionClosed:
            return
        except BaseException as failure:
            self.failures.append(failure)


@contextmanager
def scripted_board(*scripts: Script) -> Iterator[str]:
    """The address of a board whose connections follow some scripts, one after the other."""
    board = _Board(scripts)
    with serve(board.talk, "127.0.0.1", 0) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.socket.getsockname()[1]}"
        finally:
            server.shutdown()
            serving.join()
    for failure in board.failures:
        raise failure


@contextmanager
def scripted_http(*answers: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """A board that answers each connection with bytes and closes it; yields the requests."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            for given in answers:
                connection, _ = listening.accept()
                with connection:
                    asked.append(connection.recv(65_536))
                    connection.sendall(given)

        serving = threading.Thread(target=answer)
        serving.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", asked
        serving.join(_PATIENCE)


def appear(sub: str, seq: int, value: str, **more: Any) -> dict[str, Any]:
    """An event that binds `?o` to something."""
    t = "2026-01-01T12:00:00.000000Z"
    return {"event": "appear", "sub": sub, "seq": seq, "t": t, "bindings": {"o": value}, **more}
