"""Reads and writes lines of JSON: frames in a recording, deltas in the output of a replay.

A frame reads back identical to the last bit, so a recording of the accepted frames gives the same
facts as the live run.
"""

import json
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final, TextIO

from spatial_reasoner.errors import FrameError
from spatial_reasoner.percepts.frame_file import read_line, written
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.scene.scene_text import LARGEST
from spatial_reasoner.values.delta import BeliefDelta
from spatial_reasoner.values.frames import Frame
from spatial_reasoner.values.likelihood import Likelihood, Said

__all__ = ["Recorder", "delta_line", "frame_line", "frames_in", "likely_line", "lines_of"]

_BOM: Final = b"\xef\xbb\xbf"
_DIGITS: Final = 4
"""Decimals of likelihoods."""


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file. A line that is too long comes in parts, the first of which is
    refused."""
    while line := file.readline(LARGEST + 1):
        yield line


def frames_in(lines: Iterable[bytes], scene: Scene) -> Iterator[Frame]:
    """The frames of a recording, one a line; empty lines are skipped.

    Raises FrameError at the first invalid line, with its number and the field.
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
    """A frame as a line of JSON; equal frames give equal lines."""
    return json.dumps(written(frame), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def delta_line(delta: BeliefDelta, t: float) -> str:
    """A delta as a line of the facts file.

    >>> delta_line(BeliefDelta("sally", add=("ball isIn box",)), 0.04)
    '{"t": 0.04, "model": "sally", "add": ["ball isIn box"], "retract": []}'
    """
    says = {"t": t, "model": delta.model, "add": delta.add, "retract": delta.retract}
    return json.dumps(says, ensure_ascii=False, allow_nan=False)


def likely_line(model: str, said: Said, likely: Likelihood | None) -> str:
    """The likelihood of a statement, as a line beside those of the deltas.

    >>> likely_line("sally", ("ball", "isIn", "box"), Likelihood(("ball", "isIn", "box"), 0.9, 100))
    '{"fact": "ball isIn box", "model": "sally", "share": 0.9, "samples": 100, "error": 0.03}'
    """
    share = None if likely is None else round(likely.share, _DIGITS)
    samples = 0 if likely is None else likely.draws
    error = None if likely is None else round(likely.error, _DIGITS)
    says = {"fact": " ".join(said), "model": model, "share": share, "samples": samples}
    return json.dumps({**says, "error": error}, ensure_ascii=False)


class Recorder:
    """Writes each accepted frame at once."""

    def __init__(self, file: TextIO) -> None:
        self._file: Final = file

    def record(self, frame: Frame) -> None:
        """Writes a frame and flushes the file; raises OSError if that fails."""
        self._file.write(frame_line(frame) + "\n")
        self._file.flush()
