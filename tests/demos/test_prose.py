"""What the demonstrations say of reasons."""

from typing import Any

from demos.asking import Moment, Reasons
from demos.prose import because
from kb_server.client.calls.values import Proof

_FACT = "pencil isIn tube"


def _said(model: str = "myself", **reasons: Any) -> list[str]:
    return [*because(Reasons(model, _FACT, Proof(_FACT, "asserted", ()), **reasons))]


def test_what_was_never_seen_was_perceived() -> None:
    """Where the agent had no sight of a thing, it is said when it last perceived it."""
    then = Moment(2.0, 1, 7)
    assert _said(since=then, perceived=then) == [
        "`pencil isIn tube` holds in myself since 2.0 s (step 1).",
        "The robot last perceived the pencil at 2.0 s (step 1).",
    ]
    assert _said("emma", perceives=True) == ["Emma perceives the pencil now."]
    assert _said("emma", sees=True, perceives=True) == ["Emma sees the pencil now."]


def test_what_others_said_is_theirs() -> None:
    """A fact of another source is not put down to what the agent saw."""
    assert _said(other="tom") == ["`pencil isIn tube` was said in myself by `tom`."]
