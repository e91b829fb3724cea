"""The list of faults fits the tree, and the selection of quick tests does."""

import ast
import re
from collections import Counter

from tests.quick.faults import ROOT, make, read_faults
from tests.quick.trials import selected


def test_every_fault_can_be_made() -> None:
    """The line of each fault stands once in its file, and Python can still be parsed without it."""
    for fault in read_faults():
        text = make(fault, ROOT)
        if fault.file.endswith(".py"):
            ast.parse(text, fault.file)


def test_there_are_sixty_faults_in_five_rooms() -> None:
    """The list has sixty faults, each under a name of its own, and at least three in each room."""
    faults = read_faults()
    assert len({fault.id for fault in faults}) == len(faults) == 60
    rooms = Counter(fault.room for fault in faults)
    assert len(rooms) == 5
    assert min(rooms.values()) >= 3


def test_the_quick_tests_catch_three_faults_of_each_room() -> None:
    """The tests that caught at least three faults of each room are among the quick ones."""
    caught = Counter(fault.room for fault in read_faults() if _is_quick(fault.caught_by or ""))
    assert caught.keys() == {fault.room for fault in read_faults()}
    assert min(caught.values()) >= 3


def test_the_tests_that_are_named_are_there() -> None:
    """Each test file or folder exists that a fault, its room or the quick selection names."""
    faults = read_faults()
    named = {test for fault in faults for test in (*fault.tests, *fault.folders)} | {*selected()}
    caught = {fault.caught_by for fault in faults if fault.caught_by and "::" in fault.caught_by}
    files = {test.partition("::")[0] for test in named | caught}
    assert not [file for file in sorted(files) if not (ROOT / file).exists()]


def _is_quick(test: str) -> bool:
    """Whether a test is one of those that `make quick` runs."""
    return any(re.match(rf"{re.escape(each)}(?=[/:[]|$)", test) for each in selected())
