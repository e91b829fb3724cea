"""From what holds to facts in words, and what changed of them."""

from collections.abc import Mapping

import numpy as np

from spatial_reasoner.geometry.arrays import Flags
from spatial_reasoner.geometry.shapes import sphere
from spatial_reasoner.relations.situation import FAMILIES, FactChange, Situation
from spatial_reasoner.scene.scene import Entity
from spatial_reasoner.values.roster import Roster
from tests.worlds.scenes import roster


def nothing(rows: Roster) -> dict[str, Flags]:
    return {key: np.zeros(family.shape(rows), dtype=bool) for key, family in FAMILIES.items()}


def told(situation: Situation, rows: Roster, bits: Mapping[str, Flags]) -> FactChange:
    every = np.ones(len(rows), dtype=bool)
    now = {key: array.copy() for key, array in bits.items()}
    return situation.change(now, every, np.array([False, False]))


def test_the_first_fact_of_a_thing_says_what_it_is() -> None:
    """With a fact comes what its things are, once; without a change comes nothing."""
    rows = roster()
    situation, bits = Situation(rows), nothing(rows)
    bits["on"][rows.row["ball"], rows.row["table"]] = True
    first = told(situation, rows, bits)
    assert first.add == ("ball a Ball", "ball isOn table", "table a Table")
    assert not told(situation, rows, bits)
    bits["moving"][rows.row["ball"]] = True
    bits["on"][:] = False
    assert told(situation, rows, bits) == FactChange(("ball isMoving true",), ("ball isOn table",))


def test_each_predicate_reads_the_right_way() -> None:
    """Of an agent and a thing, the one that the vocabulary puts first comes first."""
    rows = roster()
    bits = nothing(rows)
    sally, ball = rows.agent_index["sally"], rows.row["ball"]
    for key in ("left", "near", "sees", "reaches", "looks"):
        bits[key][sally, ball] = True
    bits["in hand"][ball, rows.part("sally", "right_hand")] = True
    bits["toward"][rows.part("sally", "left_hand"), ball] = True
    bits["perceives"][rows.agent_index["myself"], sally] = True
    bits["not in field"][ball] = True
    assert set(told(Situation(rows), rows, bits).add) == {
        "ball leftOf sally",
        "ball near sally",
        "sally sees ball",
        "sally canReach ball",
        "sally looksAt ball",
        "ball isInHand sally_right_hand",
        "sally_left_hand hasHandMovingToward ball",
        "myself perceives sally",
        "ball isInFieldOfView false",
        "ball a Ball",
        "sally a Human",
        "myself a Robot",
        "sally_right_hand a RightHand",
        "sally_right_hand isHandOf sally",
        "sally_left_hand a LeftHand",
        "sally_left_hand isHandOf sally",
    }


def test_who_goes_goes_with_what_it_was() -> None:
    """A row that is no longer known is no longer said to be of any kind."""
    rows = roster()
    hidden = rows.add(Entity("unnamed_1", "Artifact", sphere(0.1)))
    situation, bits = Situation(rows), nothing(rows)
    bits["moving"][hidden] = True
    assert told(situation, rows, bits).add == ("unnamed_1 a Artifact", "unnamed_1 isMoving true")
    known = np.ones(len(rows), dtype=bool)
    known[hidden] = False
    gone = situation.change(nothing(rows), known, np.array([False, False]))
    assert gone == FactChange((), ("unnamed_1 a Artifact", "unnamed_1 isMoving true"))


def test_rows_that_come_later_change_nothing_before() -> None:
    """With a new row, what was told stays told."""
    rows = roster()
    situation, bits = Situation(rows), nothing(rows)
    bits["next to"][rows.row["ball"], rows.row["cube"]] = True
    told(situation, rows, bits)
    rows.add(Entity("unnamed_1", "Artifact", sphere(0.1)))
    more = nothing(rows)
    more["next to"][rows.row["ball"], rows.row["cube"]] = True
    assert not told(situation, rows, more)
