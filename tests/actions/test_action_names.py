"""The names of actions: a kind and a number, and a prefix that no two sources share."""

from hypothesis import given
from hypothesis import strategies as some

from spatial_reasoner.actions.action_names import KINDS, SOURCE, ActionNames, greatest, prefix_of
from spatial_reasoner.scene.fields import NAME
from spatial_reasoner.values.action_recognition import ActionKind

SOURCES = some.text(some.sampled_from("ax_-09 ü:😀"), min_size=1, max_size=8) | some.text(
    min_size=1, max_size=100
).filter(str.isprintable)


@given(SOURCES, some.sampled_from(KINDS))
def test_an_action_of_any_source_has_a_bare_name(source: str, kind: ActionKind) -> None:
    """Whatever a source is called, its actions have names that can be said without a namespace."""
    names = ActionNames()
    names.begin(prefix_of(source), {})
    assert NAME.fullmatch(names.next(kind, lambda _: False))


@given(SOURCES, SOURCES)
def test_no_two_sources_have_the_same_prefix(one: str, other: str) -> None:
    """Sources that differ have actions of different names."""
    assert (prefix_of(one) == prefix_of(other)) == (one == other)


def test_a_source_whose_name_is_bare_stands_there_as_it_is() -> None:
    """What needs no writing in another way is not, and the usual source is not said at all."""
    assert [prefix_of(each) for each in (SOURCE, "hall", "left-arm", "_2", "my_unit")] == [
        *("", "hall_", "left-arm_", "_2_", "my_unit_"),
    ]


def test_names_are_counted_by_kind_and_pass_over_what_is_taken() -> None:
    """Each kind has numbers of its own, and a name of something else is left out."""
    names = ActionNames()
    taken = {"pick_2"}
    given = [names.next(kind, taken.__contains__) for kind in ("Pick", "Pick", "Put", "Pick")]
    assert given == ["pick_1", "pick_3", "put_1", "pick_4"]


def test_counting_goes_on_after_the_greater_number() -> None:
    """What was counted already and what is known elsewhere are both left behind."""
    names = ActionNames()
    names.begin("", {"Pick": 4, "Put": 0})
    assert [names.next(kind, lambda _: False) for kind in ("Pick", "Put")] == ["pick_5", "put_1"]
    names.begin("", {"Pick": 2, "Put": 7})
    assert [names.next(kind, lambda _: False) for kind in ("Pick", "Put")] == ["pick_6", "put_8"]


def test_the_greatest_number_is_that_of_ones_own_names() -> None:
    """Names of other kinds and sources, and what only looks alike, do not count."""
    known = ["pick_2", "pick_10", "put_11", "hall_pick_12", "pick_x", "pick_13_", "Pick_14"]
    known += ["<http://elsewhere#pick_15>", "pick_" + "9" * 50]
    assert greatest("", "Pick", known) == 10
    assert greatest("hall_", "Pick", known) == 12
    assert greatest("", "Handover", known) == 0
