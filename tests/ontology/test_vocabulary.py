"""The page of names says what the ontology says."""

from rdflib import Graph

from ontology import files, vocabulary
from ontology.vocabulary import PREFIXES
from tests.ontology.common_sense import KINDS, terms

CONSTANTS = {name: value for name, value in vars(vocabulary).items() if isinstance(value, str)}
OURS = {n: v for n, v in CONSTANTS.items() if ":" not in v and n.isupper()}
THEIRS = {n: v for n, v in CONSTANTS.items() if ":" in v and n.isupper()}


def test_the_constants_are_the_terms() -> None:
    """There is one constant for every term of the ontology, and none for any other."""
    assert sorted(OURS.values()) == sorted(terms(*KINDS))


def test_a_constant_is_named_like_its_term() -> None:
    """A constant of the ontology has its term's name, in capitals."""
    letters = {n.replace("_", ""): v.replace("-", "").replace("_", "") for n, v in OURS.items()}
    assert all(name == term.upper() for name, term in letters.items())


def test_the_w3c_names_are_in_normal_form() -> None:
    """A constant of the W3C is a name with a known prefix, and no two are the same."""
    assert {term.partition(":")[0] for term in THEIRS.values()} <= PREFIXES.keys()
    assert len(set(THEIRS.values())) == len(THEIRS)


def test_the_prefixes_are_those_of_the_contract() -> None:
    """Every prefix that users may rely on is known, for the namespace they expect."""
    assert PREFIXES.keys() >= {"rdf", "rdfs", "owl", "xsd", "swrl", "cyc", "oro", "model"}
    assert PREFIXES["oro"] == "http://kb.openrobots.org#"
    assert PREFIXES["cyc"] == "http://sw.opencyc.org/concept/"
    assert PREFIXES["model"] == "http://kb.openrobots.org/model/"


def test_the_files_use_the_same_prefixes() -> None:
    """What a Turtle file calls a namespace, the page of names calls it too."""
    for path in files():
        header = path.read_text("utf-8").split("\n\n")[0]
        declared = dict(Graph().parse(data=header, format="turtle").namespaces())
        ours = {p: str(iri) for p, iri in declared.items() if f"@prefix {p}:" in header}
        assert {p or "oro": iri for p, iri in ours.items()}.items() <= PREFIXES.items()
