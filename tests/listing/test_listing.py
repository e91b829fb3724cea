"""Facts are listed page by page, each once, with what is known of them."""

from typing import Any

import pytest

import ontology
from kb_server.core.models.board import Board
from kb_server.core.models.revision import read_revision
from kb_server.core.questions.listing import FactQuery, list_facts
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.statements import write
from kb_server.errors import BadRequest

COMMON = CommonSense([path.read_text() for path in ontology.files()])


@pytest.fixture
def board() -> Board:
    board = Board(COMMON)
    put = ["ball a Ball", "ball isIn box", "Ball rdfs:subClassOf Artifact"]
    board.revise("myself", read_revision(board.names, add=put, source="eyes"), 5.0)
    lasting = read_revision(board.names, add=["sally looksAt ball"], memory="short_term")
    board.revise("myself", lasting, 7.0)
    return board


def test_pages_together_are_all_the_facts(board: Board) -> None:
    """Following the cursors gives every fact of the model once, in order."""
    model = board.model("myself")
    seen, cursor = list[str](), ""
    while True:
        page = list_facts(model, FactQuery(limit=3, cursor=cursor or None))
        seen += [write(record.fact) for record in page.facts]
        if page.next is None:
            break
        cursor = page.next
    assert seen == sorted(map(write, model.facts()))


def test_kinds_part_the_facts(board: Board) -> None:
    """A fact is asserted or inferred; an assertion of what common sense holds counts as one."""
    model = board.model("myself")
    told = {write(r.fact) for r in list_facts(model, FactQuery(kind="asserted")).facts}
    inferred = {write(r.fact) for r in list_facts(model, FactQuery(kind="inferred")).facts}
    assert told == {
        "ball a Ball",
        "ball isIn box",
        "Ball rdfs:subClassOf Artifact",
        "sally looksAt ball",
    }
    assert "box contains ball" in inferred
    assert not told & inferred


def test_a_record_says_what_is_known(board: Board) -> None:
    """A record has the memory, end, beginning and source of its assertion."""
    (record,) = list_facts(board.model("myself"), FactQuery(s="sally", p="looksAt")).facts
    assert (record.kind, record.memory, record.since, record.expires, record.source) == (
        "asserted",
        "short_term",
        7.0,
        17.0,
        None,
    )
    (contained,) = list_facts(board.model("myself"), FactQuery(s="box", p="contains")).facts
    assert (contained.kind, contained.memory, contained.since) == ("inferred", None, 5.0)


def test_a_source_has_its_own_facts(board: Board) -> None:
    """Facts can be listed by who said them."""
    found = list_facts(board.model("myself"), FactQuery(source="eyes")).facts
    assert {write(r.fact) for r in found} == {
        "ball a Ball",
        "ball isIn box",
        "Ball rdfs:subClassOf Artifact",
    }


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": 10**9}, {"kind": "odd"}])
def test_a_bad_request_is_refused(board: Board, wrong: dict[str, Any]) -> None:
    """A limit or kind that can't be is refused by name."""
    with pytest.raises(BadRequest, match=next(iter(wrong))):
        list_facts(board.model("myself"), FactQuery(**wrong))
