"""The moments at which a subscription could lose or double something."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from kb_server.core.models.revision import read_revision
from kb_server.errors import JournalFailed, ReadOnly
from kb_server.journal.state import Entry
from kb_server.service.desk.desk import Desk
from tests.sockets.desks import Clock, Visit, desk_of

EMPTY = ""
_PAST = 400


async def tell(desk: Desk, *add: str, retract: tuple[str, ...] = ()) -> "asyncio.Future[None]":
    """Makes a change; what is done when the journal has it."""
    revision = read_revision(desk.host.names, add=add, retract=retract)
    _, kept = await desk.writer.make(lambda: desk.host.revise("myself", revision))
    return kept


def events_of(frames: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(f["event"], f["bindings"]["x"]) for f in frames if "bindings" in f]


async def joined_while_unkept() -> list[dict[str, Any]]:
    async with desk_of(EMPTY, Clock()) as desk:
        early, late = Visit(desk), Visit(desk)
        asked = {"model": "myself", "patterns": ["?x isIn box"]}
        await early.say("subscribe", "s", **asked)
        kept = await tell(desk, "ball isIn box")
        await late.say("subscribe", "s", **asked, snapshot=True)
        await kept
        assert len(events_of(await early.heard())) == 1
        return await late.heard()


def test_what_a_snapshot_has_is_not_told_again() -> None:
    """Who joins others before the journal has a change sees it in the snapshot alone."""
    frames = asyncio.run(joined_while_unkept())
    assert [f.get("event") for f in frames] == [None, "appear", "snapshot_end"]


async def changed_while_resuming() -> list[dict[str, Any]]:
    async with desk_of(EMPTY, Clock(), queue_events=10) as desk:
        for i in range(_PAST):
            await tell(desk, f"b{i} isIn box", "box isOn table")
            await (await tell(desk, retract=(f"b{i - 1} isIn box",)))
        visit = Visit(desk)
        asked = {"model": "myself", "patterns": ["?x isIn box", "box isOn table"], "on": "both"}
        resuming = asyncio.create_task(visit.say("subscribe", "s", **asked, after=0))
        frames = await visit.hears(2)
        await (await tell(desk, retract=("box isOn table",)))
        assert not resuming.done()
        frames += await visit.hears(2 * _PAST - 1)
        await resuming
        return frames


def test_what_changes_meanwhile_does_not_change_the_past() -> None:
    """Who resumes is told what was, whatever is done to the board while it reads, and then that."""
    told = events_of(asyncio.run(changed_while_resuming()))
    before = [("appear", "b0")]
    for i in range(1, _PAST):
        before += [("appear", f"b{i}"), ("disappear", f"b{i - 1}")]
    assert told == [*before, ("disappear", f"b{_PAST - 1}")]


async def changed_in_a_thread() -> list[dict[str, Any]]:
    async with desk_of(EMPTY, Clock(), large=10) as desk:
        visit = Visit(desk)
        await visit.say("subscribe", "s", model="myself", patterns=["?x isIn box"])
        add = [f"b{i} isIn box" for i in range(2_000)]
        await visit.say("revise", "r", model="myself", add=add)
        return await visit.hears(2_002)


def test_a_large_change_tells_its_events_before_its_answer() -> None:
    """What is changed in a thread of its own is told as whole and as early as the rest."""
    frames = asyncio.run(changed_in_a_thread())
    assert [f.get("id") for f in frames if "id" in f] == ["s", "r"]
    assert frames[-1]["id"] == "r"


async def subscribed_while_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async with desk_of(EMPTY, Clock()) as desk:
        monkeypatch.setattr("kb_server.service.writing.journal_writer._RETRY", 0.01)
        await desk.writer.change(lambda: desk.host.create("ann"))
        await (await tell(desk, "ball isIn box"))
        append, is_full = desk.host.journal.append, True

        def filled(entries: Sequence[Entry]) -> None:
            if is_full:
                raise JournalFailed("the disk is full")
            append(entries)

        monkeypatch.setattr(desk.host.journal, "append", filled)
        with pytest.raises(ReadOnly):
            await (await tell(desk, "cup isIn box"))
        asked: dict[str, Any] = {"model": "myself", "patterns": ["?x isIn box"]}
        visit = Visit(desk)
        ways: list[tuple[str, dict[str, Any]]] = [
            ("subscribe", {}),
            ("subscribe", {"snapshot": True}),
            ("subscribe", {"after": 0}),
            ("subscribe_divergence", {"from": "ann"}),
        ]
        for op, more in ways:
            refusal = await visit.refused(op, **asked, **more)
            assert isinstance(refusal, ReadOnly)
            assert "changes can't be stored" in refusal.message
        assert not visit.socket_client.subscribers
        assert desk.hub.subscribing.count == 0
        models = await visit.socket_client.reading.models()
        assert [model["seq"] for model in models["models"] if model["id"] == "myself"] == [1]
        is_full = False
        while desk.writer.failure is not None:
            await asyncio.to_thread(bool)
        await visit.say("subscribe", "s", **asked, after=1)
        assert events_of(await visit.hears(2)) == [("appear", "cup")]


def test_who_subscribes_while_nothing_can_be_kept_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No number is given out that the journal lacks; with space again nothing was missed."""
    asyncio.run(subscribed_while_nothing_can_be_kept(monkeypatch))
