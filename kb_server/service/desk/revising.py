"""One `revise`, from HTTP or the websocket."""

from typing import Final

from kb_server.core.models.revision import Revision
from kb_server.core.terms.terms import is_variable
from kb_server.errors import TooLarge
from kb_server.service.desk.desk import Desk
from kb_server.wire.answers import JSON, delta_in
from kb_server.wire.requests import ReviseRequest
from ontology.vocabulary import TYPE

__all__ = ["revised", "weight_of"]

_HEAVY: Final = 1_000_000
_AXIOMS: Final = ("owl:", "rdfs:", "swrl:")


async def revised(desk: Desk, model: str, body: ReviseRequest) -> JSON:
    """Carries out a revision; returns its delta once the journal has stored it."""
    allowed = desk.settings.statements
    if body.size > allowed:
        raise TooLarge(f"{body.size} statements; {allowed} are allowed", allowed=allowed)
    host = desk.host
    if body.size > desk.settings.large:
        revision = await desk.writer.aside(lambda: body.revision(host.names))
    else:
        revision = body.revision(host.names)

    def change() -> JSON:
        return delta_in(host.revise(model, revision), host.board.seq)

    return await desk.writer.change(change, weight_of(revision))


def weight_of(revision: Revision) -> int:
    """The estimated work of a revision: the number of its statements, or `_HEAVY`.

    A retraction with a variable subject and an axiom may each affect all facts of a model.
    """
    asserted = (*revision.update, *revision.add)
    is_heavy = (
        any(is_variable(s) for s, _, _ in revision.retract)
        or any(p.startswith(_AXIOMS) for _, p, _ in (*asserted, *revision.retract))
        or any(p == TYPE and o.startswith(_AXIOMS) for _, p, o in (*asserted, *revision.retract))
    )
    return _HEAVY if is_heavy else len(revision.retract) + len(asserted)
