"""The plain patterns of a query: its triples, as far as they can be read without a parser.

The reader understands triples of names and variables, with `;` and `,`, and statements about
statements, written with `<< … >>`, `~` or `{| … |}`. It skips everything else (paths, lists,
expressions) up to the next full stop or brace. The result lists which tokens were read; the caller
must check that the tokens of interest are among them. A variable gets a new name in each group,
because the groups of UNION and MINUS do not share bindings.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from kb_server.core.questions.reification import PARTS
from kb_server.core.terms.statements import Pattern
from kb_server.core.terms.terms import ANY
from kb_server.sparql.tokens import NAMES, Token
from ontology import vocabulary as v

__all__ = ["Plain", "plain"]

_MORE: Final = ("variable", "blank")
_VALUES: Final = ("string", "number")
_TRUTH: Final = ("true", "false")
_CLOSING: Final = {"<<": ">>", "<<(": ")>>"}
_ENDS: Final = (".", "{", "}")
_NOTHING: Final = Token("", "", 0, 0)
_WIDEST: Final = 200
_DEEPEST: Final = 20
"""Limits: tokens searched backwards for VALUES, and nested annotation blocks."""

Resolve = Callable[[Token], str | None]
"""Returns the term that a token names; None if that is uncertain."""


class _Unread(Exception):
    """A part of a triple was expected, and the token is something else."""


@dataclass(frozen=True, slots=True)
class Plain:
    """The patterns, and the places of the verbs and statement marks that were read in them."""

    patterns: list[Pattern] = field(default_factory=list)
    read: set[int] = field(default_factory=set)


def plain(found: Sequence[Token], resolve: Resolve) -> Plain:
    """Return the patterns of all groups of a query."""
    reader = _Reader(found, resolve)
    reader.run()
    return reader.plain


class _Reader:
    def __init__(self, found: Sequence[Token], resolve: Resolve) -> None:
        self.plain: Final = Plain()
        self._found: Final = found
        self._resolve: Final = resolve
        self._numbers: Final = count()
        self._groups: Final[list[str | None]] = []
        """The prefix of the variables of each open group; None for a block of data."""
        self._brackets: Final = _brackets(found)
        self._depth = self._at = 0

    def run(self) -> None:
        while self._at < len(self._found):
            token = self._token
            if token.text == "{":
                self._groups.append(None if self._begins_data() else f"?g{next(self._numbers)}_")
            elif token.text == "}":
                del self._groups[-1:]
            elif token.text == "(":
                self._at = self._brackets.get(self._at, self._at)
            elif token.kind != "word" and token.text != "." and self._groups and self._groups[-1]:
                self._triples()
                continue
            self._at += 1

    @property
    def _token(self) -> Token:
        return self._found[self._at] if self._at < len(self._found) else _NOTHING

    def _next_is(self, *texts: str) -> bool:
        """Whether the next tokens are these marks."""
        there = self._found[self._at : self._at + len(texts)]
        return tuple(token.text for token in there) == texts

    def _begins_data(self) -> bool:
        """Whether a brace opens the data of VALUES; True if that is uncertain."""
        before = list(self._found[max(self._at - _WIDEST, 0) : self._at])
        while before and before[-1].kind != "word":
            if before.pop().text in _ENDS:
                return False
        return before[-1].word == "VALUES" if before else self._at >= _WIDEST

    def _triples(self) -> None:
        """Read the triples of one subject; skip them if they are not plain."""
        self._depth = 0
        try:
            self._list(self._subject())
        except _Unread:
            while self._at < len(self._found) and self._token.text not in _ENDS:
                self._at += 1

    def _list(self, subject: str) -> None:
        while True:
            self._objects(subject)
            if not self._next_is(";"):
                return
            while self._next_is(";"):
                self._at += 1
            if self._token.text in (*_ENDS, "|"):
                return

    def _objects(self, subject: str) -> None:
        """Reads a verb and its objects."""
        at, verb = self._at, self._verb()
        if verb == v.REIFIES and self._next_is("<<("):
            self._statement(subject)
            if self._next_is(","):
                raise _Unread
            self.plain.read.add(at)
            return
        while True:
            value = self._object()
            self.plain.patterns.append((subject, verb or ANY, value))
            if verb is not None and verb != v.REIFIES:
                self.plain.read.add(at)
            self._annotations((subject, verb or ANY, value))
            if not self._next_is(","):
                return
            self._at += 1

    def _subject(self) -> str:
        if self._next_is("<<"):
            return self._statement(None)
        return self._part(_MORE)

    def _object(self) -> str:
        if self._next_is("<<"):
            return self._statement(None)
        return self._part((*_MORE, *_VALUES))

    def _verb(self) -> str | None:
        token = self._token
        if token.kind == "variable" or token.text == "a":
            self._at += 1
            return token.text if token.text == "a" else None
        if token.kind not in NAMES:
            raise _Unread
        self._at += 1
        return self._resolve(token)

    def _part(self, kinds: Sequence[str]) -> str:
        """Read a name, a variable, or a token of some other kinds; `*` if it names nothing."""
        token = self._token
        if token.kind in NAMES:
            self._at += 1
            return self._resolve(token) or ANY
        if token.kind not in kinds and not (token.text in _TRUTH and "number" in kinds):
            raise _Unread
        self._at += 1
        if token.kind in _MORE:
            return f"{self._groups[-1]}{token.text.lstrip('?$')}"
        self._skip_type()
        return ANY

    def _skip_type(self) -> None:
        """Passes over the language or the datatype of a literal."""
        if self._token.kind == "tag":
            self._at += 1
        elif self._next_is("^^"):
            self._at += 2

    def _statement(self, thing: str | None) -> str:
        """Read `<< … >>` and return the term that stands for the statement."""
        begin, sign = self._at, self._token.text
        self._at += 1
        subject, verb, value = self._part(_MORE), self._verb(), self._part((*_MORE, *_VALUES))
        if thing is None:
            thing = self._reifier() or self._new()
        if not self._next_is(_CLOSING[sign]):
            raise _Unread
        self._at += 1
        self.plain.read.add(begin)
        self._say(thing, (subject, verb or ANY, value))
        return thing

    def _reifier(self) -> str | None:
        """Read `~ ?f`; return None without `~`, and a new variable for a `~` without a name."""
        if not self._next_is("~"):
            return None
        self.plain.read.add(self._at)
        self._at += 1
        is_named = self._token.kind in (*_MORE, *NAMES)
        return self._part(_MORE) if is_named else self._new()

    def _annotations(self, said: Pattern) -> None:
        """Read the annotations of a triple that was just read."""
        thing: str | None = None
        while True:
            if self._next_is("~"):
                thing = self._reifier() or self._new()
                self._say(thing, said)
            elif self._next_is("{", "|"):
                if thing is None:
                    self._say(thing := self._new(), said)
                self._block(thing)
                thing = None
            else:
                return

    def _block(self, thing: str) -> None:
        """Read `{| … |}`, whose triples have `thing` as their subject."""
        begin, self._depth = self._at, self._depth + 1
        self._at += 2
        if self._depth > _DEEPEST:
            raise _Unread
        self._list(thing)
        if not self._next_is("|", "}"):
            raise _Unread
        self.plain.read.add(begin)
        self._at, self._depth = self._at + 2, self._depth - 1

    def _say(self, thing: str, said: Pattern) -> None:
        """Add the patterns by which a term stands for a statement."""
        for part, term in zip(PARTS, said, strict=True):
            self.plain.patterns.append((thing, part, term))

    def _new(self) -> str:
        return f"?n{next(self._numbers)}"


def _brackets(found: Sequence[Token]) -> dict[int, int]:
    """Return the end of each round bracket that contains no group."""
    ends, opened = dict[int, int](), list[int]()
    for at, token in enumerate(found):
        if token.text == "(":
            opened.append(at)
        elif token.text == ")" and opened:
            ends[opened.pop()] = at
        elif token.text in ("{", "}"):
            opened.clear()
    return ends
