"""Shows the board how objects look; the facts are true without it.

1. At first all appearances are staged, whatever an earlier run left. With that, the board knows
   which source owns them.
2. Later only changed appearances are staged.
3. A board that refuses, such as an older version, is tried again on the next connection. The
   refusal is logged once.
"""

import logging
from typing import Final

from kb_server import AsyncBlackboard, BoardError, NotFound
from spatial_reasoner.values.delta import Look, Reasons

__all__ = ["Staging"]

_log: Final = logging.getLogger(__name__)

Shows = dict[str, Look | None]
_NOTHING: Final[Look] = {}


class Staging:
    """The appearances of one source on one board: wanted, and staged."""

    def __init__(self, kb: AsyncBlackboard, reasons: Reasons, source: str) -> None:
        self._kb: Final = kb
        self._reasons: Final = reasons
        self._source: Final = source
        self._open: Shows = {}
        self._names: Final[set[str]] = set()
        """Names that are staged, as far as is known."""
        self._has_begun = self._is_sure = self._is_refused = False
        self._said = ""
        self.is_for_good = False
        """Whether the appearances stay when the connection of this source ends."""
        self.is_known = True
        """Whether the board supports stages and the source of poses."""

    def take(self) -> None:
        """Queues the appearances that changed in the last tick."""
        self._open.update(self._reasons.changed_looks())

    def doubt(self) -> None:
        """Marks the stage as unknown; a refusal is forgotten."""
        self._is_sure = self._is_refused = False

    async def publish(self) -> None:
        """Stages the queued appearances; raises ConnectionFailed if the board is unreachable.

        A refusal by the board is logged, and staging pauses until `doubt`.
        """
        if self._is_refused or (self._is_sure and not self._open):
            return
        try:
            if not self._is_sure:
                await self._read()
            await self._stage(dict(self._open))
        except BoardError as error:
            self._refuse(error)

    async def withdraw(self) -> None:
        """Removes all appearances of this source."""
        if self._names and not self._is_refused:
            try:
                await self._stage(dict.fromkeys(sorted(self._names)))
            except BoardError as error:
                self._refuse(error)

    async def _read(self) -> None:
        """Reads what the board shows of this source, and queues the difference."""
        shown = (await self._kb.staged(self._source)).get(self._source, {})
        wanted = self._reasons.looks()
        self._names.update(shown)
        gone = dict.fromkeys(sorted(self._names - wanted.keys()))
        known = shown if self._has_begun else {}
        self._open = {**gone, **{n: look for n, look in wanted.items() if known.get(n) != look}}
        self._is_sure = self.is_known = True

    async def _stage(self, shows: Shows) -> None:
        if shows:
            await self._kb.stage(shows, source=self._source, will=not self.is_for_good)
        self._has_begun = True
        for name, look in shows.items():
            (self._names.discard if look is None else self._names.add)(name)
            if self._open.get(name, _NOTHING) is look:
                del self._open[name]

    def _refuse(self, error: BoardError) -> None:
        self._is_refused = True
        self.is_known = not isinstance(error, NotFound)
        if self._said != error.message:
            self._said = error.message
            _log.warning("the board can't show how objects look: %s", error.message)
