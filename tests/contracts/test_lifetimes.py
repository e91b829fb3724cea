"""Facts that end by themselves."""

from kb_server import Blackboard

_PATIENCE = 10.0


def test_the_end_of_a_fact_is_told(kb: Blackboard, mind: str) -> None:
    """A short life ends as an event, with nothing else happening, and takes along what followed."""
    with kb.subscribe(mind, "box contains ?o", on="both") as events:
        kb.add(mind, "ball isIn box", ttl=0.1)
        assert events.next(_PATIENCE).kind == "appear"
        assert events.next(_PATIENCE).kind == "disappear"
    assert not kb.check(mind, "ball isIn box")
    assert [line.op for line in kb.history(mind, s="ball", p="isIn")] == ["became_true", "ceased"]


def test_a_longer_life_wins(kb: Blackboard, mind: str) -> None:
    """What is told again for longer lives on when the first life is over."""
    kb.add(mind, "cup isIn box", ttl=1_000)
    kb.add(mind, "cup isIn box", "ball isIn box", ttl=0.1)
    with kb.subscribe(mind, "?o isIn box", on="disappear", after=0) as events:
        assert events.next(_PATIENCE).bindings == {"o": "ball"}
    assert kb.check(mind, "cup isIn box")


def test_a_life_beyond_all_dates(kb: Blackboard, mind: str) -> None:
    """A fact that outlives the calendar is listed as one that never ends."""
    kb.add(mind, "ball isIn box", ttl=1e12)
    kb.add(mind, "cup isIn box", ttl=2e11)
    ends = {fact.fact: fact.expires for fact in kb.facts(mind, kind="asserted")}
    assert ends["ball isIn box"] is None
    assert ends["cup isIn box"] is not None


def test_memories_have_lengths(kb: Blackboard, mind: str) -> None:
    """A memory's name says how long a fact is kept."""
    kb.add(mind, "a b c", memory="short_term")
    kb.add(mind, "d e f", memory="episodic")
    kb.add(mind, "g h i")
    lives = {
        fact.fact: fact.expires and fact.since and (fact.expires - fact.since).total_seconds()
        for fact in kb.facts(mind, kind="asserted")
    }
    assert lives == {"a b c": 10.0, "d e f": 300.0, "g h i": None}
