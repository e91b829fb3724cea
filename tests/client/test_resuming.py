"""A subscription goes on over broken lines, full queues and refusals, or says why it can't."""

import asyncio
import socket
import threading

import pytest

from kb_server import (
    Blackboard,
    BoardError,
    Closed,
    EventsLost,
    TimedOut,
    Unauthorized,
    Unreachable,
)
from tests.client.scripted import Talk, appear, scripted_board, scripted_http

_PATIENCE = 10.0


def told(url: str, number: int, snapshot: bool = False) -> list[str]:
    """The first values that a subscription tells, over all that happens to its line."""
    with Blackboard(url) as kb, kb.subscribe("m", "?o isIn box", snapshot=snapshot) as events:
        found = [events.next(_PATIENCE) for _ in range(number)]
    return [event.bindings.get("o", event.kind) for event in found]


def test_a_line_that_breaks_within_one_change() -> None:
    """What came of the last change is asked for again, and what was told of it is left out."""

    def first(talk: Talk) -> None:
        sub = talk.grants("subscribe", seq=5)["id"]
        talk.says(**appear(sub, 7, "a"))
        talk.says(**appear(sub, 7, "b"))
        talk.breaks()

    def second(talk: Talk) -> None:
        said = talk.grants("subscribe", seq=9)
        assert said["after"] == 6
        for seq, value in ((7, "a"), (7, "b"), (7, "c"), (9, "d")):
            talk.says(**appear(said["id"], seq, value))
        talk.waits()

    with scripted_board(first, second) as url:
        assert told(url, 4) == ["a", "b", "c", "d"]


def test_a_line_that_breaks_before_anything_has_happened() -> None:
    """Without any event, it goes on from where it began."""

    def first(talk: Talk) -> None:
        talk.grants("subscribe", seq=5)
        talk.breaks()

    def second(talk: Talk) -> None:
        said = talk.grants("subscribe", seq=9)
        assert said["after"] == 5
        talk.says(**appear(said["id"], 8, "a"))
        talk.waits()

    with scripted_board(first, second) as url:
        assert told(url, 1) == ["a"]


def test_a_line_that_breaks_while_it_is_resumed() -> None:
    """A subscription that was being resumed when the line broke again is resumed on the next."""

    def first(talk: Talk) -> None:
        talk.grants("subscribe", seq=5)
        talk.breaks()

    def second(talk: Talk) -> None:
        talk.hears("subscribe")
        talk.breaks()

    def third(talk: Talk) -> None:
        said = talk.grants("subscribe", seq=9)
        assert said["after"] == 5
        talk.says(**appear(said["id"], 8, "a"))
        talk.waits()

    with scripted_board(first, second, third) as url:
        assert told(url, 1) == ["a"]


def test_a_line_that_breaks_within_a_snapshot() -> None:
    """Half a snapshot is never told: a whole one takes its place."""

    def first(talk: Talk) -> None:
        sub = talk.grants("subscribe", seq=5)["id"]
        talk.says(**appear(sub, 5, "gone", snapshot=True))
        talk.breaks()

    def second(talk: Talk) -> None:
        said = talk.grants("subscribe", seq=6)
        assert said["snapshot"] is True
        talk.says(**appear(said["id"], 6, "here", snapshot=True))
        talk.says(event="snapshot_end", sub=said["id"], seq=6)
        talk.breaks()

    def third(talk: Talk) -> None:
        said = talk.grants("subscribe", seq=8)
        assert "snapshot" not in said
        assert said["after"] == 6
        talk.says(**appear(said["id"], 8, "new"))
        talk.waits()

    with scripted_board(first, second, third) as url:
        assert told(url, 3, snapshot=True) == ["here", "snapshot_end", "new"]


def test_a_full_queue() -> None:
    """When the board could not keep up with a slow line, the rest is asked for."""

    def script(talk: Talk) -> None:
        sub = talk.grants("subscribe", seq=5)["id"]
        talk.says(**appear(sub, 7, "a"))
        talk.says(event="overflow", sub=sub, resume_after=8)
        talk.refuses("unsubscribe", "bad_request")
        said = talk.grants("subscribe", seq=12)
        assert said["after"] == 8
        assert said["id"] != sub
        talk.says(**appear(sub, 9, "of the old one"))
        talk.says(**appear(said["id"], 9, "b"))
        talk.waits()

    with scripted_board(script) as url:
        assert told(url, 2) == ["a", "b"]


def test_what_the_journal_has_no_more() -> None:
    """When events are lost the subscription ends with an error that says after which."""

    def first(talk: Talk) -> None:
        sub = talk.grants("subscribe", seq=5)["id"]
        talk.says(**appear(sub, 7, "a"))
        talk.breaks()

    def second(talk: Talk) -> None:
        talk.refuses("subscribe", "too_old", oldest=100)
        talk.waits()

    with (
        scripted_board(first, second) as url,
        Blackboard(url) as kb,
        kb.subscribe("m", "?o isIn box") as events,
    ):
        assert events.next(_PATIENCE).bindings == {"o": "a"}
        with pytest.raises(EventsLost) as lost:
            events.next(_PATIENCE)
        with pytest.raises(Closed):
            events.next(_PATIENCE)
    assert lost.value.code == "too_old"
    assert lost.value.detail == {"after": 7, "oldest": 100}


def test_a_board_that_is_not_ready_yet() -> None:
    """A refusal of the moment is no end: it is tried again."""

    def first(talk: Talk) -> None:
        talk.grants("subscribe", seq=5)
        talk.breaks()

    def second(talk: Talk) -> None:
        talk.refuses("subscribe", "busy")
        talk.waits()

    def third(talk: Talk) -> None:
        said = talk.grants("subscribe", seq=6)
        talk.says(**appear(said["id"], 6, "a"))
        talk.waits()

    with scripted_board(first, second, third) as url:
        assert told(url, 1) == ["a"]


def test_a_subscription_that_costs_too_much() -> None:
    """When the board ends a subscription, its holder is told why."""

    def script(talk: Talk) -> None:
        sub = talk.grants("subscribe", seq=5)["id"]
        error = {"code": "too_costly", "message": "too many steps", "detail": {}}
        talk.says(event="error", sub=sub, error=error)
        talk.waits()

    with scripted_board(script) as url, Blackboard(url) as kb:
        events = kb.subscribe("m", "?o isIn box")
        with pytest.raises(BoardError) as refusal:
            events.next(_PATIENCE)
    assert refusal.value.code == "too_costly"


def test_nobody_there() -> None:
    """A first line that can't be had is an error at once."""
    with scripted_board() as url:
        pass
    with Blackboard(url) as kb, pytest.raises(Unreachable):
        kb.subscribe("m", "?o isIn box")


def test_nobody_speaks_there() -> None:
    """A line that is taken and never answered is nobody there, before the time is up."""
    with socket.create_server(("127.0.0.1", 0)) as ear:
        url = f"http://127.0.0.1:{ear.getsockname()[1]}"
        with Blackboard(url, timeout=0.5) as kb:
            for begin in (kb.subscribe, kb.subscribe_divergence):
                with pytest.raises(Unreachable, match="no board answers at this address"):
                    begin("m", "?o isIn box")


def test_what_is_interrupted_is_not_left_lying(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while the thread for events begins is that, and nothing is warned of."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with Blackboard("http://127.0.0.1:9") as kb:
        with monkeypatch.context() as patch:
            patch.setattr(asyncio, "run_coroutine_threadsafe", interrupted)
            with pytest.raises(KeyboardInterrupt):
                kb.subscribe("m", "?o isIn box")
        with pytest.raises(Unreachable):
            kb.subscribe("m", "?o isIn box")


def test_a_board_that_does_not_answer() -> None:
    """A command without an answer ends in time."""
    with (
        scripted_board(Talk.waits) as url,
        Blackboard(url, timeout=0.5) as kb,
        pytest.raises(TimedOut),
    ):
        kb.subscribe("m", "?o isIn box")


def test_what_stands_is_said_again() -> None:
    """Wills, what is provided and what is listened to are said again on a new line."""
    heard = threading.Event()

    def first(talk: Talk) -> None:
        talk.grants("will")
        talk.grants("provide")
        talk.grants("listen")
        talk.breaks()

    def second(talk: Talk) -> None:
        assert talk.grants("will")["source"] == "spatial"
        assert talk.grants("provide")["predicates"] == ["isAtLeftOf"]
        assert talk.grants("listen")["model"] == "m"
        talk.says(event="poses", model="m", t=1.0, poses={"ball": {"pose": [0, 0, 1]}})
        talk.says(event="ask", ask=3, model="m", predicate="isAtLeftOf", subject="a", object=None)
        answer = talk.grants("told")
        assert (answer["ask"], answer["facts"]) == (3, ["a isAtLeftOf b"])
        heard.set()
        talk.waits()

    with scripted_board(first, second) as url, Blackboard(url) as kb:
        kb.will("spatial")
        kb.provide("isAtLeftOf", lambda ask: [f"{ask.subject} {ask.predicate} b"])
        with kb.listen("m") as poses:
            told_pose = poses.next(_PATIENCE).poses["ball"]
            assert told_pose is not None
            assert told_pose.pose == (0, 0, 1)
            assert heard.wait(_PATIENCE)


def test_a_holder_who_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events that nobody takes are left at the board, and asked for when there is room."""
    monkeypatch.setattr("kb_server.client.transport.socket.MOST_WAITING", 2)
    is_behind = threading.Event()

    def script(talk: Talk) -> None:
        sub = talk.grants("subscribe", seq=5)["id"]
        for seq in (6, 7, 8):
            talk.says(**appear(sub, seq, f"x{seq}"))
        talk.grants("unsubscribe")
        is_behind.set()
        said = talk.grants("subscribe", seq=9)
        assert said["after"] == 7
        for seq in (8, 9):
            talk.says(**appear(said["id"], seq, f"x{seq}"))
        talk.waits()

    with (
        scripted_board(script) as url,
        Blackboard(url) as kb,
        kb.subscribe("m", "?o isIn box") as events,
    ):
        assert is_behind.wait(_PATIENCE)
        assert [events.next(_PATIENCE).bindings["o"] for _ in range(4)] == ["x6", "x7", "x8", "x9"]


def test_the_end_of_a_board_ends_a_holder_who_is_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not taken all when the board is closed takes the rest, and then waits no more."""
    monkeypatch.setattr("kb_server.client.transport.socket.MOST_WAITING", 2)
    is_behind = threading.Event()

    def script(talk: Talk) -> None:
        sub = talk.grants("subscribe", seq=5)["id"]
        for seq in (6, 7, 8):
            talk.says(**appear(sub, seq, f"x{seq}"))
        talk.grants("unsubscribe")
        is_behind.set()
        talk.waits()

    with scripted_board(script) as url:
        with Blackboard(url) as kb:
            events = kb.subscribe("m", "?o isIn box")
            assert is_behind.wait(_PATIENCE)
        assert [events.next(_PATIENCE).bindings["o"] for _ in range(3)] == ["x6", "x7", "x8"]
        with pytest.raises(Closed):
            events.next(_PATIENCE)


def test_no_thread_is_left() -> None:
    """A closed board leaves no thread behind, whatever was going on."""
    before = set(threading.enumerate())

    def first(talk: Talk) -> None:
        talk.grants("subscribe", seq=5)
        talk.breaks()

    with scripted_board(first) as url:
        kb = Blackboard(url)
        kb.subscribe("m", "?o isIn box")
        kb.close()
        kb.close()
    assert set(threading.enumerate()) <= before


def test_a_token_that_is_not_known() -> None:
    """A handshake that is refused for good is told as the board tells it."""
    body = b'{"error":{"code":"unauthorized","message":"no","detail":{}}}'
    head = b"HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\n"
    answer = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    with (
        scripted_http(answer) as (url, asked),
        Blackboard(url, token="secret") as kb,
        pytest.raises(Unauthorized),
    ):
        kb.subscribe("m", "?o isIn box")
    assert b"Authorization: Bearer secret" in asked[0]
    assert b"secret" not in asked[0].splitlines()[0]


def test_a_quiet_subscription_moves_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the board says it has come to is where a subscription goes on that was told nothing."""
    monkeypatch.setattr("kb_server.client.transport.connection._BEAT_SECONDS", 0.01)

    def first(talk: Talk) -> None:
        talk.grants("subscribe", seq=5)
        talk.grants("ping", seq=900)
        talk.hears("ping")
        talk.breaks()

    def second(talk: Talk) -> None:
        said = talk.grants("subscribe", seq=1_000)
        assert said["after"] == 900
        talk.says(**appear(said["id"], 950, "a"))
        talk.waits()

    with scripted_board(first, second) as url:
        assert told(url, 1) == ["a"]


def test_one_that_was_passed_over_does_not_move_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """After an overflow it resumes where it was told to, however far the board has come."""
    monkeypatch.setattr("kb_server.client.transport.connection._BEAT_SECONDS", 0.01)

    def first(talk: Talk) -> None:
        sub = talk.grants("subscribe", seq=5)["id"]
        ping = talk.hears("ping")
        talk.says(event="overflow", sub=sub, resume_after=8)
        talk.says(id=ping["id"], ok=True, seq=900)
        talk.breaks()

    def second(talk: Talk) -> None:
        said = talk.grants("subscribe", seq=1_000)
        assert said["after"] == 8
        talk.says(**appear(said["id"], 9, "a"))
        talk.waits()

    with scripted_board(first, second) as url:
        assert told(url, 1) == ["a"]
