"""Deltas and states as lines of JSON, with facts in their normal forms.

The road not taken is pickle: other programs can't read it, and reading it can run code.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, Final, TypeAlias

from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.lifespans import FOREVER, Assertion
from kb_server.core.terms.statements import Statement
from kb_server.journal.state import ModelState

__all__ = ["Spell", "decode", "decode_model", "encode", "encode_model", "needle"]

Spell: TypeAlias = Callable[[str], str]
"""Maps a stored term to its present name; `sys.intern` if the prefixes have not changed."""

_PART: Final = 4_000
"""Facts in one line of a snapshot, so that no transaction is long."""
_dumps: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True).encode


def encode(delta: ModelDelta) -> str:
    """Return a delta as one line."""
    return _dumps(
        (
            delta.seq,
            delta.model,
            delta.t,
            delta.source,
            delta.source_t,
            list(map(" ".join, delta.became_true)),
            list(map(" ".join, delta.ceased)),
            _lives(delta.asserted.items()),
            list(map(" ".join, delta.withdrawn)),
            delta.minds,
        )
    )


def decode(line: str | bytes, spell: Spell = sys.intern) -> ModelDelta:
    """Return the delta that a line encodes, its terms renamed by `spell`."""
    seq, model, t, source, source_t, came, gone, asserted, withdrawn, minds = json.loads(line)
    return ModelDelta(
        seq,
        model,
        t,
        tuple(_facts(came, spell)),
        tuple(_facts(gone, spell)),
        dict(_assertions(asserted, spell)),
        tuple(_facts(withdrawn, spell)),
        source,
        source_t,
        tuple(minds),
    )


def needle(term: str) -> bytes:
    """Return the bytes that the line of every delta mentioning a term contains."""
    return _dumps(term)[1:-1].encode()


def encode_model(name: str, model: ModelState) -> Iterator[str]:
    """Yield a model as lines of bounded length, at least one."""
    yield _dumps((name, model.seq, [], []))
    for items in _sliced(list(model.assertions.items())):
        yield _dumps((name, model.seq, _lives(items), []))
    for dates in _sliced(list(model.since.items())):
        grouped = groupby(dates, key=lambda item: item[1])
        since = [(t, [" ".join(fact) for fact, _ in each]) for t, each in grouped]
        yield _dumps((name, model.seq, [], since))


def decode_model(line: str | bytes, models: dict[str, ModelState], spell: Spell) -> None:
    """Add the content of one line to the models."""
    name, seq, asserted, since = json.loads(line)
    model = models.setdefault(name, ModelState(seq))
    model.assertions.update(_assertions(asserted, spell))
    for t, texts in since:
        model.since.update(dict.fromkeys(_facts(texts, spell), t))


def _lives(items: Iterable[tuple[Statement, Assertion]]) -> list[object]:
    """Return the assertions in their order; neighbours with equal lifespans form one row."""
    return [
        (
            life.memory,
            None if life.expires == FOREVER else life.expires,
            life.since,
            life.source,
            life.source_t,
            [" ".join(fact) for fact, _ in each],
        )
        for life, each in groupby(items, key=lambda item: item[1])
    ]


def _assertions(rows: list[Any], spell: Spell) -> Iterator[tuple[Statement, Assertion]]:
    for memory, expires, since, source, source_t, texts in rows:
        end = FOREVER if expires is None else expires
        life = Assertion(memory, end, since, source, source_t)
        for fact in _facts(texts, spell):
            yield fact, life


def _facts(texts: Iterable[str], spell: Spell) -> Iterator[Statement]:
    """Yield the facts of some texts; only the object may contain spaces, so two splits suffice."""
    for text in texts:
        s, p, o = text.split(" ", 2)
        yield (spell(s), spell(p), spell(o))


def _sliced(items: list[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(items), _PART):
        yield items[start : start + _PART]
