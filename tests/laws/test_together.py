"""The laws of a change of several models: it is the changes one after the other, or none."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.models.board import Board, BoardSettings
from kb_server.core.models.delta import ModelDelta
from kb_server.core.models.revision import Revision, read_revision
from kb_server.errors import BoardError, TooCostly
from tests.events.worlds import FACTS
from tests.models.boards import board_of, everything, revise
from tests.trials import law

MODELS = ("myself", "sally", "anne")
AXIOMS = """
:p a owl:TransitiveProperty ; rdfs:domain :A . :q rdfs:subPropertyOf :p . :A rdfs:subClassOf :B .
:A owl:disjointWith :C .
"""
LINES = st.lists(FACTS, max_size=4).map(tuple)
WISHES = st.dictionaries(
    st.sampled_from((*MODELS, "nobody")), st.tuples(LINES, LINES, st.booleans()), max_size=4
)
Wanted = Mapping[str, tuple[tuple[str, ...], tuple[str, ...], bool]]


def board(settings: BoardSettings | None = None) -> Board:
    """Three models in which something follows."""
    made = board_of(AXIOMS, settings)
    for name in MODELS[1:]:
        made.create(name)
    revise(made, add=["x p y", "y p z"])
    revise(made, "sally", add=["x q y"])
    return made


def revisions(made: Board, wanted: Wanted) -> dict[str, Revision]:
    return {
        name: read_revision(made.names, retract=out, add=new, if_consistent=careful)
        for name, (out, new, careful) in wanted.items()
    }


@law(150)
@given(WISHES)
def test_together_is_one_after_the_other_or_nothing(wanted: Wanted) -> None:
    """A change of several models tells what single changes tell, or leaves all as it was."""
    together, singly = board(), board()
    heard: list[ModelDelta] = []
    together.on_delta.append(heard.append)
    before = everything(together)
    try:
        made = together.revise_all(revisions(together, wanted), 1.0)
    except BoardError:
        assert everything(together) == before
        assert heard == []
        return
    one_by_one = [singly.revise(n, r, 1.0) for n, r in revisions(singly, wanted).items()]
    assert made == heard == [delta for delta in one_by_one if delta]
    assert [together.model(name).facts() for name in MODELS] == [
        singly.model(name).facts() for name in MODELS
    ]


def test_the_last_refusal_undoes_the_first_change() -> None:
    """When the last model's change costs too much, no model has changed and nobody was told."""
    made = board(BoardSettings(derivations=200, derivations_each=1))
    heard: list[ModelDelta] = []
    made.on_delta.append(heard.append)
    before = everything(made)
    chain = tuple(f"n{i} p n{i + 1}" for i in range(200))
    wanted = {"sally": (("z p x",), ("x a A",), False), "myself": ((), chain, False)}
    with pytest.raises(TooCostly):
        made.revise_all(revisions(made, wanted), 1.0)
    assert everything(made) == before
    assert heard == []
