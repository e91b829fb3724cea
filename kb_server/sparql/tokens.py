"""SPARQL text as tokens: enough to count, to look for words and to cut, never a parser.

Strings, comments and IRIs are one token each, or none, so a bracket inside them counts for
nothing. A text that is no SPARQL gives tokens too: the parser will say what is wrong with it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["NAMES", "Token", "tokens"]

NAMES: Final = ("iri", "name")
"""The kinds of tokens that name something."""

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

    `word` is the keyword it may be, in capitals, and the mark itself for a mark.
    """

    kind: str
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        return self.text.upper() if self.kind in ("word", "mark") else ""


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, in order, spaces and comments left out."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind is not None and kind != "skip":
            yield Token(kind, match[0], match.start(), match.end())
