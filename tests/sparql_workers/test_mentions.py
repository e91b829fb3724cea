"""What a query mentions is found whatever it is called in it."""

import pytest

from kb_server.core.terms import Names
from kb_server.sparql.mentions import mentioned, mentioned_models

OFFERED = ("isAtLeftOf", "<urn:far>")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ASK { ?x oro:isAtLeftOf ?y }", ["isAtLeftOf"]),
        ("PREFIX : <http://kb.openrobots.org#> ASK { ?x :isAtLeftOf/:near ?y }", ["isAtLeftOf"]),
        ("PREFIX k: <http://kb.openrobots.org#isAt> ASK { ?x k:LeftOf ?y }", ["isAtLeftOf"]),
        ("ASK { ?x <http://kb.openrobots.org#isAtLeftOf> ?y }", ["isAtLeftOf"]),
        ("BASE <urn:> ASK { ?x <far> ?y }", ["<urn:far>"]),
        ("ASK { ?x oro:is\\u0041tLeftOf ?y }", ["isAtLeftOf"]),
        ("ASK { ?x oro:isAt\\LeftOf ?y }", ["isAtLeftOf"]),
        ("BASE <http://kb.openrobots.org/x/y> ASK { ?x <../#isAtLeftOf> ?y }", ["isAtLeftOf"]),
        ("BASE <http://kb.openrobots.org/x> ASK { ?x <./far> ?y }", ["<urn:far>"]),
        ("ASK { ?x oro:LeftOf ?y . oro:f a oro:Ball }", []),
        ("ASK { ?x a ?y FILTER(REGEX(STR(?x), '\\\\d') && STR(?y) != '50%') }", []),
        ("ASK { ?x oro:isIn%20 ?y }", []),
        ("ASK { ?x oro:isIn 'oro:isAtLeftOf' } # oro:isAtLeftOf", []),
        ("ASK { ?x ?p ?y }", []),
    ],
)
def test_mentioned(text: str, found: list[str]) -> None:
    """A predicate is mentioned by any prefix, base or escape, and not in strings or comments."""
    assert mentioned(text, OFFERED, Names()) == found


@pytest.mark.parametrize(
    "text",
    [
        "ASK { << oro:ball oro:isIn oro:box >> oro:hasProbability ?p }",
        "ASK { ?f rdf:reifies <<( oro:ball oro:isIn oro:box )>> }",
    ],
)
def test_a_statement_is_mentioned_by_its_parts(text: str) -> None:
    """Who asks about a statement asks for what things say of the three parts of one."""
    offered = ("rdf:subject", "rdf:predicate", "rdf:object", "isOn")
    assert mentioned(text, offered, Names()) == list(offered[:3])
    for behind in ("{| ?p ?o |}", "~ ?f", "~ ?f {|?p ?o|}"):
        said = f"ASK {{ oro:ball oro:isIn oro:box {behind} }}"
        assert mentioned(said, offered, Names()) == list(offered[:3])
    assert mentioned("ASK { ?x oro:isIn '<<' FILTER(1 < 2) }", offered, Names()) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ASK { GRAPH ?g { ?x ?p ?y } }", ["myself", "sally"]),
        ("ASK { graph $g { ?x ?p ?y } }", ["myself", "sally"]),
        ("ASK FROM NAMED model:sally { GRAPH ?g { ?x ?p ?y } }", ["sally"]),
        ("ASK { GRAPH model:sally { ?graph ?g ?y } }", ["sally"]),
        ("ASK { ?x ?p 'GRAPH ?g' }", []),
        ("ASK FROM <../model/sally> { ?x ?p ?y }", ["sally"]),
        ("ASK { ?x ?p oro:sally FILTER(REGEX(STR(?x), '\\\\d')) }", []),
    ],
)
def test_models_that_may_be_meant(text: str, found: list[str]) -> None:
    """A query that visits graphs by a variable may mean every model, unless it says which."""
    assert mentioned_models(text, ["myself", "sally"], Names()) == found


def test_a_model_within_another_is_another() -> None:
    """What names Anne's model does not name what Sally thinks of Anne, nor does Anne herself."""
    models = ["anne", "sally.anne"]
    assert mentioned_models("ASK { GRAPH model:anne { ?x ?p ?y } }", models, Names()) == ["anne"]
    assert mentioned_models("ASK { GRAPH model:sally.anne {} }", models, Names()) == ["sally.anne"]
    assert mentioned_models("ASK { ?x ?p oro:anne }", models, Names()) == []


def test_rdf_type_may_be_computed() -> None:
    """The short form of rdf:type names it, too."""
    for text in ("ASK { ?x a ?y }", "ASK { ?x rdf:type ?y }"):
        assert mentioned(text, ["a"], Names()) == ["a"]
