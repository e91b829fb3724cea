"""What XML 1.0 can say of an answer or a graph that the RDF library wrote, and what it can't.

The library writes the characters of a literal as they are. Most control characters stand in no XML
1.0, not even escaped; a carriage return must be escaped, or whoever reads it gets a line feed. And
a property whose name has no end that XML could call a name is written as an element without one.
"""

import re
from typing import Final

__all__ = ["REASON", "escaped", "is_sayable"]

REASON: Final = (
    "XML can't say a control character (\\u0000-\\u001F but tab and line ends, \\uFFFE, \\uFFFF), "
    "nor a property whose IRI doesn't end in a name"
)
_CONTROLS: Final = tuple(bytes([n]) for n in range(0x20) if n not in b"\t\n\r")
_UNSAID: Final = (*_CONTROLS, "\ufffe".encode(), "\uffff".encode())
_NAMELESS: Final = re.compile(rb"<[^<> ]*:[ >/]")
"""A tag whose name ends with its prefix; what is not a tag has no `<`."""


def escaped(written: bytes) -> bytes:
    r"""XML that the library wrote, whose line ends read back as they were.

    >>> escaped(b"<literal>a\r</literal>")
    b'<literal>a&#13;</literal>'
    """
    return written.replace(b"\r", b"&#13;")


def is_sayable(written: bytes) -> bool:
    r"""Whether XML that the library wrote is well-formed.

    >>> is_sayable(b"<literal>a\tb</literal>"), is_sayable(b"<literal>a\x01b</literal>")
    (True, False)
    """
    return not any(each in written for each in _UNSAID) and not _NAMELESS.search(written)
