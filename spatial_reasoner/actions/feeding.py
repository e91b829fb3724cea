"""What passes from a mind to those within it: what an agent there can perceive.

A world holds what its owner believes; its agents perceive what shows from where they are believed
to be. What one holds is felt, and so are the own head and hands.
"""

from collections.abc import Collection, Iterator
from typing import Final

import numpy as np

from spatial_reasoner.belief.mind import Mind
from spatial_reasoner.belief.world import Sensed
from spatial_reasoner.relations.hands import NO_HAND
from spatial_reasoner.scene.scene import MYSELF
from spatial_reasoner.values.roster import Flags

__all__ = ["children_of", "feel", "parts_seen", "sensed_by"]

_JOINT: Final = "."


def children_of(mind: Mind, depth: int) -> Iterator[tuple[str, int]]:
    """The minds that lie in one, by their models, and which agents they are of.

    Nobody has a mind of his own within his mind, and the scene says how deep they go: whoever is
    known to the robot has one of each of the others, met or not.
    """
    model = mind.world.name
    level = 0 if model == MYSELF else len(model.split(_JOINT))
    if level >= depth:
        return
    for number, agent in enumerate(mind.roster.agents):
        if agent.name != mind.world.owner and (level > 0 or mind.company.known[number]):
            yield (agent.name if level == 0 else f"{model}{_JOINT}{agent.name}"), number


def sensed_by(mind: Mind, agent: int, told: Collection[int] = ()) -> Sensed:
    """What an agent perceives, as a mind believes the world to be; `told` by a sense of his own.

    Things are seen where they are believed to be. Of people that holds only as long as they are
    perceived: else each mind within a mind would think them there for longer. They are as sure of a
    pose as that mind is; of what came with a covariance it's what was made of it that passes on.
    """
    world = mind.world
    meant = mind.raw["sees"][agent] | mind.shown_parts(agent) | _felt_by(mind, agent)
    if told:
        meant[list(told)] = True
    rows = np.flatnonzero(meant & world.placed & world.known & ~mind.lost_lately)
    told_of = world.told[rows]
    is_raw = world.fresh[rows] & ~told_of
    raw = np.where(is_raw[:, None], world.perceived[rows], world.pose[rows])
    cov = np.where(told_of[:, None, None], world.cov[rows], np.nan) if told_of.any() else None
    sensed = set(rows.tolist()) if world.joints else ()
    joints = {row: joints for row, joints in world.joints.items() if row in sensed}
    seen = np.where(mind.roster.is_part[rows], world.seen[rows], mind.now)
    stays = world.plausible[rows] & ~mind.unseen.underway[rows]
    return Sensed(rows, world.pose[rows], raw, seen, joints, stays, cov)


def feel(within: Mind, mind: Mind, agent: int) -> None:
    """An agent knows what is in his own hands, seen or not."""
    theirs, ours = within.world.holding, mind.world.holding
    own = mind.roster.owner == agent
    held = (ours.holder != NO_HAND) & own[ours.holder]
    thought = (theirs.holder != NO_HAND) & own[theirs.holder]
    theirs.holder[thought & ~held] = NO_HAND
    theirs.holder[held], theirs.grip[held] = ours.holder[held], ours.grip[held]


def parts_seen(mind: Mind) -> Flags:
    """Of whom each agent has a part in view: (a, a)."""
    found: Flags = np.logical_or.reduce(mind.parts_in_view[:, mind.roster.part_rows], axis=2)
    return found


def _felt_by(mind: Mind, agent: int) -> Flags:
    """An agent's own parts, and what they hold."""
    holder = mind.world.holding.holder
    own: Flags = (mind.roster.owner == agent) & mind.company.there
    felt: Flags = own | ((holder != NO_HAND) & own[holder])
    return felt
