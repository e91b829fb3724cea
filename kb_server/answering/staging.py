"""The stage: the appearance of things and captions, by source and name.

They are not facts: they are neither reasoned on nor stored in the journal. Each value is held as
its JSON text, written once for all subscribers, because it may be a mesh of 100 kB.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pydantic_core import to_json

from kb_server.core.terms.terms import shown as shortened
from kb_server.errors import BadRequest
from kb_server.wire.events import encoded

__all__ = ["Staged", "written_value"]

_ENDLESS: Final = (b"Infinity", b"NaN")


class Staged:
    """The staged values; `bytes` and `names` are their size and number over all sources."""

    def __init__(self) -> None:
        self.bytes = 0
        self.names = 0
        self._texts: Final[dict[str, dict[str, str]]] = {}

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources with staged values, in the order of their first value."""
        return tuple(self._texts)

    def names_of(self, source: str) -> tuple[str, ...]:
        return tuple(self._texts.get(source, ()))

    def text(self, source: str, name: str) -> str | None:
        """Return the value of a name as JSON; None if it is not staged."""
        return self._texts.get(source, {}).get(name)

    def measured(self, source: str, shows: Mapping[str, str | None]) -> tuple[int, int]:
        """Return the bytes and names in total after a `put` of these values."""
        held = self._texts.get(source, {})
        old = [held[name] for name in shows if name in held]
        new = [text for text in shows.values() if text is not None]
        return self.bytes + _size(new) - _size(old), self.names + len(new) - len(old)

    def put(self, source: str, shows: Mapping[str, str | None], measured: tuple[int, int]) -> None:
        """Replace some values of a source; None removes one.

        `measured` is the result of the method of that name, which the caller has checked against
        its limits.
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
        """Return all staged values, or those of one source, as JSON."""
        chosen = self.sources if source is None else (source,)
        rows = ((each, self._texts[each]) for each in chosen if each in self._texts)
        listed = (f"{encoded(each)}:{_object(texts.items())}" for each, texts in rows)
        return f'{{"stage":{{{",".join(listed)}}}}}'

    def chosen(self, source: str, names: Iterable[str]) -> str:
        """Return a source's values under some names as JSON; null for a name without a value."""
        return _object((name, self.text(source, name) or "null") for name in names)


def written_value(name: str, value: Mapping[str, Any] | None) -> str | None:
    """Return a value as JSON text; BadRequest if a number in it is infinite or NaN.

    pydantic writes a mesh of 100 kB in 0.5 ms, Python's encoder in 3 ms.
    """
    if value is None:
        return None
    text = to_json(value)
    if any(word in text for word in _ENDLESS):  # a number that is too large, or a part of a text
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
    """Return the bytes of some texts in memory."""
    return sum(map(sys.getsizeof, texts))
