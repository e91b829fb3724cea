"""Benchmarks of the core: each measures the board and a figure to compare it with."""

import gc
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.peers import owlrl_seconds, reasonable_seconds
from benchmarks.scenes import board_with, common_sense, facts_of_a_room, moves
from kb_server.core.events.events import Events, SubscriptionEvent
from kb_server.core.models.board import Board
from kb_server.core.models.revision import Revision
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.reasoning.reasoner import Reasoner
from kb_server.core.terms.statements import Statement

__all__ = ["MEASURES", "Figure", "Measure"]

_SMALL: Final = 1_000
_LARGE: Final = 20_000
_ONE: Final[Statement] = ("thing5", "isIn", "thing8")
_MODELS: Final = ("myself", "sally", "anne", "bob")


@dataclass(frozen=True, slots=True)
class Figure:
    """A measurement; `met` is true if the target is met."""

    name: str
    ours: str
    against: str
    ratio: float
    target: str
    met: bool


Measure = Callable[[], list[Figure]]


def one_fact() -> list[Figure]:
    """One fact added and retracted, against recomputing; on a small and a large board."""
    common = common_sense()
    small, medium, large = (facts_of_a_room(n, common) for n in (_SMALL, _SMALL, _LARGE))
    ours = {n: _one_fact(board_with(facts, common)) for n, facts in ((200, small[:1000]),)}
    at_small = _one_fact(board_with(medium, common))
    at_large = _one_fact(board_with(large, common))
    peer_small = _median([lambda: reasonable_seconds(small, common)] * 5)
    peer_large = _median([lambda: reasonable_seconds(large, common)] * 3)
    return [
        _faster(
            "one fact added or retracted, 1 000 facts", ours[200], peer_small, "reasonable", 200
        ),
        _at_most(
            "one fact added or retracted, 20 000 facts against 1 000", at_large, at_small, 1.5
        ),
        _faster(
            "one fact added or retracted, 20 000 facts", at_large, peer_large, "reasonable", 5_000
        ),
    ]


def scene_tick() -> list[Figure]:
    """Twenty facts replaced, as when a scene changes; in one model, then in four at once."""
    common = common_sense()
    facts = facts_of_a_room(_LARGE, common)
    board = board_with(facts, common, _MODELS)
    one = statistics.median(_ticks(board, facts, ("myself",)))
    four = statistics.median(_ticks(board, facts, _MODELS))
    peer = _median([lambda: reasonable_seconds(facts, common)] * 3)
    return [
        _faster("20 facts retracted and 20 added, 20 000 facts", one, peer, "reasonable", 300),
        Figure(
            "20 facts retracted and 20 added in each of four models",
            _shown(four),
            "8 ms",
            four / 0.008,
            "≤ 8 ms",
            four <= 0.008,
        ),
    ]


def bulk_load() -> list[Figure]:
    """Many facts in one delta, with all inferences."""
    common = common_sense()
    small, large = facts_of_a_room(_SMALL, common), facts_of_a_room(_LARGE, common)
    ours_small = _median([lambda: _load(small, common)] * 5)
    ours_large = _median([lambda: _load(large, common)] * 3)
    slow, slower = owlrl_seconds(small, common), owlrl_seconds(large, common)
    fast = _median([lambda: reasonable_seconds(large, common)] * 3)
    return [
        _faster("bulk load of 1 000 facts", ours_small, slow, "owlrl", 30),
        _faster("bulk load of 20 000 facts", ours_large, slower, "owlrl", 30),
        _faster("bulk load of 20 000 facts, fastest peer", ours_large, fast, "reasonable", 1),
    ]


def subscriptions() -> list[Figure]:
    """A one-fact change that matches ten subscriptions, of ten and of ten thousand."""
    few, many = _with_subscriptions(10), _with_subscriptions(10_000)
    more = many - few
    return [
        Figure(
            "10 000 subscriptions, a change that matches 10",
            _shown(many),
            f"{_shown(few)} with 10",
            many / few,
            "≤ 1 ms more",
            more <= 0.001,
        )
    ]


def memory() -> list[Figure]:
    """Bytes of memory for each fact, with supports and indexes."""
    common = common_sense()
    facts = facts_of_a_room(200_000, common)
    gc.collect()
    before = _resident()
    board = board_with(facts, common)
    gc.collect()
    held = len(board.model("myself").reasoner.facts)
    each = (_resident() - before) / held
    return [
        Figure(
            "memory for each fact held",
            f"{each:.0f} bytes",
            f"1 200 bytes; {held:,} facts held".replace(",", " "),
            each / 1200,
            "≤ 1 200 bytes",
            each <= 1200,
        )
    ]


def new_model() -> list[Figure]:
    """One more model, on the loaded common-sense ontology."""
    common = common_sense()
    ours = _median([lambda: _timed(lambda: Reasoner(common.reasoner, "sally"))] * 200)
    whole = _median([lambda: _timed(common_sense)] * 3)
    met = ours < 0.001
    return [
        Figure(
            "a new model",
            _shown(ours),
            f"{_shown(whole)} to load the ontology",
            whole / ours,
            "< 1 ms",
            met,
        )
    ]


MEASURES: Final[tuple[Measure, ...]] = (
    one_fact,
    scene_tick,
    bulk_load,
    subscriptions,
    memory,
    new_model,
)


def _one_fact(board: Board) -> float:
    """The median time to add one fact and the median time to retract it."""
    times = []
    for _ in range(500):
        times.append(_timed(lambda: board.revise("myself", Revision(add=(_ONE,)), 0.0)))
        times.append(_timed(lambda: board.revise("myself", Revision(retract=(_ONE,)), 0.0)))
    return statistics.mean((statistics.median(times[::2]), statistics.median(times[1::2])))


def _ticks(board: Board, facts: list[Statement], models: tuple[str, ...]) -> list[float]:
    times = []
    for turn in range(30):
        out, back = moves(facts, 20, turn)
        there = Revision(retract=tuple(out), add=tuple(back))
        home = Revision(retract=tuple(back), add=tuple(out))
        for step in (there, home):
            times.append(_timed(partial(_everywhere, board, models, step)))
    return times


def _everywhere(board: Board, models: tuple[str, ...], step: Revision) -> None:
    for model in models:
        board.revise(model, step, 0.0)


def _load(facts: list[Statement], common: CommonSense) -> float:
    gc.collect()
    return _timed(lambda: board_with(facts, common))


def _with_subscriptions(count: int) -> float:
    """The time of a change that matches ten of a number of subscriptions."""
    common = common_sense()
    board = board_with(facts_of_a_room(_SMALL, common), common)
    seen: list[SubscriptionEvent] = []
    events = Events(board, seen.append)
    for i in range(count):
        pattern = ("?x", "isIn", "thing8") if i < 10 else ("?x", "isIn", f"drawer{i}")
        events.subscribe(f"s{i}", "myself", [pattern])
    times = []
    for _ in range(300):
        times.append(_timed(lambda: board.revise("myself", Revision(add=(_ONE,)), 0.0)))
        board.revise("myself", Revision(retract=(_ONE,)), 0.0)
    assert len(seen) == 10 * 300
    return statistics.median(times)


def _timed(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def _median(takes: list[Callable[[], float]]) -> float:
    return statistics.median(take() for take in takes)


def _faster(name: str, ours: float, peer: float, peer_name: str, target: int) -> Figure:
    ratio = peer / ours
    wanted = f"≥ {target:,}× faster".replace(",", " ")
    return Figure(name, _shown(ours), f"{peer_name} {_shown(peer)}", ratio, wanted, ratio >= target)


def _at_most(name: str, ours: float, floor: float, target: float) -> Figure:
    ratio = ours / floor
    return Figure(name, _shown(ours), _shown(floor), ratio, f"≤ {target}×", ratio <= target)


def _shown(seconds: float) -> str:
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
