"""Tolerances as users set them: by name, in their units, with checks that they fit each other.

The names, units and reasons are read from the tables and their source, because a separate list
would soon differ from them.

>>> set_tolerances({"near": read_tolerance("near=3,3.1")[1]}).near
(3.0, 3.1)
"""

import ast
import inspect
import math
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, Final, NoReturn, TypeAlias, get_args, get_origin, get_type_hints

from spatial_reasoner.errors import SettingError, like, shown
from spatial_reasoner.tolerances.tolerances import GRAVITY, Tolerances
from spatial_reasoner.tolerances.units import Limit, Numeric, Unit

__all__ = [
    "PROMISED",
    "ToleranceRow",
    "ToleranceValue",
    "latest",
    "read_tolerance",
    "set_tolerances",
    "tolerance_rows",
    "written",
]

ToleranceValue: TypeAlias = float | tuple[float, float]

PROMISED: Final[Limit] = 0.4
"""Seconds after which a fact is published at the latest, with the defaults."""
_SETTLED: Final[Numeric] = math.log(10)
"""The number of smoothing time constants after which 90 % of a step are reached."""


@dataclass(frozen=True, slots=True)
class ToleranceRow:
    """One tolerance: its table, its default, its unit with the range, and its meaning."""

    table: str
    name: str
    default: ToleranceValue
    unit: Unit
    meaning: str

    @property
    def example(self) -> str:
        """How to set it to its default."""
        return f"{self.name}={written(self.default)}"


@dataclass(frozen=True, slots=True)
class _Order:
    """Two tolerances, of which the first must be at most the second."""

    low: str
    high: str
    otherwise: str


_ORDERS: Final = (
    _Order("held", "released", "a hand would grasp and release the same object alternately"),
    _Order("held", "put_down", "a hand would grasp and release an object at rest alternately"),
    _Order("gate", "jump", "a motion would be ignored as jitter"),
    _Order("gate_turn", "jump_turn", "a rotation would be ignored as jitter"),
    _Order("gate", "lifted", "jitter would count as a pick"),
    _Order("gate", "at_rest", "an object that jitters would never come to rest"),
    _Order("at_rest", "put_down", "an object that a hand carried away would rest where it was"),
    _Order("lifted", "deep_fall", "an object that is lowered a little would count as fallen"),
    _Order("slip", "held", "an object would slip in its hand and stay in it"),
    _Order("sinking", "plunge", "an object that plunges would not fall"),
    _Order("brief_fall", "dropping", "a fall would end before its object counts as dropped"),
    _Order("acting", "settled", "an object that fell unseen would rest before any other"),
    _Order("approach_short", "approach", "a hand would begin its approach at the object"),
    _Order("fingers", "approach", "the outer rays of an approach would end before they begin"),
    _Order("together", "missing", "objects would be missing before their frames are processed"),
    _Order("perceived", "missing", "an object would be perceived and missing at once"),
    _Order("moving_window", "steady_window", "a constant speed needs the longer time"),
)


@cache
def tolerance_rows() -> Mapping[str, ToleranceRow]:
    """All tolerances by name, table after table."""
    hints = get_type_hints(Tolerances, include_extras=True)
    usual = Tolerances()
    return {
        name: ToleranceRow(_title(table), name, getattr(usual, name), _unit(hints[name]), meaning)
        for table in reversed(Tolerances.__bases__)
        for name, meaning in _meanings(table)
    }


def read_tolerance(text: str) -> tuple[str, ToleranceValue]:
    """The name and the value in `NAME=VALUE` or `NAME=BEGINS,ENDS`.

    Raises SettingError, whose message names what would be right.
    """
    name, is_set, said = text.partition("=")
    if not is_set:
        _refuse(f"{shown(text)} sets nothing: write NAME=VALUE, or NAME=BEGINS,ENDS")
    rows = tolerance_rows()
    if name not in rows:
        _refuse(f"there is no tolerance {shown(name)}{like(name, rows)}")
    row = rows[name]
    numbers = [_number(row, each) for each in said.split(",")]
    if not isinstance(row.default, tuple):
        if len(numbers) != 1:
            _refuse(f"{name} is one number, such as {row.example}, not {shown(said)}")
        return name, numbers[0]
    if len(numbers) != 2:
        _refuse(
            f"{name} is two numbers, where a fact begins and where it ends, such as {row.example}, "
            f"not {shown(said)}"
        )
    begins, ends = numbers
    return name, _steady(row, begins, ends, row.default)


def set_tolerances(settings: Mapping[str, ToleranceValue]) -> Tolerances:
    """The tolerances with some of them set; SettingError if two of them contradict each other."""
    chosen: dict[str, Any] = dict(settings)
    made = replace(Tolerances(), **chosen)
    for order in _ORDERS:
        low, high = getattr(made, order.low), getattr(made, order.high)
        if low > high:
            _refuse(
                f"{order.low}={written(low)} and {order.high}={written(high)} don't go together: "
                f"{order.otherwise}; {order.low} may be at most {order.high}"
            )
    _check_horizon(made)
    return made


def _check_horizon(made: Tolerances) -> None:
    """Refuses a horizon in which a falling object moves less than the drift."""
    fall = GRAVITY * made.horizon**2 / 2
    if fall <= made.drift:
        least = math.sqrt(2 * made.drift / GRAVITY)
        _refuse(
            f"horizon={written(made.horizon)} and drift={written(made.drift)} don't go together: "
            f"an object falls {1000 * fall:.0f} mm in that time, so no object in the air would be "
            f"found implausible; horizon must be above {least:.3f}, or drift below {fall:.3f}"
        )


def latest(tolerances: Tolerances) -> float:
    """The greatest delay of a fact in seconds, after it became true."""
    return tolerances.debounce + _SETTLED * tolerances.smoothing


def written(value: ToleranceValue) -> str:
    """A value as text, in the form in which it is set.

    >>> written((5.0, 5.15)), written(0.11)
    ('5,5.15', '0.11')
    """
    return ",".join(f"{each:.10g}" for each in (value if isinstance(value, tuple) else (value,)))


def _number(row: ToleranceRow, text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        kind = "two numbers" if isinstance(row.default, tuple) else "a number"
        _refuse(f"{row.name} is {kind}, such as {row.example}, not {shown(text)}")
    if not row.unit.holds(found):
        _refuse(f"{row.name} is from {row.unit}, not {shown(text)}")
    return found


def _steady(
    row: ToleranceRow, begins: float, ends: float, default: tuple[float, float]
) -> tuple[float, float]:
    """A pair of numbers for hysteresis; the default decides which of them must be larger."""
    is_rising = default[0] <= default[1]
    if (begins > ends) if is_rising else (begins < ends):
        side = "less" if is_rising else "more"
        _refuse(
            f"{row.name}={written((begins, ends))} would flicker: the second number, where a "
            f"fact ends, can't be {side} than the first, where it begins, as in {row.example}"
        )
    return begins, ends


def _refuse(message: str) -> NoReturn:
    raise SettingError(message)


def _unit(hint: object) -> Unit:
    """The unit of a field's type; both numbers of a pair have the same one."""
    one = get_args(hint)[0] if get_origin(hint) is tuple else hint
    assert get_origin(one) is Annotated, hint
    [unit] = [each for each in get_args(one) if isinstance(each, Unit)]
    return unit


def _title(table: type) -> str:
    """The title of a table: the begin of its docstring."""
    return re.split("[:.]", inspect.getdoc(table) or "")[0]


def _meanings(made: type) -> Iterator[tuple[str, str]]:
    """The names of fields and the docstrings below them, from the source of a class."""
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(made))).body
    assert isinstance(tree, ast.ClassDef)
    for field, below in pairwise(tree.body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(name)),
                ast.Expr(value=ast.Constant(value=str(meaning))),
            ):
                yield name, " ".join(meaning.split())
