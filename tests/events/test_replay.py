"""The law of replay: what is worked out afterwards is what was told at the time."""

from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.events.events import SubscriptionEvent
from kb_server.core.events.replay import EventReplay, changes_of, held_before
from kb_server.core.events.subscriptions import Wish, models_of
from kb_server.core.facts.facts import FactView, VisibleView
from kb_server.core.questions.query import Row
from kb_server.errors import BadRequest, UnknownModel
from tests.events.test_laws import ON, Observed
from tests.events.worlds import MODELS, Change, World, happens, worlds
from tests.trials import law


def said(events: list[SubscriptionEvent]) -> list[tuple[object, ...]]:
    """Events in an order of their own within each delta and kind."""
    return sorted((e.seq, e.kind, *map(rows, ((e.bindings,), e.only_here, e.only_there)))
                  for e in events)  # fmt: skip


def rows(side: tuple[Row, ...]) -> str:
    return str(sorted(sorted(row.items()) for row in side))


class Resumed:
    """One who replays what happened since some delta, while more happens."""

    def __init__(self, o: Observed, wish: Wish, after: int) -> None:
        self.o, self.wish = o, wish
        self.replay = EventReplay(wish, self.live)
        missed = [d for d in o.deltas if d.seq > after]
        models = models_of(wish)
        changes = changes_of(wish.patterns, missed)
        self.changes = [change for change in changes if change.model in models]
        self.replay.rewind(held_before(self.changes))
        o.board.on_delta.append(self.replay.live_changed)

    def live(self, model: str) -> FactView:
        try:
            return self.o.board.model(model).view
        except UnknownModel:
            return VisibleView(self.o.board.common.reasoner.view)

    def told(self) -> list[SubscriptionEvent]:
        """What it is told on its way to the moment at which it began."""
        return [event for change in self.changes for event in self.replay.step(change)]


def play(o: Observed, change: Change | None) -> None:
    """A change, or Sally's model deleted and made again."""
    if change is not None:
        o.play(change)
    elif "sally" in {m.id for m in o.board.models()}:
        o.board.delete("sally", o.now)
    else:
        o.board.create("sally")


def happens_meanwhile(o: Observed, changes: tuple[Change, ...]) -> None:
    for change in changes:
        try:
            happens(o.board, change, o.now + change.wait)
        except (BadRequest, UnknownModel):
            continue


@law(300)
@given(worlds(), st.integers(0, 12), st.lists(st.integers(0, 9), max_size=3), st.booleans())
def test_what_was_missed_is_told_as_it_would_have_been(
    world: World, after: int, deleted: list[int], compares: bool
) -> None:
    """From any delta on, whatever came, went or was deleted since, the same events are told."""
    o = Observed(world)
    wishes: list[Wish] = []
    for i, wish in enumerate(world.wishes):
        wanted = o.read(wish.patterns)
        if compares:
            wishes.append(o.events.subscribe_divergence(str(i), *MODELS, wanted))
        else:
            wishes.append(o.events.subscribe(str(i), wish.model, wanted, ON[wish.on]))
    for i, change in enumerate(world.changes):
        for _ in range(deleted.count(i)):
            play(o, None)
        play(o, change)
    heard, newest = list(o.heard), o.board.seq
    missed = [Resumed(o, wish, min(after, newest)) for wish in wishes]
    happens_meanwhile(o, world.changes[:3])
    for asked, resumed in zip(wishes, missed, strict=True):
        live = [e for e in heard if e.sub == asked.id and e.seq > min(after, newest)]
        assert said(resumed.told()) == said(live)
