"""Questions to the board, as HTTP and the websocket both ask them.

`find` and `check` are answered on the board itself while they are cheap; what takes more goes to
a SPARQL worker, so that nobody else waits for it. What lists or compares is read in a thread.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeVar

from kb_server.consistency import answer_to, consistency_by_rules, question_of
from kb_server.core.blackboard import Blackboard
from kb_server.core.discrimination import clarify, discriminate
from kb_server.core.errors import BadRequest, TooCostly
from kb_server.core.facts import with_more
from kb_server.core.listing import Kind, list_facts
from kb_server.core.matching import Budget
from kb_server.core.portrait import about, lookup
from kb_server.core.proofs import explain
from kb_server.core.query import Row, find
from kb_server.core.similarity import compare
from kb_server.core.statements import Pattern, read_pattern, read_statement
from kb_server.core.terms import is_variable
from kb_server.dl.answers import DLTimeout, NoDLEngine
from kb_server.dl.engine import DLEngine
from kb_server.journal.protocol import Happened
from kb_server.service.asking import asked_for
from kb_server.service.desk import Desk
from kb_server.service.errors import TooLarge
from kb_server.service.worker_find import find_by_worker
from kb_server.sparql.errors import Busy
from kb_server.wire.answers import (
    JSON,
    about_in,
    bindings_in,
    comparison_in,
    consistency_in,
    discriminant_in,
    divergence_in,
    facts_in,
    history_in,
    matches_in,
    models_in,
    proof_in,
)
from kb_server.wire.requests import (
    CheckRequest,
    ClarifyRequest,
    CompareRequest,
    DiscriminateRequest,
    ExplainRequest,
    FindRequest,
)

__all__ = ["Reading"]

At = str | int | None
_T = TypeVar("_T")


class Reading:
    """The questions that a desk answers, each as the JSON of its call."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._names: Final = desk.host.names
        self._pellet: Final = asyncio.Semaphore(1)
        self._at_pellet = 0

    async def models(self) -> JSON:
        return await self._desk.writer.read(lambda: models_in(self._desk.host.board.models()))

    async def find(self, model: str, asked: FindRequest, at: At = None) -> JSON:
        patterns = self._patterns(asked.patterns)
        return bindings_in(await self._rows(model, patterns, asked.select, asked.limit, at))

    async def check(self, model: str, asked: CheckRequest, at: At = None) -> JSON:
        patterns = self._patterns(asked.patterns)
        rows = await self._rows(model, patterns, [], None, at)
        return {"holds": bool(rows)}

    async def facts(
        self,
        model: str,
        s: str | None,
        p: str | None,
        o: str | None,
        source: str | None,
        kind: Kind,
        limit: int,
        cursor: str | None,
        at: At,
    ) -> JSON:
        subject, predicate, thing = self._place(s, p, o)
        return await self._long(
            model,
            at,
            lambda board: facts_in(
                list_facts(
                    board.model(model),
                    subject,
                    predicate,
                    thing,
                    source=source,
                    kind=kind,
                    limit=limit,
                    cursor=cursor,
                )
            ),
        )

    async def about(self, model: str, entity: str) -> JSON:
        term = self._names.term(entity)
        return await self._long(
            model, None, lambda b: about_in(about(term, b.model(model).view, self._budget()))
        )

    async def lookup(self, model: str, label: str) -> JSON:
        return await self._long(
            model, None, lambda b: matches_in(lookup(label, b.model(model).view, self._budget()))
        )

    async def explain(self, model: str, asked: ExplainRequest) -> JSON:
        fact = read_statement(asked.fact, self._names)
        return await self._long(
            model, None, lambda b: proof_in(explain(b.model(model), fact, self._budget()))
        )

    async def consistency(self, model: str, engine: str) -> JSON:
        if engine == "rules":
            return await self._long(model, None, lambda b: _rules(b, model))
        if engine != "dl":
            raise BadRequest(f"engine is rules or dl, not {engine[:80]!r}", field="engine")
        dl = self._desk.dl
        if dl is None:
            raise NoDLEngine("full OWL DL is switched off here; the rules answer engine=rules")
        return await self._by_dl(model, dl)

    async def _by_dl(self, model: str, dl: DLEngine) -> JSON:
        """Pellet's verdict; one question at a time, and the board goes on meanwhile."""
        seconds = self._desk.settings.dl_seconds
        if self._at_pellet >= self._desk.settings.dl_waiting:
            raise Busy("too many questions wait for Pellet", reason="waiting")
        self._at_pellet += 1
        try:
            async with asyncio.timeout(seconds):
                await self._pellet.acquire()
        except TimeoutError:
            raise DLTimeout("Pellet was busy all the time allowed.", timeout=seconds) from None
        finally:
            self._at_pellet -= 1
        try:
            asked = await self._long(model, None, lambda b: question_of(b, model))
            verdict = await self._desk.writer.aside(lambda: answer_to(asked, dl, timeout=seconds))
        finally:
            self._pellet.release()
        return consistency_in(verdict.consistent, verdict.conflicts, verdict.warnings)

    async def compare(self, model: str, asked: CompareRequest) -> JSON:
        a, b = self._names.term(asked.a), self._names.term(asked.b)
        return await self._long(
            model,
            None,
            lambda board: comparison_in(compare(a, b, board.model(model).view, self._budget())),
        )

    async def discriminate(self, model: str, asked: DiscriminateRequest) -> JSON:
        candidates = [self._names.term(each) for each in asked.candidates]
        return await self._long(
            model,
            None,
            lambda b: discriminant_in(
                discriminate(candidates, b.model(model).view, self._budget())
            ),
        )

    async def clarify(self, model: str, asked: ClarifyRequest) -> JSON:
        patterns = self._patterns(asked.patterns)

        def answer(board: Blackboard) -> JSON:
            view, budget = board.model(model).view, self._budget()
            candidates, best = clarify(patterns, asked.variable, view, budget)
            return {"candidates": list(candidates), "discriminant": discriminant_in(best)}

        return await self._long(model, None, answer)

    async def divergence(self, model: str, other: str, at: At) -> JSON:
        return await self._long(
            model, at, lambda b: divergence_in(b.divergence(model, other)), other
        )

    async def history(
        self,
        model: str,
        s: str | None,
        p: str | None,
        o: str | None,
        since: str | None,
        until: str | None,
    ) -> JSON:
        """What happened, as far as one answer may hold; more is an error that says how to ask.

        Who names no moment to begin with is told whether all there ever was is still kept.
        """
        host, most = self._desk.host, self._desk.settings.history
        place = self._place(s, p, o)
        await self._desk.writer.read(lambda: host.board.model(model))

        def read() -> JSON:
            found = host.history(model, *place, since, until)
            lines = list(islice(_until(found, self._desk.settings.seconds), most + 1))
            if len(lines) > most:
                raise TooLarge(
                    f"more than {most} lines; ask with s, p, o, since or until", allowed=most
                )
            is_all = since is not None or host.journal.oldest_seq <= 1
            return {**history_in(lines), "complete": is_all}

        return await self._in_time(self._desk.writer.aside(read))

    def _budget(self) -> Budget:
        """What a question may cost that is read in a thread: changes wait for its end."""
        return Budget(self._desk.settings.long_steps)

    def _place(
        self, s: str | None, p: str | None, o: str | None
    ) -> tuple[str | None, str | None, str | None]:
        """Terms of a query string; `a` in the predicate's place is rdf:type there too."""
        read = read_pattern([s or "?s", p or "?p", o or "?o"], self._names)
        subject, predicate, thing = (None if is_variable(term) else term for term in read)
        return subject, predicate, thing

    def _patterns(self, texts: Sequence[object]) -> list[Pattern]:
        return [read_pattern(text, self._names) for text in texts]

    async def _rows(
        self,
        model: str,
        patterns: list[Pattern],
        select: list[str] | None,
        limit: int | None,
        at: At,
    ) -> list[Row]:
        if at is not None:
            past = await self._past(at, (model,))
            view = past.model(model).view
            budget = past.budget()
            return await self._aside(lambda: find(patterns, view, budget, select, limit))
        writer, board = self._desk.writer, self._desk.host.board
        board.model(model)
        told = await asked_for(self._desk, model, patterns)
        quick = Budget(self._desk.settings.quick_steps)
        try:
            return await writer.read(
                lambda: find(
                    patterns, with_more(board.model(model).view, told), quick, select, limit
                )
            )
        except TooCostly:
            return await find_by_worker(self._desk, model, patterns, select, limit, told)

    async def _long(
        self, model: str, at: At, answer: Callable[[Blackboard], _T], *others: str
    ) -> _T:
        """An answer that may take a while, from the board as it is or as it was."""
        if at is not None:
            past = await self._past(at, (model, *others))
            return await self._aside(lambda: answer(past))
        board = self._desk.host.board
        return await self._in_time(self._desk.writer.read_long(lambda: answer(board)))

    async def _past(self, at: At, models: tuple[str, ...]) -> Blackboard:
        await self._desk.writer.kept()
        return await self._aside(lambda: self._desk.host.at(at, models))

    async def _aside(self, answer: Callable[[], _T]) -> _T:
        return await self._in_time(self._desk.writer.aside(answer))

    async def _in_time(self, work: Awaitable[_T]) -> _T:
        """What comes in the time of a question, the wait for its turn included."""
        seconds = self._desk.settings.seconds
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError:
            raise TooCostly(f"this takes longer than {seconds:g} s", reason="time") from None


def _rules(board: Blackboard, model: str) -> JSON:
    verdict = consistency_by_rules(board, model)
    return consistency_in(verdict.consistent, verdict.conflicts)


def _until(found: Iterator[Happened], seconds: float) -> Iterator[Happened]:
    """Lines of history for as long as they come in time."""
    end = time.monotonic() + seconds
    for each in found:
        if time.monotonic() > end:
            raise TooCostly(f"this takes longer than {seconds:g} s", reason="time")
        yield each
