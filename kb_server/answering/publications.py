"""Reading what connected clients publish and offer: poses, and predicates that they compute."""

from typing import Any

from kb_server.core.terms.literals import is_literal
from kb_server.core.terms.statements import read_pattern
from kb_server.core.terms.terms import Names, is_variable, shown
from kb_server.errors import BadRequest
from kb_server.wire.commands import Provide, Publish
from kb_server.wire.times import read_time

__all__ = ["poses_in", "predicates_in"]


def poses_in(asks: Publish, names: Names) -> dict[str, Any]:
    """Return the published poses by the things' terms; BadRequest for a wrong time or name."""
    if isinstance(asks.t, str):
        read_time(asks.t, "t")
    for name, pose in asks.poses.items():
        if pose is not None and isinstance(pose.seen, str):
            read_time(pose.seen, f"poses.{name[:80]}.seen")
    return {
        _thing(name, names): None if pose is None else pose.said()
        for name, pose in asks.poses.items()
    }


def predicates_in(asks: Provide, names: Names) -> list[str]:
    """Return the terms of the predicates that a provider offers; BadRequest for a variable."""
    read = [read_pattern(["?s", predicate, "?o"], names)[1] for predicate in asks.predicates]
    if any(map(is_variable, read)):
        raise BadRequest("predicates must be names, not variables", field="predicates")
    return read


def _thing(name: str, names: Names) -> str:
    term = names.term(name)
    if is_variable(term) or is_literal(term):
        raise BadRequest(f"poses must be keyed by things' names, not {shown(name)}", field="poses")
    return term
