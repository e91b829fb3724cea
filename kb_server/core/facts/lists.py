"""RDF lists, read together with the statements that form them."""

from dataclasses import dataclass

from kb_server.core.facts.facts import FactView
from kb_server.core.terms.statements import Statement
from ontology.vocabulary import FIRST, NIL, REST

__all__ = ["ListRead", "heads_above", "read_list"]


@dataclass(frozen=True, slots=True)
class ListRead:
    members: tuple[str, ...]
    axioms: tuple[Statement, ...]


def read_list(head: str, view: FactView) -> ListRead | None:
    """Return the list that begins at a node; None if it is incomplete, ambiguous or circular."""
    members: list[str] = []
    axioms: list[Statement] = []
    seen: set[str] = set()
    node = head
    while node != NIL:
        firsts, rests = view.match(node, FIRST, None), view.match(node, REST, None)
        if len(firsts) != 1 or len(rests) != 1 or node in seen:
            return None
        seen.add(node)
        members.append(firsts[0][2])
        axioms += (firsts[0], rests[0])
        node = rests[0][2]
    return ListRead(tuple(members), tuple(axioms))


def heads_above(node: str, view: FactView, seen: set[str] | None = None) -> list[str]:
    """Return a node and all list nodes from which it is reached, without those `seen` before."""
    known = set[str]() if seen is None else seen
    found = [node] if node not in known else []
    known.update(found)
    for current in found:
        above = [s for s, _, _ in view.match(None, REST, current) if s not in known]
        known.update(above)
        found += above
    return found
