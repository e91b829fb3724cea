"""A board in this process: one lock, one timer, and a journal written before each answer.

It answers as a remote board does, with the same errors. It runs in this process, so no other
client can slow it down.
"""

import math
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

from kb_server.client.calls.calls import Call
from kb_server.client.calls.errors import Closed
from kb_server.client.calls.frames import command_of
from kb_server.client.calls.values import Reply
from kb_server.client.local.local_errors import as_remote_errors
from kb_server.client.local.local_event_streams import LocalEventStreams
from kb_server.client.local.local_poses import LocalPoses
from kb_server.client.local.local_providers import LocalProviders
from kb_server.client.local.local_questions import CHANGES, QUESTIONS, SEARCHES, found
from kb_server.client.local.local_sparql import LocalSparql
from kb_server.client.local.local_stage import LocalStage
from kb_server.client.streams.event_streams import EventStream
from kb_server.client.transport.background import Background
from kb_server.client.transport.socket import ConnectionWatcher, ProviderFunction, called
from kb_server.core.models.revision import Revision
from kb_server.core.questions.listing import FactQuery, list_facts
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.errors import JournalFailed, ReadOnly
from kb_server.host import Host
from kb_server.loading import load_common_sense
from kb_server.sparql.ontologies import ontology_texts
from kb_server.wire.answers import JSON

__all__ = ["Local"]

T = TypeVar("T")
_UPKEEP: Final = 30.0
_RETRY: Final = 1.0


@lru_cache(maxsize=4)
def _common_sense(also: tuple[str, ...]) -> CommonSense:
    return load_common_sense(also=also).common


class Local:
    """One board with its journal, shared by the threads of one program."""

    def __init__(self, folder: Path | None, ontology: Iterable[Path] = ()) -> None:
        with as_remote_errors():
            self._host: Final = Host(_common_sense(ontology_texts(ontology)), folder)
        self._lock: Final = threading.RLock()
        self._due: Final = threading.Condition(self._lock)
        self._background: Final = Background("mindboard-local")
        self._feeds: Final = LocalEventStreams(self._host, self._reading)
        self._poses: Final = LocalPoses(self._host)
        self._stage: Final = LocalStage()
        self._providers: Final = LocalProviders(self._host, self._background)
        self._sparql: Final = LocalSparql(
            self._host, self._background, self._providers, self._reading, self._changing
        )
        self._wills: Final[set[str]] = set()
        self._is_kept = True
        self._wakes = -math.inf
        """The time at which the maintenance thread wakes next."""
        self._is_closed = False
        with self._changing():
            self._host.expire()
        self._timer: Final = threading.Thread(
            target=self._look_after, name="mindboard-timer", daemon=True
        )
        self._timer.start()

    def ask(self, call: Call[T]) -> T:
        """Answers a call."""
        with as_remote_errors():
            return call.read(self._answer(call))

    def open(self, feed: EventStream[Any]) -> None:
        with as_remote_errors(), self._reading():
            self._feeds.open(feed)

    def drop(self, feed: EventStream[Any]) -> None:
        with self._lock:
            self._feeds.drop(feed)

    def provide(self, predicates: Iterable[str], function: ProviderFunction) -> None:
        with as_remote_errors(), self._reading():
            self._providers.offer(predicates, function)

    def send(self, says: Mapping[str, Any]) -> None:
        """Carries out a `publish` or a `stage` command."""
        with as_remote_errors(), self._reading():
            if says["op"] == "stage":
                self._stage.show(says)
                return
            self._feeds.publish(self._poses.publish(says))

    def will(self, source: str) -> None:
        with as_remote_errors(), self._reading():
            command_of({"op": "will", "source": source})
            self._wills.add(source)

    def on_line(self, watcher: ConnectionWatcher) -> None:
        """Calls the watcher once: a board in this process never reconnects."""
        self._background.run(called(watcher, self._host.identity))

    def close(self) -> None:
        with self._lock:
            if self._is_closed:
                return
            try:
                self._carry_out_wills()
            finally:
                self._is_closed = True
                self._feeds.close()
                self._due.notify_all()
        self._timer.join()
        self._sparql.close()
        self._background.close()
        with as_remote_errors():
            self._host.close()

    def _answer(self, call: Call[Any]) -> Reply:
        if call.op == "query":
            return self._sparql.query(call)
        if call.op == "update_sparql":
            return self._sparql.update(call)
        change = CHANGES.get(call.op)
        if change is not None:
            with self._changing():
                return change(self._host, call)
        if call.op == "poses":
            with self._reading():
                return Reply(200, self._poses.at(call.model, call.query.get("at")))
        if call.op == "staged":
            with self._reading():
                return Reply(200, self._stage.shown(call.query.get("source")))
        if call.op in SEARCHES:
            return Reply(200, self._found(call))
        with self._reading():
            return Reply(200, QUESTIONS[call.op](self._host, call))

    def _found(self, call: Call[Any]) -> JSON:
        """The answer to a question by patterns; the lock is released while providers compute."""
        with self._reading():
            search = SEARCHES[call.op](self._host.names, call)
            if "at" in call.query:
                return found(self._host, call, search)
            self._host.board.model(call.model)
        computed = self._providers.asked(call.model, search.patterns)
        with self._reading():
            return found(self._host, call, search, computed)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Holds the lock, so that nothing changes meanwhile."""
        with self._lock:
            if self._is_closed:
                raise Closed("this board is closed")
            yield

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Holds the lock; then the journal stores the changes and subscribers are notified."""
        with self._reading():
            if not self._is_kept:
                self._keep()
            try:
                yield
            finally:
                self._keep()

    def _keep(self) -> None:
        """Stores the changes, notifies subscribers, and wakes the maintenance thread if needed."""
        try:
            self._host.keep()
        except JournalFailed as failure:
            self._is_kept = False
            self._due.notify_all()
            message = f"the journal can't be written; nothing may change: {failure.message}"
            raise ReadOnly(message) from failure
        self._is_kept = True
        self._feeds.release()
        if self._host.journal.is_due or self._host.board.next_due() < self._wakes:
            self._due.notify_all()

    def _carry_out_wills(self) -> None:
        for source in self._wills:
            for info in self._host.board.models():
                with self._changing():
                    self._withdraw(info.id, source)

    def _withdraw(self, model: str, source: str) -> None:
        cursor: str | None = ""
        while cursor is not None:
            held = self._host.board.model(model)
            page = list_facts(held, FactQuery(source=source, cursor=cursor or None))
            facts = tuple(record.fact for record in page.facts)
            if facts:
                self._host.revise(model, Revision(retract=facts))
            cursor = page.next

    def _look_after(self) -> None:
        """Expires facts and maintains the journal; runs in its own thread."""
        upkeep = self._host.now() + _UPKEEP
        while True:
            with self._lock:
                if not self._is_closed:
                    pause = self._pause(upkeep)
                    self._wakes = self._host.now() + pause
                    self._due.wait(pause)
                if self._is_closed:
                    return
                self._try(self._expire)
                is_time = self._host.now() >= upkeep or self._host.journal.is_due
            if is_time:
                upkeep = self._host.now() + _UPKEEP
                self._try(lambda: self._host.journal.maintain(self._host.now()))

    def _pause(self, upkeep: float) -> float:
        due = min(upkeep, self._host.board.next_due())
        wait = max(0.0, due - self._host.now())
        return wait if self._is_kept else max(wait, _RETRY)

    def _expire(self) -> None:
        if self._host.board.next_due() <= self._host.now() or not self._is_kept:
            with self._changing():
                self._host.expire()

    def _try(self, act: Callable[[], None]) -> None:
        """Calls `act`; if the journal can't be written now, the next round tries again."""
        try:
            act()
        except (JournalFailed, ReadOnly):
            return
