"""`mindboard replay --likely`: how likely facts are at the end of a recording."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from kb_server.__main__ import main
from tests.live.rooms import ROOM

SALLY: Final = {"head": [1.2, 0.0, 1.4, 0.0, 0.0, 1.0, 0.0]}
THINGS: Final = {"ball": [0.2, 0.1, 0.835], "box": [0.2, 0.1, 0.9], "mug": [-0.2, -0.3, 0.8]}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A scene, and a recording of a ball in a box and of a mug on the table."""
    scene, frames = tmp_path / "room.yaml", tmp_path / "frames.jsonl"
    scene.write_text(yaml.safe_dump({**ROOM, "depth": 1}))
    lines = [
        {"t": k / 25, "source": "camera", "objects": THINGS, "agents": {"sally": SALLY}}
        for k in range(6)
    ]
    frames.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return [str(scene), str(frames), "--sight", "rays"]


def said(text: str) -> list[dict[str, Any]]:
    """The lines about facts that may be."""
    lines = [json.loads(line) for line in text.splitlines()]
    return [line for line in lines if "fact" in line]


def test_how_likely_facts_are(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each fact tells its share of the samples and the standard error, last of all."""
    wanted = (
        "--likely",
        "oro:ball isIn box",
        "--likely",
        "mug isOn <http://kb.openrobots.org#box>",
    )
    assert main(["replay", *files, *wanted]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in lines[-2:]] == [
        {"fact": "ball isIn box", "model": "myself", "share": 1.0, "samples": 100, "error": 0.0},
        {"fact": "mug isOn box", "model": "myself", "share": 0.0, "samples": 100, "error": 0.0},
    ]
    assert all("fact" not in json.loads(line) for line in lines[:-2])


def test_in_whose_mind(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --model it is what that mind believes; of what it has never seen nothing is known."""
    out = str(tmp_path / "facts.jsonl")
    wanted = ("--model", "sally", "--likely", "mug isOn table", "--out", out)
    assert main(["replay", *files, *wanted]) == 0
    [line] = said(capsys.readouterr().out)
    assert said(Path(out).read_text()) == []
    assert (line["model"], line["share"]) == ("sally", 1.0)
    nobody = ("--likely", "mug isOn table", "--model", "sally", "--sight", "rays")
    empty = tmp_path / "empty.jsonl"
    frame = {"t": 0.0, "source": "camera", "objects": {}, "agents": {"sally": SALLY}}
    empty.write_text(json.dumps(frame) + "\n")
    assert main(["replay", files[0], str(empty), *nobody]) == 0
    [line] = said(capsys.readouterr().out)
    assert (line["share"], line["samples"], line["error"]) == (None, 0, None)


@pytest.mark.parametrize(
    ("wanted", "message", "status"),
    [
        (("--likely", "ball near box"), "OBJECT, with one of isOn, isIn, isNextTo", 2),
        (("--likely", "ball isIn"), "OBJECT RELATION OBJECT", 2),
        (("--likely", "?x isIn box"), "OBJECT RELATION OBJECT", 2),
        (("--likely", "<ball isIn box"), "OBJECT RELATION OBJECT", 2),
        (("--likely", "ghost isIn box"), "the scene has no object 'ghost'", 1),
        (("--likely", "ball isIn sally"), "the scene has no object 'sally'", 1),
        (("--likely", "ball isIn box", "--model", "bob"), "there is no model 'bob'", 1),
    ],
)
def test_what_cannot_be_weighed(
    files: list[str],
    wanted: tuple[str, ...],
    message: str,
    status: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A statement of no such relation or of nothing in the scene is refused, and says why."""
    assert main(["replay", *files, *wanted]) == status
    assert message in capsys.readouterr().err
