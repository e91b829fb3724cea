"""Views of small models over the shipped common sense."""

from functools import cache

from kb_server.core.facts.facts import FactView
from kb_server.core.facts.matching import Budget
from kb_server.core.reasoning.commonsense import CommonSense
from kb_server.core.reasoning.reasoner import Reasoner
from kb_server.core.terms.statements import read_statement
from ontology import files


@cache
def common_sense() -> CommonSense:
    """The shipped ontology, closed once for all tests."""
    return CommonSense([path.read_text("utf-8") for path in files()])


def enough() -> Budget:
    """A budget that no test here uses up."""
    return Budget(1_000_000)


def believing(*texts: str) -> FactView:
    """The view of the robot's own model after these statements are asserted."""
    common = common_sense()
    told = [read_statement(text, common.names) for text in texts]
    reasoner = Reasoner(common.reasoner, "myself")
    reasoner.change((), told, 0.0, enough())
    return reasoner.view
