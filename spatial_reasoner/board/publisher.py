"""Keeps the board at the wanted facts, across lost connections and restarts.

1. Each pass goes through the models, the robot's own first: `sally a Human` there creates the model
   `sally`.
2. A model gets one revision with the difference since the last one, and one for each memory whose
   facts expire.
3. After a failure the pass is retried with increasing waits. The reasoner runs on meanwhile, and
   the next revision is the difference to what the board then holds.

The road not taken: a queue of deltas. After a minute without a board it would assert a minute of
the past. After a revision with unknown outcome it could not continue at all.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from kb_server import Ask, AsyncBlackboard, BoardError, ConnectionFailed, UnknownModel
from ontology import vocabulary as v
from spatial_reasoner.actions.action_names import SOURCE, prefix_of
from spatial_reasoner.board.backoff import Backoff, Refusals
from spatial_reasoner.board.reconciliation import Ledger, ModelLedger, Sayings
from spatial_reasoner.board.staging import Staging
from spatial_reasoner.board.used_action_names import used_numbers
from spatial_reasoner.likelihood.likelihoods import ON_LIKELIHOOD
from spatial_reasoner.tick.on_demand import ON_DEMAND
from spatial_reasoner.values.delta import BeliefDelta, BelievedPose, Reasons
from spatial_reasoner.values.uncertainty import sigmas

__all__ = ["Publisher"]

_DIGITS: Final = 6
"""Decimals of published poses: micrometres."""
_KEPT: Final = frozenset({"long_term"})
"""The memories that are kept up to date; facts in the others expire."""
_EPISODES: Final = frozenset({"episodic"})
_log: Final = logging.getLogger(__name__)


class Publisher:
    """Asserts the facts of one reasoner on one board, under the name of a source.

    `take` is called after each tick. A live session runs `run` as a task; a replay awaits `settle`
    after each tick.
    """

    def __init__(
        self,
        kb: AsyncBlackboard,
        reasons: Reasons,
        source: str = SOURCE,
        backoff: Backoff | None = None,
    ) -> None:
        self._kb: Final = kb
        self._reasons: Final = reasons
        self._source: Final = source
        self._backoff: Final = backoff or Backoff()
        self._ledger: Final = Ledger()
        self._staging: Final = Staging(kb, reasons, source)
        self._refusals: Final = Refusals(self._backoff)
        self._wake: Final = asyncio.Event()
        self._has_begun = self._is_over = False
        self._is_awake = False
        """Until the first change, the facts of an earlier run are left untouched for a while."""
        self._is_sure = False
        self._is_for_good = False
        """Whether the facts stay when the connection of this source ends."""

    async def begin(self, will: bool = True) -> None:
        """Sets up the connection: the will before the first fact, and the predicates on demand.

        Actions get names that the board does not know yet.
        """
        self._is_for_good = self._staging.is_for_good = not will
        if will:
            await self._kb.will(self._source)
        prefix = prefix_of(self._source)
        self._reasons.name_actions(prefix, await used_numbers(self._kb, prefix))
        await self._kb.provide((*ON_DEMAND, *ON_LIKELIHOOD), self._computed)
        await self._kb.on_line(self._met)
        self._has_begun = True

    def take(self, deltas: Iterable[BeliefDelta]) -> None:
        """Takes the changes of a tick; nothing is sent yet."""
        taken = list(deltas)
        self._ledger.open(self._reasons.models)
        self._ledger.take(taken)
        changed = {delta.model for delta in taken}
        for model in self._ledger.models:
            there = self._reasons.placed(model) if model in changed else None
            self._ledger[model].move(self._reasons.moved(model), there)
        self._staging.take()
        self._is_awake = self._is_awake or bool(taken)
        self._stir()

    async def _met(self, _board: str) -> None:
        """After a reconnection the state of the board is unknown: another board, or our will was
        executed."""
        self.doubt()

    def doubt(self) -> None:
        """Marks the state of the board as unknown: it is read before the next assertion."""
        self._is_sure = False
        self._ledger.doubt()
        self._staging.doubt()
        self._stir()

    def _stir(self) -> None:
        if self._is_awake:
            self._wake.set()

    async def settle(self) -> None:
        """Sends all pending changes; raises BoardError or ConnectionFailed if that fails."""
        if not self._is_sure:
            await self._take_over()
        await self._staging.publish()
        for model in self._ledger.models:
            await self._assert_model(model)

    async def run(self) -> None:
        """Keeps the board up to date until `stop`, and retries after any failure."""
        delay: float | None = None
        await self._woken(self._backoff.grace)
        self._is_awake = True
        while True:
            self._wake.clear()
            try:
                await self._pass()
            except (ConnectionFailed, BoardError) as reason:
                self.doubt()
                if delay is None:
                    _log.warning("the board can't be updated now: %s", reason)
                if self._is_over:
                    return
                delay = self._backoff.after(delay)
                await self._pause(delay)
            else:
                if self._is_over and not self._wake.is_set():
                    return
                delay = None
                await self._woken(self._refusals.next_due(_now()))

    def stop(self) -> None:
        """Ends `run` once all pending changes are sent or have failed."""
        self._is_over = True
        self._wake.set()

    async def withdraw(self) -> None:
        """Retracts all facts and appearances of this source, including those of earlier runs."""
        for info in await self._kb.models():
            with suppress(UnknownModel):  # deleted meanwhile, with all its facts
                facts = await self._held(info.id, None)
                if facts:
                    await self._kb.retract(info.id, *facts)
        for model in self._ledger.models:
            if self._ledger[model].published:
                await self._publish(model, dict.fromkeys(sorted(self._ledger[model].published)))
        await self._staging.withdraw()

    async def _pass(self) -> None:
        """Updates each model that is due; a refusal for one does not delay the others."""
        if not self._has_begun:
            await self.begin()
        if not self._is_sure:
            await self._take_over()
        await self._staging.publish()
        for model in self._ledger.models:
            if not self._refusals.is_due(model, _now()):
                continue
            try:
                await self._assert_model(model)
            except BoardError as error:
                self._refuse(model, error)
            else:
                self._refusals.forget(model)

    async def _take_over(self) -> None:
        """Retracts the facts of an earlier run in models that this run does not have."""
        for info in await self._kb.models():
            if info.id not in self._ledger:
                with suppress(UnknownModel):
                    left = await self._held(info.id, _KEPT | _EPISODES)
                    if left:
                        await self._kb.revise(info.id, retract=left, source=self._source)
        self._is_sure = True

    async def _assert_model(self, model: str) -> None:
        page = self._ledger[model]
        try:
            if page.on_board is None:
                await self._read_held(model, page)
            await self._assert_difference(model, page)
        except (BoardError, ConnectionFailed):
            page.doubt()
            raise
        await self._publish(model, page.take_poses())

    async def _read_held(self, model: str, page: ModelLedger) -> None:
        """Reads the facts of this source in a model, which is created if it does not exist."""
        if model != v.MYSELF:
            await self._kb.create(model)
        page.set_held(await self._held(model), await self._held(model, _EPISODES))
        page.move(self._reasons.placed(model))

    async def _assert_difference(self, model: str, page: ModelLedger) -> None:
        t = self._reasons.now
        sayings, passing = page.difference(), dict(page.take_passing())
        try:
            if sayings:
                await self._revise(model, sayings, t, "long_term")
                page.accept(sayings)
            for memory in tuple(passing):
                await self._revise(model, passing[memory], t, memory)
                del passing[memory]
        except ConnectionFailed:
            page.restore_passing(passing)
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
        """The facts of this source in a model, in some memories or all (None); in order."""
        facts = self._kb.facts(model, source=self._source, kind="asserted")
        return [each.fact async for each in facts if memories is None or each.memory in memories]

    async def _publish(self, model: str, poses: Mapping[str, BelievedPose | None]) -> None:
        """Publishes poses; the facts are true without them."""
        if not poses:
            return
        try:
            said = {name: _posed(placed) for name, placed in poses.items()}
            await self._kb.publish(model, said, self._reasons.now, self._speaker)
        except BoardError as error:
            _log.warning("the poses of %s can't be published: %s", model, error)

    @property
    def _speaker(self) -> str | None:
        """The source to publish poses with; an older board does not support it."""
        return None if self._is_for_good or not self._staging.is_known else self._source

    async def _computed(self, ask: Ask) -> Sequence[str]:
        """Answers a query of the board; empty for a model without a mind here."""
        if ask.model not in self._reasons.models:
            return ()
        if ask.predicate in ON_LIKELIHOOD:
            asked = ask.model, ask.predicate, ask.subject, ask.object
            return await self._reasons.weighed(*asked, *([ask.about] if ask.about else []))
        return self._reasons.computed(ask.model, ask.predicate, ask.subject, ask.object)

    def _refuse(self, model: str, error: BoardError) -> None:
        """Pauses the updates of a model, and logs a new reason."""
        if isinstance(error, UnknownModel):
            self._ledger.doubt()  # a parent of this model was deleted
        if self._refusals.refuse(model, error.message, _now()):
            _log.warning("%s can't be updated now: %s", model, error.message)

    async def _woken(self, seconds: float | None) -> None:
        """Waits for a change, at most this many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), seconds)

    async def _pause(self, seconds: float) -> None:
        """Waits this many seconds, unless `stop` is called."""
        end = _now() + seconds
        while not self._is_over and _now() < end:
            self._wake.clear()
            await self._woken(end - _now())


def _now() -> float:
    """The time of the event loop, for waits; facts have the times of percepts."""
    return asyncio.get_running_loop().time()


def _posed(placed: BelievedPose | None) -> Mapping[str, Any] | None:
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
