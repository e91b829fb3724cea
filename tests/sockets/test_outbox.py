"""The outbox of one socket: what goes out by its door, and what waits."""

import asyncio

from kb_server.service.delivery.outbox import Again, Outbox


class Door:
    """A door that is open or shut, and what went out by it."""

    def __init__(self) -> None:
        self.is_open = True
        self.out: list[str] = []

    def __call__(self, frame: str) -> bool:
        if self.is_open:
            self.out.append(frame)
        return self.is_open


class Holder:
    """The subscription that events are told to."""

    is_over = False
    sent = 0

    def pass_over(self, seq: int) -> str:
        self.is_over = True
        return f"overflow before {seq}"


def events(*texts: str) -> list[Again]:
    return [Again(text, Holder(), 7) for text in texts]


def outbox_with_door(most: int = 10) -> tuple[Outbox, Door]:
    outbox, door = Outbox(most, 10_000), Door()
    outbox.door = door
    return outbox, door


def test_what_nothing_waits_before_goes_out_at_once() -> None:
    """An empty outbox with an open door keeps nothing."""
    outbox, door = outbox_with_door()
    outbox.put("a")
    told = events("b", "c")
    assert outbox.offer(told)
    assert door.out == ["a", "b", "c"]
    assert [event.owner.sent for event in told] == [7, 7]
    assert len(outbox) == 0


def test_nothing_overtakes_what_waits() -> None:
    """Once a frame waits the rest wait behind it, though the door is open again."""

    async def story() -> None:
        outbox, door = outbox_with_door()
        outbox.put("a")
        door.is_open = False
        outbox.put("b")
        door.is_open = True
        outbox.put("c")
        assert door.out == ["a"]
        assert [await outbox.take(), await outbox.take()] == ["b", "c"]
        outbox.put("d")
        assert door.out == ["a", "d"]

    asyncio.run(story())


def test_nothing_overtakes_what_is_being_sent() -> None:
    """While the task is at a frame that it took, others wait."""

    async def story() -> None:
        outbox, door = outbox_with_door()
        outbox.put_late(lambda: "a")
        assert await outbox.take() == "a"
        outbox.sending_since = 1.0
        outbox.put("b")
        assert door.out == []
        outbox.sending_since = None
        assert await outbox.take() == "b"

    asyncio.run(story())


def test_with_its_door_shut_an_outbox_is_as_bounded_as_without() -> None:
    """What is offered beyond its room is refused as a whole."""
    outbox, door = outbox_with_door(most=2)
    door.is_open = False
    assert outbox.offer(events("a", "b"))
    assert not outbox.offer(events("c"))
    assert len(outbox) == 2
