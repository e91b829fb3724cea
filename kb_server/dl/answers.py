"""The answers of the DL engine.

Terms are written as in the N-Triples of the request. In a classification they are bare IRIs,
because it has only named classes and properties.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

Pair = tuple[str, str]
Pairs = frozenset[Pair]
Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Classification:
    """The entailed hierarchy of an ontology's named classes and properties.

    - Subsumptions are pairs (sub, super), direct ones only. Their transitive closure, together with
      the equivalences, gives all of them.
    - Equivalences are pairs, the smaller name first.
    - Pairs with owl:Thing, owl:Nothing, a top or bottom property, or an unsatisfiable name are left
      out.
    - If the ontology is inconsistent, every field except `warnings` is empty.
    """

    consistent: bool
    subsumptions: Pairs = frozenset()
    equivalences: Pairs = frozenset()
    property_subsumptions: Pairs = frozenset()
    property_equivalences: Pairs = frozenset()
    unsatisfiable: tuple[str, ...] = ()
    """Classes and properties that can't have an instance; usually an error in the ontology."""
    warnings: tuple[str, ...] = ()
    """Axioms outside OWL 2 DL that Pellet ignored, in its own words."""

    def to_json(self) -> dict[str, object]:
        """Return the fields as JSON values, sorted."""
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
        """Read the result of `to_json`; ValueError for anything else."""
        consistent = value.get("consistent")
        if not isinstance(consistent, bool):
            raise ValueError("consistent must be true or false")
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
    """One reason why the facts can't all be true."""

    message: str
    facts: tuple[Triple, ...]
    """The statements to blame together, in the order of the request; for an axiom spread over
    blank nodes, its first statement. Empty if Pellet gave no explanation."""
    axioms: tuple[str, ...] = ()
    """The same in Pellet's notation, with short names: `disjointWith(Human, Artifact)`."""
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
        raise ValueError(f"expected a list, not {value!r}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected text, not {value!r}")
    return value


def _pair(value: object) -> Pair:
    first, second = _list(value)
    return _text(first), _text(second)
