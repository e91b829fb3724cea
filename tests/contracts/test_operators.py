"""A model as people write it, for who blocks."""

from collections.abc import Iterator

import pytest

from kb_server import Blackboard
from tests.contracts.boards import fresh_name, opened, untyped
from tests.service.servers import Server


@pytest.fixture(params=["local", "network"])
def kb(request: pytest.FixtureRequest) -> Iterator[Blackboard]:
    """A board whose verbs can stand behind signs."""

    def url() -> str:
        server: Server = request.getfixturevalue("server")
        return server.url

    with opened(request.param, url) as board:
        yield board


def test_a_model_reads_as_people_write_it(kb: Blackboard) -> None:
    """Facts are added, withdrawn, asked for and found by the signs of the language."""
    name = fresh_name("sally")
    kb.create(name)
    sally = kb[name]
    sally += ["ball isIn basket", ("cup", "isOn", "table")]
    assert "ball isIn basket" in sally
    assert ("ball", "isAt", "basket") in sally
    assert sally["?o isIn basket"] == [{"o": "ball"}]
    assert sally["?o isIn ?b", "cup isOn table"] == [{"o": "ball", "b": "basket"}]
    sally -= ["ball isIn *"]
    assert "ball isIn basket" not in sally
    assert [fact.fact for fact in sally if fact.kind == "asserted"] == ["cup isOn table"]


def test_a_model_changed_in_its_place(kb: Blackboard) -> None:
    """What is added to `kb[name]` needs no name of its own."""
    name = fresh_name("sally")
    kb.create(name)
    kb[name] += ["ball isIn basket"]
    kb[name] += "ball isOn cloth"
    kb[name] -= ["* isIn basket"]
    assert [fact.fact for fact in kb[name].facts(kind="asserted")] == ["ball isOn cloth"]


def test_one_statement_of_three_terms(kb: Blackboard) -> None:
    """Three terms are one statement, wherever one may stand."""
    sally = kb[fresh_name("sally")]
    sally.create()
    sally += ("ball", "isIn", "box")
    assert ("ball", "isIn", "box") in sally
    sally -= ("ball", "isIn", "*")
    assert ("ball", "isIn", "box") not in sally
    sally += ("ball isIn box", "cup isIn box", "pen isIn box")
    assert len(sally["?o isIn box"]) == 3


def test_a_model_is_itself(kb: Blackboard) -> None:
    """Two names for one model of one board are equal, and no others."""
    assert kb["sally"] == kb["sally"]
    assert len({kb["sally"], kb["sally"], kb["anne"]}) == 2
    assert kb["sally"] != untyped("sally")


def test_a_model_is_not_set(kb: Blackboard) -> None:
    """A model is changed, never replaced by another."""
    with pytest.raises(TypeError):
        kb["sally"] = kb["myself"]
    with pytest.raises(TypeError):
        kb["sally"] = untyped(["ball isIn basket"])


def test_the_models_of_a_board(kb: Blackboard) -> None:
    """A board has its models, can be walked through, and lets them go."""
    name = fresh_name("sally")
    assert name not in kb
    kb[name].create()
    assert name in kb
    assert name in [model.id for model in kb]
    del kb[name]
    assert name not in kb
