"""Showing a board how things look, beside the facts: without it they are still true.

All looks are staged at first, whatever an earlier life left, for with that the board knows who
speaks for them; then only those that change. A board that can't be shown anything, such as an
older one, is tried again on the next line, and said to be so once.
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
    """What one source shows on one board: wanted, and staged."""

    def __init__(self, kb: AsyncBlackboard, reasons: Reasons, source: str) -> None:
        self._kb: Final = kb
        self._reasons: Final = reasons
        self._source: Final = source
        self._open: Shows = {}
        self._names: Final[set[str]] = set()
        """Of what is staged, as far as is known."""
        self._has_begun = self._is_sure = self._is_refused = False
        self._said = ""
        self.is_for_good = False
        """Whether what is shown stays when nobody is there any more to speak for it."""
        self.is_known = True
        """Whether the board knows of stages, and of who publishes poses."""

    def take(self) -> None:
        """Wants what looks different since the last tick."""
        self._open.update(self._reasons.changed_looks())

    def doubt(self) -> None:
        """What the board shows is not known, nor whether it can show anything."""
        self._is_sure = self._is_refused = False

    async def tell(self) -> None:
        """Stages what is wanted; ConnectionFailed when the board is away.

        What the board refuses is logged, and left alone until there is doubt.
        """
        if self._is_refused or (self._is_sure and not self._open):
            return
        try:
            if not self._is_sure:
                await self._look()
            await self._stage(dict(self._open))
        except BoardError as error:
            self._refuse(error)

    async def withdraw(self) -> None:
        """Takes away all that is shown of us."""
        if self._names and not self._is_refused:
            try:
                await self._stage(dict.fromkeys(sorted(self._names)))
            except BoardError as error:
                self._refuse(error)

    async def _look(self) -> None:
        """Learns what the board shows of us, and wants what is ours shown instead."""
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
            _log.warning("how things look can't be shown there: %s", error.message)
