"""The limits of XML 1.0 for the answers and graphs that the RDF library writes.

The library writes the characters of a literal unescaped. This causes three faults:

- Most control characters are not allowed in XML 1.0, not even escaped.
- A carriage return must be escaped; otherwise a parser reads it as a line feed.
- A property whose IRI does not end in an XML name becomes an element without a local name.
"""

import re
from typing import Final

__all__ = ["REASON", "escaped", "is_sayable"]

REASON: Final = (
    "XML can't express a control character (\\u0000-\\u001F except tab and line ends, \\uFFFE, "
    "\\uFFFF) or a property whose IRI doesn't end in a name"
)
_CONTROLS: Final = tuple(bytes([n]) for n in range(0x20) if n not in b"\t\n\r")
_UNSAID: Final = (*_CONTROLS, "\ufffe".encode(), "\uffff".encode())
_NAMELESS: Final = re.compile(rb"<[^<> ]*:[ >/]")
"""A tag whose name ends after its prefix; `<` is escaped everywhere else."""


def escaped(written: bytes) -> bytes:
    r"""Return the library's XML with carriage returns escaped, so that line ends are preserved.

    >>> escaped(b"<literal>a\r</literal>")
    b'<literal>a&#13;</literal>'
    """
    return written.replace(b"\r", b"&#13;")


def is_sayable(written: bytes) -> bool:
    r"""Whether the library's XML is well-formed.

    >>> is_sayable(b"<literal>a\tb</literal>"), is_sayable(b"<literal>a\x01b</literal>")
    (True, False)
    """
    return not any(each in written for each in _UNSAID) and not _NAMELESS.search(written)
