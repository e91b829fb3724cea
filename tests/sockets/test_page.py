"""The conversations of docs/events.md happen as they stand there."""

import json
import re
from pathlib import Path
from typing import Any

from tests.service.servers import Servers
from tests.sockets.lines import line_to

PAGE = Path(__file__).resolve().parents[2] / "docs" / "events.md"


def is_like(shown: Any, found: Any) -> bool:
    """Whether what is found is what is shown; `…` stands for anything."""
    if shown == "…":
        return True
    if isinstance(shown, dict) and isinstance(found, dict):
        return shown.keys() == found.keys() and all(is_like(shown[k], found[k]) for k in shown)
    return bool(shown == found)


def test_the_page_of_events_says_what_happens(servers: Servers) -> None:
    """Every frame of the page is sent to a new board, or told by it, in the order it stands."""
    blocks = re.findall(r"```conversation\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    frames = [line for block in blocks for line in block.splitlines()]
    assert len(frames) > 40
    with line_to(servers.start("--no-dl", keeps=False).events_url) as line:
        for frame in frames:
            if frame.startswith("> "):
                line.socket.send(frame[2:])
            else:
                told = line.frame()
                assert is_like(json.loads(frame[2:]), told), (frame, told)
