"""The stage: how things look and what is being told, by who says so and by name.

It is not knowledge: nothing of it is reasoned on or kept in a journal. Each value is held as the
one text that all are told, written once, for a look can be a mesh of a hundred kilobytes.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pydantic_core import to_json

from kb_server.core.errors import BadRequest
from kb_server.core.terms.terms import shown as shortened
from kb_server.wire.events import encoded

__all__ = ["Staged", "written_value"]

_ENDLESS: Final = (b"Infinity", b"NaN")


class Staged:
    """What is staged now; `bytes` and `names` are how much, over all sources."""

    def __init__(self) -> None:
        self.bytes = 0
        self.names = 0
        self._texts: Final[dict[str, dict[str, str]]] = {}

    @property
    def sources(self) -> tuple[str, ...]:
        """Those who show something, in the order in which they began."""
        return tuple(self._texts)

    def names_of(self, source: str) -> tuple[str, ...]:
        return tuple(self._texts.get(source, ()))

    def text(self, source: str, name: str) -> str | None:
        """The value of a name as JSON; None when it is not shown."""
        return self._texts.get(source, {}).get(name)

    def measured(self, source: str, shows: Mapping[str, str | None]) -> tuple[int, int]:
        """How many bytes and names there would be once this is put."""
        held = self._texts.get(source, {})
        old = [held[name] for name in shows if name in held]
        new = [text for text in shows.values() if text is not None]
        return self.bytes + _size(new) - _size(old), self.names + len(new) - len(old)

    def put(self, source: str, shows: Mapping[str, str | None], measured: tuple[int, int]) -> None:
        """Takes what a source shows in place of what it showed before; None takes away.

        It is `measured` by then, by who bounds it.
        """
        self.bytes, self.names = measured
        held = self._texts.setdefault(source, {})
        for name, text in shows.items():
            if text is None:
                held.pop(name, None)
            else:
                held[name] = text
        if not held:
            del self._texts[source]

    def written(self, source: str | None = None) -> str:
        """All that is staged, or what one source shows, as JSON."""
        chosen = self.sources if source is None else (source,)
        rows = ((each, self._texts[each]) for each in chosen if each in self._texts)
        listed = (f"{encoded(each)}:{_object(texts.items())}" for each, texts in rows)
        return f'{{"stage":{{{",".join(listed)}}}}}'

    def told(self, source: str, names: Iterable[str]) -> str:
        """What a source shows under some names, as JSON; null where it shows nothing."""
        return _object((name, self.text(source, name) or "null") for name in names)


def written_value(name: str, value: Mapping[str, Any] | None) -> str | None:
    """A value as it is told; BadRequest where JSON has no words for it.

    pydantic writes a mesh of 100 kB in half a millisecond, the encoder of Python in three.
    """
    if value is None:
        return None
    text = to_json(value)
    if any(word in text for word in _ENDLESS):  # in a text of it, or as a number that is too large
        try:
            encoded(value)
        except ValueError:
            field = f"shows.{name[:80]}"
            raise BadRequest(
                f"{field}: a number in {shortened(name)} is too large", field=field
            ) from None
    return text.decode()


def _object(rows: Iterable[tuple[str, str]]) -> str:
    members: Iterator[str] = (f"{encoded(name)}:{text}" for name, text in rows)
    return f"{{{','.join(members)}}}"


def _size(texts: Iterable[str]) -> int:
    """Bytes as they lie in memory."""
    return sum(map(sys.getsizeof, texts))
