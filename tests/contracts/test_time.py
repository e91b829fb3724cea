"""What was, and what happened to it."""

import pytest

from kb_server import BadRequest, Blackboard


def test_history(kb: Blackboard, mind: str) -> None:
    """Each fact tells when it became true and when it ceased, oldest first."""
    one = kb.revise(mind, add=["ball isIn box"], source="eyes", t=12.5)
    two = kb.revise(mind, retract=["ball isIn box"], add=["ball isIn basket"])
    told = [(line.seq, line.op, line.fact) for line in kb.history(mind, s="ball", p="isIn")]
    assert told == [
        (one.seq, "became_true", "ball isIn box"),
        (two.seq, "ceased", "ball isIn box"),
        (two.seq, "became_true", "ball isIn basket"),
    ]
    first = kb.history(mind, s="ball", p="isIn", until=one.seq)[0]
    assert (first.source, first.source_t) == ("eyes", 12.5)
    assert kb.history(mind, s="ball", since=two.seq + 10) == []
    assert kb.history(mind).complete is True
    assert [line.seq for line in kb.history(mind, o="basket", since=first.t)] != []


def test_at_a_delta(kb: Blackboard, mind: str) -> None:
    """A question of the past is answered with what held then, inferences included."""
    one = kb.add(mind, "ball isIn box")
    kb.revise(mind, retract=["ball isIn box"], add=["ball isIn basket"])
    assert kb.find(mind, "ball isAt ?where", at=one.seq) == [{"where": "box"}]
    assert kb.check(mind, "basket contains ball", at=one.seq) is False
    then = [fact.fact for fact in kb.facts(mind, kind="asserted", at=str(one.seq))]
    assert then == ["ball isIn box"]
    assert "ball isIn box" in kb.divergence(mind, at=one.seq).only_here


def test_at_a_time(kb: Blackboard, mind: str) -> None:
    """A moment may be told as a time."""
    kb.add(mind, "ball isIn box")
    (line,) = kb.history(mind, s="ball", p="isIn")
    kb.retract(mind, "ball isIn *")
    assert kb.check(mind, "ball isIn box", at=line.t)
    assert kb[mind].check("ball isIn box", at=line.t.isoformat())


def test_times_before_1970(kb: Blackboard, mind: str) -> None:
    """A time before the clocks of computers is one as others: nothing held then."""
    kb.revise(mind, add=["ball isIn box"], t="1969-12-31T23:59:59Z")
    (line,) = kb.history(mind, s="ball", p="isIn")
    assert line.source_t == -1.0
    assert not kb.check("myself", "ball isIn box", at="1900-01-01T00:00:00Z")


def test_a_time_without_a_zone_is_refused(kb: Blackboard, mind: str) -> None:
    """Nobody knows what a time without its zone means."""
    kb.add(mind, "ball isIn box")
    now = kb.history(mind, s="ball")[0].t.replace(tzinfo=None)
    with pytest.raises(BadRequest):
        kb.check(mind, "ball isIn box", at=now)


def test_the_delta_to_come_is_refused(kb: Blackboard, mind: str) -> None:
    """There is no answer from the future."""
    newest = kb.add(mind, "ball isIn box").seq
    with pytest.raises(BadRequest):
        kb.check(mind, "ball isIn box", at=newest + 1_000_000)
