"""What a query mentions is found whatever it is called in it."""

import time

import pytest

from kb_server.core.questions.reification import PARTS, ProviderQuestion
from kb_server.core.terms.terms import Names
from kb_server.sparql.mentions import mentioned, mentioned_models, wanted_in

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


LIKELY = "hasProbability"
NAMED = ("ball", "isIn", "box")
SAID = "<< oro:ball oro:isIn oro:box >>"
BY_PARTS = "?f rdf:subject oro:ball ; rdf:predicate oro:isIn ; rdf:object oro:box"


def about(text: str) -> list[tuple[str | None, ...] | None]:
    """Which statements a query wants the probabilities of; None for those of all."""
    wishes = wanted_in(text, (*PARTS, LIKELY), Names())
    assert all(wish.subject is wish.object is None for wish in wishes)
    return [wish.about for wish in wishes if wish.predicate == LIKELY]


@pytest.mark.parametrize(
    "text",
    [
        f"ASK {{ {SAID} oro:hasProbability ?p }}",
        f"ASK {{ {BY_PARTS} ; oro:hasProbability ?p FILTER (?p > 0.1) }}",
        f"ASK {{ {BY_PARTS} . ?x oro:near ?y , oro:cup . ?f oro:hasProbability ?p . }}",
        f"SELECT ?g {{ GRAPH ?g {{ {SAID} oro:hasProbability ?p }} }} ORDER BY ?g",
        f"ASK {{ ?x a oro:Ball OPTIONAL {{ {SAID} oro:hasProbability ?p }} }}",
        "ASK { << oro:ball oro:isIn oro:box ~ ?f >> a ?k . ?f oro:hasProbability ?p }",
        "ASK { oro:ball oro:isIn oro:box {| oro:hasProbability ?p |} }",
        "ASK { oro:ball oro:isIn oro:box ~ ?f {| a ?k |} . ?f oro:hasProbability ?p }",
        "ASK { ?f rdf:reifies <<( oro:ball oro:isIn oro:box )>> ; oro:hasProbability 0.5 }",
        "PREFIX : <http://kb.openrobots.org#> ASK { << :ball :isIn :box >> :hasProbability ?p }",
    ],
)
def test_one_statement_is_meant(text: str) -> None:
    """Who names a statement, in whichever way, wants to be told of that one alone."""
    assert about(text) == [NAMED]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ASK { << oro:ball oro:isOn ?x >> oro:hasProbability ?p }", [("ball", "isOn", None)]),
        ("ASK { << ?x ?y oro:box >> oro:hasProbability ?p }", [(None, None, "box")]),
        ("ASK { ?f rdf:subject oro:ball ; oro:hasProbability ?p }", [("ball", None, None)]),
        (
            f"ASK {{ {SAID} oro:hasProbability ?p . << oro:cup ?r ?x >> oro:hasProbability ?q }}",
            [NAMED, ("cup", None, None)],
        ),
    ],
)
def test_some_statements_are_meant(text: str, found: list[tuple[str | None, ...]]) -> None:
    """What is said of some statements is wanted of those, as far as they are named."""
    assert about(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "ASK { ?f oro:hasProbability ?p }",
        f"ASK {{ {SAID} oro:hasProbability ?p . ?f oro:hasProbability ?q }}",
        f"ASK {{ {SAID} oro:hasProbability|oro:near ?p }}",
        f"ASK {{ {SAID} oro:hasProbability/^oro:hasProbability ?f }}",
        f"ASK {{ {SAID} oro:hasProbability ?p . ?f ^oro:hasProbability ?q }}",
        f"ASK {{ {{ {BY_PARTS} }} UNION {{ ?f oro:hasProbability ?p }} }}",
        f"ASK {{ VALUES ?r {{ oro:x oro:hasProbability 1 }} {SAID} oro:hasProbability ?p }}",
        f"ASK {{ VALUES (?r ?x) {{ (oro:hasProbability 1) }} {SAID} oro:hasProbability ?p }}",
        f"ASK {{ {SAID} oro:hasProbability ?p FILTER (?r = oro:hasProbability) }}",
        f"CONSTRUCT {{ ?f oro:hasProbability ?p }} WHERE {{ {SAID} oro:hasProbability ?p }}",
        "PREFIX oro: <urn:x#> ASK { << oro:ball oro:isIn oro:box >> oro:hasProbability ?p }",
        f"ASK {{ {' '.join(f'<< oro:b{k} ?r ?x >> oro:hasProbability ?p .' for k in range(9))} }}",
    ],
)
def test_all_statements_may_be_meant(text: str) -> None:
    """Where anything else may want a probability, all are wanted, and so are those of very many."""
    assert about(text) == [None]


def test_a_statement_by_its_name() -> None:
    """A statement that has a name is wanted by that; of other predicates no subject is told."""
    text = "ASK { oro:ball_isIn_box oro:hasProbability ?p ; oro:isAtLeftOf ?x }"
    wishes = wanted_in(text, (LIKELY, "isAtLeftOf"), Names())
    assert wishes == [
        ProviderQuestion("ball_isIn_box", LIKELY, None),
        ProviderQuestion(None, "isAtLeftOf", None),
    ]


@pytest.mark.parametrize("text", ["(", ") {", "{| oro:b oro:c ", "<< ", "?x ?y ", "{", "}", "~ "])
def test_hostile_texts_are_read_in_time(text: str) -> None:
    """However often something is opened and not closed, all is wanted, and soon."""
    start = time.perf_counter()
    assert None in about(f"ASK {{ oro:a oro:b oro:c {text * 30_000} ?f oro:hasProbability ?p }}")
    assert time.perf_counter() - start < 5.0
