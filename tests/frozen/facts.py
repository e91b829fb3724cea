"""Everything a reasoner asserts of a recording, as lines of text.

First come the deltas, each as `mindboard replay` writes it, after the name of its memory. Then, as
of the end: the facts on demand of each mind, and the pose at which each mind believes each thing.
Poses are rounded to micrometres, so that a sum in another order makes no difference.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Final

from spatial_reasoner.percepts.recording import delta_line
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.tick.on_demand import ON_DEMAND
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.delta import BeliefDelta, BelievedPose
from spatial_reasoner.values.frames import Frame

__all__ = ["asserted", "delta_lines", "end_lines"]

_DIGITS: Final = 6


def asserted(scene: Scene, frames: Iterable[Frame], sight: CloseUpSight) -> Iterator[str]:
    """The lines of a fresh reasoner that takes in the frames of a recording."""
    with closing(SpatialReasoner(scene, sight)) as reasoner:
        for frame in frames:
            deltas = reasoner.tick(frame)
            yield from delta_lines((reasoner.now, delta) for delta in deltas)
        deltas = reasoner.finish()
        yield from delta_lines((reasoner.now, delta) for delta in deltas)
        yield from end_lines(reasoner)


def delta_lines(timed: Iterable[tuple[float, BeliefDelta]]) -> Iterator[str]:
    """A line for each delta, given with its time."""
    return (f"{delta.memory} {delta_line(delta, t)}" for t, delta in timed)


def end_lines(reasoner: SpatialReasoner) -> Iterator[str]:
    """The state of each mind beside its deltas: facts on demand, and poses."""
    for model in reasoner.models:
        for predicate in ON_DEMAND:
            for fact in sorted(reasoner.computed(model, predicate, None, None)):
                yield f"on demand {model} {fact}"
        for name, placed in sorted(reasoner.placed(model).items()):
            yield f"pose {model} {name} {_written(placed)}"


def _written(placed: BelievedPose) -> str:
    """A pose and, if there are any, its standard deviations."""
    numbers = [] if placed.pose is None else placed.pose.tolist()
    if placed.cov is not None:
        numbers += (placed.cov.diagonal() ** 0.5).tolist()
    return " ".join(f"{round(number, _DIGITS) + 0.0}" for number in numbers) or "unknown"
