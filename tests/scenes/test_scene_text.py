"""YAML and JSON are read as people mean them, and bounded."""

import pytest

from spatial_reasoner.errors import SceneError
from spatial_reasoner.scene.scene_text import read_json, read_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{on: myself, yes: no}", {"on": "myself", "yes": "no"}),
        ("[1e-3, 1.0e-3, .5, 5., -1, +2, 010, 1:30, 0x10]",
         [1e-3, 1e-3, 0.5, 5.0, -1, 2, 10, "1:30", "0x10"]),
        ("[true, false, True, null, ~, 2001-01-01]",
         [True, False, "True", None, None, "2001-01-01"]),
        ("a: &pose [1, 2]\nb: *pose", {"a": [1, 2], "b": [1, 2]}),
        ("a: &a {x: 1}\nb: {<<: *a, x: 2}\nc: {<<: [*a], y: 3}",
         {"a": {"x": 1}, "b": {"x": 2}, "c": {"x": 1, "y": 3}}),
        ("", None),
        ("{a: 1}\r\n", {"a": 1}),
        ('{"a": [1, {"b": null}]}', {"a": [1, {"b": None}]}),
    ],
)  # fmt: skip
def test_yaml_says_what_it_seems_to(text: str, value: object) -> None:
    """Plain words stay words, numbers are decimal, and aliases and merges work."""
    assert read_yaml(text) == value


def test_infinite_numbers_are_numbers() -> None:
    """What YAML writes as .inf and .nan is read as such, to be refused by name."""
    assert str(read_yaml("[-.inf, .inf, .nan]")) == "[-inf, inf, nan]"


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)
)
MERGES = "a0: &a0 {k: 1}\n" + "".join(
    f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 10)}]}}\n" for i in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "100000 values"),
        (MERGES, "100000 values"),
        ("a: &a [*a]", "100000 values"),
        ("[" * 100_000, "nested too deeply"),
        ("a: 1\nb: 2\na: 3", "line 3: 'a' is given twice"),
        ("a: [1, 2", "line 1"),
        ("a: *b", "line 1: found undefined alias 'b'"),
        ("--- 1\n--- 2", "line 2: but found another document"),
        ("a: !!python/object:os.system {}", "line 1: could not determine a constructor"),
        ("a: \0", "can't be read as YAML"),
        ("a: " + "9" * 5000, "can't be read as YAML"),
        ("? [1, 2]\n: 3\n? {a: 1}\n: 4", "found unhashable key"),
    ],
)
def test_yaml_that_is_wrong_is_an_error(text: str, message: str) -> None:
    """Bombs, endless aliases, names given twice and tags are errors that say where."""
    with pytest.raises(SceneError) as wrong:
        read_yaml(text)
    assert message in str(wrong.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', "'a' is given twice"),
        ("[NaN]", "NaN is no number"),
        ("[-Infinity]", "-Infinity is no number"),
        ("[" * 100_000, "nested too deeply"),
        ("{", "Expecting property name"),
        ("[" + "9" * 5000 + "]", "Exceeds the limit"),
    ],
)
def test_json_that_is_wrong_is_an_error(text: str, message: str) -> None:
    """Names given twice, and what is no number of JSON, are errors."""
    with pytest.raises(ValueError, match=message):
        read_json(text)
