"""A strict reader of N-Triples: it reports a bad line by its number, and keeps terms as written.

The road not taken is rdflib's reader: the terms must be returned to the caller letter for letter,
and the child process that reads them must start fast.
"""

import re
from collections.abc import Iterable, Iterator

from kb_server.dl.answers import Triple
from kb_server.errors import DLFailed

_ESCAPE = r"\\u[0-9A-Fa-f]{4}|\\U00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4}"
_IRI = rf'<(?:[^\x00-\x20<>"{{}}|^`\\]|{_ESCAPE})++>'
_BLANK = r"_:[\w:](?:[\w.:·-]*[\w:·-])?"
_QUOTED = rf"\"(?:[^\"\\\r\n]|\\[tbnrf\"'\\]|{_ESCAPE})*+\""
_LITERAL = rf"{_QUOTED}(?:\^\^{_IRI}|@[A-Za-z]+(?:-[A-Za-z0-9]+)*)?"
_LINE = re.compile(
    rf"[ \t]*(?:({_IRI}|{_BLANK})[ \t]*({_IRI})[ \t]*({_IRI}|{_BLANK}|{_LITERAL})[ \t]*\.[ \t]*)?"
    r"(?:\#.*)?\r?"
)
_LITERAL_PARTS = re.compile(rf"({_QUOTED})(?:\^\^<(.+)>|@(.+))?")


def read(text: str | bytes) -> list[Triple]:
    """Return the statements of a text, as written, each once, in order; DLFailed for a bad line.

    >>> read("_:b <urn:p> \\"x\\"@en .  # a remark")
    [('_:b', '<urn:p>', '"x"@en')]
    """
    return list(dict.fromkeys(_statements(_decoded(text).split("\n"))))


def literal(term: str) -> tuple[str, str, str] | None:
    """Return a literal's quoted text, datatype and language ('' if missing); else None."""
    parts = _LITERAL_PARTS.fullmatch(term)
    return (parts[1], parts[2] or "", parts[3] or "") if parts else None


def write(statements: Iterable[Triple]) -> str:
    """Return the statements as N-Triples in plain ASCII."""
    return "".join(map(_ascii, (f"{s} {p} {o} .\n" for s, p, o in statements)))


def _decoded(text: str | bytes) -> str:
    try:
        return text if isinstance(text, str) else text.decode()
    except UnicodeDecodeError as error:
        raise DLFailed("The input is not UTF-8.", reason="bad_input", byte=error.start) from error


def _statements(lines: Iterable[str]) -> Iterator[Triple]:
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if match is None:
            message = f"Line {number} of the input is not N-Triples."
            raise DLFailed(message, reason="bad_input", line=number, text=line[:200])
        if match[1]:
            yield match[1], match[2], match[3]


def _ascii(line: str) -> str:
    if line.isascii():
        return line
    return "".join(c if c.isascii() else f"\\U{ord(c):08X}" for c in line)
