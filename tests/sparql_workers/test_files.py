"""A file that somebody reads with a command: in a process beside, bounded."""

import pyoxigraph as ox
import pytest

from kb_server.errors import BadGraph
from kb_server.sparql import files
from kb_server.sparql.files import quads_in

_LONG = f"@prefix p: <urn:{'a' * 1_000_000}> .\n".encode() + b"p:a p:b p:c .\n" * 100_000


def test_a_text_is_read_as_the_library_reads_it() -> None:
    """All statements of a text come, with their graphs and literals, nameless nodes made new."""
    text = b'<urn:g> { _:a <x> "c\\r\\n\\u0001"@en . }'
    (quad,) = quads_in(text, ox.RdfFormat.TRIG, "file:///f")
    assert quad.object == ox.Literal("c\r\n\x01", language="en")
    assert quad.predicate == ox.NamedNode("file:///x")
    assert quad.graph_name == ox.NamedNode("urn:g")
    assert isinstance(quad.subject, ox.BlankNode)
    assert quad.subject.value != "a"


def test_what_grows_without_end_is_refused() -> None:
    """A small text that comes to a great many bytes is refused before it fills the memory."""
    with pytest.raises(BadGraph, match="memory"):
        list(quads_in(_LONG, ox.RdfFormat.TURTLE, "file:///f"))


def test_what_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that is not read in its time is refused."""
    monkeypatch.setattr(files, "_BASE_SECONDS", 0.001)
    with pytest.raises(BadGraph, match="longer"):
        list(quads_in(b"<urn:a> <urn:b> 1 .", ox.RdfFormat.TURTLE, "file:///f"))
