"""What a client shows is shown again when its line was broken, as it was given."""

import threading
from typing import Any

import pytest

from kb_server import Blackboard, BoardError
from tests.client.scripted import Talk, scripted_board


def test_what_is_shown_is_shown_again_on_a_new_line() -> None:
    """After a break the board is told of every source again, before anything else is said."""
    heard: list[dict[str, Any]] = []
    is_back = threading.Event()

    def first(talk: Talk) -> None:
        for _ in range(5):
            talk.grants("stage")
        talk.refuses("stage", "too_large")
        talk.grants("publish")
        talk.breaks()

    def second(talk: Talk) -> None:
        heard.extend(talk.grants("stage") for _ in range(3))
        is_back.set()
        talk.waits()

    ball = {"n": [1]}
    with scripted_board(first, second) as url, Blackboard(url) as kb:
        kb.stage({"ball": ball, "cup": {"n": 2}}, "spatial")
        ball["n"].append(2)  # which is not what was shown
        kb.stage({"cup": None}, "spatial")
        kb.stage({"cup": {"n": 3}}, "spatial")
        kb.stage({"story": {"é": "ü"}}, "demo", will=False)
        kb.stage({"gone": None}, "nobody", will=False)
        with pytest.raises(BoardError):
            kb.stage({"huge": {}}, "spatial")
        kb.publish("myself", {"ball": {"pose": [0, 0, 0]}}, source="eye")
        assert is_back.wait(20)
    told = [(each["source"], each["shows"], each.get("will", True)) for each in heard]
    assert told == [
        ("spatial", {"ball": {"n": [1]}, "cup": {"n": 3}}, True),
        ("demo", {"story": {"é": "ü"}}, False),
        ("eye", {}, True),
    ]
