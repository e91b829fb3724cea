"""Proof trees as values: their facts, their leaves, and how to make a fact go."""

from collections.abc import Callable, Iterator, Sequence

from kb_server.core.models.proofs import FactProof
from kb_server.core.terms.statements import Statement

__all__ = ["MOST_NODES", "MOST_WAYS", "depth", "is_founded", "is_whole", "removal", "walk"]

MOST_WAYS = 8
MOST_NODES = 900
"""Larger trees may have been cut: what is left out can be asked for by itself."""


def walk(proof: FactProof) -> Iterator[FactProof]:
    """A proof and all the proofs in it."""
    stack = [proof]
    while stack:
        current = stack.pop()
        yield current
        stack += [premise for way in current.because for premise in way.premises]


def depth(proof: FactProof) -> int:
    """The depth of a proof tree."""
    deepest, layer = 0, [proof]
    while layer:
        deepest += 1
        layer = [p for current in layer for way in current.because for p in way.premises]
    return deepest


def is_founded(proof: FactProof, above: frozenset[Statement] = frozenset()) -> bool:
    """Whether no fact rests on itself."""
    if proof.fact in above:
        return False
    path = above | {proof.fact}
    return all(is_founded(p, path) for way in proof.because for p in way.premises)


def is_whole(proof: FactProof) -> bool:
    """Whether every branch of a proof goes down to assertions and common sense, none left out."""
    nodes = list(walk(proof))
    return (
        all(node.kind != "inferred" or 0 < len(node.because) < MOST_WAYS for node in nodes)
        and len(nodes) < MOST_NODES
    )


def removal(proof: FactProof, choose: Callable[[Sequence[FactProof]], FactProof]) -> set[Statement]:
    """Assertions whose withdrawal takes the fact with it: one premise of every way."""
    gone = {proof.fact} if proof.kind == "asserted" else set()
    for way in proof.because:
        own = [premise for premise in way.premises if premise.kind != "common_sense"]
        gone |= removal(choose(own), choose)
    return gone
