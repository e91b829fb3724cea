"""An additional websocket as a source, beside or instead of the one that `perceive` opens."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from spatial_reasoner.errors import shown
from spatial_reasoner.percepts.access import FrameAccess, is_loopback, read_keys
from spatial_reasoner.percepts.feed_socket import FrameSocket
from spatial_reasoner.scene.fields import fields, text, whole
from spatial_reasoner.sources.protocol import Surroundings, spot

__all__ = ["make"]

_FIELDS: Final = ("host", "port", "tokens")


def make(settings: Mapping[str, object], _: Surroundings) -> FrameSocket:
    """Makes a websocket from its settings: `port`, `host` (127.0.0.1), and `tokens`, a file.

    `tokens` is required if the host is reachable from other machines.
    """
    here = spot("websocket")
    given = fields(here, settings, _FIELDS)
    host = text(here / "host", given.get("host", "127.0.0.1"))
    port = whole(here / "port", given.get("port"), 0, 65_535)
    tokens = given.get("tokens")
    if tokens is not None and not isinstance(tokens, str):
        raise (here / "tokens").wrong(f"must be the name of a file, not {shown(tokens)}")
    if tokens is None and not is_loopback(host):
        raise (here / "tokens").wrong(f"is missing: {host} is reachable from other machines")
    return FrameSocket(
        host, port, FrameAccess(read_keys(Path(tokens)) if tokens else None, (host,))
    )
