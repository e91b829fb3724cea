"""What would crash the engine is refused before it is parsed, and nothing else is."""

import pyoxigraph as ox
import pytest

from kb_server.errors import BoardError
from kb_server.sparql.limits import checked
from kb_server.sparql.settings import Limits
from kb_server.sparql.tokens import tokens

_MANY = 20_000
_WIDE = Limits(query_bytes=10**9)
_MONSTERS = {
    "parentheses": "ASK { FILTER(" + "(" * _MANY + "1" + ")" * _MANY + ") }",
    "groups": "ASK " + "{" * _MANY + "}" * _MANY,
    "nodes": "ASK { " + "[ oro:p " * _MANY + "1" + " ]" * _MANY + " }",
    "unions": "ASK { { ?s ?p ?o }" + " UNION { ?s ?p ?o }" * _MANY + " }",
    "optionals": "ASK {" + " OPTIONAL { ?s ?p ?o }" * _MANY + " }",
    "patterns": "ASK {" + " ?s ?p ?o ." * _MANY + " }",
    "path": "ASK { ?s oro:p" + "/oro:p" * _MANY + " ?o }",
    "choices": "ASK { ?s oro:p" + "|oro:p" * _MANY + " ?o }",
    "list": "ASK { ?s ?p (" + "1 " * _MANY + ") }",
    "sums": "ASK { FILTER(1" + "+1" * _MANY + ") }",
    "hidden parentheses": "ASK { FILTER(1<" + "(" * _MANY + "1" + ")" * _MANY + ">2) }",
    "bytes": "ASK { } #" + "x" * Limits().query_bytes,
}


@pytest.mark.parametrize("monster", _MONSTERS)
def test_monsters_are_refused(monster: str) -> None:
    """A query with too much of something is refused with what was wrong and what is allowed."""
    limits = Limits() if monster == "bytes" else _WIDE
    with pytest.raises(BoardError) as refused:
        checked(_MONSTERS[monster], limits)
    assert refused.value.code == "query_too_large"
    assert {"what", "found", "allowed"} <= refused.value.detail.keys()


@pytest.mark.parametrize(
    "text",
    [
        "ASK { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
        "ASK { service silent ?x { ?s ?p ?o } }",
        "ASK { ?s ?p trueSERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
        'ASK { ?s ?p "#" SERVICE <http://127.0.0.1/#> { ?s ?p ?o } }',
        "ASK { FILTER(?a<?b)SERVICE?x{ ?s ?p ?o } }",
        "LOAD <http://127.0.0.1/>",
        "ASK { FILTER(?a <#x> '''\n 1) SERVICE <http://127.0.0.1/> { ?s ?p ?o } #'''\n }",
        'ASK { FILTER(?a <#x> """\n 1) SERVICE <http://127.0.0.1/> { ?s ?p ?o } #"""\n }',
        "ASK { FILTER(?a<'b>c')SERVICE <http://127.0.0.1/> { ?s ?p ?o } } # '",
        "CLEAR DEFAULT ;LOAD SILENT<file:///etc/passwd> INTO GRAPH <x:y>",
    ],
)
def test_reaching_outside_is_refused(text: str) -> None:
    """SERVICE and LOAD are refused however they are written."""
    with pytest.raises(BoardError, match="outside the store"):
        checked(text, Limits(), update=True)


@pytest.mark.parametrize(
    "text",
    [
        "ASK { ?service ?load 'SERVICE' } # SERVICE ((((",
        "ASK { oro:SERVICE <http://x/LOAD> '''((((\"{{{{ LOAD''' }",
        "ASK { ?s ?p '" + "(" * 1_000 + "' }",
        "ASK { VALUES (?a ?b) { " + "(1 2) " * 5_000 + "} ?a ?b ?c }",
        "ASK { ?s <http://x#p> <http://x#service> . ?s ?p 'load' }",
        "ASK { VALUES (?a ?b) { (<http://x#a> <http://x#b>) } }",
        "ASK { FILTER(?x IN (" + "1," * 5_000 + "2)) }",
        "INSERT DATA {" + " oro:a oro:b 1 ." * 5_000 + " }",
    ],
)
def test_what_only_looks_costly_is_not_refused(text: str) -> None:
    """What stands in strings, comments, names and data is not counted."""
    assert checked(text, Limits(), update=True)


def test_what_is_no_text_is_refused() -> None:
    """Half a surrogate pair is no SPARQL."""
    with pytest.raises(BoardError, match="syntax error"):
        checked("ASK { ?s ?p '\ud800' }", Limits())


def test_tokens_cover_the_text() -> None:
    """Tokens and what lies between them are the text, whatever it is."""
    text = 'SELECT ?x # no\n{ <a:b> a:c.d \'x\\\'y\', """a"b"""@en-GB; 1.5e3 ^oro:p/!a _:b.c é }'
    between, at = "", 0
    for token in tokens(text):
        assert token.start >= at
        assert text[token.start : token.end] == token.text
        between += text[at : token.start]
        at = token.end
    assert between.replace("# no", "").strip() == ""


@pytest.mark.parametrize(
    "text",
    [
        "ASK { FILTER(" + "(" * 97 + "1" + ")" * 97 + ") }",
        "ASK " + "{" * 100 + "}" * 100,
        "ASK { " + "OPTIONAL { ?s ?p ?o }" * 100 + " }",
        "ASK { { ?s ?p ?o } " + "UNION { ?s ?p ?o }" * 100 + " }",
        "ASK { FILTER(1" + "+1" * 999 + " = 2) }",
        "ASK { ?s oro:p" + "|oro:p" * 999 + " ?o }",
    ],
)
def test_what_is_allowed_does_not_crash(text: str) -> None:
    """The most that is allowed is answered by the engine."""
    checked(text, Limits())
    found = ox.Store().query(text, prefixes={"oro": "http://kb.openrobots.org#"})
    assert isinstance(found, ox.QueryBoolean)
