"""A person's words are only words, whatever the engine calls its own."""

import pytest

from kb_server.core.models.board import Board
from kb_server.core.models.revision import read_revision
from kb_server.core.questions.query import check
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.rules.checks import SWRL_CHECKS
from kb_server.core.terms.statements import read_pattern

_WORDS = (
    *("inside", "outside", "among", "before", "counts", "individuals", "unequal", "clash"),
    *(word.lstrip("!") for word in SWRL_CHECKS.values()),
)
_RULE = (
    "_:r a swrl:Imp",
    "_:r swrl:body _:b",
    "_:b a swrl:AtomList",
    "_:b rdf:first _:b1",
    "_:b rdf:rest rdf:nil",
    "_:b1 a swrl:IndividualPropertyAtom",
    "_:b1 swrl:argument1 <urn:v#x>",
    "_:b1 swrl:argument2 <urn:v#y>",
    "_:r swrl:head _:h",
    "_:h a swrl:AtomList",
    "_:h rdf:first _:h1",
    "_:h rdf:rest rdf:nil",
    "_:h1 a swrl:IndividualPropertyAtom",
    "_:h1 swrl:argument1 <urn:v#y>",
    "_:h1 swrl:argument2 <urn:v#x>",
    "_:h1 swrl:propertyPredicate surrounds",
    "<urn:v#x> a swrl:Variable",
    "<urn:v#y> a swrl:Variable",
)


def _holds(board: Board, text: str) -> bool:
    pattern = read_pattern(text, board.names)
    return check([pattern], board.model("myself").view, board.budget())


@pytest.mark.parametrize("word", _WORDS)
def test_a_property_may_have_any_name(word: str) -> None:
    """A property named like one of the engine's checks reasons like any other."""
    board = Board(CommonSense([""]))
    axioms = [f"{word} rdfs:subPropertyOf near", f"_:b1 swrl:propertyPredicate {word}", *_RULE]
    board.revise("myself", read_revision(board.names, add=axioms), 0.0)
    board.revise("myself", read_revision(board.names, add=[f"ball {word} box"]), 1.0)
    assert _holds(board, "ball near box")
    assert _holds(board, "box surrounds ball")


@pytest.mark.parametrize("word", ["individuals", "oro:notEqual", "swrlb:individuals"])
def test_only_built_ins_of_swrl_are_built_ins(word: str) -> None:
    """A rule with a comparison that SWRL does not have is not read, rather than guessed at."""
    board = Board(CommonSense([""]))
    atom = (
        "_:b1 a swrl:BuiltinAtom",
        f"_:b1 swrl:builtin {word}",
        "_:b1 swrl:arguments _:a",
        "_:a rdf:first 1",
        "_:a rdf:rest _:a2",
        "_:a2 rdf:first 2",
        "_:a2 rdf:rest rdf:nil",
    )
    rule = [statement for statement in _RULE if not statement.startswith("_:b1")]
    board.revise("myself", read_revision(board.names, add=[*rule, *atom]), 0.0)
    assert not board.model("myself").reasoner.rules.instances
