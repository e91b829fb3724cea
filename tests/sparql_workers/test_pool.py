"""A pool answers like the engine itself, from after every change, and mends what is broken."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pyoxigraph as ox
import pytest

from kb_server.core.models.revision import Revision
from kb_server.core.terms.terms import Names
from kb_server.errors import BadQuery, BoardError
from kb_server.sparql.protocol import (
    Frames,
    SparqlQuery,
    SparqlUpdate,
    WorkerFrame,
    fields_of,
    update_in,
)
from kb_server.sparql.replica_frames import filling_frames, holdings_of
from kb_server.sparql.result_formats import GRAPHS, RESULTS
from kb_server.sparql.settings import SparqlSettings
from tests.models.boards import revise, shipped
from tests.sparql_workers.pools import (
    CHEAP,
    COUNT,
    code_of,
    counted,
    furnished,
    handles,
    pool_of,
    run,
    running,
)
from tests.sparql_workers.test_replica import tell, worker_of

Fed = Sequence[tuple[int | None, bytes]]
_SELECT = "SELECT ?s ?o ?l { ?s oro:isIn ?o OPTIONAL { ?s rdfs:label ?l } } ORDER BY ?s ?o"
_GRAPH = "CONSTRUCT { ?s oro:isIn ?o } WHERE { ?s oro:isIn ?o }"
_FORMS = (
    (_SELECT, RESULTS),
    (CHEAP, RESULTS),
    (_GRAPH, GRAPHS),
    ("DESCRIBE oro:mug", GRAPHS),
)
_ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def written(
    found: ox.QueryTriples | ox.QuerySolutions | ox.QueryBoolean,
    kind: ox.RdfFormat | ox.QueryResultsFormat,
) -> bytes:
    """What pyoxigraph writes of an answer of its own."""
    if isinstance(found, ox.QueryTriples):
        assert isinstance(kind, ox.RdfFormat)
        return found.serialize(format=kind) or b""
    assert isinstance(kind, ox.QueryResultsFormat)
    return found.serialize(format=kind) or b""


def test_answers_are_those_of_the_engine() -> None:
    """In every media type, for every form of query, the bytes are those that pyoxigraph writes."""

    async def story() -> None:
        board = furnished()
        own = worker_of(board)
        tell(own, b"".join(filling_frames(holdings_of(board))))
        replica = own.replica
        graphs = replica.holding.seen_from(replica.model_graph("myself"))
        async with running(board) as pool:
            for text, offered in _FORMS:
                for media in offered:
                    found = replica.holding.store.query(
                        text, prefixes=dict(board.names.prefixes), default_graph=list(graphs)
                    )
                    answer = await pool.query(SparqlQuery(text), accept=media.type)
                    assert sorted(answer.body) == sorted(written(found, media.format))
                    assert (answer.content_type, answer.seq) == (media.type, board.seq)

    run(story())


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("text/csv;q=0.5, application/xml", "application/sparql-results+xml"),
        ("text/*;q=0.3, text/csv;q=0.1, application/json;q=0.2", "text/tab-separated-values"),
        ("text/html, */*;q=0.1", "application/sparql-results+json"),
    ],
)
def test_the_client_chooses_the_media_type(accept: str, expected: str) -> None:
    """The most liked media type is given, and 406 for none at all."""

    async def story() -> None:
        async with running(furnished(), SparqlSettings(workers=1)) as pool:
            assert (await pool.query(SparqlQuery(CHEAP), accept=accept)).content_type == expected
            assert (
                await code_of(pool.query(SparqlQuery(CHEAP), accept="text/html"))
                == "not_acceptable"
            )
            assert (
                await code_of(pool.query(SparqlQuery(_GRAPH), accept="text/csv"))
                == "not_acceptable"
            )

    run(story())


def test_datasets() -> None:
    """A question sees its model, others by GRAPH, what FROM or the protocol names, and the past."""

    async def story() -> None:
        board = furnished()
        sally = board.names.prefixes["model"] + "sally"
        async with running(board, SparqlSettings(workers=1)) as pool:
            where = "SELECT ?o { oro:ball oro:isIn ?o }"

            async def rows(text: str = where, /, **how: Any) -> list[str]:
                more = {each: how.pop(each) for each in ("computed", "past") if each in how}
                answer = await pool.query(SparqlQuery(text, **how), accept="text/csv", **more)
                return [line.rpartition("#")[2] for line in answer.body.decode().split()[1:]]

            assert await rows() == ["box"]
            assert await rows(model="sally") == ["basket"]
            assert await rows("SELECT ?o { GRAPH model:sally { oro:ball oro:isIn ?o } }") == [
                "basket"
            ]
            assert await rows("SELECT ?o FROM model:sally { ?s oro:isIn ?o }") == ["basket"]
            assert await rows(default=[sally]) == ["basket"]
            assert await rows(where, computed={"myself": [("ball", "isIn", "hand")]}) != ["box"]
            assert await rows() == ["box"]
            holds = "SELECT ?o { ?o oro:contains oro:ball }"
            assert (await rows(holds), await rows(holds, inferred=False)) == (["box"], [])
            past = holdings_of(board)
            revise(board, update=["ball isIn table"], retract=["ball isIn box"])
            assert (await rows(), await rows(past=past)) == (["table"], ["box"])
            refused = "SELECT ?o FROM <http://example.org/> { ?s ?p ?o }"
            assert await code_of(pool.query(SparqlQuery(refused))) == "refused"

    run(story())


def test_a_question_sees_all_that_was_fed_before_it() -> None:
    """However many changes lie unsent, a question asked right after the last one sees them all."""

    async def story() -> None:
        board = furnished()
        async with running(board) as pool:
            before = await counted(pool)
            for n in range(1, 20):
                revise(board, add=[f"x{n} hasSeen y{n}_{i}" for i in range(n * n)])
                asked = [pool.query(SparqlQuery(COUNT), accept="text/csv") for _ in range(2)]
                found = [await each for each in asked]
                assert {each.seq for each in found} == {board.seq}
            assert await counted(pool) > before + sum(n * n for n in range(1, 20)) - 1

    run(story())


def test_what_nobody_asks_for_is_sent_on_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change reaches the workers a moment later without any question."""

    async def story() -> None:
        board = furnished()
        async with running(board) as pool:
            sent = asyncio.Event()
            for slot in pool._slots:
                monkeypatch.setattr(slot, "feed", both(slot.feed, sent.set))
            revise(board, add=["cup isOn table"])
            assert not sent.is_set()
            await sent.wait()

    run(story())


def both(feed: Callable[[Fed], None], tell: Callable[[], None]) -> Callable[[Fed], None]:
    """Feeds a worker, and tells of it."""

    def fed(frames: Fed) -> None:
        feed(frames)
        tell()

    return fed


def test_a_bad_query_is_told_with_its_place() -> None:
    """What the parser says is the error, with line and column, and the worker lives on."""

    async def story() -> None:
        async with running(furnished(), SparqlSettings(workers=1)) as pool:
            pids = pool.pids
            with pytest.raises(BadQuery, match="syntax error") as wrong:
                await pool.query(SparqlQuery("SELECT ?x\n{ ?x ?y }"))
            assert wrong.value.detail["line"] == 2
            assert pool.pids == pids

    run(story())


def test_a_mistake_of_ours_is_told_as_one(caplog: pytest.LogCaptureFixture) -> None:
    """What a worker can't do by our own fault is logged and refused, and the worker lives on."""
    told: Any = {"myself": ["no statement"]}

    async def story() -> None:
        async with running(furnished(), SparqlSettings(workers=1)) as pool:
            pids = pool.pids
            assert await code_of(pool.query(SparqlQuery(CHEAP), computed=told)) == "sparql_error"
            assert await pool.query(SparqlQuery(CHEAP))
            assert pool.pids == pids

    run(story())
    assert "a SPARQL worker failed" in caplog.text


def test_every_question_sees_the_changes_before_it() -> None:
    """Under load from eight clients, what was fed is seen by the next question, always."""

    async def story() -> None:
        board = furnished()
        async with running(board) as pool:

            async def client(name: str) -> None:
                for i in range(100):
                    revise(board, add=[f"{name} hasMark {i}"])
                    asked = pool.query(
                        SparqlQuery(f"ASK {{ oro:{name} oro:hasMark {i} }}"), client=name
                    )
                    assert b"true" in (await asked).body

            await asyncio.gather(*(client(f"robot{n}") for n in range(8)))

    run(story())


def test_killed_workers_are_mended_and_nothing_is_lost() -> None:
    """Workers killed from outside, under changes and questions, come back with every delta."""

    async def story() -> None:
        board = furnished()
        async with running(board) as pool:
            for i in range(60):
                revise(board, add=[f"thing{i} isIn box"])
                if i % 6 == 0:
                    os.kill(pool.pids[i % len(pool.pids)], signal.SIGKILL)
                assert (
                    b"true"
                    in (await pool.query(SparqlQuery(f"ASK {{ oro:thing{i} oro:isIn ?x }}"))).body
                )
            await pool.healed()
            held = len(board.model("myself").facts())
            assert set(await asyncio.gather(*(counted(pool) for _ in range(8)))) == {held}
            assert pool.counters.restarts >= 1

    run(story())


def test_a_worker_that_falls_behind_is_replaced() -> None:
    """Changes never wait for a worker: one that reads no more is replaced and has them all."""

    async def story() -> None:
        board = shipped()
        async with running(board, SparqlSettings(workers=1, backlog_bytes=1_000_000)) as pool:
            (pid,) = pool.pids
            os.kill(pid, signal.SIGSTOP)
            count = 0
            while pool.counters.behind == 0:
                count += 1
                revise(board, add=[f'thing{count} rdfs:label "{"x" * 50_000}"'])
            revise(board, add=["ball isIn box"])
            assert await counted(pool) == len(board.model("myself").facts())
            assert pid not in pool.pids

    run(story())


def test_a_question_waits_for_the_change_it_is_to_see() -> None:
    """Asked to answer from after a delta that is yet to be fed, it waits, but not for ever."""

    async def story() -> None:
        board = furnished()
        async with running(board, SparqlSettings(workers=1, time_limit=3.0)) as pool:
            text = "ASK { oro:cup oro:isIn oro:box }"
            early = asyncio.create_task(pool.query(SparqlQuery(text), at_least=board.seq + 2))
            revise(board, add=["mug isIn box"])
            await pool.query(SparqlQuery(CHEAP))
            assert not early.done()
            revise(board, add=["cup isIn box"])
            assert b"true" in (await early).body
            assert await code_of(pool.query(SparqlQuery(CHEAP), at_least=board.seq + 1)) == "busy"

    run(story())


def test_deltas_pour_in_while_a_worker_is_busy() -> None:
    """While a costly question keeps a worker, changes go on unhindered and none is missed."""

    async def story() -> None:
        board = furnished()
        async with running(board, SparqlSettings(workers=1, time_limit=1.0)) as pool:
            endless = asyncio.create_task(code_of(pool.query(SparqlQuery(_ENDLESS))))
            made = 0
            while not endless.done():
                if made < 300:
                    revise(board, add=[f"thing{made}-{j} isIn box" for j in range(10)])
                    made += 1
                await asyncio.wait((endless,), timeout=0)
            assert made > 1
            assert await endless == "too_costly"
            assert await counted(pool) == len(board.model("myself").facts())

    run(story())


def test_plain_graphs_are_followed() -> None:
    """A graph of plain storage is read as it changes; the graph of a model is none."""

    async def story() -> None:
        async with running(furnished()) as pool:
            graph = "http://example.org/plain"
            text = f"SELECT (COUNT(*) AS ?n) {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}"
            pool.feed_graph(graph, [("a", "b", "1"), ("a", "b", "2")])
            assert await counted(pool, text) == 2
            pool.feed_graph(graph, [], [("a", "b", "1")])
            assert await counted(pool, text) == 1
            text = f"SELECT (COUNT(*) AS ?n) FROM <{graph}> {{ ?s ?p ?o }}"
            assert await counted(pool, text) == 1
            for other in ("http://kb.openrobots.org/model/sally", "http://kb.openrobots.org"):
                with pytest.raises(BoardError, match="not plain storage"):
                    pool.feed_graph(other, [("a", "b", "1")])

    run(story())


def test_a_past_that_is_too_large_is_refused() -> None:
    """A question to the past is bounded by the facts that it brings along."""

    async def story() -> None:
        board = furnished()
        past = holdings_of(board, [("http://example.org/plain", [("a", "b", "1")])])
        async with running(board, SparqlSettings(workers=1, past_facts=past.size - 1)) as pool:
            assert await code_of(pool.query(SparqlQuery(CHEAP), past=past)) == "too_costly"
        async with running(board, SparqlSettings(workers=1, past_facts=past.size)) as pool:
            text = "ASK { GRAPH <http://example.org/plain> { oro:a oro:b 1 } }"
            answer = await pool.query(SparqlQuery(text), past=past)
            assert (b"true" in answer.body, answer.seq) == (True, past.seq)
            assert b"false" in (await pool.query(SparqlQuery(text))).body

    run(story())


def test_pasts_that_are_too_much_together_are_refused() -> None:
    """Past what all who ask at once may bring along one is told to wait, until another is done."""

    async def story() -> None:
        board = furnished()
        past = holdings_of(board)
        async with running(board, SparqlSettings(workers=1, past_facts_all=past.size)) as pool:
            for _ in range(2):
                asked = [code_of(pool.query(SparqlQuery(CHEAP), past=past)) for _ in range(2)]
                assert await asyncio.gather(*asked) == ["", "busy"]
            assert await code_of(pool.query(SparqlQuery(CHEAP))) == ""

    run(story())


def test_kills_leave_no_handles() -> None:
    """However often workers are killed, descriptors and children stay as many as before."""

    async def story() -> None:
        async with running(furnished()) as pool:
            await counted(pool)
            before, tasks = handles(), len(asyncio.all_tasks())
            for _ in range(15):
                for pid in pool.pids:
                    os.kill(pid, signal.SIGKILL)
                await pool.query(SparqlQuery(CHEAP))
                await pool.healed()
            assert handles() == before
            assert len(asyncio.all_tasks()) <= tasks + 2  # those that ended wait to be counted

    run(story())


def test_what_a_worker_says_is_not_believed() -> None:
    """A frame that claims to be endless, or an update of what are no terms, is an error."""
    with pytest.raises(ValueError, match="a frame of"):
        list(Frames(1_000).fed(b"\xff" * 8))
    change = {"add": [["a", "b", "? ?"]], "remove": []}
    with pytest.raises(BoardError, match="not a term"):
        update_in(WorkerFrame({"seq": 1, "changes": {"http://example.org/g": change}}), Names())


def test_a_worker_without_memory_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that ran out of memory in the midst of something answers so and is spent."""
    worker = worker_of(shipped())

    def fail(_: bool) -> None:
        raise MemoryError

    monkeypatch.setattr(worker.replica, "facts", fail)  # as the memory would
    asked = fields_of(SparqlQuery(CHEAP))
    answer = worker.do(WorkerFrame({"do": "query", "id": 1, "seconds": 1, "asked": asked}))
    assert answer is not None
    assert b"too_costly" in answer
    assert worker.spent


def test_one_client_leaves_a_worker_to_the_others() -> None:
    """However many endless questions one client asks, another is answered at once."""

    async def story() -> None:
        async with running(furnished(), SparqlSettings(time_limit=10.0)) as pool:
            endless = SparqlQuery(_ENDLESS)
            greedy = [asyncio.create_task(pool.query(endless, client="a")) for _ in range(20)]
            assert b"true" in (await pool.query(SparqlQuery(CHEAP), client="b")).body
            assert not any(task.done() for task in greedy)
            for task in greedy:
                task.cancel()
            await asyncio.gather(*greedy, return_exceptions=True)

    run(story())


def test_who_goes_away_leaves_no_work() -> None:
    """The endless question of a client that has gone is ended long before its time."""

    async def story() -> None:
        async with running(furnished(), SparqlSettings(workers=1, time_limit=60.0)) as pool:
            asked = asyncio.create_task(pool.query(SparqlQuery(_ENDLESS)))
            waiting = asyncio.create_task(pool.query(SparqlQuery(CHEAP)))
            while pool.waiting != 1:
                await asyncio.wait((waiting,), timeout=0)
            asked.cancel()
            assert b"true" in (await waiting).body
            assert pool.counters.cancelled == 1

    run(story())


def test_too_many_are_turned_away() -> None:
    """When too many wait, the next is told so at once."""

    async def story() -> None:
        settings = SparqlSettings(workers=1, time_limit=1.0, waiting=2)
        async with running(furnished(), settings) as pool:
            endless = SparqlQuery(_ENDLESS)
            codes = await asyncio.gather(*(code_of(pool.query(endless)) for _ in range(5)))
            assert codes.count("busy") >= 2

    run(story())


def test_an_update_is_worked_out_for_the_writer() -> None:
    """The pool says what an update comes to, by model and by graph, as of which delta."""

    async def story() -> None:
        board = furnished()
        text = (
            "DELETE { ?x oro:isIn ?y } INSERT { ?x oro:isOn ?y } WHERE { ?x oro:isIn ?y } ; "
            "INSERT DATA { GRAPH <http://example.org/g> { oro:a oro:b 1 } }"
        )
        async with running(board) as pool:
            update = await pool.update(SparqlUpdate(text, "sally"))
            assert update.seq == board.seq
            assert update.models["sally"].add == (("ball", "isOn", "basket"),)
            assert update.models["sally"].remove == (("ball", "isIn", "basket"),)
            assert update.graphs["http://example.org/g"].add == (("a", "b", "1"),)
            assert await counted(pool) == len(board.model("myself").facts())

    run(story())


def test_an_update_made_by_the_board_is_seen_by_the_next_question() -> None:
    """The changes of an update, made as revisions, come back to the workers with what follows."""

    async def story() -> None:
        board = furnished()
        text = (
            "INSERT DATA { oro:cup oro:isIn oro:box ; oro:a oro:kind . _:it oro:isIn oro:box . "
            "GRAPH model:sally { oro:cup oro:isIn oro:basket } }"
        )
        async with running(board) as pool:
            update = await pool.update(SparqlUpdate(text))
            for model, change in update.models.items():
                board.revise(model, Revision(retract=change.remove, add=change.add), 0.0)
            holds = (
                "ASK { oro:box oro:contains oro:cup, ?it . oro:cup oro:a oro:kind "
                "FILTER(isBlank(?it)) GRAPH model:sally { oro:basket oro:contains oro:cup } }"
            )
            assert b"true" in (await pool.query(SparqlQuery(holds), at_least=board.seq)).body

    run(story())


def test_workers_that_can_not_start_keep_nobody_waiting() -> None:
    """When no worker comes to life a question is turned away in its time, and a stop is quick."""

    async def story() -> None:
        board = furnished()
        settings = SparqlSettings(memory_mb=8, time_limit=1.0)
        pool = pool_of(board, settings)
        await pool.start()
        try:
            assert await code_of(pool.query(SparqlQuery(CHEAP))) == "busy"
            assert pool.ready == 0
        finally:
            await pool.stop()

    run(story())


def test_nothing_is_left() -> None:
    """After a stop, even in the midst of work, neither process nor descriptor is left."""

    async def story() -> None:
        async with running(furnished()) as pool:
            await pool.query(SparqlQuery(CHEAP))
        before = handles()
        board = furnished()
        idle = pool_of(board)
        await idle.start()
        await idle.stop()
        async with running(board) as pool:
            endless = SparqlQuery(_ENDLESS)
            asked = [asyncio.create_task(code_of(pool.query(endless))) for _ in range(3)]
            await asyncio.wait(asked, timeout=0)
        assert await asyncio.gather(*asked) == ["busy"] * 3
        assert await code_of(pool.query(SparqlQuery(CHEAP))) == "busy"
        assert handles() == before

    run(story())


def test_workers_end_with_the_board() -> None:
    """When the board's process is killed its workers end too, in the midst of an endless query."""
    board = subprocess.Popen(
        [sys.executable, "-m", "tests.sparql_workers.doomed"], stdout=subprocess.PIPE
    )
    assert board.stdout is not None
    with board.stdout:
        workers = [os.pidfd_open(int(pid)) for pid in board.stdout.readline().split()]
        board.kill()
        board.wait()
    waiting = select.poll()
    for worker in workers:
        waiting.register(worker, select.POLLIN)
        assert waiting.poll(5_000)
        waiting.unregister(worker)
        os.close(worker)
    assert len(workers) == 2
