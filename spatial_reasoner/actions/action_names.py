"""The names of actions: `pick_1`, or `kitchen_pick_1` of a reasoner that is called kitchen.

Two reasoners on one board see the same pick, or another one: it is two individuals all the same. So
a reasoner that has a name of its own puts it in front, and one that begins where others were before
it goes on after their numbers. Nothing of that is random, for recordings give the same facts.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, get_args

from spatial_reasoner.values.glimpses import Kind

__all__ = ["KINDS", "SOURCE", "ActionNames", "greatest", "prefix_of"]

SOURCE: Final = "spatial"
"""Who asserts the facts, unless the command line says otherwise; its actions need no prefix."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_FOREIGN: Final = re.compile(r"^[^A-Za-z_]|[^A-Za-z0-9_-]|_(?=x)")
"""What a name can't have where it stands, and what would read as such a sign written down."""


class ActionNames:
    """Counts the actions of each kind.

    >>> names = ActionNames()
    >>> names.begin("kitchen_", {"Pick": 6})
    >>> names.next("Pick", {"kitchen_pick_7"}.__contains__)
    'kitchen_pick_8'
    """

    def __init__(self) -> None:
        self._prefix = ""
        self._counts: Final = dict.fromkeys(KINDS, 0)

    def begin(self, prefix: str, after: Mapping[Kind, int]) -> None:
        """From now on has a prefix in front, and goes on after these numbers, or after its own."""
        self._prefix = prefix
        for kind, number in after.items():
            self._counts[kind] = max(self._counts[kind], number)

    def next(self, kind: Kind, is_taken: Callable[[str], bool]) -> str:
        """A name that no action had, and nothing else has."""
        while True:
            self._counts[kind] += 1
            name = f"{_stem(self._prefix, kind)}{self._counts[kind]}"
            if not is_taken(name):
                return name


def prefix_of(source: str) -> str:
    """What stands in front of the actions of a source: another one for each.

    A sign that names don't have is written as XML does it, by its number.

    >>> [prefix_of(source) for source in ("spatial", "kitchen", "2nd floor")]
    ['', 'kitchen_', '_x0032_nd_x0020_floor_']
    """
    if source == SOURCE:
        return ""
    return _FOREIGN.sub(lambda sign: f"_x{ord(sign[0]):04x}_", source) + "_"


def greatest(prefix: str, kind: Kind, names: Iterable[str]) -> int:
    """The greatest number among the names of a kind with a prefix; 0 for none."""
    wanted = re.compile(re.escape(_stem(prefix, kind)) + "([0-9]{1,15})")
    found = (wanted.fullmatch(name) for name in names)
    return max((int(each[1]) for each in found if each), default=0)


def _stem(prefix: str, kind: Kind) -> str:
    return f"{prefix}{kind.lower()}_"
