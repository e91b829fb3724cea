"""Who is notified of a change: all listeners, in their order, whatever one of them raises."""

import asyncio
import re
from typing import Any

import pytest

from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.revision import Revision
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.host import Host
from kb_server.service.desk.desk import Desk
from kb_server.service.desk.metrics import Metrics
from kb_server.service.writing import notifications
from kb_server.service.writing.notifications import Notifications, notify


def owner(listener: Any) -> str:
    """The class whose method a listener is; a list's own method stands for its writer."""
    kind = type(listener.__self__).__name__
    return "BoardWriter" if kind == "list" else kind


def desk_and_metrics() -> Desk:
    """A desk over an empty board, and its metrics."""
    desk = Desk(Host(CommonSense([])))
    Metrics(desk)
    return desk


def test_the_listeners_are_those_that_the_page_names() -> None:
    """Each list of a server has the listeners that its module names, in that order."""
    desk = desk_and_metrics()
    try:
        notified = desk.writer.notifications
        found = [owner(each) for each in desk.host.board.on_delta]
        assert found == ["Host", "BoardWriter", "Events", "Resuming"]
        assert [owner(each) for each in notified.on_change] == ["SparqlPool", "Subscribing"]
        assert [owner(each) for each in notified.on_timed] == ["Histogram"]
        assert [owner(each) for each in notified.on_stored] == ["Subscribing", "Hub"]
    finally:
        desk.host.close()
    steps = re.split(r"^\d\. ", notifications.__doc__ or "", flags=re.MULTILINE)
    for step, names in ((1, found), (2, ["SparqlPool", "Subscribing"])):
        places = [steps[step].index(f"`{name}`") for name in names]
        assert places == sorted(places), step


def test_listeners_are_called_when_their_names_say() -> None:
    """A change goes to the board's listeners, then to the loop's, and last when it is stored."""
    order: list[str] = []

    async def story() -> None:
        desk = Desk(Host(CommonSense([])))
        desk.writer.start()
        await desk.writer.change(lambda: desk.host.create("sally"))  # the first expiry is over
        desk.host.board.on_delta.append(lambda delta: order.append(f"delta {delta.seq}"))
        notified = desk.writer.notifications
        notified.on_change.append(lambda delta: order.append(f"change {delta.seq}"))
        notified.on_timed.append(lambda _seconds: order.append("timed"))
        notified.on_stored.append(lambda seq: order.append(f"stored {seq}"))
        await desk.writer.change(lambda: both(desk.host))
        order.append("answered")
        await desk.writer.stop()
        desk.host.close()

    def both(host: Host) -> list[ModelDelta]:
        add = Revision(add=(("urn:a", "urn:p", "urn:b"),))
        return host.revise_all({"myself": add, "sally": add})

    asyncio.run(story())
    assert order == [
        *("delta 1", "delta 2", "change 1", "change 2", "timed", "stored 2", "answered"),
    ]


def test_a_listener_that_raises_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The listeners after one that raises are called all the same, and the log has why."""
    heard: list[float] = []

    def fail(_seconds: float) -> None:
        raise ZeroDivisionError

    listeners = Notifications(on_timed=[fail, heard.append]).on_timed
    notify(listeners, 0.5)
    assert heard == [0.5]
    assert "a listener of the board failed" in caplog.text
    assert "ZeroDivisionError" in caplog.text
