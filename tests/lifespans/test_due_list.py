"""The list of what is due grows with what is held, not with what has happened."""

from kb_server.core.models.lifespans import FOREVER, DueList
from tests.events.boards import in_house

BALL = ("ball", "isIn", "box")
MANY = 1_000_000


def test_a_fact_renewed_a_million_times_has_no_million_entries() -> None:
    """Renewing one fact, each time for longer, leaves a list of a few entries."""
    due = DueList()
    for i in range(MANY):
        due.add(100.0 + i * 1e-3, "myself", BALL)
    assert len(due) <= 2_000


def test_a_life_shortened_a_million_times_has_no_million_entries() -> None:
    """A fact asserted anew, each time for shorter, leaves few entries and is due at the first."""
    due = DueList()
    for i in range(MANY):
        due.add(1e6 - i * 1e-3, "myself", BALL)
    assert len(due) <= 2_000
    assert due.next_due() == 1e6 - (MANY - 1) * 1e-3


def test_a_board_that_renews_all_day_keeps_no_more_than_it_holds() -> None:
    """Facts renewed over and over end when they should, and the board wakes for nothing seldom."""
    told = in_house()
    for i in range(5_000):
        told.revise("ball isIn box", "cup isIn box", ttl=1_000.0, now=i * 0.04)
    assert len(told.board._due) <= 2_000
    end = 4_999 * 0.04 + 1_000.0
    woken = 0
    while (due := told.board.next_due()) < FOREVER:
        woken += 1
        deltas = told.board.expire(due)
        assert bool(deltas) == (due == end)
    assert woken <= 200
    assert not told.holds("ball isIn box")
