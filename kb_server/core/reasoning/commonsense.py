"""The common sense that all models share: an ontology, closed under the rules once."""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Final

from kb_server.core.facts.matching import Budget
from kb_server.core.reasoning.reasoner import Reasoner
from kb_server.core.terms.rdf import prefixes_in, read_turtle
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from ontology.vocabulary import OWNER

__all__ = ["CommonSense"]

_UNLIMITED: Final = 10**12


class CommonSense:
    """An ontology with all its consequences; nothing changes it once it is made.

    `statements` are as written, `reasoner` holds the closure and the compiled rules. What the
    ontology says of `owner` as a thing is left out: `owner` stands for the agent of each model.
    """

    def __init__(self, texts: Sequence[str], also: Iterable[tuple[str, str, str]] = ()) -> None:
        declared: dict[str, str] = {}
        for text in texts:
            declared.update(prefixes_in(text))
        self.names: Final = Names(declared)
        blank = count(1)
        self.statements: Final[tuple[Statement, ...]] = tuple(
            s for text in texts for s in read_turtle(text, self.names, blank)
        )
        self.reasoner: Final = Reasoner()
        told = [s for s in (*self.statements, *also) if s[0] != OWNER]
        self.reasoner.change((), told, 0.0, Budget(_UNLIMITED))
        self.reasoner.keep()
