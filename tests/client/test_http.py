"""What a failure on the way means for what was asked."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kb_server import (
    AsyncBlackboard,
    BadRequest,
    Blackboard,
    BoardError,
    ConnectionFailed,
    OutcomeUnknown,
    TimedOut,
    Unreachable,
)
from tests.client.scripted import scripted_http
from tests.contracts.boards import blocking

_MODELS = b'{"models":[]}'
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n"
_FINE = _OK + b"Connection: close\r\n\r\n" + _MODELS


@contextmanager
def scripted_silence() -> Iterator[str]:
    """The address of somebody who takes what is sent, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def test_a_change_whose_answer_is_lost() -> None:
    """A change is sent once, and OutcomeUnknown is raised; the next request is another one."""
    with scripted_http(b"", _FINE) as (url, asked), Blackboard(url) as kb:
        with pytest.raises(OutcomeUnknown):
            kb.add("myself", "ball isIn box")
        assert kb.models() == []
    assert [request.split()[0] for request in asked] == [b"POST", b"GET"]


def test_a_question_whose_answer_is_lost() -> None:
    """A question is asked once more."""
    with scripted_http(b"", _FINE) as (url, asked), Blackboard(url) as kb:
        assert kb.models() == []
    assert len(asked) == 2


def test_a_question_whose_answer_is_lost_twice() -> None:
    """But not for ever."""
    with (
        scripted_http(b"", b"") as (url, _),
        Blackboard(url) as kb,
        pytest.raises(ConnectionFailed),
    ):
        kb.models()


def test_the_same_for_who_awaits() -> None:
    """Awaited boards tell the same."""
    with scripted_http(b"", b"", _FINE) as (url, asked), blocking(url) as kb:
        with pytest.raises(OutcomeUnknown):
            kb.add("myself", "ball isIn box")
        assert kb.models() == []
    assert [request.split()[0] for request in asked] == [b"POST", b"GET", b"GET"]


def test_nobody_there() -> None:
    """What can't be sent has not happened, change or not."""
    with scripted_http() as (url, _):
        pass
    with Blackboard(url) as kb, pytest.raises(Unreachable):
        kb.add("myself", "ball isIn box")
    with blocking(url) as kb, pytest.raises(Unreachable):
        kb.models()


def test_an_answer_that_takes_too_long() -> None:
    """A question that is not answered in time says so; of a change nobody knows."""
    with scripted_silence() as url, Blackboard(url, timeout=0.05) as kb:
        with pytest.raises(TimedOut):
            kb.models()
        with pytest.raises(OutcomeUnknown):
            kb.retract("myself", "ball isIn *")


def test_an_answer_of_somebody_else() -> None:
    """What is no error of a board is told as one all the same."""
    page = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\n\r\noops"
    with (
        scripted_http(page) as (url, _),
        Blackboard(url) as kb,
        pytest.raises(BoardError) as refusal,
    ):
        kb.models()
    assert refusal.value.code == "internal"


def test_a_token_goes_in_a_header() -> None:
    """The token is in no address."""
    with scripted_http(_FINE) as (url, asked), Blackboard(url, token="secret") as kb:
        kb.models()
    assert b"authorization: bearer secret" in asked[0].lower()
    assert b"secret" not in asked[0].splitlines()[0]


def test_a_board_for_many_threads() -> None:
    """Each thread gets its own answer."""
    with scripted_http(*[_FINE] * 8) as (url, asked), Blackboard(url) as kb:
        threads = [threading.Thread(target=kb.models) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(asked) == 8


@pytest.mark.parametrize(
    "url", ["foo", "", "ftp://127.0.0.1", "http://", "http://a:b:c", "http://127.0.0.1:99999"]
)
def test_what_is_no_address(url: str) -> None:
    """What can't be the address of a board is refused at once."""
    for kind in (Blackboard, AsyncBlackboard):
        with pytest.raises(BadRequest, match="address"):
            kind(url)


@pytest.mark.parametrize("token", ["", "a\nb-secret", "sécret", "two-secret words"])
def test_what_is_no_token(token: str) -> None:
    """What can't be a token is refused at once, and not told: it may be a secret."""
    for kind in (Blackboard, AsyncBlackboard):
        with pytest.raises(BadRequest, match="token") as refusal:
            kind("http://127.0.0.1:9", token=token)
        assert "cret" not in str(refusal.value)


@pytest.mark.parametrize("timeout", [-1, 0, float("nan"), True])
def test_what_is_no_time_to_wait(timeout: float) -> None:
    """A time to wait is above nothing."""
    with pytest.raises(BadRequest, match="timeout"):
        Blackboard("http://127.0.0.1:9", timeout=timeout)
