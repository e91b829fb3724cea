"""Benchmark of facts under uncertainty: the time to compute the likelihood of one.

Beside it stands the obvious loop: for each sample, draw all poses, simulate one second of
falling, and check the fact.
"""

import asyncio
import math
import statistics
import time
from contextlib import closing
from typing import Final

import numpy as np

from benchmarks.figures import at_most, milliseconds
from benchmarks.measures import Figure, Measure
from benchmarks.places import Place, frames, place
from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.dynamics.bullet_dynamics import Dynamics
from spatial_reasoner.dynamics.rigid_bodies import Solid
from spatial_reasoner.dynamics.runs import Fixed, Loose
from spatial_reasoner.likelihood.draws import drawn
from spatial_reasoner.likelihood.likelihoods import DRAWS, Likelihoods
from spatial_reasoner.relations.relations import Relations, relate
from spatial_reasoner.relations.world_geometry import WorldGeometry
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.sight.ray_sight import RaySight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.values.likelihood import Said

__all__ = ["MEASURES"]

_THINGS: Final = 20
_TIMES: Final = 15
_PLACE: Final = 0.04
_TURN: Final = 0.1
"""Standard deviations of the one uncertain pose: `_PLACE` in metres, `_TURN` in radians."""
_NEW: Final = 1.0 + 1e-9
_NOISE: Final = np.array([0.0015] * 3 + [math.radians(2)] * 3)
_SECONDS: Final = 1.0


def uncertain_fact() -> list[Figure]:
    """The likelihood that a cup with an uncertain pose is on its table, among twenty objects."""
    room = place(_THINGS, 2)
    mind, said = _unsure(room)
    ours, share = _asked(mind, said)
    theirs, plain = _plainly(mind, said)
    assert abs(share - plain) < 4 * math.sqrt(0.5 / DRAWS)
    name = f"probability of one fact, {DRAWS} samples, {_THINGS} objects"
    return [at_most(name, ours, 0.3, f"simulating all objects {milliseconds(theirs)}")]


MEASURES: Final[tuple[Measure, ...]] = (uncertain_fact,)


def _unsure(room: Place) -> tuple[Mind, Said]:
    """The robot's mind, and an uncertain fact."""
    sight = RaySight()
    with closing(sight), closing(SpatialReasoner(room.scene, sight)) as reasoner:
        for frame in frames(room, 0.2):
            reasoner.tick(frame)
        reasoner.finish()
        mind = reasoner.mind(MYSELF)
    names = mind.roster.names
    thing = names.index(next(name for name in room.things if name.startswith("cup")))
    table = int(np.flatnonzero(mind.relations.on[thing])[0])
    mind.world.cov[thing] = np.diag([_PLACE] * 2 + [0.002] + [_TURN] * 3) ** 2
    return mind, (names[thing], "isOn", names[table])


def _asked(mind: Mind, said: Said) -> tuple[float, float]:
    """The time of an answer, and the answer; each belief is new, since likelihoods of earlier ones
    are cached."""
    with closing(Likelihoods()) as answers:

        async def main() -> tuple[float, float]:
            taken: list[float] = []
            shares: list[float] = []
            while len(taken) < _TIMES or not answers.is_up:
                mind.world.cov[mind.roster.row[said[0]]] *= _NEW
                start = time.perf_counter()
                found = await answers.likely(mind, said, math.inf)
                taken.append(time.perf_counter() - start)
                shares += [] if found is None else [found.share]
            return statistics.median(taken[-_TIMES:]), shares[-1]

        return asyncio.run(main())


def _plainly(mind: Mind, said: Said) -> tuple[float, float]:
    """The same by a loop in which every object is dynamic in each sample."""
    roster, geometry = mind.roster, mind.geometry
    there = geometry.placed & roster.is_thing
    rows = np.flatnonzero(there & ~roster.is_fixture & ~roster.is_static & ~roster.is_ground)
    fixed = np.flatnonzero(there & ~np.isin(np.arange(len(there)), rows))
    solids = {row: _solid(mind, row) for row in np.flatnonzero(there).tolist()}
    chance, thing, other = np.random.default_rng(1), *(roster.row[said[k]] for k in (0, 2))
    sizes = np.where(np.isfinite(mind.world.cov[rows, 0, 0])[:, None], 0.0, _NOISE)
    sizes[rows == thing] = np.sqrt(np.diagonal(mind.world.cov[thing]))
    shapes = geometry.bodies.shapes
    held, on = np.zeros(len(roster), dtype=bool), 0
    start = time.perf_counter()
    with Dynamics() as dynamics:
        for _ in range(DRAWS):
            poses = geometry.poses.copy()
            errors = chance.standard_normal((1, len(rows), 6)) * sizes
            loose = Loose.still(rows, drawn(poses[rows], errors)[0])
            stays = Fixed.still(fixed, poses[fixed])
            poses[rows] = dynamics.run(solids, loose, stays, _SECONDS).poses
            seen = WorldGeometry(shapes, roster.is_support, roster.is_container, mind.tolerances)
            seen.update(poses, there, held)
            on += bool(relate(seen, Relations.none(len(roster))).on[thing, other])
    return time.perf_counter() - start, on / DRAWS


def _solid(mind: Mind, row: int) -> Solid:
    shape = mind.geometry.bodies.shapes[row]
    assert shape is not None
    return Solid.of(shape, 0.2)
