"""Reading, numbers and disguise, without Pellet."""

import pytest

from kb_server.dl.decimals import by_value
from kb_server.dl.ntriples import literal, read, write
from kb_server.dl.renaming import disguise
from tests.dl.ontologies import ntriples

XSD = "http://www.w3.org/2001/XMLSchema#"


def test_terms_stay_as_they_are_written() -> None:
    """Reading changes no letter, and skips remarks, empty lines and repetitions."""
    line = r'_:b.1 <urn:é\u00e9> "a \"b\" \n ü. # <urn:x>"@en-GB .'
    assert read(f"\r\n  # remark\n{line}\n{line} # again\r\n") == [
        ("_:b.1", r"<urn:é\u00e9>", r'"a \"b\" \n ü. # <urn:x>"@en-GB')
    ]


def test_bytes_and_text_are_the_same() -> None:
    """UTF-8 and text are read alike."""
    assert read('<urn:a> <urn:p> "é" .'.encode()) == read('<urn:a> <urn:p> "é" .')


def test_what_is_written_is_ascii() -> None:
    """What Java gets does not depend on any encoding."""
    assert write([("<urn:a>", "<urn:p>", '"é🤖"')]) == (
        '<urn:a> <urn:p> "\\U000000E9\\U0001F916" .\n'
    )


def test_long_texts_are_read_in_no_time() -> None:
    """A megabyte in quotes, closed or not, is no trouble for the pattern."""
    text = '"' + "a\\\\" * 300_000
    assert literal(text + '"') is not None
    assert literal(text) is None


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (f'"1.5"^^<{XSD}float>', f'"1.5"^^<{XSD}decimal>'),
        (f'"1E3"^^<{XSD}double>', f'"1000"^^<{XSD}decimal>'),
        (f'"NaN"^^<{XSD}double>', f'"NaN"^^<{XSD}double>'),
        (f'"1e999999999"^^<{XSD}double>', f'"1e999999999"^^<{XSD}double>'),
        (f'"x"^^<{XSD}double>', f'"x"^^<{XSD}double>'),
        (f'"7"^^<{XSD}integer>', f'"7"^^<{XSD}integer>'),
        (f"<{XSD}double>", f"<{XSD}decimal>"),
        ('"1.5"', '"1.5"'),
    ],
)
def test_inexact_numbers_become_decimals(term: str, expected: str) -> None:
    """Doubles and floats become decimals, values and datatypes alike, and nothing else changes."""
    assert by_value(term) == expected


def test_no_name_of_ours_reaches_pellet() -> None:
    """Names are disguised and recovered, words of the W3C stay, annotations go."""
    turtle = ':ball a :Ball ; rdfs:label "a ball" ; :note "x" . :note a owl:AnnotationProperty .'
    hidden = disguise(read(ntriples(turtle)))
    (statement,) = hidden.statements
    assert "openrobots" not in "".join(statement.shown)
    assert tuple(f"<{hidden.real_name(t.strip('<>'))}>" for t in statement.shown) == statement.real


def test_false_names_collide_with_no_real_one() -> None:
    """The false names are none that the statements contain."""
    hidden = disguise(read('<urn:n0> <urn:p> "n1 nn2" .'))
    assert all(name.startswith("nnn") for name in hidden.names)
    assert hidden.readable("prop(nnn1, nnn0, n1)") == "prop(urn:p, urn:n0, n1)"
