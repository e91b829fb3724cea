"""The executive of thirty lines does what people want, on a real board, whatever happens to it."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import IO, Final

import pytest

from demos import executive
from kb_server import Blackboard
from tests.service.servers import Server, Servers, started_servers

_SECONDS: Final = 30.0
_PLAIN: Final = ("-m", "demos.executive")
_WITH_A_BAD_ROW: Final = (
    "-c",
    "import asyncio, sys, demos.executive as executive\n"
    "rows = dict(executive.REACTIONS)\n"
    "executive.REACTIONS.clear()\n"
    "executive.REACTIONS.update({('?h desires',): executive.give, **rows})\n"
    "asyncio.run(executive.main(sys.argv[1]))",
)


@contextmanager
def running(url: str, *program: str) -> Iterator["Queue[str]"]:
    """An executive in a process of its own, and the lines that it says on stderr."""
    said: Queue[str] = Queue()
    with subprocess.Popen(
        [sys.executable, *program, url], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        reader = threading.Thread(target=_pass_on, args=[process.stderr, said])
        reader.start()
        try:
            yield said
        finally:
            process.kill()
            reader.join(_SECONDS)


def _pass_on(lines: IO[str], said: "Queue[str]") -> None:
    for line in lines:
        said.put(line)


@pytest.fixture(scope="module")
def board_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that the tests of this file may restart."""
    with started_servers(tmp_path_factory.mktemp("executive")) as made:
        yield made.start("--no-dl")


@pytest.fixture(scope="module")
def said(board_server: Server) -> Iterator["Queue[str]"]:
    """The executive that the tests of this file share, and what it says."""
    with running(board_server.url, *_WITH_A_BAD_ROW) as lines:
        yield lines


@pytest.fixture
def kb(board_server: Server, said: "Queue[str]") -> Iterator[Blackboard]:
    """The board on which the executive of this file is at work."""
    del said
    with Blackboard(board_server.url) as board:
        yield board


def wish(kb: Blackboard, act: str, thing: str) -> None:
    """Sally wants to be given something."""
    kb.add("myself", "sally a Human", f"sally desires {act}", f"{act} a Give")
    kb.add("myself", f"{act} actsOnObject {thing}")


def ended(kb: Blackboard, act: str, how: str = "done") -> list[str]:
    """The states that an act has gone through, when it has come to that one."""
    with kb.subscribe("myself", f"{act} hasState {how}", snapshot=True) as events:
        while events.next(timeout=_SECONDS).kind != "appear":
            pass
    went = kb.history("myself", s=act, p="hasState")
    return [line.fact.split()[2] for line in went if line.op == "became_true"]


def test_a_wish_is_done_and_told(kb: Blackboard) -> None:
    """What Sally wishes is given to her, and the board tells that it began and that it is done."""
    wish(kb, "give_1", "ball")
    assert ended(kb, "give_1") == ["running", "done"]
    assert kb.check("myself", "sally isHolding ball")


def test_a_wish_is_done_once(kb: Blackboard) -> None:
    """Who wishes the same again, or a second person who does, is not given it twice."""
    wish(kb, "give_2", "cup")
    ended(kb, "give_2")
    kb.retract("myself", "sally desires give_2")
    kb.add("myself", "sally desires give_2", "anne a Human", "anne desires give_2")
    wish(kb, "give_3", "spoon")
    assert ended(kb, "give_3") == ["running", "done"]
    assert ended(kb, "give_2") == ["running", "done"]
    assert not kb.check("myself", "anne isHolding cup")


def test_a_wish_that_can_not_be_met_fails(kb: Blackboard) -> None:
    """To give what nobody can hold fails, is told with the error, and the next wish is met."""
    kb.add("myself", "anger a Emotion")
    wish(kb, "give_4", "anger")
    assert ended(kb, "give_4", "failed") == ["running", "failed", "Inconsistent"]
    wish(kb, "give_5", "plate")
    assert ended(kb, "give_5") == ["running", "done"]


@pytest.mark.parametrize(
    ("act", "thing"),
    [("odd_1", "12"), ("odd_2", '"a \\"text\\" of\\nsome kind"'), ("odd_3", "<http://a.b/c>")],
)
def test_a_strange_wish_ends_nothing(kb: Blackboard, act: str, thing: str) -> None:
    """A number, a text or a foreign name as the thing is taken as it is; the executive lives on."""
    wish(kb, act, thing)
    assert ended(kb, act) == ["running", "done"]


def test_a_refused_subscription_is_said(kb: Blackboard, said: "Queue[str]") -> None:
    """A pattern that the board refuses is said on stderr, and the other reactions go on."""
    assert said.get(timeout=_SECONDS).startswith("refused: ")
    wish(kb, "give_6", "fork")
    assert ended(kb, "give_6") == ["running", "done"]


def test_it_goes_on_after_a_restart(kb: Blackboard, board_server: Server) -> None:
    """When the server is killed and started again, old wishes are left and new ones are met."""
    wish(kb, "give_7", "knife")
    ended(kb, "give_7")
    board_server.kill()
    board_server.start()
    with Blackboard(board_server.url) as again:
        wish(again, "give_8", "bowl")
        assert ended(again, "give_8") == ["running", "done"]
        assert ended(again, "give_7") == ["running", "done"]


def test_a_new_executive_leaves_what_an_old_one_did(servers: Servers) -> None:
    """An executive that comes later meets only the wishes that none before it has taken up."""
    url = servers.start("--no-dl", keeps=False).url
    with Blackboard(url) as kb:
        for act, thing in (("give_1", "glass"), ("give_2", "jug")):
            with running(url, *_PLAIN):
                wish(kb, act, thing)
                assert ended(kb, act) == ["running", "done"]
        assert ended(kb, "give_1") == ["running", "done"]


def test_it_goes_on_with_another_board(servers: Servers) -> None:
    """When another board takes the place of the first, what is wished there is done there."""
    server = servers.start("--no-dl", keeps=False)
    with running(server.url, *_PLAIN):
        for _ in range(2):
            with Blackboard(server.url) as kb:
                wish(kb, "give_1", "ball")
                assert ended(kb, "give_1") == ["running", "done"]
            server.kill()
            server.start()


def test_it_has_thirty_lines() -> None:
    """Beside docstring, comments and blank lines it has no more than thirty lines."""
    code = Path(executive.__file__).read_text("utf-8").split('"""')[2]
    lines = [line for line in code.splitlines() if line.strip() and not line.startswith("#")]
    assert len(lines) <= 30
