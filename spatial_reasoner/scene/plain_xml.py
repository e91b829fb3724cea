"""XML without its traps: no DOCTYPE, so no entities, and no depth or number that is a trick.

`xml.etree` alone takes a DOCTYPE and expands what it defines.
"""

from typing import Final
from xml.etree import ElementTree
from xml.parsers import expat

from spatial_reasoner.errors import MeshRefused

__all__ = ["read_xml"]

_DEEPEST: Final = 100
_MOST: Final = 200_000


class _Watch:
    """Listens to a document being read, and stops where it isn't plain."""

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
    """The root of a document, its tags without namespaces; MeshRefused says what is wrong."""
    watch = _Watch()
    # A space before the tag's own name, and nothing where there is no namespace.
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
