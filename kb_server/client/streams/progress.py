"""How far one subscription has come: where it resumes after a lost connection.

A connection can break between two events of one `seq`. Therefore the client asks for that `seq`
again and drops the events that it has delivered before. This is exact, since the events of one
`seq` are distinct. A snapshot is delivered only when it is complete; if the connection breaks
before, a new snapshot is requested.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["EventFrame", "ResumePoint"]

EventFrame = Mapping[str, Any]


class ResumePoint:
    """The position of one subscription in the sequence of events.

    >>> progress = ResumePoint()
    >>> progress.begun(17)
    >>> progress.asked()
    {'after': 17}
    >>> event = {"event": "appear", "seq": 18, "bindings": {"x": "ball"}}
    >>> new = [len(progress.new_frames(event)) for _ in range(2)]
    >>> (*new, progress.asked()["after"])
    (1, 0, 17)
    """

    def __init__(self, snapshot: bool = False, after: int | None = None) -> None:
        self._wants_snapshot = snapshot
        self._base: int | None = after
        self._last = -1
        self._stands = False
        self._seen: Final[set[str]] = set()
        self._rows: Final[list[EventFrame]] = []

    @property
    def seq(self) -> int | None:
        """The delta up to which all events are delivered; None if that is not known yet."""
        return max(self._base or 0, self._last) if self._last >= 0 else self._base

    @property
    def stands(self) -> bool:
        """Whether every new event arrives: begun, snapshot complete, no overflow since."""
        return self._stands and not self._wants_snapshot

    def asked(self) -> dict[str, Any]:
        """The fields `snapshot` and `after` of the next subscribe command."""
        self._stands = False
        self._rows.clear()
        resumes_within = self._last > (self._base if self._base is not None else -1)
        after = self._last - 1 if resumes_within else self._base
        snapshot = {"snapshot": True} if self._wants_snapshot else {}
        return snapshot if after is None else {**snapshot, "after": after}

    def begun(self, seq: int | None) -> None:
        """The board has accepted the subscription; events after its `seq` arrive."""
        self._stands = True
        if self._base is None and not self._wants_snapshot:
            self._base = seq

    def skipped(self, seq: int) -> None:
        """The board overflowed: events up to `seq` were sent, those of `seq` perhaps in part."""
        self._stands = False
        if seq > self._last:
            self.passed(seq)

    def passed(self, seq: int) -> None:
        """All events up to a delta are delivered."""
        self._base = max(self._base or 0, seq)

    def new_frames(self, frame: EventFrame) -> list[EventFrame]:
        """The frames to deliver now; a row of a snapshot waits until the snapshot is complete."""
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

    def _is_new(self, frame: EventFrame) -> bool:
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
