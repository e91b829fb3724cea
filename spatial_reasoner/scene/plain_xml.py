"""Safe reading of XML: no DOCTYPE, hence no entities, and limits on depth and on elements.

The danger: `xml.etree` alone accepts a DOCTYPE and expands the entities that it defines.
"""

from typing import Final
from xml.etree import ElementTree
from xml.parsers import expat

from spatial_reasoner.errors import MeshRefused

__all__ = ["read_xml"]

_DEEPEST: Final = 100
"""Levels of nested elements at most."""
_MOST: Final = 200_000
"""Elements of a document at most."""


class _Watch:
    """The handlers of the parser; they raise ValueError for documents that are not plain."""

    def __init__(self) -> None:
        self.builder: Final = ElementTree.TreeBuilder()
        self.depth = 0
        self.count = 0

    def doctype(self, *_: object) -> None:
        raise ValueError("has a DOCTYPE, which is not read")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        self.count += 1
        if self.depth > _DEEPEST or self.count > _MOST:
            raise ValueError("is nested too deeply, or has too many elements")
        self.builder.start(tag, attributes)

    def end(self, tag: str) -> None:
        self.depth -= 1
        self.builder.end(tag)


def read_xml(content: bytes | str, where: str) -> ElementTree.Element:
    """The root of a document, with tags without namespaces; MeshRefused names what is wrong."""
    watch = _Watch()
    # A namespace is separated from the tag by a space; without a namespace there is none.
    parser = expat.ParserCreate(None, " ")
    parser.StartDoctypeDeclHandler = watch.doctype
    parser.StartElementHandler = lambda tag, given: watch.start(tag.rpartition(" ")[2], given)
    parser.EndElementHandler = lambda tag: watch.end(tag.rpartition(" ")[2])
    parser.CharacterDataHandler = watch.builder.data
    parser.buffer_text = True
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError) as error:
        raise MeshRefused(where, f"is no plain XML: {error}") from None
    return watch.builder.close()
