"""Classes of one's own, in a replay without a board and on a board that has them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest
import yaml

from kb_server import Blackboard
from tests.live.rooms import ROOM
from tests.live.test_commands import QUICK, done, folded
from tests.service.servers import Servers

OWN: Final = """
@prefix : <http://kb.openrobots.org#> .
@prefix my: <http://example.org/sweets#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:SmartiesTube a owl:Class ; rdfs:subClassOf :Box .
my:Sweet a owl:Class ; rdfs:subClassOf :Food .
"""
BIN: Final = {"bin": {"size": [0.08, 0.08, 0.16], "floor": 0.005, "wall": 0.005}}
SCENE: Final = {
    "entities": {
        "table": ROOM["entities"]["table"],
        "tube": {"class": "SmartiesTube", "shape": BIN},
        "sweet": {"class": "my:Sweet", "shape": {"sphere": 0.01}},
    },
    "agents": {"myself": ROOM["agents"]["myself"]},
}
FOUND: Final = {
    "tube a SmartiesTube",
    "sweet a my:Sweet",
    "tube isOn table",
    "sweet isIn tube",
}


@pytest.fixture
def files(tmp_path: Path) -> Sequence[Path]:
    """The ontology, a scene of its classes, and frames of a sweet in a tube on the table."""
    places = {"tube": [0.0, 0.0, 0.83], "sweet": [0.0, 0.0, 0.766]}
    frames = [{"t": n / 25, "source": "camera", "objects": places} for n in range(20)]
    texts = {
        "own.ttl": OWN,
        "room.yaml": yaml.safe_dump(SCENE, sort_keys=False),
        "frames.jsonl": "".join(f"{json.dumps(frame)}\n" for frame in frames),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [tmp_path / name for name in texts]


def test_a_replay_knows_the_classes_of_an_ontology(files: Sequence[Path], tmp_path: Path) -> None:
    """With the ontology a tube holds and supports as a Box does; without it there is none."""
    own, scene, frames = files
    printed = done("replay", scene, frames, "--ontology", own, *QUICK).stdout
    assert {f"myself: {fact}" for fact in FOUND} <= folded(printed)
    found = done("replay", scene, frames, *QUICK, status=1)
    assert "entities.tube.class: 'SmartiesTube' is no class of the ontology" in found.stderr
    wrong = tmp_path / "wrong.ttl"
    wrong.write_text("this is no Turtle")
    found = done("replay", scene, frames, "--ontology", wrong, *QUICK, status=1)
    assert found.stderr.startswith("mindboard replay: ")
    assert "wrong.ttl" in found.stderr
    words = ("--ontology", own, "--kb", "http://127.0.0.1:9")
    found = done("replay", scene, frames, *words, status=2)
    assert "serve --ontology" in found.stderr


def test_perceive_asks_the_board_for_its_ontology(files: Sequence[Path], servers: Servers) -> None:
    """A board that was started with an ontology knows what its classes can do, and infers it."""
    own, scene, frames = files
    server = servers.start("--no-dl", "--ontology", str(own), keeps=False)
    words = ("perceive", scene, "--kb", server.url, "--stdin", *QUICK)
    done(*words, stdin=frames.read_text())
    with Blackboard(server.url) as kb:
        lines = kb.history("myself")
        assert {each.fact for each in lines if each.op == "became_true"} >= {
            *FOUND,
            "tube a Box",
            "sweet a Food",
        }
