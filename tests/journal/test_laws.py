"""The laws of the journal: the board is its fold, whatever happened and whenever it was packed."""

from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.models.model import is_visible
from kb_server.errors import BadRequest, UnknownModel
from kb_server.journal.boards import board_at
from kb_server.journal.protocol import AtSeq, AtTime, PointInTime
from kb_server.journal.sqlite import SqliteJournal, memory_journal
from kb_server.journal.state import ModelRecord
from tests.events.worlds import Change, World, ontologies, revision_of, worlds
from tests.journal.boards import SMALL, Kept, common_of, everything
from tests.trials import law

LAW = law(150)
Turns = list[tuple[bool, str | None]]
TURNS = st.lists(
    st.tuples(st.booleans(), st.sampled_from((None, None, "make", "delete", "nest", "restart"))),
    min_size=12,
    max_size=12,
)


def happens(kept: Kept, change: Change, now: float) -> None:
    if change.model is None:
        kept.expire(now)
        return
    try:
        delta = kept.board.revise(change.model, revision_of(kept.board, change), now)
    except (BadRequest, UnknownModel):
        return
    if delta is not None:
        kept.keep([delta])


def lives(kept: Kept, what: str | None, now: float) -> None:
    names = [model.id for model in kept.board.models()]
    if what == "delete" and "sally" in names:
        kept.delete("sally", now)
    elif what == "make":
        kept.create("sally", now)
    elif what == "nest" and "sally" in names:
        kept.create("sally.anne", now)


def restarted(kept: Kept, now: float) -> Kept:
    """Another board on what is kept, as after a stop and a start."""
    journal = SqliteJournal(kept.journal.db, kept.board.names, SMALL)
    again = Kept(journal, kept.board.common, now)
    assert again.drift == []
    assert (journal.last_seq, journal.last_t) == (kept.journal.last_seq, kept.journal.last_t)
    again.deltas.extend(kept.deltas)
    again.expire(now)
    return again


def play(world: World, turns: Turns) -> tuple[Kept, dict[PointInTime, object]]:
    """Lets a world happen; also what the board was after each delta and at each time."""
    common = common_of(world.ontology)
    kept = Kept(memory_journal(common.names, SMALL), common)
    kept.create("sally")
    was: dict[PointInTime, object] = {AtSeq(0): everything(kept.board)}
    now = 0.0
    for change, (packs, what) in zip(world.changes, turns, strict=False):
        now += change.wait + 0.125
        happens(kept, change, now)
        was[AtSeq(kept.board.seq)] = everything(kept.board)
        lives(kept, what, now)
        if what == "restart":
            kept = restarted(kept, now)
        elif what == "expire":
            kept.expire(now)
        was[AtSeq(kept.board.seq)] = was[AtTime(now)] = everything(kept.board)
        if packs:
            kept.journal.maintain(now)
    return kept, was


@LAW
@given(worlds(), TURNS)
def test_a_restored_board_is_the_one_that_was(world: World, turns: Turns) -> None:
    """Models, facts, kinds, dates, lifetimes and numbers are the same, and nothing drifts."""
    kept, _ = play(world, turns)
    again = Kept(kept.journal, kept.board.common, 99.0)
    assert again.drift == []
    assert everything(again.board) == everything(kept.board)
    assert [d.model for d in again.board.expire(99.0)] == [d.model for d in kept.board.expire(99.0)]
    assert everything(again.board) == everything(kept.board)
    kept.journal.close()


@LAW
@given(worlds(), TURNS)
def test_a_restart_changes_nothing(world: World, turns: Turns) -> None:
    """A board that was restarted now and then does what one does that never was."""
    kept, _ = play(world, turns)
    never, _ = play(world, [(packs, "expire" if w == "restart" else w) for packs, w in turns])
    assert everything(kept.board) == everything(never.board)
    assert kept.deltas == never.deltas
    kept.journal.close()
    never.journal.close()


@LAW
@given(worlds(), TURNS, ontologies())
def test_the_board_is_the_fold_under_another_ontology(
    world: World, turns: Turns, ontology: str
) -> None:
    """What the ontology makes different is in the journal too, once."""
    kept, _ = play(world, turns)
    again = Kept(kept.journal, common_of(ontology), 99.0)
    state = kept.journal.state_at(kept.journal.place_at(AtSeq(again.board.seq)))
    assert state.models.keys() == {model.id for model in again.board.models()}
    for name, model in state.models.items():
        held = again.board.model(name).reasoner.everything()
        assert model.since.keys() == set(filter(is_visible, held))
        assert model.assertions == again.board.model(name).assertions
    assert Kept(kept.journal, common_of(ontology), 99.0).drift == []
    kept.journal.close()


@LAW
@given(worlds(), TURNS)
def test_the_past_is_what_was(world: World, turns: Turns) -> None:
    """The board at each moment is what it was then, whatever was packed or kept since."""
    kept, was = play(world, turns)
    for moment, then in was.items():
        assert everything(board_at(kept.journal, kept.board.common, moment)) == then
    kept.journal.close()


@LAW
@given(worlds(), TURNS)
def test_history_is_the_deltas(world: World, turns: Turns) -> None:
    """All deltas come back equal, and history tells what they say, in their order."""
    kept, _ = play(world, turns)
    assert list(kept.journal.deltas(0)) == kept.deltas
    for model in ("myself", "sally"):
        told = [
            (d.seq, d.t, op, fact)
            for d in kept.deltas
            if d.model == model
            for op, facts in (("ceased", d.ceased), ("became_true", d.became_true))
            for fact in facts
        ]
        assert [(h.seq, h.t, h.op, h.fact) for h in kept.journal.history(model)] == told
        wanted = [line for line in told if line[3][0] == "x"]
        assert [(h.seq, h.t, h.op, h.fact) for h in kept.journal.history(model, "x")] == wanted
    kept.journal.close()


def test_a_model_made_twice_is_there_once() -> None:
    """Records of models are folded in their order, between the deltas they stand between."""
    kept = Kept(memory_journal(common_of("").names, SMALL), common_of(""))
    for _ in range(3):
        kept.create("sally")
        kept.delete("sally")
    kept.keep([ModelRecord(0, "bob", True, 0.0)])
    assert [m.id for m in Kept(kept.journal, common_of("")).board.models()] == ["myself", "bob"]
    kept.journal.close()
