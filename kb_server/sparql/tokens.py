"""A tokeniser of SPARQL: enough to count, to search words and to split a text; no parser.

A string or an IRI is one token, and a comment none, so brackets inside them do not count. A text
that is not SPARQL has tokens too; the parser reports its errors.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["NAMES", "Token", "tokens"]

NAMES: Final = ("iri", "name")
"""The kinds of tokens that are names."""

_TOKEN: Final = re.compile(
    r"""
      (?P<skip>[\s\ufeff]+|\#[^\r\n]*)
    | (?P<string>\"\"\"(?:(?:""|")?(?:[^"\\]|\\.))*+(?:\"\"\"|\Z)
                |'''(?:(?:''|')?(?:[^'\\]|\\.))*+(?:'''|\Z)
                |"(?:[^"\\\r\n]|\\.)*+"?
                |'(?:[^'\\\r\n]|\\.)*+'?)
    | (?P<iri><[^<>"{}|^`\x00-\x20]*+>)
    | (?P<variable>[?$]\w+)
    | (?P<blank>_:[\w.·-]*\w|_:\w)
    | (?P<name>(?:[^\W\d_][\w.·-]*)?:(?:[\w:]|%[0-9A-Fa-f]{2}|\\.|[.·-](?=[\w:%\\.·-]))*+)
    | (?P<tag>@[A-Za-z]+(?:-[A-Za-z0-9-]+)?)
    | (?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)
    | (?P<word>[^\W\d]\w*)
    | (?P<mark>&&|\|\||\^\^|<<\(|\)>>|<<|>>|[{}()\[\];.,|/^*+?!=<>&~@$:-]|.)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text; `kind` is string, iri, variable, blank, name, tag, number, word or mark.

    `word` is a word in capitals, a mark as it is, and empty for other kinds.
    """

    kind: str
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        return self.text.upper() if self.kind in ("word", "mark") else ""


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text in order, without spaces and comments."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind is not None and kind != "skip":
            yield Token(kind, match[0], match.start(), match.end())
