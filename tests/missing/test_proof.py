"""What a board infers of a thing that is missing, and how it proves that."""

from collections.abc import Callable, Iterator
from typing import Final

import pytest

from kb_server import Blackboard, Proof
from tests.missing.acts import (
    AWAY,
    CUP,
    carried,
    carried_on,
    cellar,
    fallen,
    held,
    hide,
    slid,
)
from tests.plays.conftest import Staged
from tests.plays.play import Play


def out_of_view(play: Play) -> Play:
    play.see(cup=CUP).wait(1.0).miss("cup").people["myself"] = {"head": AWAY}
    return play.wait(2.0)


def unknown(play: Play) -> Play:
    return play.see(cup=CUP).wait(1.0).miss("cup").wait(2.0)


CASES: Final = [
    ("held", "cup isHiddenInHandOf sally", held),
    ("carried", "cup isCarriedIn bucket", carried),
    ("carried", "cup isCarriedOn tray", carried_on),
    ("fallen", "cup hasFallenFrom table", fallen),
    ("slid", "cup hasSlidOn table", slid),
    ("out of view", "cup isOutOfViewOf myself", out_of_view),
    ("occluded", "cup isOccludedBy carton", hide),
    ("unknown", "cup isUnaccountedFor true", unknown),
]


@pytest.fixture
def kb() -> Iterator[Blackboard]:
    with Blackboard.local() as board:
        yield board


def tell(kb: Blackboard, play: Play, begin: int = 0) -> None:
    """Brings what the reasoner told to the board, as `perceive` does."""
    for t, delta in play.told[begin:]:
        kb.create(delta.model)
        kb.revise(
            delta.model,
            add=delta.add,
            retract=delta.retract,
            memory=delta.memory,
            source="spatial",
            t=t,
        )
        assert kb.consistency(delta.model).consistent, delta


def leaves(proof: Proof) -> set[tuple[str, str]]:
    """The facts that a proof ends at, and what kind they are."""
    if not proof.because:
        return {(proof.fact, proof.kind)}
    return {leaf for way in proof.because for each in way.premises for leaf in leaves(each)}


@pytest.mark.parametrize(("word", "fact", "act"), CASES)
def test_a_reason_is_proved_by_what_was_asserted(
    kb: Blackboard, staged: Staged, word: str, fact: str, act: Callable[[Play], Play]
) -> None:
    """The reason follows from the fact that names who or what it is, and from nothing else."""
    tell(kb, act(staged(cellar("sally"))))
    proof = kb.explain("myself", f'cup missingReason "{word}"')
    assert proof.kind == "inferred"
    assert leaves(proof) == {(fact, "asserted")}
    assert kb.find("myself", "cup missingReason ?why") == [{"why": f'"{word}"'}]
    missing = kb.explain("myself", "cup a MissingThing")
    assert (fact, "asserted") in leaves(missing)
    assert kb.find("myself", "?x a MissingThing") == [{"x": "cup"}]


def test_a_reason_ends_with_what_it_follows_from(kb: Blackboard, staged: Staged) -> None:
    """When the cup is perceived again it is no missing thing, and has no reason to be."""
    play = hide(staged(cellar()))
    tell(kb, play)
    assert kb.check("myself", "cup a MissingThing", "cup isMissingBecauseOf carton")
    begin = len(play.told)
    tell(kb, play.see(cup=(0.3, 0.6, 0.8)).wait(0.4), begin)
    assert not kb.check("myself", "cup a MissingThing")
    assert not kb.check("myself", "cup missingReason ?why")
    assert not kb.check("myself", "cup isMissingBecauseOf ?what")


def test_a_reason_makes_nobody_an_agent(kb: Blackboard, staged: Staged) -> None:
    """A carton that hides something gets no mind."""
    tell(kb, hide(staged(cellar())))
    assert [info.id for info in kb.models()] == ["myself"]
