"""Who may do what on a socket: tokens, roles and models, and how many may come."""

from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from tests.service.servers import Server, started_servers
from tests.sockets.lines import line_to

TOKENS = """
[[tokens]]
name = "eye"
token = "read-read-read-read"
role = "read"
models = ["sally"]

[[tokens]]
name = "boss"
token = "boss-boss-boss-boss"
role = "admin"
"""


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with tokens, and room for three."""
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "tokens.toml").write_text(TOKENS)
    (folder / "settings.toml").write_text("[service]\nconnections = 3\n")
    files = ("--tokens", str(folder / "tokens.toml"), "--settings", str(folder / "settings.toml"))
    with started_servers(folder) as made:
        yield made.start("--no-dl", *files)


def bearer(token: str) -> dict[str, dict[str, str]]:
    return {"additional_headers": {"Authorization": f"Bearer {token}"}}


BOSS = bearer("boss-boss-boss-boss")


def test_a_handshake_without_a_token_is_refused(guarded: Server) -> None:
    """No token and a wrong one are both 401, with the one error body."""
    for options in ({}, bearer("nobody-nobody-nobody")):
        with pytest.raises(InvalidStatus) as refused, line_to(guarded.events_url, **options):
            pass
        assert refused.value.response.status_code == 401
        assert b'"unauthorized"' in (refused.value.response.body or b"")


def test_a_token_reads_its_own_models_only(guarded: Server) -> None:
    """Each command looks at the role and the models of the token."""
    httpx.put(f"{guarded.url}/models/sally", headers=BOSS["additional_headers"])
    asked = {"patterns": ["?x isIn box"]}
    with line_to(guarded.events_url, **bearer("read-read-read-read")) as line:
        line.do("subscribe", id="s", model="sally", **asked)
        line.do("find", model="sally", **asked)
        line.do("listen", topic="poses", model="sally")
        for op, fields in (
            ("subscribe", {"model": "myself", **asked}),
            ("subscribe_divergence", {"model": "sally", "from": "myself", **asked}),
            ("find", {"model": "myself", **asked}),
            ("check", {"model": "myself", **asked}),
            ("listen", {"topic": "poses", "model": "myself"}),
            ("revise", {"model": "sally", "add": ["ball isIn box"]}),
            ("publish", {"topic": "poses", "model": "sally", "poses": {}}),
            ("provide", {"predicates": ["isIn"]}),
            ("will", {"source": "eye"}),
        ):
            assert line.refused(op, **fields) == "forbidden", op


def test_a_browser_can_bring_its_token_as_a_subprotocol(guarded: Server) -> None:
    """What can set no header names the token beside the protocol, which alone is chosen."""
    asked = [Subprotocol("mindboard"), Subprotocol("bearer.boss-boss-boss-boss")]
    with line_to(guarded.events_url, subprotocols=asked) as line:
        assert line.socket.subprotocol == "mindboard"
        assert line.do("ping")


def test_one_more_than_there_is_room_for_is_refused(guarded: Server) -> None:
    """Past the number of connections the handshake is answered 503, until one goes."""
    with line_to(guarded.events_url, **BOSS), line_to(guarded.events_url, **BOSS):
        with line_to(guarded.events_url, **BOSS):
            with pytest.raises(InvalidStatus) as refused, line_to(guarded.events_url, **BOSS):
                pass
            assert refused.value.response.status_code == 503
        with line_to(guarded.events_url, **BOSS) as line:
            assert line.do("ping")
