"""The first demonstration comes out as it should."""

import argparse
import json
from pathlib import Path

import pytest

from demos.two_minds import run


def test_the_story_ends_in_a_false_belief(capsys: pytest.CaptureFixture[str]) -> None:
    """Sally and Anne's Sally hold that the ball is in the basket, the others know better."""
    assert run(argparse.Namespace(json=True)) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["beliefs"] == {
        "myself": "box",
        "sally": "basket",
        "anne": "box",
        "anne.sally": "basket",
    }


def test_the_story_is_told_in_steps(capsys: pytest.CaptureFixture[str]) -> None:
    """In prose the story has its three steps, the difference, and the reason."""
    assert run(argparse.Namespace(json=False)) == 0
    told = capsys.readouterr().out
    for line in ("3. Sally leaves.", "two minds differ", "a false belief", "prp-inv"):
        assert line in told


def test_the_readme_shows_what_the_demonstration_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every line of the picture at the head of the README is printed, in that order."""
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    shown = readme.split("```")[1].strip("\n").splitlines()
    assert run(argparse.Namespace(json=False)) == 0
    printed = iter(capsys.readouterr().out.splitlines())
    assert len(shown) > 10
    assert all(line in printed for line in shown)
