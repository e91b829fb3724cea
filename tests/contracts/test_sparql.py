"""SPARQL, whichever way the board is reached."""

import pytest

from kb_server import BadQuery, Blackboard, QueryTooLarge, Refused, UnknownModel
from tests.contracts.boards import fresh_name


def test_rows(kb: Blackboard, mind: str) -> None:
    """A SELECT gives rows, whose values are terms as the board writes them."""
    kb.add(mind, "ball isIn box", "ball hasWeight 0.2", 'ball rdfs:label "le ballon"@fr')
    asked = "SELECT ?w ?l { oro:ball oro:isAt oro:box ; oro:hasWeight ?w ; rdfs:label ?l }"
    found = kb.query(asked, model=mind)
    assert list(found) == [{"w": "0.2", "l": '"le ballon"@fr'}]
    assert len(found) == 1
    assert kb[mind].query("SELECT ?o { ?o oro:isIn oro:box }").rows == ({"o": "ball"},)


def test_what_is_asked_with_yes_or_no(kb: Blackboard, mind: str) -> None:
    """An ASK is a condition, and can leave out what is inferred."""
    kb.add(mind, "ball isIn box")
    assert kb.query("ASK { oro:ball oro:isAt oro:box }", model=mind)
    assert not kb.query("ASK { oro:ball oro:isAt oro:box }", model=mind, inferred=False)


def test_texts(kb: Blackboard, mind: str) -> None:
    """A graph comes as text, and so does whatever is asked for as a media type."""
    kb.add(mind, "ball isIn box")
    graph = kb.query("CONSTRUCT WHERE { oro:ball oro:isIn ?b }", model=mind)
    assert graph.media == "text/turtle"
    assert "isIn" in (graph.text or "")
    table = kb.query("SELECT ?b { oro:ball oro:isIn ?b }", model=mind, accept="text/csv")
    assert (table.text or "").split() == ["b", "http://kb.openrobots.org#box"]


def test_another_model_in_the_same_query(kb: Blackboard, mind: str) -> None:
    """GRAPH reads another model."""
    other = fresh_name()
    kb.create(other)
    kb.add(mind, "ball isIn box")
    kb.add(other, "ball isIn basket")
    asked = f"SELECT ?b {{ GRAPH model:{other} {{ oro:ball oro:isIn ?b }} }}"
    assert kb.query(asked, model=mind).rows == ({"b": "basket"},)


def test_the_past(kb: Blackboard, mind: str) -> None:
    """A query may be asked of what held then."""
    seq = kb.add(mind, "ball isIn box").seq
    kb.retract(mind, "ball isIn box")
    assert kb.query("ASK { oro:ball oro:isAt oro:box }", model=mind, at=seq)
    assert not kb.query("ASK { oro:ball oro:isAt oro:box }", model=mind)


def test_updates(kb: Blackboard, mind: str) -> None:
    """An update is reasoned on and tells what it did to each model."""
    other = fresh_name()
    kb.create(other)
    kb.add(mind, "ball isIn box")
    made = kb.update_sparql(
        f"DELETE DATA {{ oro:ball oro:isIn oro:box }} ;"
        f"INSERT DATA {{ GRAPH model:{other} {{ oro:ball oro:isIn oro:basket }} }}",
        model=mind,
    )
    assert set(made) == {mind, other}
    assert "box contains ball" in made[mind].ceased
    assert "basket contains ball" in made[other].became_true
    assert kb.check(other, "ball isAt basket")


def test_what_is_refused(kb: Blackboard, mind: str) -> None:
    """Texts that are no SPARQL, too large, or reach outside are refused alike."""
    with pytest.raises(BadQuery):
        kb.query("SELECT", model=mind)
    with pytest.raises(QueryTooLarge):
        kb.query("SELECT * " + "{" * 20_000 + "}" * 20_000, model=mind)
    with pytest.raises(Refused):
        kb.query("SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", model=mind)
    with pytest.raises(UnknownModel):
        kb.query("ASK { ?s ?p ?o }", model="nobody")
    with pytest.raises(BadQuery):
        kb.update_sparql("INSERT", model=mind)
    with pytest.raises(Refused):
        kb.update_sparql("LOAD <http://127.0.0.1/>", model=mind)


def test_an_update_of_several_models(kb: Blackboard) -> None:
    """What an update did to each model comes in the order of their names, whichever way."""
    models = sorted(fresh_name(start) for start in ("zoe", "abe", "max"))
    for model in models:
        kb.create(model)
    data = " ".join(f"GRAPH model:{m} {{ oro:ball oro:isIn oro:box }}" for m in reversed(models))
    made = kb.update_sparql(f"INSERT DATA {{ {data} }}")
    assert list(made) == models
    assert [delta.seq for delta in made.values()] == sorted(delta.seq for delta in made.values())
