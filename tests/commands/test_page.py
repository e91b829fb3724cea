"""The page on the commands shows what happens."""

import re
import shlex
from pathlib import Path

import pytest

from tests.commands.program import Program
from tests.service.servers import Servers

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"


def test_the_page_shows_what_happens(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line of the page does what stands below it, one after the other; … is anything."""
    monkeypatch.chdir(tmp_path)
    program = Program(servers.start(keeps=False).url)
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    steps = [step for block in blocks for step in block.split("$ mindboard ")[1:]]
    assert steps
    for step in steps:
        line, _, expected = step.partition("\n")
        printed = program(*shlex.split(line)).stdout.replace("\r\n", "\n")
        wanted = ".*".join(map(re.escape, expected.split("…\n")))
        assert re.fullmatch(wanted, printed, re.DOTALL), printed
