"""The list of faults fits the tree, and the selection of quick tests does."""

import ast
from collections import Counter

from tests.quick.faults import ROOT, Fault, make, read_faults
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


def test_the_tests_that_are_named_are_there() -> None:
    """Each test file or folder exists that a fault, its room or the quick selection names."""
    named = {test for fault in read_faults() for test in _named(fault)} | {*selected()}
    assert not [test for test in sorted(named) if not (ROOT / test.partition("::")[0]).exists()]


def _named(fault: Fault) -> set[str]:
    return {*fault.tests, *fault.folders}
