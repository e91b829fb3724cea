"""What an asker may read who is limited to some models: which graphs, named in what ways.

A graph of a model out of reach that a text names is refused; one that it might come upon, as
`GRAPH ?g` does, is not there. The dataset is cut to what is in reach all the same, so a name that
the tokens don't show (spelt in escapes, hidden in what looks like a string) shows nothing either.
"""

from collections.abc import Iterable, Sequence

import pyoxigraph as ox

from kb_server.core.terms import Names
from kb_server.sparql.errors import OutOfReach

__all__ = ["Reach", "check_reach", "reached"]

Reach = Sequence[str] | None
"""The models that may be read, with those in them; None is all."""


def reached(names: Names, graphs: Iterable[ox.NamedNode], reach: Reach) -> list[ox.NamedNode]:
    """Those of some graphs that may be read: all but models that are neither named nor in one."""
    if reach is None:
        return list(graphs)
    models = names.prefixes["model"]
    starts = tuple(f"{models}{model}." for model in reach)
    return [g for g in graphs if not g.value.startswith(models) or f"{g.value}.".startswith(starts)]


def check_reach(names: Names, graphs: Iterable[ox.NamedNode], reach: Reach) -> None:
    """OutOfReach for the graph of a model that may not be read."""
    for graph in graphs:
        if not reached(names, [graph], reach):
            raise OutOfReach(f"<{graph.value}> is not yours to read", graph=graph.value)
