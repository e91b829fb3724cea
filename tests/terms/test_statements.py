"""Statements and patterns: three terms, as one text or as a list of three."""

import pytest
from hypothesis import given

from kb_server.core.terms.statements import nameless, read_pattern, read_statement, write
from kb_server.core.terms.terms import Names
from kb_server.errors import BadStatement
from tests.terms.spellings import names, objects, subjects

NAMES = Names()


@given(subjects, names, objects)
def test_what_is_written_reads_back_as_the_same_fact(s: str, p: str, o: str) -> None:
    """The normal form of any statement reads back as that statement."""
    fact = read_statement([s, p, o], NAMES)
    assert read_statement(write(fact), NAMES) == fact


@given(subjects, names, objects)
def test_text_and_list_say_the_same(s: str, p: str, o: str) -> None:
    """A statement means the same as one text and as a list of three."""
    assert read_statement(f" {s}\t{p}  {o} \n", NAMES) == read_statement([s, p, o], NAMES)


def test_a_in_second_place_is_the_type() -> None:
    """`a` is rdf:type in second place only; elsewhere it is a name like any other."""
    assert read_statement("a a a", NAMES) == ("a", "rdf:type", "a")
    assert write(("a", "rdf:type", "a")) == "a a a"
    assert read_statement(["a", "a", "a"], NAMES) == ("a", "rdf:type", "a")


def test_the_property_named_a_is_written_with_its_prefix() -> None:
    """The property `oro:a` is none other than itself, and is answered as `oro:a`."""
    fact = read_statement("x oro:a y", NAMES)
    assert (
        fact == read_statement("x <http://kb.openrobots.org#a> y", NAMES) != ("x", "rdf:type", "y")
    )
    assert write(fact) == "x oro:a y"


def test_the_type_has_one_form() -> None:
    """However rdf:type is spelled, it is answered as `a`."""
    for word in ("a", "rdf:type", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"):
        assert write(read_statement(f"ball {word} Ball", NAMES)) == "ball a Ball"


def test_true_can_be_a_name() -> None:
    """A thing named `true` is written as an IRI or with its prefix, and is no boolean."""
    fact = read_statement("<http://kb.openrobots.org#true> isIn oro:false", NAMES)
    assert write(fact) == "oro:true isIn oro:false"
    assert read_statement(write(fact), NAMES) == fact


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "0 terms, not three"),
        ("   ", "0 terms, not three"),
        ("ball", "1 terms, not three"),
        ("ball isIn", "2 terms, not three"),
        ("ball isIn box today", "'box today' is not a term"),
        ("ball isIn box .", "'box .' is not a term"),
        ([], "0 terms, not three"),
        (["ball", "isIn", "box", "today"], "4 terms, not three"),
        (["ball", "isIn", 3], "the object"),
        (["ball", None, "box"], "the predicate"),
        (["", "isIn", "box"], "the subject"),
        ([" ball", "isIn", "box"], "' ball' is not a term"),
        (12, "a statement must be a text, or a list"),
        (None, "a statement must be a text, or a list"),
        ({"s": "ball"}, "a statement must be a text, or a list"),
        (b"ball isIn box", "a statement must be a text, or a list"),
        ('"ball" isIn box', "a literal cannot be a subject"),
        ("12 isIn box", "a literal cannot be a subject"),
        ("true isIn box", "a literal cannot be a subject"),
        ('ball "isIn" box', "a predicate must be a name"),
        ("ball 12 box", "a predicate must be a name"),
        ("ball _:b box", "a predicate must be a name"),
        ("nope:ball isIn box", "unknown prefix 'nope'"),
        ("ball isIn <box>", "is not a term"),
    ],
)
def test_what_is_no_statement_is_refused_with_a_reason(text: object, reason: str) -> None:
    """A bad statement is refused with a message that names the trouble, as pattern too."""
    for reads in (read_statement, read_pattern):
        with pytest.raises(BadStatement, match=r".") as refused:
            reads(text, NAMES)
        assert reason in refused.value.message


@pytest.mark.parametrize("text", ["?x isIn box", "ball ?p box", "ball isIn ?y", "* isIn box"])
def test_a_statement_has_no_variables(text: str) -> None:
    """A variable, named or not, is a pattern's and no statement's."""
    assert read_pattern(text, NAMES)
    with pytest.raises(BadStatement, match="has a variable"):
        read_statement(text, NAMES)


def test_a_pattern_may_be_variables_only() -> None:
    """Variables stand in all three places."""
    assert read_pattern("?x a ?c", NAMES) == ("?x", "rdf:type", "?c")
    assert read_pattern("* * *", NAMES) == ("*", "*", "*")
    assert read_pattern("?a ?a ?a", NAMES) == ("?a", "?a", "?a")


def test_each_star_is_another_variable() -> None:
    """Two nameless variables need not mean the same thing."""
    first, second = nameless([("*", "isIn", "*"), ("ball", "*", "box")])
    assert len({first[0], first[2], second[1]}) == 3


def test_a_long_statement_gives_a_short_message() -> None:
    """What is wrong with a huge text is said without repeating it."""
    with pytest.raises(BadStatement, match="terms, not three") as refused:
        read_statement("b" * 100_000, NAMES)
    assert len(refused.value.message) < 1_000
