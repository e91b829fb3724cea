"""What a client shows on the stage of a board: in frames that fit, and again on every new line."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from kb_server.client.errors import BadRequest

__all__ = ["Showing", "stage_commands"]

_FRAME: Final = 2**18
"""So many bytes of values go into one frame, and the one that goes beyond: a board takes more, but
while it reads a frame of megabytes all others wait."""


def stage_commands(source: str, shows: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The commands that show something, as few as fit; one where there is nothing to show.

    >>> list(stage_commands("spatial", {"ball": {"kind": "thing"}}))
    [{'op': 'stage', 'source': 'spatial', 'shows': {'ball': {'kind': 'thing'}}}]
    """
    if not isinstance(shows, Mapping):
        raise BadRequest(f"shows: must be values by their names, not {shows!r:.80}", field="shows")
    part: dict[str, Any] = {}
    size = 0
    for name, value in shows.items():
        if size >= _FRAME:
            yield _command(source, part)
            part, size = {}, 0
        part[name] = value
        size += _size(name, value)
    yield _command(source, part)


class Showing:
    """What is shown by each source of this client; one that only publishes poses shows nothing."""

    def __init__(self) -> None:
        self._texts: Final[dict[str, dict[str, str]]] = {}

    def said(self, says: Mapping[str, Any]) -> None:
        """Remembers what a command has shown, as it was then."""
        source = says.get("source")
        if source is None or says["op"] not in ("stage", "publish"):
            return
        held = self._texts.setdefault(source, {})
        for name, value in says.get("shows", {}).items():
            held.pop(name, None)
            if value is not None:
                held[name] = json.dumps(value)

    def again(self) -> Iterable[dict[str, Any]]:
        """The commands that show all of it on a new line, and say who speaks for what."""
        for source, texts in [*self._texts.items()]:
            shows = {name: json.loads(text) for name, text in texts.items()}
            yield from stage_commands(source, shows)


def _size(name: str, value: Any) -> int:
    """How long a value is as JSON; BadRequest where it is none, or has half a character."""
    try:
        return len(json.dumps([name, value], ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError) as reason:
        field = f"shows.{name!s:.80}"
        said = f"{field}: this can't be sent: {reason}"[:500].encode("ascii", "backslashreplace")
        raise BadRequest(said.decode(), field=field) from None


def _command(source: str, shows: Mapping[str, Any]) -> dict[str, Any]:
    return {"op": "stage", "source": source, "shows": shows}
