"""Tolerances and regions as the command line sets them."""

import argparse
import json
import math
import signal
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from kb_server.program import UsageError
from spatial_reasoner.commands.command_options import add_tolerances
from spatial_reasoner.commands.tolerance_options import tolerances_of, warn_if_late
from spatial_reasoner.errors import SettingError
from spatial_reasoner.percepts.frame_file import read_frame
from spatial_reasoner.scene.scene import Scene
from spatial_reasoner.sight.ray_sight import RaySight
from spatial_reasoner.tick.reasoner import SpatialReasoner
from spatial_reasoner.tolerances.settings import (
    PROMISED,
    latest,
    read_tolerance,
    set_tolerances,
    tolerance_rows,
)
from spatial_reasoner.tolerances.tolerances import REGIONS, Tolerances
from tests.live.rooms import ROOM, said
from tests.live.test_commands import QUICK, done, folded, held, lasting, living, send, until
from tests.service.servers import Server

AWAY = 2.0
BEARING = math.radians(40)
"""Of the ball from the robot's front, to the left: nearer to the diagonal than to any axis."""
PLACE = [-1.2 + AWAY * math.cos(BEARING), AWAY * math.sin(BEARING), 0.8]
LINES = [
    json.dumps({"t": number / 25, "source": "camera", "objects": {"ball": PLACE}})
    for number in range(15)
]


@pytest.fixture
def room(tmp_path: Path) -> list[Path]:
    """A scene and a recording of it: a ball lies before the robot, a little to the left."""
    scene, frames = tmp_path / "room.yaml", tmp_path / "frames.jsonl"
    scene.write_text(yaml.safe_dump({**ROOM, "depth": 1}))
    frames.write_text("".join(f"{each}\n" for each in LINES))
    return [scene, frames]


def about_ball(room: list[Path], *words: str) -> set[str]:
    """Where the ball is as seen from the robot, after a replay with some options."""
    holds = folded(done("replay", *room, *QUICK, *words).stdout)
    start, end = "myself: ball ", " myself"
    return {f[len(start) : -len(end)] for f in holds if f.startswith(start) and f.endswith(end)}


def test_a_threshold_decides(room: list[Path]) -> None:
    """With another threshold of nearness what was near is far, and else all stays as it was."""
    assert about_ball(room) == {"near", "inFrontOf", "leftOf"}
    assert about_ball(room, "--tolerance", "near=1,1.1") == {"farFrom", "inFrontOf", "leftOf"}


def test_of_four_regions_each_has_one_direction(room: list[Path]) -> None:
    """What lies near a diagonal has two directions of eight regions, and one of four."""
    assert about_ball(room, "--regions", "8") == about_ball(room)
    assert about_ball(room, "--regions", "4") == {"near", "inFrontOf"}


def test_the_same_settings_give_the_same_facts(room: list[Path]) -> None:
    """A recording that is replayed with the same tolerances gives the same lines."""
    words = ("--tolerance", "near=1,1.1", "--tolerance", "smoothing=0.05", "--regions", "4")
    first, second = (done("replay", *room, *QUICK, *words).stdout for _ in range(2))
    assert first == second != done("replay", *room, *QUICK).stdout


def test_live_facts_go_by_them_too(server: Server, room: list[Path], tmp_path: Path) -> None:
    """What `perceive` tells is what a replay of its record tells with the same tolerances."""
    record = tmp_path / "record.jsonl"
    words = ("--tolerance", "near=1,1.1", "--regions", "4", *QUICK)
    command = ("perceive", room[0], "--kb", server.url, "--port", "0", "--record", record)
    with living(*command, *words) as eyes:
        send(eyes.address(), LINES)
        until(server.url, "ball farFrom myself")
        told = lasting(folded(done("replay", room[0], record, *words).stdout))
        assert {"myself: ball farFrom myself", "myself: ball inFrontOf myself"} <= told
        assert {fact for fact in held(server.url) if " farFrom " in fact} <= told
        assert eyes.ended(signal.SIGTERM) == 0


def test_pictures_go_by_them_too(room: list[Path], tmp_path: Path) -> None:
    """A replay with pictures gives the facts of one without."""
    words = ("--tolerance", "near=1,1.1", "--outlier", "5")
    drawn = ("--render", str(tmp_path / "album"), "--render-size", "480")
    assert about_ball(room, *words, *drawn) == about_ball(room, *words)


def test_they_are_listed() -> None:
    """Without a scene the tolerances are listed, for people and for programs."""
    shown = done("replay", "--tolerances").stdout
    assert shown == done("perceive", "--tolerances").stdout
    told = json.loads(done("replay", "--tolerances", "--json").stdout)["tolerances"]
    assert [each["name"] for each in told] == [field.name for field in fields(Tolerances)]
    assert all(each["name"] in shown and each["meaning"] in shown for each in told)
    ranges = {row.unit.range for row in tolerance_rows().values()}
    assert all(f" {each} " in shown for each in ranges)
    [near] = [each for each in told if each["name"] == "near"]
    assert (near["default"], near["unit"]) == ([5.0, 5.15], "m")


def parsed(*words: str) -> argparse.Namespace:
    """A line of a command that takes tolerances alone."""
    parser = argparse.ArgumentParser()
    add_tolerances(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--tolerance nea=3", "no tolerance 'nea'; did you mean near"),
        ("--tolerance near", "'near' sets nothing: write NAME=VALUE"),
        ("--tolerance near=3", "near is two numbers"),
        ("--tolerance near=abc", "near is two numbers, such as near=5,5.15, not 'abc'"),
        ("--tolerance gate=0.1,0.2", "gate is one number, such as gate=0.003"),
        ("--tolerance gate=wide", "gate is a number, such as gate=0.003, not 'wide'"),
        ("--tolerance gate=nan", "gate is from 0 to 1000 m, not 'nan'"),
        ("--tolerance near=3,inf", "near is from 0 to 1000 m, not 'inf'"),
        ("--tolerance held=-0.1", "held is from 0 to 1000 m, not '-0.1'"),
        ("--tolerance smoothing=0", "smoothing is from 0.001 to 60 s, not '0'"),
        ("--tolerance perceived=0", "perceived is from 0.05 to 60 s, not '0'"),
        ("--tolerance acting=5", "acting is from 0 to 1 s, not '5'"),
        ("--tolerance perceived=1.5", "perceived=1.5 and missing=1 don't go together"),
        ("--tolerance near=3,2", "near=3,2 would flicker"),
        ("--tolerance share=0.05,0.1", "can't be more than the first"),
        ("--tolerance held=0.4", "held=0.4 and released=0.3 don't go together"),
        ("--tolerance direction=1,1.1 --regions 4", "both set the width of directions"),
        ("--regions 6", "invalid choice: 6"),
    ],
)
def test_what_makes_no_sense(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A tolerance that can't be is refused with what would be right."""
    with pytest.raises((SystemExit, UsageError)) as refused:
        tolerances_of(parsed(*words.split()))
    assert told in f"{capsys.readouterr().err} {refused.value}"


def test_what_makes_no_sense_is_bad_usage(room: list[Path]) -> None:
    """Both commands end with 2 before they open anything, be it one tolerance or two together."""
    for words in (("replay", *room), ("perceive", room[0], "--kb", "http://127.0.0.1:9")):
        for wrong, told in (("nea=3", "did you mean near"), ("held=0.4", "don't go together")):
            found = done(*words, "--tolerance", wrong, status=2)
            assert told in found.stderr
            assert found.stdout == ""


def test_late_facts_are_told(caplog: pytest.LogCaptureFixture) -> None:
    """Settings by which facts come later than is promised are taken, and logged."""
    assert latest(tolerances_of(parsed())) <= PROMISED
    warn_if_late(tolerances_of(parsed()))
    assert not caplog.messages
    slow = tolerances_of(parsed("--tolerance", "debounce=0.5"))
    assert slow.debounce == 0.5
    warn_if_late(slow)
    [late] = caplog.messages
    assert "facts may come after 0.75 s instead of 0.4 s" in late


@pytest.mark.parametrize("name", [field.name for field in fields(Tolerances)])
def test_every_tolerance_can_be_set_to_what_it_is(name: str) -> None:
    """The default of each is in the range of its unit, is not thought to flicker, and has a use."""
    row = tolerance_rows()[name]
    assert read_tolerance(row.example) == (name, row.default)
    assert set_tolerances({name: row.default}) == Tolerances()
    assert row.meaning.endswith(".")


@pytest.mark.parametrize("end", ["least", "most"])
def test_the_ends_of_all_ranges_can_be_reasoned_with(end: str, scene: Scene) -> None:
    """No number that is taken breaks the reasoner, be it that all are as low as can be, or high."""
    ends = {name: getattr(row.unit, end) for name, row in tolerance_rows().items()}
    usual = {name: row.default for name, row in tolerance_rows().items()}
    pairs = {name: (each, each) for name, each in ends.items() if isinstance(usual[name], tuple)}
    tolerances = set_tolerances({**ends, **pairs})
    hand = [0.4, 0.1, 0.8]
    with closing(RaySight()) as sight, closing(SpatialReasoner(scene, sight, tolerances)) as eyes:
        for number in range(12):
            told = said(number / 10, "ball", "mug", "box", sally=[1.2, 0, 1.4, 0, 0, 1, 0])
            told["agents"]["sally"]["right_hand"] = hand
            eyes.tick(read_frame(told, scene))
        eyes.finish()
        assert eyes.models


@pytest.mark.parametrize("regions", REGIONS)
def test_regions_leave_nothing_out(regions: int) -> None:
    """Regions begin where others end at the latest, and let go no earlier than they begin."""
    begins, lets_go = REGIONS[regions]
    assert math.pi / 4 <= begins <= lets_go


def test_settings_that_can_not_work_together_are_refused() -> None:
    """A move is never smaller than what is passed over as jitter."""
    with pytest.raises(SettingError, match=r"gate=0\.1 and jump=0\.03 don't go together"):
        set_tolerances({"gate": 0.1})
    larger = dict.fromkeys(("gate", "jump", "at_rest", "lifted"), 0.1)
    assert set_tolerances(larger).gate == 0.1


@pytest.mark.parametrize("setting", ["lifted=0", "at_rest=0", "at_rest=5"])
def test_settings_that_no_action_is_found_with_are_refused(setting: str) -> None:
    """What jitters was not picked, nor does it never rest; and what is carried off does not."""
    name, value = read_tolerance(setting)
    with pytest.raises(SettingError, match="don't go together"):
        set_tolerances({name: value})
