"""Whose minds there are: the names of models, and which agents are given one."""

import re
from collections.abc import Iterable
from typing import Final

from kb_server.core.errors import BadModelName
from kb_server.core.terms.statements import Statement
from kb_server.core.terms.terms import Names
from ontology.vocabulary import AGENT, MYSELF, OWNER, TYPE

__all__ = ["ROBOT", "ancestors", "check_name", "new_minds"]

ROBOT: Final = MYSELF
"""The robot's own model, and its name in every model."""

_PART: Final = re.compile(r"[A-Za-z0-9_-]+\Z")
_LONGEST: Final = 512
_NO_MINDS: Final = (ROBOT, OWNER)


def check_name(name: str) -> str:
    """The name, when it is one that a model can have: agents' names joined by dots.

    >>> check_name("sally.anne")
    'sally.anne'
    """
    if len(name) > _LONGEST or not all(_PART.match(part) for part in name.split(".")):
        raise BadModelName(
            f"{name[:80]!r} is no name for a model; letters, digits, _ and - are, joined by dots",
            name=name[:80],
        )
    return name


def ancestors(name: str) -> list[str]:
    """The models that a model lies in, nearest first.

    >>> ancestors("sally.anne.bob")
    ['sally.anne', 'sally']
    """
    parts = name.split(".")
    return [".".join(parts[:i]) for i in range(len(parts) - 1, 0, -1)]


def new_minds(became_true: Iterable[Statement], names: Names) -> list[str]:
    """The names of the agents among some facts, each to have a model of its own."""
    agents = [names.agent_name(s) for s, p, o in became_true if p == TYPE and o == AGENT]
    return [n for n in agents if n and n not in _NO_MINDS and len(n) <= _LONGEST and _PART.match(n)]
