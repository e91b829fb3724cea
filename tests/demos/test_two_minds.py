"""The first demonstration comes out as it should."""

import argparse
import json

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
