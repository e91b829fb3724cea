"""Questions to the board, from HTTP and the websocket.

1. `find` and `check` are answered on the board itself within a number of steps.
2. Past that number a SPARQL worker answers, so that other clients don't wait.
3. Questions that list or compare are read in a thread.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeVar

from kb_server.answering.questions import BoardQuestion, Search, read_place, verdict_in
from kb_server.consistency import answer_to, question_of
from kb_server.core.facts.matching import Budget
from kb_server.core.models.board import Board
from kb_server.core.questions.query import Row
from kb_server.core.questions.reification import wanted
from kb_server.core.terms.statements import Pattern, Statement
from kb_server.errors import Busy, DLTimeout, NoDLEngine, TooCostly, TooLarge
from kb_server.journal.protocol import Happened
from kb_server.service.desk.desk import Desk
from kb_server.service.desk.worker_find import find_by_worker
from kb_server.wire.answers import JSON, history_in, models_in

__all__ = ["Reading"]

RequestedAt = str | int | None
_T = TypeVar("_T")


class Reading:
    """Answers questions; each answer is the JSON of its call."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._pellet: Final = asyncio.Semaphore(1)
        self._at_pellet = 0

    async def models(self) -> JSON:
        models = await self._desk.writer.read(self._desk.host.board.models)
        return models_in(models, self._desk.hub.subscribing.delivered_until)

    async def search(self, search: Search, at: RequestedAt = None) -> JSON:
        """Answers a question by patterns."""
        return search.answer(await self._rows(search, at))

    async def answer(self, question: BoardQuestion, at: RequestedAt = None) -> JSON:
        """Answers a question that may take long, on the present board or on a past one."""
        most = self._desk.settings.long_steps  # changes wait for this
        steps = min(most, self._desk.host.board.settings.steps)
        return await self._long(
            question.models, at, lambda board: question.answer(board, Budget(steps))
        )

    async def consistency_by_dl(self, model: str) -> JSON:
        """Pellet's verdict; one question at a time, beside the changes of the board."""
        dl = self._desk.dl
        if dl is None:
            raise NoDLEngine("full OWL DL is switched off here (--no-dl); use engine=rules")
        seconds = self._desk.settings.dl_seconds
        if self._at_pellet >= self._desk.settings.dl_waiting:
            raise Busy("too many questions wait for Pellet; try again", reason="waiting")
        self._at_pellet += 1
        try:
            async with asyncio.timeout(seconds):
                await self._pellet.acquire()
        except TimeoutError:
            raise DLTimeout("Pellet was busy for all the time allowed.", timeout=seconds) from None
        finally:
            self._at_pellet -= 1
        try:
            asked = await self._long((model,), None, lambda b: question_of(b, model))
            verdict = await self._desk.writer.aside(lambda: answer_to(asked, dl, timeout=seconds))
        finally:
            self._pellet.release()
        return verdict_in(verdict)

    async def history(
        self,
        model: str,
        s: str | None,
        p: str | None,
        o: str | None,
        since: str | None,
        until: str | None,
    ) -> JSON:
        """The history of facts; TooLarge if it has more lines than one answer may hold.

        Without `since`, the answer reports whether the journal still has all of the history.
        """
        host, most = self._desk.host, self._desk.settings.history
        place = read_place(host.names, s, p, o)
        await self._desk.writer.read(lambda: host.board.model(model))

        def read() -> JSON:
            found = host.history(model, *place, since, until)
            lines = list(islice(_until(found, self._desk.settings.seconds), most + 1))
            if len(lines) > most:
                raise TooLarge(
                    f"more than {most} lines; ask with s, p, o, since or until", allowed=most
                )
            return history_in(lines, host.has_all(since))

        return await self._in_time(self._desk.writer.aside(read))

    async def _rows(self, search: Search, at: RequestedAt) -> list[Row]:
        if at is not None:
            past = await self._past(at, (search.model,))
            return await self._aside(lambda: search.rows(past, past.budget()))
        board, model = self._desk.host.board, search.model
        board.model(model)
        computed = await _provided_facts(self._desk, model, search.patterns)
        steps = self._desk.quick_steps
        try:
            return await self._desk.writer.read(lambda: search.rows(board, Budget(steps), computed))
        except TooCostly:
            if steps == board.settings.steps:
                raise
            return await find_by_worker(self._desk, search, computed)

    async def _long(
        self, models: tuple[str, ...], at: RequestedAt, answer: Callable[[Board], _T]
    ) -> _T:
        if at is not None:
            past = await self._past(at, models)
            return await self._aside(lambda: answer(past))
        board = self._desk.host.board
        return await self._in_time(self._desk.writer.read_long(lambda: answer(board)))

    async def _past(self, at: RequestedAt, models: tuple[str, ...]) -> Board:
        await self._desk.writer.kept()
        return await self._aside(lambda: self._desk.host.at(at, models))

    async def _aside(self, answer: Callable[[], _T]) -> _T:
        return await self._in_time(self._desk.writer.aside(answer))

    async def _in_time(self, work: Awaitable[_T]) -> _T:
        """Awaits work within the time of a question, the wait for its turn included."""
        seconds = self._desk.settings.seconds
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError:
            raise TooCostly(f"the question took longer than {seconds:g} s", reason="time") from None


def _until(found: Iterator[Happened], seconds: float) -> Iterator[Happened]:
    """Lines of history; TooCostly past the time of a question."""
    end = time.monotonic() + seconds
    for each in found:
        if time.monotonic() > end:
            raise TooCostly(f"the question took longer than {seconds:g} s", reason="time")
        yield each


async def _provided_facts(desk: Desk, model: str, patterns: Sequence[Pattern]) -> list[Statement]:
    """The facts that providers compute for the patterns that mention their predicates.

    The facts serve this question only. ProviderTimeout if a provider is late.
    """
    providers = desk.hub.providers
    return await providers.asked(model, wanted(patterns, providers.offered))
