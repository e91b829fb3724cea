"""Which names of actions a board knows: those that hold, and those of its past.

All actions are told in the robot's own model, whoever else knows of them, so it alone is asked. Its
past is looked through from the newest end: numbers only rise, so the first that are found are the
greatest, and who comes back to a board that is years old need not wait.
"""

import logging
from collections.abc import Mapping
from typing import Final

from kb_server import AsyncBlackboard, TooCostly, TooLarge, TooOld
from spatial_reasoner.actions.action_names import KINDS, greatest
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.values.glimpses import Kind

__all__ = ["taken_numbers"]

_log: Final = logging.getLogger(__name__)
_BACK: Final = (10_000, 100_000, 1_000_000)
"""So many deltas are looked through, then all."""


async def taken_numbers(kb: AsyncBlackboard, prefix: str) -> Mapping[Kind, int]:
    """The greatest number that a board knows of each kind of action with a prefix; 0 for none.

    Where the past is too long to be asked about, or dropped, what holds and what is left counts.
    """
    last = max((info.seq for info in await kb.models()), default=0)
    return {
        kind: max(await _now(kb, prefix, kind), await _before(kb, prefix, kind, last))
        for kind in KINDS
    }


async def _now(kb: AsyncBlackboard, prefix: str, kind: Kind) -> int:
    names = [_subject(each.fact) async for each in kb.facts(MYSELF, p="a", o=kind)]
    return greatest(prefix, kind, names)


async def _before(kb: AsyncBlackboard, prefix: str, kind: Kind, last: int) -> int:
    for since in (*(last - back for back in _BACK if back < last), None):
        try:
            lines = await kb.history(MYSELF, p="a", o=kind, since=since)
        except TooOld:
            continue  # it does not reach back so far: all of it is asked about
        except (TooLarge, TooCostly) as reason:
            _log.warning("which actions the board knew can't be looked up: %s", reason.message)
            return 0
        if found := greatest(prefix, kind, (_subject(line.fact) for line in lines)):
            return found
    return 0


def _subject(fact: str) -> str:
    return fact.partition(" ")[0]
