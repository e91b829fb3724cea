"""What a change costs those who wait for something else: nothing."""

from tests.events.boards import in_house

FITTING = (
    "ball isNear door",
    "ball isNear ?o",
    "ball ?p door",
    "?s isNear door",
    "ball ?p ?o",
    "?s isNear ?o",
    "?s ?p door",
    "?s ?p ?o",
)
OTHERS = ("cup isNear door", "ball isFarFrom ?o", "ball ?p wall", "?s isFarFrom door", "cup ?p ?o")


def test_a_change_visits_only_the_subscriptions_that_mention_it() -> None:
    """Of 10 000 subscriptions on as many objects, a fact about one visits that one."""
    told = in_house()
    for i in range(10_000):
        told.subscribe(f"s{i}", f"o{i} isNear ?where", on="appear")
    told.revise("o77 isNear door")
    assert told.news() == ["+s77 where=door"]
    assert told.events.visited == 1
    told.revise("nobody isNear door", "o77 isFarFrom window")
    assert told.events.visited == 1


def test_a_change_that_ten_mention_visits_ten() -> None:
    """Beside 10 000 others, the ten subscriptions that a fact fits are the ten looked at."""
    told = in_house()
    for i in range(10_000):
        told.subscribe(f"s{i}", f"o{i} isNear ?where", on="appear")
    for i in range(10):
        told.subscribe(f"ten{i}", "ball isNear ?where", "?where a Door", on="appear")
    told.revise("ball isNear door")
    assert told.events.visited == 10
    assert told.news() == []
    told.revise("door a Door")
    assert told.events.visited == 20
    assert len(told.news()) == 10


def test_patterns_of_every_shape_are_filed_under_their_constants() -> None:
    """Whichever of its terms a pattern names, the fact finds it, and no other pattern."""
    told = in_house()
    for i, text in enumerate(FITTING):
        told.subscribe(f"fits{i}", text, on="appear")
    for i, text in enumerate(OTHERS):
        told.subscribe(f"other{i}", text, on="appear")
    told.revise("ball isNear door")
    assert told.events.visited == 8
    assert sorted(text.split()[0] for text in told.news()) == [f"+fits{i}" for i in range(8)]


def test_the_ended_are_not_visited() -> None:
    """What is unsubscribed leaves nothing behind that a change would visit."""
    told = in_house()
    for i in range(100):
        told.subscribe(f"s{i}", "ball isNear ?where", "?where a *")
        assert told.events.unsubscribe(f"s{i}")
    told.revise("ball isNear door")
    assert told.events.visited == 0
