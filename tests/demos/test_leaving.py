"""How a demonstration ends: told to, interrupted or killed, it leaves no process behind."""

import os
import pty
import re
import select
import signal
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.forked import Forked

_SECONDS: Final = 60.0
_ANSWER: Final = 30.0


class Shown:
    """A demonstration at a terminal, and what it has shown so far."""

    def __init__(self, process: Forked, terminal: int) -> None:
        self.process: Final = process
        self._terminal: Final = terminal
        self._decoder: Final = getincrementaldecoder("utf-8")()
        self.text = ""

    def until(self, words: str) -> str:
        """All that is shown until some words are; TimeoutError when they don't come."""
        end = time.monotonic() + _SECONDS
        while words not in self.text:
            if not select.select([self._terminal], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError(f"{words!r} is not in {self.text!r}")
            self.text += self._decoder.decode(os.read(self._terminal, 65536))
        return self.text

    def press_enter(self) -> None:
        os.write(self._terminal, b"\n")

    def ended(self) -> int:
        """Its exit status; what it still shows is read."""
        with pytest.raises(OSError, match="Input/output"):
            self.until("\0")
        return self.process.wait(_SECONDS)

    @property
    def url(self) -> str:
        found = re.search(r"The page: (http://\S+)/", self.until("\n"))
        assert found is not None
        return found[1]


@contextmanager
def shown(*words: str) -> Iterator[Shown]:
    """A demonstration at a terminal of its own."""
    ours, theirs = pty.openpty()
    with Forked(
        ["demo", "sally-anne", *words], stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        try:
            yield Shown(process, ours)
        finally:
            process.kill()
            os.close(ours)


def is_gone(url: str) -> bool:
    """Whether nobody answers at an address any more."""
    try:
        httpx.get(f"{url}/models", timeout=_ANSWER)
    except httpx.ConnectError:
        return True
    return False


def test_the_page_stays_until_enter() -> None:
    """At a terminal the board stays when the story is over, and goes with the demonstration."""
    with shown("--speed", "max") as demo:
        url = demo.url
        demo.until("until you press Enter or Ctrl-C.")
        listed = httpx.get(f"{url}/models", timeout=_ANSWER).json()["models"]
        models = {each["id"] for each in listed}
        assert {"myself", "sally", "anne", "anne.sally"} <= models
        staged = httpx.get(f"{url}/stage", params={"source": "demo"}, timeout=_ANSWER).json()
        told = staged["stage"]["demo"]["story"]
        demo.press_enter()
        assert demo.ended() == 0
        assert is_gone(url)
    assert (told["title"], told["step"], told["over"]) == ("Sally and Anne", 5, True)
    assert [step["n"] for step in told["steps"]] == [1, 2, 3, 4, 5]
    assert [q["answer"] for q in told["questions"]] == ["box", "basket", "basket", "ball"]
    assert {q["n"] for q in told["questions"]} == {5}
    assert "All expected beliefs hold." in demo.text


def test_ctrl_c_when_the_story_is_over_is_an_end_like_any_other() -> None:
    """Who has looked long enough may press Ctrl-C as well: nothing failed."""
    with shown("--speed", "max", "--case", "watching") as demo:
        url = demo.url
        demo.until("until you press Enter or Ctrl-C.")
        demo.process.send_signal(signal.SIGINT)
        assert demo.ended() == 0
        assert is_gone(url)
    assert "Traceback" not in demo.text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_story_leaves_nothing(number: signal.Signals) -> None:
    """Ctrl-C in the middle ends story and server in order, with a line and no traceback."""
    with shown("--speed", "1") as demo:
        url = demo.url
        demo.until("1. They meet")
        demo.process.send_signal(number)
        assert demo.ended() == 1
        assert is_gone(url)
    assert "mindboard demo: interrupted" in demo.text
    assert "Traceback" not in demo.text


def test_a_server_goes_with_a_demonstration_that_is_killed() -> None:
    """The server of a demonstration that is killed ends by itself."""
    with shown("--speed", "1") as demo:
        events = demo.url.replace("http", "ws", 1) + "/events"
        with connect(events) as line:
            demo.process.kill()
            with pytest.raises(ConnectionClosed):
                line.recv(_SECONDS)
