"""What the DL engine answers, and how it fails.

Terms are written as in the N-Triples that were asked about, except in a classification, whose
names are bare IRIs (it only ever speaks of named classes and properties).

    DLError              code, detail
     ├── NoDLEngine      no_dl_engine: no fitting Java, or no Pellet
     ├── DLTimeout       dl_timeout: not done in time; everything it started is gone
     └── DLFailed        dl_failed: bad input, too little memory, or Pellet gave up
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

Pair = tuple[str, str]
Pairs = frozenset[Pair]
Triple = tuple[str, str, str]


class DLError(Exception):
    """Pellet gave no answer; the message is a sentence for the user."""

    code: ClassVar[str] = "dl_failed"

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.message = message
        self.detail: dict[str, object] = detail


class NoDLEngine(DLError):
    """Pellet cannot be started here; everything but full DL works."""

    code = "no_dl_engine"


class DLTimeout(DLError):
    """The time allowed was over before Pellet had an answer."""

    code = "dl_timeout"


class DLFailed(DLError):
    """The input was not usable, or Pellet failed on it."""


@dataclass(frozen=True, slots=True)
class Classification:
    """What follows among the named classes and properties of an ontology.

    Subsumptions (sub, super) are the direct ones; their transitive closure, through the
    equivalences, is all of them. Equivalences are pairs, the smaller name first. Nothing trivial
    is listed: no pair speaks of owl:Thing, owl:Nothing, a top or bottom property, or a name that
    is unsatisfiable. If the ontology is inconsistent, all is empty but `warnings`.
    """

    consistent: bool
    subsumptions: Pairs = frozenset()
    equivalences: Pairs = frozenset()
    property_subsumptions: Pairs = frozenset()
    property_equivalences: Pairs = frozenset()
    unsatisfiable: tuple[str, ...] = ()
    """Classes, and properties, that can have no instance: an error in the ontology, mostly."""
    warnings: tuple[str, ...] = ()
    """Axioms outside OWL 2 DL that Pellet left out, in its words."""

    def to_json(self) -> dict[str, object]:
        """The same as JSON values, sorted."""
        return {
            "consistent": self.consistent,
            "subsumptions": sorted(self.subsumptions),
            "equivalences": sorted(self.equivalences),
            "property_subsumptions": sorted(self.property_subsumptions),
            "property_equivalences": sorted(self.property_equivalences),
            "unsatisfiable": list(self.unsatisfiable),
            "warnings": list(self.warnings),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, object]) -> Self:
        """What `to_json` wrote; raises ValueError for anything else."""
        consistent = value.get("consistent")
        if not isinstance(consistent, bool):
            raise ValueError("consistent is true or false")
        return cls(
            consistent,
            subsumptions=_pairs(value.get("subsumptions")),
            equivalences=_pairs(value.get("equivalences")),
            property_subsumptions=_pairs(value.get("property_subsumptions")),
            property_equivalences=_pairs(value.get("property_equivalences")),
            unsatisfiable=_texts(value.get("unsatisfiable")),
            warnings=_texts(value.get("warnings")),
        )


@dataclass(frozen=True, slots=True)
class DLConflict:
    """One reason why the facts cannot all be true."""

    message: str
    facts: tuple[Triple, ...]
    """The statements asked about, to blame together, in their order; of an axiom spread over
    blank nodes its first statement. Empty when Pellet could not say."""
    axioms: tuple[str, ...] = ()
    """The same as Pellet writes it, with short names: `disjointWith(Human, Artifact)`."""
    rule: str = "dl"


@dataclass(frozen=True, slots=True)
class DLVerdict:
    """Whether the statements have a model, and if not, why."""

    consistent: bool
    conflicts: tuple[DLConflict, ...] = ()
    warnings: tuple[str, ...] = ()


def _pairs(value: object) -> Pairs:
    return frozenset(map(_pair, _list(value)))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(_text, _list(value)))


def _list(value: object) -> Iterable[object]:
    if not isinstance(value, list):
        raise ValueError(f"a list was due, not {value!r}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"text was due, not {value!r}")
    return value


def _pair(value: object) -> Pair:
    first, second = _list(value)
    return _text(first), _text(second)
