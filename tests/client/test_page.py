"""The page about the client runs as it stands, against a real server."""

import re
from pathlib import Path

from tests.service.servers import started_servers

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "client.md"
_WRITTEN = "http://127.0.0.1:8765"


def test_the_examples_of_the_page(tmp_path: Path) -> None:
    """Every Python block of the page runs after those above it, and its assertions hold."""
    blocks = re.findall(r"```python\n(.*?)```", _PAGE.read_text("utf-8"), re.DOTALL)
    assert blocks
    with started_servers(tmp_path) as servers:
        page = "\n".join(blocks).replace(_WRITTEN, servers.start().url)
        exec(compile(page, _PAGE.name, "exec"), {"__name__": "page"})
