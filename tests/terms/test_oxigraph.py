"""The board's terms and those of the SPARQL engine: the same thing comes back."""

from contextlib import suppress

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_server.core.terms.literals import same_value
from kb_server.core.terms.rdf import Translator
from kb_server.core.terms.terms import Names
from kb_server.errors import BadStatement
from tests.terms.spellings import moments, names, numbers, objects

NAMES = Names()
TRANSLATOR = Translator(NAMES)
_NODE = ox.NamedNode("urn:x")


def there_and_back(text: str) -> tuple[str, str]:
    """A term's normal form, and what becomes of it in a store."""
    term = NAMES.term(text)
    store = ox.Store()
    store.add(ox.Quad(_NODE, _NODE, TRANSLATOR.to_ox(term)))
    (quad,) = store
    return term, TRANSLATOR.from_ox(quad.object)


@given(names | numbers)
def test_names_and_numbers_come_back(text: str) -> None:
    """Names, integers, decimals and doubles come back from the store as the same term."""
    term, back = there_and_back(text)
    assert back == term


@given(objects.filter(lambda text: not text.startswith("_:") and "dateTime" not in text))
def test_texts_and_booleans_come_back(text: str) -> None:
    """Texts, languages, booleans and unknown datatypes come back as the same term."""
    term, back = there_and_back(text)
    assert back == term


@given(moments)
def test_moments_come_back(text: str) -> None:
    """A moment comes back from the store as the same term."""
    term, back = there_and_back(text)
    assert back == term


@pytest.mark.parametrize(
    "text",
    [
        '"2026-01-01T12:00:00.120Z"^^xsd:dateTime',
        '"2026-01-01T12:00:00+00:00"^^xsd:dateTime',
        '"2026-01-01T12:00:00.000"^^xsd:dateTime',
        '"12:00:00.0"^^xsd:time',
        '"0.123456789"^^xsd:float',
        '"16777217"^^xsd:float',
    ],
)
def test_typed_values_come_back(text: str) -> None:
    """A typed value comes back from the store as the same term."""
    term, back = there_and_back(text)
    assert back == term


@given(
    st.one_of(
        st.text(max_size=10).map(lambda text: f"<http://x.org/{text}>"),
        st.from_regex(r"<[a-z]+:[!-~]{0,12}>", fullmatch=True),
        st.from_regex(r'"text"@[a-z0-9-]{1,12}', fullmatch=True),
        st.from_regex(r"_:[A-Za-z0-9_.-]{1,8}", fullmatch=True),
        st.text(max_size=6).map(lambda text: f'"{text}"'),
        st.from_regex(
            r'"[0-9T:.Z+-]{1,20}"\^\^xsd:(dateTime|date|time|decimal|float)', fullmatch=True
        ),
    )
)
def test_every_term_can_be_stored(text: str) -> None:
    """Whatever is accepted as a term can be handed to the store and comes back."""
    with suppress(BadStatement):
        term = NAMES.term(text)
        assert TRANSLATOR.from_ox(TRANSLATOR.to_ox(term)) == term


@pytest.mark.parametrize("datatype", ["int", "byte", "long", "nonNegativeInteger", "unsignedInt"])
def test_narrow_integers_come_back_by_value(datatype: str) -> None:
    """The store knows one kind of integer: a narrower one comes back as an equal value."""
    term, back = there_and_back(f'"5"^^xsd:{datatype}')
    assert same_value(term, back)


@pytest.mark.parametrize(
    "text",
    [
        "<http://x.org/%zz>",
        "<http://[x>",
        "<http://x.org:port/>",
        "<x:a#b#c>",
        "<http://x.org/[b]>",
        "<http://x.org/\ue000>",
        "<http://x.org/\ud800>",
        '"text"@a',
        '"text"@en-a',
    ],
)
def test_what_the_engine_cannot_hold_is_no_term(text: str) -> None:
    """A term that the SPARQL engine would refuse is refused when it is read, not later."""
    try:
        term = NAMES.term(text)
    except BadStatement:
        return
    assert TRANSLATOR.from_ox(TRANSLATOR.to_ox(term)) == term
