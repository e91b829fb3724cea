"""Frames and deltas as lines of JSON: what a recording holds, and what a replay writes.

What is written reads back as the same frame, to the last bit of every number, so a recording of
what was accepted gives the same facts as when it was accepted.
"""

import json
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final, TextIO

from spatial_reasoner.errors import FrameError
from spatial_reasoner.percepts.frame_file import read_line, written
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_text import LARGEST
from spatial_reasoner.values.delta import Delta
from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.shares import Likelihood, Said

__all__ = ["Recorder", "delta_line", "frame_line", "frames_in", "likely_line", "lines_of"]

_BOM: Final = b"\xef\xbb\xbf"
_DIGITS: Final = 4


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; one that is too long comes in parts, the first of which is refused."""
    while line := file.readline(LARGEST + 1):
        yield line


def frames_in(lines: Iterable[bytes], scene: Scene) -> Iterator[Frame]:
    """The frames of a recording, one a line; empty lines are passed over.

    Raises FrameError for the first line that is wrong, and names its number and the field.
    """
    for number, line in enumerate(lines, 1):
        line = line.removeprefix(_BOM) if number == 1 else line
        if not line.strip():
            continue
        try:
            yield read_line(line, scene)
        except FrameError as error:
            raise FrameError(
                f"line {number}", error.message, line=number, field=error.detail["where"]
            ) from None


def frame_line(frame: Frame) -> str:
    """A frame as a line, always the same for the same frame."""
    return json.dumps(written(frame), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def delta_line(delta: Delta, t: float) -> str:
    """A delta as a line of the facts.

    >>> delta_line(Delta("sally", add=("ball isIn box",)), 0.04)
    '{"t": 0.04, "model": "sally", "add": ["ball isIn box"], "retract": []}'
    """
    says = {"t": t, "model": delta.model, "add": delta.add, "retract": delta.retract}
    return json.dumps(says, ensure_ascii=False, allow_nan=False)


def likely_line(model: str, said: Said, likely: Likelihood | None) -> str:
    """How likely a statement is, as a line beside those of the deltas.

    >>> likely_line("sally", ("ball", "isIn", "box"), Likelihood(("ball", "isIn", "box"), 0.9, 100))
    '{"fact": "ball isIn box", "model": "sally", "share": 0.9, "samples": 100, "error": 0.03}'
    """
    share = None if likely is None else round(likely.share, _DIGITS)
    samples = 0 if likely is None else likely.draws
    error = None if likely is None else round(likely.error, _DIGITS)
    says = {"fact": " ".join(said), "model": model, "share": share, "samples": samples}
    return json.dumps({**says, "error": error}, ensure_ascii=False)


class Recorder:
    """Writes the frames that are accepted, each as soon as it is."""

    def __init__(self, file: TextIO) -> None:
        self._file: Final = file

    def record(self, frame: Frame) -> None:
        """Writes a frame; OSError when that can't be done."""
        self._file.write(frame_line(frame) + "\n")
        self._file.flush()
