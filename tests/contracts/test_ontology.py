"""A user's own ontology, joined to the common sense: in-process, and on a server."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from kb_server import BadStatement, Blackboard
from tests.service.servers import Servers, started_servers

Opener = Callable[[Sequence[Path]], AbstractContextManager[Blackboard]]

LAB = """
@prefix lab: <http://lab.example/terms#> .
@prefix oro: <http://somewhere.example/else#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
lab:Drone rdfs:subClassOf <http://kb.openrobots.org#Agent> ; rdfs:label "dr\\none"@en .
lab:Scout owl:equivalentClass [ a owl:Restriction ; owl:onProperty lab:looksFor ;
  owl:someValuesFrom lab:Sample ] .
<http://lab.example/terms> owl:imports <http://elsewhere.example/nothing> .
"""
RACK = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#"
 xmlns:lab="http://another.example/lab#" xmlns:rack='http://racks.example/?a=1&amp;b=2#'>
<owl:Class rdf:about="http://racks.example/?a=1&amp;b=2#Rack">
 <rdfs:subClassOf rdf:resource="http://kb.openrobots.org#Box"/></owl:Class>
</rdf:RDF>"""
MORE = '{"@id": "http://more.example/Vial", "http://www.w3.org/2000/01/rdf-schema#label": "vial"}'
BAD = {
    "broken.ttl": ("x y z", "x"),
    "relative.ttl": ("<a> <b> <c> .", "<a> is relative"),
    "empty.nt": ("", "it has no statements"),
    "remote.jsonld": ('{"@context": "http://x.example/c", "@id": "urn:x"}', "which is not fetched"),
    "owl-xml.owl": ('<Ontology xmlns="http://www.w3.org/2002/07/owl#"></Ontology>', "OWL/XML"),
    "entities.owl": ('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "b">]><a/>', "entities"),
    "about.ttl": ("<<<urn:a> <urn:b> <urn:c>>> <urn:d> <urn:e> .", "statements about statements"),
    "graphs.jsonld": ('{"@id": "urn:g", "@graph": {"@id": "urn:a", "urn:b": "c"}}', "the graph"),
    "table.csv": ("a,b", "must end in one of"),
    "folder.ttl": (None, "it is not a file"),
}


@contextmanager
def _local(files: Sequence[Path]) -> Iterator[Blackboard]:
    with Blackboard.local(ontology=[str(file) for file in files]) as kb:
        yield kb


@pytest.fixture(params=["local", "server"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """A board with an ontology of files, in each way that there is."""
    (tmp_path / "servers").mkdir()
    with started_servers(tmp_path / "servers") as servers:

        @contextmanager
        def serving(files: Sequence[Path]) -> Iterator[Blackboard]:
            words = [word for file in files for word in ("--ontology", str(file))]
            with Blackboard(servers.start("--no-dl", *words, keeps=False).url) as kb:
                yield kb

        yield _local if request.param == "local" else serving


def test_what_the_files_say_is_common_sense(opened: Opener, tmp_path: Path) -> None:
    """It is reasoned with in all models, its prefixes can be used, and its agents have minds."""
    files = [tmp_path / name for name in ("lab.ttl", "rack.owl", "more.json")]
    for file, text in zip(files, (LAB, RACK, MORE), strict=True):
        file.write_text(text)
    with opened(files) as kb:
        kb.add("myself", "d1 a lab:Drone", "r1 a rack:Rack")
        assert {model.id for model in kb.models()} == {"myself", "d1"}
        assert kb.check("d1", "rack:Rack rdfs:subClassOf Artifact")
        assert kb.check("myself", "r1 a Artifact")
        kb.add("d1", "d2 lab:looksFor s1", "s1 a lab:Sample")
        assert kb["d1"]["?who a lab:Scout"] == [{"who": "d2"}]
        assert kb.lookup("myself", "dr\none")[0].id == "lab:Drone"
        assert kb.lookup("myself", "vial")[0].id == "<http://more.example/Vial>"
        assert kb.query("ASK { lab:Drone rdfs:subClassOf oro:Agent }").holds
        assert not [fact for fact in kb["myself"] if "Scout" in fact.fact]  # it is no one's belief


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    """The board does not open, and says which file it is, and why."""
    text, why = BAD[name]
    (tmp_path / "good.ttl").write_text(LAB)
    if text is None:
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_text(text)
    with pytest.raises(BadStatement) as refusal:
        Blackboard.local(ontology=[tmp_path / "good.ttl", tmp_path / name])
    assert str(tmp_path / name) in refusal.value.message
    assert why in refusal.value.message
    assert "\n" not in refusal.value.message


def test_a_server_says_so_too(servers: Servers, tmp_path: Path) -> None:
    """A server ends with one line that names the file."""
    with pytest.raises(AssertionError, match=r"nowhere\.ttl can't be read: No such file"):
        servers.start("--no-dl", "--ontology", str(tmp_path / "nowhere.ttl"))


def test_a_journal_goes_on_under_another_ontology(tmp_path: Path) -> None:
    """What follows with the files and not without them comes and goes with them, as a delta."""
    file = tmp_path / "lab.ttl"
    file.write_text(LAB)
    with Blackboard.local(tmp_path / "board", [file]) as kb:
        seq = kb.add("myself", "d1 a lab:Drone").seq
        assert kb.check("myself", "d1 a Agent")
    with Blackboard.local(tmp_path / "board") as kb:
        assert not kb.check("myself", "d1 a Agent")
        assert kb.check("myself", "d1 a <http://lab.example/terms#Drone>")
        assert kb.check("myself", "d1 a Agent", at=seq)
        assert kb.models()[0].seq == seq + 1
    with Blackboard.local(tmp_path / "board", [file]) as kb:
        assert kb.check("myself", "d1 a Agent")
