"""The common-sense ontology that all models share, materialised once."""

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
"""The budget of the materialisation: an ontology of any size is loaded."""


class CommonSense:
    """An ontology with all its entailments; it is never changed after construction.

    `statements` are the ontology as written, `reasoner` holds the closure and the compiled rules.
    Statements with `oro:owner` as their subject are left out of the closure, because `owner` stands
    for the agent of each model.
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
        added = [s for s in (*self.statements, *also) if s[0] != OWNER]
        self.reasoner.change((), added, 0.0, Budget(_UNLIMITED))
        self.reasoner.commit()
