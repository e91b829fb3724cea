"""Perspective taking: what an agent in a mind can perceive, as input for the agent's own mind.

A world holds what its owner believes. Its agents perceive what is visible from where they are
believed to be. They also know what they hold, and the poses of their own head and hands, by
proprioception.
"""

from collections.abc import Collection, Iterator
from typing import Final

import numpy as np

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.belief.world import Sensed
from spatial_reasoner.geometry.arrays import Flags
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.scene.scene import MYSELF

__all__ = ["children_of", "feel", "parts_seen", "sensed_by"]

_JOINT: Final = "."


def children_of(mind: Mind, depth: int) -> Iterator[tuple[str, int]]:
    """The minds nested in a mind: the model of each, and the number of its agent.

    - The scene limits the depth.
    - No mind contains a mind of its own owner.
    - In the robot's mind, only known agents have minds.
    - Each mind below contains a mind of every other agent, even if the two have never met.
    """
    model = mind.world.name
    level = 0 if model == MYSELF else len(model.split(_JOINT))
    if level >= depth:
        return
    for number, agent in enumerate(mind.roster.agents):
        if agent.name != mind.world.owner and (level > 0 or mind.company.known[number]):
            yield (agent.name if level == 0 else f"{model}{_JOINT}{agent.name}"), number


def sensed_by(mind: Mind, agent: int, own_rows: Collection[int] = ()) -> Sensed:
    """The percepts of an agent in the world of a mind; `own_rows` are rows of the agent's sensors.

    Objects are seen where they are believed to be. Parts of agents keep the time of their last
    percept. Otherwise each nested mind would believe in their presence for longer. The covariance
    of a pose is that of the mind, after fusion.
    """
    world = mind.world
    meant = mind.raw["sees"][agent] | mind.shown_parts(agent) | _felt_by(mind, agent)
    if own_rows:
        meant[list(own_rows)] = True
    rows = np.flatnonzero(meant & world.placed & world.known & ~mind.lost_lately)
    has_cov = world.told[rows]
    is_raw = world.fresh[rows] & ~has_cov
    raw = np.where(is_raw[:, None], world.perceived[rows], world.pose[rows])
    cov = np.where(has_cov[:, None, None], world.cov[rows], np.nan) if has_cov.any() else None
    sensed = set(rows.tolist()) if world.joints else ()
    joints = {row: joints for row, joints in world.joints.items() if row in sensed}
    seen = np.where(mind.roster.is_part[rows], world.seen[rows], mind.now)
    stays = world.plausible[rows] & ~mind.unseen.underway[rows]
    return Sensed(rows, world.pose[rows], raw, seen, joints, stays, cov)


def feel(within: Mind, mind: Mind, agent: int) -> None:
    """An agent knows what is in their own hands, visible or not."""
    theirs, ours = within.world.holding, mind.world.holding
    own = mind.roster.owner == agent
    held = (ours.holder != NO_HAND) & own[ours.holder]
    thought = (theirs.holder != NO_HAND) & own[theirs.holder]
    theirs.holder[thought & ~held] = NO_HAND
    theirs.holder[held], theirs.grip[held] = ours.holder[held], ours.grip[held]


def parts_seen(mind: Mind) -> Flags:
    """Whose parts each agent has in view: (a, a)."""
    found: Flags = np.logical_or.reduce(mind.parts_in_view[:, mind.roster.part_rows], axis=2)
    return found


def _felt_by(mind: Mind, agent: int) -> Flags:
    """An agent's own parts, and what they hold."""
    holder = mind.world.holding.holder
    own: Flags = (mind.roster.owner == agent) & mind.company.there
    felt: Flags = own | ((holder != NO_HAND) & own[holder])
    return felt
