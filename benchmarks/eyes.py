"""Benchmarks of the spatial reasoner: the time from a frame to its facts, by stage."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any, Final

from benchmarks.figures import at_most, milliseconds
from benchmarks.measures import Figure, Measure
from benchmarks.places import RATE, Place, frames, place
from benchmarks.plain_bullet import PlainBullet
from kb_server import Blackboard
from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.belief.plausibility import Steadier
from spatial_reasoner.belief.unseen import Unseen
from spatial_reasoner.reach.reach import Reacher
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.sight.renderers import chosen_sight
from spatial_reasoner.sight.visibility import Visibility
from spatial_reasoner.tick import reasoner as tick
from spatial_reasoner.values.frames import Frame

__all__ = ["MEASURES", "each_frame", "p95", "rate", "shares", "staged_ticks", "ticks"]

_SECONDS: Final = 8.0
_WARM: Final = RATE
"""Ticks of the first second, in which everything is new; they are not counted."""
_STAGES: Final[Mapping[str, tuple[Any, str]]] = {
    "visibility": (Visibility, "see"),
    "relations": (Mind, "_relate"),
    "reach": (Reacher, "reaches"),
    "plausibility": (Steadier, "steady"),
    "hidden objects": (Unseen, "move"),
    "predicates": (tick, "evaluated"),
    "debounce": (Mind, "steadied"),
    "changes": (Mind, "told"),
    "board": (Blackboard, "revise"),
}
"""The functions of each stage of a tick; time in no listed function is the rest."""


def eyes_tick() -> list[Figure]:
    """A tick of three agents and fifty objects, with the board; beside it Bullet's own calls.

    Three agents make three models. No scene has fewer, so one with the robot's alone is made here.
    """
    room = place(50, 3)
    alone = replace(room, scene=replace(room.scene, depth=0))
    fast, stages = ticks(room, "gl", _SECONDS)
    one, _ = ticks(alone, "gl", _SECONDS / 2)
    slow, _ = ticks(room, "tiny", _SECONDS / 2)
    every, single = (_plainly(room, minds) for minds in (tuple(room.eyes), (MYSELF,)))
    return [
        at_most("tick, 3 agents, 50 objects, 95th percentile", p95(fast), 0.006, stages),
        at_most(
            "tick, 3 agents, 50 objects, TinyRenderer, 95th percentile", p95(slow), 0.040, "40 ms"
        ),
        _faster("tick of three minds, median", fast, every, "in three worlds"),
        _faster("tick of the robot's mind alone, median", one, single, "in one world"),
    ]


def eyes_small() -> list[Figure]:
    """SPARK's scene: ten objects, two agents."""
    seconds, stages = ticks(place(10, 2), "gl", _SECONDS)
    return [rate("ticks a second, 2 agents, 10 objects", seconds, 300, stages)]


def eyes_large() -> list[Figure]:
    """A large room: two hundred objects, five agents."""
    seconds, stages = ticks(place(200, 5), "gl", _SECONDS / 2)
    return [rate("ticks a second, 5 agents, 200 objects", seconds, 20, stages)]


MEASURES: Final[tuple[Measure, ...]] = (eyes_tick, eyes_small, eyes_large)


def ticks(room: Place, renderer: str, seconds: float) -> tuple[list[float], str]:
    """The durations of ticks, with their facts sent to a board, and the share of each stage."""
    found, stages = staged_ticks(room, renderer, seconds)
    return found, shares(stages, sum(found))


def staged_ticks(
    room: Place, renderer: str, seconds: float
) -> tuple[list[float], Mapping[str, float]]:
    """The durations of ticks, and the total seconds of each stage."""
    sight = chosen_sight(renderer, lambda _: None)
    reasoner = tick.SpatialReasoner(room.scene, sight)
    with closing(sight), closing(reasoner), Blackboard.local() as kb, _watched() as stages:

        def ticked(frame: Frame) -> None:
            for delta in reasoner.tick(frame):
                kb.revise(
                    delta.model, add=delta.add, retract=delta.retract, memory=delta.memory,
                    source="spatial", t=frame.t,
                )  # fmt: skip

        return each_frame(room, ticked, seconds, stages.clear), dict(stages)


def each_frame(
    room: Place,
    act: Callable[[Frame], object],
    seconds: float,
    begin: Callable[[], None] = lambda: None,
) -> list[float]:
    """The duration of a call for each frame, without the frames of the first second."""
    found = []
    for number, frame in enumerate(frames(room, seconds + _WARM / RATE)):
        if number == _WARM:
            begin()
        start = time.perf_counter()
        act(frame)
        found.append(time.perf_counter() - start)
    return found[_WARM:]


@contextmanager
def _watched() -> Iterator[dict[str, float]]:
    """Measures the seconds of each stage during the block; the functions are restored."""
    spent: dict[str, float] = {}
    before = {stage: getattr(*at) for stage, at in _STAGES.items()}
    for stage, (owner, name) in _STAGES.items():
        setattr(owner, name, _timed(before[stage], stage, spent))
    try:
        yield spent
    finally:
        for stage, (owner, name) in _STAGES.items():
            setattr(owner, name, before[stage])


def _timed(call: Callable[..., Any], stage: str, spent: dict[str, float]) -> Callable[..., Any]:
    def timed(*args: Any, **more: Any) -> Any:
        start = time.perf_counter()
        try:
            return call(*args, **more)
        finally:
            spent[stage] = spent.get(stage, 0.0) + time.perf_counter() - start

    return timed


def shares(stages: Mapping[str, float], whole: float) -> str:
    """A text such as `visibility 61 %, reach 12 %, rest 27 %`; very small shares are left out."""
    shares = {**stages, "rest": whole - sum(stages.values())}
    ordered = sorted(shares.items(), key=lambda each: -each[1])
    return ", ".join(f"{s} {100 * t / whole:.0f} %" for s, t in ordered if t > whole / 50)


def _plainly(room: Place, minds: Sequence[str]) -> list[float]:
    """The durations of plain PyBullet for the same frames, with a world for each mind."""
    with closing(PlainBullet(room, minds)) as plain:
        return each_frame(room, plain.tick, 2.0)


def p95(seconds: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(seconds, n=20)[-1]


def _faster(name: str, ours: list[float], theirs: list[float], where: str) -> Figure:
    """The figure against plain PyBullet."""
    here, there = statistics.median(ours), statistics.median(theirs)
    ratio = there / here
    against = f"plain PyBullet {where} {milliseconds(there)}"
    return Figure(name, milliseconds(here), against, ratio, "≥ 5× faster", ratio >= 5)


def rate(name: str, seconds: list[float], target: float, stages: str) -> Figure:
    """A figure per second, from the median; met if it is at least its target."""
    often, late = 1 / statistics.median(seconds), milliseconds(p95(seconds))
    ours = f"{often:.0f}/s, p95 {late}"
    return Figure(name, ours, stages, often / target, f"≥ {target:g}/s", often >= target)
