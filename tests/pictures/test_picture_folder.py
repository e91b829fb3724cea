"""Albums: which moments are kept, under which names, and the animation."""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kb_server.program import CommandFailed, UsageError
from spatial_reasoner.commands.command_options import add_render, add_sight
from spatial_reasoner.commands.picture_options import opened_pictured
from spatial_reasoner.pictures.picture_folder import PictureFolder, PicturingReasoner
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.values.frames import Frame
from tests.pictures.rooms import MOVED, Room, scene, share

_SCENE = """
name: room
entities:
  table: {class: Table, shape: {box: [1, 1, 0.1]}, pose: [0, 0, 0.6], static: true}
  cube: {class: Cube, shape: {box: [0.1, 0.1, 0.1]}}
agents:
  myself: {class: Robot, head: [-1.5, 0, 1.2, 0, 0.17, 0, 0.98]}
"""


def frames(count: int = 12) -> str:
    """A cube lies on a table, and for the second half beside it."""
    places = [[0.0, 0.0, 0.7] if number < count / 2 else [0.0, 0.8, 0.7] for number in range(count)]
    told = [{"t": number / 10, "source": "eye", "objects": {"cube": place}}
            for number, place in enumerate(places)]  # fmt: skip
    return "".join(json.dumps(each) + "\n" for each in told)


def replayed(folder: Path, *words: object, status: int = 0) -> "subprocess.CompletedProcess[str]":
    """A replay with some options; what goes wrong is one line."""
    (folder / "room.yaml").write_text(_SCENE)
    (folder / "frames.jsonl").write_text(frames())
    found = subprocess.run(
        [sys.executable, "-m", "kb_server", "replay", "room.yaml", "frames.jsonl",
         "--sight", "tiny", "--render-size", "480", *map(str, words)],
        cwd=folder, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert found.returncode == status, found.stderr
    assert "Traceback" not in found.stderr
    return found


def album_of(room: Room, folder: Path, every: int | None = None, ticks: int = 12) -> list[str]:
    """The names of the pictures of a room in which the cube is moved halfway."""
    kept = PicturingReasoner(room.reasons, room.painter, PictureFolder(folder), ["myself"], every)
    for number in range(ticks):
        kept.tick(room.frame(cube=MOVED) if 2 * number >= ticks else room.frame())
    kept.finish()
    return sorted(file.name for file in folder.iterdir())


@pytest.fixture
def small(sight: CloseUpSight) -> Iterator[Room]:
    made = Room(sight, width=480)
    yield made
    made.reasons.close()


def test_a_moment_is_kept_when_a_fact_changes(small: Room, tmp_path: Path) -> None:
    """The first moment and the last are kept, and of those between only where a fact changes."""
    found = album_of(small, tmp_path / "new" / "folder")
    assert found[0] == "000000_t0.100.png"
    assert found[-1].endswith("_t1.200.png")
    assert 3 <= len(found) < 12
    times = [float(name.partition("_t")[2].removesuffix(".png")) for name in found]
    assert times == sorted(times)
    assert 0.6 < times[1] < 1.2


def test_every_so_manyth_moment_can_be_kept(small: Room, tmp_path: Path) -> None:
    """With every fifth moment kept, the first and the last are as well."""
    found = album_of(small, tmp_path, every=5)
    assert found == [f"00000{number}_t{t:.3f}.png" for number, t in enumerate([0.1, 0.6, 1.1, 1.2])]


def test_an_album_replaces_the_pictures_of_an_earlier_one(tmp_path: Path) -> None:
    """Only what an album itself would write is removed from its folder."""
    for name in ("000009_t12.500.png", "000001_t-3.000.png", "replay.gif", "cat.png", "notes.txt"):
        (tmp_path / name).write_text("x")
    PictureFolder(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["cat.png", "notes.txt"]


def test_an_animation_goes_at_the_pace_of_the_recording(tmp_path: Path) -> None:
    """Each picture stays until the next one is due, but at least a tenth and at most 1.5 s."""
    picture_folder = PictureFolder(tmp_path)
    for number, t in enumerate((0.0, 0.01, 0.5, 60.0)):
        picture_folder.save(Image.new("RGB", (40, 30), (60 * number, 0, 0)), t)
    film = picture_folder.film()
    assert film == tmp_path / "replay.gif"
    stays = []
    with Image.open(film) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            stays.append(image.info["duration"])
    assert stays == [100, 490, 1500, 2000]


def test_an_animation_keeps_the_colours(small: Room, tmp_path: Path) -> None:
    """What has a colour in a picture has it in the animation, small as it may be."""
    picture_folder = PictureFolder(tmp_path)
    small.wait(0.1)
    picture = small.sheet().image
    picture_folder.save(picture, 0.1)
    film = picture_folder.film()
    assert film
    with Image.open(film) as image:
        shades = [np.asarray(one.convert("RGB"), dtype=float) for one in (picture, image)]
    for name in ("cube", "marble"):
        before, after = (share(each, small.colour(name)) for each in shades)
        assert before > 1e-4
        assert after > before / 2


def test_an_animation_of_nothing(tmp_path: Path) -> None:
    """Without pictures there is no animation."""
    assert PictureFolder(tmp_path).film() is None


def test_a_replay_can_be_drawn(tmp_path: Path) -> None:
    """The pictures and the animation are in the folder, twice the same, and the facts as ever."""
    plain = replayed(tmp_path).stdout
    first, second = dict[str, bytes](), dict[str, bytes]()
    for found, name in ((first, "one"), (second, "two")):
        told = replayed(tmp_path, "--render", name, "--gif")
        assert told.stdout == plain != ""
        found.update((file.name, file.read_bytes()) for file in (tmp_path / name).iterdir())
        assert f"{len(found) - 1} pictures in {name}" in told.stderr
    assert first == second
    assert {"replay.gif", "000000_t0.000.png"} < first.keys()
    with Image.open(tmp_path / "one" / "000000_t0.000.png") as image:
        assert image.width == 480


def test_an_animation_needs_pictures(tmp_path: Path) -> None:
    """Who asks for the animation alone is told what is missing."""
    said = replayed(tmp_path, "--gif", status=2).stderr
    assert "--gif has no effect without --render DIR" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--render", "file"], "file can't be written: File exists"),
        (["--render", "file/deep"], "file/deep can't be written: Not a directory"),
        (["--render", "out", "--render-minds", "bob"], "no mind 'bob'; it has myself, sally"),
        (["--render", "out", "--render-minds", "myself,sally.anne"], "no mind 'sally.anne'"),
    ],
)
def test_what_can_not_be_drawn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str], said: str
) -> None:
    """A folder that can't be, or a mind that can't be, is refused before anything is read."""
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("")
    refused = pytest.raises((CommandFailed, UsageError), match=re.escape(said))
    with refused, opened_pictured(parsed(words), scene()):
        pass
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--render-every", "0"], "a whole number from 1"),
        (["--render-size", "9"], "a whole number from 480 to 3840"),
        (["--render-size", "wide"], "a whole number from 480 to 3840"),
    ],
)
def test_a_number_that_makes_no_sense(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numbers are refused with what they may be."""
    with pytest.raises(SystemExit, match="2"):
        parsed(words)
    assert said in capsys.readouterr().err


def test_the_minds_that_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only the minds that are named are drawn, in their order; alone, one is drawn side by side."""
    sizes = []
    for minds in ("sally", "sally,myself"):
        words = ["--render", str(tmp_path / minds), "--render-minds", minds]
        with opened_pictured(parsed(words), scene()) as reasons:
            reasons.tick(Frame(0.0, "eye"))
        with Image.open(next((tmp_path / minds).iterdir())) as image:
            sizes.append(image.size)
    assert sizes[0][0] == sizes[1][0] == 600
    assert sizes[0][1] < 0.7 * sizes[1][1]
    assert capsys.readouterr().err.splitlines() == [
        f"1 picture in {tmp_path / minds}" for minds in ("sally", "sally,myself")
    ]


def parsed(words: list[str]) -> argparse.Namespace:
    """A line of options for pictures."""
    parser = argparse.ArgumentParser()
    add_sight(parser)
    add_render(parser)
    return parser.parse_args(["--sight", "tiny", "--render-size", "600", *words])
