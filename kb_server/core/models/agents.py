"""The names of models, and the agents that get a model."""

import re
from collections.abc import Iterable
from typing import Final

from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from kb_server.errors import BadModelName
from ontology.vocabulary import AGENT, MYSELF, OWNER, TYPE

__all__ = ["ROBOT", "ancestors", "check_name", "new_minds"]

ROBOT: Final = MYSELF
"""The robot's own model, and its name in every model."""

_PART: Final = re.compile(r"[A-Za-z0-9_-]+\Z")
_LONGEST: Final = 512
"""Characters of a model's id, with those of the models in which it is nested."""
_NO_MINDS: Final = (ROBOT, OWNER)


def check_name(name: str) -> str:
    """Return the name if it is valid: agents' names joined by dots; else raise BadModelName.

    >>> check_name("sally.anne")
    'sally.anne'
    """
    if len(name) > _LONGEST or not all(_PART.match(part) for part in name.split(".")):
        raise BadModelName(
            f"{name[:80]!r} is not a valid model id; use letters, digits, _ and -, joined by dots",
            name=name[:80],
        )
    return name


def ancestors(name: str) -> list[str]:
    """Return the models in which a model is nested, nearest first.

    >>> ancestors("sally.anne.bob")
    ['sally.anne', 'sally']
    """
    parts = name.split(".")
    return [".".join(parts[:i]) for i in range(len(parts) - 1, 0, -1)]


def new_minds(became_true: Iterable[Statement], names: Names) -> list[str]:
    """Return the names of the agents declared by some facts, except the robot."""
    agents = [names.agent_name(s) for s, p, o in became_true if p == TYPE and o == AGENT]
    return [n for n in agents if n and n not in _NO_MINDS and len(n) <= _LONGEST and _PART.match(n)]
