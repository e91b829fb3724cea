"""Recordings: what is written reads back as the same, and what is wrong is named by its line."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_reasoner.errors import FrameError
from spatial_reasoner.percepts.frame_file import read_frame
from spatial_reasoner.percepts.recording import (
    Recorder,
    delta_line,
    frame_line,
    frames_in,
    lines_of,
)
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_text import LARGEST
from spatial_reasoner.values.delta import BeliefDelta
from tests.live.rooms import line, said
from tests.trials import law

_NUMBERS = st.floats(-9.0, 9.0)
_PLACES = st.lists(_NUMBERS, min_size=3, max_size=3)
_TURNS = st.lists(st.floats(0.4, 0.6), min_size=4, max_size=4)
_POSES = st.one_of(_PLACES, st.builds(lambda place, turn: place + turn, _PLACES, _TURNS))
_FRAMES = st.fixed_dictionaries(
    {"t": st.floats(0.0, 1e9), "source": st.sampled_from(["camera", "gripper", "Kinéct 2"])},
    optional={
        "objects": st.dictionaries(st.sampled_from(["ball", "mug", "box"]), _POSES),
        "agents": st.fixed_dictionaries({"sally": st.fixed_dictionaries({"head": _POSES})}),
        "unnamed": st.lists(
            st.fixed_dictionaries({"shape": st.just({"box": [0.1, 0.2, 0.3]}), "pose": _POSES})
        ),
    },
)


@law(200)
@given(_FRAMES)
def test_what_is_recorded_reads_back_to_the_last_bit(scene: Scene, frame: dict[str, Any]) -> None:
    """A frame that is written, read and written again is the same line."""
    once = frame_line(read_frame(frame, scene))
    [again] = frames_in([once.encode()], scene)
    assert frame_line(again) == once
    assert "\n" not in once


def test_a_recorder_writes_a_line_for_each_frame(scene: Scene) -> None:
    """What a recorder has written is the frames again, in order."""
    file = io.StringIO()
    recorder = Recorder(file)
    frames = [read_frame(said(t, "ball"), scene) for t in (0.0, 0.04, 0.02)]
    for frame in frames:
        recorder.record(frame)
    read = frames_in(file.getvalue().encode().splitlines(), scene)
    assert [frame_line(each) for each in read] == [frame_line(each) for each in frames]


def test_a_recorded_frame_is_in_the_file_at_once(scene: Scene, tmp_path: Path) -> None:
    """A program that is killed loses no frame that it has recorded."""
    path, frame = tmp_path / "room.jsonl", read_frame(said(0.0, "ball"), scene)
    with path.open("w", encoding="utf-8") as file:
        Recorder(file).record(frame)
        assert path.read_text("utf-8") == frame_line(frame) + "\n"


def test_empty_lines_and_a_mark_of_order_are_passed_over(scene: Scene) -> None:
    """A recording may have empty lines, and begin with the mark that some editors write."""
    text = b"\xef\xbb\xbf" + line(0.0, "ball").encode() + b"\r\n\n  \n" + line(1.0).encode()
    assert [each.t for each in frames_in(lines_of(io.BytesIO(text)), scene)] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ('{"t": 1, "source": "x", "objects": {"bal": [0, 0, 0]}}', "objects.bal"),
        ('{"t": 1, "source": "x", "objects": {"ball": [0, 0]}}', "objects.ball"),
        ('{"t": "soon", "source": "x"}', "t"),
        ('{"t": 1}', "source"),
        ("{", ""),
        ("\xff", ""),
    ],
)
def test_a_line_that_is_wrong_is_named(scene: Scene, wrong: str, field: str) -> None:
    """The error of a line says its number and the field; the frames before it are given."""
    lines = [line(0.0).encode(), b"\n", wrong.encode("latin-1")]
    found = frames_in(lines, scene)
    assert next(found).t == 0.0
    with pytest.raises(FrameError, match=r"^line 3: ") as raised:
        next(found)
    assert raised.value.detail == {"where": "line 3", "line": 3, "field": field}
    assert field in raised.value.message


def test_a_line_without_end_is_refused(scene: Scene) -> None:
    """A line that is longer than a frame may be is refused, not read."""
    endless = io.BytesIO(b" " + b"[" * (3 * LARGEST))
    with pytest.raises(FrameError, match="line 1: is longer than"):
        next(frames_in(lines_of(endless), scene))


def test_a_delta_is_a_line_of_facts() -> None:
    """A delta is written with its time, its model, and its facts in order."""
    delta = BeliefDelta("sally.anne", ("mug isOn table",), ("mug isIn bøx",), memory="short_term")
    text = delta_line(delta, 1.5)
    assert "bøx" in text
    assert json.loads(text) == {
        "t": 1.5,
        "model": "sally.anne",
        "add": ["mug isOn table"],
        "retract": ["mug isIn bøx"],
    }
