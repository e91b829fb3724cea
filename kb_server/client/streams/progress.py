"""How far one subscription has come: what to ask for after a broken line, what to leave out.

A line may break in the midst of one `seq`. So what came last is asked for once more, and what of it
has been told already is left out; that is exact, for within one `seq` no event is told twice.
Nothing of a snapshot is told before it is whole: if it breaks, another one takes its place.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["Frame", "Progress"]

Frame = Mapping[str, Any]


class Progress:
    """The place of one subscription among the events.

    >>> progress = Progress()
    >>> progress.begun(17)
    >>> progress.asked()
    {'after': 17}
    >>> event = {"event": "appear", "seq": 18, "bindings": {"x": "ball"}}
    >>> len(progress.told(event)), len(progress.told(event)), progress.asked()["after"]
    (1, 0, 17)
    """

    def __init__(self, snapshot: bool = False, after: int | None = None) -> None:
        self._wants_snapshot = snapshot
        self._base: int | None = after
        self._last = -1
        self._stands = False
        self._seen: Final[set[str]] = set()
        self._rows: Final[list[Frame]] = []

    @property
    def seq(self) -> int | None:
        """The delta up to which all is told; None before anything is known."""
        return max(self._base or 0, self._last) if self._last >= 0 else self._base

    @property
    def stands(self) -> bool:
        """Whether all that happens is told: begun, its snapshot whole, and not passed over."""
        return self._stands and not self._wants_snapshot

    def asked(self) -> dict[str, Any]:
        """What to subscribe with, the first time and every other."""
        self._stands = False
        self._rows.clear()
        resumes_within = self._last > (self._base if self._base is not None else -1)
        after = self._last - 1 if resumes_within else self._base
        snapshot = {"snapshot": True} if self._wants_snapshot else {}
        return snapshot if after is None else {**snapshot, "after": after}

    def begun(self, seq: int | None) -> None:
        """The subscription stands; `seq` is the board's, from which on it is told."""
        self._stands = True
        if self._base is None and not self._wants_snapshot:
            self._base = seq

    def skipped(self, seq: int) -> None:
        """All up to a delta has been sent; of that one maybe not all was told."""
        self._stands = False
        if seq > self._last:
            self.passed(seq)

    def passed(self, seq: int) -> None:
        """All up to a delta has been told."""
        self._base = max(self._base or 0, seq)

    def told(self, frame: Frame) -> list[Frame]:
        """What a frame has that is new."""
        if frame.get("snapshot"):
            self._rows.append(frame)
            return []
        if frame["event"] == "snapshot_end":
            whole = [*self._rows, frame]
            self._rows.clear()
            self._wants_snapshot = False
            self.passed(frame["seq"])
            return whole
        return [frame] if self._is_new(frame) else []

    def _is_new(self, frame: Frame) -> bool:
        seq = frame["seq"]
        said = {key: frame.get(key) for key in ("event", "bindings", "only_here", "only_there")}
        key = json.dumps(said, sort_keys=True)
        if seq < self._last or (seq == self._last and key in self._seen):
            return False
        if seq > self._last:
            self._seen.clear()
            self._last = seq
        self._seen.add(key)
        return True
