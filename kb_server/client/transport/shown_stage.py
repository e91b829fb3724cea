"""The values that a client shows on the stage: split into frames, shown again after reconnecting.

Each value is encoded as JSON once and stored in that form: a mesh can have a hundred kilobytes.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from kb_server.client.calls.frames import Written
from kb_server.errors import BadRequest

__all__ = ["ShownStage", "stage_commands"]

_FRAME: Final = 2**18
"""Characters of values in one frame, or of one larger value. A board accepts more, but all other
clients wait while it reads a large frame."""
_NOTHING: Final = "null"


def stage_commands(
    source: str, shows: Mapping[str, Any], will: bool = True
) -> Iterator[dict[str, Any]]:
    """The commands that show these values, as few as fit; one command if there is nothing to show.

    >>> [command] = stage_commands("spatial", {"ball": {"kind": "thing"}})
    >>> command["source"], command["shows"].members
    ('spatial', {'ball': '{"kind": "thing"}'})
    """
    if not isinstance(shows, Mapping):
        raise BadRequest(f"shows must map names to values, not {shows!r:.80}", field="shows")
    return _commands(source, {name: _text(name, value) for name, value in shows.items()}, will)


class ShownStage:
    """The values that each source of this client shows."""

    def __init__(self) -> None:
        self._texts: Final[dict[str, dict[str, str]]] = {}
        self._spoken_for: Final[set[str]] = set()

    def said(self, says: Mapping[str, Any]) -> None:
        """Records the values that a command has shown."""
        source = says.get("source")
        if source is None or says["op"] not in ("stage", "publish"):
            return
        if says.get("will", True):
            self._spoken_for.add(source)
        held = self._texts.setdefault(source, {})
        if says["op"] == "stage":
            for name, text in says["shows"].members.items():
                held.pop(name, None)
                if text != _NOTHING:
                    held[name] = text

    def again(self) -> Iterable[dict[str, Any]]:
        """The commands that show all values and declare the wills on a new connection."""
        for source, texts in [*self._texts.items()]:
            will = source in self._spoken_for
            if texts or will:
                yield from _commands(source, dict(texts), will)


def _commands(source: str, texts: Mapping[str, str], will: bool) -> Iterator[dict[str, Any]]:
    part: dict[str, str] = {}
    size = 0
    for name, text in texts.items():
        if part and size + len(text) > _FRAME:
            yield _command(source, part, will)
            part, size = {}, 0
        part[name] = text
        size += len(name) + len(text)
    yield _command(source, part, will)


def _text(name: str, value: Any) -> str:
    """A value as JSON; BadRequest if JSON can't represent it or it has a lone surrogate."""
    try:
        if not isinstance(name, str):
            raise TypeError("a name must be text")
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        (name + text).encode()
    except (TypeError, ValueError, RecursionError) as reason:
        field = f"shows.{name!s:.80}"
        said = f"{field}: this is not JSON: {reason}"[:500].encode("ascii", "backslashreplace")
        raise BadRequest(said.decode(), field=field) from None
    return text


def _command(source: str, shows: Mapping[str, str], will: bool) -> dict[str, Any]:
    command = {"op": "stage", "source": source, "shows": Written(shows)}
    return command if will is True else {**command, "will": will}
