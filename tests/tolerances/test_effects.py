"""A tolerance that is set to another value changes what it decides: examples for each floor."""

import io
from contextlib import closing

import numpy as np
import pytest
import trimesh

from spatial_reasoner.belief.world import World
from spatial_reasoner.geometry.cavities import cavity_of
from spatial_reasoner.geometry.poses import pose_of
from spatial_reasoner.geometry.shapes import bin_shape, box, plane, sphere
from spatial_reasoner.percepts.percepts import Merger, PerceptSettings
from spatial_reasoner.relations.hands import moving_toward
from spatial_reasoner.relations.motion import Trail
from spatial_reasoner.relations.object_directions import deictic
from spatial_reasoner.relations.steadiness import Smoother
from spatial_reasoner.relations.viewpoint import directions, pointing
from spatial_reasoner.scene.mesh import read_mesh
from spatial_reasoner.sight.ray_sight import RaySight
from spatial_reasoner.sight.visibility import Visibility
from spatial_reasoner.tolerances.cavities import CavityTolerances
from spatial_reasoner.tolerances.reach import ReachTolerances
from spatial_reasoner.tolerances.tolerances import Tolerances
from spatial_reasoner.values.frames import Frame, Unnamed
from spatial_reasoner.values.roster import Roster
from tests.actions.tale import AWAY, Tale, on_table
from tests.reach.stage import Stage as ReachStage
from tests.relations.stage import Stage, about, turned
from tests.sight.places import block, gaze, looking, scenery
from tests.worlds.scenes import frame, scene

PEN = box(np.array([0.02, 0.02, 0.02]))


def test_a_shallow_tray_becomes_a_container() -> None:
    """A mesh that is 8 mm deep has a cavity if `in_depth` is less."""
    tray = bin_shape(np.array([0.3, 0.2, 0.02]), 0.012, 0.01)
    surface = tray.vertices, tray.faces
    assert cavity_of(*surface, CavityTolerances()) is None
    assert cavity_of(*surface, CavityTolerances(in_depth=0.005)) is not None


def test_meshes_are_read_by_the_tolerances() -> None:
    """The same file gives two shapes with two keys, one with a cavity and one without."""
    tray = bin_shape(np.array([0.3, 0.2, 0.02]), 0.012, 0.01)
    file = io.BytesIO()
    trimesh.Trimesh(tray.vertices, tray.faces, process=False).export(file, file_type="stl")
    flat = read_mesh(file.getvalue(), "stl", "tray")
    deep = read_mesh(file.getvalue(), "stl", "tray", tolerances=Tolerances(in_depth=0.005))
    assert flat.cavity is None
    assert deep.cavity is not None
    assert flat.key != deep.key


def test_a_steeper_floor_may_support() -> None:
    """A cube stands on a floor that is tilted by 70° if `steepest` is more."""
    for tolerances, said in ((Tolerances(), set()), (Tolerances(steepest=1.4), {"cube on floor"})):
        stage = Stage(tolerances).put("floor", plane(), (0, 0, 0), about("y", 70))
        stage.put("cube", PEN, (0.0, 0.0, 0.01))
        assert stage.said("on") == said


def test_pens_far_apart_have_sides_if_the_distance_is_set() -> None:
    """Pens at 5 m from each other are left and right if `side_distance` is 6 m."""
    centres, sizes = np.array([[0.0, 2.5, 0], [0, -2.5, 0]]), np.full(2, 0.1)
    assert not deictic(turned((-20, 0, 1)), centres, sizes, Tolerances()).any()
    assert deictic(turned((-20, 0, 1)), centres, sizes, Tolerances(side_distance=6.0)).any()


def test_what_is_underfoot_has_no_direction() -> None:
    """An object 10 cm beside an agent's axis has a direction, unless `underfoot` is more."""
    head, centre = np.array([turned((0, 0, 1.6))]), np.array([[0.1, 0.0, 0.0]])
    none = np.zeros((1, 1, 4), dtype=bool)
    assert directions(head, centre, none, Tolerances()).any()
    assert not directions(head, centre, none, Tolerances(underfoot=0.2)).any()


def test_a_short_forearm_gives_no_line() -> None:
    """An elbow 10 cm behind the wrist gives a line, unless `forearm` is more."""
    hand, elbow = turned((0, 0, 1)), np.array([0.0, -0.1, 1])
    ahead, none = np.array([[0.0, 1.0, 1.0]]), np.zeros(1, dtype=bool)
    assert pointing(hand, elbow, ahead, none, Tolerances()).all()
    assert not pointing(hand, elbow, ahead, none, Tolerances(forearm=0.2)).any()


def test_a_hand_may_pass_an_object_at_a_greater_angle() -> None:
    """A hand moves toward an object at 70° from its motion if `reaching_ahead` is more."""
    hands, velocities = np.zeros((1, 3)), np.array([[0.5, 0.0, 0.0]])
    centres = np.array([[0.04, 0.11, 0.0]])
    assert not moving_toward(hands, velocities, centres, Tolerances()).any()
    assert moving_toward(hands, velocities, centres, Tolerances(reaching_ahead=1.4)).all()


def test_a_slow_hand_pauses_if_the_way_is_set() -> None:
    """A hand that moves 4 cm in 0.1 s pauses if `pause_way` is more."""
    trail = Trail(rows=1)
    for number in range(4):
        trail.record(number / 30, np.array([0]), np.array([[number / 75, 0.0, 0.0]]))
    assert not trail.pauses(0, Tolerances())
    assert trail.pauses(0, Tolerances(pause_way=0.1))


def test_an_object_rests_after_the_time_that_is_set() -> None:
    """An object that has stopped moves on for `calm_after` seconds."""
    for tolerances, moves in (
        (Tolerances(calm_after=0.05), False),
        (Tolerances(calm_after=5), True),
    ):
        smoother = Smoother(1, tolerances)
        for number in range(40):
            place = min(number, 10) / 50
            pose = np.array([[place, 0, 0, 0, 0, 0, 1.0]])
            smoother.smooth(number / 25, np.array([0]), pose)
        assert bool(smoother.stirs[0]) is moves


def test_a_wall_is_attended_by_its_share() -> None:
    """A wall that fills half of the field of attention is attended, unless more is asked for."""
    there = scenery(block((0.1, 6, 3), 2, -3.0, 0))
    for tolerances, so in (
        (Tolerances(), True),
        (Tolerances(attended_filling=0.9, attended=0.9), False),
    ):
        with closing(RaySight()) as sight:
            [seen] = Visibility(sight, tolerances).see([gaze(looking((1, 0, 0)), there)])
        assert bool(seen.attended[0]) is so


def test_an_unnamed_percept_is_of_an_object_within_the_distance() -> None:
    """An unnamed percept 10 cm from a ball is of that ball if `same_place` is more."""
    for tolerances, rows in ((Tolerances(), 1), (Tolerances(same_place=0.2), 0)):
        roster = Roster(scene())
        known = len(roster)
        merger = Merger(scene(), roster, PerceptSettings(), tolerances)
        world = World("myself", roster)
        sensed, _ = merger.merge(frame(0.0, ball=[1.0, 0, 1]), world)
        world.absorb(sensed, 0.0)
        stranger = Unnamed(sphere(0.05), pose_of([1.1, 0, 1]))
        merger.merge(Frame(0.04, "eye", unnamed=(stranger,)), world)
        assert len(roster) - known == rows


@pytest.mark.parametrize(("beyond", "can"), [(0.0, False), (0.1, True)])
def test_a_longer_arm_reaches_farther(beyond: float, can: bool) -> None:
    """An object 5 cm beyond the arm is in reach if `arm_beyond` and `grasp_miss` are more."""
    tolerances = ReachTolerances(arm_beyond=(beyond, 0.1), grasp_miss=(0.02 + beyond, 0.2))
    with ReachStage(tolerances) as stage:
        stage.arm([0, 0, 1.2]).put("ball", sphere(0.03), [0.78, 0, 1.2])
        assert stage.can("ball") is can


@pytest.mark.parametrize(("handover", "kinds"), [(2.0, ["Pick"]), (10.0, ["Pick", "Handover"])])
def test_a_late_handover_counts_if_its_time_is_set(handover: float, kinds: list[str]) -> None:
    """Two agents hand over an object that hung in the air for 4 s if `handover` is more."""
    tale = Tale(tolerances=Tolerances(handover=handover)).at("ball", on_table())
    for hand in ("sally_right", "sally_left", "anne_right"):
        tale.at(hand, AWAY)
    tale.at("cup", on_table((-0.5, 0.5))).wait(1.0).go(0.5, sally_right=on_table(lift=0.06))
    tale.take("sally_right", "ball").wait(0.3).lift("sally_right", "ball", on_table(lift=0.3))
    tale.wait(0.3).take("", "ball").go(0.5, sally_right=AWAY).wait(3.0)
    tale.go(0.5, anne_right=on_table(lift=0.35)).take("anne_right", "ball").wait(0.5)
    assert [action.kind for action in tale.told()] == kinds
