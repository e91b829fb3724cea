"""`export` and `import`: models as files of any RDF format, and back."""

from pathlib import Path

import httpx
import pytest

from tests.commands.program import Program
from tests.service.servers import Servers

MINDS = """
@prefix : <http://kb.openrobots.org#> .
@prefix model: <http://kb.openrobots.org/model/> .
:ball :isIn :box ; :hasWeight 0.03 .
model:nora { :ball :isIn :basket . }
model:nora.olga { :ball :isIn :bag . }
"""


@pytest.mark.parametrize(
    ("kind", "end"),
    [
        ("turtle", "ttl"),
        ("ntriples", "nt"),
        ("rdfxml", "rdf"),
        ("jsonld", "jsonld"),
        ("trig", "trig"),
        ("nquads", "nq"),
        ("n3", "n3"),
    ],
)
def test_each_format_goes_round(program: Program, tmp_path: Path, kind: str, end: str) -> None:
    """What is exported in a format is the same when it is imported again."""
    source = tmp_path / "minds.trig"
    source.write_text(MINDS)
    program("import", str(source), "--model", "pia")
    file = tmp_path / f"pia.{end}"
    program("export", "--model", "pia", "-o", str(file))
    program("import", str(file), "--model", f"copy-{kind}")
    both = [
        program("export", "--model", model, "--format", "ntriples").stdout
        for model in ("pia", f"copy-{kind}")
    ]
    assert sorted(both[0].splitlines()) == sorted(both[1].splitlines())
    assert len(both[0].splitlines()) == 2


def test_what_xml_cannot_say_is_not_written_as_rdf_xml(program: Program, tmp_path: Path) -> None:
    """A control character goes into every format but RDF/XML, which is refused with the reason."""
    lines = '<urn:a> <urn:b> "a\\u0001b", "c\\rd" .'
    program("import", "-", "--format", "turtle", "--model", "rita", stdin=lines)
    assert "\\u0001" in program("export", "--model", "rita").stdout
    file = tmp_path / "rita.rdf"
    refused = program("export", "--model", "rita", "-o", str(file), status=2)
    assert "control character" in refused.stderr
    assert not file.exists()


def test_several_models(program: Program, tmp_path: Path) -> None:
    """Graphs of a file go into the models they name, nested ones too, and come out as graphs."""
    program("import", "-", "--format", "trig", "--model", "quinn", stdin=MINDS)
    assert program("find", "ball isIn bag", "--model", "nora.olga").stdout == "yes\n"
    file = tmp_path / "out.nq"
    program("export", "--model", "nora", "--model", "nora.olga", "-o", str(file))
    lines = file.read_text().splitlines()
    assert {line.split()[3] for line in lines} == {
        "<http://kb.openrobots.org/model/nora>",
        "<http://kb.openrobots.org/model/nora.olga>",
    }
    assert "model:nora {" in program("export", "--all").stdout


@pytest.mark.parametrize("end", ["trig", "nq", "jsonld"])
def test_empty_models_are_not_lost(servers: Servers, tmp_path: Path, end: str) -> None:
    """A model that holds nothing comes out with all, in each format, and is made where it goes."""
    here, there = servers.start(keeps=False), servers.start(keeps=False)
    source, target, file = Program(here.url), Program(there.url), tmp_path / f"all.{end}"
    for model in ("uma", "uma.val"):
        httpx.put(f"{here.url}/models/{model}").raise_for_status()
    source("import", "-", "--format", "ntriples", stdin='<urn:a> <urn:b> "c" .')
    source("export", "--all", "-o", str(file))
    assert target("import", str(file)).stderr.count("0 statements") == 2
    models = [
        {m["id"] for m in httpx.get(f"{s.url}/models").json()["models"]} for s in (here, there)
    ]
    assert models == [{"myself", "uma", "uma.val"}] * 2
    both = [p("export", "--all", "--format", "nquads").stdout for p in (source, target)]
    assert sorted(both[0].splitlines()) == sorted(both[1].splitlines())
    assert len(both[0].splitlines()) == 3


def test_an_export_of_all_models_names_the_only_one(servers: Servers) -> None:
    """With --all the robot's model is a graph of its own, even if there is no other model."""
    board = Program(servers.start(keeps=False).url)
    board("import", "-", "--format", "ntriples", stdin='<urn:a> <urn:b> "c" .')
    assert board("export", "--all", "--format", "nquads").stdout == (
        '<urn:a> <urn:b> "c" <http://kb.openrobots.org/model/myself> .\n'
    )
    assert board("export", "--format", "ntriples").stdout == '<urn:a> <urn:b> "c" .\n'


def test_a_list_of_what_is_no_model_is_refused(program: Program) -> None:
    """The graph that lists models lists nothing else."""
    said = "<urn:x> <urn:a> <urn:y> <http://kb.openrobots.org/model/> ."
    refused = program("import", "-", "--format", "nquads", stdin=said, status=1)
    assert "urn:x" in refused.stderr


def test_inferred_facts_are_left_out_unless_asked_for(program: Program) -> None:
    """`export` writes what was asserted, and with `--inferred` what follows."""
    program("import", "-", "--format", "trig", "--model", "rosa", stdin=MINDS)
    assert "isAt" not in program("export", "--model", "rosa").stdout
    assert "isAt" in program("export", "--model", "rosa", "--inferred").stdout


def test_batches_and_one_change(program: Program) -> None:
    """A file is told in batches, each a change, or with `--atomic` in one change or none."""
    chain = "".join(f"<urn:n{n}> <urn:p> <urn:n{n + 1}> .\n" for n in range(25))
    program("import", "-", "--format", "ntriples", "--model", "sam", "--batch", "10", stdin=chain)
    seqs = "SELECT (COUNT(*) AS ?n) { GRAPH model:sam { ?s <urn:p> ?o } }"
    assert program("query", seqs, "--csv").stdout.split() == ["n", "25"]
    bad = "<urn:p> a <http://www.w3.org/2002/07/owl#TransitiveProperty> .\n" + "".join(
        f"<urn:n{n}> <urn:p> <urn:n{n + 1}> .\n" for n in range(1500)
    )
    words = ("import", "-", "--format", "turtle", "--model", "tom", "--atomic")
    program(*words, stdin=bad, status=1)
    assert program("export", "--model", "tom").stdout.count("<urn:n") == 0


def test_memory_and_source(program: Program) -> None:
    """What is imported lasts as long as is said and is told by whom; nonsense is bad usage."""
    words = ("import", "-", "--format", "turtle", "--model", "uma")
    program(*words, "--memory", "no-such", stdin="<urn:a> <urn:b> 1 .", status=2)
    program(*words, "--model", "no name", stdin="<urn:a> <urn:b> 1 .", status=2)
    program(*words, "--memory", "episodic", "--source", "notes", stdin="<urn:a> <urn:b> 1 .")
    assert program("find", "<urn:a> <urn:b> 1", "--model", "uma").stdout == "yes\n"


def test_broken_files_change_nothing(program: Program, tmp_path: Path) -> None:
    """A file that is no RDF is a failure, and nothing of the others is told either."""
    good, bad = tmp_path / "good.ttl", tmp_path / "bad.ttl"
    good.write_text("<urn:a> <urn:b> 1 .")
    bad.write_text("<urn:a> <urn:b>")
    assert "bad.ttl" in program("import", str(good), str(bad), "--model", "vic", status=1).stderr
    program("find", "?s ?p ?o", "--model", "vic", status=1)


RELATIVE = {
    "turtle": "@prefix : <#> . :ball <urn:isIn> <#box> .",
    "trig": "<#m> { <urn:ball> <urn:isIn> <urn:box> }",
    "jsonld": '{"@id": "#ball", "urn:isIn": {"@id": "#box"}}',
    "rdfxml": '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:u#">'
    '<r:Description r:ID="ball"><u:in r:resource="#box"/></r:Description></r:RDF>',
}


@pytest.mark.parametrize("kind", RELATIVE)
def test_relative_names_need_a_base(program: Program, tmp_path: Path, kind: str) -> None:
    """A relative IRI is not named after its file's folder; it is refused, or read on --base."""
    file = tmp_path / "relative"
    file.write_text(RELATIVE[kind])
    words = ("import", str(file), "--format", kind, "--model", f"wes-{kind}")
    refused = program(*words, status=1)
    assert "is relative" in refused.stderr
    assert "--base" in refused.stderr
    program(*words, "--base", "http://kb.openrobots.org")
    if kind != "trig":
        assert "\noro:ball" in program("export", "--model", f"wes-{kind}").stdout
    program(*words, "--base", "no base", status=2)


_ENTITIES = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
HOSTILE = {
    "rdfxml": f'<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">{_ENTITIES}]><x>&a11;</x>',
    "turtle": "<urn:a> <urn:b> " + "(" * 1_000_000,
    "ntriples": "<< <urn:a> <urn:b> " * 100_000,
    "jsonld": '{"@context": "http://127.0.0.1:1/context", "a": 1}',
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_would_harm_the_parser_is_refused(program: Program, kind: str) -> None:
    """A file that would kill, stall or fill the parser is refused in one line, soon."""
    refused = program("import", "-", "--format", kind, stdin=HOSTILE[kind], status=1)
    assert refused.stderr.count("\n") == 1
