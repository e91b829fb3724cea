"""Subscriptions, indexed by the facts that may concern them.

Each pattern is filed under its constants. A changed fact is looked up under every combination of
its terms that some pattern uses, at most eight. So a change visits only the subscriptions with a
matching pattern, however many subscriptions there are.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kb_server.core.terms.statements import Pattern, Statement

__all__ = ["DivergenceSubscription", "Filing", "PatternSubscription", "Wish", "models_of"]

_Key = tuple[str | None, str | None, str | None]
_Mask = tuple[bool, bool, bool]


@dataclass(frozen=True, slots=True)
class PatternSubscription:
    """A subscription to the bindings of some patterns as they appear and disappear in one model."""

    id: str
    model: str
    patterns: tuple[Pattern, ...]
    names: tuple[str, ...]
    appear: bool = True
    disappear: bool = False
    once: bool = False


@dataclass(frozen=True, slots=True)
class DivergenceSubscription:
    """A subscription to the bindings on which `model` and `other` begin or cease to differ."""

    id: str
    model: str
    other: str
    patterns: tuple[Pattern, ...]
    names: tuple[str, ...]


Wish = PatternSubscription | DivergenceSubscription


def models_of(wish: Wish) -> tuple[str, ...]:
    """Return the models, each once, whose changes concern a subscription."""
    if isinstance(wish, PatternSubscription):
        return (wish.model,)
    return tuple(dict.fromkeys((wish.model, wish.other)))


class Filing:
    """The index of the patterns of all subscriptions to one model."""

    def __init__(self) -> None:
        self._files: Final[dict[_Key, dict[tuple[str, int], Wish]]] = {}
        self._masks: Final[dict[_Mask, int]] = {}

    def add(self, wish: Wish) -> None:
        for i, pattern in enumerate(wish.patterns):
            key = _key(pattern)
            self._files.setdefault(key, {})[(wish.id, i)] = wish
            mask = _mask(key)
            self._masks[mask] = self._masks.get(mask, 0) + 1

    def remove(self, wish: Wish) -> None:
        for i, pattern in enumerate(wish.patterns):
            key = _key(pattern)
            del self._files[key][(wish.id, i)]
            if not self._files[key]:
                del self._files[key]
            mask = _mask(key)
            self._masks[mask] -= 1
            if not self._masks[mask]:
                del self._masks[mask]

    def mentioning(self, fact: Statement) -> Iterator[tuple[Wish, int]]:
        """Yield the subscriptions with a pattern that may match a fact, and the pattern's index."""
        s, p, o = fact
        for has_s, has_p, has_o in self._masks:
            key = (s if has_s else None, p if has_p else None, o if has_o else None)
            for (_, i), wish in self._files.get(key, _NOBODY).items():
                yield wish, i

    def __bool__(self) -> bool:
        return bool(self._files)


_NOBODY: Final[dict[tuple[str, int], Wish]] = {}


def _key(pattern: Pattern) -> _Key:
    s, p, o = pattern
    return (
        None if s[0] == "?" else s,
        None if p[0] == "?" else p,
        None if o[0] == "?" else o,
    )


def _mask(key: _Key) -> _Mask:
    return (key[0] is not None, key[1] is not None, key[2] is not None)
