"""The laws of lifetimes: an expiry is a retraction at its time, and the longest life wins."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.events.events import Events, SubscriptionEvent
from kb_server.core.models.lifespans import FOREVER
from kb_server.core.models.revision import Revision
from kb_server.core.terms.statements import read_pattern
from kb_server.errors import BadRequest
from tests.events.boards import in_house
from tests.events.worlds import World, board_of, frozen, happens, revision_of, worlds
from tests.trials import law

LAW = law(250)
Heard = list[tuple[str, str, int, frozenset[tuple[str, str]]]]


def heard_of(event: SubscriptionEvent) -> tuple[str, str, int, frozenset[tuple[str, str]]]:
    return event.sub, event.kind, event.seq, frozen(event.bindings)


def teller(told: Heard) -> Callable[[SubscriptionEvent], None]:
    """Notes what is told."""
    return lambda event: told.append(heard_of(event))


def expiry_is_retraction(world: World) -> None:
    """Two boards alike; on one the facts expire, on the other they are withdrawn by hand."""
    boards = [board_of(world.ontology) for _ in range(2)]
    heard: list[Heard] = [[], []]
    for board, told in zip(boards, heard, strict=True):
        events = Events(board, teller(told))
        for i, wish in enumerate(world.wishes):
            wanted = [read_pattern(text, board.names) for text in wish.patterns]
            events.subscribe(str(i), wish.model, wanted, "both")
    now = 0.0
    for change in world.changes:
        if change.model is None:
            continue
        short = revision_of(boards[0], change)
        for board in boards:
            try:
                board.revise(change.model, short, now)
            except BadRequest:
                continue
    for now in (1.0, 3.0):
        ended = boards[0].expire(now)
        for delta in ended:
            same = boards[1].revise(delta.model, Revision(retract=delta.withdrawn), now)
            assert same is not None
            assert set(same.ceased) == set(delta.ceased)
            assert set(same.became_true) == set(delta.became_true)
            assert set(same.withdrawn) == set(delta.withdrawn)
    assert sorted(heard[0], key=repr) == sorted(heard[1], key=repr)
    for name in ("myself", "sally"):
        one, other = (board.model(name) for board in boards)
        assert one.facts() == other.facts()
        assert one.assertions == other.assertions
        assert all(a.expires == FOREVER for a in one.assertions.values())


@LAW
@given(worlds())
def test_expiry_tells_the_same_as_retraction(world: World) -> None:
    """What ceases, what follows and what subscribers hear is the same as if it were withdrawn."""
    expiry_is_retraction(world)


def nothing_outlives_its_time(world: World) -> None:
    board = board_of(world.ontology)
    now = 0.0
    for change in world.changes:
        now += change.wait
        try:
            happens(board, change, now)
        except BadRequest:
            continue
        ends = [
            assertion.expires
            for name in ("myself", "sally")
            for assertion in board.model(name).assertions.values()
        ]
        if change.model is None:
            assert all(end > now for end in ends)
        assert board.next_due() <= min(ends, default=FOREVER)


@LAW
@given(worlds())
def test_nothing_outlives_its_time(world: World) -> None:
    """After an expiry all that is asserted ends later, and the next end is never missed."""
    nothing_outlives_its_time(world)


Step = tuple[float, float | None, bool]
STEPS = st.lists(
    st.tuples(
        st.sampled_from((0.0, 0.25, 0.5, 1.0)),
        st.sampled_from((None, 0.25, 0.5, 1.0, 2.0)),
        st.booleans(),
    ),
    max_size=12,
)


@LAW
@given(STEPS)
def test_the_longest_life_wins(steps: list[Step]) -> None:
    """A fact asserted again and again ends at the latest of its ends, counted from a retraction."""
    told = in_house()
    now, end = 0.0, 0.0
    for wait, ttl, anew in steps:
        now += wait
        told.board.expire(now)
        told.revise("a isIn b", retract=["a isIn *"] if anew else [], ttl=ttl, now=now)
        mine = FOREVER if ttl is None else now + ttl
        end = mine if anew or end <= now else max(end, mine)
        assert told.board.model("myself").assertions[("a", "isIn", "b")].expires == end
        assert told.board.next_due() <= end
