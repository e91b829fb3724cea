"""Finds the numbers of actions that the board already knows, in the present and in its history.

All actions are asserted in the robot's own model, so only this one is queried. Its history is
searched from the newest end: numbers only increase, so the first numbers found are the greatest.
Therefore a start on a board with years of history is fast.
"""

import logging
from collections.abc import Mapping
from typing import Final

from kb_server import AsyncBlackboard, TooCostly, TooLarge, TooOld
from spatial_reasoner.actions.action_names import KINDS, greatest
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.values.action_recognition import ActionKind

__all__ = ["used_numbers"]

_log: Final = logging.getLogger(__name__)
_BACK: Final = (10_000, 100_000, 1_000_000)
"""How many deltas are searched; after these, all."""


async def used_numbers(kb: AsyncBlackboard, prefix: str) -> Mapping[ActionKind, int]:
    """The greatest number of each kind of action with a prefix on a board; 0 if there is none.

    If the history is too long to query, only present facts count. If part of the history was
    dropped, the rest counts.
    """
    last = max((info.seq for info in await kb.models()), default=0)
    return {
        kind: max(await _now(kb, prefix, kind), await _before(kb, prefix, kind, last))
        for kind in KINDS
    }


async def _now(kb: AsyncBlackboard, prefix: str, kind: ActionKind) -> int:
    names = [_subject(each.fact) async for each in kb.facts(MYSELF, p="a", o=kind)]
    return greatest(prefix, kind, names)


async def _before(kb: AsyncBlackboard, prefix: str, kind: ActionKind, last: int) -> int:
    for since in (*(last - back for back in _BACK if back < last), None):
        try:
            lines = await kb.history(MYSELF, p="a", o=kind, since=since)
        except TooOld:
            continue  # the history does not reach back so far: query all of it
        except (TooLarge, TooCostly) as reason:
            _log.warning("earlier actions on the board can't be looked up: %s", reason.message)
            return 0
        if found := greatest(prefix, kind, (_subject(line.fact) for line in lines)):
            return found
    return 0


def _subject(fact: str) -> str:
    return fact.partition(" ")[0]
