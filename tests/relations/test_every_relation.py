"""Every predicate of a world stands in the ontology, in docs/scenes.md and in the page's words."""

import re
from pathlib import Path

import pytest

from ontology import files
from spatial_reasoner.relations.situation import FAMILIES

ROOT = Path(__file__).resolve().parents[2]
PREDICATES = sorted({family.predicate for family in FAMILIES.values()})


def text(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


@pytest.mark.parametrize("predicate", PREDICATES)
def test_the_ontology_declares_it(predicate: str) -> None:
    """Its property has a block of its own in an ontology file, with a comment."""
    turtle = "".join(path.read_text("utf-8") for path in files())
    block = re.search(rf"^(oro)?:{predicate} a owl:.*?\.$", turtle, re.MULTILINE | re.DOTALL)
    assert block is not None
    assert "rdfs:comment" in block[0]


@pytest.mark.parametrize("predicate", PREDICATES)
def test_the_page_on_scenes_says_when_it_holds(predicate: str) -> None:
    """`docs/scenes.md` names it in a row of its tables of facts."""
    rows = [line for line in text("docs/scenes.md").splitlines() if line.startswith("| `")]
    assert any(re.search(rf"\b{predicate}\b", row.split("|")[1]) for row in rows)


@pytest.mark.parametrize("predicate", PREDICATES)
def test_the_live_page_has_words_for_it(predicate: str) -> None:
    """`words.js` phrases it, and lists it in one of its groups."""
    words = text("kb_server/page/words.js")
    phrases, _, groups = words.partition("export const GROUPS")
    assert re.search(rf"^  {predicate}: ", phrases, re.MULTILINE)
    assert f'"{predicate}"' in groups.partition("];")[0]
