"""The forms of a term (contract 1), and the one normal form of each."""

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.terms.literals import is_literal, same_value, split_literal, value
from kb_server.core.terms.terms import MAX_TERM, Names
from kb_server.errors import BadStatement
from ontology.vocabulary import PREFIXES
from tests.terms.spellings import contents, numbers, objects, spelled

NAMES = Names()
XSD = PREFIXES["xsd"]

NORMAL_FORMS = [
    ("ball", "ball"),
    ("isIn", "isIn"),
    ("_x-9", "_x-9"),
    ("a", "a"),
    ("oro:ball", "ball"),
    ("oro:a", "a"),
    ("<http://kb.openrobots.org#ball>", "ball"),
    ("<http://kb.openrobots.org#9>", "oro:9"),
    ("<http://kb.openrobots.org#a/b>", "<http://kb.openrobots.org#a/b>"),
    ("oro:a.b", "oro:a.b"),
    ("<http://kb.openrobots.org#true>", "oro:true"),
    ("oro:false", "oro:false"),
    ("<http://kb.openrobots.org/model/sally.anne>", "model:sally.anne"),
    ("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "rdf:type"),
    ("cyc:above-Generally", "cyc:above-Generally"),
    ("<http://sw.opencyc.org/concept/near>", "cyc:near"),
    ("<http://x.org/ü?q=1#f>", "<http://x.org/ü?q=1#f>"),
    ("<urn:isbn:1>", "<urn:isbn:1>"),
    ("_:b1", "_:b1"),
    ("_:b.1-x", "_:b.1-x"),
    ("?x", "?x"),
    ("?long_Name9", "?long_Name9"),
    ("*", "*"),
    ('"text"', '"text"'),
    ('""', '""'),
    ('"a \\"b\\" \\u00e9\\U0001F916\\n\\t\\\\"', '"a \\"b\\" é🤖\\n\\t\\\\"'),
    ('"it\\\'s"', '"it\'s"'),
    ('"text"^^xsd:string', '"text"'),
    ('"text"@en', '"text"@en'),
    ('"text"@EN-gb', '"text"@en-gb'),
    ('"1.5"^^xsd:double', '"1.5"^^xsd:double'),
    (f'"1.50"^^<{XSD}double>', '"1.5"^^xsd:double'),
    ('"1000"^^xsd:double', "1e3"),
    ('"red"^^Colour', '"red"^^Colour'),
    ("12", "12"),
    ("+012", "12"),
    ("-0", "0"),
    ('"12"^^xsd:integer', "12"),
    ('"+07"^^xsd:byte', "7"),
    ("1.5", "1.5"),
    ("1.500", "1.5"),
    (".5", "0.5"),
    ("-.50", "-0.5"),
    ("-0.0", "0.0"),
    ("100.0", "100.0"),
    ('"7"^^xsd:decimal', "7.0"),
    ("1e3", "1e3"),
    ("1E+03", "1e3"),
    ("1000e0", "1e3"),
    ("12.5e0", '"12.5"^^xsd:double'),
    ('"NaN"^^xsd:double', '"NaN"^^xsd:double'),
    ('"-INF"^^xsd:double', '"-INF"^^xsd:double'),
    ("1e400", '"INF"^^xsd:double'),
    ("true", "true"),
    ("false", "false"),
    ('"1"^^xsd:boolean', "true"),
    ('"twelve"^^xsd:integer', '"twelve"^^xsd:integer'),
    ('"300"^^xsd:byte', '"300"^^xsd:byte'),
]

NO_TERMS = [
    ("", "is not a term"),
    (" ", "is not a term"),
    ("9lives", "is not a term"),
    ("ball,", "is not a term"),
    ("a b", "is not a term"),
    ("bälle", "is not a term"),
    ("nope:ball", "unknown prefix 'nope'"),
    (":ball", "is not a term"),
    ("oro:", "is not a term"),
    ("<ball>", "absolute-iri"),
    ("<#ball>", "absolute-iri"),
    ("<http://x.org/a b>", "is not a term"),
    ("<http://x.org/a", "is not a term"),
    ("<http://x.org/\ud800>", "is not a"),
    ("_:", "is not a term"),
    ("?", "is not a term"),
    ("?9", "is not a term"),
    ("?*0", "is not a term"),
    ("**", "is not a term"),
    ('"text', "is not a term"),
    ('"te"xt"', "is not a term"),
    ('"line\nbreak"', "is not a term"),
    ('"\\x"', "not an escape"),
    ('"\\u12"', "not an escape"),
    ('"\\ud800"', "not a character"),
    ('"\\U00110000"', "not a character"),
    ('"\ud800"', "is not a literal"),
    ('"text"@', "is not a term"),
    ('"text"@en_GB', "is not a term"),
    ('"1"^^', "is not a term"),
    ('"1"^^nope:int', "unknown prefix"),
    ('"1"^^"2"', "a datatype must be a name"),
    ('"1"^^?x', "a datatype must be a name"),
    ('"1"^^_:b', "a datatype must be a name"),
    ("5.", "is not a term"),
    ("--5", "is not a term"),
    ("1e", "is not a term"),
    ("1,5", "is not a term"),
    ("'text'", "is not a term"),
    ("١٢", "is not a term"),
]


@pytest.mark.parametrize(("text", "normal"), NORMAL_FORMS)
def test_each_form_of_a_term_has_its_normal_form(text: str, normal: str) -> None:
    """Every form of a term in the contract is read, and has one normal form."""
    assert NAMES.term(text) == normal


@pytest.mark.parametrize(("text", "_normal"), NORMAL_FORMS)
def test_a_normal_form_reads_back_as_itself(text: str, _normal: str) -> None:
    """Reading a normal form again changes nothing."""
    assert NAMES.term(NAMES.term(text)) == NAMES.term(text)


@given(objects)
def test_reading_is_idempotent(text: str) -> None:
    """Whatever the spelling of a term, its normal form reads back as itself."""
    term = NAMES.term(text)
    assert NAMES.term(term) == term


@pytest.mark.parametrize(("text", "reason"), NO_TERMS)
def test_what_is_no_term_is_refused_with_a_reason(text: str, reason: str) -> None:
    """A text that is no term is refused with a message that says what is wrong."""
    with pytest.raises(BadStatement, match=r".") as refused:
        NAMES.term(text)
    assert reason in refused.value.message


@given(st.text(max_size=12))
def test_any_text_is_a_term_or_refused(text: str) -> None:
    """Whatever is written, the answer is a term that reads back, or a BadStatement."""
    with suppress(BadStatement):
        term = NAMES.term(text)
        assert NAMES.term(term) == term


@pytest.mark.parametrize(
    "text",
    [
        "b" * 100_000,
        "oro:" + "b" * 100_000,
        "<http://x.org/" + "b" * 100_000 + ">",
        '"' + "b" * 100_000 + '"',
        "?" + "b" * 100_000,
        "_:" + "b" * 100_000,
        "1" * 100_000,
    ],
    ids=["name", "prefixed", "iri", "text", "variable", "blank", "number"],
)
def test_a_term_of_100_kilobytes_is_refused(text: str) -> None:
    """No term of any form may be longer than the bound, and the message stays short."""
    with pytest.raises(BadStatement, match=str(MAX_TERM)) as refused:
        NAMES.term(text)
    assert len(refused.value.message) < 300


def test_datatypes_of_datatypes_are_refused() -> None:
    """A literal where a datatype should be is refused, however many are strung together."""
    with pytest.raises(BadStatement, match=r"a datatype must be a name"):
        NAMES.term('"x"' + '^^"x"' * 10_000)


@given(spelled)
def test_a_text_keeps_its_characters(drawn: tuple[str, str]) -> None:
    """The text of a literal is the one that was written, by whatever escapes."""
    content, written = drawn
    assert split_literal(NAMES.term(written)) == (content, "xsd:string", "")


@given(contents)
def test_equal_texts_are_one_term(content: str) -> None:
    """A literal given in parts is the same term as the one written in quotes."""
    in_parts = NAMES.literal(content, f"{XSD}string", None)
    escaped = "".join(f"\\U{ord(char):08X}" for char in content)
    assert NAMES.term(f'"{escaped}"') == in_parts


@given(numbers)
def test_a_number_keeps_its_value(text: str) -> None:
    """The normal form of a number has the value that was written."""
    lexical = split_literal(text)[0]
    number = value(NAMES.term(text))
    if "N" in lexical or isinstance(number, float):
        assert not isinstance(number, str)
    elif "double" in text or "e" in lexical.lower():
        assert number == Decimal(repr(float(lexical)))
    else:
        assert number == Decimal(lexical)


@given(st.integers(), st.integers(0, 5))
def test_numbers_are_compared_by_value(number: int, zeros: int) -> None:
    """One number written as integer, decimal or double is three terms of the same value."""
    as_integer = NAMES.term(str(number))
    as_decimal = NAMES.term(f"{number}.{'0' * (zeros + 1)}")
    assert as_integer != as_decimal
    assert same_value(as_integer, as_decimal)
    if float(number) == number:
        assert same_value(as_integer, NAMES.term(f"{number}e0")) == (
            Decimal(repr(float(number))) == number
        )


def test_ill_typed_literals_have_no_value_in_common() -> None:
    """Two literals whose texts their datatypes do not allow are not of the same value."""
    one, other = (NAMES.term(f'"{text}"^^xsd:integer') for text in ("many", "few"))
    assert not same_value(one, other)
    assert same_value(one, one)


@given(objects)
def test_a_literal_is_told_by_its_first_letter(text: str) -> None:
    """What is written as a number, a boolean or in quotes is a literal, and nothing else is."""
    written_as_one = text[0] in '"+-.0123456789' or text in ("true", "false")
    assert is_literal(NAMES.term(text)) == written_as_one


def test_an_ontology_file_can_declare_a_prefix() -> None:
    """A prefix that an ontology file declares is known in statements, and used in answers."""
    names = CommonSense(["@prefix ex: <http://ex.org/> . ex:a a ex:B ."]).names
    assert names.term("ex:ball") == names.term("<http://ex.org/ball>") == "ex:ball"


def test_an_ontology_file_cannot_turn_a_known_prefix_round() -> None:
    """The predeclared prefixes mean what the contract says, whatever a file declares."""
    names = CommonSense(["@prefix oro: <http://ex.org/> . oro:a a oro:B ."]).names
    assert names.iri(names.term("oro:ball")) == "http://kb.openrobots.org#ball"


def test_the_longest_prefix_makes_the_shortest_name() -> None:
    """Of two prefixes that begin an IRI the one that leaves less is used."""
    names = Names({"x": "http://x.org/", "y": "http://x.org/y/"})
    assert names.term("<http://x.org/y/ball>") == "y:ball"


def test_an_unreadable_ontology_is_refused_with_a_reason() -> None:
    """A text that is not Turtle is a BadStatement that says where it breaks."""
    with pytest.raises(BadStatement, match="not Turtle"):
        CommonSense(["this is not turtle"])
