"""Telling the board: what the reasoner wants it to hold, kept up over lost lines and restarts.

A pass goes through the models, the robot's own first, for `sally a Human` there makes the model
`sally`. Each gets one revision of what changed since it was told last, and one for each memory
whose facts end by themselves. What fails is tried again with patience; meanwhile the reasoner goes
on, and what is told then is the difference to what the board holds.

The road not taken: a queue of deltas. After a minute without a board it would tell a minute of
the past, and after a revision of which the outcome is unknown it could not go on at all.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from kb_server import Ask, AsyncBlackboard, BoardError, ConnectionFailed, UnknownModel
from ontology import vocabulary as v
from spatial_reasoner.actions.action_names import SOURCE, prefix_of
from spatial_reasoner.board.patience import Patience, Refusals
from spatial_reasoner.board.reconciliation import Ledger, Page, Sayings
from spatial_reasoner.board.staging import Staging
from spatial_reasoner.board.taken_names import taken_numbers
from spatial_reasoner.likelihood.likelihoods import ON_LIKELIHOOD
from spatial_reasoner.tick.on_demand import ON_DEMAND
from spatial_reasoner.values.delta import Delta, Placed, Reasons
from spatial_reasoner.values.uncertainty import sigmas

__all__ = ["Telling"]

_DIGITS: Final = 6
_KEPT: Final = frozenset({"long_term"})
"""The memories that are kept up; what is in the others ends by itself."""
_EPISODES: Final = frozenset({"episodic"})
_log: Final = logging.getLogger(__name__)


class Telling:
    """What one reasoner tells one board, under the name of a source.

    `take` is called after every tick. Then either `run` goes on beside, for who lives, or `settle`
    is awaited after each, for who replays.
    """

    def __init__(
        self,
        kb: AsyncBlackboard,
        reasons: Reasons,
        source: str = SOURCE,
        patience: Patience | None = None,
    ) -> None:
        self._kb: Final = kb
        self._reasons: Final = reasons
        self._source: Final = source
        self._patience: Final = patience or Patience()
        self._ledger: Final = Ledger()
        self._staging: Final = Staging(kb, reasons, source)
        self._refusals: Final = Refusals(self._patience)
        self._wake: Final = asyncio.Event()
        self._has_begun = self._is_over = False
        self._is_awake = False
        """Until there are news, what an earlier life has said is left alone for a while."""
        self._is_sure = False
        self._is_for_good = False
        """Whether what was told stays when nobody is there any more to speak for it."""

    async def begin(self, will: bool = True) -> None:
        """Says what stands for as long as the line does; the will comes before the first fact.

        Actions get names then that the board does not know, and keep to them.
        """
        self._is_for_good = self._staging.is_for_good = not will
        if will:
            await self._kb.will(self._source)
        prefix = prefix_of(self._source)
        self._reasons.name_actions(prefix, await taken_numbers(self._kb, prefix))
        await self._kb.provide((*ON_DEMAND, *ON_LIKELIHOOD), self._computed)
        await self._kb.on_line(self._met)
        self._has_begun = True

    def take(self, deltas: Iterable[Delta]) -> None:
        """Wants what a tick has changed; nothing is said yet."""
        told = list(deltas)
        self._ledger.open(self._reasons.models)
        self._ledger.take(told)
        changed = {delta.model for delta in told}
        for model in self._ledger.models:
            there = self._reasons.placed(model) if model in changed else None
            self._ledger[model].move(self._reasons.moved(model), there)
        self._staging.take()
        self._is_awake = self._is_awake or bool(told)
        self._stir()

    async def _met(self, _board: str) -> None:
        """On a new line nothing is sure: it may be another board, or have done our will."""
        self.doubt()

    def doubt(self) -> None:
        """The board may be another one: what it holds is looked at before it is told anything."""
        self._is_sure = False
        self._ledger.doubt()
        self._staging.doubt()
        self._stir()

    def _stir(self) -> None:
        if self._is_awake:
            self._wake.set()

    async def settle(self) -> None:
        """Tells all that is wanted now; BoardError or ConnectionFailed when that can't be."""
        if not self._is_sure:
            await self._take_over()
        await self._staging.tell()
        for model in self._ledger.models:
            await self._tell(model)

    async def run(self) -> None:
        """Keeps the board told until `stop`, over whatever happens to it."""
        delay: float | None = None
        await self._woken(self._patience.grace)
        self._is_awake = True
        while True:
            self._wake.clear()
            try:
                await self._pass()
            except (ConnectionFailed, BoardError) as reason:
                self.doubt()
                if delay is None:
                    _log.warning("the board can't be told now: %s", reason)
                if self._is_over:
                    return
                delay = self._patience.after(delay)
                await self._pause(delay)
            else:
                if self._is_over and not self._wake.is_set():
                    return
                delay = None
                await self._woken(self._refusals.next_due(_now()))

    def stop(self) -> None:
        """Has `run` end when all that is wanted is told, or can't be."""
        self._is_over = True
        self._wake.set()

    async def withdraw(self) -> None:
        """Takes back all that was told and shown, and by earlier lives under the same name."""
        for info in await self._kb.models():
            with suppress(UnknownModel):  # deleted meanwhile, with all it held
                facts = await self._held(info.id, None)
                if facts:
                    await self._kb.retract(info.id, *facts)
        for model in self._ledger.models:
            if self._ledger[model].published:
                await self._publish(model, dict.fromkeys(sorted(self._ledger[model].published)))
        await self._staging.withdraw()

    async def _pass(self) -> None:
        """Tells each model that may be told; what one refuses does not keep the others waiting."""
        if not self._has_begun:
            await self.begin()
        if not self._is_sure:
            await self._take_over()
        await self._staging.tell()
        for model in self._ledger.models:
            if not self._refusals.is_due(model, _now()):
                continue
            try:
                await self._tell(model)
            except BoardError as error:
                self._refuse(model, error)
            else:
                self._refusals.forget(model)

    async def _take_over(self) -> None:
        """Withdraws what an earlier life said in models that are none of ours."""
        for info in await self._kb.models():
            if info.id not in self._ledger:
                with suppress(UnknownModel):
                    left = await self._held(info.id, _KEPT | _EPISODES)
                    if left:
                        await self._kb.revise(info.id, retract=left, source=self._source)
        self._is_sure = True

    async def _tell(self, model: str) -> None:
        page = self._ledger[model]
        try:
            if page.told is None:
                await self._look(model, page)
            await self._say(model, page)
        except (BoardError, ConnectionFailed):
            page.doubt()
            raise
        await self._publish(model, page.take_poses())

    async def _look(self, model: str, page: Page) -> None:
        """Learns what a model holds of us; it is made if it is not there."""
        if model != v.MYSELF:
            await self._kb.create(model)
        page.look(await self._held(model), await self._held(model, _EPISODES))
        page.move(self._reasons.placed(model))

    async def _say(self, model: str, page: Page) -> None:
        t = self._reasons.now
        sayings, passing = page.difference(), dict(page.take_passing())
        try:
            if sayings:
                await self._revise(model, sayings, t, "long_term")
                page.said(sayings)
            for memory in tuple(passing):
                await self._revise(model, passing[memory], t, memory)
                del passing[memory]
        except ConnectionFailed:
            page.say_again(passing)
            raise

    async def _revise(self, model: str, sayings: Sayings, t: float, memory: str) -> None:
        await self._kb.revise(
            model,
            retract=sayings.retract,
            add=sayings.add,
            memory=memory,
            source=self._source,
            t=t,
        )

    async def _held(self, model: str, memories: Collection[str] | None = _KEPT) -> Sequence[str]:
        """What a model holds of us in some memories, in order; None for all."""
        facts = self._kb.facts(model, source=self._source, kind="asserted")
        return [each.fact async for each in facts if memories is None or each.memory in memories]

    async def _publish(self, model: str, poses: Mapping[str, Placed | None]) -> None:
        """The geometry goes beside the facts: without it they are still true."""
        if not poses:
            return
        try:
            said = {name: _posed(placed) for name, placed in poses.items()}
            await self._kb.publish(model, said, self._reasons.now, self._speaker)
        except BoardError as error:
            _log.warning("the poses of %s are not published: %s", model, error)

    @property
    def _speaker(self) -> str | None:
        """With whom poses go: a board that is older does not know what that means."""
        return None if self._is_for_good or not self._staging.is_known else self._source

    async def _computed(self, ask: Ask) -> Sequence[str]:
        """What the board asks for; nothing of a mind that has no world here."""
        if ask.model not in self._reasons.models:
            return ()
        if ask.predicate in ON_LIKELIHOOD:
            asked = ask.model, ask.predicate, ask.subject, ask.object
            return await self._reasons.weighed(*asked, *([ask.about] if ask.about else []))
        return self._reasons.told(ask.model, ask.predicate, ask.subject, ask.object)

    def _refuse(self, model: str, error: BoardError) -> None:
        """Leaves a model alone for a while, and says so when the reason is new."""
        if isinstance(error, UnknownModel):
            self._ledger.doubt()  # one that it lies in was deleted
        if self._refusals.refuse(model, error.message, _now()):
            _log.warning("%s can't be told now: %s", model, error.message)

    async def _woken(self, seconds: float | None) -> None:
        """Waits until there is something to tell, but no longer than so many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), seconds)

    async def _pause(self, seconds: float) -> None:
        """Waits whatever there is to tell, unless it is to end."""
        end = _now() + seconds
        while not self._is_over and _now() < end:
            self._wake.clear()
            await self._woken(end - _now())


def _now() -> float:
    """The loop's time, for waiting; the facts' time is that of the percepts."""
    return asyncio.get_running_loop().time()


def _posed(placed: Placed | None) -> Mapping[str, Any] | None:
    if placed is None:
        return None
    perceived = placed.perceived
    said: dict[str, Any] = {
        "pose": None if placed.pose is None else _numbers(placed.pose),
        "perceived_pose": None if perceived is None else _numbers(perceived),
        "seen": placed.seen,
    }
    return said if placed.cov is None else {**said, "sigma": _numbers(sigmas(placed.cov))}


def _numbers(pose: Iterable[float]) -> list[float]:
    return [round(float(number), _DIGITS) for number in pose]
